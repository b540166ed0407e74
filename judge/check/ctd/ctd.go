// Package ctd checks inputs against grammars in the Checktestdata language, the
// .ctd input validators of problem packages (2025-09, "Input validators").
//
// A grammar is a program that reads the input once from beginning to end: INT(1,
// 100, n) NEWLINE REP(n, SPACE) INT(0, 9) END NEWLINE. The language is defined by
// doc/format-spec.md and doc/regex-spec.md of the project DOMjudge/checktestdata,
// as of March 2026. Where these are not precise, this package follows the project's
// program, or rejects the grammar if authors may expect something else. In detail:
//
//   - A number in the input has no superfluous zeros at its start or at the start
//     of its exponent, and no integer is -0. The program requires this for FLOAT, too.
//   - A literal such as 1. is a float. A literal such as 007 is rejected: the
//     document does not permit it, and the program reads it in base 8.
//   - a || b && c and !a && b need parentheses: by the document's "usual logical
//     operators" they mean a || (b && c) and (!a) && b, but the program evaluates
//     && and || from left to right, and its ! negates everything that follows.
//   - For UNIQUE and INARRAY, a variable that is not set has no values. A grammar
//     that uses a variable without ever setting it is rejected.
//   - UNIQUE is a test like any other, so it can be negated.
//
// Integers and floats are exact; a float is a fraction. Characters are bytes, in
// strings, in regular expressions and in the columns of messages.
//
// Grammars and inputs may be hostile. The context and a number of steps bound the
// time of a check, and a number of bytes bounds its memory.
package ctd

import (
	"context"
	"fmt"
	"strings"
)

const (
	maxSource  = 1 << 18 // bytes of a grammar
	maxDepth   = 200     // nesting of commands and of parentheses
	maxSteps   = 1 << 30 // of one check; a step takes about 10 ns
	maxMemory  = 1 << 29 // bytes of variables, about 10 million values in an array
	maxBits    = 1 << 22 // of an integer: 1.2 million digits
	maxRatBits = 1 << 20 // of a float's numerator, and of its denominator
	maxDigits  = 20_000  // of a float in the input; also the maximum of its exponent
)

// A Grammar is a parsed program of the Checktestdata language. It is safe for
// concurrent use.
type Grammar struct {
	file  string
	src   string
	body  []*command
	names []string // of the variables
}

// An Error describes an error in a grammar: it cannot be parsed, or it cannot be
// evaluated, for example because of a division by zero.
type Error struct {
	File         string // name of the grammar, as given to Parse
	Line, Column int    // in the grammar, from 1; a column is a byte
	Msg          string // one line, safe to print
}

// Error returns the position and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// A Mismatch is the place where an input does not match its grammar.
type Mismatch struct {
	Line, Column    int    // in the input, from 1; a column is a byte
	Found, Expected string // texts for messages: short and safe to print
	Rule            string // file:line:column of the command in the grammar
}

// Error describes the mismatch in one line.
func (m *Mismatch) Error() string {
	return fmt.Sprintf("line %d, column %d: expected %s, found %s (%s)", m.Line, m.Column, m.Expected, m.Found, m.Rule)
}

// Options change what a check accepts.
type Options struct {
	// WhitespaceOK accepts any white space except newlines for a SPACE, and skips
	// it at the beginning and end of lines, like checktestdata --whitespace-ok.
	WhitespaceOK bool
}

// ParseOptions parses the arguments of checktestdata that apply to checking. It
// accepts no presets, which are for generating only.
func ParseOptions(args []string) (o Options, err error) {
	for _, arg := range args {
		if arg != "-w" && arg != "--whitespace-ok" {
			return o, fmt.Errorf("argument %q: unknown, expected -w or --whitespace-ok", clip(arg))
		}
		o.WhitespaceOK = true
	}
	return o, nil
}

// Parse parses a grammar; file is its name in messages. Every error is an *Error.
func Parse(file string, src []byte) (_ *Grammar, err error) {
	if len(src) > maxSource {
		return nil, &Error{file, 1, 1, fmt.Sprintf("expected a grammar of at most %d bytes, found %d", maxSource, len(src))}
	}
	g := &Grammar{file: file, src: string(src)}
	p := &parser{
		scanner: scanner{text: g.src}, file: file, slots: make(map[string]int),
		// Expressions without input are evaluated now, within bounds.
		fold: &machine{g: g, ctx: context.Background(), cmd: &command{}, steps: 1 << 22, memory: maxMemory},
	}
	defer catch(&err)
	g.body, g.names = p.parse()
	return g, nil
}

// Check checks the input against the grammar. The error is a *Mismatch if the input
// does not match, an *Error if the grammar cannot be evaluated or needs more time
// or memory than a check may use, or the error of ctx.
func (g *Grammar) Check(ctx context.Context, input []byte, o Options) error {
	return g.check(ctx, input, o, maxSteps, maxMemory)
}

func (g *Grammar) check(ctx context.Context, input []byte, o Options, steps, memory int) (err error) {
	m := &machine{
		g: g, in: input, loose: o.WhitespaceOK, ctx: ctx, cmd: &command{},
		vars: make([]variable, len(g.names)), steps: steps, memory: memory,
	}
	defer catch(&err)
	m.pause()
	if m.loose {
		m.skipBlanks()
	}
	m.run(g.body)
	if m.at < len(m.in) {
		m.mismatch(m.at, Mismatch{Found: m.found(m.at), Expected: "end of file", Rule: g.where(len(g.src))})
	}
	return nil
}

// where returns the place of a byte in the grammar as file:line:column.
func (g *Grammar) where(off int) string {
	line, column := lineColumn(g.src, off)
	return fmt.Sprintf("%s:%d:%d", g.file, line, column)
}

// lineColumn returns the line and column of a byte, both from 1.
func lineColumn(text string, off int) (line, column int) {
	before := text[:off]
	return 1 + strings.Count(before, "\n"), off - strings.LastIndexByte(before, '\n')
}

// clip shortens a text for messages. The text may be hostile, so the caller must
// quote the result.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most-3] + "..."
	}
	return s
}

// oneLine returns a part of the grammar as one line for messages.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) || len(s) > 80 {
		return fmt.Sprintf("%q", clip(s))
	}
	return s
}
