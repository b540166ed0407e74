package judge

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"crucible/judge/sandbox"
)

// Answer checks. The format leaves open what an answer looks like; setters who
// know bring answer validators, programs in answer_validators/ that get the
// input's name as an argument and the answer on standard input, and cases in
// data/invalid_answer/ that one of them must reject. They are BAPCtools' (its
// documentation, "Answer validation").

// checkAnswers holds the answers against the answer validators.
func checkAnswers(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	cases := slices.DeleteFunc(slices.Concat(p.Cases, p.ValidOutput, p.InvalidOutput), func(c *Case) bool { return c.Static != nil })
	if p.AnswerValidators == nil {
		return doubtAnswers(ctx, j, p, promise)
	}
	promise.Checked = len(cases)
	err := promise.look(ctx, j, cases, func(c *Case) error {
		rejected, err := j.acceptAnswer(ctx, p, c)
		if err == nil && rejected != nil {
			return &Defect{File: p.Where(c.path(".ans")), Msg: strings.Join(rejected, "; ")}
		}
		return err
	})
	if err != nil {
		return err
	}
	return doubtAnswers(ctx, j, p, promise)
}

// doubtAnswers gives the secret answers to the output validator as if they had
// been printed. An answer need not be an output, but most often it is.
func doubtAnswers(ctx context.Context, j *Judge, p *Problem, promise *Promise) error {
	if p.OutputValidators == nil || p.Is("interactive") || p.Is("multi-pass") {
		return nil
	}
	cases := slices.DeleteFunc(slices.Clone(p.Cases), func(c *Case) bool { return c.Static != nil || c.Sample() })
	doubts := &Promise{}
	err := doubts.look(ctx, j, cases, func(c *Case) error {
		run, err := j.outputOf(ctx, p, c, ".ans")
		if err == nil && run.Verdict != Accepted {
			return &Defect{File: p.Where(c.path(".ans")), Msg: "the output validator rejects it as an output: " + run.Why}
		}
		return err
	})
	promise.Checked = max(promise.Checked, len(cases))
	promise.Doubts = append(promise.Doubts, doubts.Broken...)
	return err
}

// checkInvalidAnswers wants each case of invalid_answer to be rejected.
func checkInvalidAnswers(ctx context.Context, j *Judge, p *Problem, promise *Promise, _ *Verification) error {
	promise.Checked = len(p.InvalidAnswer)
	if p.AnswerValidators == nil && promise.Checked > 0 {
		promise.Skipped = "there is no answer validator"
		return nil
	}
	return promise.look(ctx, j, p.InvalidAnswer, func(c *Case) error {
		rejected, err := j.acceptAnswer(ctx, p, c)
		if err == nil && rejected == nil {
			return &Defect{File: p.Where(c.path(".ans")), Msg: "is accepted by every answer validator"}
		}
		return err
	})
}

// acceptAnswer runs the answer validators on a case and returns those that
// rejected it, with what they said.
func (j *Judge) acceptAnswer(ctx context.Context, p *Problem, c *Case) (rejected []string, err error) {
	for _, v := range p.AnswerValidators {
		why, err := j.acceptAnswerOne(ctx, p, v, c)
		if err != nil {
			return nil, err
		}
		if why != "" {
			rejected = append(rejected, v.Name+" "+why)
		}
	}
	return rejected, nil
}

func (j *Judge) acceptAnswerOne(ctx context.Context, p *Problem, v *Program, c *Case) (why string, err error) {
	program, err := j.validator(ctx, v, preparing)
	if err != nil {
		return "", err
	}
	if program.grammar != nil {
		return p.acceptsBy(ctx, v, program.grammar, c)
	}
	work, err := program.workplace(j.tmp)
	if err != nil {
		return "", err
	}
	defer func() { program.leave(work, j.confined()) }()
	dir, err := os.MkdirTemp(j.tmp, "check-")
	if err != nil {
		return "", err
	}
	defer removeAll(dir)
	input, err := c.real(dir, ".in")
	if err != nil {
		return "", err
	}
	answer, err := openRegular(c.fsys, c.path(".ans"))
	if err != nil {
		return "", err
	}
	defer answer.Close()
	said := &head{most: keptStderr}
	out, err := j.runner.Run(ctx, sandbox.Cmd{
		Args: slices.Concat(program.args, []string{input}), Dir: work, Reads: slices.Concat(program.reads, []string{input}),
		Stdin: answer, Stdout: said, Stderr: said, Limits: preparing.enforced(),
	})
	if err != nil {
		return "", fmt.Errorf("answer validator %s on %s: %w", p.Where(v.Path), c.Name, err)
	}
	switch {
	case out.Exceeded != "", out.Signal != 0:
		return "", fmt.Errorf("answer validator %s on %s: %w%s", p.Where(v.Path), c.Name, crashed(out), onStderr(said))
	case out.Exit != validatorAccepts:
		return fmt.Sprintf("exits with %d%s", out.Exit, onStderr(said)), nil
	}
	return "", nil
}
