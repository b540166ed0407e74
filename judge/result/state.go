// Package result turns the runs of a submission, in the order of the cases, into its
// verdict, its score, and whether it meets the expectations of its author; and decides
// which cases can still change these. It runs nothing: equal runs have equal results,
// wherever they were made.
package result

import (
	"slices"

	"crucible/judge/problem"
)

// A Run is what the result depends on of the run of a submission on a case.
type Run struct {
	Case    string          `json:"case"`            // the case's name: "secret/01"
	Verdict problem.Verdict `json:"verdict"`         // "" if the judge failed
	Failed  bool            `json:"failed,omitzero"` // the judge failed
	// score.txt or testlib points of the output validator; nil if there is none.
	Score      *float64 `json:"score,omitzero"`
	Multiplier *float64 `json:"multiplier,omitzero"` // score_multiplier.txt of the output validator; nil if there is none
	// judgemessage.txt of the output validator, for expectations that search it.
	Message string `json:"message,omitzero"`
}

// A Group is the result of one submission on one group of cases.
type Group struct {
	Name string `json:"name"` // below data/: "secret/1-small"; "" is data/ itself, in legacy packages
	// Of the first case in it that is not accepted; in legacy packages that of the grader; ""
	// if not known.
	Verdict problem.Verdict `json:"verdict"`
	// Nil if it has none (samples, pass-fail problems), or if it is not known because cases
	// were not run.
	Score *float64 `json:"score"`
	Max   *float64 `json:"max_score"` // maximum of Score; nil if unbounded
	// Why the group is not run, with score 0: "requires secret/1, which is WA"; "" if it is
	// run.
	NotRun string `json:"not_run"`
	Err    error  `json:"error"` // failure of the package or of its grader; then Verdict is "" and Score is nil
}

// Where returns the name of the group for messages.
func (g *Group) Where() string {
	if g.Name == "" {
		return "data"
	}
	return g.Name
}

// FirstError returns the first error of groups, or nil.
func FirstError(groups []Group) error {
	for i := range groups {
		if err := groups[i].Err; err != nil {
			return err
		}
	}
	return nil
}

// A Result is the result of a submission.
//
// A scoring problem of 2025-09 has a score instead of a verdict. Its verdict is AC if
// every case is accepted, and otherwise the first verdict in case order that is not AC.
// In legacy packages it is the verdict of the root's grader.
type Result struct {
	Verdict problem.Verdict // "" if nothing was run or the judge failed
	// Of scoring problems; nil if not known, or if a legacy grader does not accept; Max is nil
	// if unbounded.
	Score, Max *float64
	Groups     []Group // of scoring problems, each before the groups in it
	AsExpected *bool   // nil if it is not known, because nothing was run or the judge failed
	Broken     string  // describes the first expectation that is not met; "" otherwise
	BrokenBy   string  // the case whose verdict breaks it; "" if a required verdict or message is missing
	Err        error   // of a legacy grader on a problem without scores
}

// A State has the runs of a submission so far. Its methods expect the cases in the
// problem's order, and are not safe for concurrent use.
type State struct {
	p        *problem.Problem
	all      bool
	expected *expectations
	progress *progress // nil if the first case that is not accepted decides
	seen     map[*problem.Case]bool
}

// New returns the state before any case has run. The expectations may concern all cases
// of the problem, not only those that will run: a requirement about some case may be met
// by another one. If all is set, every case is needed, except in groups that the format
// forbids to run (2025-09, "Group dependencies").
func New(p *problem.Problem, expected []problem.Expectation, all bool) *State {
	s := &State{p: p, all: all, expected: newExpectations(expected, p.Cases), seen: make(map[*problem.Case]bool)}
	if t := treeOf(p); t != nil {
		s.progress = t.progress()
	}
	return s
}

// Needs reports whether the case may still change the submission's verdict, its
// score, or whether it meets its expectations. Once a case is not needed, it stays
// so. On a pass-fail problem, no later case is needed either. On a scoring problem,
// cases of other groups may be needed.
func (s *State) Needs(c *problem.Case) bool {
	switch {
	case s.progress != nil && s.progress.bar(c) != "":
		return false
	case s.all || len(s.seen) == 0:
		return true
	case s.progress == nil:
		return s.expected.open()
	}
	return s.progress.needs(c) || s.expected.cares(c.Name)
}

