package ctd

import (
	"fmt"
	"strings"
)

// An op is the operation of a node in an expression or test.
type op uint8

const (
	opLiteral op = iota
	opVariable
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opModulo
	opPower
	opStrlen

	// The following are tests.

	opLess
	opGreater
	opLessEqual
	opGreaterEqual
	opEqual
	opNotEqual
	opNot
	opAnd
	opOr
	opMatch
	opEOF
	opUnique
	opInArray
)

func (o op) isTest() bool { return o >= opLess }

// A node is an expression, a test, or a variable.
type node struct {
	op       op
	off, end int // in the grammar
	args     []*node
	value    value  // of a literal
	re       *regex // of a string that is the expression of a REGEX
	slot     int    // of a variable
}

// A keyword is a command of the language.
type keyword struct {
	// args are its arguments, a letter each, separated by commas in the grammar:
	// e an expression, r an expression that is a regular expression, t a test, v a
	// variable that it sets, s assignments, a the name of a variable, u names, n the notation of
	// a float, b a command between rounds. Those after ? may be missing. A command
	// without arguments has no parentheses.
	args  string
	do    func(*machine, *command)
	block bool // commands follow, up to END
}

// keywords is the table of commands.
var keywords = map[string]keyword{
	"SPACE":   {"", (*machine).space, false},
	"NEWLINE": {"", (*machine).newline, false},
	"EOF":     {"", (*machine).readEOF, false},
	"INT":     {"ee?v", (*machine).readInteger, false},
	"FLOAT":   {"ee?vn", (*machine).readFloat, false},
	"FLOATP":  {"eeee?vn", (*machine).readFloat, false},
	"STRING":  {"e", (*machine).readString, false},
	"REGEX":   {"r?v", (*machine).readRegex, false},
	"ASSERT":  {"t", (*machine).assert, false},
	"SET":     {"s", (*machine).set, false},
	"UNSET":   {"u", (*machine).unset, false},
	"REP":     {"e?b", (*machine).rep, true},
	"REPI":    {"ve?b", (*machine).rep, true},
	"WHILE":   {"t?b", (*machine).while, true},
	"WHILEI":  {"vt?b", (*machine).while, true},
	"IF":      {"t", (*machine).branch, true},
}

type notation uint8

const (
	anyNotation notation = iota
	fixed
	scientific
)

// A command is a command of a grammar, with the commands nested in it.
type command struct {
	do       func(*machine, *command)
	off, end int     // in the grammar, without the body up to END
	args     []*node // expressions, or the test
	vars     []*node // variables that it sets; for a loop, its counter
	notation notation
	between  *command // the separator of a loop, or nil
	body     []*command
	orElse   []*command
}

type parser struct {
	scanner
	file  string
	tok   token
	last  int // end of the previous token
	depth int
	slots map[string]int
	names []string
	set   []bool // by slot: a command sets the variable
	read  []int  // by slot: offset of the first read, -1 if none
	fold  *machine
	insts int // instructions of all regular expressions
}

// parse parses the complete grammar, and returns its commands and variables.
func (p *parser) parse() ([]*command, []string) {
	p.next()
	body := p.block()
	if p.tok.kind != endOfFile {
		p.failf(p.tok.off, "%s without what it ends", p.tok)
	}
	for slot, off := range p.read {
		if off >= 0 && !p.set[slot] {
			p.failf(off, "variable %s is never set", clip(p.names[slot]))
		}
	}
	return body, p.names
}

// failf ends parsing with an error.
func (p *parser) failf(off int, format string, args ...any) {
	line, column := lineColumn(p.text, off)
	panic(halt{&Error{p.file, line, column, fmt.Sprintf(format, args...)}})
}

func (p *parser) expect(op string) {
	if !p.accept(op) {
		p.failf(p.tok.off, "expected %q, found %s", op, p.tok)
	}
}

func (p *parser) accept(op string) bool {
	if !p.tok.is(op) {
		return false
	}
	p.next()
	return true
}

// deeper checks the nesting depth. The caller must defer the function that it
// returns.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.failf(p.tok.off, "nested more than %d deep", maxDepth)
	}
	return func() { p.depth-- }
}

