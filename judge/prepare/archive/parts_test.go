package archive_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// Packages of other formats, which the rows of TestParts change.
var foreignPackages = map[string]map[string]string{
	"polygon": {
		"problem.xml": `<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="sum" url="https://polygon.example/p/sum">
<names><name language="english" value="Sum"/></names>
<statements><statement charset="UTF-8" language="english" mathjax="true" path="statements/english/problem.tex" type="application/x-tex"/></statements>
<judging cpu-name="x" cpu-speed="3600" input-file="" output-file="" run-count="1">
<testset name="tests"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>3</test-count>
<input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test method="manual" sample="true" group="0"/><test method="manual" group="1"/><test method="manual" group="2"/></tests>
</testset></judging>
<files><resources><file path="files/testlib.h" type="h.g++"/></resources><executables/></files>
<assets><checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
<solutions><solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution></solutions></assets>
<properties/><stresses><stress-count>0</stress-count></stresses><tags><tag value="math"/></tags>
</problem>
`,
		"files/testlib.h": "", "files/check.cpp": "#include \"testlib.h\"\n", "solutions/main.cpp": "int main() {}\n",
		"statement-sections/english/legend.tex": "Add.\n", "statement-sections/english/name.tex": "Sum\n",
		"tests/01": "1 2\n", "tests/01.a": "3\n", "tests/02": "2 2\n", "tests/02.a": "4\n", "tests/03": "5 5\n", "tests/03.a": "10\n",
	},
	"dmoj": {
		"init.yml": "test_cases:\n- {in: 1.in, out: 1.out, points: 10}\n- batched:\n  - {in: 1.in, out: 1.out}\n  - {in: 2.in, out: 2.out}\n  points: 20\n",
		"1.in":     "1 2\n", "1.out": "3\n", "2.in": "2 2\n", "2.out": "4\n", "check.c": "int main(void) { return 0; }\n",
	},
	"cms": {
		"task.yaml":        "name: sum\ntitle: Sum\ntime_limit: 1\nmemory_limit: 64\ninfile: ''\noutfile: ''\nn_input: 2\n",
		"input/input0.txt": "1 2\n", "input/input1.txt": "2 2\n", "output/output0.txt": "3\n", "output/output1.txt": "4\n",
		"sol/soluzione.cpp": "int main() {}\n", "statement/statement.pdf": "%PDF-1.4\n",
	},
	"library": {
		"info.toml":         "title = 'Sum'\ntimelimit = 2.0\nforum = 'https://example.org/1'\n[[tests]]\nname = 'example.in'\nnumber = 1\n[[tests]]\nname = 'big.in'\nnumber = 1\n",
		"gen/example_00.in": "1 2\n", "gen/big_00.in": "3 4\n", "sol/correct.cpp": "int main() {}\n", "task.md": "Add.\n",
		"checker.cpp": "#include \"testlib.h\"\nint main() {}\n", "verifier.cpp": "#include \"testlib.h\"\nint main() {}\n", "testlib.h": "",
	},
}

const (
	groupsXML   = `<groups><group name="0" points="0" points-policy="complete-group" feedback-policy="complete"/><group name="1" points="40" points-policy="each-test" feedback-policy="points"/><group name="2" points="60" points-policy="complete-group" feedback-policy="icpc"><dependencies><dependency group="1"/></dependencies></group></groups></testset>`
	testlibXML  = `<checker type="testlib">`
	interactXML = `<interactor><source path="files/interact.cpp" type="cpp.g++17"/></interactor><solutions>`
)

