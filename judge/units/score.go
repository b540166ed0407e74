package units

import (
	"math"
	"strconv"
)

// ScoreOf writes a score and the most that it can be: "60/100", "33.33/100",
// "1234"; "" if it is not known.
func ScoreOf(score, most *float64) string {
	if score == nil {
		return ""
	}
	text := decimals(*score)
	if most != nil {
		text += "/" + decimals(*most)
	}
	return text
}

// decimals writes a score with two decimals at most, rounded down, so that what
// is not all does not look so. The JSON document has all decimals.
func decimals(v float64) string {
	if down := math.Floor(v*100+1e-6) / 100; math.Abs(v) < 1e12 {
		v = down
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// ScoreWidth is how many columns a score takes in a table: "33.33/100". Most is
// the most that it can be; nil is unbounded.
func ScoreWidth(most *float64) int {
	if most == nil {
		return len("12345.67")
	}
	n := len(decimals(*most))
	return n + len(".00/") + n
}
