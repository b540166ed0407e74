package judge

import (
	"fmt"
	"slices"
	"strings"
)

// An Expectation is what the author of a package says of a submission: by the
// directory it lies in, and by the rules of submissions.yaml that match it
// (2025-09, "Example submissions").
type Expectation struct {
	Cases     string    // glob of the cases or groups it speaks of; "" means all
	Permitted []Verdict // every case has one of these; nil permits all
	Required  []Verdict // at least one case has one of these; nil requires nothing
	Score     []float64 // nil, one exact score, or an inclusive range of two, of the group that Cases names or the submission
	Partial   bool      // accepted, and the score is not the best there is (legacy, "partially_accepted")
	Final     []Verdict // the verdict of the group that Cases names, or of the submission, is one of these; nil allows any (DOMjudge's @EXPECTED_RESULTS@)
	Message   string    // some judgemessage.txt contains it
	Timing    Timing    // how it bears on the time limit

	from string // where the rule stands, for messages: "submissions/submissions.yaml:3:1" or "the directory wrong_answer"
}

// Timing says on which side of the time limit a rule puts a submission
// (2025-09, "Timelimit inference").
type Timing string

const (
	TimingByVerdicts Timing = ""      // as permitted and required imply
	TimingNone       Timing = "false" // neither side
	TimingLower      Timing = "lower" // the limit is above its time
	TimingUpper      Timing = "upper" // the limit is below its time
)

// boundsBelow reports whether a submission under this rule must stay within
// the time limit, so that the limit is at least its time with a margin.
func (e *Expectation) boundsBelow() bool {
	switch e.Timing {
	case TimingByVerdicts:
		return e.Permitted != nil && !slices.Contains(e.Permitted, TimeLimit)
	}
	return e.Timing == TimingLower
}

// mustPass reports whether nothing but AC is permitted.
func (e *Expectation) mustPass() bool {
	return len(e.Permitted) == 1 && e.Permitted[0] == Accepted && e.Timing != TimingNone
}

// boundsAbove reports whether a submission under this rule must exceed the
// time limit on some case.
func (e *Expectation) boundsAbove() bool {
	switch e.Timing {
	case TimingByVerdicts:
		return len(e.Required) == 1 && e.Required[0] == TimeLimit
	}
	return e.Timing == TimingUpper
}

// defaultExpectations are those of the format's directories (2025-09,
// "Default directories"). The names below them are of directories that other
// judges know; submissions in any directory not listed have no expectation.
var defaultExpectations = map[string]Expectation{
	"accepted":            {Permitted: []Verdict{Accepted}},
	"rejected":            {Required: []Verdict{RuntimeError, TimeLimit, WrongAnswer}},
	"wrong_answer":        {Permitted: []Verdict{Accepted, WrongAnswer}, Required: []Verdict{WrongAnswer}},
	"time_limit_exceeded": {Permitted: []Verdict{Accepted, TimeLimit}, Required: []Verdict{TimeLimit}},
	"run_time_error":      {Permitted: []Verdict{Accepted, RuntimeError}, Required: []Verdict{RuntimeError}},
	"brute_force":         {Permitted: []Verdict{Accepted, RuntimeError, TimeLimit}, Required: []Verdict{RuntimeError, TimeLimit}},
}

// speaksOf reports whether the expectation is about the case of that name.
func (e *Expectation) speaksOf(name string) bool {
	return e.Cases == "" || coveredBy(e.Cases, name)
}

// A standing holds a submission's expectations against its runs, as they come
// in case order.
type standing struct {
	rules  []ruleStanding
	broken string // which rule was broken first, in words; "" while none is
	by     string // the case that broke it; "" when none did, but what is required is missing
	failed bool   // some case was not accepted
}

type ruleStanding struct {
	*Expectation
	cases glob // Cases, compiled; nil means all
	left  int  // cases it speaks of that have not run
	met   bool // some case had a required verdict
	said  bool // some judge message contained the wanted one
}

