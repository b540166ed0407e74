package judge

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// storable reports whether runs of the session may be taken from the store and kept
// there: whether a run has nothing that the store does not keep. A program outside of
// a box has the rights of the judge and could change the store.
func (x *Session) storable(c *problem.Case) bool {
	j := x.j
	return j.Stored != nil && j.confined() && j.TimeToKill == 0 && j.timeToKill == nil && !x.searches() && x.ordinary(c)
}

// ordinary reports whether one run of a program decides the case, and its output and
// its interaction are not needed.
func (x *Session) ordinary(c *problem.Case) bool {
	j := x.j
	return c.Static == nil && !x.s.Problem.Is(problem.SubmitAnswer) && j.Repeat <= 1 && !j.KeepOutput && !j.KeepImages &&
		!j.LogInteraction && j.OnOutput == nil
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

// load returns the stored run of a case if it decides the verdict under today's limits. A
// run is made again if today's limit makes it doubtful, so that it would have been repeated
// alone, and if its verdict is not expected. To infer a limit, the time of a run is enough.
// The result is a stored run with StoredAt; or nil, and then again is the reason why a
// stored run is not used, or "" if there is none.
func (x *Session) load(c *problem.Case, k *Key) (_ *Run, again string) {
	old, at, ok := x.j.Stored.Load(k)
	if !ok || old.Err != nil || old.Verdict == problem.Undecided {
		return nil, ""
	}
	stored := *old
	stored.Case, stored.StoredAt, stored.StoredAge, stored.MadeAgain = c.Name, &at, max(time.Since(at), 0), ""
	if x.j.Measures {
		if slow, known := TooSlow(old.Outcome, InferenceLimit); !known || slow &&
			problem.AnyRule(x.s.Expected, (*problem.Expectation).MustPass) {
			return nil, "its time is needed to infer the time limit"
		}
		return &stored, ""
	}
	run := x.decide(&stored)
	if run == nil {
		return nil, "its time limit was another one"
	}
	if len(run.Times) < 2 {
		if why := x.doubt(c, run); why != "" {
			return nil, why
		}
	}
	if !permits(x.s.Expected, c, run.Verdict) {
		return nil, fmt.Sprintf("its verdict was %s, which is not expected", run.Verdict)
	}
	return run, ""
}

// decide returns a run as the limits of the session judge it, or nil if its facts do
// not decide that.
func (x *Session) decide(old *Run) *Run {
	run, o := *old, old.Outcome
	if now := stopping(x.limits, x.j.room()); o.Limits.CPU == now.CPU && o.Limits.Wall == now.Wall {
		return &run
	}
	verdict, why, err := verdictOf(o, x.limits)
	decided := verdict != problem.Undecided
	checked := old.Verdict == problem.Accepted || old.Verdict == problem.WrongAnswer
	switch p := x.s.Problem; {
	case err != nil, !decided && !checked:
		return nil
	case p.Is(problem.Interactive), p.Is(problem.MultiPass):
		// A run within both limits on time is the same under both. Any other run may end
		// before the validator decides, or in an earlier pass.
		if verdict == problem.TimeLimit || old.Verdict == problem.TimeLimit {
			return nil
		}
	case decided && (verdict != old.Verdict || verdict == problem.TimeLimit):
		run.Verdict, run.Why, run.Diff, run.Score, run.Multiplier = verdict, why, nil, nil, nil
	}
	return &run
}

// save keeps a run in the store. It does not replace one of which more is known: the
// time of a run that was stopped earlier this time, or that was made alone.
func (x *Session) save(ctx context.Context, c *problem.Case, run *Run) {
	if run.Err != nil || !x.storable(c) {
		return
	}
	k, err := x.keyOf(ctx, c)
	if err != nil {
		return
	}
	if old, _, ok := x.j.Stored.Load(k); ok && old.knowsMore(run) {
		return
	}
	x.j.Stored.Save(k, run)
}

// knowsMore reports whether a stored run decides all that a later one of the same
// program on the same case decides, and more.
func (r *Run) knowsMore(later *Run) bool {
	if isStopped(later.Outcome) {
		slow, known := TooSlow(r.Outcome, later.Outcome.Limits.CPU)
		return slow && known && r.Outcome.Limits.CPU > later.Outcome.Limits.CPU
	}
	return r.Verdict == later.Verdict && len(r.Times) > 1 && len(later.Times) == 1 &&
		timeOf(r.Outcome) <= timeOf(later.Outcome)
}

// loadAll adds the stored runs of the cases to x.stored, and to x.again why others are
// not used. If these runs alone would break an expectation, because a verdict that it
// requires is missing, none is used.
func (x *Session) loadAll(ctx context.Context, cases []*problem.Case) {
	loaded, again := maps.Clone(x.stored), make(map[*problem.Case]string)
	if loaded == nil {
		loaded = make(map[*problem.Case]*Run)
	}
	defer func() { x.stored, x.again = loaded, again }()
	for _, c := range cases {
		if x.stored[c] != nil || !x.storable(c) {
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
		if x.j.Measures || e.Required == nil || len(loaded) < len(cases) {
			continue
		}
		met := false
		for c, run := range loaded {
			met = met || e.SpeaksOf(c.Name) && run.Verdict.In(e.Required)
		}
		if !met {
			for c := range loaded {
				if x.stored[c] == nil {
					again[c] = "no stored run has a verdict that is required"
				}
			}
			loaded = x.stored
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
		Interactive: p.Is(problem.Interactive), Scoring: p.Is(problem.Scoring), Writes: p.AllowFileWriting,
		Limits: enforced(x.limits),
		Level:  fmt.Sprint(sandbox.ProtectionOf(x.j.runner).Level), Pinned: len(x.j.Cores) > 0 && !x.j.AnyCores,
		Fixed: x.j.FixedAddresses, Alone: x.j.Workers() == 1, Counter: x.j.Counter(),
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
		k.Validators = append(k.Validators, KeyValidator{build.HashOf(append([]string{program.Key()}, program.Args...)...),
			c.OutputValidatorArgs})
	}
	return k, nil
}

// takeMeasured returns the runs on the cases that the inference of the time limit made
// and that decide their verdicts. They are returned once.
func (x *Session) takeMeasured(cases []*problem.Case) map[*problem.Case]*Run {
	runs, taken := x.j.measured.take(x.s), make(map[*problem.Case]*Run)
	for _, c := range cases {
		old := runs[c]
		if old == nil || !x.ordinary(c) || isStopped(old.Outcome) && old.Outcome.Limits.CPU < x.enforced(c).CPU {
			continue
		}
		if run := x.decide(old); run != nil {
			taken[c] = run
		}
	}
	return taken
}
