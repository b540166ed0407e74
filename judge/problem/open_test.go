package problem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/internal/testkit"
	"crucible/judge/terminal"
)

func TestOpen(t *testing.T) {
	p, err := Open(testkit.Pack(""))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range p.Cases {
		names = append(names, c.Name)
	}
	// Cases are sorted by name without extension: "1" is before "1-a", although
	// "1-a.in" is before "1.in".
	if diff := cmp.Diff([]string{"sample/1", "secret/1", "secret/1-a", "secret/sub/x"}, names); diff != "" {
		t.Error(diff)
	}
	names = nil
	for _, s := range p.Submissions {
		names = append(names, s.Name+" "+s.Language.Code)
	}
	if diff := cmp.Diff([]string{"accepted/a.py python3", "wrong_answer/b.go go"}, names); diff != "" {
		t.Error(diff)
	}
	want := Limits{Time: 2e9, Wall: 5e9, Memory: 64 << 20, Output: 8 << 20}
	if diff := cmp.Diff(want, p.Limits); diff != "" {
		t.Error(diff)
	}
	if p.Warnings != nil {
		t.Error(p.Warnings)
	}
}

func TestDefects(t *testing.T) {
	yaml := func(text string) string {
		return "-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n" + text
	}
	// A package with all secret cases in one group.
	group := "-- data/secret/1.in --\nabsent\n-- data/secret/1.ans --\nabsent\n-- data/secret/1-a.in --\nabsent\n-- data/secret/1-a.ans --\nabsent\n" +
		"-- data/secret/sub/test_group.yaml --\nargs: []\n"
	for _, c := range []struct{ name, changes, want string }{
		{"no problem.yaml", "-- problem.yaml --\nabsent\n", "problem.yaml: is missing"},
		{"problem.yaml is no map", "-- problem.yaml --\n- a\n", "problem.yaml:1:1: problem.yaml: expected a map"},
		{"broken yaml", "-- problem.yaml --\na: [\n", "problem.yaml:"},
		{"unknown key", yaml("limts: {}\n"), `problem.yaml:4:1: unknown key "limts"`},
		{"unknown limit", yaml("limits:\n  time_limt: 2\n"), `problem.yaml:5:3: unknown key "time_limt" in limits (did you mean "time_limit"?)`},
		{"key of legacy", yaml("source_url: https://example.org\n"), `problem.yaml:4:1: unknown key "source_url" in problem.yaml: use source: {name: NAME, url: URL}`},
		{"limit of legacy", yaml("limits:\n  time_multiplier: 5\n"), `problem.yaml:5:3: unknown key "time_multiplier" in limits: use time_multipliers: {ac_to_time_limit: FACTOR}`},
		{"flags of legacy", "-- data/secret/test_group.yaml --\noutput_validator_flags: case_sensitive\n", `data/secret/test_group.yaml:1:1: unknown key "output_validator_flags" in test_group.yaml: use output_validator_args: [FLAG, ...]`},
		{"another version", "-- problem.yaml --\nproblem_format_version: 2025-90\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n", `problem.yaml:1:25: problem_format_version "2025-90": expected one of 2025-09, 2023-07, 2023-07-draft, draft, legacy, legacy-icpc (did you mean "2025-09"?)`},
		{"no uuid", "-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\n", "key uuid is missing"},
		{"negative limit", yaml("limits: {memory: -1}\n"), "problem.yaml:4:18: -1: expected an integer from 1"},
		{"limit is no number", yaml("limits: {time_limit: fast}\n"), "problem.yaml:4:22:"},
		{"limit is no multiple", yaml("limits: {time_limit: 1.5}\n"), "1.5 is not a multiple of time_resolution 1"},
		{"incompatible types", yaml("type: [pass-fail, scoring]\n"), "exclude each other"},
		{"unknown license", yaml("license: mit\n"), `license "mit": expected one of`},
		{"no rights owner", yaml("license: cc by\n"), "expected a rights_owner"},
		{"case without answer", "-- data/secret/1.ans --\nabsent\n", "data/secret/1.in: case without answer: 1.ans is missing"},
		{"answer without case", "-- data/secret/1.in --\nabsent\n", "data/secret/1.ans: belongs to a case without input: 1.in is missing"},
		{"folder and case of one name", "-- data/secret/1/x.in --\n-- data/secret/1/x.ans --\n", "data/secret/1: has the same name as the case"},
		{"no case", "-- data/secret/README --\n-- data/sample/1.in --\nabsent\n-- data/sample/1.ans --\nabsent\n-- data/secret/1.in --\nabsent\n-- data/secret/1.ans --\nabsent\n-- data/secret/1-a.in --\nabsent\n-- data/secret/1-a.ans --\nabsent\n-- data/secret/sub/x.in --\nabsent\n-- data/secret/sub/x.ans --\nabsent\n", "data/secret: has no cases"},
		{"unknown key of a case", "-- data/secret/1.yaml --\nhnit: x\n", `data/secret/1.yaml:1:1: unknown key "hnit"`},
		{"unknown key of a group", "-- data/secret/test_group.yaml --\nargs: []\nfoo: 1\n", `data/secret/test_group.yaml:2:1: unknown key "foo"`},
		{"a case beside groups", "-- data/secret/sub/test_group.yaml --\nargs: []\n", "data/secret/1.in: is not in a group, but other cases are"},
		{"an empty group", group + "-- data/secret/h/test_group.yaml --\nargs: []\n", "data/secret/h: the group has no cases"},
		{"a group in a group", group + "-- data/secret/sub/deep/test_group.yaml --\nargs: []\n-- data/secret/sub/deep/1.in --\n-- data/secret/sub/deep/1.ans --\n", "data/secret/sub/deep/test_group.yaml: found a group inside a group"},
		{"a case named test_group", "-- data/secret/test_group.in --\n-- data/secret/test_group.ans --\n", "a case must not be named test_group"},
		{"a language that the format does not know", yaml("languages: [cpp, pythn3]\n"), `"pythn3" is not a language code of the format (did you mean "python3"?)`},
		{"static validation without a validator", "-- data/secret/test_group.yaml --\nstatic_validation_score: pass-fail\n", "data/secret/test_group.yaml:1:26: static_validation_score: expected a static validator"},
		{"bad glob", "-- submissions/submissions.yaml --\n'**/x': {}\n", "submissions/submissions.yaml:1:1:"},
		{"bad verdict", "-- submissions/submissions.yaml --\naccepted:\n  permitted: [AC, XX]\n", `verdict "XX": expected AC, WA, TLE or RTE`},
		{"unknown key of a rule", "-- submissions/submissions.yaml --\naccepted:\n  permited: [AC]\n", `unknown key "permited" (did you mean "permitted"?)`},
		{"submissions is no folder", "-- submissions/accepted/a.py --\nabsent\n-- submissions/wrong_answer/b.go --\nabsent\n-- submissions --\n", "submissions: cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Open(testkit.Pack(c.changes))
			if err == nil || !strings.Contains(err.Error(), c.want) || p != nil {
				t.Errorf("Open = %v, %v; want …%s…", p, err, c.want)
			}
		})
	}
}

