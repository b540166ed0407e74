package judge

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"crucible/judge/check"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// Validators made with testlib, MikeMirzayanov's library for checkers and
// interactors (testlib.h, github.com/MikeMirzayanov/testlib), have conventions of
// their own:
//
//	checker     INPUT OUTPUT ANSWER
//	interactor  INPUT TOUT ANSWER   its streams connected to the submission's
//
// The judgement is the exit status, and a message goes to standard error. A
// testlib.h that was made for the problem package format defines the format's
// statuses; then the program is a validator like any other.

var (
	includesTestlib = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([\w./-]*/)?testlib\.h[">]`)
	okIsAccepted    = regexp.MustCompile(`(?m)(?:\b|-D)OK_EXIT_CODE(?:[ \t]+|=)42\b`) // a define, or a flag of a build script
)

// followsTestlib reports whether a validator follows testlib's conventions.
func (j *Judge) followsTestlib(p *problem.Program) (bool, error) {
	if known, ok := j.testlib.Load(p); ok {
		return known.(bool), nil
	}
	files, err := p.Read()
	if err != nil {
		return false, err
	}
	known, _ := j.testlib.LoadOrStore(p, isTestlib(files))
	return known.(bool), nil
}

// isTestlib reports whether a program of these files follows testlib's
// conventions.
func isTestlib(files map[string][]byte) bool {
	includes := false
	for name, text := range files {
		inC := slices.Contains(extensionsOfC, path.Ext(name))
		if inC {
			text = withoutComments(text)
		}
		if okIsAccepted.Match(text) {
			return false
		}
		includes = includes || inC && includesTestlib.Match(text)
	}
	return includes
}

// extensionsOfC are the extensions of files that can include a header.
var extensionsOfC = []string{".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl"}

// withoutComments returns a text of C or C++ with a space for each comment.
// Literals of strings and characters stay as they are.
func withoutComments(text []byte) []byte {
	kept := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		rest, n := text[i:], 1
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			n = len(bytes.TrimSuffix(rest[:lengthTo(rest, 2, "\n")], []byte("\n"))) // without the end of the line
			rest = []byte(" ")
		case bytes.HasPrefix(rest, []byte("/*")):
			n = lengthTo(rest, 2, "*/")
			rest = []byte(" ")
		case rest[0] == '"' || rest[0] == '\'':
			for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n, len(rest))
			rest = rest[:n]
		default:
			rest = rest[:1]
		}
		kept = append(kept, rest...)
		i += n
	}
	return kept
}

// lengthTo returns the length of the text up to and including the first end after
// from, or the length of the text if there is none.
func lengthTo(text []byte, from int, end string) int {
	if i := bytes.Index(text[from:], []byte(end)); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

// A testlibStatus is the meaning of an exit status of a testlib checker.
type testlibStatus struct {
	kind   testlibKind
	points int // of partly
}

type testlibKind int

const (
	failed testlibKind = iota // the checker could not judge: the judge's failure
	right
	wrong
	scored // the message has the points
	partly // the status has the points
)

// statusOfTestlib returns the meaning of an exit status: _ok, _wa, _pe, _fail,
// _dirt, _points, _unexpected_eof, and from 16 to 100 _partially with as many
// points. Points below 16 would be ambiguous; shells use statuses above 100 for
// missing and killed programs. Any other status is a failure.
func statusOfTestlib(exit int) testlibStatus {
	switch {
	case exit == 0:
		return testlibStatus{kind: right}
	case exit == 1, exit == 2, exit == 4, exit == 8:
		// A presentation error, dirt after the answer, and an end too soon are wrong
		// answers: the format knows no others.
		return testlibStatus{kind: wrong}
	case exit == 7:
		return testlibStatus{kind: scored}
	case exit >= 16 && exit <= 100:
		return testlibStatus{kind: partly, points: exit}
	}
	return testlibStatus{kind: failed}
}

// testlibOpinion reads the decision of a testlib checker. Points are the score on a
// scoring problem; on others, partly right means wrong.
func (x *examiner) testlibOpinion(e *examination, out sandbox.Outcome, stderr *Stderr) (o opinion, err error) {
	o.message = strings.TrimSpace(stderr.String())
	switch {
	case out.Exceeded != "":
		return o, x.errorf("%w%s", beyondLimit(out), e.j.Reason(x.at, e.c.Name, stderr))
	case out.Signal != 0:
		return o, x.errorf("was killed by %s%s", text.SignalName(out.Signal), e.j.Reason(x.at, e.c.Name, stderr))
	}
	status := statusOfTestlib(out.Exit)
	points := float64(status.points)
	switch status.kind {
	case right, wrong:
		o.accepts = status.kind == right
		return o, nil
	case failed:
		return o, x.errorf("exit status %d of testlib: expected 0 to accept, or 1, 2, 4 or 8 to reject%s", out.Exit, e.j.Reason(x.at, e.c.Name, stderr))
	case scored:
		if points, err = testlibPoints(o.message); err != nil {
			return o, x.errorf("exit status %d of testlib: %w", out.Exit, err)
		}
	}
	switch {
	case e.p.Is(problem.Scoring):
		o.accepts, o.score = true, &points
	case out.Exit == validatorAccepts, out.Exit == validatorRejects:
		// These points equal the format's own statuses, and the problem has no scores:
		// more likely the program does not use testlib's statuses.
		return o, x.errorf("exit status %d, and it includes testlib.h, whose statuses are 0 to accept, or 1, 2, 4 or 8 to reject; expected those, or OK_EXIT_CODE defined as %d%s", out.Exit, validatorAccepts, e.j.Reason(x.at, e.c.Name, stderr))
	}
	return o, nil
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