// Add counts the run of a case. A second run of a case changes nothing.
func (s *State) Add(c *problem.Case, run *Run) {
	if s.seen[c] {
		return
	}
	s.seen[c] = true
	if s.progress != nil {
		s.progress.add(c, run)
		if why := s.progress.bar(c); why != "" {
			s.expected.bar(c.Name, why)
			return
		}
	}
	s.expected.add(run)
}

// Skip counts a case that is not run.
func (s *State) Skip(c *problem.Case) {
	if s.progress == nil || s.seen[c] {
		return
	}
	s.progress.reach(c)
	if why := s.progress.bar(c); why != "" {
		s.seen[c] = true
		s.expected.bar(c.Name, why)
	}
}

// Earned returns the score of a case by the rules of its group; nil if it has none. The
// error is a failure of the output validator.
func (s *State) Earned(c *problem.Case, run *Run) (*float64, error) {
	if s.progress == nil {
		return nil, nil
	}
	return s.progress.earned(c, run)
}

// Broken describes the expectation that the runs so far have broken; "" if none.
func (s *State) Broken() string { return s.expected.broken }

// A Grader is the own grader of a legacy package. It combines the results of the cases
// and groups in a group.
type Grader func(g *problem.Group, of []Graded) (problem.Verdict, float64, error)

// A Graded is the result of one case or group in a group of a legacy package.
type Graded struct {
	Verdict problem.Verdict
	Score   float64
}

// End returns the result of runs, which are those that were added and count. If the
// submission was interrupted, it has no scores. Grade runs the package's own grader.
func (s *State) End(runs []Run, interrupted bool, grade Grader) Result {
	r := Result{Verdict: verdictOf(runs)}
	w := outcome{verdict: decided(s.p.Cases, runs)}
	if s.progress != nil && !interrupted && len(runs) > 0 {
		for _, c := range s.p.Cases {
			s.Skip(c)
		}
		s.score(&r, &w, runs, grade)
	}
	failed := slices.ContainsFunc(runs, func(run Run) bool { return run.Failed })
	if failed || r.Err != nil || FirstError(r.Groups) != nil || len(runs) == 0 {
		return r
	}
	s.expected.end()
	s.expected.conclude(w)
	r.Broken, r.BrokenBy = s.expected.broken, s.expected.by
	as := r.Broken == ""
	r.AsExpected = &as
	return r
}

// An outcome is what rules about the verdict and the scores of a submission refer to.
type outcome struct {
	verdict problem.Verdict // "" if it is not known, because cases before the deciding one were not run
	score   *float64        // nil if it is not known or there is none
	groups  []Group         // of scoring problems
	// In legacy packages, the best possible score, which partially accepted submissions must
	// not reach.
	best    float64
	bounded bool // best is set; otherwise scores are unbounded
}

// score adds the results of the groups to the result, and what of them is final to w.
func (s *State) score(r *Result, w *outcome, runs []Run, grade Grader) {
	t := s.progress.tree
	scored := t.fill(runs, grade)
	w.groups = scored.groups
	if s.p.Legacy() {
		root := scored.results[t.root]
		if r.Verdict = root.verdict; root.final {
			w.verdict = root.verdict
		} else {
			w.verdict = problem.Undecided
		}
		w.best, w.bounded = t.best()
	}
	if s.p.Is(problem.Scoring) {
		r.Groups = scored.groups
		r.Score, r.Max = scored.score()
		w.score = r.Score
	} else {
		r.Err = FirstError(scored.groups)
	}
}

// verdictOf returns the verdict on a pass-fail problem: the first one in case order that
// is not AC.
func verdictOf(runs []Run) problem.Verdict {
	for i := range runs {
		if runs[i].Failed {
			return problem.Undecided
		}
		if runs[i].Verdict != problem.Accepted {
			return runs[i].Verdict
		}
	}
	if len(runs) == 0 {
		return problem.Undecided
	}
	return problem.Accepted
}

// decided returns the verdict of the first case in order that is not accepted, if all
// cases before it were run. AC requires that all cases were run.
func decided(cases []*problem.Case, runs []Run) problem.Verdict {
	for i, c := range cases {
		if i == len(runs) || runs[i].Case != c.Name || runs[i].Failed {
			return problem.Undecided
		}
		if runs[i].Verdict != problem.Accepted {
			return runs[i].Verdict
		}
	}
	return problem.Accepted
}
