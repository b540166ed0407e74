package sheet

import (
	"math"
	"strconv"

	"crucible/judge/stat"
	"crucible/judge/units"
)

// How ratios and intervals are written, in every format. An interval is rounded
// outwards, so that what it is said to hold it holds, and with digits enough
// that it is seen to leave out what it leaves out: 1.003 to 2.6 is not "1.0–2.6"
// beside a claim that it is above 1.

// claimText writes a claim with how many times it is: "faster, 2.01x".
func claimText(r *stat.Ratio) (string, Mark) {
	switch {
	case r == nil:
		return "-", Faint
	case r.Claim == stat.Faster:
		return "faster, " + units.Factor(1/r.Ratio), Good
	case r.Claim == stat.Slower:
		return "slower, " + units.Factor(r.Ratio), Bad
	}
	return string(stat.CannotTell), Doubt
}

// decimalsFor are as many as show two digits of a width; two where there is none.
func decimalsFor(width float64) int {
	if !(width > 0) || math.IsInf(width, 1) {
		return 2
	}
	return min(max(1-int(math.Floor(math.Log10(width))), 0), stat.MostDecimals)
}

// ratioInterval is an interval as it is shown, and the decimals of it and of its
// ratio. Without bounds these show two digits of a tenth of the ratio.
func ratioInterval(r *stat.Ratio, values ...float64) (stat.Interval, int) {
	if !r.Bounded() {
		return r.Interval, decimalsFor(r.Ratio / 10)
	}
	width := r.Hi - r.Lo
	if width <= 0 {
		width = r.Ratio / 10
	}
	return r.Outwards(decimalsFor(width), append(values, 1)...)
}

// RatioText writes a ratio; "?" where times are too short for the clock.
func RatioText(r *stat.Ratio, values ...float64) string {
	if math.IsNaN(r.Ratio) {
		return "?"
	}
	_, decimals := ratioInterval(r, values...)
	return strconv.FormatFloat(r.Ratio, 'f', decimals, 64)
}

// between writes an interval with so many decimals.
func between(i stat.Interval, decimals int) string {
	return strconv.FormatFloat(i.Lo, 'f', decimals, 64) + "–" + strconv.FormatFloat(i.Hi, 'f', decimals, 64)
}

// Interval writes a ratio's interval, which is seen to leave out 1 if it
// does, and so of other values.
func Interval(r *stat.Ratio, values ...float64) string {
	switch {
	case math.IsNaN(r.Ratio):
		return "none"
	case !r.Bounded():
		return "too few runs"
	}
	return between(ratioInterval(r, values...))
}

// fromTo writes from which number to which some go, with as many decimals for
// both: "0.940–0.995". It is one number where they are as good as the same.
func fromTo(lo, hi float64) string {
	if hi >= 10*lo {
		return units.Ratio(lo) + "–" + units.Ratio(hi)
	}
	decimals := decimalsFor(hi / 10)
	if hi-lo >= 0.005*lo {
		decimals = max(decimals, decimalsFor(hi-lo))
	}
	from, to := strconv.FormatFloat(lo, 'f', decimals, 64), strconv.FormatFloat(hi, 'f', decimals, 64)
	if from == to {
		return from
	}
	return from + "–" + to
}
