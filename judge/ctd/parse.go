package ctd

import (
	"context"
	"fmt"
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

type doing uint8

const (
	doSpace doing = iota
	doNewline
	doEOF
	doInt
	doFloat
	doFloatP
	doString
	doRegex
	doAssert
	doSet
	doUnset
	doRep
	doWhile
	doIf
)

// commands is the table of commands. REPI and WHILEI are loops with a variable.
var commands = map[string]doing{
	"SPACE": doSpace, "NEWLINE": doNewline, "EOF": doEOF,
	"INT": doInt, "FLOAT": doFloat, "FLOATP": doFloatP, "STRING": doString, "REGEX": doRegex,
	"ASSERT": doAssert, "SET": doSet, "UNSET": doUnset,
	"REP": doRep, "REPI": doRep, "WHILE": doWhile, "WHILEI": doWhile, "IF": doIf,
}

type notation uint8

const (
	anyNotation notation = iota
	fixed
	scientific
)

// A command is a command of a grammar, with the commands nested in it.
type command struct {
	do       doing
	off, end int     // in the grammar, without the body up to END
	args     []*node // expressions, or the test
	vars     []*node // variables that it sets; for a loop, its counter
	notation notation
	between  *command // the separator of a loop, or nil
	body     []*command
	orElse   []*command
}

type parser struct {
	file, src string
	at        int
	tok       token
	last      int // end of the previous token
	depth     int
	slots     map[string]int
	names     []string
	set       []bool // by slot: a command sets the variable
	read      []int  // by slot: offset of the first read, -1 if none
	fold      *machine
	insts     int // instructions of all regular expressions
}

// parse parses the complete grammar.
func (p *parser) parse() (g *Grammar, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case halt:
			g, err = nil, r.err
		default:
			panic(r)
		}
	}()
	g = &Grammar{file: p.file, src: p.src}
	// Expressions without input are evaluated now, within bounds.
	p.fold = &machine{g: g, ctx: context.Background(), steps: 1 << 22, memory: maxMemory}
	p.next()
	g.body = p.block()
	if p.tok.kind != endOfFile {
		p.failf(p.tok.off, "%s without what it ends", p.tok)
	}
	for slot, off := range p.read {
		if off >= 0 && !p.set[slot] {
			p.failf(off, "variable %s is set nowhere", clip(p.names[slot]))
		}
	}
	g.names = p.names
	return g, nil
}

// failf ends parsing with an error.
func (p *parser) failf(off int, format string, args ...any) {
	line, column := lineColumn(p.src, off)
	panic(halt{&Error{p.file, line, column, fmt.Sprintf(format, args...)}})
}

func (p *parser) expect(op string) {
	if !p.tok.is(op) {
		p.failf(p.tok.off, "expected %q, found %s", op, p.tok)
	}
	p.next()
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
	do, ok := commands[t.text]
	if !ok {
		p.failf(t.off, "%s is no command", t)
	}
	c := &command{do: do, off: t.off}
	p.next()
	if do > doEOF {
		p.expect("(")
		p.arguments(c, t.text)
		p.expect(")")
	}
	c.end = p.last
	if do < doRep {
		return c
	}
	c.body = p.block()
	if do == doIf && p.tok.text == "ELSE" {
		p.next()
		c.orElse = p.block()
	}
	if p.tok.kind != word || p.tok.text != "END" {
		p.failf(p.tok.off, "expected the END of %s, found %s", t.text, p.tok)
	}
	p.next()
	return c
}

// arguments reads the arguments in the parentheses of a command.
func (p *parser) arguments(c *command, text string) {
	switch c.do {
	case doInt:
		c.args = p.expressions(2)
		if p.accept(",") {
			c.vars = []*node{p.target()}
		}
	case doFloat, doFloatP:
		n := 2
		if c.do == doFloatP {
			n = 4
		}
		c.args = p.expressions(n)
		if p.accept(",") {
			c.vars = []*node{p.target()}
			if p.accept(",") {
				c.notation = p.option()
			}
		}
	case doString:
		c.args = p.expressions(1)
	case doRegex:
		c.args = p.expressions(1)
		if a := c.args[0]; a.op == opLiteral && a.value.kind == isText {
			re, err := parseRegex(a.value.text())
			if err != nil {
				p.failf(a.off, "regular expression %q: %v", clip(a.value.text()), err)
			}
			a.re = re
			if p.insts += len(re.prog); p.insts > 4*maxInsts {
				p.failf(a.off, "the regular expressions repeat too much")
			}
		}
		if p.accept(",") {
			c.vars = []*node{p.target()}
		}
	case doAssert, doIf:
		c.args = []*node{p.test()}
	case doSet:
		for again := true; again; again = p.accept(",") {
			c.vars = append(c.vars, p.target())
			p.expect("=")
			c.args = append(c.args, p.expression())
		}
	case doUnset:
		c.vars = p.variables()
	case doRep, doWhile:
		if text == "REPI" || text == "WHILEI" {
			c.vars = []*node{p.target()}
			p.expect(",")
		}
		if c.do == doRep {
			c.args = p.expressions(1)
		} else {
			c.args = []*node{p.test()}
		}
		if p.accept(",") {
			c.between = p.separator()
		}
	}
}

// option reads the notation of a float.
func (p *parser) option() notation {
	options := map[string]notation{"FIXED": fixed, "SCIENTIFIC": scientific}
	o, ok := options[p.tok.text]
	if !ok {
		p.failf(p.tok.off, "expected FIXED or SCIENTIFIC, found %s", p.tok)
	}
	p.next()
	return o
}

// separator reads the command between the rounds of a loop.
func (p *parser) separator() *command {
	do, ok := commands[p.tok.text]
	if p.tok.kind != word || !ok || do == doEOF || do >= doRep {
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

// variables reads names without indices.
func (p *parser) variables() (list []*node) {
	for again := true; again; again = p.accept(",") {
		list = append(list, p.name())
	}
	return list
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
