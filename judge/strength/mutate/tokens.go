package mutate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
)

// A parser finds the facts of one file in its tokens.
type parser struct {
	*dialect
	o      *outline
	toks   []lexeme
	match  []int          // index of the partner of a bracket
	places []place        // of each token
	live   []bool         // the token is part of a statement or of a declared value
	header []*loop        // whose header has the token; nil for none
	scopes [][]string     // variables of the loops around the token
	counts map[string]int // how often each word occurs in the program

	loops  []*loop         // loops around the current statement; nil for a switch
	starts []int           // their first tokens
	last   *inputStatement // the statement before the current one, if it reads one variable
	fn     *function
	unset  map[string]bool // variables that are declared without a value; in Python, those with one
}

// A function is the one whose body is parsed.
type function struct {
	name   string
	params []string
	again  bool // it calls itself
}

// outlines returns the outlines of a program's sources, sorted by name.
func (d *dialect) outlines(files map[string][]byte) ([]*outline, error) {
	var all []*parser
	counts := make(map[string]int)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if d.golang && strings.HasSuffix(name, "_test.go") {
			continue
		}
		toks, err := d.tokens(name, files[name])
		if err != nil {
			return nil, err
		}
		match, err := pairs(name, files[name], toks)
		if err != nil {
			return nil, err
		}
		split := fine(toks)
		if d.lexer == "python.xml" {
			toks = d.blocks(files[name], toks, match)
			match, _ = pairs(name, files[name], toks) // blocks are closed
		}
		n := len(toks)
		p := &parser{dialect: d, toks: toks, match: match, places: make([]place, n), live: make([]bool, n),
			header: make([]*loop, n), scopes: make([][]string, n), counts: counts,
			unset: make(map[string]bool)}
		p.o = &outline{name: name, code: files[name], fine: split, words: d.syntax}
		for _, t := range toks {
			if t.kind == word {
				counts[t.text]++
			}
		}
		all = append(all, p)
	}
	var outlines []*outline
	for _, p := range all {
		p.angles()
		p.block(0, len(p.toks), d.lexer != "javascript.xml" && d.lexer != "python.xml")
		p.expressions()
		if d.golang {
			p.o.refuses = p.unusedAfter()
		}
		p.defines()
		p.o.finish()
		outlines = append(outlines, p.o)
	}
	return outlines, nil
}

func (p *parser) is(i int, texts ...string) bool {
	return i >= 0 && i < len(p.toks) && p.toks[i].kind != text && slices.Contains(texts, p.toks[i].text)
}

// code returns the span of the tokens from i up to j, which is not one of them.
func (p *parser) code(i, j int) span {
	if i >= j || i >= len(p.toks) {
		at := len(p.o.code)
		if i < len(p.toks) {
			at = p.toks[i].from
		}
		return span{at, at}
	}
	return span{p.toks[i].from, p.toks[j-1].to}
}

func (p *parser) textOf(i, j int) string { return p.o.text(p.code(i, j)) }

// past returns the index after the token, or after the bracket that it opens.
func (p *parser) past(i int) int {
	if p.match[i] > i {
		return p.match[i] + 1
	}
	return i + 1
}

// find returns the first token from i up to j outside brackets that has one of
// the texts, or j.
func (p *parser) find(i, j int, texts ...string) int {
	for i < j && !p.is(i, texts...) {
		i = p.past(i)
	}
	return min(i, j)
}

// value reports whether the token can end an expression.
func (p *parser) isValue(i int) bool {
	if i < 0 {
		return false
	}
	switch t := p.toks[i]; t.kind {
	case word:
		return !p.keywords[t.text]
	case number, text:
		return true
	case bracket:
		return false
	}
	return p.is(i, ")", "]", "++", "--") && !p.isCast(i)
}

// isCast reports whether the bracket closes a type in parentheses.
func (p *parser) isCast(i int) bool {
	if !p.is(i, ")") || !p.semis {
		return false
	}
	open := p.match[i]
	if i == open+1 || open > 0 && (p.toks[open-1].kind == word || p.is(open-1, ")", "]")) ||
		p.toks[open-1].kind == bracket {
		return false
	}
	for j := open + 1; j < i; j++ {
		if !(p.toks[j].kind == word && (p.types[p.toks[j].text] || p.toks[j].text == "ll")) && !p.is(j, "*", "::") &&
			p.toks[j].kind != bracket {
			return false
		}
	}
	return true
}

