package export

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/problem"
)

// A scoredGroup is a group of a scoring problem as 2025-09 describes it.
type scoredGroup struct {
	*problem.Group
	most        float64 // +Inf means unbounded
	aggregation problem.Aggregation
	require     []string // names of groups, or sample
}

// scores are the groups of a scoring problem. The cases are in secret itself if it has
// no groups.
type scores struct {
	secret scoredGroup
	groups []scoredGroup
}

// leaves returns the groups that contain the secret cases.
func (s *scores) leaves() []scoredGroup {
	if len(s.groups) > 0 {
		return s.groups
	}
	return []scoredGroup{s.secret}
}

// scores returns the groups of a problem with scores, or nil. It records the scores of
// legacy packages that 2025-09 cannot express.
func (d *draft) scores() *scores {
	secret := d.p.Data.At("secret")
	switch {
	case !d.p.Is(problem.Scoring) || secret == nil:
		return nil
	case d.p.Legacy():
		return d.legacyScores(secret)
	}
	direct := func(g *problem.Group) scoredGroup { return scoredGroup{g, g.MaxScore, g.Aggregation, g.RequirePass} }
	s := &scores{secret: direct(secret)}
	for _, g := range secret.Groups {
		s.groups = append(s.groups, direct(g))
	}
	return s
}

// legacyScores returns the groups of 2025-09 that give the scores of a legacy package.
func (d *draft) legacyScores(secret *problem.Group) *scores {
	root := d.p.Data
	if d.p.Minimize || d.p.DomjudgeScores {
		d.loseVerdicts(problem.ProblemFile,
			"objective min, or the scores of DOMjudge: in the format the highest score is the best, and groups compute it")
	}
	d.lose("data", "the verdict of a submission with part of the points: that of its first rejected case in 2025-09, "+
		"and often AC in legacy; scores are equal")
	s := &scores{}
	if len(secret.Groups) == 0 {
		s.secret = d.legacyLeaf(secret)
	} else {
		s.secret = scoredGroup{Group: secret, aggregation: problem.Sum}
		for _, g := range secret.Groups {
			s.groups = append(s.groups, d.legacyLeaf(g))
		}
		d.legacySum(s)
	}
	lenient, needsSample := d.legacyRoot(root, secret)
	if needsSample {
		s.secret.require = []string{"sample"}
	}
	d.allOrNothing(s, lenient)
	return s
}

// legacyLeaf converts a group of cases.
func (d *draft) legacyLeaf(g *problem.Group) scoredGroup {
	how, _ := problem.GradingOf(g.GraderFlags)
	own := len(d.p.OutputValidators) > 0 // may set scores
	where, n := "data/"+g.Name, float64(len(g.Cases))
	s := scoredGroup{Group: g, most: g.AcceptScore, aggregation: problem.Sum}
	switch {
	case g.Custom:
		d.loseVerdicts(where, "grading: custom: the format has no graders")
	case len(g.Groups) > 0:
		d.loseVerdicts(where, "groups in groups: the format has one level of groups")
	case g.RejectScore != 0:
		d.loseVerdicts(where, "reject_score %v: in the format a rejected case has no score", g.RejectScore)
	case how.Score == "max":
		d.loseVerdicts(where, "grader flag max: expected sum, avg or min")
	case how.Score == "min":
		if s.aggregation = problem.AllOrNothing; own {
			s.aggregation = problem.Min
		}
	case g.OnReject != "continue" && n > 1:
		d.loseVerdicts(where, "on_reject: break: in the format the sum includes the cases after a rejected one")
	case how.Score == "sum":
		s.most *= n
	}
	if own && s.most != g.Range[1] {
		d.loseVerdicts(where, "range %v to %v: the validator may set scores above the sum of accept_score, which is the "+
			"maximum in the format", g.Range[0], g.Range[1])
	}
	return s
}

// legacySum converts the way in which secret combines its groups.
func (d *draft) legacySum(s *scores) {
	secret := s.secret.Group
	how, _ := problem.GradingOf(secret.GraderFlags)
	if secret.Custom || how.Score == "avg" || how.Score == "max" || len(secret.Cases) > 0 {
		d.loseVerdicts("data/secret", "grading of secret: expected the default grader with the sum or the minimum of groups")
	}
	least := math.Inf(1)
	for i, g := range s.groups {
		s.secret.most += g.most
		least = min(least, g.most)
		if i == 0 || secret.OnReject == "continue" {
			continue
		}
		before := s.groups[i-1]
		if before.aggregation != problem.AllOrNothing || lenient(before.Group) {
			d.loseVerdicts("data/secret", "on_reject: break after %s: the format requires a group that is scored as a whole",
				before.Name)
		}
		s.groups[i].require = []string{before.Name}
	}
	if how.Score == "min" {
		s.secret.aggregation, s.secret.most = problem.Min, least
	}
}

// lenient reports whether a group can be accepted with a part of its scores.
func lenient(g *problem.Group) bool {
	how, _ := problem.GradingOf(g.GraderFlags)
	return how.AnyAccepted || how.Verdict == "always_accept"
}

