package sheet

import (
	"math"
	"strconv"

	"crucible/judge/measure/stat"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// This file formats ratios and intervals for every format. An interval is
// rounded outwards, so the printed interval contains the computed one. It has
// enough digits to agree with claims: an interval from 1.003 to 2.6 is never
// printed as "1.0–2.6" beside a claim that it is above 1.

// claimText formats a claim with its factor: "faster, 2.01x".
func claimText(r *stat.Ratio) (string, report.Mark) {
	switch {
	case r == nil:
		return "-", report.Faint
	case r.Claim == stat.Faster:
		return "faster, " + FactorText(r), report.Good
	case r.Claim == stat.Slower:
		return "slower, " + FactorText(r), report.Bad
	case r.Claim == stat.Equal:
		return string(stat.Equal), report.Plain
	}
	return string(stat.CannotTell), report.Doubt
}

// FactorText formats a ratio above 1, or the reciprocal of one below 1: "2.01x". An exact
// ratio has enough decimals to differ from 1.
func FactorText(r *stat.Ratio) string {
	f := max(r.Ratio, 1/r.Ratio)
	if text := terminal.Factor(f); !r.Exact() || text != terminal.Factor(1) {
		return text
	}
	_, decimals := ratioInterval(r)
	return strconv.FormatFloat(f, 'f', decimals, 64) + "x"
}

// decimalsFor returns the number of decimals that shows two digits of a width; 2
// if the width is not a positive finite number.
func decimalsFor(width float64) int {
	if !(width > 0) || math.IsInf(width, 1) {
		return 2
	}
	return min(max(1-int(math.Floor(math.Log10(width))), 0), stat.MostDecimals)
}

// ratioInterval returns the interval rounded for printing, and the number of
// decimals of it and of its ratio. The rounded interval excludes 1 and the given
// values if the interval does. For an interval without bounds, the decimals show
// two digits of a tenth of the ratio.
func ratioInterval(r *stat.Ratio, values ...float64) (stat.Interval, int) {
	if !r.Bounded() {
		return r.Interval, decimalsFor(r.Ratio / 10)
	}
	width := r.Hi - r.Lo
	switch {
	case r.Exact():
		width = r.Ratio / 1e3
	case width <= 0:
		width = r.Ratio / 10
	}
	return r.Outwards(decimalsFor(width), append(values, 1)...)
}

// RatioText formats a ratio with the decimals of its interval, which is formatted
// by [Interval] with the same values. It returns "?" if there is no ratio, because
// the times are too short for the clock.
func RatioText(r *stat.Ratio, values ...float64) string {
	if math.IsNaN(r.Ratio) {
		return "?"
	}
	if r.Claim == stat.Equal {
		return "1"
	}
	_, decimals := ratioInterval(r, values...)
	return strconv.FormatFloat(r.Ratio, 'f', decimals, 64)
}

// between formats an interval with that many decimals.
func between(i stat.Interval, decimals int) string {
	return strconv.FormatFloat(i.Lo, 'f', decimals, 64) + "–" + strconv.FormatFloat(i.Hi, 'f', decimals, 64)
}

// Interval formats a ratio's interval: "0.940–0.995". The printed interval
// excludes 1 and each of the given values if the interval itself does. It is
// "exact" for a ratio of counts that repeat exactly, "none" if there is no ratio, and
// "too few runs" if there are no bounds.
func Interval(r *stat.Ratio, values ...float64) string {
	switch {
	case math.IsNaN(r.Ratio):
		return "none"
	case !r.Bounded():
		return "too few runs"
	case r.Exact():
		return "exact"
	}
	return between(ratioInterval(r, values...))
}

// fromTo formats a range with the same number of decimals at both ends:
// "0.940–0.995". It returns one number if the ends round to the same text. Ends
// that differ by a factor of 10 or more are rounded separately.
func fromTo(lo, hi float64) string {
	if hi >= 10*lo {
		return terminal.Ratio(lo) + "–" + terminal.Ratio(hi)
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
