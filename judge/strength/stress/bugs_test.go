package stress

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// A seeded problem has a right program, and bugs that were put into it by hand. Bugs
// imitate those of people.
type seeded struct {
	name, grammar string
	input         string // of the only case, on which every bug is right
	program       string // right, in C
	bugs          []bug
}

// A bug replaces one text of the program by another one.
type bug struct {
	old, new string
	most     int // the largest size in bytes of the shrunk input: small enough to check by hand
}

var seededProblems = []seeded{
	{"largest", "INT(1, 100, n) NEWLINE REPI(i, n) IF(i > 0) SPACE END INT(-1000, 1000) END NEWLINE EOF", "3\n1 3 2\n",
		`int n, x, best = -1001; scanf("%d", &n); for (int i = 0; i < n; i++) { scanf("%d", &x); if (x > best) best = x; } printf("%d\n", best);`,
		[]bug{
			{"best = -1001", "best = 0", 6},                                 // a wrong initial value
			{"best = -1001", "best = -1000, first = 1; (void)first", 99},    // equivalent: no input shows it
			{"i < n", "i < n - (n > 3)", 12},                                // the last of four is not read
			{"i < n", "i < n && i < 10", 32},                                // an array that is too small
			{"x > best", "x * x > best * best && x > 0", 6},                 // a wrong comparison
			{"x > best", "x > best && x != 5", 6},                           // a special value
			{`scanf("%d", &n)`, `scanf("%d", &n); if (n == 1) return 1`, 6}, // a crash on the smallest input
			{"best = x", "best = (signed char)x", 8},                        // a type that is too small
			{"if (x > best)", "if (i == 0 || x > best + 1)", 8},             // off by one
			{"int i = 0", "int i = n > 1 && n < 3", 8},                      // the first of two is not read
		}},
	{"sum", "INT(-2000000000, 2000000000) SPACE INT(-2000000000, 2000000000) NEWLINE EOF", "3 4\n",
		`long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\n", a + b);`,
		[]bug{
			{"a + b)", "(long long)(int)(a + b))", 24},   // overflow
			{"a + b)", "(a < 0 ? -a : a) + b)", 8},       // a sign
			{"a + b)", "(a | b) + (a & b & 7))", 8},      // carries
			{"a + b)", "a + b + (b == 0 && a != 0))", 8}, // a special case
			{`"%lld\n"`, `"%06lld\n" + 3 * (a < 1000000 && b < 1000000)`, 24},
			{"a + b)", "(long long)((float)a + b))", 24}, // precision
		}},
	{"components", "INT(1, 50, n) SPACE INT(0, 100, m) NEWLINE REP(m) INT(1, n) SPACE INT(1, n) NEWLINE END EOF", "4 3\n1 2\n3 4\n4 3\n",
		`int n, m, a, b, f[51], k; scanf("%d %d", &n, &m); for (int i = 1; i <= n; i++) f[i] = i; k = n; while (m-- > 0) { scanf("%d %d", &a, &b); while (f[a] != a) a = f[a]; while (f[b] != b) b = f[b]; if (a != b) { f[a] = b; k--; } } printf("%d\n", k);`,
		[]bug{
			{"if (a != b) {", "{", 16},                                 // a cycle counts twice
			{"while (f[a] != a) a = f[a];", "a = f[a];", 40},           // no root
			{"while (m-- > 0)", "while (--m > 0)", 12},                 // one edge too few
			{"k = n", "k = n > 8 ? 8 : n", 10},                         // a bound
			{"f[a] = b; k--;", "f[a] = b; k -= b < n || a < n;", 12},   // equivalent
			{"f[a] = b; k--;", "f[a] = b; k -= b != n || n == 4;", 16}, // the last vertex
			{"if (a != b)", "if (a < b)", 12},                          // one direction only
		}},
	{"grid", "INT(1, 20, r) SPACE INT(1, 20, c) NEWLINE REP(r) REGEX(\"[.#]{1,20}\", s) ASSERT(STRLEN(s) == c) NEWLINE END EOF", "2 3\n.#.\n##.\n",
		`int r, c, e = 0; char g[22][23] = {{0}}; scanf("%d %d", &r, &c); for (int i = 1; i <= r; i++) scanf("%s", g[i] + 1); for (int i = 1; i <= r; i++) for (int j = 1; j <= c; j++) if (g[i][j] == '#') e += (g[i-1][j] != '#') + (g[i+1][j] != '#') + (g[i][j-1] != '#') + (g[i][j+1] != '#'); printf("%d\n", e);`,
		[]bug{
			{"(g[i-1][j] != '#')", "(i > 1 && g[i-1][j] != '#')", 10}, // the border
			{"j <= c", "j < c + (c == 3)", 8},                         // the last column
			{"i <= r; i++) for", "i <= r - (r > 4); i++) for", 24},    // the last row
			{"(g[i][j+1] != '#')", "(g[i][j+1] == '.' || j == c) + (i == 1 && j == 1)", 10},
			{"if (g[i][j] == '#')", "if (g[i][j] == '#' && i != j + 2)", 16}, // one diagonal
			{"for (int j = 1", "for (int j = r > c ? 2 : 1", 12},             // higher than wide
		}},
	{"palindrome", "REGEX(\"[a-z]{1,60}\") NEWLINE EOF", "abcba\n",
		`char s[99]; int n, ok = 1; scanf("%s", s); n = strlen(s); for (int i = 0, k = n - 1; i < k; i++, k--) if (s[i] != s[k]) ok = 0; puts(ok ? "yes" : "no");`,
		[]bug{
			{"int i = 0,", "int i = 1,", 8},                       // the first letter is not compared
			{"i < k;", "i < k - 1;", 8},                           // the middle is not compared
			{"ok = 0;", "ok = n < 3 ? ok : 0;", 6},                // short words
			{"if (s[i] != s[k])", "if (s[i] / 2 != s[k] / 2)", 8}, // like letters
			{"i < k;", "i < k && i < 3;", 16},                     // long words
			{"n = strlen(s)", "n = strlen(s); if (n == 2) { puts(\"yes\"); return 0; }", 6},
			{"ok ?", "ok && n != 7 ?", 12}, // one length
		}},
	{"cases", "INT(1, 20, t) NEWLINE REP(t) INT(1, 30, n) NEWLINE REPI(i, n) IF(i > 0) SPACE END INT(0, 100) END NEWLINE END EOF", "2\n2\n1 2\n3\n4 0 1\n",
		`int t, n, x; scanf("%d", &t); while (t-- > 0) { int sum = 0, odd = 0; scanf("%d", &n); while (n-- > 0) { scanf("%d", &x); sum += x; odd ^= x & 1; } printf("%d %d\n", sum, odd); }`,
		[]bug{
			{"int sum = 0, odd = 0;", "static int sum, odd; if (t % 2) sum = odd = 0; else sum -= sum;", 24}, // no reset
			{"sum += x;", "sum += x > 90 ? 90 : x;", 10},
			{"odd ^= x & 1;", "odd |= x & 1;", 14},
			{"while (n-- > 0)", "if (n > 5) n = 5; while (n-- > 0)", 24},
			{"t-- > 0", "t-- > 0 && t < 12", 60}, // too many cases
			{`"%d %d\n"`, `x == 7 ? "%d  %d.\n" : "%d %d\n"`, 10},
		}},
	{"union", "INT(1, 20, n) NEWLINE REP(n) INT(0, 99, a) SPACE INT(a, 100) NEWLINE END EOF", "2\n1 4\n6 9\n",
		`int n, a, b, k = 0; char on[101] = {0}; scanf("%d", &n); while (n-- > 0) { scanf("%d %d", &a, &b); for (int i = a; i < b; i++) on[i] = 1; } for (int i = 0; i < 100; i++) k += on[i]; printf("%d\n", k);`,
		[]bug{
			{"on[i] = 1", "on[i]++", 16},                       // counts twice
			{"i < b;", "i <= b - (a != b);", 8},                // an empty interval
			{"int i = 0; i < 100", "int i = 1; i < 100", 8},    // the first place
			{"int i = 0; i < 100", "int i = 0; i < 99", 10},    // the last place
			{"n-- > 0) {", "n-- > 0) { if (n > 6) break;", 60}, // more than seven
			{"int i = a", "int i = a > 50 ? 50 : a", 12},       // a bound
		}},
}

