package foreign

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/problem"
)

// maxTests limits the tests of a package.
const maxTests = 10_000

// numberPattern matches the patterns of file names, which have one number.
var numberPattern = regexp.MustCompile(`^([^%]*)%(?:0([0-9]))?d([^%]*)$`)

// numbered returns the file name that a pattern such as tests/%02d has for a test.
func numbered(pattern *element, n int) (string, error) {
	m := numberPattern.FindStringSubmatch(strings.TrimSpace(pattern.text))
	if m == nil {
		return "", pattern.errorf("%s: expected a path with one %%d or %%02d, found %q", pattern.name, pattern.text)
	}
	width, _ := strconv.Atoi(m[2])
	return m[1] + pad(n, width) + m[3], nil
}

func pad(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

// A scored is a case with its points and its group in Polygon.
type scored struct {
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
	var all []scored
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
			p.sample.cases = append(p.sample.cases, c.testCase)
		}
	}
	if !hasPoints {
		p.ungrouped(all)
		return nil
	}
	return p.grouped(slices.DeleteFunc(all, func(c scored) bool { return c.sample && c.points == 0 }))
}

// ungrouped adds the tests of a problem without points.
func (p *polygon) ungrouped(all []scored) {
	groups := false
	for _, c := range all {
		if !c.sample {
			p.groups[0].cases = append(p.groups[0].cases, c.testCase)
		}
		groups = groups || c.group != ""
	}
	if groups {
		p.lose(p.tests.where(), "the groups of tests: the problem has no points")
		if p.groupArgs {
			p.lose(p.tests.where(), "the groups that the validator reads")
		}
	}
}

// testCase reads one test.
func (p *polygon) testCase(t *element, n int) (c scored, err error) {
	c = scored{group: t.attr("group"), sample: t.attr("sample") == "true", at: t}
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
		p.lose(t.where(), "the command %q, so its result was imported: %v", t.attr("cmd"), err)
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
		return "", t.errorf("command %q: expected a generator that writes one test, with arguments without quotes and braces", cmd)
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

// grouped adds the tests of a problem with points. In the format, all cases of a group
// have equal points, so tests with other points get a group of their own.
func (p *polygon) grouped(all []scored) error {
	declared := make(map[string]*element)
	var order []string
	for _, g := range p.tests.all("groups/group") {
		declared[g.attr("name")] = g
		order = append(order, g.attr("name"))
	}
	byGroup := make(map[string][]scored)
	for _, c := range all {
		if byGroup[c.group] == nil && declared[c.group] == nil {
			order = append(order, c.group)
		}
		byGroup[c.group] = append(byGroup[c.group], c)
	}
	// A dependency of Polygon needs all tests of a group; the format allows it only for
	// groups that are scored as a whole.
	whole := map[string]string{}
	for _, name := range order {
		cases, e := byGroup[name], declared[name]
		if len(cases) == 0 {
			whole[name] = "sample"
			continue
		}
		from := len(p.groups)
		if e.attr("points-policy") == "complete-group" {
			points, err := pointsOf(e)
			if err != nil {
				return err
			}
			if points == 0 {
				for _, c := range cases {
					points += c.points
				}
			}
			p.group(name, cases, points, problem.AllOrNothing)
			whole[name] = "secret/" + p.groups[from].name
		} else {
			for _, part := range byPoints(cases) {
				p.group(name, part, part[0].points*float64(len(part)), problem.Sum)
			}
		}
		for _, g := range p.groups[from:] {
			p.require(g, e, whole)
		}
	}
	return nil
}

// byPoints returns the cases in parts of equal points, in the order of their first cases.
func byPoints(cases []scored) (parts [][]scored) {
	for _, c := range cases {
		i := slices.IndexFunc(parts, func(part []scored) bool { return part[0].points == c.points })
		if i < 0 {
			i, parts = len(parts), append(parts, nil)
		}
		parts[i] = append(parts[i], c)
	}
	return parts
}

var notInGroups = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// group adds a group of secret. Its number keeps the order.
func (d *draft) group(name string, cases []scored, points float64, a problem.Aggregation) {
	g := &group{name: pad(len(d.groups), 2), settings: settings{MaxScore: &points, Aggregation: a}}
	if short := strings.Trim(notInGroups.ReplaceAllString(name, "_"), "_-"); short != "" {
		g.name += "-" + short[:min(len(short), 40)]
	}
	for _, c := range cases {
		g.cases = append(g.cases, c.testCase)
	}
	d.groups = append(d.groups, g)
}

// require sets the dependencies of a group and the argument of validators.
func (p *polygon) require(g *group, e *element, whole map[string]string) {
	if p.groupArgs && e != nil {
		g.settings.InputArgs = []string{"--group", e.attr("name")}
	}
	for _, dep := range e.all("dependencies/dependency") {
		name := whole[dep.attr("group")]
		if name == "" {
			p.lose(dep.where(), "the dependency of group %q on %q: the format requires an earlier group that is scored as a whole", e.attr("name"), dep.attr("group"))
			continue
		}
		if name == "sample" && len(p.sample.cases) == 0 {
			continue
		}
		g.settings.RequirePass = append(g.settings.RequirePass, name)
	}
}
