package problem

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
)

const legacyPack = `
-- problem.yaml --
name: Sum
-- submissions/wrong_answer/b.go --
absent
`

// The marks in a source replace the expectation of its folder.
func TestMarks(t *testing.T) {
	for _, row := range []struct {
		name, source string
		want         []Expectation
		warning      string
	}{
		{"one result", "// @EXPECTED_RESULTS@: WRONG-ANSWER\n", []Expectation{{Final: []Verdict{WrongAnswer}}}, ""},
		{"several", "/* @EXPECTED_RESULTS@: CORRECT, TIMELIMIT */\n", []Expectation{{Final: []Verdict{Accepted, TimeLimit}}}, ""},
		{"accepted bounds the time limit", "# @EXPECTED_RESULTS@: CORRECT\n", []Expectation{{Final: []Verdict{Accepted}, Permitted: []Verdict{Accepted}}}, ""},
		{"too slow bounds it, too", "# @EXPECTED_RESULTS@: TIMELIMIT\n", []Expectation{{Final: []Verdict{TimeLimit}, Required: []Verdict{TimeLimit}}}, ""},
		{"results that the format has no word for", "-- @EXPECTED_RESULTS@: COMPILER-ERROR, MEMORY-LIMIT, OUTPUT-LIMIT\n", []Expectation{{Final: []Verdict{CompileError, MemoryLimit, OutputLimit}}}, ""},
		{"no output is a wrong answer, listed once", "@EXPECTED_RESULTS@: NO-OUTPUT, WRONG-ANSWER", []Expectation{{Final: []Verdict{WrongAnswer}}}, ""},
		{"another spelling", "@EXPECTED_RESULTS@: run_time_error", []Expectation{{Final: []Verdict{RuntimeError}}}, ""},
		{"a score", "// @EXPECTED_SCORE@: 42.5\n", []Expectation{{Score: []float64{42.5}}}, ""},
		{"a manual check keeps the expectation of the folder", "// @EXPECTED_RESULTS@: CHECK-MANUALLY\n", []Expectation{{Permitted: []Verdict{Accepted}, from: "accepted"}}, ""},
		{"none", "int main() {}\n", []Expectation{{Permitted: []Verdict{Accepted}, from: "accepted"}}, ""},
		{"an unknown result", "\n// @EXPECTED_RESULTS@: WRONG-ANSWR\n", []Expectation{{Permitted: []Verdict{Accepted}, from: "accepted"}}, `submissions/accepted/x.c:2: @EXPECTED_RESULTS@: unknown result "WRONG-ANSWR"`},
		{"the mark of scores may name a result", "// @EXPECTED_SCORE@: WRONG-ANSWER\n", []Expectation{{Final: []Verdict{WrongAnswer}}}, ""},
		{"a score that is none", "// @EXPECTED_SCORE@: lots\n", []Expectation{{Permitted: []Verdict{Accepted}, from: "accepted"}}, `x.c:1: @EXPECTED_SCORE@: "lots" is not a number`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := Open(testkit.Pack(legacyPack + "-- submissions/accepted/x.c --\n" + row.source + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			got := p.SubmissionNamed("accepted/x.c").Expected
			for i := range got {
				if strings.Contains(got[i].from, "@") {
					got[i].from = ""
				}
			}
			if diff := cmp.Diff(row.want, got, cmp.AllowUnexported(Expectation{})); diff != "" {
				t.Error(diff)
			}
			found := ""
			for _, w := range p.Warnings {
				found += w.Error() + "\n"
			}
			if !strings.Contains(found, row.warning) || row.warning == "" && strings.Contains(found, "EXPECTED") {
				t.Errorf("warnings:\n%s\nwant %q", found, row.warning)
			}
		})
	}
}

func TestDOMjudgesTimeLimit(t *testing.T) {
	for _, row := range []struct {
		name, changes string
		want          float64 // seconds
		found         string  // part of a warning or error
	}{
		{"from its file", "-- domjudge-problem.ini --\nname='Sum'\ntimelimit='2.5'\n", 2.5, ""},
		{"without quotes, with spaces", "-- domjudge-problem.ini --\n# made by hand\n timelimit = 3\n", 3, ""},
		{"a comment after the value", "-- domjudge-problem.ini --\ntimelimit = 2.5 ; seconds\nshort-name = A\n", 2.5, ""},
		{"a comment without a space", "-- domjudge-problem.ini --\ntimelimit=2.5;seconds\n", 2.5, ""},
		{"a comment after quotes", "-- domjudge-problem.ini --\ntimelimit = \"2.5\" ; 3\n", 2.5, ""},
		{"lines of comments", "-- domjudge-problem.ini --\n; timelimit = 1\n# timelimit = 1\n  ;timelimit = 1\ntimelimit = 3\n", 3, ""},
		{"; in quotes", "-- domjudge-problem.ini --\nname = \"A; timelimit = 9\"\ntimelimit = '3'\n", 3, ""},
		{"an escaped quote", "-- domjudge-problem.ini --\nname = \"A\\\"B; \\\\\"\ntimelimit = 3\n", 3, ""},
		{"an apostrophe in a bare value", "-- domjudge-problem.ini --\nname = Bob's sum\ntimelimit = 3\n", 3, ""},
		{"a value of two lines", "-- domjudge-problem.ini --\nname = \"two\ntimelimit = 9\"\ntimelimit = 3\n", 3, ""},
		{"a section", "-- domjudge-problem.ini --\n[problem]\ntimelimit = 3\n[other]\n", 3, ""},
		{"joined parts", "-- domjudge-problem.ini --\ntimelimit = '2'\".\"'5'\n", 2.5, ""},
		{"CRLF", "-- domjudge-problem.ini --\ntimelimit = 3\r\nname = A\r\n", 3, ""},
		{"CR", "-- domjudge-problem.ini --\nname = A\rtimelimit = 3\rcolor = red\r", 3, ""},
		{"a byte-order mark", "-- domjudge-problem.ini --\n\ufefftimelimit = 3\n", 3, ""},
		{"an equals sign in a value", "-- domjudge-problem.ini --\nname = a=b\ntimelimit = 3\n", 3, ""},
		{"tabs", "-- domjudge-problem.ini --\n\ttimelimit\t=\t3\t; s\n", 3, ""},
		{"a word that is 1", "-- domjudge-problem.ini --\ntimelimit = Yes\n", 1, ""},
		{"that word in quotes", "-- domjudge-problem.ini --\ntimelimit = 'yes'\n", 0, `:1: time limit "yes": expected a number of seconds`},
		{"words that are 1 and nothing", "-- domjudge-problem.ini --\nallow_submit = yes\nallow_judge = off\ntimelimit = 3\n", 3, ""},
		{"no value", "-- domjudge-problem.ini --\ntimelimit =\n", 0, ":1: timelimit has no value"},
		{"only a comment", "-- domjudge-problem.ini --\ntimelimit = ; none yet\n", 0, ":1: timelimit has no value"},
		{"a word that is nothing", "-- domjudge-problem.ini --\ntimelimit = none\n", 0, ":1: timelimit has no value"},
		{"the last one counts", "-- domjudge-problem.ini --\ntimelimit = 1\ntimelimit = 2\n", 2, `:2: the key "timelimit" is given twice, also on line 1; the last one counts`},
		{"a quote that is not closed", "-- domjudge-problem.ini --\ntimelimit = \"3\n", 3, ""},
		{"another unit", "-- domjudge-problem.ini --\ntimelimit = 2s ; no\n", 0, `:1: time limit "2s": expected a number of seconds`},
		{"no problem.yaml", "-- problem.yaml --\nabsent\n-- domjudge-problem.ini --\nname = Sum ; of two\ntimelimit = 3\n", 3, "problem.yaml: is missing: the package is read as legacy"},
		{"from .timelimit", "-- .timelimit --\n4\n", 4, ""},
		{"both, the same", "-- domjudge-problem.ini --\ntimelimit=4\n-- .timelimit --\n4\n", 4, ""},
		{"both, different", "-- domjudge-problem.ini --\ntimelimit=4\n-- .timelimit --\n5\n", 4, ".timelimit:1: time limit 5 s is not used: domjudge-problem.ini has 4 s"},
		{"problem.yaml comes first", "-- problem.yaml --\nname: Sum\nlimits: {time_limit: 1}\n-- .timelimit --\n5\n", 1, ".timelimit:1: time limit 5 s is not used: problem.yaml has 1 s"},
		{"no number", "-- .timelimit --\nsoon\n", 0, `.timelimit:1: time limit "soon\n": expected a number of seconds`},
		{"not positive", "-- domjudge-problem.ini --\n\ntimelimit=-1\n", 0, `domjudge-problem.ini:2: time limit "-1": expected a number of seconds`},
		{"an unknown key", "-- domjudge-problem.ini --\ntimlimit=1\n", 0, `domjudge-problem.ini:1: unknown key "timlimit" (did you mean "timelimit"?)`},
		{"no key", "-- domjudge-problem.ini --\nhello\n", 0, `domjudge-problem.ini:1: "hello": expected key = value`},
		{"a program that is not there", "-- domjudge-problem.ini --\nspecial_compare='float'\n", 0, "domjudge-problem.ini:1: special_compare: the program belongs to DOMjudge"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := Open(testkit.Pack(legacyPack + row.changes))
			found := ""
			if err != nil {
				found = err.Error()
				if row.want != 0 {
					t.Errorf("%v, want %v s", err, row.want)
				}
			} else {
				if got := p.Limits.Time.Seconds(); got != row.want {
					t.Errorf("time limit %v s, want %v s", got, row.want)
				}
				for _, w := range p.Warnings {
					found += w.Error() + "\n"
				}
			}
			if !strings.Contains(strings.ReplaceAll(found, "\n\"", `\n"`), row.found) {
				t.Errorf("found %q, want %q", found, row.found)
			}
		})
	}
}

