package statement

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of what LaTeX may expand to.
const (
	maxMacroDepth = 20
	maxNesting    = 100
	maxExpanded   = 4 << 20 // bytes of all expansions of macros
	maxDelimited  = 1000    // bytes of an argument that a text ends
)

// A macro is a command that the statement defines, or the begin or end of an environment,
// which is named \begin{name} or \end{name}.
type macro struct {
	params   []string // for each argument the text that ends it; "" if that is a group or a token
	prefix   string   // text before the first argument
	optional string   // value of the first argument if it is left out
	hasOpt   bool
	body     string
	builtin  string // the command of this package that \let names; "" if there is none
}

// A latex converts LaTeX to HTML in one pass.
type latex struct {
	*renderer
	*document
	scope
	input
	w     *writer
	outer []input // the inputs in which macros were expanded, the first one first
	star  bool    // the present command has a star
	began int     // offset of the present command in the source
}

// An input is a text that is read: the statement, or the body of a macro.
type input struct {
	src  string
	pos  int
	from int // offset in the source of the macro whose body src is; -1 if src is the source
}

// A document is what all parts of one LaTeX statement share.
type document struct {
	labels   map[string]label
	refs     []reference
	counters map[string]int
	within   map[string]string // counter whose step sets a counter to 0
	lists    map[string]listEnd
	notes    []string // HTML of the footnotes
	size     int      // bytes of the expansions of macros
	nesting  int
	quoted   bool
	graphics []string // folders of \graphicspath
}

// A scope is what a group or an environment restores at its end.
type scope struct {
	macros    map[string]macro // it is copied, never changed
	label     label            // what \label names: the number of the last caption, item or section
	box       box
	code      int    // how many typewriter styles are open
	float     string // counter of captions: "figure", "table" or "subfigure"
	captioned bool   // the float has its number
	itemize   int    // how many lists are open
	enumerate int
	listLabel string // LaTeX of the label of the innermost list
	setlist   []listDefault
}

// latex returns the statement as HTML.
func (r *renderer) latex() string {
	l := &latex{
		renderer: r, input: input{src: r.source, from: -1}, w: &writer{paragraphs: true},
		scope: scope{macros: predefined, box: box{text: 1, line: 1, page: 1}, float: "figure"},
		document: &document{
			labels: make(map[string]label), counters: make(map[string]int), lists: make(map[string]listEnd),
			within: map[string]string{"subsection": "section", "subsubsection": "subsection", "subfigure": "figure"},
		},
	}
	for l.parse() != "" { // an unexpected end of a group
		l.fail(l.offset(), "} without {")
		l.pos++
	}
	return l.resolve(l.w.end() + l.footnotes())
}

// offset returns the position in the source.
func (l *latex) offset() int {
	if l.from >= 0 {
		return l.from
	}
	return l.pos
}

// more leaves the bodies of macros that are used up, and reports whether there is input.
func (l *latex) more() bool {
	for l.pos == len(l.src) && len(l.outer) > 0 {
		l.input = l.outer[len(l.outer)-1]
		l.outer = l.outer[:len(l.outer)-1]
	}
	return l.pos < len(l.src)
}

// push makes a text that stands at an offset the next input.
func (l *latex) push(name, text string, at int) {
	l.more()
	if l.size > maxExpanded {
		return // reported already
	}
	if l.size += len(text); len(l.outer) >= maxMacroDepth || l.size > maxExpanded {
		l.fail(at, "%s: macros expand to too much text", name)
		l.size = maxExpanded + 1
		return
	}
	l.outer = append(l.outer, l.input)
	l.input = input{text, 0, at}
}

// of returns a latex that reads a text that stands at an offset.
func (l *latex) of(text string, at int) *latex {
	inner := *l
	inner.input, inner.outer = input{text, 0, at}, nil
	return &inner
}

// html converts a text that stands here to HTML outside paragraphs.
func (l *latex) html(text string) string {
	inner := l.of(text, l.offset())
	return inner.capture(false, func() { inner.parse() })
}

// nest begins a scope, and returns the function that ends it.
func (l *latex) nest() (end func()) {
	saved, w, styles, align := l.scope, l.w, len(l.w.styles), l.w.align
	return func() {
		w.popTo(styles)
		w.align = align
		l.scope = saved
	}
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
		l.pos, l.outer = len(l.src), nil
	}
	defer func() { l.nesting-- }()
	for l.more() {
		if l.endOfUser() {
			continue
		}
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
	case c == '$' && strings.HasPrefix(rest, "$$"):
		l.formulaTo("$$", "$$", true)
	case c == '$':
		l.formulaTo("$", "$", false)
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
	{`"---`, "—", false}, {"---", "—", false}, {"--", "–", false}, {"``", "“", true}, {"''", "”", true},
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
	next := strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(next, "\n") { // the paragraph ends
		next = "\n" + rest
	}
	l.pos = len(l.src) - len(next)
}

// group converts a group in braces, with a style unless that is nil.
func (l *latex) group(s *style) {
	start := l.offset()
	defer l.nest()()
	l.pos++
	if s != nil {
		l.w.push(*s)
	}
	if l.parse() == "" {
		l.fail(start, "{ without }")
	} else {
		l.pos++
	}
}

