package ctd

import (
	"fmt"
	"strings"
)

type kindOf uint8

const (
	endOfFile kindOf = iota
	word             // a command, test or option: uppercase letters
	name             // the name of a variable
	integerLit
	floatLit
	stringLit
	operator
)

// A token is a lexical unit of a grammar.
type token struct {
	kind     kindOf
	off, end int    // offsets in the grammar
	text     string // as written; for a string, its value
}

func (t token) is(op string) bool { return t.kind == operator && t.text == op }

// String describes a token in messages.
func (t token) String() string {
	switch t.kind {
	case endOfFile:
		return "the end of the file"
	case stringLit:
		return fmt.Sprintf("the string %q", clip(t.text))
	}
	return fmt.Sprintf("%q", clip(t.text))
}

// operators lists the operators, longer ones before their prefixes.
var operators = []string{"&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "^", "(", ")", "[", "]", ","}

// next reads the next token into p.tok.
func (p *parser) next() {
	p.last = p.tok.end
	p.skip()
	t := token{off: p.at}
	switch c := p.peek(); {
	case p.at == len(p.src):
	case isUpper(c):
		t.kind = word
		p.while(isUpper)
	case isLower(c):
		t.kind = name
		p.while(func(c byte) bool { return isLower(c) || isDigit(c) })
	case isDigit(c):
		t.kind = p.number()
	case c == '"':
		t.kind, t.text = stringLit, p.quoted()
	default:
		t.kind = operator
		for _, op := range operators {
			if strings.HasPrefix(p.src[p.at:], op) {
				t.text = op
				break
			}
		}
		if t.text == "" {
			p.failf(p.at, "%q has no meaning here", clip(p.src[p.at:p.at+1]))
		}
		p.at += len(t.text)
	}
	t.end = p.at
	if t.text == "" && t.kind != stringLit {
		t.text = p.src[t.off:t.end]
	}
	p.tok = t
}

// skip skips white space and comments. A comment begins with # anywhere and ends
// with the line.
func (p *parser) skip() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		case '#':
			p.while(func(c byte) bool { return c != '\n' })
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *parser) while(is func(byte) bool) (n int) {
	for p.at < len(p.src) && is(p.src[p.at]) {
		p.at++
		n++
	}
	return n
}

// number reads an integer or float. It has no sign; the parser treats a sign as an
// operator.
func (p *parser) number() kindOf {
	start, kind := p.at, integerLit
	p.while(isDigit)
	if p.src[start] == '0' && p.at > start+1 {
		p.failf(start, "a number with superfluous zeros: %q", clip(p.src[start:p.at]))
	}
	if p.peek() == '.' {
		kind = floatLit
		p.at++
		p.while(isDigit)
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		kind = floatLit
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if p.while(isDigit) == 0 {
			p.failf(start, "a number without the digits of its exponent: %q", clip(p.src[start:p.at]))
		}
	}
	return kind
}

// quoted reads a string. A backslash that escapes nothing stands for itself.
func (p *parser) quoted() string {
	start := p.at
	p.at++
	var b strings.Builder
	for p.at < len(p.src) {
		c := p.src[p.at]
		p.at++
		switch {
		case c == '"':
			return b.String()
		case c != '\\' || p.at == len(p.src):
			b.WriteByte(c)
		default:
			p.escaped(&b)
		}
	}
	p.failf(start, "a string that does not end")
	return ""
}

func (p *parser) escaped(b *strings.Builder) {
	c := p.src[p.at]
	if c >= '0' && c <= '7' {
		start, n := p.at, 0
		for p.at < len(p.src) && p.at < start+3 && p.src[p.at] >= '0' && p.src[p.at] <= '7' {
			n = n*8 + int(p.src[p.at]-'0')
			p.at++
		}
		if n > 255 {
			p.failf(start-1, "an octal escape beyond \\377: %q", p.src[start-1:p.at])
		}
		b.WriteByte(byte(n))
		return
	}
	p.at++
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b':
		b.WriteByte('\b')
	case '"', '\\':
		b.WriteByte(c)
	case '\n':
		// A line continues.
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
