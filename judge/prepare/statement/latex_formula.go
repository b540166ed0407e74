package statement

import (
	"strings"

	"crucible/judge/internal/lazy"
)

// mathEnvironments are formulas. The value reports whether each row has a number, unless
// the name ends with a star.
var mathEnvironments = map[string]bool{
	"displaymath": false, "math": false, "equation": false, "align": true, "gather": true, "alignat": true,
	"flalign": true, "multline": false, "eqnarray": true, "equation*": false, "align*": true, "gather*": true,
	"alignat*": true,
	"flalign*": true, "multline*": false, "eqnarray*": true,
}

// definitions are the commands that define commands, which formulas may contain.
var definitions = names(`\newcommand \renewcommand \providecommand \def \let \DeclareMathOperator
	\newenvironment \renewenvironment`)

// formulaTo converts a formula after its beginning up to its end.
func (l *latex) formulaTo(begin, end string, display bool) {
	if strings.HasPrefix(begin, "$") {
		l.pos += len(begin)
	}
	before, outer, at := l.input, l.outer, l.offset()
	source, ok := l.expanded(end)
	if !ok {
		if end == "$" { // a paragraph ends
			l.input, l.outer = before, outer
		}
		l.fail(at-len(begin), "%s without %s at the end of the formula", begin, end)
		return
	}
	l.pos += len(end)
	at, expanded := before.place(source)
	l.math(source, at, expanded, display)
}

// expanded returns the source up to its end, which it does not consume, without comments
// and with the macros of the statement expanded, and whether there is an end. The end is
// outside of groups; "" is the end of the input.
func (l *latex) expanded(end string) (string, bool) {
	defer func(macros map[string]macro) { l.macros = macros }(l.macros)
	var b strings.Builder
	word := false // it ends with the name of a command
	write := func(s string) {
		if word && isLetter(s[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		word = s[0] == '\\' && isLetter(s[len(s)-1])
	}
	for depth := 0; l.more(); {
		rest := l.src[l.pos:]
		switch c := rest[0]; {
		case l.endOfUser():
		case depth <= 0 && end != "" && l.at(end):
			return b.String(), true
		case c == '\\':
			l.token(write)
		case c == '%':
			l.comment()
		case end == "$" && c == '\n' && strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), "\n"):
			return "", false // a paragraph ends
		default:
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
			write(rest[:1])
			l.pos++
		}
	}
	return b.String(), end == ""
}

// token expands a command in a formula, or writes it.
func (l *latex) token(write func(string)) {
	at, star := l.offset(), strings.HasPrefix(l.src[l.pos:], `\begin`)
	if star {
		user := `\begin{` + l.peekName(`\begin`) + "}"
		if m, ok := l.macros[user]; ok {
			l.pos += len(`\begin`)
			l.raw(`\begin`)
			l.expand(user, &m, at)
			return
		}
	}
	name := l.name()
	m, defined := l.macros[name]
	switch {
	case defined && m.builtin != "":
		write(m.builtin)
	case defined:
		l.skipBlank()
		l.expand(name, &m, at)
	case definitions[name]:
		if l.star = strings.HasPrefix(l.src[l.pos:], "*"); l.star {
			l.pos++
		}
		commands[name](l, name)
	case name == `\ref`:
		write(`\text{` + l.reference(l.raw(name), at) + "}")
	case name == `\eqref`:
		write(`\text{(` + l.reference(l.raw(name), at) + ")}")
	case name == `\end` && strings.HasSuffix(l.peekName(""), expandedMark):
		l.raw(name)
	default:
		write(name)
	}
}

// expandedText returns a text with its macros expanded.
func (l *latex) expandedText(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	text, _ = l.of(text, l.offset()).expanded("")
	return text
}

var labelUse = lazy.Regexp(`\\label\s*\{([^{}]*)\}`)

// math writes a formula at an offset, where the source has other characters if macros
// were expanded in it.
func (l *latex) math(source string, at int, expanded, display bool) {
	html := l.formula(l.withoutLabels(source, at), at, expanded || strings.Contains(source, `\label`), display)
	if !display {
		l.w.inline(html)
		return
	}
	l.w.endParagraph()
	l.w.b.WriteString(`<div class="formula">` + html + "</div>\n")
}

// place returns the offset of a formula that began at a place of the input, and whether
// the source differs from it there.
func (in *input) place(source string) (at int, expanded bool) {
	if in.from >= 0 {
		return in.from, true
	}
	return in.pos, !strings.HasPrefix(in.src[in.pos:], source)
}

// withoutLabels defines the labels of a formula, and returns it without them.
func (l *latex) withoutLabels(source string, at int) string {
	return labelUse().ReplaceAllStringFunc(source, func(use string) string {
		l.define(labelUse().FindStringSubmatch(use)[1], at)
		return ""
	})
}

// tagUse matches a tag, with its text.
var tagUse = lazy.Regexp(`\\tag\*?\s*\{([^{}]*)\}`)

// mathEnvironment converts an environment that is a formula. Each row, or all of it, has
// the next number, unless the row has a tag of its own.
func (l *latex) mathEnvironment(name string, rows bool) {
	begin := l.input
	source, ok := l.expanded(`\end{` + name + "}")
	if !ok {
		return // begin reports it
	}
	at, expanded := begin.place(source)
	kind, starred := strings.CutSuffix(name, "*")
	if kind == "math" || kind == "displaymath" {
		l.math(source, at, expanded, kind == "displaymath")
		return
	}
	parts := []string{source}
	if rows {
		parts = splitOutside(source, `\\`)
	}
	for i, row := range parts {
		if cells := splitOutside(row, "&"); kind == "eqnarray" && len(cells) > 2 {
			row = cells[0] + "&" + strings.Join(cells[1:], "{}")
		}
		if tag := tagUse().FindStringSubmatch(row); tag != nil {
			l.label = label{html: escape(tag[1]), counter: "equation"}
		} else if !starred && !strings.Contains(row, `\notag`) && !strings.Contains(row, `\nonumber`) {
			l.refstep("equation")
			row += `\tag{` + plainText(l.label.html) + "}"
		}
		parts[i] = l.withoutLabels(row, at)
	}
	if kind == "eqnarray" {
		kind = "align"
	}
	changed := strings.Join(parts, `\\`)
	begins := `\begin{` + kind + "*}"
	l.math(begins+changed+`\end{`+kind+"*}", at-len(begins), expanded || !strings.HasPrefix(changed, source), true)
}

// splitOutside splits a formula at a separator outside of groups and environments.
func splitOutside(source, separator string) (parts []string) {
	depth, start := 0, 0
	for i := 0; i < len(source); i++ {
		rest := source[i:]
		switch {
		case depth == 0 && strings.HasPrefix(rest, separator):
			parts = append(parts, source[start:i])
			start = i + len(separator)
			i = start - 1
		case rest[0] == '{' || strings.HasPrefix(rest, `\begin{`):
			depth++
		case rest[0] == '}' || strings.HasPrefix(rest, `\end{`):
			depth--
		case rest[0] == '\\':
			i++
		}
		if strings.HasPrefix(rest, `\begin{`) || strings.HasPrefix(rest, `\end{`) {
			i += strings.IndexByte(rest+"}", '}')
		}
	}
	return append(parts, source[start:])
}
