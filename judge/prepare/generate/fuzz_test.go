package generate

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/yaml"
)

// FuzzParse checks for any file that the names of cases are distinct and valid, and that
// no path leaves the package.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("data: {secret: {include: [sample], data: [a: {in: x, count: [3, -1]}]}, sample: {data: {b: {copy: c}}}}\n"))
	f.Add([]byte("data: {secret: {test_group.yaml: {a: [1, x: ['- ', \"\\x07\"]], '': {}}, data: {a: {in: x, yaml: {hint: 'a: b', args: ['1', [], ~]}}}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		plan, err := parse("g.yaml", data, nil)
		if err != nil {
			if e := new(yaml.Error); !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("error without a position: %v", err)
			}
			return
		}
		names := map[string]bool{}
		for _, c := range plan.cases {
			if names[c.name] || !fs.ValidPath(c.name) || c.at.Line() < 1 {
				t.Fatalf("case %q on line %d, of %d", c.name, c.at.Line(), len(plan.cases))
			}
			names[c.name] = true
			for _, path := range []string{c.program, c.copy} {
				if path != "" && !fs.ValidPath(path) {
					t.Fatalf("%s: path %q", c.name, path)
				}
			}
			if c.solution != "" && (c.solution[0] != '/' || !fs.ValidPath(c.solution[1:])) {
				t.Fatalf("%s: solution %q", c.name, c.solution)
			}
			if c.includeOf != "" && !names[c.includeOf] {
				t.Fatalf("%s is %s, which does not stand before it", c.name, c.includeOf)
			}
			if c.seed >= 1<<31 || c.retries < 1 || !c.hasInput() {
				t.Fatalf("case %+v", c)
			}
		}
		for _, g := range plan.groups {
			checkFormat(t, g.settings)
		}
		for _, c := range plan.cases {
			checkFormat(t, c.yaml)
		}
		again, err := parse("g.yaml", data, nil)
		if diff := cmp.Diff(plan.cases, again.cases, cmp.AllowUnexported(casePlan{}), cmp.Comparer(func(a, b *yaml.Node) bool { return (a == nil) == (b == nil) })); err != nil || diff != "" {
			t.Fatalf("read twice: %v (-first +second):\n%s", err, diff)
		}
	})
}

// checkFormat checks that a formatted value parses as the same value.
func checkFormat(t *testing.T, n *yaml.Node) {
	if n == nil || n.Kind() == yaml.Null {
		return
	}
	text := formatYAML(n)
	again, err := yaml.Parse("y", text)
	if err != nil || !same(n, again) {
		t.Fatalf("does not read back (%v):\n%s", err, text)
	}
}

// FuzzParsePins checks that formatted pins parse as the same pins.
func FuzzParsePins(f *testing.F) {
	f.Add([]byte(zeros + "  secret/01.in\n"))
	f.Add([]byte(zeros + " *b\r\n" + zeros + "  a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		pins, err := parsePins("p", data)
		if err != nil {
			return
		}
		for name := range pins {
			if !fs.ValidPath(name) {
				t.Fatalf("path %q", name)
			}
		}
		again, err := parsePins("p", pins.Format())
		if diff := cmp.Diff(pins, again); err != nil || diff != "" {
			t.Fatalf("written and read: %v (-before +after):\n%s", err, diff)
		}
	})
}
