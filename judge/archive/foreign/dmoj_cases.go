package foreign

import (
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/yaml"
	"crucible/judge/problem"
)

// A dmojItem is a case or a batch of init.yml.
type dmojItem struct {
	at           *yaml.Node
	points       float64
	cases        []testCase
	batched      bool
	dependencies []*yaml.Node
}

// cases adds the cases and batches to groups. After a wrong answer in a case or batch of 0
// points, DMOJ judges nothing more, so the groups after it require it.
func (r *dmoj) cases() error {
	items, err := r.items()
	if err != nil {
		return err
	}
	var single []scored
	var gates []string
	batches := make(map[int64]*group) // by their numbers
	add := func(cases []scored, points float64, how problem.Aggregation) *group {
		r.group("", cases, points, how)
		g := r.groups[len(r.groups)-1]
		g.settings.RequirePass = slices.Clone(gates)
		switch {
		case r.python && how != problem.AllOrNothing:
			each := points
			if how == problem.Sum {
				each /= float64(len(cases))
			}
			g.settings.ValidatorArgs = []string{"points=" + strconv.FormatFloat(each, 'g', -1, 64)}
		case !r.python && r.partial && how == problem.AllOrNothing:
			g.settings.ValidatorArgs = []string{"pass-fail"}
		}
		return g
	}
	flush := func() {
		for _, part := range byPoints(single) {
			add(part, part[0].points*float64(len(part)), problem.Sum)
		}
		single = nil
	}
	for _, item := range items {
		if !item.batched && item.points > 0 {
			single = append(single, scored{testCase: item.cases[0], points: item.points})
			continue
		}
		flush()
		how := problem.AllOrNothing
		if r.partial && item.points > 0 {
			how = problem.Min
		}
		var cases []scored
		for _, c := range item.cases {
			cases = append(cases, scored{testCase: c})
		}
		g := add(cases, item.points, how)
		if item.batched {
			if err := r.depend(g, item, batches); err != nil {
				return err
			}
			batches[int64(len(batches)+1)] = g
		}
		if item.points == 0 {
			gates = append(gates, "secret/"+g.name)
		}
	}
	flush()
	return nil
}

// depend makes a batch require earlier ones.
func (r *dmoj) depend(g *group, item dmojItem, batches map[int64]*group) error {
	for _, n := range item.dependencies {
		i, err := n.AsInt()
		earlier := batches[i]
		if err != nil || earlier == nil {
			return n.Errorf("dependencies: expected the number of an earlier batch, found %q", n.Text())
		}
		name := "secret/" + earlier.name
		if earlier.settings.Aggregation != problem.AllOrNothing {
			r.lose(placeOf(n), "the dependency on batch %d: the checker can give a part of the points, and the format allows only groups that pass or fail", i)
			r.lost[len(r.lost)-1].Verdicts = true
		} else if !slices.Contains(g.settings.RequirePass, name) {
			g.settings.RequirePass = append(g.settings.RequirePass, name)
		}
	}
	return nil
}

// placeOf returns the position of a node, for messages.
func placeOf(n *yaml.Node) string { return strings.TrimSuffix(n.Errorf("").Error(), ": ") }

// items reads the cases and batches.
func (r *dmoj) items() ([]dmojItem, error) {
	list := r.root.Get("test_cases")
	if list == nil || list.Kind() != yaml.Sequence {
		return r.matched()
	}
	var items []dmojItem
	number := 0
	for _, from := range []*yaml.Node{r.root.Get("pretest_test_cases"), list} {
		for _, n := range itemsOf(from) {
			item, err := r.item(n, &number)
			if err != nil {
				return nil, err
			}
			if from != list {
				item.points = 0
			}
			items = append(items, item)
		}
	}
	return items, nil
}

// item reads a case or batch.
func (r *dmoj) item(n *yaml.Node, number *int) (item dmojItem, err error) {
	item.at = n
	if n.Kind() != yaml.Map {
		return item, n.Errorf("expected a case: a map with the keys in, out and points")
	}
	if item.points, err = r.points(n.Get("points")); err != nil {
		return item, err
	}
	list := []*yaml.Node{n}
	if batched := n.Get("batched"); batched != nil {
		if batched.Kind() != yaml.Sequence || len(batched.Items()) == 0 {
			return item, batched.Errorf("batched: expected a list of cases")
		}
		item.batched, item.dependencies, list = true, itemsOf(n.Get("dependencies")), batched.Items()
	}
	for _, n := range list {
		if *number++; *number > maxTests {
			return item, n.Errorf("expected at most %d cases", maxTests)
		}
		c, err := r.testCase(n, *number, item)
		if err != nil {
			return item, err
		}
		item.cases = append(item.cases, c)
	}
	return item, nil
}

func itemsOf(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	return n.Items()
}

// points reads the points of a case or batch. Those of the problem are the default, or 1.
func (r *dmoj) points(n *yaml.Node) (float64, error) {
	if n == nil {
		n = r.root.Get("points")
	}
	if n == nil {
		return 1, nil
	}
	p, err := n.AsFloat()
	if err == nil && !(p >= 0 && p <= 1e9) {
		err = n.Errorf("points: expected a number from 0 to 1e9, found %v", p)
	}
	return p, err
}

// testCase reads the files of a case, or the command that makes them.
func (r *dmoj) testCase(n *yaml.Node, number int, of dmojItem) (c testCase, err error) {
	c.name = pad(number, 3)
	if n.Kind() != yaml.Map {
		return c, n.Errorf("case %d: expected a map with the keys in and out", number)
	}
	generator := r.root.Get("generator")
	for _, f := range n.Fields() {
		switch key := f.Key.Text(); key {
		case "in", "out", "batched", "dependencies":
		case "points":
			if p, err := r.points(f.Value); err != nil || p != of.points {
				return c, f.Value.Errorf("points: expected no points in a case of a batch, or those of the batch, %v", of.points)
			}
		case "generator_args", "generator_in":
			if generator == nil || n.Get("in") != nil {
				return c, f.Key.Errorf("%s: expected a case without the key in, of a problem with the key generator", key)
			}
		case "checker", "generator", "interactive":
			return c, f.Key.Errorf("a %s of one case is not supported: expected the key %s of the problem only", key, key)
		default:
			r.lose(placeOf(f.Key), "the key %s of case %d", key, number)
		}
	}
	if generator != nil && n.Get("in") == nil {
		if c.command, err = r.command(generator, n); err != nil {
			return c, err
		}
		if c.answered = n.Get("out") == nil; !c.answered {
			return c, n.Errorf("case %d: a case with a generator and the key out is not supported: expected the generator to write the answer to standard error", number)
		}
		return c, nil
	}
	if generator != nil && n.Get("out") == nil {
		return c, n.Errorf("case %d: a case with the key in and an answer of the generator is not supported: expected the key out", number)
	}
	if c.input, err = r.file(n.Get("in")); err == nil {
		c.answer, err = r.file(n.Get("out"))
	}
	return c, err
}
