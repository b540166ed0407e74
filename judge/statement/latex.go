package statement

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what LaTeX may expand to.
const (
	maxMacroDepth = 20
	maxNesting    = 100
	maxExpanded   = 4 << 20 // bytes of all expansions of macros
)

// A macro is a command that the statement defines.
type macro struct {
	args     int
	optional string // value of the first argument if it is left out
	hasOpt   bool
	body     string
}

// A latex converts LaTeX to HTML in one pass.
type latex struct {
	*renderer
	*document
	w     *writer
	src   string
	pos   int
	from  int // offset in the source of the macro whose body src is; -1 if src is the source
	depth int // of macros
}

// A document is what all parts of one LaTeX statement share.
type document struct {
	macros   map[string]macro
	labels   map[string]string // what \ref of a label shows
	label    string            // what \label names: the number of the last caption or section
	figures  int
	tables   int
	notes    []string // HTML of the footnotes
	expanded int      // bytes
	nesting  int
	code     int // how many typewriter styles are open
	quoted   bool
	float    string // "figure" or "table" inside one
}

// latex returns the statement as HTML.
func (r *renderer) latex() string {
	l := &latex{
		renderer: r, src: r.source, from: -1, w: &writer{paragraphs: true},
		document: &document{macros: make(map[string]macro), labels: make(map[string]string)},
	}
	for l.parse() != "" { // an unexpected end of a group
		l.fail(l.offset(), "} without {")
		l.pos++
	}
	html := l.w.end() + l.footnotes()
	for _, label := range slices.Sorted(maps.Keys(l.labels)) {
		html = strings.ReplaceAll(html, reference(label), escape(l.labels[label]))
	}
	return unresolved.ReplaceAllString(html, "?")
}

// offset returns the position in the source.
func (l *latex) offset() int {
	if l.from >= 0 {
		return l.from
	}
	return l.pos
}

// at reports whether the rest begins with s. A command ends where its name ends.
func (l *latex) at(s string) bool {
	if !strings.HasPrefix(l.src[l.pos:], s) {
		return false
	}
	last := s[len(s)-1]
	return s[0] != '\\' || !isLetter(last) || l.pos+len(s) == len(l.src) || !isLetter(l.src[l.pos+len(s)])
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// parse converts up to the first of the stops at this level, which it does not
// consume, and returns it; "" at the end. A "}" always stops.
func (l *latex) parse(stops ...string) string {
	if l.nesting++; l.nesting > maxNesting {
		l.fail(l.offset(), "more than %d groups inside each other", maxNesting)
		l.pos = len(l.src)
	}
	defer func() { l.nesting-- }()
	for l.pos < len(l.src) {
		for _, stop := range stops {
			if l.at(stop) {
				return stop
			}
		}
		if l.src[l.pos] == '}' {
			return "}"
		}
		l.step()
	}
	return ""
}

// step converts one character, command, group or formula.
func (l *latex) step() {
	rest := l.src[l.pos:]
	c := rest[0]
	switch {
	case c == '\\':
		l.command()
	case c == '{':
		l.group(nil)
	case c == '%':
		l.comment()
	case c == '$':
		l.dollars()
	case c == '~':
		l.w.inline("&nbsp;")
		l.pos++
	case c == ' ' || c == '\t' || c == '\n':
		blank := rest[:len(rest)-len(strings.TrimLeft(rest, " \t\n"))]
		if strings.Count(blank, "\n") > 1 {
			l.w.endParagraph()
		} else {
			l.w.space = true
		}
		l.pos += len(blank)
	case strings.IndexByte("&#^_", c) >= 0:
		l.fail(l.offset(), "%c outside a formula or table: expected \\%c", c, c)
		l.w.text(string(c))
		l.pos++
	default:
		l.ligature(rest)
	}
}

// ligatures are the characters that several characters stand for, longest first.
var ligatures = []struct {
	source, text string
	code         bool // also in typewriter text
}{
	{"---", "—", false}, {"--", "–", false}, {"``", "“", true}, {"''", "”", true},
	{"<<", "«", false}, {">>", "»", false}, {",,", "„", false}, {"!`", "¡", false}, {"?`", "¿", false},
}

// ligature writes one character of text.
func (l *latex) ligature(rest string) {
	for _, x := range ligatures {
		if strings.HasPrefix(rest, x.source) && (l.code == 0 || x.code) {
			l.w.text(x.text)
			l.pos += len(x.source)
			return
		}
	}
	char, size := utf8.DecodeRuneInString(rest)
	l.pos += size
	switch {
	case char == '`':
		char, l.quoted = '‘', true
	case char == '\'' && (l.code == 0 || l.quoted): // a lone ' in typewriter text is that of a program
		char, l.quoted = '’', false
	}
	l.w.text(string(char))
}

// comment skips a comment with the spaces at the start of the next line.
func (l *latex) comment() {
	_, rest, found := strings.Cut(l.src[l.pos:], "\n")
	if !found {
		l.pos = len(l.src)
		return
	}
	l.pos = len(l.src) - len(strings.TrimLeft(rest, " \t"))
}

// group converts a group in braces, with a style unless that is nil.
func (l *latex) group(s *style) {
	start := l.offset()
	styles, code := len(l.w.styles), l.code
	l.pos++
	if s != nil {
		l.w.push(*s)
	}
	if l.parse() == "" {
		l.fail(start, "{ without }")
	} else {
		l.pos++
	}
	l.w.popTo(styles)
	l.code = code
}

// skipSpace skips spaces and comments, and at most one end of line.
func (l *latex) skipSpace() {
	lines := 0
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '%':
			l.comment()
		case c == '\n' && lines == 0:
			lines++
			l.pos++
		case c == ' ' || c == '\t':
			l.pos++
		default:
			return
		}
	}
}

