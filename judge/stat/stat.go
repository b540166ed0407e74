// Package stat turns numbers into summaries and differences, each with its
// doubts. It is pure: it has never heard of a program or a clock, and the same
// numbers give the same answer.
//
// Distributions are left to gonum, and intervals of medians are held to those of
// golang.org/x/perf/benchmath. What is here is which question to ask of them
// when the numbers are running times: skewed, sometimes of two kinds, drifting,
// and measured until the answer is good enough. How often the answers are wrong
// is in the tests, which print it with -v.
package stat

import "math"

// An Interval holds the true value with at least the probability Confidence.
// Where too few numbers were given for that, it is everything: Lo is -Inf (0
// for ratios) and Hi is +Inf.
type Interval struct{ Lo, Hi, Confidence float64 }

// MostDecimals are those after which two numbers are the same to anybody.
const MostDecimals = 9

// Outwards is the interval to be written: rounded outwards to so many decimals, or
// to more until it leaves out each of the values that the interval leaves out. So
// a claim that 1 is not in it is seen to be true. It returns how many they are,
// [MostDecimals] at most. An infinite end stays.
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

// floor is the integer not above x; what is one but for its last bits is that.
func floor(x float64) float64 {
	if near := math.Round(x); math.Abs(x-near) <= 1e-12*math.Abs(x) {
		return near
	}
	return math.Floor(x)
}

// Bounded reports whether the interval says anything.
func (i Interval) Bounded() bool { return !math.IsInf(i.Hi, 0) && !math.IsInf(i.Lo, 0) }

// Holds reports whether x is inside.
func (i Interval) Holds(x float64) bool { return i.Lo <= x && x <= i.Hi }

// A Doubt is why a number may not mean what it seems to. It is never a reason
// to hide the number.
type Doubt struct {
	Kind string // one word: "few", "drift", "modes", "outliers", "load", "coarse", "wait"
	Text string // one line for people, without a stop
}

// A Summary describes one sample.
type Summary struct {
	N        int
	Median   float64
	Interval // of the median
	Min, Max float64
	Doubts   []Doubt
}

// A Claim is what a comparison comes to.
type Claim string

const (
	Faster     Claim = "faster"
	Slower     Claim = "slower"
	CannotTell Claim = "cannot tell"
)

// A Ratio compares a program with a reference: how many times as long it takes.
// Below 1 it is faster.
type Ratio struct {
	N        int // pairs, or if they are not paired the runs of the one that has fewer
	Ratio    float64
	Interval         // of the true ratio, above 0
	Claim    Claim   // what the interval allows to be said
	Least    float64 // the smallest difference that this many runs would see four times in five: 0.03 is 3 %; +Inf if none
	Doubts   []Doubt
}

// Half is half the width of an interval of positive numbers, as a fraction of
// them: 0.01 is ±1 %. It is +Inf where the interval is not bounded.
func (i Interval) Half() float64 {
	if !i.Bounded() || i.Lo <= 0 {
		return math.Inf(1)
	}
	return math.Sqrt(i.Hi/i.Lo) - 1
}
