package problem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/terminal"
)

// A Group is a folder of cases whose results are combined (2025-09,
// "Test data groups"; legacy, "Test Data Groups"). The groups of a problem are a
// tree: data/ contains sample and secret, secret may contain groups, and in legacy
// packages those may contain further groups.
type Group struct {
	Name   string   // path below data/: "secret/1-small"; "" for data/ itself
	Cases  []*Case  // directly in the group
	Groups []*Group // directly in the group

	// Scoring problems of 2025-09.
	MaxScore    float64     // +Inf means unbounded
	Aggregation Aggregation // of the scores of its cases, or its groups
	RequirePass []string    // groups, or sample, that must be accepted before this group runs

	// Static is the group's static validation case, the first of Cases, or nil.
	Static *Case

	// Legacy packages.
	OnReject    string     // "break": the cases after a rejected one do not run; or "continue"
	Custom      bool       // the package's grader combines results, not the default grader
	GraderFlags []string   // flags of the grader
	AcceptScore float64    // of an accepted case, unless the validator sets a score
	RejectScore float64    // of a rejected case
	Range       [2]float64 // smallest and largest possible score

	defaults  *Case      // settings of a case without any of its own; nil for data/ itself
	where     string     // real path of the file that configures the group, or of its folder
	requireAt *yaml.Node // value of require_pass, or nil
	staticAt  *yaml.Node
	scored    bool // max_score is given
	flagsAt   *yaml.Node
	Shown     int         // number of samples that are shown but not run
	Own       ownSettings // settings of the group's own file
	Uncounted bool        // for DOMjudge's scores: the parent ignores the group's result
}

// ownSettings are the settings in a legacy group's own file. DOMjudge's scores do
// not use inherited settings.
type ownSettings struct {
	file     bool
	Accept   *float64 // accept_score, or nil
	flags    []string
	onReject string
}

// An Aggregation is the way to compute the score of a group from its parts
// (2025-09, "Scoring test data groups").
type Aggregation string

const (
	AllOrNothing Aggregation = "pass-fail" // the maximum score if all parts are accepted, else 0
	Sum          Aggregation = "sum"       // the sum of the scores
	Min          Aggregation = "min"       // the smallest score
)

// Bounded reports whether the group has a maximum score.
func (g *Group) Bounded() bool { return !math.IsInf(g.MaxScore, 1) }

// At returns the group of that name in the tree below g, or nil. g may be nil.
func (g *Group) At(name string) *Group {
	if g == nil || g.Name == name {
		return g
	}
	for _, sub := range g.Groups {
		if sub.Name == name || strings.HasPrefix(name, sub.Name+"/") {
			return sub.At(name)
		}
	}
	return nil
}

// NewCase returns a case of the group with the default settings. The package has no files
// of it.
func (g *Group) NewCase(p *Problem, name string) *Case {
	c := Case{}
	if g.defaults != nil {
		c = *g.defaults
	}
	c.Name, c.Group, c.FS = strings.TrimPrefix(g.Name+"/"+name, "/"), g, p.FS
	return &c
}

// A Static configures the static validator for one group (2025-09, "Static
// validation test cases").
type Static struct {
	MaxScore float64  // 0 if PassFail is set
	PassFail bool     // the validator accepts or rejects, without a score
	Args     []string // arguments of the validator
}

