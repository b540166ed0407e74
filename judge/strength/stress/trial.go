package stress

import (
	"context"
	"errors"
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A trial is what one input showed.
type trial struct {
	setting          *problem.Case // whose settings the input has
	input            []byte
	one              *problem.Case // with the input and the answer of the reference
	valid, unchecked bool
	value            float64 // of Search.Maximize
	answer           []byte
	different        []*Counterexample
}

// try runs the input validators, the reference and the targets on an input. The caller has
// acquired a job.
func (r *search) try(ctx context.Context, c *candidate) (t trial, err error) {
	t.setting, t.input = r.settings[c.setting], c.input
	late := r.Maximize == nil && !r.Problem.Answerless() && r.costs.late()
	if !late {
		if err := r.check(ctx, &t); err != nil || !t.valid {
			return t, err
		}
		if r.Maximize != nil {
			t.value, err = r.maximize(ctx, t.setting, t.input, r.progress(func(*Result) {}))
			return t, err
		}
	}
	began := time.Now()
	answer, run := r.answer(ctx, t.setting, t.input)
	if run.Err != nil {
		return t, run.Err
	}
	if run.Verdict != problem.Accepted {
		if t.unchecked = late; !late {
			r.failed(&t, run)
		}
		r.costs.ran(late, time.Since(began), false)
		return t, nil
	}
	t.answer, t.one = answer, with(t.setting, t.input, answer)
	err = r.differences(ctx, &t)
	r.costs.ran(late, time.Since(began), len(t.different) > 0)
	switch {
	case late && len(t.different) == 0:
		t.unchecked = true
		r.progress(func(result *Result) { result.Unchecked++ })
		return t, err
	case late:
		if e := r.check(ctx, &t); e != nil || !t.valid {
			for _, c := range t.different {
				c.unplaced = true
			}
			return t, errors.Join(err, e)
		}
	}
	return t, errors.Join(err, r.compareAccepted(ctx, &t))
}

// check runs the input validators.
func (r *search) check(ctx context.Context, t *trial) (err error) {
	began := time.Now()
	if t.valid, err = r.isValid(ctx, t.setting, t.input); err != nil {
		t.valid = false
	}
	r.costs.checked(time.Since(began), t.valid)
	r.progress(func(result *Result) {
		if t.valid {
			result.Valid++
		} else {
			result.Invalid++
		}
	})
	return err
}

// failed stores that the reference failed on a valid input.
func (r *search) failed(t *trial, run *judge.Run) {
	if run.Verdict == problem.WrongAnswer {
		now := r.progress(func(*Result) {})
		r.disagree(counterexample(r.Reference, t.setting, t.input, nil, run, *now))
		return
	}
	r.progress(func(result *Result) {
		if result.Slow++; result.Failure == nil {
			result.Failure = counterexample(r.Reference, t.setting, t.input, nil, run, result.Progress)
		}
	})
}

// differences runs the targets on an input with the answer of the reference.
func (r *search) differences(ctx context.Context, t *trial) (err error) {
	r.mu.Lock()
	now := r.result.Progress
	targets := slices.DeleteFunc(r.affordable(),
		func(s *problem.Submission) bool { return r.goals[goal{s, t.setting.Group}] })
	r.mu.Unlock()
	for _, s := range targets {
		began := time.Now()
		run := r.compare(ctx, s, t.one, t.answer)
		r.mu.Lock()
		r.usage[s].tries++
		r.usage[s].spent += time.Since(began)
		now.Valid = r.usage[s].tries
		now.Elapsed = time.Since(r.began)
		r.mu.Unlock()
		if run.Err != nil {
			err = run.Err
			continue
		}
		if run.Verdict != problem.Accepted {
			if c := counterexample(s, t.setting, t.input, t.answer, &run, now); !r.known(c) {
				t.different = append(t.different, c)
			}
		}
	}
	return err
}

// compareAccepted runs an accepted submission on a valid input, now and then.
func (r *search) compareAccepted(ctx context.Context, t *trial) error {
	s := r.due()
	if s == nil {
		return nil
	}
	began := time.Now()
	run := r.sessions[s].Try(ctx, t.one) // the validator judges the answer of the reference, too
	r.mu.Lock()
	r.spent += time.Since(began)
	now := r.result.Progress
	r.mu.Unlock()
	if run.Err == nil && (run.Verdict == problem.WrongAnswer || run.Verdict == problem.RuntimeError) {
		c := counterexample(s, t.setting, t.input, t.answer, &run, now)
		// If the validator does not accept the answer itself, the submission is not to blame.
		if checked, err := r.checkAnswer(ctx, t.one); err != nil {
			return err
		} else if checked.Verdict != problem.Accepted {
			c = counterexample(r.Reference, t.setting, t.input, t.answer, &checked, now)
		}
		r.disagree(c)
	}
	return run.Err
}

// due returns an accepted submission that runs on this input, too, because accepted ones
// may disagree; nil if none does. They take turns, and a quarter of the time.
func (r *search) due() *problem.Submission {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spent > time.Since(r.began)*time.Duration(r.j.Workers())/4 {
		return nil
	}
	for range r.Accepted {
		s := r.Accepted[r.turn%len(r.Accepted)]
		if r.turn++; r.sessions[s] != nil && s != r.Reference {
			return s
		}
	}
	return nil
}

// isValid reports whether all input validators accept an input. A validator that crashes
// or exceeds a limit does not accept it.
func (r *search) isValid(ctx context.Context, of *problem.Case, input []byte) (bool, error) {
	rejected, err := r.j.Rejections(ctx, r.Problem, r.Problem.InputValidators, with(of, input, nil))
	if errors.Is(err, judge.ErrCrashed) {
		return false, r.fault(err)
	}
	return err == nil && len(rejected) == 0, err
}
