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
	var single []scoredCase
	var gates []string
	batches := make(map[int64]*dmojBatch) // by their numbers
	add := func(cases []scoredCase, points float64, how problem.Aggregation) *group {
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
		for _, part := range byPoints(merged(single)) {
			add(part, part[0].points*float64(len(part)), problem.Sum)
		}
		single = nil
	}
	for _, item := range r.list {
		if !item.batched && item.points > 0 {
			single = append(single, scoredCase{testCase: item.cases[0], points: item.points})
			continue
		}
		flush()
		how := problem.AllOrNothing
		if r.partial && item.points > 0 {
			how = problem.Min
		}
		var cases []scoredCase
		for _, c := range item.cases {
			cases = append(cases, scoredCase{testCase: c})
		}
		required, err := r.depend(item, batches)
		if err != nil {
			return err
		}
		g := add(cases, item.points, how)
		g.settings.RequirePass = append(g.settings.RequirePass, required...)
		if item.batched {
			batches[int64(len(batches)+1)] = &dmojBatch{group: g, cases: cases}
		}
		if item.points == 0 {
			gates = append(gates, "secret/"+g.name)
		}
	}
	flush()
	return nil
}

// A dmojBatch is the group of a batch, and the name of the group that others require.
type dmojBatch struct {
	*group
	cases    []scoredCase
	required string
}

// depend returns the groups that a batch requires. One that can have a part of its points
// passes only with all tests, so a group without points has the same ones.
func (r *dmoj) depend(item dmojItem, batches map[int64]*dmojBatch) (names []string, err error) {
	for _, n := range item.dependencies {
		i, err := n.AsInt()
		earlier := batches[i]
		if err != nil || earlier == nil {
			return nil, n.Errorf("dependencies: expected the number of an earlier batch, found %q", n.Text())
		}
		if earlier.required == "" {
			earlier.required = "secret/" + earlier.name
			if earlier.settings.Aggregation != problem.AllOrNothing {
				g := r.gate("", earlier.cases)
				g.settings.RequirePass = earlier.settings.RequirePass
				if !r.python {
					g.settings.ValidatorArgs = []string{"pass-fail"}
				}
				earlier.required = "secret/" + g.name
			}
		}
		if !slices.Contains(names, earlier.required) {
			names = append(names, earlier.required)
		}
	}
	return names, nil
}

// placeOf returns the position of a node, for messages.
func placeOf(n *yaml.Node) string { return strings.TrimSuffix(n.Errorf("").Error(), ": ") }

// items reads the cases and batches.
func (r *dmoj) items() (err error) {
	list := r.root.Get("test_cases")
	if list == nil || list.Kind() != yaml.Sequence {
		r.list, err = r.matched()
		return err
	}
	number := 0
	for _, from := range []*yaml.Node{r.root.Get("pretest_test_cases"), list} {
		for _, n := range itemsOf(from) {
			item, err := r.item(n, &number)
			if err != nil {
				return err
			}
			if from != list {
				item.points = 0
			}
			r.list = append(r.list, item)
		}
	}
	return nil
}

// caseRules are the states of keys of cases and batches.
var caseRules = map[string]partRule{
	"in": {}, "out": {}, "points": {}, "batched": {}, "dependencies": {}, "generator_args": {}, "generator_in": {},
	"output_prefix_length": dmojRules["output_prefix_length"], "short_circuit": dmojRules["short_circuit"],
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
		r.keys(n, " of a batch", caseRules)
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
		case "points":
			if p, err := r.points(f.Value); err != nil || p != of.points {
				return c, f.Value.Errorf("points: expected no points in a case of a batch, or those of the batch, %v", of.points)
			}
		case "generator_args", "generator_in":
			if generator == nil || r.inherited("in", n, of.at) != nil {
				return c, f.Key.Errorf("%s: expected a case without the key in, of a problem with the key generator", key)
			}
		}
	}
	r.keys(n, " of a case", caseRules)
	in, out := r.inherited("in", n, of.at), r.inherited("out", n, of.at)
	if generator != nil && in == nil {
		if c.command, err = r.command(generator, n); err != nil {
			return c, err
		}
		if c.answered = out == nil; !c.answered {
			return c, n.Errorf("case %d: a case with a generator and the key out is not supported: expected the generator to "+
				"write the answer to standard error", number)
		}
		return c, nil
	}
	if generator != nil && out == nil {
		return c, n.Errorf("case %d: a case with the key in and an answer of the generator is not supported: expected the "+
			"key out", number)
	}
	if c.input, err = r.file(in); err == nil {
		c.answer, err = r.file(out)
	}
	return c, err
}

// inherited returns the value of a key of a case, or else that of its batch or the problem.
func (r *dmoj) inherited(key string, levels ...*yaml.Node) *yaml.Node {
	for _, n := range append(levels, r.root) {
		if value := n.Get(key); value != nil {
			return value
		}
	}
	return nil
}
