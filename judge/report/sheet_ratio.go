package report

import (
	"fmt"
	"math"
	"strconv"

	"crucible/judge/stat"
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
		return "faster, " + times(1/r.Ratio), Good
	case r.Claim == stat.Slower:
		return "slower, " + times(r.Ratio), Bad
	}
	return string(stat.CannotTell), Doubt
}

// times writes a factor above 1 with three digits, close to 1 with four.
func times(f float64) string {
	switch {
	case f >= 99.95:
		return fmt.Sprintf("%.0fx", f)
	case f >= 9.995:
		return fmt.Sprintf("%.1fx", f)
	case f >= 1.0995:
		return fmt.Sprintf("%.2fx", f)
	}
	return fmt.Sprintf("%.3fx", f)
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

// ratioText writes a ratio; "?" where times are too short for the clock.
func ratioText(r *stat.Ratio, values ...float64) string {
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

// intervalText writes a ratio's interval, which is seen to leave out 1 if it
// does, and so of other values.
func intervalText(r *stat.Ratio, values ...float64) string {
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
		return digits(lo) + "–" + digits(hi)
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

// digits writes a ratio with three digits, or four near one: "0.518", "1.002".
func digits(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "?"
	}
	return strconv.FormatFloat(v, 'f', digitsAfter(v), 64)
}

// digitsAfter is how many of them stand after the point.
func digitsAfter(v float64) int {
	if v >= 0.8 && v < 1.25 {
		return 3
	}
	return max(0, 2-int(math.Floor(math.Log10(max(v, 1e-9)))))
}
