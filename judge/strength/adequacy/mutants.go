package adequacy

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"testing/fstest"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/strength/mutate"
	"crucible/judge/terminal"
)

// mostTimeouts is the number of cases on which a mutant may get TLE before it is run on
// no more: each takes twice the time limit.
const mostTimeouts = 3

// mutation makes mutants, and runs them.
func (x *assessing) mutation(ctx context.Context) (err error) {
	x.r.Mutation = &Mutation{Mutants: []Mutant{}}
	if x.twice, err = x.j.Under(2 * x.limits().Time); err != nil {
		return err
	}
	if err := x.sample(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	order := rand.New(rand.NewPCG(x.Seed, 1)).Perm(len(x.r.Mutation.Mutants))
	began := time.Now()
	late := func() bool { return x.Budget > 0 && time.Since(began) > x.Budget }
	killed := 0
	err = x.each(ctx, order, func(m *Mutant) (err error) {
		if late() {
			return nil
		}
		return x.first(ctx, m)
	}, func(done int, m *Mutant) {
		if m.Fate == Killed {
			killed++
		}
		x.tell(Progress{"mutants", done, len(order), killed})
	})
	x.dropSame(order)
	if late() {
		x.r.Cut = "the budget is spent"
	}
	left := slices.DeleteFunc(order, func(i int) bool { return x.r.Mutation.Mutants[i].Fate != Killed })
	// Those that were killed by time take the most time, so they come last.
	slices.SortStableFunc(left, func(a, b int) int {
		slow := func(i int) int { return x.r.Mutation.Mutants[i].timeouts() }
		return slow(a) - slow(b)
	})
	if err == nil && ctx.Err() == nil {
		err = x.each(ctx, left, func(m *Mutant) error {
			if late() {
				return nil
			}
			return x.rest(ctx, m)
		}, func(done int, _ *Mutant) {
			x.tell(Progress{"other cases of killed mutants", done, len(left), killed})
		})
	}
	for _, i := range left {
		m := &x.r.Mutation.Mutants[i]
		m.Partial = slices.Contains(m.Verdicts, problem.Undecided)
	}
	return err
}

func (x *assessing) limits() problem.Limits { return x.j.LimitsOf(x.Problem) }

func (x *assessing) tell(p Progress) {
	if x.OnProgress != nil {
		x.OnProgress(p)
	}
}

// each calls do for mutants in this order, several at once, until ctx ends or do returns
// an error; and after each call done with the number of calls that have ended, one at a
// time.
func (x *assessing) each(ctx context.Context, order []int, do func(*Mutant) error, done func(int, *Mutant)) error {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	next, ended := 0, 0
	for range x.j.Workers() {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for ctx.Err() == nil && failed == nil && next < len(order) {
				m := &x.r.Mutation.Mutants[order[next]]
				next++
				mu.Unlock()
				err := do(m)
				mu.Lock()
				failed = cmp.Or(failed, err)
				ended++
				done(ended, m)
			}
		})
	}
	wg.Wait()
	return failed
}

// sample makes the mutants of all sources and draws the sample.
func (x *assessing) sample(ctx context.Context) error {
	r := x.r.Mutation
	of := make(map[*mutate.Mutant]*problem.Submission)
	var all []*mutate.Mutant
	x.codes = make(map[string]string)
	for _, s := range x.sources {
		if s.Language == nil || !mutate.Supports(s.Language) {
			continue
		}
		files, err := s.Read()
		if err != nil {
			return err
		}
		mutants, err := mutate.Mutants(s.Language, files)
		if err != nil {
			x.note("%s has no mutants: %v", s.Name, err)
			continue
		}
		r.Sources = append(r.Sources, s.Name)
		for _, m := range mutants {
			of[m] = s
		}
		all = append(all, mutants...)
		session, report := x.twice.Begin(ctx, s)
		if session == nil {
			return report.Err // it has run before
		}
		code, err := codeOf(session.Program())
		if err := errors.Join(err, session.End().Err); err != nil {
			return err
		}
		if code != "" {
			x.codes[code] = s.Name
		}
	}
	switch {
	case len(r.Sources) == 0:
		x.note("no accepted submission is in a language of which mutants are made, so the score is not known")
	case len(all) == 0:
		x.note("the accepted submissions have no mutants")
	}
	r.Possible = len(all)
	drawn := mutate.Sample(all, x.Mutants, x.Seed)
	weights := mutate.Weights(all, drawn)
	for i, m := range drawn {
		s := of[m]
		r.Mutants = append(r.Mutants, Mutant{
			ID: m.ID, Of: s.Name, Language: s.Language.Code, Operator: m.Operator, File: m.File, Line: m.Line, Column: m.Column,
			Diff: m.Diff(),
			Fate: NotRun, Weight: weights[i], mutant: m, source: s,
		})
	}
	return nil
}

// submission returns the mutant as a submission. The error means that the mutant is equal
// to the original, which is a defect of the judge.
func (m *Mutant) submission() (*problem.Submission, error) {
	original, err := m.source.Read()
	if err != nil {
		return nil, err
	}
	fsys := make(fstest.MapFS)
	changed := false
	for name, data := range m.mutant.Files() {
		changed = changed || !bytes.Equal(data, original[name])
		at := m.source.Path
		if m.source.IsFolder {
			at = path.Join(at, name)
		}
		fsys[at] = &fstest.MapFile{Data: data, Mode: 0o755}
	}
	if !changed {
		return nil, fmt.Errorf("mutant %s of %s: the operator %s has not changed the source", m.ID, m.Of, m.Operator)
	}
	s := *m.source
	s.FS, s.Constants, s.Expected = fsys, nil, nil // constants are inserted
	s.Name = m.Name()
	return &s, nil
}

