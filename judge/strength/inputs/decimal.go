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
	_, fraction, _ := strings.Cut(token, ".")
	n := len(fraction)
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
	v, ok := new(big.Rat).SetString(number)
	if !ok || s.places > mostPlaces {
		return 0, false
	}
	v.Mul(v, new(big.Rat).SetInt(s.unitsInOne()))
	return v.Num().Int64(), v.IsInt() && v.Num().IsInt64()
}

func (s *scale) unitsInOne() *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.places)), nil)
}

// format is the inverse of units, with at least as many digits after the point as all
// tokens of the data have.
func (s *scale) format(units int64) string {
	text := new(big.Rat).SetFrac(big.NewInt(units), s.unitsInOne()).FloatString(s.places)
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
