package verify

import (
	"slices"
	"strings"
	"sync"

	"crucible/judge"
	"crucible/judge/check"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
)

// inputs checks that the input validators accept every valid input.
func (v *verifier) inputs() error {
	if v.p.InputValidators == nil {
		v.breaks("input_validators", "has no validator; the format requires at least one")
		return nil
	}
	err := v.accepted(v.p.InputValidators)
	v.inputsBroken = v.Broken != nil
	return err
}

// invalidInputs checks that the input validators reject each case of invalid_input.
func (v *verifier) invalidInputs() error {
	v.Checked = len(v.p.InvalidInput)
	if v.p.InputValidators == nil {
		v.Skipped = "there is no input validator"
		return nil
	}
	return v.validate(v.p.InputValidators, v.p.InvalidInput, false)
}

// answers checks that the answer validators accept every answer. The format does
// not specify answer validators; BAPCtools does ("Answer validation"): programs in
// answer_validators/ get the name of the input as an argument and the answer on
// standard input, and one of them must reject each case of data/invalid_answer/.
//
// An answer must not be empty, because the default output validator then accepts a
// program that prints nothing, unless generators.yaml gives it.
//
// It is a doubt if the output validator rejects a secret answer as an output,
// because most answers are valid outputs.
func (v *verifier) answers() error {
	p := v.p
	if p.AnswerValidators != nil {
		if err := v.accepted(p.AnswerValidators); err != nil {
			return err
		}
	}
	if p.OutputValidators == nil {
		return v.emptyAnswers()
	}
	if p.Answerless() {
		return nil
	}
	cases := slices.DeleteFunc(slices.Clone(p.Cases), func(c *problem.Case) bool { return c.Static != nil || c.Sample() })
	v.Checked = max(v.Checked, len(cases))
	broken := v.Broken
	v.Broken = nil
	err := v.outputs(cases, func(*problem.Case) string { return ".ans" }, "the output validator rejects it as an output")
	v.Broken, v.Doubts = broken, v.Broken
	return err
}

// emptyAnswers checks that no answer is empty.
func (v *verifier) emptyAnswers() error {
	plan, _ := generate.ReadPlan(v.p.FS) // generated reports an error
	cases := slices.DeleteFunc(slices.Clone(v.p.Cases), func(c *problem.Case) bool {
		return c.Static != nil ||
			!c.Has(".ans")
	})
	v.Checked = max(v.Checked, len(cases))
	return v.each(cases, func(c *problem.Case) error {
		f, err := c.Open(".ans")
		if err != nil {
			return v.defect(c.Path(".ans"), "%v", err)
		}
		defer f.Close()
		blank, err := check.Blank(f)
		if err == nil && blank && (plan == nil || !plan.Answers(v.p.FS, c.Name)) {
			err = v.defect(c.Path(".ans"),
				"is empty, so a program that prints nothing is accepted; if it must be, give it in generators.yaml (ans: \"\")")
		}
		return err
	})
}

// invalidAnswers checks that the answer validators reject each case of
// invalid_answer.
func (v *verifier) invalidAnswers() error {
	v.Checked = len(v.p.InvalidAnswer)
	if v.p.AnswerValidators == nil && v.Checked > 0 {
		v.Skipped = "there is no answer validator"
		return nil
	}
	return v.validate(v.p.AnswerValidators, v.p.InvalidAnswer, false)
}

// accepted checks that the validators accept the file that they check of every
// case, except cases that are invalid because of that file.
func (v *verifier) accepted(validators []*problem.Program) error {
	cases := slices.DeleteFunc(slices.Concat(v.p.Cases, v.p.ValidOutput, v.p.InvalidOutput),
		func(c *problem.Case) bool { return c.Static != nil })
	v.Checked = len(cases)
	return v.validate(validators, cases, true)
}

// validate checks that all validators accept the file that they check of each case,
// or that at least one rejects it. A validator that exits with 0 on all cases that it
// must accept is reported once.
func (v *verifier) validate(validators []*problem.Program, cases []*problem.Case, accept bool) error {
	var mu sync.Mutex
	rejected := make(map[*problem.Case][]string) // of the cases on which all validators ran
	err := v.each(cases, func(c *problem.Case) error {
		found, err := v.j.Rejections(v.ctx, v.p, validators, c)
		if err == nil {
			mu.Lock()
			rejected[c] = found
			mu.Unlock()
		}
		return err
	})
	for _, of := range validators {
		zero := func(why string) bool { return judge.IsZero(of, why) }
		isZero := func(c *problem.Case) bool { return slices.ContainsFunc(rejected[c], zero) }
		if accept && len(cases) > 0 && !slices.ContainsFunc(cases, func(c *problem.Case) bool { return !isZero(c) }) {
			v.Broken = append(v.Broken, judge.ZeroDefect(v.p, of))
			for c, found := range rejected {
				rejected[c] = slices.DeleteFunc(found, zero)
			}
		}
	}
	for _, c := range cases {
		ext := validators[0].Checks
		switch found, ok := rejected[c]; {
		case accept && len(found) > 0:
			v.breaks(c.Path(ext), "%s", strings.Join(found, "; "))
		case !accept && ok && found == nil:
			v.breaks(c.Path(ext), "is accepted by every %s validator", judge.Validates[ext])
		}
	}
	return err
}

// validOutputs checks that the output validator accepts the outputs of samples and
// of valid_output.
func (v *verifier) validOutputs() error {
	var cases []*problem.Case
	ext := make(map[*problem.Case]string)
	for _, c := range v.p.Samples() {
		switch {
		case c.Static != nil || v.p.Answerless():
			continue // no file has the output
		case c.Has(".out"): // shown in place of .ans (2025-09, "Validation of shared test case files")
			ext[c] = ".out"
		case !c.Has(".ans.statement") && !c.Has(".ans.download") && !c.Has(".interaction"):
			ext[c] = ".ans"
		default:
			continue
		}
		cases = append(cases, c)
	}
	for _, c := range v.p.ValidOutput {
		cases, ext[c] = append(cases, c), ".out"
	}
	v.Checked = len(cases)
	return v.outputs(cases, func(c *problem.Case) string { return ext[c] }, "is rejected")
}

// outputs checks that the output validator accepts files of cases as outputs. An
// error begins with rejected.
func (v *verifier) outputs(cases []*problem.Case, ext func(*problem.Case) string, rejected string) error {
	return v.each(cases, func(c *problem.Case) error {
		run, err := v.j.CheckOutput(v.ctx, v.p, c, ext(c))
		if err == nil && run.Verdict != problem.Accepted {
			err = v.defect(c.Path(ext(c)), "%s: %s", rejected, run.Why)
		}
		return err
	})
}

// invalidOutputs checks that the output validator rejects each case of
// invalid_output.
func (v *verifier) invalidOutputs() error {
	v.Checked = len(v.p.InvalidOutput)
	return v.each(v.p.InvalidOutput, func(c *problem.Case) error {
		run, err := v.j.CheckOutput(v.ctx, v.p, c, ".out")
		if err == nil && run.Verdict == problem.Accepted {
			err = v.defect(c.Path(".out"), "is accepted by the output validator")
		}
		return err
	})
}