// Name identifies the mutant for people: "accepted/a.cpp:12:7 loop-bound".
func (m *Mutant) Name() string {
	at := m.Of
	if path.Base(m.Of) != m.File {
		at = path.Join(m.Of, m.File)
	}
	return fmt.Sprintf("%s:%d:%d %s", at, m.Line, m.Column, m.Operator)
}

// timeouts returns on how many cases the mutant got TLE.
func (m *Mutant) timeouts() (n int) {
	for _, v := range m.Verdicts {
		if v == problem.TimeLimit {
			n++
		}
	}
	return n
}

// begin compiles a mutant. The session is nil if it cannot run; then the fate is set.
func (x *assessing) begin(ctx context.Context, m *Mutant) (*judge.Session, error) {
	s, err := m.submission()
	if err != nil {
		return nil, err
	}
	session, report := x.twice.Begin(ctx, s)
	switch {
	case session != nil || ctx.Err() != nil:
	case report.Verdict == problem.CompileError:
		m.Fate, m.Why = CompileFailed, terminal.FirstLine(report.Compile.Message)
	case problem.OutOfResources(report.Err):
		return nil, report.Err
	default:
		m.Fate, m.Why = JudgeFailed, cmp.Or(report.Skipped, fmt.Sprint(report.Err))
	}
	return session, nil
}

// first runs a mutant until a case kills it.
func (x *assessing) first(ctx context.Context, m *Mutant) error {
	session, err := x.begin(ctx, m)
	if session == nil {
		return err
	}
	if m.code, err = codeOf(session.Program()); err == nil && x.codes[m.code] != "" {
		m.Fate, m.Like = SameCode, x.codes[m.code]
		return session.End().Err
	}
	verdicts := make([]problem.Verdict, len(x.r.Cases))
	fate := Survived
	for _, at := range x.order() {
		if err != nil || ctx.Err() != nil || fate == Killed {
			break
		}
		run := session.Run(ctx, x.Problem.Cases[at])
		switch verdict, weak := x.verdict(&run); {
		case run.Err != nil:
			err = x.failed(ctx, m, &run)
			fate = JudgeFailed
		case weak:
			verdicts[at] = verdict
			m.Weak = append(m.Weak, run.Case)
		case verdict != problem.Accepted:
			verdicts[at] = verdict
			fate, m.By, m.Verdict, m.Why = Killed, run.Case, verdict, run.Why
		default:
			verdicts[at] = verdict
		}
		if fate == JudgeFailed {
			break
		}
	}
	if ctx.Err() == nil && err == nil {
		if fate == Survived && len(m.Weak) > 0 {
			fate = OnlyWeak
		}
		m.Fate, m.Verdicts = fate, verdicts
	}
	return errors.Join(err, session.End().Err)
}

// failed notes a failure of the judge on a run of a mutant. It returns an error if no
// other run would fare better.
func (x *assessing) failed(ctx context.Context, m *Mutant, run *judge.Run) error {
	if ctx.Err() != nil {
		return nil
	}
	m.Why = fmt.Sprintf("%s: %v", run.Case, run.Err)
	if problem.OutOfResources(run.Err) {
		return run.Err
	}
	return nil
}

// verdict returns the verdict of a run under twice the time limit, and whether it is TLE
// only because of the limit itself.
func (x *assessing) verdict(run *judge.Run) (v problem.Verdict, weak bool) {
	if run.Verdict == problem.Accepted {
		if slow, known := judge.TooSlow(run.Outcome, x.limits().Time); slow && known {
			return problem.TimeLimit, true
		}
	}
	return run.Verdict, false
}

// order returns the order in which cases run until one kills: that which rejects the wrong
// submissions soonest. The cases of scoring problems keep their order, which decides which
// groups run.
func (x *assessing) order() []int {
	order := make([]int, len(x.r.Cases))
	for i := range order {
		order[i] = i
	}
	if !x.Problem.Is(problem.Scoring) {
		order = x.r.matrix(true, false).SoonestOrder()
	}
	return order
}

// rest runs a killed mutant on the cases on which it has not run.
func (x *assessing) rest(ctx context.Context, m *Mutant) error {
	if !slices.Contains(m.Verdicts, problem.Undecided) {
		return nil
	}
	known := *m
	session, err := x.begin(ctx, m)
	if session == nil {
		*m = known
		return err
	}
	for at, c := range x.Problem.Cases {
		if m.Verdicts[at] != problem.Undecided {
			continue
		}
		if ctx.Err() != nil || m.timeouts() >= mostTimeouts {
			break
		}
		run := session.Run(ctx, c)
		if run.Err != nil {
			if err := x.failed(ctx, m, &run); err != nil {
				return errors.Join(err, session.End().Err)
			}
			continue
		}
		verdict, weak := x.verdict(&run)
		if m.Verdicts[at] = verdict; weak {
			m.Weak = append(m.Weak, c.Name)
		}
	}
	return session.End().Err
}

// dropSame marks mutants with the code of an earlier one in the order.
func (x *assessing) dropSame(order []int) {
	seen := make(map[string]string)
	for _, i := range order {
		m := &x.r.Mutation.Mutants[i]
		switch {
		case m.code == "" || m.Fate != Killed && m.Fate != Survived && m.Fate != OnlyWeak:
		case seen[m.code] != "":
			m.Fate, m.Like = SameCode, seen[m.code]
			m.By, m.Verdict, m.Why, m.Verdicts, m.Weak = "", "", "", nil, nil
		default:
			seen[m.code] = m.ID
		}
	}
}
