package check

import (
	"bytes"
	"math/big"
	"slices"
	"strconv"
)

// maxFloat is the maximum length, in bytes, of a token that is read as a number.
// The specification permits a limit on the digits of at least 30 before and after
// the point. An exponent may have 18 digits after leading zeros. Tokens beyond
// these limits are not floating-point numbers here.
const (
	maxFloat    = 4096
	maxExponent = 18
)

// A decimal is the exact number ±digits × 10^exp. The digits have no leading zero;
// the number zero has no digits.
type decimal struct {
	sign   int // -1, 0 or 1
	digits string
	exp    int64
}

// parseDecimal reads a number by the grammar of section "General requirements":
//
//	{sign}? ( {digit}* "." {digit}+ | {digit}+ "." | {digit}+ ) ( [Ee] {sign}? {digit}+ )?
func parseDecimal[T string | []byte](text T) (decimal, bool) {
	s := string(text)
	if len(s) > maxFloat {
		return decimal{}, false
	}
	d := decimal{sign: 1}
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			d.sign = -1
		}
		s = s[1:]
	}
	n := digits(s)
	whole, fraction := s[:n], ""
	if s = s[n:]; s != "" && s[0] == '.' {
		n = digits(s[1:])
		fraction, s = s[1:1+n], s[1+n:]
	}
	if whole == "" && fraction == "" {
		return decimal{}, false
	}
	if s != "" {
		if s[0] != 'e' && s[0] != 'E' {
			return decimal{}, false
		}
		var ok bool
		if d.exp, ok = parseExponent(s[1:]); !ok {
			return decimal{}, false
		}
	}
	d.exp -= int64(len(fraction))
	all := []byte(whole + fraction)
	d.digits = string(bytes.TrimRight(all, "0"))
	d.exp += int64(len(all) - len(d.digits))
	for d.digits != "" && d.digits[0] == '0' {
		d.digits = d.digits[1:]
	}
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

func parseExponent(s string) (int64, bool) {
	negative := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "" || digits(s) != len(s) {
		return 0, false
	}
	for len(s) > 1 && s[0] == '0' {
		s = s[1:]
	}
	if len(s) > maxExponent {
		return 0, false
	}
	e, err := strconv.ParseInt(s, 10, 64)
	if negative {
		e = -e
	}
	return e, err == nil
}

// digits returns the number of decimal digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

func (d decimal) neg() decimal {
	d.sign = -d.sign
	return d
}

func (d decimal) abs() decimal {
	d.sign *= d.sign
	return d
}

// top returns the position above the leading digit: |d| < 10^top.
func (d decimal) top() int64 { return d.exp + int64(len(d.digits)) }

func (d decimal) int() *big.Int {
	n, _ := new(big.Int).SetString("0"+d.digits, 10)
	if d.sign < 0 {
		n.Neg(n)
	}
	return n
}

// times returns the exact product.
func (d decimal) times(e decimal) decimal {
	if d.sign == 0 || e.sign == 0 {
		return decimal{}
	}
	p := d.abs().int()
	p.Mul(p, e.abs().int())
	return decimal{sign: d.sign * e.sign, digits: p.String(), exp: d.exp + e.exp}
}

// signOfSum returns the sign of the exact sum of at most three terms with any
// exponents: 1e999999999 costs no more than 1. If the remaining terms are all far
// below the lowest digit of the partial sum, they matter only if that sum is 0.
func signOfSum(terms ...decimal) int {
	terms = slices.DeleteFunc(terms, func(d decimal) bool { return d.sign == 0 })
	slices.SortFunc(terms, func(a, b decimal) int {
		switch {
		case a.top() > b.top():
			return -1
		case a.top() < b.top():
			return 1
		}
		return 0
	})
	for len(terms) > 0 {
		low, n := terms[0].exp, 1
		for n < len(terms) && terms[n].top() >= low-2 {
			low = min(low, terms[n].exp)
			n++
		}
		sum := new(big.Int)
		for _, d := range terms[:n] {
			scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(d.exp-low), nil)
			sum.Add(sum, scale.Mul(scale, d.int()))
		}
		if sum.Sign() != 0 {
			return sum.Sign()
		}
		terms = terms[n:]
	}
	return 0
}

// apartAtMost reports whether |s-a| <= bound. The bound must not be negative.
func apartAtMost(s, a, bound decimal) bool {
	return signOfSum(s, a.neg(), bound.neg()) <= 0 && signOfSum(a, s.neg(), bound.neg()) <= 0
}
