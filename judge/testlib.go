package judge

import (
	"fmt"
	"strings"

	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Validators made with testlib, MikeMirzayanov's library for checkers and
// interactors (testlib.h, github.com/MikeMirzayanov/testlib), have conventions of
// their own:
//
//	checker     INPUT OUTPUT ANSWER
//	interactor  INPUT TOUT ANSWER   its streams connected to the submission's
//	validator   of inputs or answers, as the format's, but 0 accepts, too
//
// The judgement is the exit status, and a message goes to standard error. A
// testlib.h that was made for the problem package format defines the format's
// statuses; then the program is a validator like any other.

// followsTestlib reports whether a validator follows testlib's conventions.
func (j *Judge) followsTestlib(p *problem.Program) (bool, error) {
	if known, ok := j.testlib.Load(p); ok {
		return known.(bool), nil
	}
	files, err := p.Read()
	if err != nil {
		return false, err
	}
	known, _ := j.testlib.LoadOrStore(p, problem.FollowsTestlib(files, p.Checks != ""))
	return known.(bool), nil
}

// testlibDecision reads the decision of a testlib checker from its exit status: _ok,
// _wa, _pe, _fail, _dirt, _points, _unexpected_eof, and from 16 to 100 _partially
// with as many points. Points below 16 would be ambiguous; shells use statuses
// above 100 for missing and killed programs. Any other status is a failure. Points
// are the score on a scoring problem; on others, partly right means wrong.
func (x *validator) testlibDecision(e *validation, out sandbox.Outcome, stderr *Stderr) (d decision, err error) {
	d.message = strings.TrimSpace(stderr.String())
	if out.Exceeded != "" || out.Signal != 0 {
		return d, x.errorf("%w%s", crashed(out), x.reason(e, stderr))
	}
	points := float64(out.Exit)
	switch {
	case out.Exit == 0:
		d.accepts = true
		return d, nil
	case out.Exit == 1, out.Exit == 2, out.Exit == 4, out.Exit == 8:
		// A presentation error, extra output, and output that ends too early are wrong
		// answers: a validator of the format has no other way to reject.
		return d, nil
	case out.Exit == 7:
		if points, err = testlibPoints(d.message); err != nil {
			return d, x.errorf("exit status %d of testlib: %w", out.Exit, err)
		}
	case out.Exit < 16 || out.Exit > 100:
		err := &Crash{out, fmt.Errorf("exit status %d of testlib: expected 0 to accept, or 1, 2, 4 or 8 to reject", out.Exit)}
		return d, x.errorf("%w%s", err, x.reason(e, stderr))
	}
	switch {
	case e.p.Is(problem.Scoring):
		d.accepts, d.score = true, &points
	case out.Exit == validatorAccepts, out.Exit == validatorRejects:
		// These points equal the format's own statuses, and the problem has no scores:
		// more likely the program does not use testlib's statuses.
		return d, x.errorf("exit status %d, and it includes testlib.h, whose statuses are 0 to accept, or 1, 2, 4 or 8 to "+
			"reject; expected those, or OK_EXIT_CODE defined as %d%s", out.Exit, validatorAccepts, x.reason(e, stderr))
	}
	return d, nil
}

// testlibPoints reads the score from a message such as "points 12.5 as good as
// the best".
func testlibPoints(message string) (float64, error) {
	words := strings.Fields(message)
	if len(words) > 0 && words[0] == "points" {
		words = words[1:]
	}
	if len(words) == 0 {
		return 0, fmt.Errorf("no points in its message")
	}
	points, ok := check.ParseFloat(words[0])
	if !ok || points < 0 {
		return 0, fmt.Errorf("points %s: expected a number such as 12.5, 0 or more", check.Clip(words[0]))
	}
	return points, nil
}
