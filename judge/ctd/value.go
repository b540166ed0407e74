package ctd

import (
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

func small(n int64) value   { return value{kind: isInteger, n: n} }
func textOf(s string) value { return value{kind: isText, p: s} }
func ratOf(r *big.Rat) value {
	return value{kind: isFloat, p: r}
}

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
		panic("ctd: no integer: " + clip(s)) // the lexers hand over digits only
	}
	return bigOf(b)
}

// floatOf parses a float of the language. It returns false if the float has more
// digits or a larger exponent than permitted.
func floatOf(s string) (v value, ok bool) {
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n > maxDigits || n < -maxDigits {
			return v, false
		}
		exponent = n
	}
	if i := strings.IndexByte(mantissa, '.'); i >= 0 {
		exponent -= len(mantissa) - i - 1
		mantissa = mantissa[:i] + mantissa[i+1:]
	}
	if len(mantissa) > maxDigits {
		return v, false
	}
	n := integerOf(mantissa).big()
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil)
	r := new(big.Rat)
	if exponent < 0 {
		r.SetFrac(n, power)
	} else {
		r.SetInt(power.Mul(power, n))
	}
	return ratOf(r), true
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
			switch {
			case a.n < b.n:
				return -1
			case a.n > b.n:
				return 1
			}
			return 0
		}
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
	case string:
		m.failf(at.off, "expected a number, found %s", v.kind)
	case *big.Int:
		if p.BitLen() > maxRatBits {
			m.failf(at.off, "an integer of %d bits is too large for a float, which has at most %d", p.BitLen(), maxRatBits)
		}
		return new(big.Rat).SetInt(p)
	}
	return new(big.Rat).SetInt64(v.n)
}

// arithmetic evaluates a op b. The result is an integer if both are integers, and a
// float for other numbers.
func (m *machine) arithmetic(at *node, a, b value) value {
	for i, v := range [...]value{a, b} {
		if v.kind == isText {
			m.failf(at.args[i].off, "expected a number, found a string")
		}
	}
	if a.kind != isInteger || b.kind != isInteger {
		return m.fractions(at, a, b)
	}
	if a.p == nil && b.p == nil {
		if n, ok := machineWord(at.op, a.n, b.n); ok {
			return small(n)
		}
	}
	x, y, z := a.big(), b.big(), new(big.Int)
	switch at.op {
	case opAdd, opSubtract:
		m.room(at, max(x.BitLen(), y.BitLen())+1, maxBits)
		if at.op == opAdd {
			return bigOf(z.Add(x, y))
		}
		return bigOf(z.Sub(x, y))
	case opMultiply:
		m.room(at, x.BitLen()+y.BitLen(), maxBits)
		m.work(square(x.BitLen()) + square(y.BitLen()))
		return bigOf(z.Mul(x, y))
	}
	if y.Sign() == 0 {
		m.failf(at.off, "division by zero: %s", oneLine(m.g.src[at.off:at.end]))
	}
	m.work(square(x.BitLen()))
	if at.op == opDivide {
		return bigOf(z.Quo(x, y))
	}
	return bigOf(z.Rem(x, y))
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

func (m *machine) fractions(at *node, a, b value) value {
	if at.op == opModulo {
		m.failf(at.off, "expected integers, found %% of a float: %s", oneLine(m.g.src[at.off:at.end]))
	}
	x, y, z := m.rat(at, a), m.rat(at, b), new(big.Rat)
	m.room(at, a.bits()+b.bits()+1, maxRatBits)
	m.work(4 * square(a.bits()+b.bits()))
	switch at.op {
	case opAdd:
		z.Add(x, y)
	case opSubtract:
		z.Sub(x, y)
	case opMultiply:
		z.Mul(x, y)
	case opDivide:
		if y.Sign() == 0 {
			m.failf(at.off, "division by zero: %s", oneLine(m.g.src[at.off:at.end]))
		}
		z.Quo(x, y)
	}
	return ratOf(z)
}

// power evaluates a ^ b.
func (m *machine) power(at *node, a, b value) value {
	switch {
	case a.kind == isText:
		m.failf(at.args[0].off, "expected a number, found a string")
	case b.kind != isInteger:
		m.failf(at.args[1].off, "expected an integer as the exponent, found %s", b.kind)
	case !b.big().IsUint64():
		m.failf(at.args[1].off, "expected an integer from 0 to 2^64-1 as the exponent, found %s", b)
	}
	e := b.big()
	size := func(x *big.Int, most int) {
		// The powers of 0, 1 and -1 do not grow.
		if n := x.BitLen(); n > 1 {
			if !e.IsInt64() || e.Int64() > int64(most/(n-1)+1) {
				m.failf(at.off, "%s is larger than %d bits", oneLine(m.g.src[at.off:at.end]), most)
			}
			n *= int(e.Int64())
			m.room(at, n, most)
			m.work(square(n))
		}
	}
	if a.kind == isInteger {
		size(a.big(), maxBits)
		return bigOf(raise(a.big(), e))
	}
	r := a.p.(*big.Rat)
	size(r.Num(), maxRatBits)
	size(r.Denom(), maxRatBits)
	return ratOf(new(big.Rat).SetFrac(raise(r.Num(), e), raise(r.Denom(), e)))
}

// raise returns x^e. If x is 0, 1 or -1, e may be huge.
func raise(x, e *big.Int) *big.Int {
	if x.BitLen() <= 1 && e.Sign() > 0 {
		if x.Sign() < 0 && e.Bit(0) == 0 {
			return big.NewInt(1)
		}
		return x
	}
	return new(big.Int).Exp(x, e, nil)
}

// room ends the check if the result would be too large, and charges its memory.
func (m *machine) room(at *node, bits, most int) {
	if bits > most {
		m.failf(at.off, "%s is larger than %d bits", oneLine(m.g.src[at.off:at.end]), most)
	}
	m.work(bits / 64)
}
