package mutate

import (
	"slices"
	"strings"
)

// A pyLine is a logical line of Python, or a part of one between semicolons.
type pyLine struct {
	from, to int // tokens
	indent   int // columns, with a tab to the next multiple of 8
}

// pyHeaders are the words that start a statement with a block.
var pyHeaders = strings.Fields("if elif else for while def class try except finally with match case async")

// blocks returns tokens of Python with blocks in brackets: the colon of a header opens one,
// and signs that are empty end blocks and statements. Sets have square brackets instead.
func (d *dialect) blocks(source []byte, tokens []lexeme, match []int) []lexeme {
	p := &parser{dialect: d, toks: tokens, match: match, o: &outline{code: source}}
	var out []lexeme
	var open []int // columns of the headers whose blocks are open
	put := func(sign string) {
		at := out[len(out)-1].to
		out = append(out, lexeme{span{at, at}, mark, sign})
	}
	for _, line := range append(p.lines(), pyLine{from: len(tokens), to: len(tokens)}) {
		for len(open) > 0 && line.indent <= open[len(open)-1] {
			put("}")
			open = open[:len(open)-1]
		}
		colon := line.to
		if p.is(line.from, pyHeaders...) {
			colon = p.colon(line.from, line.to)
		}
		for k := line.from; k < line.to; k++ {
			t := tokens[k]
			switch {
			case k == colon:
				t.text = "{"
			case p.is(k, "{"):
				t.text = "["
			case p.is(k, "}"):
				t.text = "]"
			}
			out = append(out, t)
		}
		switch {
		case colon == line.to && line.from < line.to:
			put(";")
		case colon+1 < line.to:
			put(";")
			put("}")
		case colon < line.to:
			open = append(open, line.indent)
		}
	}
	return out
}

// pyStatement parses the statement of Python at token i, as statement does.
func (p *parser) pyStatement(i, j int) (end int, jumps bool) {
	k := i
	if p.is(k, "async") {
		k++
	}
	end = p.find(k, j, ";", "{")
	switch block := p.is(end, "{"); {
	case block && p.is(k, "if"):
		return p.branch(k, j, false), false
	case block && p.is(k, "for", "while"):
		return p.loop(k, j), false
	case block && p.is(k, "def"):
		return p.functionAt(k, j), false
	case block:
		if p.is(k, "with", "match") {
			p.mark(k+1, end, 0, nil)
		}
		p.block(end+1, p.match[end], false)
		return p.past(end), false
	case p.is(k, "@"):
		if strings.Contains(p.textOf(k+1, end), "cache") {
			p.o.memos = append(p.o.memos, edit{p.code(k, end), ""})
		}
		return end + 1, false
	case p.is(k, "import", "from", "global", "nonlocal") || p.toks[k].kind == text && end == k+1: // or documentation
		return end + 1, false
	}
	p.classify(i, end, end, false)
	p.pyFirst(i, end)
	p.pyLambdas(i, end)
	return end + 1, p.is(i, "return", "break", "continue", "raise")
}

// pyUnused reports whether no code calls the function of a file whose parameters list opens.
func (p *parser) pyUnused(name string, list int) bool {
	def := list - 2
	before := def - 1 // the line before, which may be a decorator
	for before > 0 && !p.is(before-1, ";", "{", "}") {
		before--
	}
	return p.counts[name] == 1 && !strings.HasPrefix(name, "__") && p.margin(def) == "" && !p.is(before, "@")
}

// lines splits the tokens into logical lines.
func (p *parser) lines() []pyLine {
	var lines []pyLine
	for i := 0; i < len(p.toks); {
		end := i
		for {
			end = p.past(end)
			if end >= len(p.toks) || p.is(end, ";") {
				break
			}
			gap := string(p.o.code[p.toks[end-1].to:p.toks[end].from])
			if strings.Contains(strings.ReplaceAll(strings.ReplaceAll(gap, "\\\r\n", ""), "\\\n", ""), "\n") {
				break
			}
		}
		start := strings.LastIndexByte(string(p.o.code[:p.toks[i].from]), '\n') + 1
		lead := string(p.o.code[start:p.toks[i].from])
		line := pyLine{from: i, to: end}
		if strings.TrimSpace(lead) != "" && len(lines) > 0 {
			line.indent = lines[len(lines)-1].indent // after a semicolon
		} else {
			for _, c := range lead {
				if line.indent++; c == '\t' {
					line.indent = (line.indent + 7) / 8 * 8
				}
			}
		}
		lines = append(lines, line)
		if i = end; p.is(i, ";") {
			i++
		}
	}
	return lines
}

