package check

import (
	"math"
	"strconv"
)

// Numbers are compared in exact decimal arithmetic, as the specification says: an
// output exactly at the tolerance is accepted, 1e400 and 2e400 differ, and rounding
// never decides. Exact arithmetic takes about a microsecond, so it is used only if
// floating-point arithmetic with an error bound cannot decide.

// A number is a floating-point token. The relative error of its approximation is at
// most 2^-50, unless extreme is set; then there is no approximation.
type number struct {
	text    []byte
	approx  float64
	extreme bool
}

// extremeExponent prevents overflow and gradual underflow of approximations, which
// would invalidate the error bound. At most 18 digits are used.
const extremeExponent = 280

// parse reads a number by the grammar of section "General requirements":
//
//	{sign}? ( {digit}* "." {digit}+ | {digit}+ "." | {digit}+ ) ( [Ee] {sign}? {digit}+ )?
func (n *number) parse(text []byte) bool {
	n.text, n.approx, n.extreme = text, 0, false
	if len(text) > maxFloat {
		return false
	}
	i, negative := 0, false
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		i, negative = 1, text[0] == '-'
	}
	var (
		value uint64 // value of the leading digits
		scale int64  // exponent of ten for value
		seen  bool   // a digit was found
	)
	const full = 1e17 // above it there is no room for another digit
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		seen = true
		if value < full {
			value = value*10 + uint64(text[i]-'0')
		} else {
			scale++
		}
	}
	if i < len(text) && text[i] == '.' {
		for i++; i < len(text) && text[i]-'0' <= 9; i++ {
			seen = true
			if value < full {
				value = value*10 + uint64(text[i]-'0')
				scale--
			}
		}
	}
	if !seen {
		return false
	}
	if i < len(text) {
		if text[i] != 'e' && text[i] != 'E' {
			return false
		}
		e, ok := parseExponent(string(text[i+1:]))
		if !ok {
			return false
		}
		scale += e
	}
	switch {
	case value == 0:
		return true
	case scale < -extremeExponent || scale > extremeExponent:
		n.extreme = true
		return true
	case scale < 0:
		n.approx = float64(value) / math.Pow10(int(-scale))
	default:
		n.approx = float64(value) * math.Pow10(int(scale))
	}
	if negative {
		n.approx = -n.approx
	}
	return true
}

func (n *number) String() string { return string(n.text) }

// near reports whether s is within the tolerance of the answer a.
func (r *Rules) near(s, a *number) bool {
	doubt := false
	if r.absolute != nil {
		yes, sure := within(s, a, r.absolute, 1)
		if yes {
			return true
		}
		doubt = !sure
	}
	if r.relative != nil {
		yes, sure := within(s, a, r.relative, math.Abs(a.approx))
		if yes {
			return true
		}
		doubt = doubt || !sure
	}
	return doubt && r.nearExactly(s, a)
}

// within reports whether |s-a| <= eps*size certainly holds, or certainly does not.
func within(s, a, eps *number, size float64) (yes, sure bool) {
	const (
		part  = 1.0 / (1 << 48) // greater than the sum of all relative errors
		least = 1e-290          // below it, a product may have lost digits
		most  = 1e300
	)
	if s.extreme || a.extreme || eps.extreme {
		return false, false
	}
	bound := eps.approx * size
	if bound > most || bound < least && bound != 0 || bound == 0 && eps.approx != 0 && size != 0 {
		return false, false
	}
	off := math.Abs(s.approx - a.approx)
	slack := (math.Abs(s.approx) + math.Abs(a.approx)) * part
	if off+slack <= bound*(1-part) {
		return true, true
	}
	return false, off-slack > bound*(1+part)
}

func (r *Rules) nearExactly(s, a *number) bool {
	v, w := s.exact(), a.exact()
	return r.absolute != nil && apartAtMost(v, w, r.absolute.exact()) ||
		r.relative != nil && apartAtMost(v, w, r.relative.exact().times(w).abs())
}

// ParseFloat parses a number by the grammar of the package format (2025-09, section
// "General requirements"), which is decimal: no hexadecimal numbers, no inf, no
// nan. The result is false if the text is not such a number or if a float64 cannot
// represent it.
func ParseFloat(text string) (float64, bool) {
	var n number
	if !n.parse([]byte(text)) {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
