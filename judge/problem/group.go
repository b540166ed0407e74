package problem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/internal/text"
	"crucible/judge/internal/yaml"
)

// A Group is a folder of cases whose results are taken together (2025-09,
// "Test data groups"; legacy, "Test Data Groups"). The groups of a problem are
// a tree: data/ holds sample and secret, secret may hold groups, and in legacy
// packages those may hold more.
type Group struct {
	Name   string // below data/: "secret/1-small"; "" is data/ itself
	Cases  []*Case
	Groups []*Group

	// Scoring problems of 2025-09.
	MaxScore    float64     // +Inf is unbounded
	Aggregation Aggregation // of the scores of its cases, or its groups
	RequirePass []string    // groups, or sample, that must be accepted before this one is run

	// Static is the group's static validation case, which is first of Cases, or nil.
	Static *Case

	// Legacy packages.
	OnReject    string     // "break": what follows a case that is not accepted is not run; "continue"
	Custom      bool       // the package's grader takes results together, not the default one
	GraderFlags []string   // for either grader
	AcceptScore float64    // of a case that is accepted, where the validator says nothing
	RejectScore float64    // of one that is not
	Range       [2]float64 // of possible scores

	where     string     // the file that configures it, or its folder
	requireAt *yaml.Node // where require_pass is given, or nil
	staticAt  *yaml.Node
	scored    bool // max_score is given
	flagsAt   *yaml.Node
	Shown     int // samples that are shown and not run
	Own       ownSettings
	Uncounted bool // in DOMjudge's arithmetic, what it comes to counts nothing above
}

// ownSettings are those of a legacy group's own file, without what it inherits:
// in DOMjudge's arithmetic nothing is inherited.
type ownSettings struct {
	file     bool
	Accept   *float64
	flags    []string
	onReject string
}

// An Aggregation says how the score of a group comes from those in it
// (2025-09, "Scoring test data groups").
type Aggregation string

const (
	AllOrNothing Aggregation = "pass-fail"
	Sum          Aggregation = "sum"
	Min          Aggregation = "min"
)

// Bounded reports whether the group has a highest score.
func (g *Group) Bounded() bool { return !math.IsInf(g.MaxScore, 1) }

// At returns the group of that name in the tree, or nil.
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

// A Static says how the static validator looks at a submission for one group
// (2025-09, "Static validation test cases").
type Static struct {
	MaxScore float64 // 0 if it passes or fails only
	PassFail bool
	Args     []string
}

// checkGroups holds the groups to the rules about them (2025-09, "Test data
// groups", "Result aggregation", "Static validation test cases").
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
		defects.Add(defects.depart(&Defect{File: g.where, Msg: fmt.Sprintf(format, args...)}))
	}
	for _, c := range secret.Cases {
		if len(secret.Groups) > 0 && c.Static == nil && p.Format.Strict {
			defects.Addf(p.Where(c.Path(".in")), "is not in a group, but other cases are: expected all secret cases in groups, or none")
		}
	}
	for _, g := range secret.Groups {
		if !g.any() {
			defects.Addf(p.Where("data/"+g.Name), "the group has no cases")
		}
	}
	if p.Is("scoring") && !p.Format.Strict {
		shareScores(secret, defects)
	}
	groups := append([]*Group{secret}, secret.Groups...)
	if sample := p.Data.At("sample"); sample != nil {
		groups = append([]*Group{sample}, groups...)
	}
	for _, g := range groups {
		checkStatic(p, g, defects)
		if p.Is("scoring") && g.Name != "sample" {
			checkScores(secret, g, fail)
			checkRequired(p, g, defects)
		}
	}
	if p.Is("scoring") {
		doubtScores(secret, defects)
	}
	if p.StaticValidator != nil && !slices.ContainsFunc(groups, func(g *Group) bool { return g.Static != nil }) {
		defects.doubt(&Defect{File: p.Where(p.StaticValidator.Path), Msg: "is never run: no test_group.yaml has static_validation_score"})
	}
}

// checkGraderFlags warns of flags that the default grader does not have, or has
// under another name. They may be a group's own or from above.
func checkGraderFlags(g *Group, defects *Defects) {
	if g.flagsAt != nil && !g.Custom {
		_, unknown := GradingOf(g.GraderFlags)
		for _, flag := range unknown {
			defects.warn(g.flagsAt.Errorf("grader flag %q has no effect: expected worst_error, first_error, always_accept, sum, avg, min, max, ignore_sample or accept_if_any_accepted", flag))
		}
		if slices.Contains(g.GraderFlags, "no_errors") {
			defects.warn(g.flagsAt.Errorf("grader flag no_errors: expected worst_error, its current name"))
		}
	}
	for _, sub := range g.Groups {
		checkGraderFlags(sub, defects)
	}
}