// TestLikelyEntry tests the guessed entry point of a submission of several files, for
// packages older than the default entry points.
func TestLikelyEntry(t *testing.T) {
	for _, row := range []struct {
		fact, files, want string
	}{
		{"what the format starts at needs no guess", "-- main.py --\n\n-- a.py --\n\n", ""},
		{"one file starts there", "-- b.py --\n\n-- a.txt --\n\n", ""},
		{"main, in capitals or not", "-- a.py --\n\n-- MAIN.py --\n\n", "MAIN.py"},
		{"the first by name", "-- c.py --\n\n-- b.py --\n\n-- a.txt --\n\n", "b.py"},
		{"the class that has a main", "-- A.java --\nclass A {}\n-- B.java --\nclass B { public static void main(String[] a) {} }\n", "B.java"},
		{"of two the first", "-- C.java --\nclass C { static void main() {} }\n-- B.java --\nclass B { public static final void main(String[] a) {} }\n-- A.java --\n\n", "B.java"},
		{"without any the first by name", "-- B.java --\nclass B {}\n-- A.java --\nclass A {}\n", "A.java"},
		{"languages that are linked need none", "-- b.cc --\n\n-- a.cc --\n\n", ""},
	} {
		t.Run(row.fact, func(t *testing.T) {
			p, err := Open(testkit.Pack(legacyPack + strings.ReplaceAll("\n"+row.files, "\n-- ", "\n-- submissions/accepted/x/")[1:]))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.SubmissionNamed("accepted/x").Entry; got != row.want {
				t.Errorf("starts at %q, want %q", got, row.want)
			}
		})
	}
}

