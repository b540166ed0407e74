package problem

import (
	"slices"
)

// checkRules compares the expectations of submissions with the cases and groups
// of the package and with each other (2025-09, "Example submissions"). A score
// for a glob that matches no group is an error, rules that contradict each other
// are a warning, and a rule that matches nothing is a doubt.
func checkRules(p *Problem, defects *Defects) {
	r := ruleReader{p: p, defects: defects, reported: make(map[string]bool), covered: make(map[string][]bool)}
	for _, s := range p.Submissions {
		for i := range s.Expected {
			r.about(&s.Expected[i])
			for k := range i {
				r.excludes(s, &s.Expected[k], &s.Expected[i])
			}
		}
	}
}

type ruleReader struct {
	p        *Problem
	defects  *Defects
	reported map[string]bool   // rules that are already reported; submissions share rules
	covered  map[string][]bool // by glob: for each case, whether the glob covers it
}

// cases returns, for each case, whether the rule applies to it.
func (r *ruleReader) cases(e *Expectation) []bool {
	if r.covered[e.Cases] == nil {
		cases, err := CompileGlob(e.Cases)
		for _, c := range r.p.Cases {
			r.covered[e.Cases] = append(r.covered[e.Cases], e.Cases == "" || err == nil && cases.Covers(c.Name))
		}
	}
	return r.covered[e.Cases]
}

// about checks one rule by itself.
func (r *ruleReader) about(e *Expectation) {
	if e.Cases == "" || r.reported[e.from] {
		return
	}
	r.reported[e.from] = true
	cases := slices.Contains(r.cases(e), true)
	switch group := r.group(e); {
	case !cases && !group:
		r.defects.doubtf(e.from, "%q matches no case and no group", e.Cases)
	case e.Score != nil && !group:
		r.defects.Addf(e.from, "score: %q matches cases but no group: expected a group, because only groups have scores",
			e.Cases)
	}
}

// group reports whether a rule's glob matches a group that has a score.
func (r *ruleReader) group(e *Expectation) bool {
	cases, err := CompileGlob(e.Cases)
	if err != nil || r.p.Data == nil {
		return false
	}
	var matches func(*Group) bool
	matches = func(g *Group) bool {
		return g.Name != "" && cases.Matches(g.Name) && (g.Name != "sample" || r.p.Legacy() || e.Score == nil) ||
			slices.ContainsFunc(g.Groups, matches)
	}
	return matches(r.p.Data)
}

// excludes warns of two rules that contradict each other: they apply to the same
// case of the same submission and permit no common verdict.
func (r *ruleReader) excludes(s *Submission, a, b *Expectation) {
	pair := a.from + "\n" + b.from
	if a.Permitted == nil || b.Permitted == nil || r.reported[pair] ||
		slices.ContainsFunc(a.Permitted, func(v Verdict) bool { return slices.Contains(b.Permitted, v) }) {
		return
	}
	r.reported[pair] = true
	in := r.cases(b)
	for i, covered := range r.cases(a) {
		if covered && in[i] {
			r.defects.warnf(b.from, "permits %s on %s of %s, but %s permits %s: no verdict satisfies both",
				VerdictList(b.Permitted), r.p.Cases[i].Name, s.Name, a.from, VerdictList(a.Permitted))
			return
		}
	}
}
