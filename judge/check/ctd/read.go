package ctd

import (
	"bytes"
	"fmt"
	"strings"
)

// This file reads the input for commands.

// found describes the input at an offset.
func (m *machine) found(off int) string {
	if off >= len(m.in) {
		return "end of file"
	}
	names := map[byte]string{' ': "a space", '\n': "a newline", '\r': "a carriage return", '\t': "a tab"}
	if s, ok := names[m.in[off]]; ok {
		return s
	}
	end := off
	for end < len(m.in) && end < off+64 && m.in[end] > ' ' {
		end++
	}
	return fmt.Sprintf("%q", clip(string(m.in[off:max(end, off+1)])))
}

func (m *machine) peek() byte {
	if m.at < len(m.in) {
		return m.in[m.at]
	}
	return 0
}

// skipBlanks skips white space except newlines, and reports whether there was any.
func (m *machine) skipBlanks() bool {
	start := m.at
	for m.at < len(m.in) && strings.IndexByte(" \t\r\v\f", m.in[m.at]) >= 0 {
		m.at++
		m.work(1)
	}
	return m.at > start
}

// readByte reads the byte b. name is its name in messages.
func (m *machine) readByte(b byte, name string) {
	if m.peek() != b {
		m.expect(m.at, "%s", name)
	}
	m.at++
}

func (m *machine) space(*command) {
	if !m.loose {
		m.readByte(' ', "a space")
	} else if !m.skipBlanks() {
		m.expect(m.at, "white space")
	}
}

func (m *machine) readEOF(*command) {
	if m.at < len(m.in) {
		m.expect(m.at, "end of file")
	}
}

func (m *machine) newline(*command) {
	if m.loose {
		m.skipBlanks()
	}
	m.readByte('\n', "a newline")
	if m.loose {
		m.skipBlanks()
	}
}

// digits skips digits.
func (m *machine) digits() (n int) {
	start := m.at
	for m.at < len(m.in) && isDigit(m.in[m.at]) {
		m.at++
	}
	m.work((m.at - start) / 8)
	return m.at - start
}

func (m *machine) readInteger(c *command) {
	low, high := m.integer(c.args[0]), m.integer(c.args[1])
	expect := func(off int, what string) {
		m.expect(off, "an integer from %s to %s%s", low, high, what)
	}
	start := m.at
	if m.peek() == '-' {
		m.at++
	}
	first := m.peek()
	n := m.digits()
	switch {
	case n == 0:
		expect(start, "")
	case first == '0' && (n > 1 || m.in[start] == '-'):
		expect(start, " without a minus or zeros before 0")
	// Do not parse more digits than either bound has: the input may have very many.
	case n > 20 && n > (max(low.bits(), high.bits())*302/1000)+2:
		expect(start, "")
	}
	m.work(square(n * 10 / 3))
	x := parseDigits(m.in[start:m.at])
	if m.compare(c.args[0], x, low) < 0 || m.compare(c.args[1], x, high) > 0 {
		expect(start, "")
	}
	if c.vars != nil {
		m.assign(c.vars[0], x)
	}
}

// parseDigits parses an integer of the input.
func parseDigits(s []byte) value {
	if len(s) > 18 {
		return integerOf(string(s))
	}
	var n int64
	for _, c := range bytes.TrimPrefix(s, []byte("-")) {
		n = n*10 + int64(c-'0')
	}
	if s[0] == '-' {
		n = -n
	}
	return small(n)
}

