package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Series is a measurement in progress, with compiled submissions. It is not safe
// for concurrent use. The caller must close it.
type Series struct {
	Measurement *Measurement // grows with each trial
	OnStart     func(Trial)  // called before each trial, if not nil; the trial has no results yet
	OnTrial     func(Trial)  // called after each trial, if not nil

	sessions []*judge.Session
	cases    []*problem.Case
	order    *rand.Rand
	began    time.Time
	look     func()    // updates the load by other programs; nil if it is not observed
	looked   time.Time // of the last look
}

// A Pair is a submission and a case, by their indexes in a measurement.
type Pair struct{ Submission, Case int }

// Begin compiles the submissions of a problem. It calls compiling, if not nil,
// before each compilation. A submission that cannot be run has the reason in the
// field Skipped of the measurement: its language is not installed, or the compiler
// rejects it. The judge must run one job at a time, because concurrent runs disturb
// each other. The error is a judge error, or that of a context that ended.
func Begin(ctx context.Context, j *judge.Judge, kind Kind, submissions []*problem.Submission, seed uint64,
	compiling func(*problem.Submission)) (*Series, error) {
	p := submissions[0].Problem
	s := &Series{
		Measurement: &Measurement{Kind: kind, Problem: p.ID, Limits: j.LimitsOf(p), Timing: p.Timing, Seed: seed},
		order:       rand.New(rand.NewPCG(seed, 0)),
		began:       time.Now(),
	}
	if j.Instructions {
		s.Measurement.Clock = ByInstructions
	}
	if err := s.open(ctx, j, submissions, compiling); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// open compiles the submissions for a judge, instead of those of the judge before.
func (s *Series) open(ctx context.Context, j *judge.Judge, submissions []*problem.Submission,
	compiling func(*problem.Submission)) error {
	s.Close()
	s.Measurement.Submissions = nil
	for _, one := range submissions {
		if compiling != nil {
			compiling(one)
		}
		session, r := j.Begin(ctx, one)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Err != nil:
			return r.Err
		}
		e := Submission{Name: one.Name, Language: r.Language, Expected: one.Expected, Skipped: r.Skipped,
			Command: r.Compile.Command}
		if session == nil && e.Skipped == "" {
			e.Skipped = refusal + r.Compile.Message
		}
		s.sessions = append(s.sessions, session)
		s.Measurement.Submissions = append(s.Measurement.Submissions, e)
	}
	return nil
}

// refusal is the prefix of the reason if the compiler rejects a submission.
const refusal = "it does not compile: "

// Refused reports whether the submission was skipped because the compiler
// rejects it, which is the submission's fault.
func (e *Submission) Refused() bool { return strings.HasPrefix(e.Skipped, refusal) }

// Startup measures the empty programs of the submissions' languages, each the
// given number of times, after one run that does not count.
func (s *Series) Startup(ctx context.Context, j *judge.Judge, p *problem.Problem, times int) error {
	known := make(map[string][]sandbox.Outcome)
	for i := range s.Measurement.Submissions {
		e := &s.Measurement.Submissions[i]
		if e.Skipped != "" {
			continue
		}
		if known[e.Language] == nil {
			outcomes, err := j.Startup(ctx, p, e.Language, times+1)
			if err != nil {
				return err
			}
			known[e.Language] = outcomes[1:]
		}
		e.Startup = known[e.Language]
	}
	return nil
}

// Close releases the resources of the submissions.
func (s *Series) Close() {
	for _, session := range s.sessions {
		if session != nil {
			session.End()
		}
	}
	s.sessions = nil
}

// Add adds a case and returns its index. The size is n of a generated input of
// growing size; 0 otherwise.
func (s *Series) Add(c *problem.Case, size float64) int {
	s.cases = append(s.cases, c)
	s.Measurement.Cases = append(s.Measurement.Cases, Input{Name: c.Name, Size: size})
	return len(s.cases) - 1
}

// warmUp is the Round of trials that warm up the machine's caches. Their times do
// not count, but their verdicts do.
const warmUp = -1

// Round runs the pairs once, as trials of the given round. Cases come in random
// order, and on each case its submissions run one after the other in random order.
// So times that are compared are close together, and no submission always runs
// first. Round omits submissions that cannot be run. The error is that of a context
// that ended; judge errors are in the trials.
func (s *Series) Round(ctx context.Context, round int, pairs []Pair) error {
	of := make([][]Pair, len(s.cases))
	for _, p := range pairs {
		of[p.Case] = append(of[p.Case], p)
	}
	for _, c := range s.order.Perm(len(of)) {
		s.order.Shuffle(len(of[c]), func(i, k int) { of[c][i], of[c][k] = of[c][k], of[c][i] })
		for _, p := range of[c] {
			if s.sessions[p.Submission] == nil {
				continue
			}
			if err := s.trial(ctx, round, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// trial runs a pair once and records the result.
func (s *Series) trial(ctx context.Context, round int, p Pair) error {
	if s.look != nil && time.Since(s.looked) >= lookPace {
		s.look()
	}
	t := Trial{Submission: p.Submission, Case: p.Case, Round: round, At: time.Since(s.began)}
	if s.OnStart != nil {
		s.OnStart(t)
	}
	run := s.sessions[p.Submission].Run(ctx, s.cases[p.Case])
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.Verdict, t.Why, t.Outcome = run.Verdict, run.Why, run.Outcome
	switch {
	case run.Err != nil:
		t.Err = run.Err.Error()
	case run.Uncounted != "":
		t.Err = fmt.Sprintf("the instructions of %s on %s are not counted: %s", s.Measurement.Submissions[p.Submission].Name,
			s.cases[p.Case].Name, run.Uncounted)
	}
	s.Measurement.Trials = append(s.Measurement.Trials, t)
	if s.OnTrial != nil {
		s.OnTrial(t)
	}
	return nil
}

// lookPace is the interval between updates of the load in the measurement, which
// may be stored before it ends.
const lookPace = 2 * time.Second

// watch starts to observe the load by other programs. Cores must be set in the
// measurement. The caller must call s.look at the end.
func (s *Series) watch() {
	m, before := s.Measurement, len(s.Measurement.Trials)
	began := machine.Observe(m.Cores)
	s.looked = time.Now()
	s.look = func() {
		s.looked = time.Now()
		var ran time.Duration
		for i := range m.Trials[before:] {
			ran += m.Trials[before+i].Outcome.CPU
		}
		m.Load = began.Until(ran)
	}
}
