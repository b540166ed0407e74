package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/problem"
)

// maxTests limits the tests of a package.
const maxTests = 10_000

// numberPattern matches the patterns of file names, which have one number.
var numberPattern = lazy.Regexp(`^([^%]*)%(?:0([0-9]))?d([^%]*)$`)

// numbered returns the file name that a pattern such as tests/%02d has for a test.
func numbered(pattern *element, n int) (string, error) {
	m := numberPattern().FindStringSubmatch(strings.TrimSpace(pattern.text))
	if m == nil {
		return "", pattern.errorf("%s: expected a path with one %%d or %%02d, found %q", pattern.name, pattern.text)
	}
	width, _ := strconv.Atoi(m[2])
	return m[1] + pad(n, width) + m[3], nil
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

// A scoredCase is a case with its points and its group in Polygon.
type scoredCase struct {
	testCase
	points float64
	group  string
	sample bool
	at     *element
}

// testCases reads the tests, and puts them into groups if they have points.
func (p *polygon) testCases() error {
	tests := p.tests.all("tests/test")
	if len(tests) > maxTests {
		return p.tests.errorf("expected at most %d tests, found %d", maxTests, len(tests))
	}
	width := max(2, len(strconv.Itoa(len(tests))))
	var all []scoredCase
	hasPoints := false
	for i, t := range tests {
		c, err := p.testCase(t, i+1)
		if err != nil {
			p.wrong.Add(err)
			continue
		}
		c.name = pad(i+1, width)
		hasPoints = hasPoints || c.points > 0
		all = append(all, c)
	}
	for _, g := range p.tests.all("groups/group") {
		points, err := pointsOf(g)
		if err != nil {
			return err
		}
		hasPoints = hasPoints || points > 0
	}
	if hasPoints {
		p.is(problem.Scoring)
	}
	for _, c := range all {
		if c.sample {
			p.place(&p.sample, []scoredCase{c})
		}
	}
	if !hasPoints {
		p.ungrouped(all)
		return nil
	}
	return p.grouped(all)
}

// ungrouped adds the tests of a problem without points.
func (p *polygon) ungrouped(all []scoredCase) {
	groups := false
	for _, c := range all {
		if !c.sample {
			p.place(p.groups[0], []scoredCase{c})
		}
		groups = groups || c.group != ""
	}
	if groups {
		for _, g := range p.tests.all("groups/group") {
			g.stated[""] = true
			g.seen = false
		}
		p.equal(p.tests.where(), "the groups of tests: the problem has no points, so all tests must pass")
		if p.groupArgs {
			p.draft.lose(p.tests.where(), "the groups that the validator reads")
		}
	}
}

// testCase reads one test.
func (p *polygon) testCase(t *element, n int) (c scoredCase, err error) {
	c = scoredCase{group: t.attr("group"), sample: t.attr("sample") == "true", at: t}
	if c.points, err = pointsOf(t); err != nil {
		return c, err
	}
	for _, f := range []struct {
		pattern string
		to      *string
	}{{"input-path-pattern", &c.input}, {"answer-path-pattern", &c.answer}} {
		e := p.tests.one(f.pattern)
		if e == nil {
			return c, p.tests.errorf("%s is missing", f.pattern)
		}
		name, err := numbered(e, n)
		if err != nil {
			return c, err
		}
		if p.has(name) {
			*f.to = p.at(name)
		}
	}
	if t.attr("method") != "generated" {
		if c.input == "" {
			return c, t.errorf("test %d: its input is missing, and no command makes it", n)
		}
		return c, nil
	}
	command, err := p.command(t)
	if err != nil && c.input == "" {
		return c, err
	}
	if err != nil {
		p.lose(t, "cmd", "the command %q, so its result was imported: %v", t.attr("cmd"), err)
	}
	c.command = command
	return c, nil
}

// command returns the command of a test in the form of generators.yaml.
func (p *polygon) command(t *element) (string, error) {
	cmd := t.attr("cmd")
	words := strings.Fields(cmd)
	switch {
	case len(words) == 0:
		return "", t.errorf("expected the attribute cmd: the command of a generator")
	case strings.ContainsAny(cmd, "{}\"'\\|<>") || t.attr("from-file") != "":
		return "", t.errorf("command %q: expected a generator that writes one test, with arguments without quotes and braces",
			cmd)
	}
	file := p.generators[words[0]]
	if file == "" {
		return "", t.errorf("command %q: generator %q is missing", cmd, words[0])
	}
	name, err := p.generator(file)
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{name}, words[1:]...), " "), nil
}

