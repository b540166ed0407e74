package adequacy

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/strength/stress"
)

// A Find is an input that kills mutants that survived before.
type Find struct {
	*stress.Counterexample
	Shrunk    bool // the input is the smallest one, not the one that was found
	Reference string
	Kills     []*Mutant

	c   *problem.Case
	cpu time.Duration // median of the accepted submissions
}

// Input returns the input.
func (f *Find) Input() []byte {
	if f.Shrunk {
		return f.Smallest()
	}
	return f.Counterexample.Input
}

// Answer returns the answer to the input.
func (f *Find) Answer() []byte {
	if f.Shrunk {
		return f.SmallestAnswer()
	}
	return f.Counterexample.Answer
}

// shrinkTime is the wall-clock time for making one input smaller.
const shrinkTime = 5 * time.Second

// lastTime is the wall-clock time for adding what was found after an interruption.
const lastTime = 20 * time.Second

// improve searches for inputs that kill survivors. Of those that it finds, it adds as few
// as kill the same mutants: an input as it was found may kill several, a smaller one fewer.
func (x *assessing) improve(ctx context.Context) error {
	m := x.r.Mutation
	x.r.Improved = &Improved{Before: m.Scores, Added: []Added{}}
	of := make(map[*problem.Submission]*Mutant)
	search := stress.Search{Problem: x.Problem, Accepted: x.sources, Seed: x.Seed, Budget: x.Improve, Shrink: shrinkTime}
	for i := range m.Mutants {
		if one := &m.Mutants[i]; one.Fate == Survived {
			s, err := one.submission()
			if err != nil {
				return err
			}
			of[s] = one
			search.Targets = append(search.Targets, s)
		}
	}
	if len(search.Targets) == 0 {
		return nil
	}
	search.OnEvent = func(p stress.Progress) {
		x.tell(Progress{fmt.Sprintf("%d inputs against survivors", p.Valid+p.Unchecked), p.Found, p.Targets, p.Found})
	}
	found, err := search.Run(ctx, x.twice)
	if found == nil || err != nil && ctx.Err() == nil {
		return err
	}
	x.r.Improved.Inputs, x.r.Improved.Took = found.Valid+found.Unchecked, found.Elapsed
	for _, note := range found.Notes {
		x.note("%s", note)
	}
	if found.Disagreement != nil {
		x.note("accepted submissions disagree on inputs that the input validators accept (%d): judge stress shows one",
			found.Disagreements)
	}
	interrupted := ctx.Err() != nil
	if interrupted {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), lastTime)
		defer cancel()
	}
	if err := x.add(ctx, found); err != nil {
		return err
	}
	for _, one := range of {
		// A search that was cut short, or that tried nothing, shows nothing.
		one.Equivalent = one.Fate == Survived && !interrupted && x.r.Improved.Inputs > 0
	}
	return nil
}

// add adds the smallest set of the inputs that were found.
func (x *assessing) add(ctx context.Context, found *stress.Result) error {
	finds, err := x.finds(ctx, found)
	if err != nil || len(finds) == 0 {
		return err
	}
	var survivors []int
	for i := range x.r.Mutation.Mutants {
		if x.r.Mutation.Mutants[i].Fate == Survived {
			survivors = append(survivors, i)
		}
	}
	matrix := &Matrix{}
	for _, f := range finds {
		matrix.Cases = append(matrix.Cases, Case{CPU: time.Duration(len(f.Input()))}) // of equal ones the shortest input
	}
	var mu sync.Mutex
	programs := make(map[*Mutant]int)
	err = x.each(ctx, survivors, func(m *Mutant) error {
		runs, err := x.runMutant(ctx, m, finds)
		kills := make([]Kill, len(finds))
		for i := range runs {
			kills[i].Verdict, kills[i].Weak = x.verdict(&runs[i])
		}
		mu.Lock()
		defer mu.Unlock()
		programs[m] = len(matrix.Programs)
		matrix.Programs, matrix.Kills = append(matrix.Programs, Program{Name: m.ID}), append(matrix.Kills, kills)
		return err
	}, func(int, *Mutant) {})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, coverTime)
	defer cancel()
	var chosen []*Find
	for _, i := range matrix.SmallestCover(limited).Cases {
		f := finds[i]
		for _, s := range survivors {
			m := &x.r.Mutation.Mutants[s]
			if p, ok := programs[m]; ok && matrix.Killed(p, i) {
				f.Kills = append(f.Kills, m)
			}
		}
		chosen = append(chosen, f)
	}
	return x.save(ctx, chosen)
}