// skipSpace skips spaces and comments, and at most one end of line.
func (l *latex) skipSpace() {
	for lines := 0; l.more(); {
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
func (l *latex) raw(command string) string { return l.rawWith(command, '%') }

// rawWith is raw with the character that begins a comment; 0 if there is none.
func (l *latex) rawWith(command string, comment byte) string {
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
	if end := closing(l.src[l.pos+1:], '}', comment); end >= 0 {
		l.pos += end + 2
		return l.src[start+1 : l.pos-1]
	}
	l.fail(l.offset(), "%s: { without }", command)
	l.pos = len(l.src)
	return ""
}

// option returns the optional argument in brackets, and whether there is one.
func (l *latex) option() (string, bool) {
	l.more()
	start, outer := l.input, l.outer
	if l.skipSpace(); l.pos == len(l.src) || l.src[l.pos] != '[' {
		l.input, l.outer = start, outer
		return "", false
	}
	end := closing(l.src[l.pos+1:], ']', '%')
	if end < 0 {
		l.fail(l.offset(), "[ without ]")
		l.pos = len(l.src)
		return "", false
	}
	found := l.src[l.pos+1 : l.pos+1+end]
	l.pos += end + 2
	return found, true
}

// closing returns the offset of the end, outside of groups and comments, or -1.
func closing(s string, end, comment byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == comment:
			for i < len(s) && s[i] != '\n' {
				i++
			}
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
		defer l.nest()()
		if s != nil {
			l.w.push(*s)
		}
		depth := len(l.outer)
		for l.step(); l.more() && len(l.outer) > depth; { // the token is a macro
			l.step()
		}
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
	m, defined := l.macros[name]
	l.star, l.began = false, start
	if isLetter(name[len(name)-1]) {
		if l.star = l.pos < len(l.src) && l.src[l.pos] == '*' && starred[name] && !defined; l.star {
			l.pos++
		}
		l.skipBlank()
	}
	if defined {
		l.expand(name, &m, start)
	} else if convert, ok := commands[name]; ok {
		convert(l, name)
	} else {
		l.unknown(start, "%s: unknown command", name)
		l.w.text(l.src[in:l.pos])
	}
}

// skipBlank skips the space after the name of a command, which does not end a paragraph.
func (l *latex) skipBlank() {
	l.pos = len(l.src) - len(strings.TrimLeft(l.src[l.pos:], " \t"))
	if rest, ok := strings.CutPrefix(l.src[l.pos:], "\n"); ok {
		if rest = strings.TrimLeft(rest, " \t"); !strings.HasPrefix(rest, "\n") {
			l.pos = len(l.src) - len(rest)
		}
	}
}

// expand makes the body of a macro, with the arguments that follow, the next input.
func (l *latex) expand(name string, m *macro, at int) {
	if m.builtin != "" {
		commands[m.builtin](l, m.builtin)
		return
	}
	if m.prefix != "" {
		if l.skipSpace(); !strings.HasPrefix(l.src[l.pos:], m.prefix) {
			l.fail(at, "%s: expected %s after it, as in its definition", name, quoteSource(m.prefix))
			return
		}
		l.pos += len(m.prefix)
	}
	args := make([]string, len(m.params))
	for i, end := range m.params {
		var ok bool
		switch {
		case i == 0 && m.hasOpt:
			if args[i], ok = l.option(); !ok {
				args[i] = m.optional
			}
		case end == "":
			args[i] = l.raw(name)
		default:
			if args[i], ok = l.delimited(end); !ok {
				l.fail(at, "%s: expected %s after argument %d, as in its definition", name, quoteSource(end), i+1)
				return
			}
		}
	}
	var b strings.Builder
	for i := 0; i < len(m.body) && b.Len() <= maxExpanded; i++ {
		if m.body[i] == '#' && i+1 < len(m.body) {
			if next := m.body[i+1]; next == '#' {
				i++
			} else if '1' <= next && int(next-'0') <= len(args) {
				i++
				b.WriteString(args[next-'1'])
				continue
			}
		}
		b.WriteByte(m.body[i])
	}
	l.push(name, b.String(), at)
}

// delimited returns the argument up to a text outside groups, without its braces.
func (l *latex) delimited(end string) (string, bool) {
	l.more()
	depth := 0
	for i := l.pos; i < min(len(l.src), l.pos+maxDelimited); i++ {
		switch c := l.src[i]; {
		case depth == 0 && strings.HasPrefix(l.src[i:], end):
			arg := withoutBraces(l.src[l.pos:i])
			l.pos = i + len(end)
			return arg, true
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return "", false
}

// endOfUser expands \end of an environment that the statement defines, and reports
// whether there is one. Its mark in the name shows that it is expanded.
func (l *latex) endOfUser() bool {
	if !l.at(`\end`) {
		return false
	}
	name := l.peekName(`\end`)
	m, ok := l.macros[`\end{`+name+"}"]
	if !ok {
		return false
	}
	at := l.offset()
	l.pos += len(`\end`)
	l.raw(`\end`)
	l.push(`\end`, m.body+`\end{`+name+expandedMark+"}", at)
	return true
}

const expandedMark = "\x03" // no source has it

// peekName returns the argument of \begin or \end, which comes next.
func (l *latex) peekName(command string) string {
	rest := strings.TrimLeft(l.src[l.pos+len(command):], " \t")
	name, _, ok := strings.Cut(strings.TrimPrefix(rest, "{"), "}")
	if !ok || !strings.HasPrefix(rest, "{") {
		return ""
	}
	return name
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