// pointsOf reads the attribute points. It is 0 if the attribute is missing.
func pointsOf(e *element) (float64, error) {
	text := e.attr("points")
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 1e9) {
		return 0, e.errorf("points: expected a number from 0 to 1e9, found %q", text)
	}
	return v, nil
}

// A pointGroup is a group of Polygon.
type pointGroup struct {
	at      *element     // nil if the package does not declare it
	cases   []scoredCase // all of them
	made    []*group     // that have the tests with points
	require []string     // groups that must pass before this one runs
	needs   []string     // what groups that depend on it require; nil if that is not known yet
}

// grouped adds the tests of a problem with points. In the format, all cases of a group
// have equal points, so tests with other points get a group of their own. Samples without
// points are in no group.
func (p *polygon) grouped(all []scoredCase) error {
	groups := make(map[string]*pointGroup)
	var order []string
	for _, g := range p.tests.all("groups/group") {
		groups[g.attr("name")] = &pointGroup{at: g}
		order = append(order, g.attr("name"))
	}
	for _, c := range all {
		if groups[c.group] == nil {
			groups[c.group] = &pointGroup{}
			order = append(order, c.group)
		}
		groups[c.group].cases = append(groups[c.group].cases, c)
	}
	order, err := dependentLast(order, groups)
	if err != nil {
		return err
	}
	for _, name := range order {
		if err := p.pointed(name, groups); err != nil {
			return err
		}
	}
	return nil
}

