package terminal

import (
	"math"
	"strconv"
)

// ScoreOf formats a score and its maximum: "60/100", "33.33/100". A nil most is
// an unbounded score: "1234". A nil score is unknown: "".
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

// decimals formats a score with at most two decimals, rounded down, so that a
// score below the maximum never looks like it. The JSON document has all
// decimals.
func decimals(v float64) string {
	if down := math.Floor(v*100+1e-6) / 100; math.Abs(v) < 1e12 {
		v = down
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// ScoreWidth returns the number of columns of a score in a table: "33.33/100".
// most is the maximum score; nil means unbounded.
func ScoreWidth(most *float64) int {
	if most == nil {
		return len("12345.67")
	}
	n := len(decimals(*most))
	return n + len(".00/") + n
}
