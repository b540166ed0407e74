package inputs

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

// declared returns the names and bounds of a statement: the sequence of the input
// section, a semicolon, and the others.
func declared(s *statement) string {
	text := func(all []Declared) string {
		var parts []string
		for _, d := range all {
			parts = append(parts, d.String())
		}
		return strings.Join(parts, ", ")
	}
	return text(s.sequence) + "; " + text(s.others)
}

func TestParseStatement(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"TeX", `$1 \le n \le 10^5$`, "1 ≤ n ≤ 100000; "},
		{"leq without spaces", `$1\leq n,m\leq 1\,000$`, "1 ≤ n ≤ 1000, 1 ≤ m ≤ 1000; "},
		{"a product", `$1 ≤ n ≤ 2\cdot 10^5$`, "1 ≤ n ≤ 200000; "},
		{"times", `$0 \leqslant k \leqslant 3 \times 10^{18}$`, "0 ≤ k ≤ 3000000000000000000; "},
		{"a power with braces", `$1 \leq N \leq 2^{19}$`, "1 ≤ N ≤ 524288; "},
		{"a sum", `$-2^{31} \le x \le 2^{31}-1$`, "-2147483648 ≤ x ≤ 2147483647; "},
		{"strict", `$0 < w < 10$`, "0 < w < 10; "},
		{"one side", `integer $D\leq 200\,000$, the`, "D ≤ 200000; "},
		{"from above", `$100 \ge n \ge 1$`, "1 ≤ n ≤ 100; "},
		{"inside a sentence", `an integer $1 \le N \le 10\,000$, the number`, "1 ≤ N ≤ 10000; "},
		{"HTML", `<p><i>n</i> (1 &le; <i>n</i> &le; 10<sup>5</sup>)`, "1 ≤ n ≤ 100000; "},
		{"Unicode", `$n$ (1 ≤ n ≤ 10⁵)`, "1 ≤ n ≤ 100000; "},
		{"ASCII", `$n$ (1 <= n <= 1e5)`, "1 ≤ n ≤ 100000; "},
		{"Python's power", `$n$ (1 <= n <= 10**5)`, "1 ≤ n ≤ 100000; "},
		{"emphasis", `$n$ (1 ≤ *n* ≤ 100)`, "1 ≤ n ≤ 100; "},
		{"groups of digits", `$n \le 100,000$, $m \le 20{,}000$, $k ≤ 1 000 000$`, "n ≤ 100000, m ≤ 20000, k ≤ 1000000; "},
		{"a bound that is no number", `$1 \le k \le n$ and $2 \le m \le 2n$ and $n \le 5$`, "1 ≤ k, n ≤ 5, 2 ≤ m; "},
		{"a chain of names", `$0 \le x_1 < x_2 \le 7$`, "0 ≤ x_1, x_2 ≤ 7; "},
		{"a list of one name", `$a_1, a_2, \ldots, a_n$ ($0 \le a_i \le 10^9$)`, "0 ≤ a ≤ 1000000000; "},
		{"names that a subscript distinguishes", `$t_m$ $t_l$, $1 \leq t_m, t_l \leq 8$`, "1 ≤ t_m ≤ 8, 1 ≤ t_l ≤ 8; "},
		{"a bound of all x_i", `$x_1$ $x_2$, where $0 \le x_i \le 9$ for each $i$`, "0 ≤ x_1 ≤ 9, 0 ≤ x_2 ≤ 9; "},
		{"an index is no input", `$a_i$ for $1 \le i \le n$, $1 \le a_i \le 5$`, "1 ≤ a ≤ 5, n; "},
		{"a length", `a string $s$ ($1 \le |s| \le 100$)`, "1 ≤ |s| ≤ 100; "},
		{"comparisons with commas between them", `$1 \le n \le 5, 2 \le m \le 6$`, "1 ≤ n ≤ 5, 2 ≤ m ≤ 6; "},
		{"a name and a comma before", `$0 \le u,v < N$, $0 < w \le 7$, meaning`, "0 ≤ u, 0 ≤ v, N, 0 < w ≤ 7; "},
		{"a minus after a word", `in the range $-1\,000\leq x \leq 1\,000$`, "-1000 ≤ x ≤ 1000; "},
		{"a macro", "\\newcommand{\\maxn}{1000}\n$1 \\le n \\le \\maxn$", "1 ≤ n ≤ 1000; "},
		{"an unknown macro", `$1 \le n \le \maxn{}$`, "1 ≤ n; "},
		{"in words", `At least 1 and at most 200 maps, each with $n$`, "1 ≤ … ≤ 200, n; "},
		{"between", `integers between $0$ and $10^{15}$ (inclusive)`, "0 ≤ … ≤ 1000000000000000; "},
		{"the widest of several", `$N \le 10^5$. Group 1: $N \le 10$.`, "N ≤ 100000; "},
		{"no bound in a comment", "$n$ % $n \\le 5$\n", "n; "},
		{"the input section only gives the order", "$m$ is even.\n\n## Input\n\n$n$, $k$.\n\n## Constraints\n\n$1 \\le k \\le 3$, $1 \\le q \\le 9$", "n, 1 ≤ k ≤ 3; 1 ≤ q ≤ 9"},
		{"what programs write to each other is no input", "## Input\n\n$n$ ($1 \\le n \\le 5$)\n\n## Interaction\n\nQueries $1 \\le q \\le 9$.\n\n## Output\n\n$0 \\le r \\le 7$", "1 ≤ n ≤ 5; "},
		{"an interactive problem without an input section", "A number $1 \\le x \\le 5$.\n\n## Interaction\n\nQueries $1 \\le q \\le 9$.", "1 ≤ x ≤ 5; "},
		{"a TeX section", "$z$\n\\section*{Indata}\n$N$ ($1 \\le N \\le 5$)\n\\section*{Utdata}\n$y$", "1 ≤ N ≤ 5; "},
		{"nothing", "no numbers", "; "},
		{"hostile", "$1 \\le 10^{99999999} ((((((((((((((((( ^ ^ _ | ≤ ≤ n ≤ $", "n; "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, declared(parseStatement(c.text, strings.Contains(c.text, `%`) || strings.Contains(c.text, `section`)))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func FuzzParseStatement(f *testing.F) {
	f.Add(`$1 \le n, m \le 2\cdot 10^5$, <i>x</i> &lt; 5, |s_{i}| ≤ 3 at least 1 and at most 2`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range parseStatement(text, true).sequence {
			_ = d.String()
		}
	})
}

