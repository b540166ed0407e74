// Package ctd checks inputs against grammars in the Checktestdata language,
// the .ctd input validators of problem packages (2025-09, "Input validators").
//
// A grammar is a program that reads the input once from its beginning to its
// end: INT(1, 100, n) NEWLINE REP(n, SPACE) INT(0, 9) END NEWLINE. The
// language is that of doc/format-spec.md and doc/regex-spec.md of the project
// DOMjudge/checktestdata, as of March 2026. Where these leave something open,
// its own program decides, and where that is a trap the grammar is refused:
//
//   - A number in the input has no superfluous zeros before it, nor in its
//     exponent, and integers no -0, as the program has it for FLOAT too.
//   - A literal such as 1. is a float. One such as 007 is refused: the document
//     has no such integer, the program reads it in base 8.
//   - a || b && c and !a && b want parentheses: by the document's "usual logical
//     operators" these mean a || (b && c) and (!a) && b, but the program takes
//     && and || from left to right, and has ! negate all that follows.
//   - UNIQUE and INARRAY see no values in a variable that is not set now; one
//     that the grammar sets nowhere is refused.
//   - UNIQUE is a test as any other, so it can be negated.
//
// Integers and floats are exact, a float is a fraction. Characters are bytes,
// in strings, in regular expressions and in the columns of messages.
//
// Grammars and inputs may be hostile. The time of a check is bounded by its
// context and by a number of steps, its memory by a number of bytes.
package ctd

import (
	"context"
	"fmt"
	"strings"
)

const (
	maxSource  = 1 << 18 // bytes of a grammar
	maxDepth   = 200     // commands in commands, and parentheses in parentheses
	maxSteps   = 1 << 30 // of one check; a step is some 10 ns
	maxMemory  = 1 << 29 // bytes of variables, about: 10 million in an array
	maxBits    = 1 << 22 // of an integer: 1.2 million digits
	maxRatBits = 1 << 20 // of a float's numerator, and of its denominator
	maxDigits  = 20_000  // of a float in the input; also the most its exponent may be
)

// A Grammar is a program of the Checktestdata language. It may be used by
// several goroutines at once.
type Grammar struct {
	file  string
	src   string
	body  []*command
	names []string // of the variables
}

// An Error says what is wrong with a grammar: it cannot be read, or it asked
// for what cannot be done, such as a division by zero.
type Error struct {
	File         string
	Line, Column int // from 1; a column is a byte
	Msg          string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// A Mismatch says where an input is not as its grammar wants it.
type Mismatch struct {
	Line, Column  int    // in the input, from 1; a column is a byte
	Found, Wanted string // for people; bounded and printable
	Rule          string // file:line:column of the command in the grammar
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("line %d, column %d: found %s, want %s (%s)", m.Line, m.Column, m.Found, m.Wanted, m.Rule)
}

// Options change what a check accepts.
type Options struct {
	// WhitespaceOK takes any white space but newlines for a SPACE, and skips it
	// where lines begin and end, as checktestdata --whitespace-ok does.
	WhitespaceOK bool
}

// ParseOptions reads the arguments that checktestdata knows for checking. It
// takes no constants: presets are for generating only.
func ParseOptions(args []string) (o Options, err error) {
	for _, arg := range args {
		switch arg {
		case "-w", "--whitespace-ok":
			o.WhitespaceOK = true
		default:
			return o, fmt.Errorf("argument %q: want -w or --whitespace-ok", clip(arg))
		}
	}
	return o, nil
}

// Parse reads a grammar; file is its name in messages. Every error is an
// *Error.
func Parse(file string, src []byte) (*Grammar, error) {
	p := &parser{file: file, src: string(src), slots: make(map[string]int)}
	if len(src) > maxSource {
		return nil, &Error{file, 1, 1, fmt.Sprintf("a grammar of %d bytes, want at most %d", len(src), maxSource)}
	}
	return p.parse()
}

// Check reads the input by the grammar. The error is a *Mismatch if the input
// is not as the grammar wants, an *Error if the grammar fails at it or needs
// more time or memory than a check may take, or the context's.
func (g *Grammar) Check(ctx context.Context, input []byte, o Options) error {
	return g.check(ctx, input, o, maxSteps, maxMemory)
}

func (g *Grammar) check(ctx context.Context, input []byte, o Options, steps, memory int) (err error) {
	m := &machine{
		g: g, in: input, loose: o.WhitespaceOK, ctx: ctx,
		vars: make([]variable, len(g.names)), steps: steps, memory: memory,
	}
	defer func() {
		// The machine stops from the depth of an expression by a panic of this
		// type alone.
		switch r := recover().(type) {
		case nil:
		case halt:
			err = r.err
		default:
			panic(r)
		}
	}()
	m.pause()
	if m.loose {
		m.skipBlanks()
	}
	m.run(g.body)
	if m.at < len(m.in) {
		m.mismatch(m.at, Mismatch{Found: m.found(m.at), Wanted: "end of file", Rule: g.where(len(g.src))})
	}
	return nil
}

// where tells a place in the grammar.
func (g *Grammar) where(off int) string {
	line, column := lineColumn(g.src, off)
	return fmt.Sprintf("%s:%d:%d", g.file, line, column)
}

// lineColumn tells the line and column of a byte, both from 1.
func lineColumn[T string | []byte](text T, off int) (line, column int) {
	line, column = 1, 1
	for i := range off {
		column++
		if text[i] == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

// clip bounds what is told of texts, which may be hostile; the result is to be
// quoted.
func clip(s string) string {
	const most = 40
	if len(s) > most {
		return s[:most-3] + "..."
	}
	return s
}

// oneLine makes a piece of the grammar fit for a message.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) || len(s) > 80 {
		return fmt.Sprintf("%q", clip(s))
	}
	return s
}
