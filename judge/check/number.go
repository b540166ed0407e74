package check

import "math"

// Numbers are compared as the specification says, in exact decimal arithmetic:
// an output exactly at the tolerance is accepted, 1e400 and 2e400 differ, and
// no rounding decides. That costs about a microsecond, so it is done only when
// floating-point arithmetic with a bound on its own error leaves a doubt.

// A number is a floating-point token. Its approximation is off by at most one
// part in 2^50, unless extreme says that it was not attempted.
type number struct {
	text    []byte
	approx  float64
	extreme bool
}

// extremeExponent keeps approximations clear of overflow and of the gradual
// underflow that would void the bound on the error: at most 18 digits are used.
const extremeExponent = 280

// parse is [parseDecimal] with an approximation for a result.
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
		value uint64 // of the leading digits
		scale int64  // of value, as a power of ten
		seen  bool   // is there any digit?
	)
	const full = 1e17 // no room for another digit beyond it
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

// A tolerance is the ε of an argument.
type tolerance struct {
	number
	exact decimal
}

func (t *tolerance) String() string { return string(t.text) }

func parseTolerance(text string) (*tolerance, bool) {
	exact, ok := parseDecimal(text)
	t := &tolerance{exact: exact}
	t.parse([]byte(text))
	return t, ok && exact.sign >= 0
}

// near tells whether s is within a tolerance of the answer's a.
func (r *Rules) near(s, a *number) bool {
	doubt := false
	if r.absolute != nil {
		yes, sure := within(s, a, &r.absolute.number, 1)
		if yes {
			return true
		}
		doubt = !sure
	}
	if r.relative != nil {
		yes, sure := within(s, a, &r.relative.number, math.Abs(a.approx))
		if yes {
			return true
		}
		doubt = doubt || !sure
	}
	return doubt && r.nearExactly(s, a)
}

// within tells whether |s-a| <= eps*size for sure, or for sure not.
func within(s, a, eps *number, size float64) (yes, sure bool) {
	const (
		part  = 1.0 / (1 << 48) // more than all relative errors together
		least = 1e-290          // below it a product may have lost digits
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
	v, _ := parseDecimal(s.text)
	w, _ := parseDecimal(a.text)
	return r.absolute != nil && apartAtMost(v, w, r.absolute.exact) ||
		r.relative != nil && apartAtMost(v, w, r.relative.exact.times(w.abs()))
}
