package verify

import (
	"crucible/judge/problem"
	"crucible/judge/units"
	"fmt"
	"time"
)

// A margin is one bound on the time limit that a submission sets.
type margin struct {
	submission string
	time       time.Duration
}

// limitDefects holds the time limit against the slowest submission that must
// pass and the fastest that must not.
func limitDefects(p *problem.Problem, slowest, fastest margin) []error {
	var errs []error
	limit := p.Limits.Time
	at := p.Where(problem.ProblemFile)
	if need := time.Duration(float64(slowest.time) * p.Timing.ACToLimit); slowest.submission != "" && need > limit {
		errs = append(errs, &problem.Defect{File: at, Msg: fmt.Sprintf("time limit %s: %s takes %s, times ac_to_time_limit %v is %s",
			units.Exactly(limit), slowest.submission, units.Duration(slowest.time), p.Timing.ACToLimit, units.Duration(need))})
	}
	if need := time.Duration(float64(limit) * p.Timing.LimitToTLE); fastest.submission != "" && need > fastest.time {
		errs = append(errs, &problem.Defect{File: at, Msg: fmt.Sprintf("time limit %s: %s takes only %s, want at least %s, which is the limit times time_limit_to_tle %v",
			units.Exactly(limit), fastest.submission, units.Duration(fastest.time), units.Duration(need), p.Timing.LimitToTLE)})
	}
	return errs
}