// order returns the precedence of the token as a binary operator, or 0 if it is none.
func (p *parser) order(i int) int {
	n := p.orders[p.toks[i].text]
	if k := p.toks[i].kind; n == 0 || k != mark && k != word || !p.isValue(i-1) || i+1 >= len(p.toks) {
		return 0
	}
	return n
}

// stops reports whether no operand extends over the token.
func (p *parser) stops(i int) bool {
	t := p.toks[i]
	if t.kind == word {
		return p.keywords[t.text] && p.orders[t.text] == 0 &&
			!slices.Contains([]string{"not", "new", "sizeof", "typeof", "mut", "await"}, t.text)
	}
	return t.kind == mark && (slices.Contains([]string{",", ";", "?", ":", "{", "}", "=>", "(", "[", ")", "]", ":=", "..",
		"..=", "??"}, t.text) ||
		strings.HasSuffix(t.text, "=") && p.orders[t.text] == 0) ||
		t.text == "->" && !p.is(i+1, "") && p.lexer != "c.xml" && p.lexer != "cpp.xml" || t.text == "|" &&
		p.lexer == "rust.xml" && p.order(i) == 0
}

// mostOperand is the number of tokens of the longest operand that is considered.
const mostOperand = 300

// operands returns the operands of the binary operator i: tokens from a up to i, and
// after i up to b. One that is too long is empty.
func (p *parser) operands(i int) (a, b int) {
	n := p.order(i)
	for a = i; a > 0; {
		j := a - 1
		if i-a > mostOperand {
			return i, i + 1
		}
		if m := p.match[j]; m >= 0 && m < j && !p.is(j, "}") {
			a = m
			continue
		}
		if p.stops(j) || p.order(j) != 0 && p.order(j) < n || p.orders[p.toks[j].text] < 0 {
			break
		}
		a = j
	}
	for b = i + 1; b < len(p.toks) && b-i < mostOperand; {
		if b > i+1 && (p.is(b, "{") || p.match[b] < 0 && p.stops(b) || p.match[b] >= 0 && p.match[b] < b || p.order(b) != 0 &&
			p.order(b) <= n || p.orders[p.toks[b].text] < 0) {
			break
		}
		if b == i+1 && p.match[b] < 0 && p.stops(b) {
			break
		}
		b = p.past(b)
	}
	return a, b
}

// expressions finds the facts of the live expressions.
func (p *parser) expressions() {
	for i, t := range p.toks {
		if !p.live[i] {
			continue
		}
		switch {
		case p.order(i) > 0:
			p.binary(i)
		case t.kind == number:
			if _, err := strconv.Atoi(digits(t.text)); err == nil && !p.is(i+1, ".") {
				p.o.literals = append(p.o.literals, literal{span: t.span, text: digits(t.text), place: p.places[i]})
			}
		case p.golang && p.is(i, "int", "int64", "uint64") && p.is(i+1, "("):
			if arg := p.code(i+2, p.match[i+1]); p.match[i+1] > i+2 {
				narrow := strings.TrimSuffix(t.text, "64") + "32"
				p.o.types = append(p.o.types, edit{arg, narrow + "(" + p.o.text(arg) + ")"})
			}
		case t.kind == word && p.is(i+1, "(") && !p.keywords[t.text] && p.match[i+1] > 0:
			p.call(i)
		case t.text == "[" && t.kind == mark && p.isValue(i-1) && p.match[i] > i+1:
			p.index(i)
		case p.orders[t.text] < 0 && p.isValue(i-1) && i+1 < len(p.toks) && !p.stops(i+1):
			p.rangeOf(i)
		}
	}
}

