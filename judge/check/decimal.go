package check

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// maxFloat is the maximum length, in bytes, of a token that is read as a number.
// The specification permits a limit on the digits of at least 30 before and after
// the point. An exponent may have 18 digits after leading zeros. Tokens beyond
// these limits are not floating-point numbers here.
const (
	maxFloat    = 4096
	maxExponent = 1e18
)

// A decimal is the exact number digits × 10^exp.
type decimal struct {
	digits *big.Int
	exp    int64
}

// exact returns the exact value of a parsed number.
func (n *number) exact() decimal {
	mantissa, exponent := string(n.text), "0"
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, exponent = mantissa[:i], mantissa[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, _ := new(big.Int).SetString(whole+fraction, 10)
	exp, _ := parseExponent(exponent)
	return decimal{digits, exp - int64(len(fraction))}
}

func parseExponent(s string) (e int64, ok bool) {
	e, err := strconv.ParseInt(s, 10, 64)
	return e, err == nil && -maxExponent < e && e < maxExponent
}

func (d decimal) sign() int { return d.digits.Sign() }

func (d decimal) neg() decimal { return decimal{new(big.Int).Neg(d.digits), d.exp} }

func (d decimal) abs() decimal { return decimal{new(big.Int).Abs(d.digits), d.exp} }

// times returns the exact product.
func (d decimal) times(e decimal) decimal {
	return decimal{new(big.Int).Mul(d.digits, e.digits), d.exp + e.exp}
}

// top returns a position above the leading digit: |d| < 10^top. The logarithm of 2 to
// base 10 is less than 0.30103.
func (d decimal) top() int64 { return d.exp + int64(d.digits.BitLen())*30103/100000 + 1 }

// signOfSum returns the sign of the exact sum of at most three terms with any
// exponents: 1e999999999 costs no more than 1. If the remaining terms are all far
// below the lowest digit of the partial sum, they matter only if that sum is 0.
func signOfSum(terms ...decimal) int {
	terms = slices.DeleteFunc(terms, func(d decimal) bool { return d.sign() == 0 })
	slices.SortFunc(terms, func(a, b decimal) int { return cmp.Compare(b.top(), a.top()) })
	for len(terms) > 0 {
		low, n := terms[0].exp, 1
		for n < len(terms) && terms[n].top() >= low-2 {
			low = min(low, terms[n].exp)
			n++
		}
		sum := new(big.Int)
		for _, d := range terms[:n] {
			scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(d.exp-low), nil)
			sum.Add(sum, scale.Mul(scale, d.digits))
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
