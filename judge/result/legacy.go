package result

import (
	"fmt"
	"math"
	"slices"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// In legacy packages a grader combines the results of the cases and groups in a group
// into one verdict and one score (legacy, "Graders"). The group above treats them like
// those of one case. The default grader is in this file; a package's own grader is a
// program.

// graded computes the result of a group of a legacy package.
func (s *scorer) graded(n *node) part {
	at := len(s.groups)
	s.groups = append(s.groups, Group{Name: n.Name})
	var how problem.Grading
	if !n.Custom {
		how, _ = problem.GradingOf(n.GraderFlags)
	}
	sum := part{final: true}
	var results []part
	broken := "" // why the rest of a group with on_reject: break is not run
	for _, it := range n.items {
		// Groups without a testdata.yaml inherit the flag ignore_sample, but it
		// has no effect there: only data/ contains a group of samples.
		ignored := it.n != nil && (it.n.Uncounted || how.IgnoreSample && it.n.sample())
		if broken != "" {
			if it.n != nil {
				s.groups = append(s.groups, Group{Name: it.n.Name, NotRun: broken})
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
		return part{failed: true}
	}
	if sum.absent = len(results) == 0; sum.absent {
		return sum
	}
	var err error
	if n.Custom {
		sum.verdict, sum.score, err = s.grade(n.Group, gradedOf(results))
	} else {
		sum.verdict, sum.score = take(how, results)
		if s.p.DomjudgeScores {
			sum.score = n.domjudgeScore(how, results)
		}
	}
	return s.gradeKept(n, at, sum, err)
}

// gradedOf returns the results for the package's own grader.
func gradedOf(results []part) []Graded {
	graded := make([]Graded, len(results))
	for i, one := range results {
		graded[i] = Graded{one.verdict, one.score}
	}
	return graded
}

// gradeKept records the decision of a grader and compares the score with the range.
func (s *scorer) gradeKept(n *node, at int, sum part, err error) part {
	r := &s.groups[at]
	least, most := n.Range[0], n.Range[1]
	if err == nil && s.p.Is(problem.Scoring) && sum.final && (math.IsInf(sum.score, 0) || math.IsNaN(sum.score)) {
		err = n.Errorf("the scores of %s have a sum beyond all numbers", r.Where())
	}
	if err == nil && s.p.Is(problem.Scoring) && !s.p.DomjudgeScores && sum.final && sum.verdict == problem.Accepted &&
		(above(least, sum.score) || above(sum.score, most)) {
		err = n.Errorf("the score %s of %s lies outside of its range %s to %s", terminal.Score(sum.score), r.Where(),
			terminal.Score(least), terminal.Score(most))
	}
	if err != nil {
		r.Err = err
		return part{failed: true}
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

func (s *scorer) gradedItem(n *node, it item) part {
	if it.n != nil {
		one := s.graded(it.n)
		s.results[it.n] = one
		return one
	}
	return s.caseOf(n, it.c)
}

// legacyCase returns the result of a case of a legacy package.
func (s *scorer) legacyCase(n *node, run *Run) part {
	one := part{verdict: run.Verdict, final: true, score: given(n.Group, run)}
	if s.p.DomjudgeScores {
		if one.unscored = run.Score == nil; one.unscored || run.Verdict != problem.Accepted &&
			run.Verdict != problem.WrongAnswer {
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

// domjudgeScore returns the score of a group as DOMjudge computes it.
func (n *node) domjudgeScore(how problem.Grading, results []part) float64 {
	var scores []part
	for _, one := range results {
		if !one.unscored {
			scores = append(scores, one)
		}
	}
	leaf := !slices.ContainsFunc(n.items, func(it item) bool { return it.n != nil })
	if leaf && scores == nil && n.Own.Accept != nil {
		var once part
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

// take is the default grader. It requires at least one part.
func take(g problem.Grading, results []part) (problem.Verdict, float64) {
	verdict := firstRejected(results)
	if g.Verdict == "worst_error" && verdict != problem.Accepted {
		for _, v := range problem.WorstFirst {
			if slices.ContainsFunc(results, func(one part) bool { return one.verdict == v }) {
				verdict = v
				break
			}
		}
	}
	if g.Verdict == "always_accept" || g.AnyAccepted && slices.ContainsFunc(results, part.accepted) {
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
