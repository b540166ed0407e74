package judge

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"crucible/judge/build"
	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
	"crucible/judge/result"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// maxGrade is the maximum length of the output of a grader, which is one line.
const maxGrade = 64 << 10

var gradeLine = lazy.Regexp(`^\s*(AC|WA|RTE|TLE)[ \t]+([+-]?(?:[0-9]+\.?[0-9]*|` +
	`\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)\s*$`)

// grader runs the package's own grader on the results in a group. The grader
// reads one line for each result, writes one line and exits with status 0.
// Everything else is a failure of the judge (legacy, "Graders").
func (j *Judge) grader(ctx context.Context, p *problem.Problem, g *problem.Group,
	results []result.Graded) (problem.Verdict, float64, error) {
	if p.Grader == nil {
		return problem.Undecided, 0, g.Defect("grading is custom, and there is no program in graders/")
	}
	fail := func(err error) (problem.Verdict, float64, error) {
		return problem.Undecided, 0, fmt.Errorf("grader %s on %s: %w", p.Where(p.Grader.Path),
			(&result.Group{Name: g.Name}).Where(), err)
	}
	release, err := j.Acquire(ctx, 1)
	if err != nil {
		return fail(err)
	}
	defer release()
	program, err := j.BuildValidator(ctx, p.Grader, p.Checking)
	if err != nil {
		return fail(err)
	}
	out, stderr := head{most: maxGrade}, Stderr{Most: KeptSaid}
	o, err := j.runTool(ctx, program, sandbox.Cmd{
		Args: g.GraderFlags, Stdin: bytes.NewReader(gradeInput(results)), Stdout: &out, Stderr: &stderr,
		Limits: build.LimitsOf(p.Checking),
	}, nil)
	if err != nil {
		return fail(err)
	}
	verdict, score := problem.Undecided, 0.0
	switch {
	case o.Exceeded != "", o.Signal != 0:
		err = crashed(o)
	case o.Exit != 0:
		err = fmt.Errorf("exit status %d, expected 0", o.Exit)
	default:
		verdict, score, err = gradeOutput(out.buf.Bytes())
	}
	if err != nil {
		return fail(fmt.Errorf("%w%s", err, j.Reason(p.Where(p.Grader.Path), g.Name, &stderr)))
	}
	return verdict, score, nil
}

// gradeInput returns the input of a grader. Graders know only AC, WA, RTE and
// TLE.
func gradeInput(results []result.Graded) []byte {
	var b bytes.Buffer
	for _, one := range results {
		fmt.Fprintf(&b, "%s %s\n", one.Verdict.CountsAs()[0], strconv.FormatFloat(one.Score, 'f', -1, 64))
	}
	return b.Bytes()
}

func gradeOutput(out []byte) (problem.Verdict, float64, error) {
	words := gradeLine().FindSubmatch(out)
	if len(out) >= maxGrade || words == nil || bytes.ContainsRune(bytes.TrimSpace(out), '\n') {
		stderr := terminal.FirstLine(terminal.Excerpt(string(out), keptMessage))
		return problem.Undecided, 0,
			fmt.Errorf("wrote %s: expected one line such as \"AC 12.5\", of AC, WA, RTE or TLE and a number",
				strconv.Quote(stderr))
	}
	score, err := strconv.ParseFloat(string(words[2]), 64)
	if err != nil {
		return problem.Undecided, 0, fmt.Errorf("wrote the score %s: expected a number",
			strconv.Quote(strings.TrimSpace(string(words[2]))))
	}
	return problem.Verdict(words[1]), score, nil
}
