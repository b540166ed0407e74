package ctd

import (
	"context"
	"fmt"
	"math/big"
)

// A machine is the state of one check.
type machine struct {
	g        *Grammar
	in       []byte
	at       int // offset in the input
	loose    bool
	vars     []variable
	ctx      context.Context
	steps    int // steps left
	soon     int // steps until the context is checked again
	memory   int
	cmd      *command          // the current command
	why      string            // why the last UNIQUE was false
	stack    []value           // of indices
	compiled map[string]*regex // expressions that are computed during the check
	sets     [2]threads
}

// halt is the type of the panics by which the machine and the parsers stop at any
// depth. Catch recovers it.
type halt struct{ err error }

// catch sets err to the error of a halt. It must be deferred.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case halt:
		*err = r.err
	default:
		panic(r)
	}
}

// failf ends the check with an error of the grammar.
func (m *machine) failf(off int, format string, args ...any) {
	line, column := lineColumn(m.g.src, off)
	panic(halt{&Error{m.g.file, line, column, fmt.Sprintf(format, args...)}})
}

// mismatch ends the check with a mismatch of the input at off.
func (m *machine) mismatch(off int, what Mismatch) {
	what.Line, what.Column = lineColumn(string(m.in[:off]), off)
	panic(halt{&what})
}

// expect ends the check because the input at off is not what the current command
// expects.
func (m *machine) expect(off int, format string, args ...any) {
	m.mismatch(off, Mismatch{Found: m.found(off), Expected: fmt.Sprintf(format, args...), Rule: m.g.where(m.cmd.off)})
}

// work charges steps, and ends the check if none are left.
func (m *machine) work(n int) {
	m.steps -= n
	if m.soon -= n; m.soon < 0 || m.steps < 0 {
		m.pause()
	}
}

func (m *machine) pause() {
	m.soon = 1 << 14
	if m.steps < 0 {
		m.failf(m.cmd.off, "takes too many steps")
	}
	if m.ctx.Err() != nil {
		panic(halt{context.Cause(m.ctx)})
	}
}

// need charges memory, or releases it if n is negative.
func (m *machine) need(off, n int) {
	if m.memory -= n; m.memory < 0 {
		m.failf(off, "needs too much memory for variables")
	}
}

func (m *machine) run(list []*command) {
	for _, c := range list {
		m.cmd = c
		m.work(4)
		c.do(m, c)
	}
}

func (m *machine) branch(c *command) {
	if m.holds(c.args[0]) {
		m.run(c.body)
	} else {
		m.run(c.orElse)
	}
}

func (m *machine) rep(c *command) {
	m.count(c, 0)
	n := m.integer(c.args[0])
	if n.p != nil || n.n < 0 || n.n > 1<<32-1 {
		m.failf(c.args[0].off, "expected 0 to 2^32-1 rounds, found %s", n)
	}
	m.loop(c, func(i int64) bool { return i < n.n })
}

func (m *machine) while(c *command) {
	m.count(c, 0)
	m.loop(c, func(int64) bool { return m.holds(c.args[0]) })
}

// count sets the variable of REPI and WHILEI, which counts from 0 and is the number
// of rounds at the end.
func (m *machine) count(c *command, i int64) {
	if c.vars != nil {
		m.cmd = c
		m.assign(c.vars[0], small(i))
	}
}

func (m *machine) loop(c *command, more func(i int64) bool) {
	for i := int64(0); ; i++ {
		m.cmd = c
		m.work(4)
		if !more(i) {
			return
		}
		if i > 0 && c.between != nil {
			m.cmd = c.between
			c.between.do(m, c.between)
		}
		m.run(c.body)
		m.count(c, i+1)
	}
}

func (m *machine) set(c *command) {
	for i, target := range c.vars {
		m.assign(target, m.eval(c.args[i]))
	}
}

// assert ends the check if a test is false, and reports the compared values.
func (m *machine) assert(c *command) {
	n := c.args[0]
	m.why = ""
	if m.holds(n) {
		return
	}
	found := m.why
	if n.op >= opLess && n.op <= opNotEqual {
		found = fmt.Sprintf("%s %s %s", m.eval(n.args[0]), comparisons[n.op].symbol, m.eval(n.args[1]))
	}
	if found == "" {
		found = m.found(m.at)
	}
	m.mismatch(m.at, Mismatch{Found: found, Expected: m.source(n), Rule: m.g.where(m.cmd.off)})
}

// source returns a part of the grammar for messages.
func (m *machine) source(n *node) string { return oneLine(m.g.src[n.off:n.end]) }

// holds evaluates a test. It stops at the first operand that decides.
func (m *machine) holds(n *node) bool {
	m.work(1)
	switch n.op {
	case opNot:
		return !m.holds(n.args[0])
	case opAnd:
		return m.holds(n.args[0]) && m.holds(n.args[1])
	case opOr:
		return m.holds(n.args[0]) || m.holds(n.args[1])
	case opEOF:
		return m.at >= len(m.in)
	case opMatch:
		s := m.str(n.args[0])
		m.work(len(s) / 8)
		for i := range len(s) {
			if m.at < len(m.in) && s[i] == m.in[m.at] {
				return true
			}
		}
		return false
	case opUnique:
		return m.unique(n)
	case opInArray:
		return m.inArray(n)
	}
	return comparisons[n.op].holds[1+m.compare(n, m.eval(n.args[0]), m.eval(n.args[1]))]
}

// eval evaluates an expression.
func (m *machine) eval(n *node) value {
	m.work(1)
	switch n.op {
	case opLiteral:
		return n.value
	case opVariable:
		v := m.lookup(n)
		if v.kind == isUnset {
			m.failf(n.off, "%s is not set", m.source(n))
		}
		return v
	case opNegate:
		return m.negate(n)
	case opStrlen:
		return small(int64(len(m.str(n.args[0]))))
	}
	a, b := m.number(n.args[0]), m.number(n.args[1])
	switch {
	case n.op == opPower:
		return m.power(n, a, b)
	case a.kind == isInteger && b.kind == isInteger:
		return m.integers(n, a, b)
	}
	return m.fractions(n, a, b)
}

func (m *machine) negate(n *node) value {
	v := m.number(n.args[0])
	m.work(v.bits() / 64)
	switch {
	case v.kind == isFloat:
		return value{kind: isFloat, p: new(big.Rat).Neg(m.rat(n, v))}
	case v.p == nil && v.n != -v.n:
		return small(-v.n)
	}
	return bigOf(new(big.Int).Neg(v.big()))
}

// number evaluates an expression that must be a number.
func (m *machine) number(n *node) value {
	v := m.eval(n)
	if v.kind == isText {
		m.failf(n.off, "expected a number, found a string: %s", m.source(n))
	}
	return v
}

// integer evaluates an expression that must be an integer.
func (m *machine) integer(n *node) value { return m.evalAs(n, isInteger) }

// str evaluates an expression that must be a string.
func (m *machine) str(n *node) string { return m.evalAs(n, isText).text() }

func (m *machine) evalAs(n *node, k kind) value {
	v := m.eval(n)
	if v.kind != k {
		m.failf(n.off, "expected %s, found %s: %s", k, v.kind, m.source(n))
	}
	return v
}
