package result

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Scores, as the format computes them (2025-09, "Result aggregation"; for legacy
// packages see legacy.go). All functions here depend on their arguments alone: a
// stored report can be scored again without running anything.

// slack is the relative error of floating point that comparisons of scores
// ignore: three thirds of 100 are 100.
const slack = 1e-9

// above reports whether a score exceeds most by more than the slack.
func above(score, most float64) bool { return score > most+slack*max(1, math.Abs(most)) }

func sameScore(a, b float64) bool { return !above(a, b) && !above(b, a) }

// mostOf returns the maximum score of a case in a group with sum or min (2025-09,
// "Scoring problems"); +Inf means unbounded.
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

// earned returns the score of a case in its group (2025-09, "Scoring test
// cases"); nil if it has none. The error is a failure of the validator, and so of
// the judge.
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
		// If the program was stopped or crashed, the validator's files are
		// ignored.
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
		return nil, fmt.Errorf("score.txt has %s, which is more than the case's maximum %s", terminal.Score(*run.Score),
			terminal.Score(most))
	default:
		most = min(*run.Score, most)
	}
	return &most, nil
}

// A part is the contribution of one case or group to the group that contains
// it.
type part struct {
	verdict problem.Verdict // "" if not known
	score   float64
	final   bool // the score is final: no result is missing
	blocked bool // not run because a requirement is not met; counts as not accepted
	absent  bool // no case of it was run
	failed  bool // the judge or the package failed

	unscored bool // for DomjudgeScores: the validator gave no score
}

// accepted and rejected are both false if the verdict is not known because cases
// are missing.
func (p part) accepted() bool { return p.verdict == problem.Accepted }
func (p part) rejected() bool { return p.blocked || p.verdict != problem.Undecided && !p.accepted() }

// A scorer computes the results of groups from the runs of one submission.
type scorer struct {
	*tree
	runs    map[string]*Run
	results map[*node]part
	groups  []Group
	grade   Grader // the package's own
}

// fill computes the results of all groups. The groups are in judging order, each
// before the groups in it.
func (t *tree) fill(runs []Run, grade Grader) *scorer {
	s := &scorer{tree: t, runs: make(map[string]*Run, len(runs)), results: make(map[*node]part), grade: grade}
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

// aggregated computes the result of a group (2025-09, "Scoring test data
// groups"). Above is the reason why the group above is not run; "" if it is run.
func (s *scorer) aggregated(n *node, above string) part {
	at := len(s.groups)
	s.groups = append(s.groups, Group{Name: n.Name, NotRun: above})
	unsure := false
	if above == "" {
		s.groups[at].NotRun, unsure = s.unmet(n)
	}
	why := s.groups[at].NotRun
	results := make([]part, len(n.items))
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
	sum := part{verdict: firstRejected(results)}
	switch {
	case why != "":
		sum = part{blocked: true, final: true}
	case !n.sample():
		sum.score, sum.final, r.Err = n.total(results)
		sum.final = sum.final && (!unsure || sum.score == 0)
		sum.failed = r.Err != nil || slices.ContainsFunc(results, func(one part) bool { return one.failed })
	}
	if sum.failed {
		return part{failed: true}
	}
	r.Verdict = sum.verdict
	if sum.final {
		r.Score = &sum.score
	}
	return sum
}

// firstRejected returns the verdict of the first part in order that is not
// accepted. If that verdict is not known, it is "".
func firstRejected(results []part) problem.Verdict {
	for _, one := range results {
		if !one.accepted() {
			return one.verdict
		}
	}
	return problem.Accepted
}

// unmet returns which requirement of a group is not met; "" if none is known.
// Unsure reports that a requirement may or may not be met (2025-09, "Group
// dependencies").
func (s *scorer) unmet(n *node) (why string, unsure bool) {
	for _, name := range n.RequirePass {
		at := s.named(name)
		other, ok := s.results[at]
		switch {
		case at != nil && len(at.items) == 0: // a group without cases counts as passed
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

// caseOf returns the result of a case. In legacy packages its score is that of the
// validator or of its group.
func (s *scorer) caseOf(n *node, c *problem.Case) part {
	run := s.runs[c.Name]
	switch {
	case run == nil:
		return part{absent: true}
	case run.Failed:
		return part{failed: true}
	case s.p.Legacy():
		return s.legacyCase(n, run)
	}
	score, err := n.earned(c, run)
	if err != nil {
		return part{failed: true}
	}
	one := part{verdict: run.Verdict, final: true}
	if score != nil {
		one.score = *score
	}
	return one
}

// total computes the score of a group from the results in it. Final is false if
// the score is not known because cases were not run.
func (n *node) total(results []part) (score float64, final bool, err error) {
	final = true
	rejected, zero := false, false
	least := math.Inf(1)
	for _, one := range results {
		final = final && one.final
		rejected = rejected || one.rejected()
		if one.final {
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
		if score, final = n.MaxScore, !slices.ContainsFunc(results,
			func(one part) bool { return !one.accepted() }); rejected {
			score, final = 0, true
		}
	case problem.Min:
		if score = least; zero {
			return 0, true, nil
		}
	}
	switch {
	case final && math.IsInf(score, 0):
		return 0, false, n.Errorf("the scores of %s have a sum beyond all numbers", n.Name)
	case final && above(score, n.MaxScore):
		return 0, false, n.Errorf("the score %s of %s is more than its max_score %s", terminal.Score(score), n.Name,
			terminal.Score(n.MaxScore))
	case sameScore(score, n.MaxScore):
		score = n.MaxScore
	}
	return score, final, nil
}

// score returns the submission's score: that of secret or, in legacy packages,
// that of the root if its grader accepts. Most is the maximum score; nil means
// unbounded or not known.
func (s *scorer) score() (score, most *float64) {
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
