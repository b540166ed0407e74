package stress

import (
	"context"
	"slices"

	"crucible/judge/problem"
)

// confirm checks a difference: the input validators accept the input, the output validators
// accept the answer of the reference,
// all other accepted submissions agree with it, and the target differs again.
func (r *search) confirm(ctx context.Context, c *Counterexample) error {
	r.confirming.Lock()
	defer r.confirming.Unlock()
	if r.known(c) {
		return nil
	}
	release, err := r.j.Acquire(ctx, r.j.Workers()) // alone, so that no time is due to another program
	if err != nil {
		return err
	}
	defer release()
	if placed, err := r.place(ctx, c); err != nil || !placed {
		return err
	}
	one := with(c.Case, c.Input, c.Answer)
	if run, err := r.checkAnswer(ctx, one); err != nil {
		return err
	} else if run.Verdict != problem.Accepted {
		r.disagree(counterexample(r.Reference, c.Case, c.Input, c.Answer, &run, Progress{Valid: c.After, Elapsed: c.Elapsed}))
		return nil
	}
	if run := r.sessions[c.Submission].Try(ctx, one); run.Err != nil || run.Verdict == problem.Accepted || r.All &&
		failureOf(run.Verdict, run.Why) != c.failure() {
		return run.Err
	}
	for _, s := range r.Accepted {
		if r.sessions[s] == nil || s == r.Reference {
			continue
		}
		run := r.sessions[s].Try(ctx, one)
		switch {
		case run.Err != nil:
			return run.Err
		case run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError:
			r.disagree(counterexample(s, c.Case, c.Input, c.Answer, &run, Progress{Valid: c.After, Elapsed: c.Elapsed}))
			return nil
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found[c.Submission] = append(r.found[c.Submission], c)
	r.result.Found = len(r.found)
	return nil
}

// place sets the settings of a counterexample: those that it has, or others with which the
// input is valid and the submission does not fail anyway. It returns false if there are
// none. Callers hold r.confirming.
func (r *search) place(ctx context.Context, c *Counterexample) (bool, error) {
	first := c.Case
	for _, setting := range append([]*problem.Case{first}, r.settings...) {
		r.mu.Lock()
		lost := r.goals[goal{c.Submission, setting.Group}]
		r.mu.Unlock()
		if lost || setting == first && c.unplaced || !alike(first, setting) {
			continue
		}
		if setting != first {
			if valid, err := r.isValid(ctx, setting, c.Input); err != nil || !valid {
				if err != nil {
					return false, err
				}
				continue
			}
		}
		if lost, err := r.lost(ctx, c.Submission, setting.Group); err != nil {
			return false, err
		} else if !lost {
			c.Case, c.unplaced = setting, false
			return true, nil
		}
		c.unplaced = true
	}
	return false, nil
}

// alike reports whether programs run on two cases in the same way.
func alike(a, b *problem.Case) bool {
	return slices.Equal(a.Args, b.Args) && slices.Equal(a.OutputValidatorArgs, b.OutputValidatorArgs) &&
		slices.Equal(a.Files, b.Files)
}

// lost reports whether a submission fails on a case of a group of a scoring problem, so
// that another input on which it fails shows nothing: its score cannot fall further.
// Callers hold r.confirming.
func (r *search) lost(ctx context.Context, s *problem.Submission, g *problem.Group) (bool, error) {
	if !r.Problem.Is(problem.Scoring) || g == nil {
		return false, nil
	}
	key := goal{s, g}
	r.mu.Lock()
	lost, known := r.goals[key]
	r.mu.Unlock()
	if known {
		return lost, nil
	}
	for _, c := range g.Cases {
		run := r.sessions[s].Try(ctx, c)
		if run.Err != nil {
			return false, run.Err
		}
		if lost = run.Verdict != problem.Accepted; lost {
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.goals[key] = lost
	return lost, ctx.Err()
}

// A goal is a submission that may fail in a group.
type goal struct {
	s *problem.Submission
	g *problem.Group
}

// disagree stores that accepted submissions do not agree, which is the most important
// finding: no answer is known to be right.
func (r *search) disagree(c *Counterexample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Disagreements++; r.result.Disagreement == nil {
		r.result.Disagreement = c
	}
}
