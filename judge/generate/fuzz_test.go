package generate

import (
	"errors"
	"io/fs"
	"testing"

	"crucible/judge/internal/yaml"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse holds that whatever the file says, every case has a name of its
// own below data/, and no path leaves the package.
func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("data: {secret: {include: [sample], data: [a: {in: x, count: [3, -1]}]}, sample: {data: {b: {copy: c}}}}\n"))
	f.Add([]byte("data: {secret: {test_group.yaml: {a: [1, x: ['- ', \"\\x07\"]], '': {}}, data: {a: {in: x, yaml: {hint: 'a: b', args: ['1', [], ~]}}}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		plan, err := Parse("g.yaml", data, nil)
		if err != nil {
			if e := new(yaml.Error); !errors.As(err, &e) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		names := map[string]bool{}
		for _, c := range plan.Cases {
			if names[c.Name] || !fs.ValidPath(c.Name) || c.Line < 1 {
				t.Fatalf("case %q on line %d, of %d", c.Name, c.Line, len(plan.Cases))
			}
			names[c.Name] = true
			for _, path := range []string{c.Program, c.Copy} {
				if path != "" && !fs.ValidPath(path) {
					t.Fatalf("%s: path %q", c.Name, path)
				}
			}
			if c.Solution != "" && (c.Solution[0] != '/' || !fs.ValidPath(c.Solution[1:])) {
				t.Fatalf("%s: solution %q", c.Name, c.Solution)
			}
			if c.IncludeOf != "" && !names[c.IncludeOf] {
				t.Fatalf("%s is %s, which does not stand before it", c.Name, c.IncludeOf)
			}
			if c.Seed >= 1<<31 || c.Retries < 1 || !c.hasInput() {
				t.Fatalf("case %+v", c)
			}
		}
		for _, g := range plan.Groups {
			checkFormat(t, g.Settings)
		}
		for _, c := range plan.Cases {
			checkFormat(t, c.YAML)
		}
		again, err := Parse("g.yaml", data, nil)
		if diff := cmp.Diff(plan.Cases, again.Cases, cmp.Comparer(func(a, b *yaml.Node) bool { return (a == nil) == (b == nil) })); err != nil || diff != "" {
			t.Fatalf("read twice: %v (-first +second):\n%s", err, diff)
		}
	})
}

// checkFormat holds that what is written reads back as the same.
func checkFormat(t *testing.T, n *yaml.Node) {
	if n == nil || n.Kind() == yaml.Null {
		return
	}
	text := FormatYAML(n)
	again, err := yaml.Parse("y", text)
	if err != nil || !same(n, again) {
		t.Fatalf("does not read back (%v):\n%s", err, text)
	}
}

// FuzzParsePins holds that pins survive being written.
func FuzzParsePins(f *testing.F) {
	f.Add([]byte(zeros + "  secret/01.in\n"))
	f.Add([]byte(zeros + " *b\r\n" + zeros + "  a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		pins, err := ParsePins("p", data)
		if err != nil {
			return
		}
		for name := range pins {
			if !fs.ValidPath(name) {
				t.Fatalf("path %q", name)
			}
		}
		again, err := ParsePins("p", pins.Format())
		if diff := cmp.Diff(pins, again); err != nil || diff != "" {
			t.Fatalf("written and read: %v (-before +after):\n%s", err, diff)
		}
	})
}
