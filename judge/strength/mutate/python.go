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

// python parses a file of Python.
func (p *parser) python() {
	lines := p.lines()
	p.suite(lines, 0, len(lines))
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

// suite parses the lines from a up to b, which are statements of one block and all
// that they contain.
func (p *parser) suite(lines []pyLine, a, b int) {
	dead := false
	for a < b {
		end := a + 1
		for end < b && lines[end].indent > lines[a].indent {
			end++
		}
		if dead {
			p.o.dead = append(p.o.dead, p.code(lines[a].from, lines[end-1].to))
		}
		// All clauses of an if are parsed together.
		if p.is(lines[a].from, "if") {
			for end < b && lines[end].indent == lines[a].indent && p.is(lines[end].from, "elif", "else") {
				for end++; end < b && lines[end].indent > lines[a].indent; end++ {
				}
			}
		}
		jumps := p.clause(lines, a, end)
		dead = dead || jumps
		a = end
	}
}

// clause parses the statement whose first line is a, and which ends before line b.
// It reports whether it is a jump.
func (p *parser) clause(lines []pyLine, a, b int) bool {
	line := lines[a]
	i, j := line.from, line.to
	if p.is(i, "async") && i+1 < j {
		i++
	}
	colon := p.colon(i, j)
	switch {
	case p.is(i, "import", "from", "global", "nonlocal"):
		return false
	case p.is(i, "@"):
		if name := p.textOf(i+1, j); strings.Contains(name, "cache") {
			p.o.memos = append(p.o.memos, edit{p.code(i, j), ""})
		}
		return false
	case p.is(i, "if"):
		p.pyBranch(lines, a, b, false)
		return false
	case p.is(i, "for", "while"):
		p.pyLoop(lines, a, b)
		return false
	case p.is(i, "def"):
		p.pyFunction(lines, a, b)
		return false
	case p.is(i, "class", "try", "except", "finally", "else", "with", "elif", "match", "case") && colon < j:
		if p.is(i, "with", "match") {
			p.mark(i+1, colon, 0, nil)
		}
		p.inner(lines, a, b, colon)
		return false
	}
	if p.toks[i].kind == text && j == i+1 {
		return false // a documentation string
	}
	p.classify(i, j, j, false)
	p.pyFirst(i, j)
	p.pyLambdas(i, j)
	return p.is(i, "return", "break", "continue", "raise")
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

// inner parses the body of a compound statement: the rest of its line and the lines
// below it.
func (p *parser) inner(lines []pyLine, a, b, colon int) {
	if line := lines[a]; colon+1 < line.to {
		p.suite([]pyLine{{colon + 1, line.to, line.indent + 1}}, 0, 1)
	}
	p.suite(lines, a+1, b)
}

func (p *parser) pyBranch(lines []pyLine, a, b int, chained bool) {
	line := lines[a]
	colon := p.colon(line.from, line.to)
	p.mark(line.from+1, colon, inCondition, nil)
	br := branch{cond: p.code(line.from+1, colon), loop: len(p.loops) > 0, drop: !chained}
	if p.fn != nil {
		br.again, br.params = p.fn.again, p.fn.params
	}
	next := a + 1
	for next < b && lines[next].indent > line.indent {
		next++
	}
	p.inner(lines, a, next, colon)
	to := lines[next-1].to
	from := min(colon+1, to)
	br.then = p.code(from, to)
	if p.is(from, "return", "break", "continue") && next <= a+2 {
		br.jump, br.result = p.toks[from].text, p.textOf(from+1, to)
	}
	br.span = p.code(line.from, to)
	if next < b {
		br.other = p.code(lines[next].from, lines[b-1].to)
		br.span.to = br.other.to
		if p.is(lines[next].from, "elif") {
			p.pyBranch(lines, next, b, true)
		} else {
			p.inner(lines, next, b, p.colon(lines[next].from, lines[next].to))
		}
	}
	p.o.branches = append(p.o.branches, br)
}

func (p *parser) pyLoop(lines []pyLine, a, b int) {
	line := lines[a]
	i, colon := line.from, p.colon(line.from, line.to)
	l := p.newLoop()
	if p.is(i, "while") {
		p.condition(i+1, colon, l)
	} else {
		p.each(i+1, colon, "in", l)
		p.pyRange(p.find(i+1, colon, "in")+1, colon, l)
	}
	to := lines[b-1].to
	p.within(l, i, func() { p.inner(lines, a, b, colon) })
	l.span = p.code(i, to)
	for k := i; k < to; k++ {
		// A loop over the numbers of one line reads nothing itself.
		l.reads = l.reads || k > colon && p.readsAt(k)
		p.scopes[k] = append(slices.Clone(l.vars), p.scopes[k]...)
	}
	if last := lines[b-1]; b > a+1 && !p.is(last.from, "return", "break", "continue", "raise") {
		at := p.toks[last.to-1].to
		l.finish = []edit{{span{at, at}, "\n" + p.margin(lines[a+1].from) + "break"}}
	}
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

func (p *parser) pyFunction(lines []pyLine, a, b int) {
	line := lines[a]
	list := p.find(line.from, line.to, "(")
	if list == line.to || line.from+1 >= line.to {
		return
	}
	fn, loops, starts := p.fn, p.loops, p.starts
	p.fn, p.loops, p.starts = &function{name: p.toks[line.from+1].text}, nil, nil
	for k := list + 1; k < p.match[list]; k++ {
		if p.toks[k].kind == word && p.is(k+1, ",", ")", ":", "=") {
			p.fn.params = append(p.fn.params, p.toks[k].text)
		}
	}
	for k := p.match[list]; k < lines[b-1].to; k++ {
		p.fn.again = p.fn.again || p.toks[k].text == p.fn.name && p.is(k+1, "(")
	}
	name := p.fn.name
	if p.counts[name] == 1 && !strings.HasPrefix(name, "__") && !p.is(list-2, "@") && !p.decorated(lines, a) &&
		line.indent == 0 {
		p.o.dead = append(p.o.dead, p.code(line.from, lines[b-1].to))
	}
	colon := p.match[list]
	colon = p.colon(colon, line.to)
	p.inner(lines, a, b, colon)
	p.fn, p.loops, p.starts = fn, loops, starts
}

func (p *parser) decorated(lines []pyLine, a int) bool {
	return a > 0 && p.is(lines[a-1].from, "@")
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
