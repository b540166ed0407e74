package verify

import (
	"context"
	"crucible/judge"
	"crucible/judge/problem"
	"slices"
)

// Answer checks. The format leaves open what an answer looks like; setters who
// know bring answer validators, programs in answer_validators/ that get the
// input's name as an argument and the answer on standard input, and cases in
// data/invalid_answer/ that one of them must reject. They are BAPCtools' (its
// documentation, "Answer validation").

// checkAnswers holds the answers against the answer validators.
func checkAnswers(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	if p.AnswerValidators != nil {
		if err := promise.wantAccepted(ctx, j, p, p.AnswerValidators); err != nil {
			return err
		}
	}
	return doubtAnswers(ctx, j, p, promise)
}

// doubtAnswers gives the secret answers to the output validator as if they had
// been printed. An answer need not be an output, but most often it is.
func doubtAnswers(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise) error {
	if p.OutputValidators == nil || p.Is(problem.Interactive) || p.Is(problem.MultiPass) {
		return nil
	}
	cases := slices.DeleteFunc(slices.Clone(p.Cases), func(c *problem.Case) bool { return c.Static != nil || c.Sample() })
	doubts := &Promise{}
	err := doubts.look(ctx, j, cases, func(c *problem.Case) error {
		run, err := j.CheckOutput(ctx, p, c, ".ans")
		if err == nil && run.Verdict != problem.Accepted {
			return &problem.Defect{File: p.Where(c.Path(".ans")), Msg: "the output validator rejects it as an output: " + run.Why}
		}
		return err
	})
	promise.Checked = max(promise.Checked, len(cases))
	promise.Doubts = append(promise.Doubts, doubts.Broken...)
	return err
}

// checkInvalidAnswers wants each case of invalid_answer to be rejected.
func checkInvalidAnswers(ctx context.Context, j *judge.Judge, p *problem.Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidAnswer)
	if p.AnswerValidators == nil && promise.Checked > 0 {
		promise.Skipped = "there is no answer validator"
		return nil
	}
	return promise.wantRejected(ctx, j, p, p.AnswerValidators, p.InvalidAnswer)
}
