package ctd

import (
	"fmt"
	"strconv"
)

// A regex is a regular expression of doc/regex-spec.md: leftmost-first, over bytes,
// where . matches any byte. Package regexp differs: \d and ^ have other meanings,
// it matches characters, and it repeats at most 1000 times, while grammars often
// contain [a-z]{1,100000}.
type regex struct {
	src  string
	runs []run // if runs can express it

	prog  []inst
	start int32 // index of the first instruction
}

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *set) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

func (s *set) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

func (s *set) meets(t *set) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

const (
	endless    = -1
	maxRepeats = 1 << 31
	maxInsts   = 1 << 18 // instructions of one regular expression
)

// A part is a piece of a regular expression: a set of bytes, a sequence,
// alternatives, or a repetition of its only part.
type part struct {
	is       partKind
	set      set
	parts    []*part
	min, max int // bounds of a repetition; max may be endless
}

type partKind uint8

const (
	isSet partKind = iota
	isRow
	isChoice
	isRepeat
)

// special lists the characters that need a backslash to stand for themselves.
const special = `(){}[]*+?|\^.-`

// A regexParser stops at an error by a halt.
type regexParser struct {
	scanner
	depth int
}

func (p *regexParser) failf(format string, args ...any) { panic(halt{fmt.Errorf(format, args...)}) }

// parseRegex parses and compiles a regular expression.
func parseRegex(src string) (_ *regex, err error) {
	defer catch(&err)
	p := &regexParser{scanner: scanner{text: src}}
	root := p.choice()
	if p.at < len(src) {
		p.failf("a ) without its (")
	}
	re := &regex{src: src}
	if re.runs = runsOf(root); re.runs != nil {
		return re, nil
	}
	if re.automaton(root); re.full() {
		p.failf("it repeats too much")
	}
	return re, nil
}

// automaton compiles the program of a part.
func (re *regex) automaton(root *part) {
	re.start = re.compile(root, re.add(inst{}))
}

func (p *regexParser) choice() *part {
	if p.depth++; p.depth > maxDepth {
		p.failf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	choice := &part{is: isChoice}
	for again := true; again; again = p.accepts("|") {
		choice.parts = append(choice.parts, p.row())
	}
	if len(choice.parts) == 1 {
		return choice.parts[0]
	}
	return choice
}

func (p *regexParser) row() *part {
	row := &part{is: isRow}
	repeated := false
	for p.at < len(p.text) && p.peek() != '|' && p.peek() != ')' {
		c := p.peek()
		if !p.accepts("*+?{") {
			row.parts = append(row.parts, p.one())
			repeated = false
			continue
		}
		low, high := p.repeat(c)
		switch {
		case len(row.parts) == 0:
			p.failf("nothing for %c to repeat", c)
		case repeated:
			p.failf("%c repeats a repetition: expected parentheses", c)
		}
		last := &row.parts[len(row.parts)-1]
		*last = &part{is: isRepeat, parts: []*part{*last}, min: low, max: high}
		repeated = true
	}
	return row
}

// one reads an item that a repetition may follow.
func (p *regexParser) one() *part {
	one := &part{}
	switch {
	case p.accepts("("):
		inner := p.choice()
		if !p.accepts(")") {
			p.failf("a ( without its )")
		}
		return inner
	case p.accepts("["):
		p.brackets(&one.set)
	case p.accepts("."):
		one.set.invert()
	default:
		one.set.add(p.char())
	}
	return one
}

// char reads a character that stands for itself, with or without a backslash. A
// backslash before an ordinary character is an ordinary character.
func (p *regexParser) char() byte {
	c := p.peek()
	p.at++
	if c == '\\' && p.accepts(special) {
		c = p.text[p.at-1]
	}
	return c
}

// repeat reads the rest of *, +, ? or a count.
func (p *regexParser) repeat(c byte) (low, high int) {
	switch c {
	case '*':
		return 0, endless
	case '+':
		return 1, endless
	case '?':
		return 0, 1
	}
	low, given := p.count()
	high = low
	if p.accepts(",") {
		var bounded bool
		if high, bounded = p.count(); !bounded {
			high = endless
		}
	} else if !given {
		p.failf("a { without a number")
	}
	if !p.accepts("}") {
		p.failf("a { without its }")
	}
	if high != endless && high < low {
		p.failf("{%d,%d} has its numbers in the wrong order", low, high)
	}
	return low, high
}

func (p *regexParser) count() (n int, given bool) {
	digits := p.while(isDigit)
	if len(digits) > 1 && digits[0] == '0' {
		p.failf("a count with superfluous zeros: %s", clip(digits))
	}
	n, err := strconv.Atoi(digits)
	if digits != "" && (err != nil || n >= maxRepeats) {
		p.failf("it repeats too much")
	}
	return n, digits != ""
}

// brackets reads a set of characters and ranges.
func (p *regexParser) brackets(s *set) {
	not := p.accepts("^")
	start := p.at
	for p.at < len(p.text) && p.peek() != ']' {
		if p.peek() == '[' {
			p.failf(`a [ in a set: expected \[; names such as [:digit:] are not supported`)
		}
		from := p.char()
		to := from
		// A - is only permitted in a range between two characters.
		if p.at+1 < len(p.text) && p.text[p.at+1] != ']' && p.accepts("-") {
			if p.peek() == '[' {
				p.failf(`a [ in a set: expected \[`)
			}
			to = p.char()
		}
		if to < from {
			p.failf("the range %q-%q is in the wrong order", from, to)
		}
		for b := int(from); b <= int(to); b++ {
			s.add(byte(b))
		}
	}
	empty := p.at == start
	switch {
	case !p.accepts("]"):
		p.failf("a [ without its ]")
	case empty:
		p.failf("a set without characters")
	}
	if not {
		s.invert()
	}
}