// TestParts states what becomes of the elements, attributes and keys of the formats. The
// documents are: for Polygon, the chapters of purplesyringa/problem-xml-specs (P); for DMOJ,
// docs.dmoj.ca, "Problem format" (D), and dmoj/problem.py of its judge (DJ); for CMS, "External
// contest formats", "Task types" and "Score types" of its documentation (C), and
// cmscontrib/loaders/italy_yaml.py (CL); for Library Checker, its documents of info.toml (L).
func TestParts(t *testing.T) {
	const carried, equal, lost, verdicts = "carried", "equal", "lost", "changes verdicts"
	type row struct {
		section string   // of the document
		pack    string   // the changed package
		edits   []string // pairs: a text of the description and its replacement; "+NAME" and the contents of a file
		state   string
		what    string // a part of its text
	}
	points := []string{`method="manual" group="1"`, `method="manual" group="1" points="40"`, `method="manual" group="2"`,
		`method="manual" group="2" points="60"`}
	for _, c := range []row{
		{"P 8.1 revision", "polygon", nil, equal, "@revision"},
		{"P 8.1 short-name", "polygon", nil, equal, "@short-name"},
		{"P 8.1 url", "polygon", nil, carried, "@url"},
		{"P 8.1 url", "polygon", []string{`url="https:`, `url="ftp:`}, lost, "no address on the web"},
		{"P 8.1 other tags", "polygon", []string{`<properties/>`, `<extension a="b"/>`}, lost, "extension"},
		{"P 9.1 names", "polygon", nil, carried, "names/name@value"},
		{"P 9.1 names", "polygon", []string{`<names>`, `<names><name language="klingon" value="x"/>`}, lost,
			`the name in the language "klingon"`},
		{"P 9.2 statements", "polygon", nil, equal, "statements/statement@path"},
		{"P 9.2 statements", "polygon", []string{`</statements>`, `<statement language="russian" path="x"/></statements>`},
			lost, "the statement in russian"},
		{"P 9.3 tutorials", "polygon", []string{`<properties/>`,
			`<tutorials><tutorial language="english" path="t"/></tutorials>`, "+statement-sections/english/tutorial.tex", "Plus.\n"}, carried, "tutorials/tutorial"},
		{"P 9.3 tutorials", "polygon", []string{`<properties/>`,
			`<tutorials><tutorial language="english" path="t"/></tutorials>`}, lost, "the tutorial in english"},
		{"P 9.4 tags", "polygon", nil, carried, "tags/tag@value"},
		{"P 9.4 tags: run-twice", "polygon", []string{`value="math"`, `value="run-twice"`}, verdicts, "run-twice"},
		{"P 10.1 executables", "polygon", []string{`<executables/>`,
			`<executables><executable><source path="files/gen.cpp" type="cpp.g++17"/><binary path="files/gen.exe" type="exe.win32"/></executable></executables>`, "+files/gen.cpp", "int main() {}\n"}, lost, "files/gen.cpp: no program of the new problem"},
		{"P 10.1 binary", "polygon", []string{`<executables/>`,
			`<executables><executable><source path="files/check.cpp" type="cpp.g++17"/><binary path="files/check.exe" type="exe.win32"/></executable></executables>`}, equal, "executable/binary"},
		{"P 10.2 resources, short", "polygon", nil, equal, "files/testlib.h"},
		{"P 10.2 resources, stages", "polygon", []string{`<resources>`,
			`<resources><file for-type="cpp.*" path="files/grader.cpp" type="cpp.g++17"><stages><stage name="compile"/></stages><assets><asset name="solution"/></assets></file>`, "+files/grader.cpp", "int f;\n"}, verdicts, "file/stages"},
		{"P 10.2 attachments", "polygon", []string{`<executables/>`,
			`<executables/><attachments><file path="files/tool.py"/></attachments>`, "+files/tool.py", "1\n"}, carried, "files/attachments/file@path"},
		{"P 11.1 checker, name", "polygon", nil, equal, "checker std::wcmp.cpp"},
		{"P 11.1 checker", "polygon", []string{`name="std::wcmp.cpp" `, ""}, carried, "assets/checker/source@path"},
		{"P 11.1 checker, points", "polygon", []string{`name="std::wcmp.cpp" `, "", "+files/check.cpp",
			"#include \"testlib.h\"\nint main() { quitp(1, \"\"); }\n"}, verdicts, "the points that the checker gives"},
		{"P 11.1 checker, shares of points", "polygon", append([]string{`name="std::wcmp.cpp" `, "", "+files/check.cpp",
			"#include \"testlib.h\"\nint main() { quitf(_pc(100), \"\"); }\n"}, points...), verdicts, "_pc of the checker"},
		{"P 11.2 scorer", "polygon", []string{`<solutions>`, `<scorer type="codeforces"/><solutions>`}, verdicts,
			"assets/scorer"},
		{"P 11.3 arbiter", "polygon", []string{`<solutions>`, `<arbiter type="problem-xml"/><solutions>`}, verdicts,
			"assets/arbiter"},
		{"P 11.4 interactor", "polygon", []string{`<checker name="std::wcmp.cpp" type="testlib">`, testlibXML,
			`<solutions>`, interactXML, "+files/interact.cpp", "#include \"testlib.h\"\n"}, carried, "assets/interactor/source@path"},
		{"P 11.4 interactor, runs", "polygon", []string{`<checker name="std::wcmp.cpp" type="testlib">`, testlibXML,
			`<solutions>`, strings.Replace(interactXML, "</interactor>", "<runs><run>1</run></runs></interactor>",
				1), "+files/interact.cpp", "#include \"testlib.h\"\n"}, verdicts, "assets/interactor/runs"},
		{"P 11.5 validator, valid tests", "polygon", []string{`<solutions>`,
			`<validators><validator><source path="files/val.cpp"/><testset><input-path-pattern>v/%02d</input-path-pattern><tests><test verdict="valid"/></tests></testset></validator></validators><solutions>`, "+files/val.cpp", "#include \"testlib.h\"\n", "+v/01", "1\n"}, lost, "a test of the validator"},
		{"P 11.6 solutions, tag", "polygon", []string{`</solutions>`,
			`<solution tag="do-not-run"><source path="solutions/main.cpp"/></solution></solutions>`}, lost, "do-not-run"},
		{"P 11.6 solutions, note", "polygon", []string{`tag="main"`, `tag="main" note="good"`}, lost, "solution@note"},
		{"P 11.7 programs", "polygon", []string{`<solutions>`, `<programs><program name="x"/></programs><solutions>`},
			verdicts, "assets/programs"},
		{"P 11.8 strategy", "polygon", []string{`<solutions>`,
			`<strategy><source path="s.py" type="python.3"/></strategy><solutions>`}, verdicts, "assets/strategy"},
		{"P 12.1 cpu-name", "polygon", nil, equal, "judging@cpu-name"},
		{"P 12.1 unknown attribute", "polygon", []string{`cpu-name="x"`, `cpu-name="x" points-mode="sum"`}, verdicts,
			"judging@points-mode"},
		{"P 12.2 testsets", "polygon", []string{`<testset name="tests">`,
			`<testset name="pretests"/><testset name="tests">`}, lost, `test set "pretests"`},
		{"P 12.2 time-limit", "polygon", nil, carried, "testset/time-limit"},
		{"P 12.2 memory-limit", "polygon", []string{"268435456", "268435457"}, verdicts, "memory-limit"},
		{"P 12.2 test-count", "polygon", []string{"<test-count>3", "<test-count>4"}, verdicts, "test-count 4"},
		{"P 12.3 test, description", "polygon", []string{`group="1"`, `group="1" description="small"`}, lost,
			"test@description"},
		{"P 12.3 test, group", "polygon", nil, carried, "test@group"},
		{"P 12.3 groups without points", "polygon", []string{`</testset>`, strings.ReplaceAll(strings.ReplaceAll(groupsXML,
			`points="40" `, ""), `points="60" `, "")}, equal, "the groups of tests"},
		{"P 6.6 groups, dependencies", "polygon", append(slices.Clone(points), `</testset>`, groupsXML), carried,
			"by the group 02-all-1"},
		{"P 6.6 groups, feedback policy", "polygon", append(slices.Clone(points), `</testset>`, groupsXML), lost,
			"group@feedback-policy"},
		{"P 13 properties", "polygon", []string{`<properties/>`,
			`<properties><property name="tests-wellformed" value="true"/></properties>`}, lost, "properties"},
		{"P 15.2 run-count", "polygon", []string{`run-count="1"`, `run-count="2"`}, verdicts, "run-count 2"},
		{"P 15.4 input-file", "polygon", []string{`input-file=""`, `input-file="sum.in"`}, carried,
			`"sum.in" is standard input`},
		{"P 15.4 input-file, language", "polygon", []string{`input-file=""`, `input-file="sum.in"`, `</solutions>`,
			`<solution tag="accepted"><source path="solutions/a.pas"/></solution></solutions>`, "+solutions/a.pas", "begin end.\n"}, verdicts, "C, C++, Java and Python only"},
		{"P 15.6 points as percent", "polygon", []string{`run-count="1"`,
			`run-count="1" treat-points-from-checker-as-percent="true"`}, verdicts, "treat-points-from-checker-as-percent"},
		{"Polygon: stresses", "polygon", nil, lost, "stresses"},
		{"Polygon: other files", "polygon", []string{"+notes.txt", "x\n"}, lost, "file notes.txt"},
		{"Polygon: doall.sh", "polygon", []string{"+doall.sh", "x\n"}, equal, "doall.sh"},

		{"D test_cases", "dmoj", nil, carried, "the key test_cases"},
		{"D checker: standard", "dmoj", nil, equal, "checker standard: each answer is one word"},
		{"D checker: floats", "dmoj", []string{"test_cases:", "checker: {name: floats, args: {precision: 3}}\ntest_cases:"},
			carried, "the key checker"},
		{"D checker: linecount", "dmoj", []string{"test_cases:", "checker: linecount\ntest_cases:"}, verdicts, "linecount"},
		{"D checker: bridged, feedback", "dmoj", []string{"test_cases:",
			"checker: {name: bridged, args: {files: check.c, lang: C, feedback: false}}\ntest_cases:"}, equal, "the key feedback of the checker"},
		{"D checker: bridged, other keys", "dmoj", []string{"test_cases:",
			"checker: {name: bridged, args: {files: check.c, lang: C, magic: 1}}\ntest_cases:"}, verdicts, "the key magic of the checker"},
		{"D interactive", "dmoj", []string{"test_cases:",
			"interactive: {files: check.c, lang: C}\nchecker: identical\ntest_cases:"}, equal, "the checker: the interactor alone decides"},
		{"D custom_judge", "dmoj", []string{"test_cases:", "custom_judge: grade.py\ntest_cases:"}, verdicts, "custom_judge"},
		{"D signature_grader", "dmoj", []string{"test_cases:",
			"signature_grader: {entry: check.c, header: h.h}\ntest_cases:", "+h.h", "int f(void);\n"}, verdicts, "submissions must include h.h"},
		{"D pretest_test_cases", "dmoj", []string{"test_cases:",
			"pretest_test_cases:\n- {in: 1.in, out: 1.out}\ntest_cases:"}, carried, "the key pretest_test_cases"},
		{"D batched, dependencies", "dmoj", []string{"  points: 20\n",
			"  points: 20\n- batched:\n  - {in: 1.in, out: 1.out}\n  dependencies: [1]\n"}, carried, "the key dependencies of a batch"},
		{"DJ hints", "dmoj", []string{"test_cases:", "hints: [nobigmath]\ntest_cases:"}, verdicts, "the key hints"},
		{"DJ output_limit_length", "dmoj", []string{"test_cases:", "output_limit_length: 1000\ntest_cases:"}, verdicts,
			"output_limit_length of 1000 bytes"},
		{"DJ output_prefix_length", "dmoj", []string{"test_cases:", "output_prefix_length: 0\ntest_cases:"}, equal,
			"output_prefix_length"},
		{"DJ symlinks", "dmoj", []string{"test_cases:", "symlinks: {a.txt: /dev/stdin}\ntest_cases:"}, verdicts, "symlinks"},
		{"DJ wall_time_factor", "dmoj", []string{"test_cases:", "wall_time_factor: 10\ntest_cases:"}, verdicts,
			"wall_time_factor"},
		{"DJ unbuffered", "dmoj", []string{"test_cases:", "unbuffered: true\ntest_cases:"}, verdicts, "unbuffered"},
		{"DJ ConfigNode: a key of a case", "dmoj", []string{"points: 10", "points: 10, checker: floats"}, verdicts,
			"the key checker of a case"},
		{"DJ ConfigNode: dynamic keys", "dmoj", []string{"test_cases:", "points++: node = 3\ntest_cases:"}, verdicts,
			"the key points++"},
		{"DJ other keys", "dmoj", []string{"test_cases:", "file_io: {input: a}\ntest_cases:"}, verdicts, "the key file_io"},

		{"C task.yaml, infile", "cms", []string{"infile: ''", "infile: in.txt"}, carried, `"in.txt" is standard input`},
		{"CL infile, default", "cms", []string{"infile: ''\noutfile: ''\n", ""}, carried,
			`"input.txt" is standard input and "output.txt" is standard output`},
		{"C token settings", "cms", []string{"n_input", "token_mode: disabled\nn_input"}, lost, "token_mode"},
		{"C public_testcases", "cms", []string{"n_input", "public_testcases: all\nn_input"}, lost, "public_testcases"},
		{"C feedback_level", "cms", []string{"n_input", "feedback_level: full\nn_input"}, lost, "feedback_level"},
		{"C score_mode", "cms", []string{"n_input", "score_mode: max_subtask\nn_input"}, lost, "score_mode"},
		{"C score_precision", "cms", []string{"n_input", "score_precision: 2\nn_input"}, lost, "score_precision"},
		{"CL score_type alone", "cms", []string{"n_input", "score_type: Sum\nn_input"}, equal, "the score type"},
		{"C Score types: GroupThreshold", "cms", []string{"n_input",
			"score_type: GroupThreshold\nscore_type_parameters: [[100, 2, 0.5]]\nn_input"}, verdicts, "GroupThreshold"},
		{"C Score types: GroupMul", "cms", []string{"n_input",
			"score_type: GroupMul\nscore_type_parameters: [[100, 2]]\nn_input"}, carried, "the key score_type"},
		{"C Score types: patterns", "cms", []string{"n_input",
			"score_type: GroupMin\nscore_type_parameters: [[100, '000']]\nn_input"}, lost, "1 tests that are in no subtask"},
		{"C Task types: OutputOnly", "cms", []string{"n_input", "output_only: true\nn_input"}, verdicts, "OutputOnly"},
		{"C Task types: Communication", "cms", []string{"+check/manager.cpp", "int main() {}\n"}, verdicts, "Communication"},
		{"C Task types: Batch, grader", "cms", []string{"+sol/grader.cpp", "int main() {}\n", "+sol/grader.pas",
			"begin end.\n"}, verdicts, "submissions in pascal"},
		{"C Task types: checker", "cms", []string{"+check/checker", "\x7fELF"}, verdicts, "the checker: expected its source"},
		{"C attachments", "cms", []string{"+att/tool.py", "1\n"}, carried, "the key name"},
		{"CL other keys", "cms", []string{"n_input", "magic: 1\nn_input"}, verdicts, "the key magic"},

		{"L title", "library", nil, carried, "the key title"},
		{"L other keys", "library", []string{"title", "memorylimit = 64\ntitle"}, verdicts, "the key memorylimit"},
		{"L other files", "library", []string{"+sol/more.cpp", "int main() {}\n"}, lost, "file more.cpp"},
	} {
		t.Run(c.section+" "+c.what, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, data := range foreignPackages[c.pack] {
				files[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
			}
			description := map[string]string{"polygon": "problem.xml", "dmoj": "init.yml", "cms": "task.yaml",
				"library": "info.toml"}[c.pack]
			for i := 0; i < len(c.edits); i += 2 {
				from, to := c.edits[i], c.edits[i+1]
				if name, ok := strings.CutPrefix(from, "+"); ok {
					files[name] = &fstest.MapFile{Data: []byte(to), Mode: 0o644}
					continue
				}
				text := string(files[description].Data)
				if !strings.Contains(text, from) {
					t.Fatalf("%s has no %q", description, from)
				}
				files[description].Data = []byte(strings.Replace(text, from, to, 1))
			}
			from := testproblem.Located(t, writeFiles(t, files))
			root := t.TempDir()
			done, err := foreign.Convert(context.Background(), archive.Import{}, from, root, "new", true, "")
			if err != nil && !errors.Is(err, foreign.ErrLosses) {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(done.Parts, func(p foreign.Part) bool {
				state := string(p.State)
				if p.Verdicts {
					state = verdicts
				}
				return state == c.state && strings.Contains(p.What, c.what)
			})
			if !has {
				t.Errorf("expected that %q is %s, found %v", c.what, c.state, done.Parts.In(foreign.Lost))
				for _, p := range done.Parts {
					if strings.Contains(p.What, c.what) {
						t.Errorf("found that it is %s: %v", p.State, p)
					}
				}
			}
			_, made := os.Stat(filepath.Join(root, "new"))
			if refused := c.state == verdicts; refused != (err != nil) || refused != (made != nil) {
				t.Fatalf("the error is %v; expected one only if verdicts change, and nothing made then: %v", err, made)
			}
			if err == nil {
				return
			}
			done, err = foreign.Convert(context.Background(), archive.Import{AcceptLosses: true}, from, root, "new", true, "")
			if err != nil {
				t.Fatal(err)
			}
			if done.Made == 0 {
				p, err := problem.Open(testproblem.Located(t, filepath.Join(root, "new")))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(errors.Join(p.Warnings...).Error(), c.what) {
					t.Errorf("no warning of the new problem has %q: %v", c.what, p.Warnings)
				}
			}
			list, err := os.ReadFile(filepath.Join(root, "new", foreign.ImportFile))
			if err != nil || !strings.Contains(string(list), c.what) {
				t.Errorf("IMPORT.txt lacks %q: %v\n%s", c.what, err, list)
			}
		})
	}
}

// TestExportParts states what becomes of the parts of a problem in other formats. The
// sections are those of the problem package format 2025-09.
func TestExportParts(t *testing.T) {
	const carried, equal, lost, verdicts = "carried", "equal", "lost", "changes verdicts"
	for _, c := range []struct {
		section, format string
		file, text      string // is added to the problem, or to a file of it
		state, what     string
	}{
		{"Problem metadata: name", "polygon", "", "", carried, "the key name"},
		{"Problem metadata: name", "dmoj", "", "", lost, "name: the format has no such key"},
		{"UUID and version", "polygon", "", "", lost, "uuid"},
		{"Languages", "polygon", "problem.yaml", "languages: [python3, c]\n", verdicts, "languages"},
		{"Languages", "kattis-legacy", "problem.yaml", "languages: [python3, c]\n", verdicts, "languages"},
		{"Keywords", "polygon", "problem.yaml", "keywords: [math]\n", carried, "the key keywords"},
		{"Type", "dmoj", "", "", equal, "type pass-fail"},
		{"Sample data", "polygon", "data/sample/1.in.statement", "one two\n", carried, "data"},
		{"Sample data", "dmoj", "data/sample/1.in.statement", "one two\n", lost, "files that end with .in.statement"},
		{"Test case configuration: args", "kattis-legacy", "data/secret/1.yaml", "args: [x]\n", verdicts, "args"},
		{"Test case configuration: hint", "polygon", "data/secret/1.yaml", "hint: small\n", lost, "hint or description"},
		{"Samples and full feedback", "dmoj", "data/secret/1.yaml", "full_feedback: true\n", lost, "full_feedback"},
		{"Included files", "polygon", "include/default/a.h", "\n", verdicts, "included files"},
		{"Solution description", "polygon", "solution/solution.en.tex", "Plus.\n", carried, "solution"},
		{"Solution description", "dmoj", "solution/solution.en.tex", "Plus.\n", lost, "the format has no such folder"},
		{"Attachments", "polygon", "attachments/a.txt", "a\n", lost, "the format has no such folder"},
		{"Output validator", "dmoj", "output_validator/v.py", "print(1)\n", verdicts, "is not a C++ program of one source"},
		{"Input validators", "dmoj", "input_validators/v.py", "print(1)\n", lost, "the input validator"},
		{"Overview: other files", "polygon", "README", "text\n", lost, "the format has no such file"},
		{"Overview: other files", "kattis", "README", "text\n", carried, "README"},
	} {
		t.Run(c.format+" "+c.section, func(t *testing.T) {
			files := kattisPackage(nil)
			if f := files[c.file]; f != nil {
				f.Data = append(f.Data, c.text...)
			} else if c.file != "" {
				files[c.file] = &fstest.MapFile{Data: []byte(c.text), Mode: 0o644}
			}
			s := testproblem.Located(t, writeFiles(t, files))
			p, err := problem.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			made, err := export.Make(context.Background(), s, p, export.FormatOf(c.format), export.ContestEntry{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(made.Parts, func(p foreign.Part) bool {
				return strings.Contains(p.What, c.what) && (string(p.State) == c.state && !p.Verdicts || p.Verdicts &&
					c.state == verdicts)
			}) {
				t.Errorf("expected that %q is %s, found %v", c.what, c.state, made.Parts)
			}
			if err := made.Parts.Check(s.Path, false); (err != nil) != (c.state == verdicts) {
				t.Errorf("the error is %v; expected one only if verdicts change", err)
			}
			if err := made.Parts.Check(s.Path, true); err != nil {
				t.Error(err)
			}
		})
	}
}