// legacyRoot reports whether a score counts although secret is not accepted as a whole,
// and whether it counts only if the samples are accepted.
func (d *draft) legacyRoot(root, secret *problem.Group) (partial, needsSample bool) {
	how, _ := problem.GradingOf(root.GraderFlags)
	sample := root.At("sample")
	partial = lenient(secret) || how.Verdict == "always_accept"
	if root.Custom {
		d.loseVerdicts("data", "grading: custom: the format has no graders")
	}
	if sample == nil || how.IgnoreSample || len(sample.Cases) == 0 {
		return partial, false
	}
	if how.Score != "sum" || sample.AcceptScore != 0 || sample.RejectScore != 0 {
		d.loseVerdicts("data/sample", "the scores of samples: the format gives them none")
	}
	required := !lenient(root) || root.OnReject != "continue"
	if required && lenient(sample) {
		d.loseVerdicts("data/sample", "accept_if_any_accepted: the format requires all samples or none")
	}
	if required {
		// If any result suffices, secret runs only after samples that suffice for AC.
		return partial || lenient(root), true
	}
	if !partial {
		d.loseVerdicts("data", "accept_if_any_accepted: part of the points counts only if the samples are accepted")
	}
	return partial, false
}

// allOrNothing gives secret its aggregation for a package in which only an accepted
// submission has a score, and checks that of others.
func (d *draft) allOrNothing(s *scores, partial bool) {
	parts := slices.ContainsFunc(s.leaves(), func(g scoredGroup) bool {
		return g.aggregation == problem.Sum &&
			len(g.Cases) > 1 && !lenient(g.Group)
	})
	switch {
	case !partial && len(s.groups) == 0 && s.secret.aggregation == problem.Sum && len(d.p.OutputValidators) == 0:
		s.secret.aggregation = problem.AllOrNothing
	case !partial && slices.ContainsFunc(s.leaves(),
		func(g scoredGroup) bool { return g.aggregation != problem.AllOrNothing }):
		d.loseVerdicts("data/secret",
			"no score unless all groups are accepted: the format allows it only for groups that are scored as a whole")
	case !partial:
		s.secret.aggregation = problem.AllOrNothing
	case parts && len(s.groups) > 0:
		d.loseVerdicts("data/secret", "a part of the score of a group counts only if a group is accepted")
	}
}

// scoreKeys returns the keys of testdata.yaml for scores, by folder below data/.
func (d *draft) scoreKeys(s *scores) map[string]map[string]any {
	d.lose("data", "the verdict of a submission with part of the points: AC in legacy, and that of its first rejected "+
		"case in 2025-09; scores are equal")
	keys := make(map[string]map[string]any)
	set := func(folder, reject, flags string, most float64) {
		span := fmt.Sprintf("0 %v", most)
		if math.IsInf(most, 1) {
			span = "0 +inf"
		}
		keys[folder] = map[string]any{"on_reject": reject, "grader_flags": flags, "range": span}
	}
	reject, flags := "continue", "first_error ignore_sample"
	if d.needsSample(s) {
		reject, flags = "break", "first_error"
	}
	set("", reject, flags, s.secret.most)
	set("sample", "continue", "first_error", 0)
	keys["sample"]["accept_score"] = 0
	for _, g := range s.leaves() {
		n := float64(max(1, len(g.Cases)))
		switch g.aggregation {
		case problem.Sum:
			set(g.Name, "continue", "first_error accept_if_any_accepted sum", g.most)
			keys[g.Name]["accept_score"] = g.most / n
		default:
			set(g.Name, "break", "first_error min", g.most)
			keys[g.Name]["accept_score"] = g.most
		}
		if math.IsInf(g.most, 1) {
			keys[g.Name]["accept_score"] = 0 // the validator must set the score
		}
	}
	if len(s.groups) > 0 {
		d.secretKeys(s, set)
	}
	return keys
}

// needsSample reports whether no score is given unless the samples are accepted, and
// records requirements of single groups.
func (d *draft) needsSample(s *scores) bool {
	of := func(g scoredGroup) bool { return slices.Contains(g.require, "sample") }
	some, all := of(s.secret), of(s.secret)
	if !some && len(s.groups) > 0 {
		some = slices.ContainsFunc(s.groups, of)
		all = !slices.ContainsFunc(s.groups, func(g scoredGroup) bool { return !of(g) })
	}
	if some && !all {
		d.loseVerdicts("data/secret", "require_pass: sample: the format has it only for all groups together")
	}
	return all
}

// secretKeys sets the keys of secret, whose groups have the scores.
func (d *draft) secretKeys(s *scores, set func(folder, reject, flags string, most float64)) {
	var sum float64
	chain, some := true, false
	for i, g := range s.groups {
		sum += g.most
		before := slices.DeleteFunc(slices.Clone(g.require), func(name string) bool { return name == "sample" })
		some = some || len(before) > 0
		chain = chain && (i == 0 || slices.Contains(before, s.groups[i-1].Name))
	}
	reject := "continue"
	switch {
	case some && chain:
		reject = "break"
	case some:
		d.loseVerdicts("data/secret",
			"require_pass: the format has only on_reject: break, as if each group required all before it")
	}
	flags := "first_error accept_if_any_accepted sum"
	switch s.secret.aggregation {
	case problem.Min:
		flags = strings.Replace(flags, "sum", "min", 1)
	case problem.AllOrNothing:
		if flags = "first_error sum"; sum != s.secret.most {
			d.loseVerdicts("data/secret", "max_score %v: in the format it is the sum of the groups, %v", s.secret.most, sum)
		}
	}
	set("secret", reject, flags, s.secret.most)
}