// raw returns the next argument as source: a group without its braces, a command, or one
// character.
func (l *latex) raw(command string) string {
	l.skipSpace()
	if l.pos == len(l.src) || l.src[l.pos] == '}' {
		l.fail(l.offset(), "%s: expected an argument in braces", command)
		return ""
	}
	start := l.pos
	if l.src[l.pos] != '{' {
		if l.src[l.pos] == '\\' {
			l.name()
		} else {
			_, size := utf8.DecodeRuneInString(l.src[l.pos:])
			l.pos += size
		}
		return l.src[start:l.pos]
	}
	if end := closing(l.src[l.pos+1:], '}'); end >= 0 {
		l.pos += end + 2
		return l.src[start+1 : l.pos-1]
	}
	l.fail(l.offset(), "%s: { without }", command)
	l.pos = len(l.src)
	return ""
}

// option returns the optional argument in brackets, and whether there is one.
func (l *latex) option() (string, bool) {
	start := l.pos
	l.skipSpace()
	if l.pos == len(l.src) || l.src[l.pos] != '[' {
		l.pos = start
		return "", false
	}
	end := closing(l.src[l.pos+1:], ']')
	if end < 0 {
		l.pos = start
		return "", false
	}
	found := l.src[l.pos+1 : l.pos+1+end]
	l.pos += end + 2
	return found, true
}

// closing returns the offset of the end, outside of groups, or -1.
func closing(s string, end byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == end && depth == 0:
			return i
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return -1
			}
		}
	}
	return -1
}

// capture returns what convert writes as HTML of its own, outside paragraphs.
func (l *latex) capture(paragraphs bool, convert func()) string {
	outer := l.w
	l.w = &writer{paragraphs: paragraphs}
	convert()
	html := l.w.end()
	l.w = outer
	return html
}

// argument converts the next argument to HTML outside paragraphs.
func (l *latex) argument(command string) string {
	return l.capture(false, func() { l.styled(command, nil) })
}

// styled converts the next argument where it stands, with a style unless that is nil.
func (l *latex) styled(command string, s *style) {
	l.skipSpace()
	switch {
	case l.pos == len(l.src) || l.src[l.pos] == '}':
		l.fail(l.offset(), "%s: expected an argument in braces", command)
	case l.src[l.pos] == '{':
		l.group(s)
	default:
		styles := len(l.w.styles)
		if s != nil {
			l.w.push(*s)
		}
		l.step()
		l.w.popTo(styles)
	}
}

// name consumes a command and returns its name with the backslash.
func (l *latex) name() string {
	end := l.pos + 1
	for end < len(l.src) && isLetter(l.src[end]) {
		end++
	}
	if end == l.pos+1 && end < len(l.src) {
		_, size := utf8.DecodeRuneInString(l.src[end:])
		end += size
	}
	name := l.src[l.pos:end]
	l.pos = end
	return name
}

