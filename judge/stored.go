package judge

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

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
// verdict is not expected. The result is a stored run with StoredAt; or nil, and then
// again is the reason why a stored run is not used, or "" if there is none.
func (x *Session) load(c *problem.Case, k *Key) (_ *Run, again string) {
	old, at, ok := x.j.Stored.Load(k)
	if !ok || old.Err != nil || old.Verdict == problem.Undecided {
		return nil, ""
	}
	run, o := *old, old.Outcome
	run.Case, run.StoredAt, run.StoredAge, run.MadeAgain = c.Name, &at, max(time.Since(at), 0), ""
	if now := enforced(x.limits); o.Limits.CPU != now.CPU || o.Limits.Wall != now.Wall {
		verdict, why, err := verdictOf(o, x.limits)
		decided := verdict != problem.Undecided
		checked := old.Verdict == problem.Accepted || old.Verdict == problem.WrongAnswer
		if err != nil || k.Interactive || k.Passes > 0 || !decided && !checked {
			return nil, "its time limit was another one"
		}
		if decided && (verdict != old.Verdict || verdict == problem.TimeLimit) {
			run.Verdict, run.Why, run.Diff, run.Score, run.Multiplier = verdict, why, nil, nil, nil
		}
	}
	if l := x.limits.Time; run.Verdict != problem.TimeLimit && l > 0 && o.CPU > l/2 && o.CPU <= l {
		return nil, fmt.Sprintf("its CPU time was %s, more than half the limit", units.Duration(o.CPU))
	}
	if !permits(x.s.Expected, c, run.Verdict) {
		return nil, fmt.Sprintf("its verdict was %s, which is not expected", run.Verdict)
	}
	return &run, ""
}

// loadAll loads the stored runs of the cases into x.stored, and into x.again why others
// are not used. If these runs alone would break an expectation, because a verdict that it
// requires is missing, none is used.
func (x *Session) loadAll(ctx context.Context, cases []*problem.Case) {
	loaded, again := make(map[*problem.Case]*Run), make(map[*problem.Case]string)
	defer func() { x.stored, x.again = loaded, again }()
	for _, c := range cases {
		if !x.storable(c) {
			continue
		}
		if k, err := x.keyOf(ctx, c); err == nil {
			run, why := x.load(c, k)
			if run != nil {
				loaded[c] = run
			}
			again[c] = why
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
			for c := range loaded {
				again[c] = "no stored run has a verdict that is required"
			}
			loaded = nil
			return
		}
	}
}

// keyOf returns the key of a run of the session on a case.
func (x *Session) keyOf(ctx context.Context, c *problem.Case) (*Key, error) {
	p := x.s.Problem
	files, err := x.j.keys.of(c)
	if err != nil {
		return nil, err
	}
	k := &Key{
		Program: x.program.Key(), Args: slices.Concat(x.program.Args, c.Args), Input: files.input, Answer: files.answer,
		Interactive: p.Is(problem.Interactive), Scoring: p.Is(problem.Scoring), Writes: p.AllowFileWriting, Limits: enforced(x.limits),
		Level: fmt.Sprint(sandbox.ProtectionOf(x.j.runner).Level), Pinned: len(x.j.Cores) > 0, Fixed: x.j.FixedAddresses, Alone: x.j.Workers() == 1, Counter: x.j.Counter(),
	}
	k.Limits.CPU, k.Limits.Wall = 0, 0
	if p.Is(problem.MultiPass) {
		k.Passes = p.Passes
	}
	if !x.j.confined() {
		k.Environment = []string{"PATH=" + os.Getenv("PATH")}
	}
	k.Environment = append(k.Environment, x.program.Env...)
	if p.OutputValidators == nil {
		k.Validators = []KeyValidator{{Flags: c.OutputValidatorArgs}}
	}
	for _, v := range p.OutputValidators {
		program, err := x.j.BuildValidator(ctx, v, p.Checking)
		if err != nil {
			return nil, err
		}
		k.Validators = append(k.Validators, KeyValidator{build.HashOf(append([]string{program.Key()}, program.Args...)...), c.OutputValidatorArgs})
	}
	return k, nil
}
