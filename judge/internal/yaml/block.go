package yaml

import "strings"

// block decodes a block scalar from its lines as they stand in the file, since
// the parser underneath loses trailing spaces. The header is as written, "|"
// or ">+2"; parent is the indentation of the map or list that holds it, in
// spaces, or 0 (YAML 1.2.2, section 8.1). Where it cannot be decoded, wrong
// says why.
func block(header, raw string, parent int) (text, wrong string) {
	indent, chomp := 0, byte(0)
	for _, c := range []byte(header[1:]) {
		switch {
		case c == '-' || c == '+':
			chomp = c
		case c >= '1' && c <= '9':
			indent = parent + int(c-'0')
		}
	}
	lines := strings.SplitAfter(raw, "\n")
	if indent == 0 {
		var longest int
		if indent, longest = contentIndent(lines); longest > indent {
			return "", "a line of nothing but spaces goes deeper than the first line of this block"
		}
	}
	if strings.HasPrefix(strings.TrimLeft(raw, " \n"), "\t") {
		// The parser underneath takes the indentation of another line.
		return "", "a block that begins with a tab is not understood: use a quoted text"
	}
	var kept []string // with line feeds, without indentation
	for _, line := range lines {
		if line == "" {
			continue
		}
		spaces := leadingSpaces(line)
		rest := line[min(spaces, indent):]
		if spaces < indent && rest != "\n" && rest != "" {
			break // a comment that stands below the text
		}
		if rest != "" {
			kept = append(kept, rest)
		}
	}
	end := len(kept) // of the lines before the trailing empty ones
	for end > 0 && kept[end-1] == "\n" {
		end--
	}
	var b strings.Builder
	if header[0] == '|' {
		b.WriteString(strings.Join(kept[:end], ""))
	} else {
		fold(&b, kept[:end])
	}
	body := b.String()
	switch {
	case chomp == '-':
		return strings.TrimSuffix(body, "\n"), ""
	case chomp == '+':
		return body + strings.Join(kept[end:], ""), ""
	}
	return body, ""
}

// fold joins lines that are not indented further by spaces. The last line is
// not empty.
func fold(b *strings.Builder, lines []string) {
	further := func(line string) bool { return line[0] == ' ' || line[0] == '\t' }
	for i, line := range lines {
		if line == "\n" {
			b.WriteString(line)
			continue
		}
		word := strings.TrimSuffix(line, "\n")
		b.WriteString(word)
		next := i + 1
		for next < len(lines) && lines[next] == "\n" {
			next++
		}
		switch {
		case next == len(lines):
			b.WriteString(line[len(word):])
		case further(line) || further(lines[next]):
			b.WriteByte('\n')
		case next == i+1:
			b.WriteByte(' ')
		}
		// Between two lines at the margin each empty line is one line feed,
		// and their own line feeds vanish.
	}
}

// contentIndent is the indentation of the first line with something on it, and
// of the longest empty one before it. If all are empty, they are the same.
func contentIndent(lines []string) (first, longest int) {
	for _, line := range lines {
		spaces := leadingSpaces(line)
		if rest := line[spaces:]; rest != "" && rest != "\n" {
			return spaces, longest
		}
		longest = max(longest, spaces)
	}
	return longest, longest
}

func leadingSpaces(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}

// singleQuoted decodes text in single quotes from the way it stands in the
// file, for the same reason (YAML 1.2.2, section 7.3.2).
func singleQuoted(raw string) string {
	raw = strings.TrimSpace(raw)
	raw = strings.TrimSuffix(strings.TrimPrefix(raw, "'"), "'")
	return strings.ReplaceAll(foldFlow(raw), "''", "'")
}

// plainText decodes text without quotes, where the parser underneath loses
// tabs (section 7.3.3).
func plainText(raw string) string {
	return foldFlow(strings.TrimSpace(raw))
}

// foldFlow joins lines by spaces, or by line feeds where lines between them
// are empty.
func foldFlow(raw string) string {
	lines := strings.Split(raw, "\n")
	if len(lines) == 1 {
		return raw
	}
	var b strings.Builder
	empty := 0
	for i, line := range lines {
		last := i == len(lines)-1
		if i > 0 {
			line = strings.TrimLeft(line, " \t")
		}
		if !last {
			line = strings.TrimRight(line, " \t")
		}
		switch {
		case i > 0 && line == "" && !last:
			empty++
			continue
		case empty > 0:
			b.WriteString(strings.Repeat("\n", empty))
		case i > 0:
			b.WriteByte(' ')
		}
		empty = 0
		b.WriteString(line)
	}
	return b.String()
}
