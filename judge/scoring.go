package judge

import (
	"crucible/judge/problem"
	"crucible/judge/units"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scores, as the format computes them (2025-09, "Result aggregation"; for
// legacy packages see grader.go). All here are functions of values: a stored
// report can be scored again without running anything.

// slack is how far floating point may carry a score beyond what it is held
// against, relative to it: three thirds of 100 are 100.
const slack = 1e-9

func above(score, most float64) bool { return score > most+slack*max(1, math.Abs(most)) }

func sameScore(a, b float64) bool { return !above(a, b) && !above(b, a) }

// mostOf is the most that a case of the group can earn (2025-09, "Scoring
// problems"); +Inf is unbounded. It is for groups with sum or min.
func (n *node) mostOf(c *problem.Case) float64 {
	switch {
	case c.Static != nil:
		return c.Static.MaxScore
	case n.Aggregation == problem.Sum && n.Static != nil && n.Static.Static != nil:
		return (n.MaxScore - n.Static.Static.MaxScore) / float64(n.cases)
	case n.Aggregation == problem.Sum:
		return n.MaxScore / float64(n.cases)
	}
	return n.MaxScore
}

// earned is the score of a case in its group (2025-09, "Scoring test cases");
// nil if it has none. The error is the validator's, which is the judge's side.
func (n *node) earned(c *problem.Case, run *Run) (*float64, error) {
	file := ""
	switch {
	case run.Score != nil:
		file = "score.txt"
	case run.Multiplier != nil:
		file = "score_multiplier.txt"
	}
	zero := new(float64)
	if n.sample() {
		return nil, nil
	}
	if n.Aggregation != problem.Sum && n.Aggregation != problem.Min {
		zero = nil
	}
	if run.Verdict != problem.Accepted {
		// Of a program that was stopped or crashed the validator may know nothing.
		if file != "" && run.Verdict == problem.WrongAnswer {
			return nil, fmt.Errorf("%s with a verdict that is not accepted: expected none", file)
		}
		return zero, nil
	}
	most := n.mostOf(c)
	bounded := !math.IsInf(most, 1)
	switch {
	case run.Score != nil && run.Multiplier != nil:
		return nil, errors.New("both score.txt and score_multiplier.txt: expected one of them at most")
	case zero == nil && file != "":
		return nil, fmt.Errorf("%s in group %s, which is pass-fail: expected none", file, n.Name)
	case zero == nil:
		return nil, nil
	case !bounded && run.Multiplier != nil:
		return nil, fmt.Errorf("score_multiplier.txt in group %s, which is unbounded: expected score.txt", n.Name)
	case !bounded && run.Score == nil:
		return nil, fmt.Errorf("accepted without score.txt, which group %s requires because it is unbounded", n.Name)
	case run.Multiplier != nil && !(*run.Multiplier >= 0 && *run.Multiplier <= 1):
		return nil, fmt.Errorf("score_multiplier.txt has %v: expected a number from 0 to 1", *run.Multiplier)
	case run.Multiplier != nil:
		most *= *run.Multiplier
	case run.Score == nil:
	case !(*run.Score >= 0) || math.IsInf(*run.Score, 1):
		return nil, fmt.Errorf("score.txt has %v: expected a number that is not negative", *run.Score)
	case above(*run.Score, most):
		return nil, fmt.Errorf("score.txt has %s, which is more than the case's maximum %s", units.Score(*run.Score), units.Score(most))
	default:
		most = min(*run.Score, most)
	}
	return &most, nil
}

// A result is what one case or group adds to the group that it is in.
type result struct {
	verdict problem.Verdict // "" if not known
	score   float64
	whole   bool // the score is final: nothing is missing
	blocked bool // it is not run because of what it requires, and counts as not accepted
	absent  bool // none of its cases was run
	failed  bool // the judge or the package failed

	unscored bool // in DOMjudge's arithmetic: the validator gave no score
}

// accepted and rejected report what is known: both are false where cases are
// missing.
func (p result) accepted() bool { return p.verdict == problem.Accepted }
func (p result) rejected() bool { return p.blocked || p.verdict != problem.Undecided && !p.accepted() }

// A sheet is what the runs of one submission come to.
type sheet struct {
	*tree
	runs    map[string]*Run
	results map[*node]result
	groups  []GroupResult
	grade   func(*problem.Group, []result) (problem.Verdict, float64, error) // the package's own grader
}

// fill takes the runs together. The groups come in the order that they are
// judged in, each before those in it.
func (t *tree) fill(runs []Run, grade func(*problem.Group, []result) (problem.Verdict, float64, error)) *sheet {
	s := &sheet{tree: t, runs: make(map[string]*Run, len(runs)), results: make(map[*node]result), grade: grade}
	for i := range runs {
		s.runs[runs[i].Case] = &runs[i]
	}
	switch {
	case t.root == nil:
	case t.p.Legacy():
		s.results[t.root] = s.graded(t.root)
	default:
		for _, it := range t.root.items {
			if it.n != nil {
				s.results[it.n] = s.aggregated(it.n, "")
			}
		}
	}
	return s
}

// aggregated takes a group together (2025-09, "Scoring test data groups").
// above says why the group above it is not run; "" if it is.
func (s *sheet) aggregated(n *node, above string) result {
	at := len(s.groups)
	s.groups = append(s.groups, GroupResult{Name: n.Name, NotRun: above})
	unsure := false
	if above == "" {
		s.groups[at].NotRun, unsure = s.unmet(n)
	}
	why := s.groups[at].NotRun
	results := make([]result, len(n.items))
	for i, it := range n.items {
		if it.n == nil {
			results[i] = s.caseOf(n, it.c)
			continue
		}
		results[i] = s.aggregated(it.n, why)
		s.results[it.n] = results[i]
	}
	r := &s.groups[at]
	if n.Bounded() && !n.sample() {
		r.Max = &n.MaxScore
	}
	sum := result{verdict: firstRejected(results)}
	switch {
	case why != "":
		sum = result{blocked: true, whole: true}
	case !n.sample():
		sum.score, sum.whole, r.Err = n.total(results)
		sum.whole = sum.whole && (!unsure || sum.score == 0)
		sum.failed = r.Err != nil || slices.ContainsFunc(results, func(one result) bool { return one.failed })
	}
	if sum.failed {
		return result{failed: true}
	}
	r.Verdict = sum.verdict
	if sum.whole {
		r.Score = &sum.score
	}
	return sum
}

// firstRejected is the verdict of the first result in order that is not accepted.
// One that is not known hides those after it.
func firstRejected(results []result) problem.Verdict {
	for _, one := range results {
		if !one.accepted() {
			return one.verdict
		}
	}
	return problem.Accepted
}

// unmet says which group or samples this one requires and were not passed;
// unsure if that is not known (2025-09, "Group dependencies").
func (s *sheet) unmet(n *node) (why string, unsure bool) {
	for _, name := range n.RequirePass {
		at := s.named(name)
		other, ok := s.results[at]
		switch {
		case at != nil && len(at.items) == 0: // without cases, so none of them is failed
		case ok && other.blocked:
			return "requires " + name + ", which is not run", false
		case ok && other.rejected():
			return fmt.Sprintf("requires %s, which is %s", name, other.verdict), false
		case !ok || !other.accepted():
			unsure = true
		}
	}
	return "", unsure
}

func (s *sheet) caseOf(n *node, c *problem.Case) result {
	run := s.runs[c.Name]
	switch {
	case run == nil:
		return result{absent: true}
	case run.Err != nil:
		return result{failed: true}
	}
	score, err := n.earned(c, run)
	if err != nil {
		return result{failed: true}
	}
	one := result{verdict: run.Verdict, whole: true}
	if score != nil {
		one.score = *score
	}
	return one
}

// total is the score of a group by those in it; whole is false if it is not
// known, because cases were not run.
func (n *node) total(results []result) (score float64, whole bool, err error) {
	whole = true
	rejected, zero := false, false
	least := math.Inf(1)
	for _, one := range results {
		whole = whole && one.whole
		rejected = rejected || one.rejected()
		if one.whole {
			zero = zero || one.score == 0
			least = min(least, one.score)
			score += one.score
		}
	}
	switch n.Aggregation {
	case problem.AllOrNothing:
		if !n.Bounded() {
			return 0, false, n.Defect("a pass-fail group has a bounded max_score: expected a number")
		}
		if score, whole = n.MaxScore, !slices.ContainsFunc(results, func(one result) bool { return !one.accepted() }); rejected {
			score, whole = 0, true
		}
	case problem.Min:
		if score = least; zero {
			return 0, true, nil
		}
	}
	switch {
	case whole && math.IsInf(score, 0):
		return 0, false, n.Errorf("the scores of %s have a sum beyond all numbers", n.Name)
	case whole && above(score, n.MaxScore):
		return 0, false, n.Errorf("the score %s of %s is more than its max_score %s", units.Score(score), n.Name, units.Score(n.MaxScore))
	case sameScore(score, n.MaxScore):
		score = n.MaxScore
	}
	return score, whole, nil
}

// score is that of the submission: of secret, or what the root's grader says
// of a submission that it accepts. most is the best it can be; nil is
// unbounded, or nobody knows.
func (s *sheet) score() (score, most *float64) {
	name := "secret"
	if s.p.Legacy() {
		name = ""
	}
	for i := range s.groups {
		if g := &s.groups[i]; g.Name == name {
			if s.p.Legacy() && g.Verdict != problem.Accepted && !s.p.DomjudgeScores {
				return nil, g.Max
			}
			return g.Score, g.Max
		}
	}
	return nil, nil
}
