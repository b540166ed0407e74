package generate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inSecret puts entries into data/secret; they begin on line 4.
func inSecret(entries string) string { return "data:\n  secret:\n    data:\n" + entries }

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"an empty file", "", "1:1: expected a map with the key data, found nothing"},
		{"a list", "- a\n", "1:1: expected a map with the key data, found a list"},
		{"a case", "in: x\n", "1:1: expected a map with the key data, found a case"},
		{"no data", "solution: /a.py\n", "1:1: no cases: expected the key data"},
		{"wrong YAML", "data: {secret: [}\n", "1: expected a value"},
		{"data as text", "data: x\n", "1:7: data: expected a map of cases and folders, found text"},
		{"numbered roots", "data:\n- secret: {}\n", "2:1: data: expected a map of cases and folders, found a list"},
		{"a folder of data/ that is none", "data: {public: {}}\n", "1:8: the folder data/public: expected one of sample, secret, invalid_output, invalid_answer, invalid_input, valid_output, testing_tool_test, fuzz"},
		{"a case at the root", "data: {secret: gen}\n", "1:16: secret: expected a folder of cases, found text"},
		{"a relative solution", "solution: a.py\ndata: {}\n", `1:11: solution "a.py": expected a path from the root of the package, such as /submissions/accepted/x.go`},
		{"a solution that climbs", "solution: /../a.py\ndata: {}\n", `1:11: solution "/../a.py": expected a path from the root of the package, such as /submissions/accepted/x.go`},
		{"a solution of a number", "solution: 0\ndata: {}\n", "1:11: expected text in quotes, found an integer: 0"},
		{"a salt of a number", "random_salt: 12\ndata: {}\n", "1:14: expected text in quotes, found an integer: 12"},
		{"no retries", "retries: 0\ndata: {}\n", "1:10: retries 0: expected 1 to 100"},
		{"a visualizer of a list", "visualizer: []\ndata: {}\n", "1:13: expected text, found a list"},
		{"a visualizer outside", "visualizer: /../v.py\ndata: {}\n", `1:13: visualizer "/../v.py": expected a path from the root of the package, such as /visualizers/draw.py, and arguments`},
		{"generators as a list", "generators: [a]\ndata: {}\n", "1:13: generators: expected a map of names to lists of files, found a list"},
		{"a generator without files", "generators: {a: []}\ndata: {}\n", "1:17: the generator a: expected at least one file"},
		{"a generator of one text", "generators: {a: b}\ndata: {}\n", `1:17: expected a list of text, found text: "b"`},
		{"a generator that climbs", "generators: {a: [b, ../c]}\ndata: {}\n", `1:21: the file "../c": expected a path below generators/`},
		{"a version that is a list", "version: []\ndata: {}\n", "1:10: expected text, found a list"},
		{"settings as text", "data: {secret: {test_group.yaml: x}}\n", "1:34: test_group.yaml: expected a map, found text"},
		{"generators in a folder", "data: {secret: {generators: {}}}\n", "1:17: generators is only allowed at the top of the file"},

		{"a number as entry", inSecret("      a: 1\n"), `4:10: "a": expected a command, or a map of a case or a folder, found an integer`},
		{"a list as entry", inSecret("      a: []\n"), `4:10: "a": expected a command, or a map of a case or a folder, found a list`},
		{"nothing as entry", inSecret("      a:\n"), "4:9: an empty case: expected a command, or a map with generate, copy or in"},
		{"an empty name in a map", inSecret("      '': gen\n"), "4:7: an empty name: only the entries of a list may have one"},
		{"two entries in one number", inSecret("    - a: gen\n      b: gen\n"), "4:7: expected a map of one name to one case or folder"},
		{"no entry in a number", inSecret("    - {}\n"), "4:7: expected a map of one name to one case or folder"},
		{"a case without a name", inSecret("    - in: x\n      ans: y\n"), "4:7: expected a map of one name to one case or folder (indent the keys of a case by one more step)"},
		{"a name with a slash", inSecret("      a/b: gen\n"), `4:7: the name "a/b": expected letters, digits and _.- that do not start with - or ., and neither the name test_group nor .in at the end`},
		{"a name that climbs", inSecret("      ..: {data: {}}\n"), `4:7: the name "..": expected letters, digits and _.- that do not start with - or .`},
		{"the name of the settings", inSecret("      test_group: gen\n"), `4:7: the name "test_group": expected letters, digits and _.- that do not start with - or ., and neither the name test_group nor .in at the end`},

		{"an empty command", inSecret("      a: ' '\n"), "4:10: an empty command: expected a generator and its arguments"},
		{"an absolute generator", inSecret("      a: /generators/gen\n"), `4:10: the generator "/generators/gen": expected a name, or a path below generators/`},
		{"a slash for a generator", inSecret("      a: / 1\n"), `4:10: the generator "/": expected a name, or a path below generators/`},
		{"a generator outside", inSecret("      a: ../gen\n"), `4:10: the generator "../gen": expected a name, or a path below generators/`},
		{"a quote left open", inSecret("      a: gen 'x\n"), "4:10: the command has a quote that is not closed"},
		{"a backslash at the end", inSecret("      a: gen x\\\n"), "4:10: the command ends with a backslash"},
		{"two seeds", inSecret("      a: gen {seed} {seed}\n"), "4:10: more than one {seed}: expected at most one in a command"},
		{"two seeds in one argument", inSecret("      a: gen {seed:1}{seed:2}\n"), "4:10: more than one {seed}: expected at most one in a command"},
		{"a constant", inSecret("      a: gen {{max_n}}\n"), "4:10: the constant {{max_n}}: problem.yaml has no constant of that name"},
		{"the same command twice", inSecret("      a: gen 1\n      b: gen  1\n"), `5:7: the command "gen  1" makes the same case as secret/a on line 4: expected another command, or {seed:2}`},
		{"the same seed twice", inSecret("      a: gen {seed}\n      b: gen {seed}\n"), `5:7: the command "gen {seed}" makes the same case as secret/a on line 4: expected another command, or {seed:2}`},
		{"the same case twice", inSecret("      a: {in: x, count: 2}\n      a-1: {in: y}\n"), "5:7: a second case secret/a-1; the first is on line 4"},

		{"a command of a list", inSecret("      a: {generate: []}\n"), "4:21: expected text, found a list"},
		{"no input", inSecret("      a: {ans: x}\n"), "4:10: no input: expected generate, copy or in"},
		{"an input of a number", inSecret("      a: {in: 3}\n"), "4:15: expected text in quotes, found an integer: 3"},
		{"an input of a link", inSecret("      a: {in: {link: ans}}\n"), "4:15: in: expected text"},
		{"a case with data", inSecret("      a: {in: x, data: {}}\n"), "4:18: a case has no data: only folders have it"},
		{"a case with settings", inSecret("      a: {in: x, test_group.yaml: {}}\n"), "4:18: a case has no test_group.yaml: only folders have it"},
		{"a sample's key elsewhere", inSecret("      a: {in: x, in.statement: y}\n"), "4:18: in.statement is only allowed for samples"},
		{"a link to another kind", "data: {sample: {data: {a: {in: x, in.statement: {link: ans}}}}}\n", `1:56: in.statement linked to "ans": expected another file of the same kind, such as in`},
		{"a link to a link", "data: {sample: {data: {a: {in: x, in.statement: {link: in.download}, in.download: {link: in}}}}}\n", "1:27: in.statement links to in.download, which is a link itself: expected a link to a file with contents"},
		{"an absolute copy", inSecret("      a: {copy: /b}\n"), `4:17: copy "/b": expected a path below generators/`},
		{"a copy from outside", inSecret("      a: {copy: b/../../c}\n"), `4:17: copy "b/../../c": expected a path below generators/`},
		{"a copy with its extension", inSecret("      a: {copy: b.in}\n"), `4:17: copy "b.in": expected no extension .in`},
		{"a match of a number", inSecret("      a: {in: x, match: 1}\n"), "4:25: expected text in quotes, found an integer: 1"},
		{"a match of another file", inSecret("      a: {in: x, match: {out: a}}\n"), `4:26: match "out": expected in or ans`},

		{"a count of none", inSecret("      a: {in: x, count: 0}\n"), "4:25: count 0: expected 1 to 100"},
		{"a count of too many", inSecret("      a: {in: x, count: 101}\n"), "4:25: count 101: expected 1 to 100"},
		{"a count of a fraction", inSecret("      a: {in: x, count: 1.5}\n"), "4:25: count: expected an integer, a list of integers, or a range such as -4..=5, found a number"},
		{"a count of words", inSecret("      a: {in: x, count: 1..2}\n"), `4:25: count "1..2": expected an integer, a list of integers, or a range such as -4..=5`},
		{"an empty range", inSecret("      a: {in: x, count: 2..=1}\n"), `4:25: count "2..=1": the range is empty`},
		{"a range too long", inSecret("      a: {in: x, count: 0..=100}\n"), `4:25: count "0..=100": expected at most 100`},
		{"a range beyond integers", inSecret("      a: {in: x, count: 1..=99999999999}\n"), `4:25: count "1..=99999999999": expected integers of at most 32 bits`},
		{"a list with a fraction", inSecret("      a: {in: x, count: [1, 2.0]}\n"), "4:29: expected an integer, found a number: 2.0"},
		{"a list with one twice", inSecret("      a: {in: x, count: [1, 1]}\n"), "4:29: a second count 1"},
		{"an empty list", inSecret("      a: {in: x, count: []}\n"), "4:25: count: expected a list of 1 to 100 integers, found 0"},

		{"an include of nothing", "data: {secret: {include: [a]}}\n", `1:27: include "a": no case or folder before this has that key`},
		{"an include of a path", "data: {secret: {include: [sample/a]}}\n", `1:27: include "sample/a": expected the key of a case or folder, found a path`},
		{"an include of two", "data: {sample: {data: {a: {in: x, count: 2}}}, secret: {include: [a]}}\n", `1:67: include "a": 2 cases and folders have that key`},
		{"an include over a case", "data: {sample: {data: {a: {in: x}}}, secret: {include: [a], data: {a: {in: y}}}}\n", "1:57: include of sample/a: line 1 declares another case secret/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := parse("g.yaml", []byte(c.yaml), nil)
			if err == nil {
				t.Fatalf("accepted: %+v", plan)
			}
			if got := err.Error(); got != "g.yaml:"+c.want {
				t.Errorf("error\n\t%s\nwant\n\tg.yaml:%s", got, c.want)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"a key that folders do not know", "solutoin: x\n" + inSecret(""), `1:1: unknown key "solutoin" has no effect`},
		{"a key that cases do not know, once", inSecret("      a: {in: x, count: 2, ins: y}\n"), `4:28: unknown key "ins" has no effect`},
		{"a path in place of a command", inSecret("      a: manual/1.in\n"), "4:10: expected a command, found a path: use copy: manual/1"},
		{"a count without one", inSecret("      a: gen {count}\n"), "4:10: {count} is not replaced without the key count"},
		{"a number as name", inSecret("      01: gen\n"), "4:7: other tools read the name 01 as an integer: put it in quotes"},
		{"a name that goes on from another", inSecret("      b: gen 1\n      b-c: gen 2\n"), `5:7: the name "b-c" begins with the name "b" of another entry`},
		{"or from a folder's", inSecret("      b: {data: {}}\n      b_c: gen 2\n"), `5:7: the name "b_c" begins with the name "b" of another entry`},
		{"but 10 does not go on from 1", inSecret("      '1': gen 1\n      '10': gen 2\n"), ""},
		{"the same case by count", inSecret("      a: {generate: gen 1, count: 2}\n"), ""},
		{"the same command with another salt", inSecret("      a: gen {seed}\n      b: {generate: 'gen {seed}', random_salt: x}\n"), ""},
		{"the same command with another answer", inSecret("      a: gen 1\n      b: {generate: gen 1, ans: x}\n"), ""},
		{"the same text twice", inSecret("      a: {in: x}\n      b: {in: x}\n"), ""},
		{"a sample that is only shown", "data: {sample: {data: {a: {interaction: '<1', in.download: '1'}}}}\n", ""},
		{"a folder by way of two others", "data: {sample: {data: {a: {in: x}}}, secret: {data: {b: {include: [a]}, c: {include: [a, b]}}}}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := parse("g.yaml", []byte(c.yaml), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range plan.Warnings {
				got = append(got, strings.TrimPrefix(w.Error(), "g.yaml:"))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// Notes list valid parts that this judge ignores.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"a visualizer", "visualizer: /v.py\n" + inSecret("      a: {in: x, visualizer: /w.py}\n"), ""},
		{"no visualizer", "visualizer:\n" + inSecret("      a: {in: x}\n"), ""},
		{"an expression of Python's own, once", inSecret("      a: {in: x, count: 2, match: [x, '(?=x)']}\n"), `4:39: the expression "(?=x)" is not checked: invalid or unsupported Perl syntax: (?=`},
		{"a version", "version: 2025-12\n" + inSecret("      a: {in: x}\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, err := parse("g.yaml", []byte(c.yaml), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range plan.Notes {
				got = append(got, strings.TrimPrefix(n.Error(), "g.yaml:"))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
