package ctd

import (
	"errors"
	"fmt"
)

// A regex is a regular expression of doc/regex-spec.md: leftmost-first, over bytes,
// where . matches any byte. Package regexp differs: \d and ^ have other meanings,
// it matches characters, and it repeats at most 1000 times, while grammars often
// contain [a-z]{1,100000}.
type regex struct {
	src  string
	runs []run // if runs can express it
	prog []inst
}

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *set) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

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

type regexParser struct {
	src   string
	at    int
	depth int
}

// parseRegex parses and compiles a regular expression.
func parseRegex(src string) (*regex, error) {
	p := &regexParser{src: src}
	root, err := p.choice()
	if err == nil && p.at < len(src) {
		err = errors.New("a ) without its (")
	}
	if err != nil {
		return nil, err
	}
	re := &regex{src: src}
	if re.runs = runsOf(root); re.runs != nil {
		return re, nil
	}
	c := compiler{}
	c.emit(root)
	c.add(inst{op: instMatch})
	if len(c.prog) > maxInsts {
		return nil, errors.New("it repeats too much")
	}
	re.prog = c.prog
	return re, nil
}

func (p *regexParser) more() bool { return p.at < len(p.src) }

func (p *regexParser) choice() (*part, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	choice := &part{is: isChoice}
	for {
		row, err := p.row()
		if err != nil {
			return nil, err
		}
		choice.parts = append(choice.parts, row)
		if !p.more() || p.src[p.at] != '|' {
			break
		}
		p.at++
	}
	if len(choice.parts) == 1 {
		return choice.parts[0], nil
	}
	return choice, nil
}

func (p *regexParser) row() (*part, error) {
	row := &part{is: isRow}
	repeated := false
	for p.more() && p.src[p.at] != '|' && p.src[p.at] != ')' {
		switch c := p.src[p.at]; c {
		case '*', '+', '?', '{':
			low, high, err := p.repeat()
			switch {
			case err != nil:
				return nil, err
			case len(row.parts) == 0:
				return nil, fmt.Errorf("nothing for %c to repeat", c)
			case repeated:
				return nil, fmt.Errorf("%c repeats a repetition: expected parentheses", c)
			}
			last := &row.parts[len(row.parts)-1]
			*last = &part{is: isRepeat, parts: []*part{*last}, min: low, max: high}
			repeated = true
			continue
		}
		one, err := p.one()
		if err != nil {
			return nil, err
		}
		row.parts = append(row.parts, one)
		repeated = false
	}
	return row, nil
}

// one reads an item that a repetition may follow.
func (p *regexParser) one() (*part, error) {
	switch p.src[p.at] {
	case '(':
		p.at++
		inner, err := p.choice()
		if err != nil {
			return nil, err
		}
		if !p.more() {
			return nil, errors.New("a ( without its )")
		}
		p.at++
		return inner, nil
	case '[':
		return p.brackets()
	case '.':
		p.at++
		return &part{set: set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}}, nil
	}
	one := &part{}
	one.set.add(p.char())
	return one, nil
}

// char reads a character that stands for itself, with or without a backslash. A
// backslash before an ordinary character is an ordinary character.
func (p *regexParser) char() byte {
	c := p.src[p.at]
	p.at++
	if c == '\\' && p.more() && isSpecial(p.src[p.at]) {
		c = p.src[p.at]
		p.at++
	}
	return c
}

func isSpecial(c byte) bool {
	for i := range len(special) {
		if special[i] == c {
			return true
		}
	}
	return false
}

// repeat reads *, +, ? or a count.
func (p *regexParser) repeat() (low, high int, err error) {
	c := p.src[p.at]
	p.at++
	switch c {
	case '*':
		return 0, endless, nil
	case '+':
		return 1, endless, nil
	case '?':
		return 0, 1, nil
	}
	low, given, err := p.count()
	if err != nil {
		return 0, 0, err
	}
	high = low
	if p.more() && p.src[p.at] == ',' {
		p.at++
		var bounded bool
		if high, bounded, err = p.count(); err != nil {
			return 0, 0, err
		}
		if !bounded {
			high = endless
		}
	} else if !given {
		return 0, 0, errors.New("a { without a number")
	}
	if !p.more() || p.src[p.at] != '}' {
		return 0, 0, errors.New("a { without its }")
	}
	p.at++
	if high != endless && high < low {
		return 0, 0, fmt.Errorf("{%d,%d} has its numbers in the wrong order", low, high)
	}
	return low, high, nil
}

func (p *regexParser) count() (n int, given bool, err error) {
	start := p.at
	for p.more() && isDigit(p.src[p.at]) {
		if n = n*10 + int(p.src[p.at]-'0'); n >= maxRepeats {
			return 0, false, errors.New("it repeats too much")
		}
		p.at++
	}
	if p.at > start+1 && p.src[start] == '0' {
		return 0, false, fmt.Errorf("a count with superfluous zeros: %s", clip(p.src[start:p.at]))
	}
	return n, p.at > start, nil
}

// brackets reads a set of characters and ranges.
func (p *regexParser) brackets() (*part, error) {
	one := &part{}
	p.at++
	not := p.more() && p.src[p.at] == '^'
	if not {
		p.at++
	}
	start := p.at
	for p.more() && p.src[p.at] != ']' {
		if p.src[p.at] == '[' {
			return nil, errors.New(`a [ in a set: expected \[; names such as [:digit:] are not supported`)
		}
		from := p.char()
		to := from
		// A - is only permitted in a range between two characters.
		if p.at+1 < len(p.src) && p.src[p.at] == '-' && p.src[p.at+1] != ']' {
			p.at++
			if p.src[p.at] == '[' {
				return nil, errors.New(`a [ in a set: expected \[`)
			}
			to = p.char()
		}
		if to < from {
			return nil, fmt.Errorf("the range %q-%q is in the wrong order", from, to)
		}
		for b := int(from); b <= int(to); b++ {
			one.set.add(byte(b))
		}
	}
	switch {
	case !p.more():
		return nil, errors.New("a [ without its ]")
	case p.at == start:
		return nil, errors.New("a set without characters")
	}
	p.at++
	if not {
		for i := range one.set {
			one.set[i] = ^one.set[i]
		}
	}
	return one, nil
}
