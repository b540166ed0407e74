package mutate

import (
	"slices"
	"strings"
)

// loop parses a for, while or loop.
func (p *parser) loop(i, j int) int {
	from, to, after := p.headerOf(i, j)
	l := p.newLoop()
	switch {
	case p.is(i, "loop"):
		l.endless = true
	case p.is(i, "while"):
		p.condition(from, to, l)
	case p.golang:
		p.goLoop(from, to, l)
	case p.bare: // for x in
		p.each(from, to, "in", l)
		p.pyRange(p.find(from, to, "in")+1, to, l)
	default:
		p.counting(from, to, l)
	}
	if after >= j {
		return j
	}
	return p.repeat(i, after, j, l)
}

// newLoop adds a loop to the outline.
func (p *parser) newLoop() *loop {
	l := new(loop)
	p.o.loops = append(p.o.loops, l)
	return l
}

// within calls parse for the body of a loop, or of a switch if l is nil, that starts at a token.
func (p *parser) within(l *loop, start int, parse func()) {
	p.loops, p.starts = append(p.loops, l), append(p.starts, start)
	parse()
	p.loops, p.starts = p.loops[:len(p.loops)-1], p.starts[:len(p.starts)-1]
}

// around returns how many loops are around the statement.
func (p *parser) around() int {
	n := 0
	for _, l := range p.loops {
		if l != nil {
			n++
		}
	}
	return n
}

// condition marks the condition of a loop.
func (p *parser) condition(from, to int, l *loop) {
	l.endless = from >= to || to == from+1 && p.is(from, "true", "1", "True")
	if p.is(from, "let") || l.endless {
		return
	}
	l.cond = p.code(from, to)
	p.mark(from, to, inLoopHeader, l)
	p.nested(from, to)
}

// counting parses the header of a for of C: three parts, or one for each element.
func (p *parser) counting(from, to int, l *loop) {
	first := p.find(from, to, ";")
	if first == to {
		in := ":"
		if p.lexer == "javascript.xml" {
			in = "of"
			if p.find(from, to, "in") < to {
				in = "in"
			}
		}
		p.each(from, to, in, l)
		return
	}
	second := p.find(first+1, to, ";")
	p.mark(from, first, 0, nil)
	p.narrow(from, first)
	for k := from; k < first; {
		end := p.find(k, first, ",")
		if eq := p.find(k, end, "=", ":="); eq < end && eq > k {
			l.vars = append(l.vars, p.toks[eq-1].text)
			if l.start.empty() {
				l.start = p.code(eq+1, end)
			}
		}
		k = end + 1
	}
	p.condition(first+1, second, l)
	p.mark(second+1, to, 0, nil)
}

// each parses the header of a loop over the elements of a range.
func (p *parser) each(from, to int, in string, l *loop) {
	at := p.find(from, to, in)
	for k := from; k < at; k++ {
		if p.toks[k].kind == word && !p.keywords[p.toks[k].text] {
			l.vars = append(l.vars, p.toks[k].text)
		}
	}
	if at == to {
		return
	}
	p.mark(at+1, to, 0, nil)
	if p.lexer != "rust.xml" {
		return
	}
	a, b := at+1, to
	if p.is(a, "(") && p.match[a] > 0 && p.match[a] < b {
		a, b = a+1, p.match[a] // (0..n).rev()
	}
	if dots := p.find(a, b, "..", "..="); dots < b && dots > a && dots+1 < b {
		l.start, l.limit, l.closed = p.code(a, dots), p.code(dots+1, b), p.is(dots, "..=")
	}
}

// repeat parses the body of a loop, from token after.
func (p *parser) repeat(i, after, j int, l *loop) int {
	end := 0
	p.within(l, i, func() { end, _ = p.statement(after, j, false) })
	end = min(max(end, after+1), j)
	l.span = p.code(i, end)
	for k := i; k < end; k++ {
		// In Python, a loop over the numbers of one line reads nothing itself.
		l.reads = l.reads || (k > after || p.lexer != "python.xml") && p.readsAt(k)
		p.scopes[k] = append(slices.Clone(l.vars), p.scopes[k]...)
	}
	if !(l.endless && p.endless) && !p.is(i, "do") {
		l.finish = p.leave(after, end)
	}
	return end
}

// leave returns the edits by which a loop ends after the first execution of its body.
func (p *parser) leave(i, end int) []edit {
	body := p.code(i, end)
	if !p.is(i, "{") {
		return []edit{{span{body.from, body.from}, "{ "}, {span{body.to, body.to}, " break; }"}}
	}
	inner := span{p.toks[i].to, p.toks[p.match[i]].from}
	last := p.match[i] - 1 // token
	if last <= i || p.ends(i, p.match[i]) {
		return nil
	}
	at, lines := p.toks[last].to, strings.Contains(p.o.text(inner), "\n")
	if p.lexer == "python.xml" {
		if !lines {
			return nil
		}
		return []edit{{span{at, at}, "\n" + p.margin(i+1) + "break"}}
	}
	if !lines {
		if p.golang {
			return []edit{{span{at, at}, "; break"}}
		}
		return []edit{{span{at, at}, " break;"}}
	}
	if p.lexer == "rust.xml" && !p.is(last, ";", "}") {
		return []edit{{span{at, at}, "; break;"}}
	}
	jump := "break;"
	if p.golang {
		jump = "break"
	}
	return []edit{{span{at, at}, "\n" + p.indentation(last) + jump}}
}

// ends reports whether the block that open opens ends with a jump.
func (p *parser) ends(open, end int) bool {
	for k := open + 1; k < end; {
		if p.is(k, "return", "break", "continue", "throw", "goto", "raise") {
			return p.find(k, end, ";") >= end-1
		}
		k = p.past(k)
		for k < end && !p.is(k-1, ";", "}") {
			k = p.past(k)
		}
	}
	return false
}

// indentation returns the white space before the statement whose last token is given.
func (p *parser) indentation(last int) string {
	for k := last; k >= 0; k-- {
		if p.is(k, "}") && p.match[k] >= 0 {
			k = p.match[k]
		}
		from := strings.LastIndexByte(string(p.o.code[:p.toks[k].from]), '\n') + 1
		if lead := string(p.o.code[from:p.toks[k].from]); strings.TrimSpace(lead) == "" {
			return lead
		}
	}
	return ""
}

func (p *parser) doWhile(i, j int) int {
	l := p.newLoop()
	if i+1 >= j {
		return j
	}
	end := p.repeat(i, i+1, j, l)
	if p.is(end, "while") && p.is(end+1, "(") {
		p.condition(end+2, p.match[end+1], l)
		end = p.match[end+1] + 1
	}
	if p.is(end, ";") {
		end++
	}
	return end
}

// macroLoop parses a loop whose header is a macro of C: rep(i, 0, n).
func (p *parser) macroLoop(i, j int) int {
	args := p.arguments(i + 1)
	l := p.newLoop()
	p.mark(i+2, p.match[i+1], 0, nil)
	if n := len(args); n >= 2 {
		l.vars = []string{p.o.text(args[0])}
		l.limit = args[n-1]
		if n == 3 {
			l.start = args[1]
		}
	}
	return p.repeat(i, p.match[i+1]+1, j, l)
}
