package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
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

	machines []Machine
	sessions [][]*judge.Session // by machine and submission; nil if it cannot be run
	cases    []*problem.Case
	order    *rand.Rand
	began    time.Time
	look     func()    // updates the load by other programs; nil if it is not observed
	looked   time.Time // of the last look
}

// A Pair is a submission and a case, by their indexes in a measurement.
type Pair struct{ Submission, Case int }

// Begin compiles the submissions of a problem. It calls compiling, if not nil,
// before each compilation. A submission that cannot be run on each of the machines has
// the reason in the field Skipped of the measurement: its language is not installed, or
// the compiler rejects it. A judge of this machine must run one job at a time, because
// concurrent runs disturb each other. The error is a judge error, or that of a context
// that ended.
func Begin(ctx context.Context, on []Machine, kind Kind, submissions []*problem.Submission, seed uint64,
	compiling func(*problem.Submission)) (*Series, error) {
	p, j := submissions[0].Problem, on[0].Judge
	s := &Series{
		Measurement: &Measurement{Kind: kind, Problem: p.ID, Limits: j.LimitsOf(p), Timing: p.Timing, Seed: seed,
			Workers: workersOf(on)},
		order: rand.New(rand.NewPCG(seed, 0)),
		began: time.Now(),
	}
	if j.Instructions {
		s.Measurement.Clock = ByInstructions
	}
	if err := s.open(ctx, on, submissions, compiling); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// open compiles the submissions on the machines, instead of for the judges before.
func (s *Series) open(ctx context.Context, on []Machine, submissions []*problem.Submission,
	compiling func(*problem.Submission)) error {
	s.Close()
	s.machines, s.sessions = on, make([][]*judge.Session, len(on))
	s.Measurement.Submissions = nil
	for _, one := range submissions {
		if compiling != nil {
			compiling(one)
		}
		reports := make([]*judge.Report, len(on))
		s.each(func(w int) {
			var session *judge.Session
			session, reports[w] = on[w].Judge.Begin(ctx, one)
			s.sessions[w] = append(s.sessions[w], session)
		})
		e := Submission{Name: one.Name, Language: reports[0].Language, Expected: one.Expected,
			Command: reports[0].Compile.Command}
		for w, r := range reports {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case r.Err != nil:
				return on[w].about(r.Err)
			case e.Skipped == "" && r.Skipped != "":
				e.Skipped = on[w].said(r.Skipped)
			case e.Skipped == "" && s.sessions[w][len(s.sessions[w])-1] == nil:
				e.Skipped = refusal + on[w].said(r.Compile.Message)
			}
		}
		s.Measurement.Submissions = append(s.Measurement.Submissions, e)
	}
	return nil
}

// each calls do for all machines at the same time, since they do not disturb each other.
func (s *Series) each(do func(machine int)) {
	var wg sync.WaitGroup
	for w := range s.machines {
		wg.Go(func() { do(w) })
	}
	wg.Wait()
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
	for _, session := range slices.Concat(s.sessions...) {
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
// that ended, or of a worker that makes no more runs; other judge errors are in the
// trials.
func (s *Series) Round(ctx context.Context, round int, pairs []Pair) error {
	of := make([][]Pair, len(s.cases))
	for _, p := range pairs {
		of[p.Case] = append(of[p.Case], p)
	}
	for _, c := range s.order.Perm(len(of)) {
		s.order.Shuffle(len(of[c]), func(i, k int) { of[c][i], of[c][k] = of[c][k], of[c][i] })
		for _, p := range of[c] {
			if s.Measurement.Submissions[p.Submission].Skipped != "" {
				continue
			}
			if err := s.trial(ctx, round, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// trial runs a pair once on each machine, at the same time, and records the results.
func (s *Series) trial(ctx context.Context, round int, p Pair) error {
	if s.look != nil && time.Since(s.looked) >= lookPace {
		s.look()
	}
	t := Trial{Submission: p.Submission, Case: p.Case, Round: round, At: time.Since(s.began)}
	if s.OnStart != nil {
		s.OnStart(t)
	}
	ran := make([]judge.Run, len(s.machines))
	s.each(func(w int) { ran[w] = s.sessions[w][p.Submission].Run(ctx, s.cases[p.Case]) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for w, run := range ran {
		if errors.As(run.Err, new(*judge.ExecutorError)) { // the others would fail, too
			return s.machines[w].about(run.Err)
		}
	}
	for w, run := range ran {
		t.Worker, t.Verdict, t.Why, t.Outcome, t.Err = w, run.Verdict, run.Why, run.Outcome, ""
		switch {
		case run.Err != nil:
			t.Err = s.machines[w].about(run.Err).Error()
		case run.Uncounted != "":
			t.Err = fmt.Sprintf("the instructions of %s on %s are not counted: %s", s.Measurement.Submissions[p.Submission].Name,
				s.cases[p.Case].Name, run.Uncounted)
		}
		s.Measurement.Trials = append(s.Measurement.Trials, t)
		if s.OnTrial != nil {
			s.OnTrial(t)
		}
	}
	return nil
}

// lookPace is the interval between updates of the load in the measurement, which
// may be stored before it ends.
const lookPace = 2 * time.Second

// watch starts to observe the load by other programs on this machine, if it makes the runs. Cores must be set in the
// measurement. The caller must call s.look at the end.
func (s *Series) watch() {
	s.look = func() {} // the load of workers is not known
	if s.Measurement.Workers != nil {
		return
	}
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