// dependentLast sorts the groups so that each follows those on which it depends.
func dependentLast(order []string, groups map[string]*pointGroup) (sorted []string, err error) {
	state := make(map[string]int) // 1 while its dependencies are visited, then 2
	var visit func(name string) error
	visit = func(name string) error {
		if state[name] == 2 {
			return nil
		}
		state[name] = 1
		for _, dep := range groups[name].at.all("dependencies/dependency") {
			on := dep.attr("group")
			if groups[on] == nil || state[on] == 1 {
				return dep.errorf("dependency on %q: expected a group that does not depend on %q", on, name)
			}
			if err := visit(on); err != nil {
				return err
			}
		}
		state[name], sorted = 2, append(sorted, name)
		return nil
	}
	for _, name := range order {
		if err := visit(name); err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// pointed adds one group of Polygon.
func (p *polygon) pointed(name string, groups map[string]*pointGroup) error {
	of := groups[name]
	for _, dep := range of.at.all("dependencies/dependency") {
		for _, needed := range p.required(dep, groups) {
			if !slices.Contains(of.require, needed) {
				of.require = append(of.require, needed)
			}
		}
	}
	cases := merged(slices.DeleteFunc(slices.Clone(of.cases),
		func(c scoredCase) bool { return c.sample && c.points == 0 }))
	from, policy := len(p.groups), of.at.attr("points-policy")
	points, err := pointsOf(of.at)
	switch {
	case err != nil:
		return err
	case policy != "" && policy != "complete-group" && policy != "each-test":
		return of.at.errorf("points-policy: expected complete-group or each-test, found %q", policy)
	case len(cases) == 0:
	case policy == "complete-group":
		if points == 0 {
			for _, c := range cases {
				points += c.points
			}
		}
		p.group(name, cases, points, problem.AllOrNothing)
	default:
		for _, part := range byPoints(cases) {
			p.group(name, part, part[0].points*float64(len(part)), problem.Sum)
		}
	}
	of.made = p.groups[from:]
	for _, g := range of.made {
		g.settings.RequirePass = of.require
		p.validatorGroup(g, of.at)
	}
	return nil
}

// validatorGroup sets the argument of validators that read the group of a test.
func (p *polygon) validatorGroup(g *group, at *element) {
	if p.groupArgs && at != nil {
		g.settings.InputArgs = []string{"--group", at.attr("name")}
	}
}

// required returns what a group requires that depends on another one: that all tests of
// that one are accepted. The format has this for sample and for groups that pass or fail;
// for others, a group without points has the same tests.
func (p *polygon) required(dep *element, groups map[string]*pointGroup) []string {
	of := groups[dep.attr("group")]
	if of.needs != nil {
		return of.needs
	}
	of.needs = []string{}
	left := of.cases
	if n := len(p.sample.cases); n > 0 {
		others := slices.DeleteFunc(slices.Clone(left), func(c scoredCase) bool { return c.sample })
		if len(left)-len(others) == n {
			left, of.needs = others, append(of.needs, "sample")
		}
	}
	switch {
	case len(left) == 0:
		of.needs = append(of.needs, of.require...)
	case len(of.made) == 1 && of.made[0].settings.Aggregation == problem.AllOrNothing &&
		len(of.made[0].cases)+len(of.made[0].include) == len(merged(left)):
		of.needs = append(of.needs, "secret/"+of.made[0].name)
	default:
		g := p.gate(dep.attr("group"), left)
		p.validatorGroup(g, of.at)
		g.settings.RequirePass = of.require
		of.needs = append(of.needs, "secret/"+g.name)
		p.carry(dep.where(), "the dependency on %q, by the group %s that has the same tests and no points",
			dep.attr("group"), g.name)
	}
	return of.needs
}

// gate adds a group without points that passes if all of the cases are accepted. Other
// groups have the same cases.
func (d *draft) gate(name string, cases []scoredCase) *group {
	d.group(strings.TrimSuffix("all-"+name, "-"), cases, 0, problem.AllOrNothing)
	return d.groups[len(d.groups)-1]
}

// byPoints returns the cases in parts of equal points, in the order of their first cases.
func byPoints(cases []scoredCase) (parts [][]scoredCase) {
	for _, c := range cases {
		i := slices.IndexFunc(parts, func(part []scoredCase) bool { return part[0].points == c.points })
		if i < 0 {
			i, parts = len(parts), append(parts, nil)
		}
		parts[i] = append(parts[i], c)
	}
	return parts
}

var notInGroups = lazy.Regexp(`[^a-zA-Z0-9_-]+`)

// group adds a group of secret. Its number keeps the order.
func (d *draft) group(name string, cases []scoredCase, points float64, a problem.Aggregation) {
	g := &group{name: pad(len(d.groups), 2), settings: settings{MaxScore: &points, Aggregation: a}}
	if short := strings.Trim(notInGroups().ReplaceAllString(name, "_"), "_-"); short != "" {
		g.name += "-" + short[:min(len(short), 40)]
	}
	d.place(g, cases)
	d.groups = append(d.groups, g)
}

// place adds cases to a group. A command makes a case once; other groups include it.
func (d *draft) place(g *group, cases []scoredCase) {
	for _, c := range cases {
		first, known := d.placed[c.command]
		switch {
		case c.command == "" || !known:
			d.placed[c.command] = c.name
			g.cases = append(g.cases, c.testCase)
		case !slices.Contains(g.include, first) && !slices.ContainsFunc(g.cases,
			func(c testCase) bool { return c.name == first }):
			g.include = append(g.include, first)
		}
	}
}

// merged returns the cases of one group with each command once, which has the points of all
// of its cases.
func merged(cases []scoredCase) (once []scoredCase) {
	for _, c := range cases {
		i := slices.IndexFunc(once, func(o scoredCase) bool { return o.command == c.command })
		if c.command != "" && i >= 0 {
			once[i].points += c.points
		} else {
			once = append(once, c)
		}
	}
	return once
}