// command converts a command.
func (l *latex) command() {
	start, in := l.offset(), l.pos
	name := l.name()
	if unicode.IsLetter(rune(name[len(name)-1])) {
		if l.pos < len(l.src) && l.src[l.pos] == '*' && starred[name] {
			l.pos++
		}
		if !keepsSpace[name] {
			spaces := l.src[l.pos:]
			l.pos += len(spaces) - len(strings.TrimLeft(spaces, " \t"))
			if strings.HasPrefix(l.src[l.pos:], "\n") && !strings.HasPrefix(strings.TrimLeft(l.src[l.pos+1:], " \t"), "\n") {
				l.pos++
			}
		}
	}
	if m, ok := l.macros[name]; ok {
		l.expand(name, &m, start)
		return
	}
	if convert, ok := commands[name]; ok {
		convert(l, name)
		return
	}
	l.unknown(start, "%s: unknown command", name)
	l.w.text(l.src[in:l.pos])
}

// expand converts the body of a macro with the arguments that follow.
func (l *latex) expand(name string, m *macro, at int) {
	args := make([]string, m.args)
	for i := range args {
		if i == 0 && m.hasOpt {
			var ok bool
			if args[i], ok = l.option(); !ok {
				args[i] = m.optional
			}
			continue
		}
		args[i] = l.raw(name)
	}
	var b strings.Builder
	for i := 0; i < len(m.body); i++ {
		if m.body[i] == '#' && i+1 < len(m.body) && '1' <= m.body[i+1] && int(m.body[i+1]-'0') <= len(args) {
			i++
			b.WriteString(args[m.body[i]-'1'])
			continue
		}
		b.WriteByte(m.body[i])
	}
	if l.expanded > maxExpanded {
		return // reported already
	}
	if l.expanded += b.Len(); l.depth >= maxMacroDepth || l.expanded > maxExpanded {
		l.fail(at, "%s: macros expand to too much text", name)
		l.expanded = maxExpanded + 1
		return
	}
	inner := *l
	inner.src, inner.pos, inner.from, inner.depth = b.String(), 0, at, l.depth+1
	for inner.parse() != "" {
		l.fail(at, "%s: } without {", name)
		inner.pos++
	}
}

// dollars converts a formula between dollars.
func (l *latex) dollars() {
	start, display := l.pos, strings.HasPrefix(l.src[l.pos:], "$$")
	end := "$"
	if display {
		end = "$$"
	}
	from := start + len(end)
	depth := 0
	for i := from; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth <= 0 && strings.HasPrefix(l.src[i:], end):
			l.pos = i + len(end)
			l.math(l.src[from:i], from, display)
			return
		case c == '\n' && strings.HasPrefix(strings.TrimLeft(l.src[i+1:], " \t"), "\n"):
			i = len(l.src) // a paragraph ends
		}
	}
	l.fail(l.offset(), "%s without %s at the end of the formula", end, end)
	l.pos = from
}

// delimited converts a formula up to a delimiter.
func (l *latex) delimited(end string, display bool) {
	from := l.pos
	i := strings.Index(l.src[from:], end)
	if i < 0 {
		l.fail(l.offset(), "a formula without %s at its end", end)
		return
	}
	l.pos = from + i + len(end)
	l.math(l.src[from:from+i], from, display)
}

// math writes a formula at an offset of src.
func (l *latex) math(source string, at int, display bool) {
	if l.from >= 0 {
		at = l.from
	}
	bodies := make(map[string]string, len(l.macros))
	for name, m := range l.macros {
		bodies[name] = m.body
	}
	html := l.formula(withoutComments(source), at, display, bodies)
	if display {
		l.w.endParagraph()
		l.w.b.WriteString(`<div class="formula">` + html + "</div>\n")
		return
	}
	l.w.inline(html)
}

// withoutComments returns a formula without its comments.
func withoutComments(source string) string {
	if !strings.Contains(source, "%") {
		return source
	}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		for j := range len(line) {
			if line[j] == '%' && (j == 0 || line[j-1] != '\\') {
				lines[i] = line[:j]
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// footnotes returns the list of footnotes.
func (l *latex) footnotes() string {
	if len(l.notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("<section class=\"footnotes\"><ol>\n")
	for i, note := range l.notes {
		fmt.Fprintf(&b, "<li id=\"note-%d\">%s <a href=\"#noteref-%d\">↩</a></li>\n", i+1, note, i+1)
	}
	b.WriteString("</ol></section>\n")
	return b.String()
}
