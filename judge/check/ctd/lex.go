package ctd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

type kindOf uint8

const (
	endOfFile kindOf = iota
	word             // a command, test or option: uppercase letters
	name             // the name of a variable
	literal
	operator
)

// A token is a lexical unit of a grammar.
type token struct {
	kind     kindOf
	off, end int    // offsets in the grammar
	text     string // as written
	value    value  // of a literal
}

func (t token) is(op string) bool { return t.kind == operator && t.text == op }

// String describes a token in messages.
func (t token) String() string {
	switch {
	case t.kind == endOfFile:
		return "the end of the file"
	case t.value.kind == isText:
		return "the string " + t.value.String()
	}
	return fmt.Sprintf("%q", clip(t.text))
}

// operators lists the operators, longer ones before their prefixes.
var operators = []string{"&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "^", "(", ")",
	"[", "]", ","}

// next reads the next token into p.tok.
func (p *parser) next() {
	p.last = p.tok.end
	p.skip()
	t := token{off: p.at}
	switch c := p.peek(); {
	case p.at == len(p.text):
	case isUpper(c):
		t.kind = word
		p.while(isUpper)
	case isLower(c):
		t.kind = name
		p.while(func(c byte) bool { return isLower(c) || isDigit(c) })
	case isDigit(c):
		t.kind, t.value = literal, p.number()
	case c == '"':
		t.kind, t.value = literal, textOf(p.quoted())
	default:
		t.kind = operator
		i := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(p.text[p.at:], op) })
		if i < 0 {
			p.failf(p.at, "unexpected character %q", clip(p.text[p.at:p.at+1]))
		}
		p.at += len(operators[i])
	}
	t.end = p.at
	t.text = p.text[t.off:t.end]
	p.tok = t
}

// A scanner reads a text byte by byte.
type scanner struct {
	text string
	at   int
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// accepts skips the next byte if it is one of several.
func (s *scanner) accepts(chars string) bool {
	ok := s.at < len(s.text) && strings.IndexByte(chars, s.text[s.at]) >= 0
	if ok {
		s.at++
	}
	return ok
}

// while skips bytes, and returns them.
func (s *scanner) while(is func(byte) bool) string {
	start := s.at
	for s.at < len(s.text) && is(s.text[s.at]) {
		s.at++
	}
	return s.text[start:s.at]
}

// skip skips white space and comments. A comment begins with # anywhere and ends
// with the line.
func (p *parser) skip() {
	for {
		switch {
		case p.accepts(" \t\r\n"):
		case p.peek() == '#':
			p.while(func(c byte) bool { return c != '\n' })
		default:
			return
		}
	}
}

// number reads an integer or float. It has no sign; the parser treats a sign as an
// operator.
func (p *parser) number() value {
	start, integer := p.at, true
	p.while(isDigit)
	if p.text[start] == '0' && p.at > start+1 {
		p.failf(start, "a number with superfluous zeros: %q", clip(p.text[start:p.at]))
	}
	if p.accepts(".") {
		integer = false
		p.while(isDigit)
	}
	if p.accepts("eE") {
		integer = false
		p.accepts("+-")
		if p.while(isDigit) == "" {
			p.failf(start, "a number without the digits of its exponent: %q", clip(p.text[start:p.at]))
		}
	}
	if integer {
		return integerOf(p.text[start:p.at])
	}
	v, ok := floatOf(p.text[start:p.at])
	if !ok {
		p.failf(start, "a float of more than %d digits, or with as large an exponent", maxDigits)
	}
	return v
}

// quoted reads a string. A backslash that escapes nothing stands for itself.
func (p *parser) quoted() string {
	start := p.at
	p.at++
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return b.String()
		case c != '\\' || p.at == len(p.text):
			b.WriteByte(c)
		default:
			p.escaped(&b)
		}
	}
	p.failf(start, "a string that does not end")
	return ""
}

// escapes maps escaped characters to their meaning; \ before a newline continues the
// line.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", '"': `"`, '\\': `\`, '\n': ""}

func (p *parser) escaped(b *strings.Builder) {
	start := p.at
	octal := p.while(func(c byte) bool { return c >= '0' && c <= '7' && p.at < start+3 })
	if octal == "" {
		c := p.text[p.at]
		p.at++
		if s, ok := escapes[c]; ok {
			b.WriteString(s)
		} else {
			b.WriteString(p.text[start-1 : p.at])
		}
		return
	}
	n, err := strconv.ParseUint(octal, 8, 8)
	if err != nil {
		p.failf(start-1, "an octal escape beyond \\377: %q", p.text[start-1:p.at])
	}
	b.WriteByte(byte(n))
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
