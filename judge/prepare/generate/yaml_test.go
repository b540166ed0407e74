package generate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/yaml"
)

func TestFormatYAML(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"in blocks", "{output_validator_args: [case_sensitive, '1e-6'], max_score: 30, a: {b: 1.50}}",
			"output_validator_args:\n  - case_sensitive\n  - \"1e-6\"\nmax_score: 30\na:\n  b: 1.50\n"},
		{"nothing in it", "{a: [], b: {}, c: , d: ''}", "a: []\nb: {}\nc: null\nd: \"\"\n"},
		{"words that mean something", "{a: 'true', b: true, c: 'No', d: '12', e: 12}", "a: \"true\"\nb: true\nc: \"No\"\nd: \"12\"\ne: 12\n"},
		{"lists in lists", "{a: [[1, 2], [], [{b: c}]]}", "a:\n  -\n    - 1\n    - 2\n  - []\n  -\n    -\n      b: c\n"},
		{"lines and quotes", `{a: "x\ny \"z\" \\ # : é"}`, "a: \"x\\ny \\\"z\\\" \\\\ # : é\"\n"},
		{"an empty map", "{}", "{}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := yaml.Parse("y", []byte(c.given))
			if err != nil {
				t.Fatal(err)
			}
			got := formatYAML(n)
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := yaml.Parse("y", got)
			if err != nil || !same(n, again) {
				t.Errorf("does not read back (%v):\n%s", err, got)
			}
		})
	}
	n, err := yaml.Parse("y", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*yaml.Node{nil, n} {
		if got, want := string(withText(n, "hint", "a: b")), "hint: \"a: b\"\n"; got != want {
			t.Errorf("more text: %q, want %q", got, want)
		}
	}
}

// same reports whether two values are equal, at any position.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind() != b.Kind() || a.Text() != b.Text() || len(a.Items()) != len(b.Items()) || len(a.Fields()) != len(b.Fields()) {
		return false
	}
	for i, item := range a.Items() {
		if !same(item, b.Items()[i]) {
			return false
		}
	}
	for i, field := range a.Fields() {
		if other := b.Fields()[i]; field.Key.Text() != other.Key.Text() || !same(field.Value, other.Value) {
			return false
		}
	}
	return true
}

func TestExpression(t *testing.T) {
	for _, c := range []struct {
		text, in string
		want     bool
	}{
		{"^b$", "a\nb\nc\n", true},
		{"a.b", "a\nb\n", true},
		{`b\n\Z`, "a\nb\n", true},
		{`a\n\Z`, "a\nb\n", false},
		{`\\Z`, `\Z`, true},
	} {
		re, err := expression(c.text)
		if err != nil || re.MatchString(c.in) != c.want {
			t.Errorf("%q in %q: %v, want %v", c.text, c.in, err, c.want)
		}
	}
	for _, text := range []string{"(?=a)", `(a)\1`, "(", `a\`} {
		if re, err := expression(text); err == nil {
			t.Errorf("%q is read as %v", text, re)
		}
	}
}

func TestConstantsComeFirst(t *testing.T) {
	plan, err := parse("g.yaml", []byte(inSecret("      a: gen {{n}} {{n.half}} {seed}\n")), map[string]string{"n": "100", "n.half": "50"})
	if err != nil {
		t.Fatal(err)
	}
	c := plan.cases[0]
	if diff := cmp.Diff([]string{"100", "50", itoa(seedOf("", "gen 100 50 {seed}"))}, c.args); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"100", "50", "7"}, c.argsWith(7)); diff != "" {
		t.Errorf("arguments with another seed (-want +got):\n%s", diff)
	}
}