func TestDisagreements(t *testing.T) {
	for _, tt := range []struct{ name, en, sv, want string }{
		{"a bound that is the constant", "## Input\n\n$1 \\le n \\le 10^5$", "", ""},
		{"a bound that is not the constant", "## Input\n\n$1 \\le n \\le 10^4$", "", "statement/problem.en.md: 1 ≤ n ≤ 10000, but the constant max_n of problem.yaml is 100000"},
		{"another language agrees", "## Input\n\n$1 \\le k \\le 7$", "\\section*{Indata} $1 \\leq k \\leq 7$", ""},
		{"another language has another bound", "## Input\n\n$1 \\le k \\le 7$", "\\section*{Indata} $1 \\leq k \\leq 8$", "statement/problem.sv.tex: 1 ≤ k ≤ 8, but 1 ≤ k ≤ 7 in statement/problem.en.md"},
		{"the limits of problem.yaml", "The time limit is 2 seconds, the memory limit: $64$ MB.", "", ""},
		{"another time limit", "The time limit is 3 seconds.", "", "statement/problem.en.md: \"time limit is 3 seconds\", but the limit of problem.yaml is 2 s"},
		{"another memory limit", "Memory limit: 1 GB", "", "statement/problem.en.md: \"Memory limit: 1 GB\", but the limit of problem.yaml is 64 MiB"},
	} {
		fsys := fstest.MapFS{
			"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: a\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n" +
				"limits: {time_limit: 2, memory: 64}\nconstants: {max_n: 100000}\n")},
			"statement/problem.en.md": {Data: []byte(tt.en)},
		}
		if tt.sv != "" {
			fsys["statement/problem.sv.tex"] = &fstest.MapFile{Data: []byte(tt.sv)}
		}
		p, err := problem.OpenWithoutData(fsys)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := errors.Join(Disagreements(p)...); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: Disagreements = %s\nexpected %s", tt.name, got, tt.want)
		}
	}
}
