package ctd

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

type kind uint8

const (
	isUnset kind = iota
	isInteger
	isFloat
	isText
)

func (k kind) String() string {
	return [...]string{"nothing", "an integer", "a float", "a string"}[k]
}

// A value is the value of a variable or an expression. It is immutable.
type value struct {
	kind kind
	n    int64 // an integer, if p is nil
	p    any   // a *big.Int outside int64, a *big.Rat, or a string
}

func small(n int64) value    { return value{kind: isInteger, n: n} }
func textOf(s string) value  { return value{kind: isText, p: s} }
func ratOf(r *big.Rat) value { return value{kind: isFloat, p: r} }

func bigOf(b *big.Int) value {
	if b.IsInt64() {
		return small(b.Int64())
	}
	return value{kind: isInteger, p: b}
}

// integerOf parses digits, with or without a minus.
func integerOf(s string) value {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return small(n)
	}
	b, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic("ctd: no integer: " + clip(s)) // the lexers pass only digits
	}
	return bigOf(b)
}

// floatOf parses a float of the language. It returns false if the float has more
// digits or a larger exponent than permitted.
func floatOf(s string) (v value, ok bool) {
	mantissa, exponent := s, "0"
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
	}
	n, err := strconv.Atoi(exponent)
	if err != nil || max(n, -n) > maxDigits || len(strings.Replace(mantissa, ".", "", 1)) > maxDigits {
		return v, false
	}
	r, ok := new(big.Rat).SetString(s)
	return ratOf(r), ok
}

func (v value) text() string { return v.p.(string) }

// big returns an integer that the caller must not change.
func (v value) big() *big.Int {
	if v.p != nil {
		return v.p.(*big.Int)
	}
	return big.NewInt(v.n)
}

// bits returns the size of a number in bits.
func (v value) bits() int {
	switch p := v.p.(type) {
	case *big.Int:
		return p.BitLen()
	case *big.Rat:
		return p.Num().BitLen() + p.Denom().BitLen()
	}
	return 64
}

// bytes returns the approximate memory of a value in addition to its cell.
func (v value) bytes() int {
	switch p := v.p.(type) {
	case nil:
		return 0
	case string:
		return len(p)
	}
	return v.bits() / 8
}

// String describes a value in messages.
func (v value) String() string {
	switch v.kind {
	case isInteger:
		if v.p == nil {
			return strconv.FormatInt(v.n, 10)
		}
		if n := v.bits(); n > 128 {
			return fmt.Sprintf("an integer of %d bits", n)
		}
		return v.big().String()
	case isFloat:
		r := v.p.(*big.Rat)
		if v.bits() > 1<<12 {
			return "a float of many digits"
		}
		return new(big.Float).SetRat(r).Text('g', 15)
	case isText:
		return fmt.Sprintf("%q", clip(v.text()))
	}
	return "nothing"
}

// A key is a comparable form of a value. Equal numbers have equal keys, also an
// integer and a float.
type key struct {
	kind kind
	n    int64
	s    string
}

func (m *machine) keyOf(v value) key {
	m.work(v.bits() / 8)
	switch p := v.p.(type) {
	case *big.Int:
		m.work(square(v.bits()))
		return key{kind: isInteger, s: p.Text(62)}
	case *big.Rat:
		if p.IsInt() {
			return m.keyOf(bigOf(p.Num()))
		}
		m.work(square(v.bits()))
		return key{kind: isFloat, s: p.Num().Text(62) + "/" + p.Denom().Text(62)}
	case string:
		m.work(len(p))
		return key{kind: isText, s: p}
	}
	return key{kind: v.kind, n: v.n}
}

// square returns the approximate number of steps to multiply, divide, parse or
// print numbers of that many bits.
func square(bits int) int {
	words := bits/64 + 1
	return words + words*words/16
}

// compare compares two values like cmp.Compare. It ends the check if they cannot be
// compared.
func (m *machine) compare(at *node, a, b value) int {
	switch {
	case a.kind == isText && b.kind == isText:
		m.work(min(len(a.text()), len(b.text())) / 8)
		return strings.Compare(a.text(), b.text())
	case a.kind == isText || b.kind == isText:
		m.failf(at.off, "%s cannot be compared with %s", a.kind, b.kind)
	case a.kind == isInteger && b.kind == isInteger:
		if a.p == nil && b.p == nil {
			return cmp.Compare(a.n, b.n)
		}
		m.work((a.bits() + b.bits()) / 64)
		return a.big().Cmp(b.big())
	}
	m.work(square(a.bits() + b.bits()))
	return m.rat(at, a).Cmp(m.rat(at, b))
}

