package judge

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/build"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/units"
)

// A grader aggregates results in legacy packages (legacy, "Graders"): it combines
// the results of the cases and groups in a group into one verdict and one score.
// The group above treats them like those of one case. The default grader is in this
// file; a package's own grader is a program.

// graded computes the result of a group of a legacy package.
func (s *scorer) graded(n *node) result {
	at := len(s.groups)
	s.groups = append(s.groups, GroupResult{Name: n.Name})
	var how problem.Grading
	if !n.Custom {
		how, _ = problem.GradingOf(n.GraderFlags)
	}
	sum := result{final: true}
	var results []result
	broken := "" // why the rest of a group with on_reject: break is not run
	for _, it := range n.items {
		// Groups without a testdata.yaml inherit the flag ignore_sample, but it
		// has no effect there: only data/ contains a group of samples.
		ignored := it.n != nil && (it.n.Uncounted || how.IgnoreSample && it.n.sample())
		if broken != "" {
			if it.n != nil {
				s.groups = append(s.groups, GroupResult{Name: it.n.Name, NotRun: broken})
			}
			continue
		}
		one := s.gradedItem(n, it)
		if sum.failed = sum.failed || one.failed; ignored {
			continue // an ignored result has no effect on on_reject, either
		}
		if sum.final = sum.final && one.final && !one.absent; one.absent {
			continue
		}
		if results = append(results, one); one.rejected() && n.OnReject != "continue" {
			broken = fmt.Sprintf("follows %s, which is %s", it.name(), one.verdict)
		}
	}
	if sum.failed {
		return result{failed: true}
	}
	if sum.absent = len(results) == 0; sum.absent {
		return sum
	}
	var err error
	if n.Custom {
		sum.verdict, sum.score, err = s.grade(n.Group, results)
	} else {
		sum.verdict, sum.score = take(how, results)
		if s.p.DomjudgeScores {
			sum.score = n.domjudgeScore(how, results)
		}
	}
	return s.gradeKept(n, at, sum, err)
}

// gradeKept records the decision of a grader and compares the score with the range.
func (s *scorer) gradeKept(n *node, at int, sum result, err error) result {
	r := &s.groups[at]
	least, most := n.Range[0], n.Range[1]
	if err == nil && s.p.Is(problem.Scoring) && sum.final && (math.IsInf(sum.score, 0) || math.IsNaN(sum.score)) {
		err = n.Errorf("the scores of %s have a sum beyond all numbers", r.where())
	}
	if err == nil && s.p.Is(problem.Scoring) && !s.p.DomjudgeScores && sum.final && sum.verdict == problem.Accepted && (above(least, sum.score) || above(sum.score, most)) {
		err = n.Errorf("the score %s of %s lies outside of its range %s to %s", units.Score(sum.score), r.where(), units.Score(least), units.Score(most))
	}
	if err != nil {
		r.Err = err
		return result{failed: true}
	}
	r.Verdict = sum.verdict
	if !s.p.Is(problem.Scoring) {
		return sum
	}
	if !math.IsInf(most, 1) && !s.p.Minimize {
		r.Max = &n.Range[1]
	}
	if sum.final {
		r.Score = &sum.score
	}
	return sum
}

func (it item) name() string {
	if it.n != nil {
		return it.n.Name
	}
	return it.c.Name
}

func (s *scorer) gradedItem(n *node, it item) result {
	if it.n != nil {
		one := s.graded(it.n)
		s.results[it.n] = one
		return one
	}
	return s.caseOf(n, it.c)
}

// legacyCase returns the result of a case of a legacy package.
func (s *scorer) legacyCase(n *node, run *Run) result {
	one := result{verdict: run.Verdict, final: true, score: given(n.Group, run)}
	if s.p.DomjudgeScores {
		if one.unscored = run.Score == nil; one.unscored || run.Verdict != problem.Accepted && run.Verdict != problem.WrongAnswer {
			one.score = 0
		}
	}
	return one
}

// given returns the score of a case in a legacy package: that of the validator
// or, if there is none, that of the group for its verdict.
func given(g *problem.Group, run *Run) float64 {
	switch {
	case run.Score != nil:
		return *run.Score
	case run.Verdict == problem.Accepted:
		return g.AcceptScore
	}
	return g.RejectScore
}