// pyFirst keeps the first assignment to a variable in a function: without it, the
// program fails wherever the variable is used. In a loop it moves in front of the loop.
func (p *parser) pyFirst(i, j int) {
	s := &p.o.stmts[len(p.o.stmts)-1]
	if s.kind == calling && len(p.loops) == 0 && p.fn == nil && p.is(i, "main", "solve") {
		s.fixed = true // all of the program
	}
	if s.kind != assignment || !p.is(p.find(i, j, assignments...), "=") || strings.ContainsAny(s.name, "[.") {
		return
	}
	for _, name := range strings.FieldsFunc(s.name, func(r rune) bool { return strings.ContainsRune(" ,()*", r) }) {
		if p.fn != nil {
			name += " in " + p.fn.name
		}
		if p.unset[name] {
			continue
		}
		p.unset[name], s.fixed = true, true
		if s.clears && len(p.loops) > 0 {
			at := p.starts[len(p.starts)-1]
			p.o.hoists = append(p.o.hoists,
				[]edit{{span{p.toks[at].from, p.toks[at].from}, p.o.text(s.span) + "\n" + p.margin(at)}, {s.span, "pass"}})
		}
	}
}

// colon returns the index of the colon that ends the header of a statement, or j.
func (p *parser) colon(i, j int) int {
	for k := i; k < j; k = p.past(k) {
		if p.is(k, "lambda") {
			k = p.find(k, j, ":")
			if k == j {
				return j
			}
			continue
		}
		if p.is(k, ":") {
			return k
		}
	}
	return j
}

// margin returns the white space before the first token of a line.
func (p *parser) margin(i int) string {
	before := string(p.o.code[:p.toks[i].from])
	return before[strings.LastIndexByte(before, '\n')+1:]
}

// pyRange records the bounds of range(...) in the header of a loop.
func (p *parser) pyRange(i, j int, l *loop) {
	if !p.is(i, "range", "xrange") || !p.is(i+1, "(") || p.match[i+1] != j-1 {
		return
	}
	switch args := p.arguments(i + 1); len(args) {
	case 1:
		l.limit = args[0]
	case 2:
		l.start, l.limit = args[0], args[1]
	case 3:
		l.start, l.limit = args[0], args[1]
	}
}

// pyLambdas marks the results of functions without name, and finds the ranges of
// comprehensions.
func (p *parser) pyLambdas(i, j int) {
	for k := i; k < j; k++ {
		switch {
		case p.toks[k].kind != word:
		case p.is(k, "for"):
			l := new(loop)
			open := k
			for open > i && !(p.is(open, "(", "[", "{") && p.match[open] > k) {
				open--
			}
			end := p.match[open]
			if end < k {
				continue
			}
			at := p.find(k, end, "in")
			p.pyRange(at+1, p.find(at+1, end, "for", "if"), l)
			for n := open; n < k; n++ {
				l.reads = l.reads || p.readsAt(n)
			}
			l.span = p.code(open, end)
			l.vars = strings.FieldsFunc(p.textOf(k+1, at), func(r rune) bool { return strings.ContainsRune(" ,()", r) })
			if !l.limit.empty() {
				p.o.loops = append(p.o.loops, l)
			}
		case p.is(k, "lambda"):
			at := k
			for at < j && !p.is(at, ":") {
				at = p.past(at)
			}
			for n := at + 1; n < j && p.match[n] < 0 && !p.is(n, ","); n++ {
				p.places[n] |= inReturn
			}
		}
	}
}

// readsAt reports whether the token is a word that reads input.
func (p *parser) readsAt(i int) bool {
	t := p.toks[i]
	if t.kind != word {
		return false
	}
	lower := strings.ToLower(t.text)
	return slices.Contains(p.reads, t.text) || p.is(i+1, "(") && lower != "next_permutation" &&
		(strings.HasPrefix(lower, "read") || strings.HasPrefix(lower, "next") || strings.HasPrefix(lower, "scan"))
}