// block reads commands up to END, ELSE or any other token.
func (p *parser) block() (list []*command) {
	defer p.deeper()()
	for p.tok.kind == word && p.tok.text != "END" && p.tok.text != "ELSE" {
		list = append(list, p.command())
	}
	if p.tok.kind != endOfFile && p.tok.kind != word {
		p.failf(p.tok.off, "expected a command, found %s", p.tok)
	}
	return list
}

func (p *parser) command() *command {
	t := p.tok
	k, ok := keywords[t.text]
	if !ok {
		p.failf(t.off, "expected a command, found %s", t)
	}
	c := &command{do: k.do, off: t.off}
	p.next()
	if k.args != "" {
		p.expect("(")
		p.arguments(c, k.args)
		p.expect(")")
	}
	c.end = p.last
	if !k.block {
		return c
	}
	c.body = p.block()
	if t.text == "IF" && p.tok.text == "ELSE" {
		p.next()
		c.orElse = p.block()
	}
	if p.tok.kind != word || p.tok.text != "END" {
		p.failf(p.tok.off, "expected the END of %s, found %s", t.text, p.tok)
	}
	p.next()
	return c
}

// arguments reads the arguments of a command, which keyword.args describes.
func (p *parser) arguments(c *command, kinds string) {
	required, optional, _ := strings.Cut(kinds, "?")
	for i, kind := range required + optional {
		if i >= len(required) && !p.accept(",") {
			return
		} else if i > 0 && i < len(required) {
			p.expect(",")
		}
		switch kind {
		case 'e':
			c.args = append(c.args, p.expression())
		case 'r':
			c.args = append(c.args, p.regex())
		case 't':
			c.args = append(c.args, p.test())
		case 'v':
			c.vars = append(c.vars, p.target())
		case 's':
			for again := true; again; again = p.accept(",") {
				c.vars = append(c.vars, p.target())
				p.expect("=")
				c.args = append(c.args, p.expression())
			}
		case 'u':
			for again := true; again; again = p.accept(",") {
				c.vars = append(c.vars, p.name())
			}
		case 'a':
			c.vars = append(c.vars, p.name())
		case 'n':
			c.notation = p.notation()
		case 'b':
			c.between = p.separator()
		}
	}
}

// regex reads an expression, and compiles it if it is constant.
func (p *parser) regex() *node {
	n := p.expression()
	if n.op == opLiteral && n.value.kind == isText {
		re, err := parseRegex(n.value.text())
		if err != nil {
			p.failf(n.off, "regular expression %q: %v", clip(n.value.text()), err)
		}
		n.re = re
		if p.insts += len(re.prog); p.insts > 4*maxInsts {
			p.failf(n.off, "the regular expressions repeat too much")
		}
	}
	return n
}

func (p *parser) notation() notation {
	o, ok := map[string]notation{"FIXED": fixed, "SCIENTIFIC": scientific}[p.tok.text]
	if !ok {
		p.failf(p.tok.off, "expected FIXED or SCIENTIFIC, found %s", p.tok)
	}
	p.next()
	return o
}

// separator reads the command between the rounds of a loop.
func (p *parser) separator() *command {
	k, ok := keywords[p.tok.text]
	if p.tok.kind != word || !ok || k.block || p.tok.text == "EOF" {
		p.failf(p.tok.off, "expected a command that needs no END, found %s", p.tok)
	}
	return p.command()
}

// target reads a variable, with its indices, that a command sets.
func (p *parser) target() *node {
	n := p.variable()
	p.set[n.slot] = true
	return n
}

func (p *parser) name() *node {
	if p.tok.kind != name {
		p.failf(p.tok.off, "expected a variable, found %s", p.tok)
	}
	slot, ok := p.slots[p.tok.text]
	if !ok {
		slot = len(p.names)
		p.slots[p.tok.text] = slot
		p.names = append(p.names, p.tok.text)
		p.set = append(p.set, false)
		p.read = append(p.read, -1)
	}
	n := &node{op: opVariable, off: p.tok.off, end: p.tok.end, slot: slot}
	p.next()
	return n
}

func (p *parser) variable() *node {
	n := p.name()
	if !p.accept("[") {
		return n
	}
	for again := true; again; again = p.accept(",") {
		n.args = append(n.args, p.expression())
	}
	p.expect("]")
	n.end = p.last
	return n
}

// reading records that a variable is read.
func (p *parser) reading(n *node) *node {
	if p.read[n.slot] < 0 {
		p.read[n.slot] = n.off
	}
	return n
}
