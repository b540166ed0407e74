package ctd

// One grammar parses both expressions and tests, because a parenthesis may begin
// either. They are distinguished afterwards.

func (p *parser) expression() *node { return p.as("an expression", p.logical()) }
func (p *parser) test() *node       { return p.as("a test", p.logical()) }

// as returns n. It ends parsing with an error unless n is of the expected kind, "a
// test" or "an expression".
func (p *parser) as(expected string, n *node) *node {
	found := "an expression"
	if n.op.isTest() {
		found = "a test"
	}
	if found != expected {
		p.failf(n.off, "expected %s, found %s: %s", expected, found, oneLine(p.text[n.off:n.end]))
	}
	return n
}

// logical reads tests joined by && or ||. Left to right is also the usual order,
// unless && follows ||.
func (p *parser) logical() *node {
	left := p.not()
	for or := false; p.tok.is("&&") || p.tok.is("||"); {
		o := opAnd
		if p.tok.text == "||" {
			o, or = opOr, true
		} else if or {
			p.failf(p.tok.off, "&& after ||: write parentheses, since the order is not the same everywhere")
		}
		p.next()
		left = p.node(o, left.off, left, p.not())
	}
	return left
}

func (p *parser) not() *node {
	if !p.tok.is("!") {
		return p.comparison()
	}
	defer p.deeper()()
	off := p.tok.off
	p.next()
	n := p.node(opNot, off, p.not())
	if p.tok.is("&&") || p.tok.is("||") {
		p.failf(p.tok.off, "%s after !: write parentheses, since what ! negates is not the same everywhere", p.tok.text)
	}
	return n
}

// comparisons contains the comparisons by their op.
var comparisons = [...]struct {
	symbol string
	holds  [3]bool // if the first operand is less, equal, greater
}{
	opLess:         {"<", [3]bool{true, false, false}},
	opGreater:      {">", [3]bool{false, false, true}},
	opLessEqual:    {"<=", [3]bool{true, true, false}},
	opGreaterEqual: {">=", [3]bool{false, true, true}},
	opEqual:        {"==", [3]bool{false, true, false}},
	opNotEqual:     {"!=", [3]bool{true, false, true}},
}

func (p *parser) comparison() *node {
	left := p.arithmetic(0)
	for o := opLess; p.tok.kind == operator && o <= opNotEqual; o++ {
		if p.tok.text == comparisons[o].symbol {
			p.next()
			return p.node(o, left.off, left, p.arithmetic(0))
		}
	}
	return left
}

// binaries contains the operators of sums and of products.
var binaries = []map[string]op{{"+": opAdd, "-": opSubtract}, {"*": opMultiply, "/": opDivide, "%": opModulo}}

// arithmetic reads operands of a level of binaries, from left to right.
func (p *parser) arithmetic(level int) *node {
	if level == len(binaries) {
		return p.factor()
	}
	left := p.arithmetic(level + 1)
	for p.tok.kind == operator {
		o, ok := binaries[level][p.tok.text]
		if !ok {
			break
		}
		p.next()
		left = p.node(o, left.off, left, p.arithmetic(level+1))
	}
	return left
}

// factor reads a negation, which binds weaker than ^, or powers from left to right:
// -2^2 is -4, and 2^3^2 is 64.
func (p *parser) factor() *node {
	defer p.deeper()()
	off := p.tok.off
	if p.accept("-") {
		return p.node(opNegate, off, p.factor())
	}
	left := p.primary()
	for p.accept("^") {
		off := p.tok.off
		negative := p.accept("-")
		right := p.primary()
		if negative {
			right = p.node(opNegate, off, right)
		}
		left = p.node(opPower, left.off, left, right)
	}
	return left
}

func (p *parser) primary() *node {
	t := p.tok
	n := &node{op: opLiteral, off: t.off, end: t.end}
	switch {
	case t.kind == name:
		return p.reading(p.variable())
	case t.kind == literal:
		n.value = t.value
	case t.kind == word:
		return p.function()
	case t.is("("):
		p.next()
		defer p.deeper()()
		inner := p.logical()
		p.expect(")")
		// A test in parentheses must differ from one without.
		around := *inner
		around.off, around.end = t.off, p.last
		return &around
	default:
		p.failf(t.off, "expected a value, found %s", t)
	}
	p.next()
	return n
}

// functions contains STRLEN and the tests that have a name. The letters of args are
// those of keyword.args.
var functions = map[string]struct {
	op   op
	args string
}{"ISEOF": {opEOF, ""}, "STRLEN": {opStrlen, "e"}, "MATCH": {opMatch, "e"}, "UNIQUE": {opUnique, "u"},
	"INARRAY": {opInArray, "ea"}}

func (p *parser) function() *node {
	t := p.tok
	f, ok := functions[t.text]
	if !ok {
		p.failf(t.off, "expected a value or a test, found %s", t)
	}
	p.next()
	var c command
	if f.args != "" {
		p.expect("(")
		p.arguments(&c, f.args)
		p.expect(")")
	}
	for _, v := range c.vars {
		c.args = append(c.args, p.reading(v))
	}
	return p.node(f.op, t.off, c.args...)
}

// node returns an operation that starts at off. A constant expression is replaced
// with its value. Expressions that fail or are large are left to the check, which
// reports the place.
func (p *parser) node(o op, off int, args ...*node) (n *node) {
	n = &node{op: o, off: off, end: p.last, args: args}
	constant := !o.isTest()
	for _, a := range args {
		if o == opNot || o == opAnd || o == opOr {
			p.as("a test", a)
		} else {
			p.as("an expression", a)
		}
		constant = constant && a.op == opLiteral
	}
	if constant {
		const mostBits = 1 << 12
		var err error
		defer catch(&err)
		if v := p.fold.eval(n); v.bits() <= mostBits {
			return &node{op: opLiteral, off: off, end: n.end, value: v}
		}
	}
	return n
}