// checkGroups checks the rules for groups (2025-09, "Test data groups", "Result
// aggregation", "Static validation test cases").
func checkGroups(p *Problem, defects *Defects) {
	if p.Format.Legacy {
		checkGraderFlags(p.Data, defects)
		return
	}
	secret := p.Data.At("secret")
	if secret == nil {
		return
	}
	fail := func(g *Group, format string, args ...any) {
		defects.Add(defects.depart(Defectf(g.where, format, args...)))
	}
	for _, c := range secret.Cases {
		if len(secret.Groups) > 0 && c.Static == nil && p.Format.Strict {
			defects.Addf(p.Where(c.Path(".in")),
				"is not in a group, but other cases are: expected all secret cases in groups, or none")
		}
	}
	for _, g := range secret.Groups {
		if !g.any() {
			defects.Addf(p.Where("data/"+g.Name), "the group has no cases")
		}
	}
	if p.Is(Scoring) && !p.Format.Strict {
		shareScores(secret, defects)
	}
	groups := append([]*Group{secret}, secret.Groups...)
	if sample := p.Data.At("sample"); sample != nil {
		groups = append([]*Group{sample}, groups...)
	}
	for _, g := range groups {
		checkStatic(p, g, defects)
		if p.Is(Scoring) && g.Name != "sample" {
			checkScores(secret, g, fail)
			checkRequired(p, g, defects)
		}
	}
	if p.Is(Scoring) {
		doubtScores(secret, defects)
	}
	if p.StaticValidator != nil && !slices.ContainsFunc(groups, func(g *Group) bool { return g.Static != nil }) {
		defects.doubtf(p.Where(p.StaticValidator.Path), "is never run: no test_group.yaml has static_validation_score")
	}
}

// checkGraderFlags warns of flags that the default grader does not know or that
// have been renamed. A group's flags may be inherited.
func checkGraderFlags(g *Group, defects *Defects) {
	if g.flagsAt != nil && !g.Custom {
		_, unknown := GradingOf(g.GraderFlags)
		for _, flag := range unknown {
			defects.warn(g.flagsAt.Errorf("grader flag %q has no effect: expected worst_error, first_error, always_accept, "+
				"sum, avg, min, max, ignore_sample or accept_if_any_accepted", flag))
		}
		if slices.Contains(g.GraderFlags, "no_errors") {
			defects.warn(g.flagsAt.Errorf("grader flag no_errors: expected worst_error, its current name"))
		}
	}
	for _, sub := range g.Groups {
		checkGraderFlags(sub, defects)
	}
}

// shareScores divides the rest of secret's maximum score equally among the groups
// of a draft that set none (2023-07-draft, "Maximum Score Inference").
func shareScores(secret *Group, defects *Defects) {
	var open []*Group
	left := secret.MaxScore
	for _, g := range secret.Groups {
		if g.scored {
			left -= g.MaxScore
		} else {
			open = append(open, g)
		}
	}
	switch {
	case !secret.Bounded() || secret.Aggregation == AllOrNothing || len(open) == 0:
		return
	case secret.Aggregation == Sum && left < 0:
		defects.Addf(secret.where, "the scores of the groups add up to %v, but secret has %v", secret.MaxScore-left,
			secret.MaxScore)
		return
	}
	others := 0
	for _, c := range secret.Cases {
		if c.Static == nil {
			others++
		}
	}
	for _, g := range open {
		g.MaxScore = secret.MaxScore
		if secret.Aggregation == Sum {
			g.MaxScore = left / float64(len(open)+others)
		}
	}
}

// checkScores checks the rules about scores of one group, which may be secret
// itself.
func checkScores(secret, g *Group, fail func(*Group, string, ...any)) {
	switch {
	case g.Aggregation == AllOrNothing && !g.Bounded():
		fail(g, "%s has score_aggregation pass-fail: expected a max_score", g.Name)
	case g != secret && !g.Bounded() && secret.Bounded():
		fail(g, "%s has no max_score, but secret has one: expected max_score for every group, or max_score: unbounded in "+
			"secret", g.Name)
	case g != secret && secret.Aggregation == AllOrNothing && g.Aggregation != AllOrNothing:
		fail(g, "%s has score_aggregation %s, but secret has pass-fail: expected pass-fail in every group", g.Name,
			g.Aggregation)
	}
	if s := g.Static; s != nil && g.Aggregation == Sum && s.Static.MaxScore > g.MaxScore {
		fail(g, "%s has static_validation_score %v, which exceeds its max_score %v", g.Name, s.Static.MaxScore, g.MaxScore)
	}
}