// newStanding starts with none of the cases run.
func newStanding(expected []Expectation, cases []*Case) *standing {
	s := &standing{rules: make([]ruleStanding, len(expected))}
	for i := range expected {
		e := &expected[i]
		r := &s.rules[i]
		*r = ruleStanding{Expectation: e, met: e.Required == nil, said: e.Message == ""}
		if e.Cases != "" {
			r.cases, _ = compileGlob(e.Cases) // one that is malformed covers nothing
		}
		for _, c := range cases {
			if r.covers(c.Name) {
				r.left++
			}
		}
	}
	return s
}

// covers is speaksOf, for rules that are asked often.
func (r *ruleStanding) covers(name string) bool {
	return r.Cases == "" || r.cases != nil && r.cases.covers(name)
}

// add weighs the next run. A run without a verdict neither meets nor breaks
// anything; whoever asks about the end must look for errors first.
func (s *standing) add(run *Run) {
	s.failed = s.failed || run.Verdict != Accepted
	for i := range s.rules {
		r := &s.rules[i]
		if !r.covers(run.Case) {
			continue
		}
		r.left--
		if run.Err != nil {
			continue
		}
		if r.Permitted != nil && !run.Verdict.in(r.Permitted) && s.broken == "" {
			s.broken, s.by = fmt.Sprintf("%s permits %s, %s is %s", r.from, list(r.Permitted), run.Case, run.Verdict), run.Case
		}
		r.met = r.met || run.Verdict.in(r.Required)
		r.said = r.said || strings.Contains(run.message, r.Message)
		if r.left == 0 && s.broken == "" {
			s.broken = r.unmet()
		}
	}
	// It may be long, and there may be many.
	run.message = ""
}

// bar weighs a case that is not run because of what its group requires: it has
// a verdict that is not accepted, and nobody knows which (2025-09, "Group
// dependencies"). So it breaks what permits AC alone, and meets what any
// failure would meet.
func (s *standing) bar(name, why string) {
	s.failed = true
	for i := range s.rules {
		r := &s.rules[i]
		if !r.covers(name) {
			continue
		}
		r.left--
		if r.Permitted != nil && !slices.ContainsFunc(r.Permitted, func(v Verdict) bool { return v != Accepted }) && s.broken == "" {
			s.broken = fmt.Sprintf("%s permits %s, %s is not run: its group %s", r.from, list(r.Permitted), name, why)
		}
		r.met = r.met || !slices.ContainsFunc(failures, func(v Verdict) bool { return !v.in(r.Required) })
		if r.left == 0 && s.broken == "" {
			s.broken = r.unmet()
		}
	}
}

// unmet says what the rule still wants.
func (r *ruleStanding) unmet() string {
	switch {
	case !r.met:
		return fmt.Sprintf("%s requires %s on some case, none is", r.from, list(r.Required))
	case !r.said:
		return fmt.Sprintf("%s wants a judge message with %q, none has it", r.from, r.Message)
	}
	return ""
}

// open reports whether the cases that are left could still break a rule. With
// no rules it is the verdict that is waited for, as it is with a rule about the
// submission's verdict.
func (s *standing) open() bool {
	if s.broken != "" {
		return false
	}
	if len(s.rules) == 0 {
		return !s.failed
	}
	for i := range s.rules {
		if r := &s.rules[i]; r.left > 0 && (!r.met || !r.said || r.restricts() || r.Final != nil && r.Cases == "" && !s.failed) {
			return true
		}
	}
	return false
}

// cares reports whether the case of that name could break a rule or meet one
// that is not met.
func (s *standing) cares(name string) bool {
	return s.broken == "" && slices.ContainsFunc(s.rules, func(r ruleStanding) bool {
		return r.left > 0 && (!r.met || !r.said || r.restricts()) && r.covers(name)
	})
}

// end says what is broken once no more cases will run: also a requirement
// about cases that do not exist.
func (s *standing) end() string {
	for i := range s.rules {
		if s.broken == "" && s.rules[i].left == 0 {
			s.broken = s.rules[i].unmet()
		}
	}
	return s.broken
}

