// Package stat computes summaries, comparisons and fits of measured numbers,
// each with its doubts. It runs no programs and reads no clock: the same numbers
// give the same answer.
//
// The distributions are gonum's, and tests compare the intervals of medians with
// those of golang.org/x/perf/benchmath. This package chooses the methods for
// running times, which are skewed, may have two modes, may drift, and are measured
// until the answer is precise enough. The tests measure the error rates and
// print them with -v.
package stat

import (
	"fmt"
	"math"
)

// An Interval contains the true value with at least the probability Confidence.
// If there are too few numbers for that, the interval is unbounded: Lo is -Inf (0
// for ratios) and Hi is +Inf.
type Interval struct {
	Lo         float64 `json:"lo"`         // the lower end, included
	Hi         float64 `json:"hi"`         // the upper end, included
	Confidence float64 `json:"confidence"` // from 0 to 1
}

// MostDecimals is the largest number of decimals that [Interval.Outwards] uses.
const MostDecimals = 9

// Outwards returns the interval rounded outwards for printing, and the number of
// decimals. It uses the given number of decimals, or more, up to
// [MostDecimals], until the rounded interval excludes each value that the interval
// excludes. So a claim that 1 is excluded agrees with the printed interval. An
// infinite end stays infinite.
func (i Interval) Outwards(decimals int, values ...float64) (Interval, int) {
	for ; ; decimals++ {
		unit := math.Pow10(decimals)
		shown := Interval{floor(i.Lo*unit) / unit, -floor(-i.Hi*unit) / unit, i.Confidence}
		apart := true
		for _, v := range values {
			apart = apart && (!shown.Holds(v) || i.Holds(v))
		}
		if apart || decimals >= MostDecimals {
			return shown, decimals
		}
	}
}

// floor is math.Floor, but rounds to the nearest integer if x differs from it only
// by a rounding error.
func floor(x float64) float64 {
	if near := math.Round(x); math.Abs(x-near) <= 1e-12*math.Abs(x) {
		return near
	}
	return math.Floor(x)
}

// Bounded reports whether both ends are finite.
func (i Interval) Bounded() bool { return !math.IsInf(i.Hi, 0) && !math.IsInf(i.Lo, 0) }

// Holds reports whether x is in the interval, ends included.
func (i Interval) Holds(x float64) bool { return i.Lo <= x && x <= i.Hi }

// A Doubt is a reason why a number may be misleading. The number is reported
// nevertheless.
type Doubt struct {
	Kind string `json:"kind"` // one word for programs, such as "few", "drift", "modes", "outliers", "load" or "coarse"
	Text string `json:"text"` // one line for people, without a full stop
}

// Doubtf returns a doubt with a formatted text.
func Doubtf(kind, format string, args ...any) Doubt {
	return Doubt{kind, fmt.Sprintf(format, args...)}
}

// A Summary describes one sample.
type Summary struct {
	N        int     `json:"n"`      // the number of values
	Median   float64 `json:"median"` // in the unit of the values
	Interval         // of the median
	Min      float64 `json:"min"`    // the smallest value
	Max      float64 `json:"max"`    // the largest value
	Doubts   []Doubt `json:"doubts"` // none if nothing was found
}

// A Claim is the result of a comparison.
type Claim string

const (
	Faster     Claim = "faster"      // the interval is below 1
	Slower     Claim = "slower"      // the interval is above 1
	CannotTell Claim = "cannot tell" // the interval contains 1
	Equal      Claim = "equal"       // the numbers are exact, and the ratio is 1
)

// A Ratio is the time of a program divided by that of a reference. Below 1 the
// program is faster.
type Ratio struct {
	N        int     `json:"n"`     // the number of pairs; for unpaired times, the smaller number of runs
	Ratio    float64 `json:"ratio"` // the estimate; NaN if there is none
	Interval         // of the true ratio, above 0
	Claim    Claim   `json:"claim"` // follows from the interval
	// The smallest difference that this many runs detect with a probability of 80 %: 0.03 is 3
	// %; +Inf if none.
	Least  float64 `json:"least"`
	Doubts []Doubt `json:"doubts"` // none if nothing was found
}

// Half returns half the width of an interval of positive numbers, relative to
// the number: 0.01 is ±1 %. It is +Inf if the interval is not bounded.
func (i Interval) Half() float64 {
	if !i.Bounded() || i.Lo <= 0 {
		return math.Inf(1)
	}
	return math.Sqrt(i.Hi/i.Lo) - 1
}
