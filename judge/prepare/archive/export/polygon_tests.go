package export

import (
	"fmt"
	"math"
	"path"
	"slices"
	"time"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// tests adds the tests in the order of the cases, the samples first.
func (p *polygon) tests() error {
	set := &p.xml.Judging.Tests
	set.Name, set.Input, set.Answer = "tests", "tests/%02d", "tests/%02d.a"
	limit := p.p.Limits.Time
	if limit == 0 {
		limit = 2 * time.Second
	}
	set.Time, set.Memory = limit.Milliseconds(), p.p.Limits.Memory
	groups := p.groups(p.scores())
	for _, c := range p.p.Cases {
		if c.Static != nil {
			continue
		}
		set.Count++
		t := polygonTest{Method: "manual", Sample: c.Sample()}
		if p.commands[c.Name] != "" {
			t.Method, t.Command = "generated", p.commands[c.Name]
		}
		if groups != nil {
			g, ok := groups[c.Group]
			if !ok {
				g.name = sampleGroup
			}
			t.Group, t.Points = g.name, &g.each
		}
		set.Tests = append(set.Tests, t)
		name := fmt.Sprintf("tests/%02d", set.Count)
		p.files[name], p.files[name+".a"] = fileOf(c, ".in"), fileOf(c, ".ans")
	}
	return nil
}

const sampleGroup = "0"

// polygonPoints is the group of Polygon for a group of cases.
type polygonPoints struct {
	name string
	each float64 // points of each test
}

// groups adds the groups of a problem with scores.
func (p *polygon) groups(s *scores) map[*problem.Group]polygonPoints {
	if s == nil {
		return nil
	}
	p.sumOfGroups(s)
	zero := 0.0
	of := make(map[*problem.Group]polygonPoints)
	list := &polygonGroups{Groups: []polygonGroup{{Feedback: "complete", Name: sampleGroup, Points: &zero,
		Policy: "complete-group"}}}
	names := shortNames(s.leaves())
	for i, g := range s.leaves() {
		x := polygonGroup{Feedback: "icpc", Name: names[i], Policy: "complete-group", Points: &g.most}
		one := polygonPoints{name: names[i]}
		if g.aggregation == problem.Sum {
			x.Policy, x.Points, one.each = "each-test", nil, g.most/float64(max(1, len(g.Cases)))
		}
		for _, name := range g.required(s.secret) {
			to := sampleGroup
			if at := slices.IndexFunc(s.groups, func(g scoredGroup) bool { return g.Name == name }); at >= 0 {
				to = names[at]
			}
			if x.Dependencies == nil {
				x.Dependencies = &polygonDependencies{}
			}
			x.Dependencies.Groups = append(x.Dependencies.Groups, polygonDependency{to})
		}
		list.Groups = append(list.Groups, x)
		of[g.Group] = one
	}
	p.xml.Judging.Tests.Groups = list
	return of
}

// required returns what the group requires, also because secret does.
func (g scoredGroup) required(secret scoredGroup) []string {
	names := slices.Clone(g.require)
	if slices.Contains(secret.require, "sample") && !slices.Contains(names, "sample") {
		names = append(names, "sample")
	}
	return names
}

// sumOfGroups records the scores of a problem that are not the sum of points of groups,
// each for all of its tests or for each of them.
func (d *draft) sumOfGroups(s *scores) {
	if len(s.groups) > 0 {
		var sum float64
		for _, g := range s.groups {
			sum += g.most
		}
		if s.secret.aggregation != problem.Sum || math.Abs(sum-s.secret.most) > 1e-9*max(1, sum) {
			d.loseVerdicts("data/secret",
				"score_aggregation %s and max_score %v: in the format the score is the sum of the groups, %v", s.secret.aggregation,
				s.secret.most, sum)
		}
	}
	for i, g := range s.leaves() {
		switch {
		case math.IsInf(g.most, 1):
			d.loseVerdicts("data/"+g.Name, "max_score unbounded: the format has points of tests only")
			s.leaves()[i].most = 0
		case g.aggregation == problem.Min && len(d.p.OutputValidators) > 0:
			d.loseVerdicts("data/"+g.Name, "score_aggregation min: the format has all points of a group or none")
		}
	}
}

var numberFirst = lazy.Regexp(`^[0-9]+-`)

// shortNames returns the names of groups without the numbers that importing adds, if they
// are distinct.
func shortNames(groups []scoredGroup) []string {
	var full, short []string
	distinct := map[string]bool{sampleGroup: true}
	for _, g := range groups {
		name := path.Base(g.Name)
		full = append(full, "g-"+name)
		name = numberFirst().ReplaceAllString(name, "")
		short = append(short, name)
		distinct[name] = true
	}
	if len(distinct) == len(groups)+1 {
		return short
	}
	return full
}
