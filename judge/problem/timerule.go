package problem

import (
	"math"
	"time"
)

// Least is the smallest time limit that leaves the slowest submission its margin.
func (t TimeRule) Least(slowest time.Duration) time.Duration {
	// What divides without a rest does so in binary fractions, too.
	const rounding = 1e-12
	steps := math.Ceil(slowest.Seconds() * t.ACToLimit / t.Resolution * (1 - rounding))
	return time.Duration(math.Round(max(steps, 1) * t.Resolution * float64(time.Second)))
}

// Enough is the time from which on a submission is too slow for the limit by
// the margin asked for.
func (t TimeRule) Enough(limit time.Duration) time.Duration {
	return time.Duration(math.Ceil(float64(limit) * t.LimitToTLE))
}

// Bounds reports whether a rule of a kind speaks of the submission's time on the case.
func (s *Submission) Bounds(c *Case, is func(*Expectation) bool) bool {
	return AnyRule(s.Expected, func(e *Expectation) bool { return is(e) && e.SpeaksOf(c.Name) })
}