// rat returns a number as a float that the caller must not change.
func (m *machine) rat(at *node, v value) *big.Rat {
	switch p := v.p.(type) {
	case *big.Rat:
		return p
	case *big.Int:
		if p.BitLen() > maxRatBits {
			m.failf(at.off, "an integer of %d bits is too large for a float, which has at most %d", p.BitLen(), maxRatBits)
		}
		return new(big.Rat).SetInt(p)
	}
	return new(big.Rat).SetInt64(v.n)
}

// The operations on numbers that do not fit into a machine word.
var (
	onIntegers = map[op]func(z, x, y *big.Int) *big.Int{
		opAdd: (*big.Int).Add, opSubtract: (*big.Int).Sub, opMultiply: (*big.Int).Mul, opDivide: (*big.Int).Quo,
		opModulo: (*big.Int).Rem,
	}
	onFloats = map[op]func(z, x, y *big.Rat) *big.Rat{
		opAdd: (*big.Rat).Add, opSubtract: (*big.Rat).Sub, opMultiply: (*big.Rat).Mul, opDivide: (*big.Rat).Quo,
	}
)

// integers evaluates a op b; the result is an integer.
func (m *machine) integers(at *node, a, b value) value {
	if a.p == nil && b.p == nil {
		if n, ok := machineWord(at.op, a.n, b.n); ok {
			return small(n)
		}
	}
	x, y := a.big(), b.big()
	size := x.BitLen()
	switch at.op {
	case opAdd, opSubtract:
		size = max(size, y.BitLen()) + 1
	case opMultiply:
		m.work(square(size) + square(y.BitLen()))
		size += y.BitLen()
	default:
		m.notZero(at, y.Sign())
		m.work(square(size))
	}
	m.room(at, size, maxBits)
	return bigOf(onIntegers[at.op](new(big.Int), x, y))
}

// notZero ends the check at a division by zero.
func (m *machine) notZero(at *node, sign int) {
	if sign == 0 {
		m.failf(at.off, "division by zero: %s", m.source(at))
	}
}

// machineWord evaluates operations that fit into 64 bits; otherwise ok is false.
func machineWord(o op, a, b int64) (n int64, ok bool) {
	switch o {
	case opAdd:
		n = a + b
		return n, (n > a) == (b > 0)
	case opSubtract:
		n = a - b
		return n, (n < a) == (b > 0)
	case opMultiply:
		high, low := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
		return a * b, high == 0 && low < 1<<63
	}
	// The least int64 has no negative.
	if b == 0 || b == -1 {
		return 0, false
	}
	if o == opDivide {
		return a / b, true
	}
	return a % b, true
}

// fractions evaluates a op b, of which one is a float; the result is a float.
func (m *machine) fractions(at *node, a, b value) value {
	x, y := m.rat(at, a), m.rat(at, b)
	m.room(at, a.bits()+b.bits()+1, maxRatBits)
	m.work(4 * square(a.bits()+b.bits()))
	switch at.op {
	case opModulo:
		m.failf(at.off, "expected integers, found %% of a float: %s", m.source(at))
	case opDivide:
		m.notZero(at, y.Sign())
	}
	return ratOf(onFloats[at.op](new(big.Rat), x, y))
}

// power evaluates a ^ b.
func (m *machine) power(at *node, a, b value) value {
	if b.kind != isInteger || !b.big().IsUint64() {
		m.failf(at.args[1].off, "expected an integer from 0 to 2^64-1 as the exponent, found %s", b)
	}
	e := b.big()
	raise := func(x *big.Int, most int) *big.Int {
		// The powers of 0, 1 and -1 do not grow.
		if n := x.BitLen(); n > 1 {
			if !e.IsInt64() || e.Int64() > int64(most/(n-1)+1) {
				m.tooLarge(at, most)
			}
			n *= int(e.Int64())
			m.room(at, n, most)
			m.work(square(n))
		}
		return new(big.Int).Exp(x, e, nil)
	}
	if a.kind == isInteger {
		return bigOf(raise(a.big(), maxBits))
	}
	r := a.p.(*big.Rat)
	return ratOf(new(big.Rat).SetFrac(raise(r.Num(), maxRatBits), raise(r.Denom(), maxRatBits)))
}

// room ends the check if the result would be too large, and charges its memory.
func (m *machine) room(at *node, bits, most int) {
	if bits > most {
		m.tooLarge(at, most)
	}
	m.work(bits / 64)
}

func (m *machine) tooLarge(at *node, most int) {
	m.failf(at.off, "%s is larger than %d bits", m.source(at), most)
}
