package inputs

import (
	"math/big"
	"strings"
)

// A scale is the unit in which the values of a quantity are counted: the last digit that
// the data or the statement has, as 0.01 for 2.50. The zero value counts ones.
type scale struct {
	places int  // digits after the point of a unit
	fewest int  // the smallest number of digits after the point in the data
	known  bool // it has noted a token
}

// note notes the number of digits after the point of a token.
func (s *scale) note(token string) {
	n := placesOf(token)
	if s.places = max(s.places, n); !s.known || n < s.fewest {
		s.fewest, s.known = n, true
	}
}

// refine makes the unit small enough for the bounds of the statement.
func (s *scale) refine(bounds ...*big.Rat) {
	for _, b := range bounds {
		if b != nil {
			if n, exact := b.FloatPrec(); exact {
				s.places = max(s.places, n)
			}
		}
	}
}

// mostPlaces is that of the smallest units that are counted.
const mostPlaces = 18

// units returns a number as a number of units; false if it is none, or too large.
func (s *scale) units(number string) (int64, bool) {
	if !IsNumber(number) || s.places > mostPlaces || placesOf(number) > s.places {
		return 0, false
	}
	n := scaled(number, s.places)
	return n.Int64(), n.IsInt64()
}

// format is the inverse of units, with at least as many digits after the point as all
// tokens of the data have.
func (s *scale) format(units int64) string {
	text := decimal(big.NewInt(units), s.places)
	for range s.places - s.fewest {
		text = strings.TrimSuffix(text, "0")
	}
	return strings.TrimSuffix(text, ".")
}

// SameNumber reports whether two texts are the same number.
func SameNumber(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	return ok && also && x.Cmp(y) == 0
}

// show formats a number; "" for nil.
func show(v *big.Rat) string {
	switch {
	case v == nil:
		return ""
	case v.IsInt():
		return v.Num().String()
	}
	if n, exact := v.FloatPrec(); exact {
		return v.FloatString(n)
	}
	return v.FloatString(6)
}
