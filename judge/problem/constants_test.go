package problem

import (
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
)

func TestConstantsIn(t *testing.T) {
	c := constants{"n": "5", "n.value": "5", "n.tex": `5\,000`, "_a1": "x y"}
	for _, row := range []struct{ name, text, want string }{
		{"a name", "for {{n}} times", "for 5 times"},
		{"the value by its name", "{{n.value}}", "5"},
		{"a variant", "${{n.tex}}$", `$5\,000$`},
		{"text with a space", "[{{_a1}}]", "[x y]"},
		{"twice on a line", "{{n}}{{n}}", "55"},
		{"an undefined constant is unchanged", "{{m}} {{n.html}}", "{{m}} {{n.html}}"},
		{"a space is no part of it", "{{ n }} {{n }}", "{{ n }} {{n }}"},
		{"no name", "{{}} {{5}} {{n.}} {{.n}}", "{{}} {{5}} {{n.}} {{.n}}"},
		{"a third brace is text", "{{{n}}}", "{5}"},
		{"what was put in is not read again", "{{n}}{{", "5{{"},
	} {
		if got, ok := c.in([]byte(row.text), 100); string(got) != row.want || !ok {
			t.Errorf("%s: in(%q) = %q, %v, want %q", row.name, row.text, got, ok, row.want)
		}
	}
}

func TestConstantsAreRead(t *testing.T) {
	const head = "-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 1}\n"
	p, err := Open(testkit.Pack(head + "constants:\n  n: 100000\n  eps: 1e-6\n  who: Ada\n  big: {value: 5000000, tex: '5,000,000', sci: '5 \\cdot 10^6', off: 500}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"n": "100000", "eps": "1e-6", "who": "Ada", "big": "5000000", "big.value": "5000000", "big.tex": "5,000,000"} {
		if got := p.Constants[name]; got != want {
			t.Errorf("constant %s = %q, want %q", name, got, want)
		}
	}
	if len(p.Doubts) != 1 || !strings.Contains(p.Doubts[0].Error(), `variant "off" of constant "big": "500" seems to be a different number than "5000000"`) {
		t.Errorf("doubts %v, want one, about the variant that is another number", p.Doubts)
	}
	for _, row := range []struct{ name, text, want string }{
		{"a name with a dash", "constants: {a-b: 1}\n", `problem.yaml:5:13: constant "a-b": expected letters`},
		{"a list", "constants: {a: [1]}\n", "problem.yaml:5:16: expected a number or text, found a list"},
		{"a boolean", "constants: {a: true}\n", "expected a number or text, found a boolean"},
		{"no value among the variants", "constants: {a: {tex: x}}\n", `constant "a": key value is missing`},
		{"no map", "constants: [a]\n", "constants: expected a map"},
	} {
		if _, err := Open(testkit.Pack(head + row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
	}
}