func (m *machine) readFloat(c *command) {
	low, high := m.number(c.args[0]), m.number(c.args[1])
	kind := [...]string{"a float", "a float without an exponent", "a float with an exponent"}[c.notation]
	start := m.at
	expect := func(format string, args ...any) {
		m.expect(start, "%s from %s to %s%s", kind, low, high, fmt.Sprintf(format, args...))
	}
	if m.peek() == '-' {
		m.at++
	}
	first := m.peek()
	before := m.digits()
	decimals, dot := m.fraction()
	exponent := m.exponent(c.notation)
	switch {
	case before == 0, c.notation == scientific && exponent == "":
		expect("")
	case first == '0' && before > 1:
		expect(" without zeros before it")
	case len(exponent) > 1 && exponent[0] == '0':
		expect(" without zeros before its exponent")
	}
	if len(c.args) == 4 { // FLOATP
		least, most := m.decimals(c.args[2]), m.decimals(c.args[3])
		switch {
		case least > most:
			m.failf(c.args[2].off, "at least %d decimals, and at most %d", least, most)
		case exponent != "" && (before != 1 || first == '0' || !dot):
			expect(" with one digit, not 0, before its point")
		case int64(decimals) < least || int64(decimals) > most:
			expect(" with %d to %d decimals", least, most)
		}
	}
	if m.at-start > 2*maxDigits {
		expect(" of at most %d digits", maxDigits)
	}
	m.work(square(before*10/3) + square(decimals*10/3))
	x, ok := floatOf(string(m.in[start:m.at]))
	if !ok {
		expect(" of at most %d digits, its exponent no larger than that", maxDigits)
	}
	if m.compare(c.args[0], x, low) < 0 || m.compare(c.args[1], x, high) > 0 {
		expect("")
	}
	if c.vars != nil {
		m.assign(c.vars[0], x)
	}
}

// decimals evaluates a bound on the decimals of a FLOATP.
func (m *machine) decimals(n *node) int64 {
	v := m.integer(n)
	if v.p != nil || v.n < 0 || v.n > 1<<31-1 {
		m.failf(n.off, "expected 0 to 2^31-1 decimals, found %s", v)
	}
	return v.n
}

// fraction skips a point with digits after it, if it is next.
func (m *machine) fraction() (decimals int, dot bool) {
	if m.peek() != '.' || m.at+1 >= len(m.in) || !isDigit(m.in[m.at+1]) {
		return 0, false
	}
	m.at++
	return m.digits(), true
}

// exponent skips an exponent, if it is next and permitted, and returns its digits.
func (m *machine) exponent(n notation) string {
	if c := m.peek(); n == fixed || c != 'e' && c != 'E' {
		return ""
	}
	back := m.at
	m.at++
	if c := m.peek(); c == '+' || c == '-' {
		m.at++
	}
	start := m.at
	if m.digits() == 0 {
		m.at = back
	}
	return string(m.in[min(start, m.at):min(m.at, start+2)])
}

func (m *machine) readString(c *command) {
	s := m.str(c.args[0])
	m.work(len(s) / 8)
	n := 0
	for n < len(s) && m.at+n < len(m.in) && m.in[m.at+n] == s[n] {
		n++
	}
	if n < len(s) {
		m.expect(m.at+n, "%q", clip(s[n:]))
	}
	m.at += n
}

func (m *machine) readRegex(c *command) {
	a := c.args[0]
	re := a.re
	if re == nil {
		re = m.regex(a, m.str(a))
	}
	n, ok := re.match(m, m.in[m.at:])
	if !ok {
		m.expect(m.at, "a match of %q", clip(re.src))
	}
	start := m.at
	m.at += n
	if c.vars != nil {
		m.assign(c.vars[0], textOf(string(m.in[start:m.at])))
	}
}

// regex compiles a string that is computed during the check.
func (m *machine) regex(at *node, s string) *regex {
	if re := m.compiled[s]; re != nil {
		return re
	}
	const keep = 16
	m.work(len(s) * 4)
	re, err := parseRegex(strings.Clone(s))
	if err != nil {
		m.failf(at.off, "regular expression %q: %v", clip(s), err)
	}
	m.work(len(re.prog))
	if m.compiled == nil || len(m.compiled) >= keep {
		m.compiled = make(map[string]*regex)
	}
	m.compiled[s] = re
	return re
}
