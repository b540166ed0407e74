package result

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// An expectations compares the runs of a submission, in case order, with the
// expectations of its author.
type expectations struct {
	rules  []ruleState
	broken string // describes the first rule that was broken; "" while none is
	by     string // the case that broke it; "" if none did, or a required verdict or message is missing
	failed bool   // some case was not accepted
}

type ruleState struct {
	*problem.Expectation
	cases problem.Glob // Cases, compiled; nil means all
	left  int          // cases of the rule that have not run
	met   bool         // some case had a required verdict
	said  bool         // some judge message contained Message
}

// newExpectations returns the state before any of the cases has run.
func newExpectations(expected []problem.Expectation, cases []*problem.Case) *expectations {
	s := &expectations{rules: make([]ruleState, len(expected))}
	for i := range expected {
		e := &expected[i]
		r := &s.rules[i]
		*r = ruleState{Expectation: e, met: e.Required == nil, said: e.Message == ""}
		if e.Cases != "" {
			r.cases, _ = problem.CompileGlob(e.Cases) // a malformed pattern covers no case
		}
		for _, c := range cases {
			if r.covers(c.Name) {
				r.left++
			}
		}
	}
	return s
}

// covers reports whether the rule is about a case. It is SpeaksOf with a compiled
// pattern.
func (r *ruleState) covers(name string) bool {
	return r.Cases == "" || r.cases != nil && r.cases.Covers(name)
}

// add counts the next run. A run without a verdict neither meets nor breaks a
// rule, so callers must look for errors before they use the result of end.
func (s *expectations) add(run *Run) {
	s.failed = s.failed || run.Verdict != problem.Accepted
	for i := range s.rules {
		r := &s.rules[i]
		if !r.covers(run.Case) {
			continue
		}
		r.left--
		if run.Failed {
			continue
		}
		if r.Permitted != nil && !run.Verdict.In(r.Permitted) && s.broken == "" {
			s.broken, s.by = fmt.Sprintf("%s permits %s, %s is %s", r.Origin(), problem.VerdictList(r.Permitted), run.Case,
				run.Verdict), run.Case
		}
		r.met = r.met || run.Verdict.In(r.Required)
		r.said = r.said || strings.Contains(run.Message, r.Message)
		if r.left == 0 && s.broken == "" {
			s.broken = r.unmet()
		}
	}
}

// bar counts a case that is not run because a requirement of its group is not
// met. Its verdict is not AC, but otherwise unknown (2025-09, "Group
// dependencies"). So it breaks rules that permit AC alone, and meets rules that
// every failure meets.
func (s *expectations) bar(name, why string) {
	s.failed = true
	for i := range s.rules {
		r := &s.rules[i]
		if !r.covers(name) {
			continue
		}
		r.left--
		if r.Permitted != nil && !slices.ContainsFunc(r.Permitted,
			func(v problem.Verdict) bool { return v != problem.Accepted }) && s.broken == "" {
			s.broken = fmt.Sprintf("%s permits %s, %s is not run: its group %s", r.Origin(), problem.VerdictList(r.Permitted),
				name, why)
		}
		r.met = r.met || !slices.ContainsFunc(problem.Failures, func(v problem.Verdict) bool { return !v.In(r.Required) })
		if r.left == 0 && s.broken == "" {
			s.broken = r.unmet()
		}
	}
}

// unmet describes the requirement of the rule that is not met; "" if there is
// none.
func (r *ruleState) unmet() string {
	switch {
	case !r.met:
		return fmt.Sprintf("%s requires %s on some case, none is", r.Origin(), problem.VerdictList(r.Required))
	case !r.said:
		return fmt.Sprintf("%s wants a judge message with %q, none has it", r.Origin(), r.Message)
	}
	return ""
}

// open reports whether the remaining cases could still break a rule. Without
// rules, or with a rule about the submission's verdict, it reports whether they
// could change the verdict.
func (s *expectations) open() bool {
	if s.broken != "" {
		return false
	}
	if len(s.rules) == 0 {
		return !s.failed
	}
	for i := range s.rules {
		if r := &s.rules[i]; r.left > 0 && (!r.met || !r.said || r.Restricts() || r.Final != nil && r.Cases == "" &&
			!s.failed) {
			return true
		}
	}
	return false
}

// cares reports whether the case with that name could break a rule, or meet one that
// is not met.
func (s *expectations) cares(name string) bool {
	return s.broken == "" && slices.ContainsFunc(s.rules, func(r ruleState) bool {
		return r.left > 0 && (!r.met || !r.said || r.Restricts()) && r.covers(name)
	})
}

// end describes the first broken rule, or returns "", when no more cases will
// run. It includes requirements about cases that do not exist.
func (s *expectations) end() string {
	for i := range s.rules {
		if s.broken == "" && s.rules[i].left == 0 {
			s.broken = s.rules[i].unmet()
		}
	}
	return s.broken
}

// conclude compares the rules about the verdict and the scores with the result. An
// unknown result breaks no rule.
func (s *expectations) conclude(w outcome) {
	for i := range s.rules {
		if s.broken == "" {
			s.broken = unmetBy(s.rules[i].Expectation, w)
		}
	}
}

// unmetBy describes how the result breaks a rule about the verdict or the scores;
// "" if it does not.
func unmetBy(e *problem.Expectation, w outcome) string {
	switch {
	case w.verdict == problem.Undecided:
	case e.Final != nil && e.Cases == "" && !w.verdict.In(e.Final):
		return fmt.Sprintf("%s wants the verdict %s, it is %s", e.Origin(), problem.VerdictList(e.Final), w.verdict)
	case e.Partial && w.verdict != problem.Accepted:
		return fmt.Sprintf("%s wants the verdict AC with less than the best score, it is %s", e.Origin(), w.verdict)
	case e.Partial && w.score != nil && w.bounded && sameScore(*w.score, w.best):
		return fmt.Sprintf("%s wants less than the best score, it is the best: %s", e.Origin(), terminal.Score(*w.score))
	}
	if e.Cases == "" {
		if e.Score != nil && w.score != nil && !scoreIn(e, *w.score) {
			return fmt.Sprintf("%s wants the score %s, it is %s", e.Origin(), wantedScore(e.Score), terminal.Score(*w.score))
		}
		return ""
	}
	if e.Score == nil && e.Final == nil {
		return ""
	}
	cases, _ := problem.CompileGlob(e.Cases)
	for _, g := range w.groups {
		switch {
		case !cases.Matches(g.Name):
		case e.Score != nil && g.Score != nil && !scoreIn(e, *g.Score):
			return fmt.Sprintf("%s wants the score %s for %s, it is %s", e.Origin(), wantedScore(e.Score), g.Name,
				terminal.Score(*g.Score))
		case e.Final != nil && g.Verdict != problem.Undecided && !g.Verdict.In(e.Final):
			return fmt.Sprintf("%s wants the verdict %s for %s, it is %s", e.Origin(), problem.VerdictList(e.Final), g.Name,
				g.Verdict)
		}
	}
	return ""
}

// scoreIn reports whether a score is the expected one or in the expected range,
// ends included.
func scoreIn(e *problem.Expectation, score float64) bool {
	least, most := e.Score[0], e.Score[len(e.Score)-1]
	return !above(least, score) && !above(score, most)
}

// wantedScore writes an expected score: "60", "0 to 40".
func wantedScore(score []float64) string {
	if len(score) == 1 {
		return terminal.Score(score[0])
	}
	return terminal.Score(score[0]) + " to " + terminal.Score(score[1])
}