// equivalents are the bugs that no valid input shows.
var equivalents = map[string]bool{"largest 1": true, "components 4": true}

// TestSeededBugs searches for the bugs of a collection, and expects small inputs. All of
// them take minutes, so only some problems are searched unless CRUCIBLE_STRESS_ALL is set.
func TestSeededBugs(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler:", err)
	}
	all := os.Getenv("CRUCIBLE_STRESS_ALL") != ""
	for _, s := range seededProblems {
		t.Run(s.name, func(t *testing.T) {
			if s.name != "palindrome" && !all {
				t.Skip("CRUCIBLE_STRESS_ALL is not set")
			}
			s.search(t)
		})
	}
}

func (s *seeded) search(t *testing.T) {
	dir := filepath.Join(t.TempDir(), s.name)
	write := func(name, text string) {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := func(body string) string {
		return "#include <stdio.h>\n#include <string.h>\nint main(void) { " + body + " return 0; }\n"
	}
	write("problem.yaml", "problem_format_version: legacy\nname: Seeded\nlimits: {time_limit: 2}\n")
	write("input_validators/form.ctd", s.grammar)
	write("data/secret/1.in", s.input)
	write("data/secret/1.ans", "?\n")
	write("submissions/accepted/right.c", source(s.program))
	for i, b := range s.bugs {
		if strings.Count(s.program, b.old) != 1 {
			t.Fatalf("bug %d: the program has %q %d times", i, b.old, strings.Count(s.program, b.old))
		}
		write("submissions/wrong_answer/"+strconv.Itoa(i)+".c", source(strings.Replace(s.program, b.old, b.new, 1)))
	}
	p, err := problem.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	j := &judge.Judge{Cache: t.TempDir()}
	defer j.Close()
	s.answer(t, j, p, write)
	var targets []*problem.Submission
	for i := range s.bugs {
		targets = append(targets, p.SubmissionNamed("wrong_answer/"+strconv.Itoa(i)+".c"))
	}
	r, err := Search{Problem: p, Reference: p.SubmissionNamed("accepted/right.c"), Targets: targets, Seed: 1, Inputs: 3000, Budget: 5 * time.Minute, Shrink: time.Minute}.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[*problem.Submission]*Counterexample)
	for _, c := range r.Counterexamples {
		found[c.Submission] = c
	}
	for i, b := range s.bugs {
		c := found[targets[i]]
		switch equivalent := equivalents[s.name+" "+strconv.Itoa(i)]; {
		case c == nil && !equivalent:
			t.Errorf("bug %d, %s: nothing found on %d inputs", i, b.new, r.Valid)
		case c != nil && equivalent:
			t.Errorf("bug %d, %s: found %q, but it is no bug", i, b.new, c.Input)
		case c != nil && len(c.Smallest()) > b.most:
			t.Errorf("bug %d, %s: the input %q has %d bytes after %q; expected at most %d", i, b.new, c.Smallest(), len(c.Smallest()), c.Steps, b.most)
		case c != nil:
			t.Logf("bug %d, %s: %q after %d inputs", i, b.new, c.Smallest(), c.After)
		}
	}
}

// answer writes the answer of the case, which is the output of the right program.
func (s *seeded) answer(t *testing.T, j *judge.Judge, p *problem.Problem, write func(name, text string)) {
	x, report := j.Begin(t.Context(), p.SubmissionNamed("accepted/right.c"))
	if x == nil {
		t.Fatal(report.Skipped, report.Broken, report.Err)
	}
	defer x.End()
	var b strings.Builder
	if run := x.Answer(t.Context(), p.Cases[0], &b); run.Verdict != problem.Accepted {
		t.Fatal(run.Verdict, run.Why, run.Err)
	}
	write("data/secret/1.ans", b.String())
}
