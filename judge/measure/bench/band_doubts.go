package bench

import (
	"fmt"
	"math"
	"slices"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

const (
	farAway     = 5    // the factor between a time and the limit, on either side, beyond which a few runs are enough
	fewReruns   = 5    // the number of runs that a submission closer to the limit needs
	oftenFlips  = 0.01 // the probability of a different verdict from which on there is a doubt
	coarseLimit = 4    // the limit divided by the one that the slowest submission needs, from which on there is a doubt
)

// doubts adds the doubts about the limits and the times that determine them.
func (x *bandBuilder) doubts() {
	add := func(kind, format string, args ...any) {
		x.b.Doubts = append(x.b.Doubts, stat.Doubtf(kind, format, args...))
	}
	busy := x.m.Load.Busy()
	for s, e := range x.m.Submissions {
		row := &x.b.Rows[s]
		if row.Wrong != "" && row.Bounds != Neither {
			add("missing", "%s bounds the limit and was not measured: %s", e.Name, row.Wrong)
		}
		if v, name := x.unexpected(s); v != "" {
			add("verdict", "%s must be accepted, but got %s on %s", e.Name, v, name)
		}
		// On a busy machine all programs wait.
		if row.Wrong == "" && row.Case >= 0 && busy == "" && x.waits(s, int(row.Case)) {
			add("waits", "%s takes much more wall-clock time than CPU time on %s: the time limit is for CPU time, and the "+
				"wall-clock limit is twice that plus a second", e.Name, x.m.Cases[row.Case].Name)
		}
		if x.b.At > 0 && row.Wrong == "" && row.Flip.P >= oftenFlips {
			add("flips", "%s", flipText(e.Name, row))
		}
	}
	for i := range x.ignored {
		add("stopped", "%s was stopped after %s, but is expected to be within the time limit: the limit ignores it",
			x.name(&x.ignored[i]), terminal.Duration(x.ignored[i].Time))
	}
	switch names := x.seldomRun(); len(names) {
	case 0:
	case 1:
		add("few", "%s is close to the limit, but was run fewer than %d times there", names[0], fewReruns)
	default:
		add("few", "%s and %d more are close to the limit, but were run fewer than %d times there", names[0], len(names)-1,
			fewReruns)
	}
	if b := x.b; b.Proposed > 0 && b.Proposed >= coarseLimit*b.Least {
		add("coarse", "time_resolution %v determines the limit, not the programs: the slowest one that must pass needs "+
			"only %s", x.m.Timing.Resolution, terminal.Duration(b.Least))
	}
	x.b.Doubts = append(x.b.Doubts, x.m.loadDoubts("load")...)
}

// flipText describes how often a submission's verdict changed or, if it did not, the
// probability that it changes.
func flipText(name string, row *LimitVerdict) string {
	now, other := "in time", "too slow"
	if row.Verdict == problem.TimeLimit {
		now, other = other, now
	}
	f := &row.Flip
	if f.By == stat.ByRuns && f.P < 1 {
		n := int(math.Round(f.P * float64(f.N)))
		return fmt.Sprintf("%s is %s in %d of %d runs, and %s in %d", name, now, f.N-n, f.N, other, n)
	}
	text := fmt.Sprintf("%s is %s, but another run is not with a probability of %s", name, now, asPercent(f.P))
	if f.N == 1 {
		text += ", estimated from a single run and the spread of the other submissions"
	}
	return text
}

// asPercent writes a probability with at most two significant digits.
func asPercent(p float64) string {
	if p > 0 && p < 0.001 {
		return "below 0.1 %"
	}
	return fmt.Sprintf("%.2g %%", 100*p)
}

// unexpected returns the verdict and the first case on which a submission that
// must be accepted fails for a reason other than its time; "" if there is none.
func (x *bandBuilder) unexpected(s int) (problem.Verdict, string) {
	for c, of := range x.all[s] {
		name := x.m.Cases[c].Name
		if !slices.ContainsFunc(x.m.Submissions[s].Expected, func(e problem.Expectation) bool {
			return e.MustPass() &&
				e.BoundsBelow(name)
		}) {
			continue
		}
		for _, t := range of {
			if t.Verdict != problem.Accepted && t.Verdict != problem.TimeLimit {
				return t.Verdict, name
			}
		}
	}
	return "", ""
}

// waits reports whether most runs take far more wall-clock time than CPU time.
func (x *bandBuilder) waits(s, c int) bool {
	const noise = 100 * time.Millisecond
	of := x.grid[s][c]
	n := 0
	for _, t := range of {
		if t.Outcome.Wall-t.Outcome.Waited > 2*t.Outcome.CPU+noise {
			n++
		}
	}
	return 2*n > len(of)
}

// seldomRun returns the names of the submissions that are close to the limit and
// were run too few times for a reliable verdict.
func (x *bandBuilder) seldomRun() (names []string) {
	for s := range x.b.Rows {
		row := &x.b.Rows[s]
		if row.Wrong != "" || row.Stopped || row.Bounds == Neither || x.b.At == 0 || far(row.Time.Median, x.b.At.Seconds()) {
			continue
		}
		if slices.ContainsFunc(row.Nearest, func(c CaseIndex) bool { return len(x.grid[s][c]) < fewReruns }) {
			names = append(names, x.m.Submissions[s].Name)
		}
	}
	return names
}

// far reports whether a time is far from a limit, on either side.
func far(t, limit float64) bool { return t*farAway <= limit || t >= limit*farAway }