// A whole is what is known of a submission when its cases have been run.
type whole struct {
	verdict Verdict       // "" if it is not known, because cases before the deciding one were not run
	score   *float64      // nil likewise, and for what has none
	groups  []GroupResult // of scoring problems
	best    float64       // legacy: the score that partially accepted submissions do not reach
	bounded bool          // there is a best score
}

// conclude holds the rules about verdict and scores against the outcome, which
// breaks nothing where it is not known.
func (s *standing) conclude(w whole) {
	for i := range s.rules {
		if s.broken == "" {
			s.broken = s.rules[i].unmetBy(w)
		}
	}
}

func (e *Expectation) unmetBy(w whole) string {
	switch {
	case w.verdict == undecided:
	case e.Final != nil && e.Cases == "" && !w.verdict.in(e.Final):
		return fmt.Sprintf("%s wants the verdict %s, it is %s", e.from, list(e.Final), w.verdict)
	case e.Partial && w.verdict != Accepted:
		return fmt.Sprintf("%s wants the verdict AC with less than the best score, it is %s", e.from, w.verdict)
	case e.Partial && w.score != nil && w.bounded && sameScore(*w.score, w.best):
		return fmt.Sprintf("%s wants less than the best score, it is the best: %s", e.from, Score(*w.score))
	}
	if e.Cases == "" {
		if e.Score != nil && w.score != nil && !e.scoreIn(*w.score) {
			return fmt.Sprintf("%s wants the score %s, it is %s", e.from, wantedScore(e.Score), Score(*w.score))
		}
		return ""
	}
	if e.Score == nil && e.Final == nil {
		return ""
	}
	cases, _ := compileGlob(e.Cases)
	for _, g := range w.groups {
		switch {
		case !cases.matches(g.Name):
		case e.Score != nil && g.Score != nil && !e.scoreIn(*g.Score):
			return fmt.Sprintf("%s wants the score %s for %s, it is %s", e.from, wantedScore(e.Score), g.Name, Score(*g.Score))
		case e.Final != nil && g.Verdict != undecided && !g.Verdict.in(e.Final):
			return fmt.Sprintf("%s wants the verdict %s for %s, it is %s", e.from, list(e.Final), g.Name, g.Verdict)
		}
	}
	return ""
}

// scoreIn reports whether a score is the expected one or in the expected range,
// which includes its ends.
func (e *Expectation) scoreIn(score float64) bool {
	least, most := e.Score[0], e.Score[len(e.Score)-1]
	return !above(least, score) && !above(score, most)
}

// namesCompileError reports whether source that does not compile is what every rule
// expects: CE meets only a rule that names it.
func namesCompileError(expected []Expectation) bool {
	for i := range expected {
		e := &expected[i]
		if !slices.Contains(slices.Concat(e.Final, e.Permitted, e.Required), CompileError) {
			return false
		}
	}
	return len(expected) > 0
}

// failures are the verdicts other than AC that an expectation may name.
var failures = []Verdict{WrongAnswer, TimeLimit, RuntimeError}

// restricts reports whether some verdict on some case would break the rule.
func (e *Expectation) restricts() bool {
	if e.Permitted == nil {
		return false
	}
	return !slices.Contains(e.Permitted, Accepted) || slices.ContainsFunc(failures, func(v Verdict) bool { return !slices.Contains(e.Permitted, v) })
}

// wantedScore writes an expected score: "60", "0 to 40".
func wantedScore(score []float64) string {
	if len(score) == 1 {
		return Score(score[0])
	}
	return Score(score[0]) + " to " + Score(score[1])
}

func list(vs []Verdict) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

// verdictOfRuns is a submission's verdict on a pass-fail problem: that of the
// first case in order that is not accepted.
func verdictOfRuns(runs []Run) Verdict {
	for i := range runs {
		if runs[i].Err != nil {
			return undecided
		}
		if runs[i].Verdict != Accepted {
			return runs[i].Verdict
		}
	}
	if len(runs) == 0 {
		return undecided
	}
	return Accepted
}
