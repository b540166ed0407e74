package ctd

import (
	"context"
	"fmt"
	"math/big"
)

// A machine is the state of one check.
type machine struct {
	g      *Grammar
	in     []byte
	at     int // offset in the input
	loose  bool
	vars   []variable
	ctx    context.Context
	steps  int // steps left
	soon   int // steps until the context is checked again
	memory int
	cmd    *command // the current command
	why    string   // why the last UNIQUE was false
	stack  []value  // of indices
	made   map[string]*regex
	sets   [2]threads
}

// halt is the type of the panics of the machine and the parser. Check and Parse
// recover it.
type halt struct{ err error }

// failf ends the check with an error of the grammar.
func (m *machine) failf(off int, format string, args ...any) {
	line, column := lineColumn(m.g.src, off)
	panic(halt{&Error{m.g.file, line, column, fmt.Sprintf(format, args...)}})
}

// mismatch ends the check with a mismatch of the input at off.
func (m *machine) mismatch(off int, what Mismatch) {
	what.Line, what.Column = lineColumn(m.in, off)
	panic(halt{&what})
}

// expect ends the check because the input at off is not what the current command
// expects.
func (m *machine) expect(off int, format string, args ...any) {
	m.mismatch(off, Mismatch{Found: m.found(off), Wanted: fmt.Sprintf(format, args...), Rule: m.g.where(m.cmd.off)})
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
	off := 0
	if m.cmd != nil {
		off = m.cmd.off
	}
	if m.steps < 0 {
		m.failf(off, "takes too many steps")
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
		switch c.do {
		case doIf:
			if m.holds(c.args[0]) {
				m.run(c.body)
			} else {
				m.run(c.orElse)
			}
		case doRep, doWhile:
			m.loop(c)
		default:
			m.step(c)
		}
	}
}

// loop runs REP and WHILE, and their forms with a variable, which counts from 0 and
// is the number of rounds at the end.
func (m *machine) loop(c *command) {
	count := func(i int64) {
		if c.vars != nil {
			m.cmd = c
			m.assign(c.vars[0], small(i))
		}
	}
	count(0)
	var rounds int64
	if c.do == doRep {
		n := m.integer(c.args[0])
		if n.p != nil || n.n < 0 || n.n > 1<<32-1 {
			m.failf(c.args[0].off, "expected 0 to 2^32-1 rounds, found %s", n)
		}
		rounds = n.n
	}
	for i := int64(0); ; i++ {
		m.cmd = c
		m.work(4)
		if c.do == doRep && i == rounds || c.do == doWhile && !m.holds(c.args[0]) {
			return
		}
		if i > 0 && c.between != nil {
			m.cmd = c.between
			m.step(c.between)
		}
		m.run(c.body)
		count(i + 1)
	}
}

// step runs a command without nested commands.
func (m *machine) step(c *command) {
	switch c.do {
	case doSpace:
		m.space()
	case doNewline:
		m.newline()
	case doEOF:
		if m.at < len(m.in) {
			m.expect(m.at, "end of file")
		}
	case doInt:
		m.readInteger(c)
	case doFloat, doFloatP:
		m.readFloat(c)
	case doString:
		m.readString(c)
	case doRegex:
		m.readRegex(c)
	case doAssert:
		m.assert(c.args[0])
	case doSet:
		for i, target := range c.vars {
			m.assign(target, m.eval(c.args[i]))
		}
	case doUnset:
		m.unset(c.vars)
	}
}

// assert ends the check if a test is false, and reports the compared values.
func (m *machine) assert(n *node) {
	m.why = ""
	if m.holds(n) {
		return
	}
	found := m.why
	if n.op >= opLess && n.op <= opNotEqual {
		symbol := ""
		for s, o := range comparisons {
			if o == n.op {
				symbol = s
			}
		}
		found = fmt.Sprintf("%s %s %s", m.eval(n.args[0]), symbol, m.eval(n.args[1]))
	}
	if found == "" {
		found = m.found(m.at)
	}
	m.mismatch(m.at, Mismatch{Found: found, Wanted: oneLine(m.g.src[n.off:n.end]), Rule: m.g.where(m.cmd.off)})
}

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
	c := m.compare(n, m.eval(n.args[0]), m.eval(n.args[1]))
	switch n.op {
	case opLess:
		return c < 0
	case opGreater:
		return c > 0
	case opLessEqual:
		return c <= 0
	case opGreaterEqual:
		return c >= 0
	case opEqual:
		return c == 0
	}
	return c != 0
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
			m.failf(n.off, "%s is not set", oneLine(m.g.src[n.off:n.end]))
		}
		return v
	case opNegate:
		return m.negate(n)
	case opStrlen:
		return small(int64(len(m.str(n.args[0]))))
	}
	a, b := m.eval(n.args[0]), m.eval(n.args[1])
	if n.op == opPower {
		return m.power(n, a, b)
	}
	return m.arithmetic(n, a, b)
}

func (m *machine) negate(n *node) value {
	v := m.eval(n.args[0])
	m.work(v.bits() / 64)
	switch {
	case v.kind == isText:
		m.failf(n.args[0].off, "expected a number, found a string")
	case v.kind == isFloat:
		return ratOf(new(big.Rat).Neg(m.rat(n, v)))
	case v.p == nil && v.n != -v.n:
		return small(-v.n)
	}
	return bigOf(new(big.Int).Neg(v.big()))
}

// integer evaluates an expression that must be an integer.
func (m *machine) integer(n *node) value {
	v := m.eval(n)
	if v.kind != isInteger {
		m.failf(n.off, "expected an integer, found %s: %s", v.kind, oneLine(m.g.src[n.off:n.end]))
	}
	return v
}

// str evaluates an expression that must be a string.
func (m *machine) str(n *node) string {
	v := m.eval(n)
	if v.kind != isText {
		m.failf(n.off, "expected a string, found %s: %s", v.kind, oneLine(m.g.src[n.off:n.end]))
	}
	return v.text()
}