// shareScores gives the groups of a draft that name no score of their own what
// secret's has left, in equal parts (2023-07-draft, "Maximum Score Inference").
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
		defects.Add(&Defect{File: secret.where, Msg: fmt.Sprintf("the scores of the groups add up to %v, but secret has %v", secret.MaxScore-left, secret.MaxScore)})
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

// checkScores holds one group to the rules about scores. Here and below secret is
// one of the groups.
func checkScores(secret, g *Group, fail func(*Group, string, ...any)) {
	switch {
	case g.Aggregation == AllOrNothing && !g.Bounded():
		fail(g, "%s has score_aggregation pass-fail: expected a max_score", g.Name)
	case g != secret && !g.Bounded() && secret.Bounded():
		fail(g, "%s has no max_score, but secret has one: expected max_score for every group, or max_score: unbounded in secret", g.Name)
	case g != secret && secret.Aggregation == AllOrNothing && g.Aggregation != AllOrNothing:
		fail(g, "%s has score_aggregation %s, but secret has pass-fail: expected pass-fail in every group", g.Name, g.Aggregation)
	}
	if s := g.Static; s != nil && g.Aggregation == Sum && s.Static.MaxScore > g.MaxScore {
		fail(g, "%s has static_validation_score %v, which exceeds its max_score %v", g.Name, s.Static.MaxScore, g.MaxScore)
	}
}

// doubtScores tells where the groups' highest scores do not make up secret's.
func doubtScores(secret *Group, defects *Defects) {
	var sum float64
	for _, g := range secret.Groups {
		sum += g.MaxScore
	}
	if len(secret.Groups) > 0 && secret.Bounded() && secret.Aggregation == Sum && sum != secret.MaxScore && !math.IsInf(sum, 1) {
		defects.doubt(&Defect{File: secret.where, Msg: fmt.Sprintf("the max_score values of the groups add up to %v, but secret has %v", sum, secret.MaxScore)})
	}
}

// checkRequired holds require_pass to the rules: earlier groups that pass or
// fail, and only sample for secret itself (2025-09, "Group dependencies").
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
			wrong("expected sample or a group such as secret/1%s", text.DidYouMean(name, append(known, "sample")))
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

// checkStatic holds a static validation case to the rules about its score.
func checkStatic(p *Problem, g *Group, defects *Defects) {
	if g.Static == nil {
		return
	}
	wrong := func(format string, args ...any) {
		defects.Add(defects.depart(g.staticAt.Errorf("static_validation_score: "+format, args...)))
	}
	passes := !p.Is("scoring") || g.Aggregation == AllOrNothing
	switch s := g.Static.Static; {
	case s.PassFail && !passes && g.Name != "sample":
		wrong("expected a score, because the group has score_aggregation sum or min")
	case !s.PassFail && (passes || g.Name == "sample"):
		wrong("expected pass-fail: only groups of scoring problems with score_aggregation sum or min have a score")
	}
}

// Errorf returns a failure that names where the group is configured; defect one
// that is plain from the package alone.
func (g *Group) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", g.configured(), fmt.Errorf(format, args...))
}

func (g *Group) Defect(format string, args ...any) error {
	return &Defect{File: g.configured(), Msg: fmt.Sprintf(format, args...)}
}

func (g *Group) configured() string {
	if g.where == "" {
		return strings.TrimSuffix("data/"+g.Name, "/")
	}
	return g.where
}

// Graded reports whether some group is taken together in another way than by
// its first case that is not accepted.
func (g *Group) Graded() bool {
	if g.Custom || len(g.GraderFlags) > 0 || g.OnReject == "continue" {
		return true
	}
	for _, sub := range g.Groups {
		if sub.Graded() {
			return true
		}
	}
	return false
}

// MaxScore is the most that a submission can score; false if there is no such
// score: it is unbounded, the least is the best, or the problem has no scores.
func (p *Problem) MaxScore() (most float64, ok bool) {
	if p.Data == nil || !p.Is("scoring") || p.Minimize {
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