// TestUnsetKeys opens packages in which a key has no value: it is not set, and the package
// departs from the format.
func TestUnsetKeys(t *testing.T) {
	const meta = "-- problem.yaml --\nproblem_format_version: 2025-09\nname: Sum\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\n"
	limits := func(key string) string { return meta + "limits:\n  time_limit: 2\n  " + key + "\n" }
	group := "-- data/secret/test_group.yaml --\n"
	scoring := meta + "type: scoring\n" + group
	of := "-- data/secret/1.yaml --\n"
	rule := "-- submissions/submissions.yaml --\naccepted/a.py:\n  "
	var rows [][2]string // what is added, and the key
	add := func(before string, keys ...string) {
		for _, key := range keys {
			for _, value := range []string{"", " # nothing", " null", " ~"} {
				rows = append(rows, [2]string{before + key + ":" + value + "\n", key})
			}
		}
	}
	add(meta, "type", "source", "license", "rights_owner", "limits", "version", "credits", "embargo_until", "keywords", "languages",
		"allow_file_writing", "constants")
	for _, key := range []string{"time_limit", "time_resolution", "time_multipliers", "memory", "output", "code", "compilation_time",
		"compilation_memory", "validation_time", "validation_memory", "validation_output", "validation_passes"} {
		rows = append(rows, [2]string{meta + "limits:\n  " + key + ":\n", key})
	}
	for _, key := range []string{"authors", "contributors", "testers", "packagers", "translators", "acknowledgements"} {
		rows = append(rows, [2]string{meta + "credits:\n  " + key + ":\n", key}, [2]string{meta + "credits:\n  " + key + ":\n    -\n", key})
	}
	rows = append(rows,
		[2]string{limits("time_multipliers: {ac_to_time_limit: }"), "ac_to_time_limit"},
		[2]string{limits("time_multipliers: {time_limit_to_tle: }"), "time_limit_to_tle"},
		[2]string{meta + "keywords: [~]\n", "keywords"}, [2]string{meta + "keywords:\n  -\n  -\n", "keywords"},
		[2]string{meta + "source: {name: , url: }\n", "name"},
		[2]string{meta + "source: {name: A, url: }\n", "url"}, [2]string{meta + "credits: {authors: {name: A, email: }}\n", "email"},
		[2]string{strings.Replace(meta, "name: Sum", "name: {en: Sum, sv: }", 1), "sv"})
	add(group, "args", "input_validator_args", "output_validator_args", "input_visualizer_args", "output_visualizer_args", "full_feedback", "description")
	add(scoring, "max_score", "score_aggregation", "require_pass", "static_validation_score", "static_validator_args")
	add(of, "args", "input_validator_args", "output_validator_args", "full_feedback", "hint", "description")
	add(rule, "language", "entrypoint", "authors", "model_solution", "permitted", "required", "score", "message", "use_for_time_limit", "secret/1")
	for _, row := range rows {
		p, err := Open(testkit.Pack(row[0]))
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		found := terminal.Texts(p.Warnings, error.Error)
		if !slices.ContainsFunc(found, func(w string) bool { return strings.Contains(w, ": "+row[1]+" has no value") }) {
			t.Errorf("%s: warnings %q", row[0], found)
		}
		p.Close()
	}
	// What a package must have, and values whose meaning is not clear, are errors.
	for _, row := range [][2]string{
		{strings.Replace(meta, "name: Sum", "name:", 1), "key name is missing"},
		{meta + "constants: {n: }\n", "expected a number or text, found nothing"},
		{group + "output_validator_args: [~]\n", "found nothing"},
		{group + "output_validator_args: [float_tolerance, ~]\n", "found nothing"},
		{meta + "credits: {authors: [A, ~]}\n", "found nothing"},
	} {
		if _, err := Open(testkit.Pack(row[0])); err == nil || !strings.Contains(err.Error(), row[1]) {
			t.Errorf("%s: error %v, expected %q", row[0], err, row[1])
		}
	}
}