// finds returns the inputs that were found, without those on which an accepted submission
// is not accepted under the limits of the problem.
func (x *assessing) finds(ctx context.Context, found *stress.Result) (all []*Find, err error) {
	for _, c := range found.Counterexamples {
		for _, shrunk := range []bool{true, false} {
			f := &Find{Counterexample: c, Shrunk: shrunk, Reference: found.Reference.Name, c: c.TestCase(shrunk)}
			if !slices.ContainsFunc(all, func(g *Find) bool { return bytes.Equal(f.Input(), g.Input()) && f.Case == g.Case }) {
				all = append(all, f)
			}
		}
	}
	times := make([][]time.Duration, len(all))
	wrong := make([]string, len(all))
	for _, s := range x.sources {
		runs, err := runOn(ctx, x.j, s, all)
		if err != nil {
			return nil, err
		}
		for i := range runs {
			if runs[i].Err != nil || runs[i].Verdict != problem.Accepted {
				wrong[i] = cmp.Or(wrong[i], fmt.Sprintf("an input that kills a mutant is not added: %s is %s on it", s.Name,
					cmp.Or(string(runs[i].Verdict), "not judged")))
			}
			times[i] = append(times[i], runs[i].Outcome.CPU)
		}
	}
	var good []*Find
	for i, f := range all {
		if blank, err := check.Blank(bytes.NewReader(f.Answer())); err == nil && blank && !x.Problem.Answerless() {
			wrong[i] = cmp.Or(wrong[i],
				fmt.Sprintf("an input that kills a mutant is not added: %s prints nothing on it, and an empty answer accepts "+
					"programs that print nothing", f.Reference))
		}
		if wrong[i] != "" {
			if !slices.Contains(x.r.Notes, wrong[i]) {
				x.note("%s", wrong[i])
			}
			continue
		}
		slices.Sort(times[i])
		f.cpu = times[i][len(times[i])/2]
		good = append(good, f)
	}
	return good, nil
}

// runOn compiles a submission and runs it on the inputs. There are no runs if it cannot run.
func runOn(ctx context.Context, j *judge.Judge, s *problem.Submission, finds []*Find) (runs []judge.Run, err error) {
	session, report := j.Begin(ctx, s)
	if session == nil {
		return nil, report.Err
	}
	for _, f := range finds {
		release, err := j.Acquire(ctx, 1)
		if err != nil {
			break // ctx has ended
		}
		runs = append(runs, session.Try(ctx, f.c))
		release()
	}
	return runs, session.End().Err
}

func (x *assessing) runMutant(ctx context.Context, m *Mutant, finds []*Find) ([]judge.Run, error) {
	s, err := m.submission()
	if err != nil {
		return nil, err
	}
	return runOn(ctx, x.twice, s, finds)
}

// save adds the chosen inputs to the package and to the result, with the verdicts of all
// programs on them.
func (x *assessing) save(ctx context.Context, chosen []*Find) error {
	r := x.r
	before := len(r.Cases)
	for _, f := range chosen {
		name, err := x.Save(f)
		if err != nil {
			return err
		}
		added := Added{Case: name, Bytes: len(f.Input())}
		for _, m := range f.Kills {
			added.Kills = append(added.Kills, m.Name())
			if m.Fate == Survived {
				m.Fate, m.By = Killed, name
			}
		}
		r.Improved.Added = append(r.Improved.Added, added)
		r.Cases = append(r.Cases, CaseWorth{Name: name, CPU: f.cpu, Added: true})
		for k := range r.Submissions {
			r.Submissions[k].Verdicts = append(r.Submissions[k].Verdicts, problem.Undecided)
		}
		for _, m := range r.Mutation.judged() {
			if m.Verdicts != nil {
				m.Verdicts = append(m.Verdicts, problem.Undecided)
			}
		}
	}
	var errs []error
	for _, s := range x.Wrong {
		i := slices.IndexFunc(r.Submissions, func(t Tried) bool { return t.Name == s.Name && t.Compiled })
		if i < 0 {
			continue
		}
		runs, err := runOn(ctx, x.j, s, chosen)
		errs = append(errs, err)
		t := &r.Submissions[i]
		for k := range runs {
			if t.Verdicts[before+k] = runs[k].Verdict; runs[k].Err == nil && runs[k].Verdict != problem.Accepted {
				t.RejectedBy++
			}
		}
	}
	var all []int
	for i := range r.Mutation.Mutants {
		if m := &r.Mutation.Mutants[i]; m.Verdicts != nil && m.timeouts() < mostTimeouts {
			all = append(all, i)
		}
	}
	errs = append(errs, x.each(ctx, all, func(m *Mutant) error {
		runs, err := x.runMutant(ctx, m, chosen)
		for k := range runs {
			verdict, weak := x.verdict(&runs[k])
			m.Verdicts[before+k] = verdict
			if weak {
				m.Weak = append(m.Weak, r.Cases[before+k].Name)
			} else if m.By == r.Cases[before+k].Name {
				m.Verdict, m.Why = verdict, runs[k].Why
			}
		}
		return err
	}, func(done int, _ *Mutant) { x.tell(Progress{"mutants on the new cases", done, len(all), 0}) }))
	for i := range r.Mutation.Mutants {
		if m := &r.Mutation.Mutants[i]; m.Fate == Killed {
			m.Partial = slices.Contains(m.Verdicts, problem.Undecided)
		}
	}
	return errors.Join(errs...)
}
