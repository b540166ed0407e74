package problem

import (
	"math"
	"time"
)

// Least returns the smallest multiple of t.Resolution that is at least t.ACToLimit
// times the time of the slowest submission that must pass.
func (t TimeRule) Least(slowest time.Duration) time.Duration {
	// Binary fractions must not round an exact quotient up.
	const rounding = 1e-12
	steps := math.Ceil(slowest.Seconds() * t.ACToLimit / t.Resolution * (1 - rounding))
	return time.Duration(math.Round(max(steps, 1) * t.Resolution * float64(time.Second)))
}

// Enough returns the shortest time that exceeds the limit by the factor
// t.LimitToTLE.
func (t TimeRule) Enough(limit time.Duration) time.Duration {
	return time.Duration(math.Ceil(float64(limit) * t.LimitToTLE))
}

// Bounds reports whether at least one expectation for which is returns true applies
// to the case.
func (s *Submission) Bounds(c *Case, is func(*Expectation) bool) bool {
	return AnyRule(s.Expected, func(e *Expectation) bool { return is(e) && e.SpeaksOf(c.Name) })
}