// TestStrayFiles opens packages with files beside the validators that are no programs.
func TestStrayFiles(t *testing.T) {
	const legacy = "-- problem.yaml --\nname: Sum\nvalidation: custom\n-- output_validators/check.py --\n\n"
	for _, name := range []string{
		"format.py.bak", "format.py.orig", "format.py.rej", "format.py.swp", "format.py.old", "format.py.tmp", "README", "README.md", "readme.txt",
		"LICENSE", "Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "testlib.h", "format.o", "Format.class", "format.pyc", "format.exe",
		"__pycache__/format.pyc", "Thumbs.db", "notes.md", "format.py~", ".format.py.swp", "#format.py#",
	} {
		for _, dir := range []string{"input_validators", "answer_validators"} {
			text := "-- " + dir + "/format.py --\n\n-- " + dir + "/" + name + " --\nx\n"
			p, err := Open(testkit.Pack(text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			programs := map[string][]*Program{"input_validators": p.InputValidators, "answer_validators": p.AnswerValidators}[dir]
			names := namesOf(programs)
			warned := slices.ContainsFunc(p.Warnings, func(w error) bool { return strings.Contains(w.Error(), dir+"/"+strings.Split(name, "/")[0]+": is ") })
			if !strings.HasSuffix(names, "format.py") || strings.Contains(names, "bak") || warned == strings.HasPrefix(name, ".") {
				t.Errorf("%s/%s: programs %s, warnings %v", dir, name, names, p.Warnings)
			}
		}
		p, err := Open(testkit.Pack(legacy + "-- output_validators/" + name + " --\nx\n"))
		if err != nil || namesOf(p.OutputValidators) != "check.py" {
			t.Errorf("output_validators/%s: %v", name, err)
		}
	}
	// Nothing is left out that may be a validator: without it, outputs would be judged differently.
	for _, name := range []string{"check.xyz", "check", "check.py.2"} {
		p, err := Open(testkit.Pack(legacy + "-- output_validators/" + name + " --\nx\n"))
		if err != nil || len(p.OutputValidators) != 2 {
			t.Errorf("output_validators/%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"check": "check.cpp", "a.out": "check.cpp", "other": "check.cpp other"} {
		text := strings.Replace(legacy, "check.py", "check.cpp", 1) + "-- output_validators/" + name + " --\n\x7fELF\n"
		p, err := Open(testkit.Pack(text))
		if err != nil || namesOf(p.OutputValidators) != want {
			t.Errorf("an executable %s: %v, expected %s", name, err, want)
		}
	}
	empty := testkit.Pack("-- input_validators/format.py --\n\n-- input_validators/empty/.git/x --\n\n")
	if p, err := Open(empty); err != nil || len(p.InputValidators) != 1 || !strings.Contains(fmt.Sprint(p.Warnings), "empty: is an empty folder") {
		t.Errorf("an empty folder among the input validators: %v", err)
	}
	_, err := Open(testkit.Pack("-- problem.yaml --\nname: Sum\nvalidation: custom\n-- output_validators/README.md --\n\n"))
	if err == nil || !strings.Contains(err.Error(), "output_validators/ has no program") {
		t.Errorf("output_validators with notes only: %v", err)
	}
}

func namesOf(programs []*Program) string {
	return strings.Join(terminal.Texts(programs, func(p *Program) string { return p.Name }), " ")
}

func TestRulesOfSubmissions(t *testing.T) {
	p, err := Open(testkit.Pack(`-- submissions/submissions.yaml --
# inherits required: [WA] of its folder
wrong_answer:
  permitted: [AC, WA, TLE]
accepted/*:
  authors: [A, {name: B}]
  model_solution: true
accepted/a.py:
  sample: {permitted: [AC]}
  '{sample/1,secret/*-a}':
    required: [AC]
wrong_answer/b.go:
  language: cpp
  entrypoint: b.go
  use_for_time_limit: false
`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := p.SubmissionNamed("accepted/a.py"), p.SubmissionNamed("wrong_answer/b.go")
	type rule struct {
		Cases               string
		Permitted, Required []Verdict
	}
	rules := func(s *Submission) (list []rule) {
		for _, e := range s.Expected {
			list = append(list, rule{e.Cases, e.Permitted, e.Required})
		}
		return list
	}
	ac := []Verdict{Accepted}
	if diff := cmp.Diff([]rule{{"", ac, nil}, {"sample", ac, nil}, {"{sample/1,secret/*-a}", nil, ac}}, rules(a)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]rule{{"", []Verdict{Accepted, WrongAnswer, TimeLimit}, []Verdict{WrongAnswer}}, {"", nil, nil}}, rules(b)); diff != "" {
		t.Error(diff)
	}
	if !a.Model || !cmp.Equal(a.Authors, []string{"A", "B"}) {
		t.Errorf("model %v, authors %v", a.Model, a.Authors)
	}
	if b.Language.Code != "cpp" || b.Entry != "b.go" {
		t.Errorf("language %s, entry %q", b.Language.Code, b.Entry)
	}
}

func TestIgnoredNamesWarn(t *testing.T) {
	p, err := Open(testkit.Pack("-- data/secret/ä.in --\n-- data/secret/.hidden.in --\n-- submissions/accepted/-x.py --\n-- data/extra/1.in --\n"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, w := range p.Warnings {
		all.WriteString(w.Error() + "\n")
	}
	for _, want := range []string{`"\u00e4.in": is ignored`, ".hidden.in: is ignored", "data/extra: is not part of the format"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no warning has %q:\n%s", want, all.String())
		}
	}
	if len(p.Cases) != 4 || len(p.Submissions) != 2 {
		t.Errorf("%d cases, %d submissions; ignored names count as absent", len(p.Cases), len(p.Submissions))
	}
}

func TestSplitLayoutIsTheSamePackage(t *testing.T) {
	root := t.TempDir()
	whole := filepath.Join(root, "whole", "sum")
	testkit.Lay(t, whole, testkit.Pack(""))
	for part, in := range map[string]string{"submissions": "solutions", "data": "testdata"} {
		sub, err := fs.Sub(testkit.Pack(""), part)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Lay(t, filepath.Join(root, in, "sum"), sub)
	}
	m := testkit.Pack("")
	testkit.Lay(t, filepath.Join(root, "problems", "sum"), fstest.MapFS{"problem.yaml": m["problem.yaml"]})

	open := func(dir string) *Problem {
		t.Helper()
		sources, err := Sources(dir)
		if err != nil || len(sources) != 1 {
			t.Fatal(len(sources), err)
		}
		t.Cleanup(func() { sources[0].Close() })
		p, err := Open(sources[0])
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b := open(root), open(whole)
	names := func(p *Problem) (list []string) {
		for _, c := range p.Cases {
			list = append(list, c.Name)
		}
		for _, s := range p.Submissions {
			list = append(list, s.Name)
		}
		return append(list, p.ID)
	}
	if diff := cmp.Diff(names(a), names(b)); diff != "" {
		t.Error(diff)
	}
	if got, want := a.Where("data/secret/1.in"), filepath.Join(root, "testdata", "sum", "secret", "1.in"); got != want {
		t.Errorf("Where = %s, want %s", got, want)
	}
	if name, ok := a.FS.(*Source).Within(filepath.Join(root, "solutions", "sum", "accepted", "a.py")); name != "submissions/accepted/a.py" || !ok {
		t.Errorf("Within = %s, %v", name, ok)
	}
}

func TestLinkOutOfThePackage(t *testing.T) {
	root := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "sum")
	testkit.Lay(t, dir, testkit.Pack("-- data/secret/1.ans --\nabsent\n"))
	if err := os.Symlink(secret, filepath.Join(dir, "data", "secret", "1.ans")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	s, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Open(s); err == nil || !strings.Contains(err.Error(), "1.ans") {
		t.Errorf("Open = %v; want a refusal of the link", err)
	}
}

func TestTwoProblemsOfOneID(t *testing.T) {
	root := t.TempDir()
	testkit.Lay(t, filepath.Join(root, "sum"), testkit.Pack(""))
	writeZip(t, filepath.Join(root, "sum.zip"), testkit.Pack(""), "")
	sources, err := Sources(root)
	if err != nil || len(sources) != 2 {
		t.Fatalf("Sources = %d, %v", len(sources), err)
	}
	defer sources[0].Close()
	if _, err := Open(sources[0]); err != nil {
		t.Errorf("Open of the first = %v", err)
	}
	var d *Defect
	if _, err := Open(sources[1]); !errors.As(err, &d) || !strings.Contains(err.Error(), `a second problem "sum"; the first is `+sources[0].Path) {
		t.Errorf("Open of the second = %v", err)
	}
}

func TestEditDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"run", "run", 0}, {"run", "runs", 1}, {"run", "un", 1}, {"run", "rum", 1}, {"smu", "sum", 1},
		{"abcd", "badc", 2}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"ca", "abc", 3},
	}
	for _, tt := range tests {
		for _, given := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := terminal.EditDistance(given[0], given[1]); got != tt.want {
				t.Errorf("editDistance(%q, %q) = %d, want %d", given[0], given[1], got, tt.want)
			}
		}
	}
}

func TestGlobsOfCases(t *testing.T) {
	for glob, want := range map[string]bool{
		"sample": true, "secret/1": true, "secret/": true, "s*/x": true, "{x,secret}/1": true, "{x/y,sample/1}": true, "*": true,
		"required": false, "sampl": false, "samples/1": false, "secre{t,}x/1": false, "x/secret": false, "{x,y}/secret": false, "": false,
	} {
		if got := namesCases(glob); got != want {
			t.Errorf("namesCases(%q) = %v", glob, got)
		}
	}
}