// best returns the best possible score; false if it is unbounded.
func (t *tree) best() (float64, bool) {
	if t.root == nil {
		return 0, false
	}
	best := t.root.Range[1]
	if t.p.Minimize {
		best = t.root.Range[0]
	}
	return best, !math.IsInf(best, 0)
}

// maxGrade is the maximum length of the output of a grader, which is one line.
const maxGrade = 64 << 10

var gradeLine = regexp.MustCompile(`^\s*(AC|WA|RTE|TLE)[ \t]+([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?)\s*$`)

// grader runs the package's own grader on the results in a group. The grader
// reads one line for each result, writes one line and exits with status 0.
// Everything else is a failure of the judge (legacy, "Graders").
func (j *Judge) grader(ctx context.Context, p *problem.Problem, g *problem.Group, results []result) (problem.Verdict, float64, error) {
	if p.Grader == nil {
		return problem.Undecided, 0, g.Defect("grading is custom, and there is no program in graders/")
	}
	fail := func(err error) (problem.Verdict, float64, error) {
		return problem.Undecided, 0, fmt.Errorf("grader %s on %s: %w", p.Where(p.Grader.Path), (&GroupResult{Name: g.Name}).where(), err)
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
		Args: g.GraderFlags, Stdin: bytes.NewReader(gradeInput(results)), Stdout: &out, Stderr: &stderr, Limits: build.LimitsOf(p.Checking),
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
func gradeInput(results []result) []byte {
	var b bytes.Buffer
	for _, one := range results {
		fmt.Fprintf(&b, "%s %s\n", one.verdict.CountsAs()[0], strconv.FormatFloat(one.score, 'f', -1, 64))
	}
	return b.Bytes()
}

func gradeOutput(out []byte) (problem.Verdict, float64, error) {
	words := gradeLine.FindSubmatch(out)
	if len(out) >= maxGrade || words == nil || bytes.ContainsRune(bytes.TrimSpace(out), '\n') {
		stderr := text.FirstLine(text.Clip(string(out), keptMessage))
		return problem.Undecided, 0, fmt.Errorf("wrote %s: expected one line such as \"AC 12.5\", of AC, WA, RTE or TLE and a number", strconv.Quote(stderr))
	}
	score, err := strconv.ParseFloat(string(words[2]), 64)
	if err != nil {
		return problem.Undecided, 0, fmt.Errorf("wrote the score %s: expected a number", strconv.Quote(strings.TrimSpace(string(words[2]))))
	}
	return problem.Verdict(words[1]), score, nil
}

// domjudgeScore returns the score of a group as DOMjudge computes it.
func (n *node) domjudgeScore(how problem.Grading, results []result) float64 {
	var scores []result
	for _, one := range results {
		if !one.unscored {
			scores = append(scores, one)
		}
	}
	leaf := !slices.ContainsFunc(n.items, func(it item) bool { return it.n != nil })
	if leaf && scores == nil && n.Own.Accept != nil {
		var once result
		if firstRejected(results) == problem.Accepted {
			once.score = *n.Own.Accept
		}
		scores = append(scores, once)
	}
	if scores == nil {
		return 0
	}
	_, score := take(how, scores)
	return score
}

// take is the default grader. It requires at least one result.
func take(g problem.Grading, results []result) (problem.Verdict, float64) {
	verdict := firstRejected(results)
	if g.Verdict == "worst_error" && verdict != problem.Accepted {
		for _, v := range problem.WorstFirst {
			if slices.ContainsFunc(results, func(one result) bool { return one.verdict == v }) {
				verdict = v
				break
			}
		}
	}
	if g.Verdict == "always_accept" || g.AnyAccepted && slices.ContainsFunc(results, result.accepted) {
		verdict = problem.Accepted
	}
	score := results[0].score
	for _, one := range results[1:] {
		switch g.Score {
		case "min":
			score = min(score, one.score)
		case "max":
			score = max(score, one.score)
		default:
			score += one.score
		}
	}
	if g.Score == "avg" {
		score /= float64(len(results))
	}
	return verdict, score
}
