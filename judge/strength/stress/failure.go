package stress

import (
	"bytes"
	"context"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// maxFailures bounds the number of ways in which one submission is found to fail, because a
// program can fail in as many ways as it likes.
const maxFailures = 10

// varying matches the parts of a reason that differ from input to input: quoted texts and
// numbers.
var varying = lazy.Regexp(`"(?:[^"\\]|\\.)*"|[0-9]+(?:[.][0-9]+)*`)

// failureOf returns the way in which a submission fails: its verdict and, for WA and RTE, the
// reason without texts and numbers. Exit codes and signals are different ways.
func failureOf(v problem.Verdict, why string) string {
	switch v {
	case problem.WrongAnswer:
		return string(v) + " " + varying().ReplaceAllString(why, "?")
	case problem.RuntimeError:
		return string(v) + " " + why
	}
	return string(v)
}

// failure returns the way in which the submission fails on the input that was found or, after
// shrinking, on the smallest one, which is the same.
func (c *Counterexample) failure() string { return failureOf(c.Verdict, c.Why) }

// known reports whether nothing is to be learnt from a counterexample: its submission has
// one already or, with Search.All, one in which it fails in the same way.
func (r *search) known(c *Counterexample) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.found[c.Submission]
	if !r.All {
		return len(found) > 0
	}
	for _, other := range found {
		if other.failure() == c.failure() {
			return true
		}
	}
	return len(found) >= maxFailures
}

// maxOutput bounds the output that a counterexample has.
const maxOutput = 64 << 10

// keepOutput stores the start of the output of the submission on the smallest input.
func (r *search) keepOutput(ctx context.Context, c *Counterexample) error {
	if c.Verdict != problem.WrongAnswer || r.Problem.Answerless() {
		return nil
	}
	release, err := r.j.Acquire(ctx, 1)
	if err != nil {
		return err
	}
	defer release()
	out := &outputStart{most: maxOutput}
	run := r.sessions[c.Submission].Answer(ctx, c.TestCase(true), out)
	if run.Err == nil && ctx.Err() == nil {
		c.Output = out.Bytes()
	}
	return nil
}

// An outputStart keeps the start of what is written to it.
type outputStart struct {
	bytes.Buffer
	most int // bytes
}

// Write never fails.
func (s *outputStart) Write(p []byte) (int, error) {
	s.Buffer.Write(p[:min(len(p), s.most-s.Len())])
	return len(p), nil
}
