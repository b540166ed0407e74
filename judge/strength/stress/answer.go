package stress

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"crucible/judge"
	"crucible/judge/problem"
)

// In most problems, the answer to a new input is the output of the reference. In an
// interactive or multi-pass problem, no output is an answer: the output validator judges
// each run while it knows the input, and the reference is right if it is accepted. Most
// packages of such problems have answer files that are all equal, or a copy of the input.

// answer runs the reference on an input, and returns the answer. The verdict is AC if that
// can be an answer.
func (r *search) answer(ctx context.Context, of *problem.Case, input []byte) ([]byte, *judge.Run) {
	var b bytes.Buffer
	answer, run := r.runNew(ctx, r.reference, of, input, &b)
	if !r.Problem.Answerless() {
		answer = b.Bytes()
	}
	return answer, &run
}

// runNew runs a program on an input whose answer is not known, and writes the output to
// out. If no output is an answer, the output validator judges the run instead, with the
// answer file that is returned.
func (r *search) runNew(ctx context.Context, program *judge.Session, of *problem.Case, input []byte,
	out io.Writer) ([]byte, judge.Run) {
	if r.Problem.Answerless() {
		answer := r.answerFile(input)
		return answer, program.Try(ctx, with(of, input, answer))
	}
	return nil, program.Answer(ctx, with(of, input, nil), out)
}

// compare runs a target on an input with the answer.
func (r *search) compare(ctx context.Context, s *problem.Submission, one *problem.Case, answer []byte) judge.Run {
	if r.Problem.Answerless() {
		return r.sessions[s].Try(ctx, one)
	}
	return r.sessions[s].Compare(ctx, one, answer)
}

// checkAnswer judges the answer of the reference or, if outputs are no answers, the
// reference itself, again.
func (r *search) checkAnswer(ctx context.Context, one *problem.Case) (judge.Run, error) {
	if r.Problem.Answerless() {
		run := r.reference.Try(ctx, one)
		return run, run.Err
	}
	return r.j.CheckOutput(ctx, r.Problem, one, ".ans")
}

// chooseAnswers sets r.answerFile, the answer files of new inputs where outputs are no
// answers: what all answer files of the package have in common or, if they differ, the
// first that is enough for the output validator to accept the program on cases of the
// package.
func (r *search) chooseAnswers(ctx context.Context, program *judge.Session) error {
	if !r.Problem.Answerless() {
		return nil
	}
	cases, err := r.smallest()
	if err != nil {
		return err
	}
	empty := func([]byte) []byte { return nil }
	rules := []func(input []byte) []byte{func(input []byte) []byte { return input }, empty}
	if len(cases) == 0 {
		rules = rules[1:]
	} else if !slices.ContainsFunc(cases, func(e example) bool { return !bytes.Equal(e.answer, cases[0].answer) }) {
		rules = append([]func([]byte) []byte{func([]byte) []byte { return cases[0].answer }}, rules...)
	}
	for _, rule := range rules {
		enough := true
		for _, e := range cases[:min(len(cases), tried)] {
			run := program.Try(ctx, with(e.c, e.input, rule(e.input)))
			if run.Err != nil && !errors.Is(run.Err, judge.ErrCrashed) {
				return run.Err
			}
			enough = enough && run.Verdict == problem.Accepted
		}
		if enough {
			r.answerFile = rule
			return nil
		}
	}
	return &problem.Defect{File: r.Problem.Where("output_validators"),
		Msg: "needs answer files that no program makes: the program is not accepted on the cases of the package if an " +
			"answer file is empty, or a copy of the input"}
}

// tried is the number of cases on which a rule for answer files is tried.
const tried = 3

// An example is a case of the package.
type example struct {
	c             *problem.Case
	input, answer []byte
}

// smallest returns the cases with inputs that can be mutated, by size.
func (r *search) smallest() (cases []example, err error) {
	for _, c := range r.Cases {
		if c.Static != nil || !c.Has(".in") || !c.Has(".ans") {
			continue
		}
		e := example{c: c}
		if e.input, err = read(c, ".in"); err != nil {
			return nil, err
		}
		if e.answer, err = read(c, ".ans"); err != nil {
			return nil, err
		}
		if e.input != nil {
			cases = append(cases, e)
		}
	}
	slices.SortStableFunc(cases, func(a, b example) int { return cmp.Compare(len(a.input), len(b.input)) })
	return cases, nil
}
