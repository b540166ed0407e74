package judge

import (
	"context"
	"time"

	"crucible/judge/problem"
)

// A Store keeps runs between calls of the judge. Its methods may be called
// concurrently.
type Store interface {
	// Load returns a run with an equal key, and when it was made.
	Load(*Key) (*Run, time.Time, bool)
	// Save keeps a run. A run that cannot be kept is made again some day.
	Save(*Key, *Run)
}

// storable reports whether runs of the session may be taken from the store and kept
// there: whether a run has nothing that the store does not keep. A program outside of
// a box has the rights of the judge and could change the store.
func (x *Session) storable(c *problem.Case) bool {
	j := x.j
	return j.Stored != nil && j.confined() && c.Static == nil && !x.s.Problem.Is(problem.SubmitAnswer) &&
		j.Repeat <= 1 && j.TimeToKill == 0 && j.timeToKill == nil && !j.KeepOutput && !j.LogInteraction && j.OnOutput == nil && !x.searches()
}

// searches reports whether an expectation searches the complete messages of
// validators, of which the store keeps the start.
func (x *Session) searches() bool {
	for i := range x.s.Expected {
		if x.s.Expected[i].Message != "" {
			return true
		}
	}
	return false
}

// load returns the stored run of a case if it decides the verdict under today's limits.
// To be sure of verdicts that a slightly different time would change, a run is made
// again if its CPU time is between half the limit and the limit; and so is a run whose
// verdict is not expected. The result has StoredAt.
func (x *Session) load(c *problem.Case, k *Key) (*Run, bool) {
	old, at, ok := x.j.Stored.Load(k)
	if !ok || old.Err != nil || old.Verdict == problem.Undecided {
		return nil, false
	}
	run, o := *old, old.Outcome
	run.Case, run.StoredAt = c.Name, &at
	if now := enforced(x.limits); o.Limits.CPU != now.CPU || o.Limits.Wall != now.Wall {
		verdict, why, err := verdictOf(o, x.limits)
		decided := verdict != problem.Undecided
		checked := old.Verdict == problem.Accepted || old.Verdict == problem.WrongAnswer
		if err != nil || k.Interactive || k.Passes > 0 || !decided && !checked {
			return nil, false
		}
		if decided && (verdict != old.Verdict || verdict == problem.TimeLimit) {
			run.Verdict, run.Why, run.Diff, run.Score, run.Multiplier = verdict, why, nil, nil, nil
		}
	}
	if l := x.limits.Time; run.Verdict != problem.TimeLimit && l > 0 && o.CPU > l/2 && o.CPU <= l {
		return nil, false
	}
	return &run, permits(x.s.Expected, c, run.Verdict)
}

// loadAll loads the stored runs of the cases. If these runs alone would break an
// expectation, because a verdict that it requires is missing, none is used.
func (x *Session) loadAll(ctx context.Context, cases []*problem.Case) {
	loaded := make(map[*problem.Case]*Run)
	for _, c := range cases {
		if !x.storable(c) {
			continue
		}
		if k, err := x.keyOf(ctx, c); err == nil {
			if run, ok := x.load(c, k); ok {
				loaded[c] = run
			}
		}
	}
	for i := range x.s.Expected {
		e := &x.s.Expected[i]
		if e.Required == nil || len(loaded) < len(cases) {
			continue
		}
		met := false
		for c, run := range loaded {
			met = met || e.SpeaksOf(c.Name) && run.Verdict.In(e.Required)
		}
		if !met {
			return
		}
	}
	x.stored = loaded
}
