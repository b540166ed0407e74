package judge

import (
	"time"

	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// InferenceLimit is the CPU time that a submission may use on a case while the time
// limit is not known.
const InferenceLimit = 60 * time.Second

// TimeOf returns the CPU time of a run. If the run was stopped, it is a lower bound:
// the limit at which it was stopped or, if the program was waiting, the wall time.
func TimeOf(o sandbox.Outcome) (t time.Duration, stopped bool) {
	return timeOf(o), o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// TooSlow reports whether a run gets TLE under a time limit. Known is false if
// the run was stopped below that limit.
func TooSlow(o sandbox.Outcome, limit time.Duration) (slow, known bool) {
	l := problem.Limits{Time: limit, Wall: problem.WallLimit(limit)}
	v, _, err := verdictOf(o, l)
	if err != nil && o.Exceeded != sandbox.CPU && o.Exceeded != sandbox.Wall {
		// It was stopped at another limit.
		return o.CPU > l.Time || o.Wall-o.Waited > l.Wall, true
	}
	return v == problem.TimeLimit, err == nil
}

// timeOf returns the first result of TimeOf.
func timeOf(o sandbox.Outcome) time.Duration {
	switch o.Exceeded {
	case sandbox.CPU:
		return max(o.CPU, o.Limits.CPU)
	case sandbox.Wall:
		return max(o.CPU, o.Wall-o.Waited)
	}
	return o.CPU
}

// isStopped reports whether a run was stopped at a limit on its time, so that its time
// is not known.
func isStopped(o sandbox.Outcome) bool {
	return o.Exceeded == sandbox.CPU || o.Exceeded == sandbox.Wall
}

// untimed reports whether a run took longer than inference lets it take, so that its
// time does not count.
func untimed(o sandbox.Outcome) bool {
	slow, known := TooSlow(o, InferenceLimit)
	return slow || !known
}