// doubtScores reports a doubt if the maximum scores of the groups do not add up to
// that of secret.
func doubtScores(secret *Group, defects *Defects) {
	var sum float64
	for _, g := range secret.Groups {
		sum += g.MaxScore
	}
	if len(secret.Groups) > 0 && secret.Bounded() && secret.Aggregation == Sum && sum != secret.MaxScore &&
		!math.IsInf(sum, 1) {
		defects.doubtf(secret.where, "the max_score values of the groups add up to %v, but secret has %v", sum,
			secret.MaxScore)
	}
}

// checkRequired checks the rules of require_pass: a group may require earlier
// pass-fail groups, and secret may require only sample (2025-09, "Group
// dependencies").
func checkRequired(p *Problem, g *Group, defects *Defects) {
	for _, name := range g.RequirePass {
		required := p.Data.At(name)
		wrong := func(format string, args ...any) {
			defects.Add(defects.depart(g.requireAt.Errorf("require_pass %q: "+format, append([]any{name}, args...)...)))
		}
		switch {
		case required == nil || name == "" || name == "secret":
			var known []string
			for _, sub := range p.Data.At("secret").Groups {
				known = append(known, sub.Name)
			}
			wrong("expected sample or a group such as secret/1%s", terminal.DidYouMean(name, append(known, "sample")))
		case name == "sample":
		case g.Name == "secret":
			wrong("expected sample, the only group that secret can require")
		case name >= g.Name:
			wrong("expected a group before %s", g.Name)
		case required.Aggregation != AllOrNothing:
			wrong("the group has score_aggregation %s, expected pass-fail", required.Aggregation)
		}
	}
}

// checkStatic checks the rules about the score of a static validation case.
func checkStatic(p *Problem, g *Group, defects *Defects) {
	if g.Static == nil {
		return
	}
	wrong := func(format string, args ...any) {
		defects.Add(defects.depart(g.staticAt.Errorf("static_validation_score: "+format, args...)))
	}
	passes := !p.Is(Scoring) || g.Aggregation == AllOrNothing
	switch s := g.Static.Static; {
	case s.PassFail && !passes && g.Name != "sample":
		wrong("expected a score, because the group has score_aggregation sum or min")
	case !s.PassFail && (passes || g.Name == "sample"):
		wrong("expected pass-fail: only groups of scoring problems with score_aggregation sum or min have a score")
	}
}

// Errorf returns an error that begins with the file or folder that configures the
// group.
func (g *Group) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", g.configured(), fmt.Errorf(format, args...))
}

// Defect returns a [Defect] of the file or folder that configures the group.
func (g *Group) Defect(format string, args ...any) error {
	return Defectf(g.configured(), format, args...)
}

func (g *Group) configured() string {
	if g.where == "" {
		return strings.TrimSuffix("data/"+g.Name, "/")
	}
	return g.where
}

// Graded reports whether the verdict of some group in the tree is not simply that
// of its first rejected case.
func (g *Group) Graded() bool {
	return g.Custom || len(g.GraderFlags) > 0 || g.OnReject == "continue" || slices.ContainsFunc(g.Groups, (*Group).Graded)
}

// MaxScore returns the largest score of a submission. It returns false if the
// score is unbounded, if the lowest score is the best, or if the problem has no
// scores.
func (p *Problem) MaxScore() (most float64, ok bool) {
	if p.Data == nil || !p.Is(Scoring) || p.Minimize {
		return 0, false
	}
	most = p.Data.Range[1]
	if !p.Legacy() {
		secret := p.Data.At("secret")
		if secret == nil {
			return 0, false
		}
		most = secret.MaxScore
	}
	return most, !math.IsInf(most, 0)
}

// any reports whether the group or a group below it has a case.
func (g *Group) any() bool {
	return len(g.Cases) > 0 || slices.ContainsFunc(g.Groups, (*Group).any)
}