func TestEntriesOfDOMjudge(t *testing.T) {
	const files = "-- submissions/accepted/x/a.py --\n\n-- submissions/accepted/x/b.py --\n\n"
	for _, row := range []struct {
		fact, json, want, warning string
	}{
		{"a folder with its slash", `{"submissions/accepted/x/": {"entry_point": "b.py"}}`, "b.py", ""},
		{"and without", `{"submissions/accepted/x": {"entry_point": "b.py", "team": "judges"}}`, "b.py", ""},
		{"another submission's", `{"submissions/accepted/y/": {"entry_point": "b.py"}}`, "a.py", ""},
		{"none", `{"submissions/accepted/x/": {"language": "py"}}`, "a.py", ""},
		{"no map", `[1]`, "a.py", "submissions.json: is not read: "},
		{"cut off", `{"submissions/`, "a.py", "submissions.json: is not read: "},
	} {
		t.Run(row.fact, func(t *testing.T) {
			p, err := Open(testkit.Pack(legacyPack + files + "-- submissions.json --\n" + row.json + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.SubmissionNamed("accepted/x").Entry; got != row.want {
				t.Errorf("starts at %q, want %q", got, row.want)
			}
			found := ""
			for _, w := range p.Warnings {
				found += w.Error() + "\n"
			}
			if !strings.Contains(found, row.warning) || row.warning == "" && strings.Contains(found, "submissions.json") {
				t.Errorf("warnings:\n%s\nwant %q", found, row.warning)
			}
		})
	}
}

func TestFlagsInQuotes(t *testing.T) {
	for _, row := range []struct {
		fact, text string
		want       []string
	}{
		{"nothing is no word", "", nil},
		{"spaces are none either", "  ", nil},
		{"words", " a  b\tc ", []string{"a", "b", "c"}},
		{"a space in quotes", `--say "a b" c`, []string{"--say", "a b", "c"}},
		{"either kind, with the other in it", `'a "b' "c 'd"`, []string{`a "b`, `c 'd`}},
		{"within a word", `--say="a b"c`, []string{"--say=a bc"}},
		{"an empty word", `a ""`, []string{"a", ""}},
		{"one that does not end", `don't a`, []string{"don't", "a"}},
	} {
		if diff := cmp.Diff(row.want, quoted(row.text)); diff != "" {
			t.Errorf("%s: %s", row.fact, diff)
		}
	}
}
