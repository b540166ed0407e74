package ctd

// One grammar parses both expressions and tests, because a parenthesis may begin
// either. They are distinguished afterwards.

// expressions reads n expressions, separated by commas.
func (p *parser) expressions(n int) (list []*node) {
	for i := range n {
		if i > 0 {
			p.expect(",")
		}
		list = append(list, p.expression())
	}
	return list
}

func (p *parser) expression() *node { return p.asExpression(p.logical()) }
func (p *parser) test() *node       { return p.asTest(p.logical()) }

func (p *parser) asExpression(n *node) *node {
	if n.op.isTest() {
		p.failf(n.off, "expected an expression, found a test: %s", oneLine(p.src[n.off:n.end]))
	}
	return n
}

func (p *parser) asTest(n *node) *node {
	if !n.op.isTest() {
		p.failf(n.off, "expected a test, found an expression: %s", oneLine(p.src[n.off:n.end]))
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
		left = p.node(o, left.off, p.asTest(left), p.asTest(p.not()))
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
	n := p.node(opNot, off, p.asTest(p.not()))
	if p.tok.is("&&") || p.tok.is("||") {
		p.failf(p.tok.off, "%s after !: write parentheses, since what ! negates is not the same everywhere", p.tok.text)
	}
	return n
}

var comparisons = map[string]op{
	"<": opLess, ">": opGreater, "<=": opLessEqual, ">=": opGreaterEqual, "==": opEqual, "!=": opNotEqual,
}

func (p *parser) comparison() *node {
	left := p.sum()
	o, ok := comparisons[p.tok.text]
	if p.tok.kind != operator || !ok {
		return left
	}
	p.next()
	return p.node(o, left.off, p.asExpression(left), p.asExpression(p.sum()))
}

func (p *parser) sum() *node {
	left := p.product()
	for p.tok.is("+") || p.tok.is("-") {
		o := opAdd
		if p.tok.text == "-" {
			o = opSubtract
		}
		p.next()
		left = p.binary(o, left, p.product())
	}
	return left
}

func (p *parser) product() *node {
	operators := map[string]op{"*": opMultiply, "/": opDivide, "%": opModulo}
	left := p.factor()
	for p.tok.kind == operator {
		o, ok := operators[p.tok.text]
		if !ok {
			break
		}
		p.next()
		left = p.binary(o, left, p.factor())
	}
	return left
}

// factor reads a negation, which binds weaker than ^, or powers from left to right:
// -2^2 is -4, and 2^3^2 is 64.
func (p *parser) factor() *node {
	defer p.deeper()()
	off := p.tok.off
	if p.accept("-") {
		return p.folded(p.node(opNegate, off, p.asExpression(p.factor())))
	}
	left := p.primary()
	for p.accept("^") {
		var right *node
		if off := p.tok.off; p.accept("-") {
			right = p.node(opNegate, off, p.asExpression(p.primary()))
		} else {
			right = p.primary()
		}
		left = p.binary(opPower, left, right)
	}
	return left
}

func (p *parser) primary() *node {
	t := p.tok
	n := &node{op: opLiteral, off: t.off, end: t.end}
	switch {
	case t.kind == name:
		return p.reading(p.variable())
	case t.kind == integerLit:
		n.value = integerOf(t.text)
	case t.kind == floatLit:
		v, ok := floatOf(t.text)
		if !ok {
			p.failf(t.off, "a float of more than %d digits, or with as large an exponent", maxDigits)
		}
		n.value = v
	case t.kind == stringLit:
		n.value = textOf(t.text)
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

// function reads STRLEN or a test that is a word.
func (p *parser) function() *node {
	t := p.tok
	n := &node{off: t.off}
	p.next()
	if t.text == "ISEOF" {
		n.op, n.end = opEOF, t.end
		return n
	}
	known := map[string]op{"STRLEN": opStrlen, "MATCH": opMatch, "UNIQUE": opUnique, "INARRAY": opInArray}
	o, ok := known[t.text]
	if !ok {
		p.failf(t.off, "expected a value or a test, found %s", t)
	}
	n.op = o
	p.expect("(")
	switch o {
	case opStrlen, opMatch:
		n.args = p.expressions(1)
	case opUnique:
		n.args = p.variables()
		for _, v := range n.args {
			p.reading(v)
		}
	case opInArray:
		n.args = p.expressions(1)
		p.expect(",")
		n.args = append(n.args, p.reading(p.name()))
	}
	p.expect(")")
	n.end = p.last
	return n
}

func (p *parser) binary(o op, left, right *node) *node {
	return p.folded(p.node(o, left.off, p.asExpression(left), p.asExpression(right)))
}

func (p *parser) node(o op, off int, args ...*node) *node {
	return &node{op: o, off: off, end: p.last, args: args}
}

// folded replaces a constant expression with its value. Expressions that fail or
// are large are left to the check, which reports the place.
func (p *parser) folded(n *node) (result *node) {
	const mostBits = 1 << 12
	for _, a := range n.args {
		if a.op != opLiteral {
			return n
		}
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(halt); !ok {
				panic(r)
			}
			result = n
		}
	}()
	v := p.fold.eval(n)
	if v.bits() > mostBits {
		return n
	}
	return &node{op: opLiteral, off: n.off, end: n.end, value: v}
}