func (p *parser) binary(i int) {
	a, b := p.operands(i)
	if a >= i || b <= i+1 {
		return
	}
	t := p.toks[i]
	x := binary{op: t.text, at: t.span, left: p.code(a, i), right: p.code(i+1, b), place: p.places[i], loop: p.header[i]}
	x.whole = a > 0 && b < len(p.toks) && p.match[a-1] == b
	for j := a; j < b; j++ {
		if p.toks[j].kind == text {
			x.place |= inText
		}
	}
	// A chain of additions with a string anywhere concatenates strings.
	for j := b; x.op == "+" && j < len(p.toks) && p.is(j, "+"); {
		_, j = p.operands(j)
		for k := b; k < j; k++ {
			if p.toks[k].kind == text {
				x.place |= inText
			}
		}
	}
	p.o.binaries = append(p.o.binaries, x)
}

// digits returns a decimal integer without its suffix, or the literal as it is.
var literalSuffix = lazy.Regexp(`^(\d+)(?:[uUlL]{1,3}|_?[iu](?:8|16|32|64|128|size))$`)

func digits(text string) string {
	if m := literalSuffix().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if len(text) > 1 && text[0] == '0' {
		return "" // octal
	}
	return strings.NewReplacer("_", "", "'", "").Replace(text)
}

// arguments returns the parts between the brackets that open opens.
func (p *parser) arguments(open int) []span {
	var args []span
	for i := open + 1; i < p.match[open]; {
		end := p.find(i, p.match[open], ",")
		if end > i {
			args = append(args, p.code(i, end))
		}
		i = end + 1
	}
	return args
}

func (p *parser) call(i int) {
	end := p.match[i+1] + 1
	c := call{name: p.toks[i].text, at: p.toks[i].span, args: p.arguments(i + 1)}
	from := i
	for from > 0 && (p.is(from-1, ".", "::", "->") || p.toks[from-1].kind == word && p.is(from, ".", "::", "->")) {
		from--
	}
	if p.is(from, ".", "->") || from > 0 && p.is(from-1, "new") {
		return // a call of the result of another expression, or a constructor
	}
	c.object = p.textOf(from, i)
	c.span = p.code(from, end)
	c.alone = !p.isValue(from-1) && (from == 0 || p.is(from-1, ";", "{", "}", ")")) && p.is(end, ";")
	p.o.calls = append(p.o.calls, c)
}

func (p *parser) index(i int) {
	x := index{span: p.code(i+1, p.match[i]), vars: p.scopes[i]}
	if end := p.match[i] + 1; p.is(end, "[") && p.match[end] > end+1 {
		x.next = p.code(end+1, p.match[end])
	}
	p.o.indexes = append(p.o.indexes, x)
}

func (p *parser) rangeOf(i int) {
	b := i + 1
	for b < len(p.toks) && !p.is(b, "{") && !(p.match[b] < 0 && p.stops(b)) && !(p.match[b] >= 0 && p.match[b] < b) {
		b = p.past(b)
	}
	p.o.ranges = append(p.o.ranges, bounds{hi: p.code(i+1, b), at: p.toks[i].span, op: p.toks[i].text})
}

var numericDefine = lazy.Regexp(`(?m)^[ \t]*#[ \t]*define[ \t]+[A-Za-z_]\w*[ \t]+(\d+)[ \t]*\r?$`)

// defines finds the constants that the preprocessor defines.
func (p *parser) defines() {
	if p.lexer != "c.xml" && p.lexer != "cpp.xml" {
		return
	}
	for _, m := range numericDefine().FindAllSubmatchIndex(p.o.code, -1) {
		s := span{m[2], m[3]}
		inside := slices.ContainsFunc(p.toks, func(t lexeme) bool { return t.from < s.to && s.from < t.to })
		// The stream of tokens lacks preprocessor lines, so the constant is added to it.
		if at := firstAt(p.o.fine, s.from); !inside && !p.inComment(m[0]) {
			p.o.fine = slices.Insert(p.o.fine, at, lexeme{s, number, p.o.text(s)})
			p.o.literals = append(p.o.literals, literal{span: s, text: p.o.text(s), place: inSize | inConst})
		}
	}
}

// inComment reports whether a comment reaches over the start of a line.
func (p *parser) inComment(at int) bool {
	before := string(p.o.code[:at])
	return strings.LastIndex(before, "/*") > strings.LastIndex(before, "*/")
}
