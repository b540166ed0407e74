package archive_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

// A siteMeaning is what other systems know of a problem. Their cases have other names.
type siteMeaning struct {
	Limits      problem.Limits
	Interactive bool
	Cases       []caseMeaning
	Output      int
	Submissions map[string][]problem.Expectation // by name, with folder
}

func siteMeaningOf(t *testing.T, p *problem.Problem, data func(c *problem.Case, ext string) [32]byte) siteMeaning {
	m := siteMeaning{Limits: p.Limits, Interactive: p.Is(problem.Interactive), Output: len(p.OutputValidators), Submissions: make(map[string][]problem.Expectation)}
	m.Limits.Wall, m.Limits.Output = 0, 0
	m.Limits.Memory = (m.Limits.Memory + 1<<20 - 1) >> 20
	of := func(c *problem.Case) caseMeaning {
		folder, _, _ := strings.Cut(c.Name, "/")
		return caseMeaning{Name: folder, Out: c.OutputValidatorArgs, Input: data(c, ".in"), Answer: data(c, ".ans")}
	}
	for _, c := range p.Cases {
		m.Cases = append(m.Cases, of(c))
	}
	for _, s := range p.Submissions {
		for _, e := range s.Expected {
			if e.Cases != "" {
				continue // the rules of submissions.yaml are lost
			}
			e = problem.Expectation{Required: e.Required} // the folders of legacy permit more
			m.Submissions[s.Name] = append(m.Submissions[s.Name], e)
		}
	}
	return m
}

// imported returns the problem that importing makes of an exported package.
func imported(t *testing.T, made *export.Package) (*problem.Source, *problem.Problem) {
	t.Helper()
	root := t.TempDir()
	to := filepath.Join(root, "package.zip")
	if _, err := export.WriteZip(context.Background(), made, to, false); err != nil {
		t.Fatal(err)
	}
	from, err := problem.Locate(to)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if _, err := foreign.Convert(context.Background(), archive.Import{}, from, root, "back", true, ""); err != nil {
		t.Fatalf("import: %v", err)
	}
	back := testproblem.Located(t, filepath.Join(root, "back"))
	q, err := problem.Open(back)
	if err != nil {
		t.Fatal(err)
	}
	return back, q
}

// siteTrip exports a problem to another system and imports it again, and compares the
// meanings, except of what is reported as lost.
func siteTrip(t *testing.T, s *problem.Source, p *problem.Problem, format string) {
	t.Helper()
	made, err := export.Make(context.Background(), s, p, export.FormatOf(format), export.ContestEntry{})
	if err != nil {
		if !strings.Contains(err.Error(), "has no such problems") {
			t.Fatal(err)
		}
		t.Log(err)
		return
	}
	noLimit := strings.Contains(fmt.Sprint(made.Parts.In(foreign.Lost)), "has no time limit")
	if slices.ContainsFunc(made.Parts.In(foreign.Lost), func(l foreign.Part) bool {
		return l.Verdicts &&
			!strings.Contains(l.What, "has no time limit")
	}) {
		t.Logf("%s: %v", format, made.Parts.In(foreign.Lost))
		return
	}
	_, q := imported(t, made)
	// Importing makes texts of the files of cases.
	sum := func(c *problem.Case, ext string) [32]byte {
		data, err := problem.ReadBounded(c.FS, c.Path(ext), 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n")
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return sha256.Sum256([]byte(text))
	}
	a, b := siteMeaningOf(t, p, sum), siteMeaningOf(t, q, sum)
	init := string(made.Files["init.yml"].Data)
	if init != "" && !strings.Contains(init, "name: bridged") {
		for i := range b.Cases { // see TestCheckersOfDMOJ
			b.Cases[i].Out = a.Cases[i].Out
		}
	}
	if noLimit {
		a.Limits.Time = b.Limits.Time
	}
	for _, l := range made.Parts.In(foreign.Lost) {
		maps.DeleteFunc(a.Submissions, func(name string, _ []problem.Expectation) bool {
			return strings.HasSuffix(l.Where, "submissions/"+name) || strings.HasSuffix(l.Where, "submissions")
		})
	}
	maps.DeleteFunc(b.Submissions, func(name string, _ []problem.Expectation) bool {
		folder, base, _ := strings.Cut(name, "/")
		return a.Submissions[name] == nil && (folder == "rejected" || strings.HasPrefix(base, folder+"_"))
	})
	if format == "dmoj" {
		a.Limits, a.Submissions = b.Limits, nil // the package has neither
		if strings.Index(init, "secret_") < strings.Index(init, "sample_") {
			n := len(p.Samples())
			a.Cases = slices.Concat(a.Cases[n:], a.Cases[:n])
			q.Cases = slices.Concat(q.Cases[len(q.Cases)-n:], q.Cases[:len(q.Cases)-n])
		}
		for i := range a.Cases {
			a.Cases[i].Name = "secret" // samples are groups without points
		}
	}
	if d := cmp.Diff(a, b, cmpopts.EquateEmpty(), cmp.AllowUnexported(problem.Expectation{})); d != "" {
		t.Errorf("%s (-before +after), lost %v:\n%s", format, made.Parts.In(foreign.Lost), d)
	}
	if p.Is(problem.Scoring) {
		sameScores(t, format, p, q)
	}
}

var sites = []string{"polygon", "dmoj"}

// kattisPackage returns a package with these further files.
func kattisPackage(validators map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, data := range map[string]string{
		"problem.yaml":                 "problem_format_version: 2025-09\nname: {en: Sum}\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlicense: public domain\nlimits: {time_limit: 1.5, time_resolution: 0.5}\n",
		"statement/problem.en.tex":     "\\problemname{Sum}\nAdd.\n\n\\section*{Input}\n\nTwo numbers.\n",
		"data/sample/1.in":             "1 2\n",
		"data/sample/1.ans":            "3\n",
		"data/secret/1.in":             "2 2\n",
		"data/secret/1.ans":            "4\n",
		"data/secret/2.in":             "5 2\n",
		"data/secret/2.ans":            "7\n",
		"data/invalid_input/bad.in":    "x\n",
		"submissions/accepted/a.py":    "print(sum(map(int, input().split())))\n",
		"submissions/wrong_answer/w.c": "int main() {}\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	for name, data := range validators {
		files[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	return files
}

const (
	judgeHeader = "#include <cstdlib>\n#include <fstream>\n#include <string>\nstatic void wrong(std::string dir) { std::ofstream(dir + \"judgemessage.txt\") << \"wrong sum\"; std::exit(43); }\n"
	judgeSource = "#include <cstdio>\n#include \"judge.h\"\nint main(int argc, char **argv) {\n    long a, b, c, want;\n    FILE *in = std::fopen(argv[1], \"r\"), *ans = std::fopen(argv[2], \"r\");\n    if (argc != 5 || argv[4][0] != 'x' || std::fscanf(in, \"%ld %ld\", &a, &b) != 2 || std::fscanf(ans, \"%ld\", &want) != 1 || want != a + b) std::exit(1);\n    if (std::scanf(\"%ld\", &c) != 1 || a + b != c) wrong(argv[3]);\n    return 42;\n}\n"
	inputSource = "#include <iostream>\nint main() {\n    long a, b;\n    if (!(std::cin >> a >> b)) return 43;\n    return 42;\n}\n"
)

func TestExportToSites(t *testing.T) {
	sources := map[string]fstest.MapFS{
		"default validator": kattisPackage(map[string]string{"data/sample/test_group.yaml": "output_validator_args: [case_sensitive, float_tolerance, '1e-6']\n", "data/secret/test_group.yaml": "output_validator_args: [case_sensitive, float_tolerance, '1e-6']\n"}),
		"validators in C++": kattisPackage(map[string]string{
			"output_validator/judge.cc": judgeSource, "output_validator/judge.h": judgeHeader, "input_validators/check.cpp": inputSource,
			"data/sample/test_group.yaml": "output_validator_args: [x]\n", "data/secret/test_group.yaml": "output_validator_args: [x]\n",
		}),
		"scores": scoredPackage("2025-09", map[string]string{"sample": "", "secret": "max_score: 100\nrequire_pass: sample", "secret/1": "max_score: 40\nscore_aggregation: pass-fail", "secret/2": "max_score: 30\nscore_aggregation: sum", "secret/3-x": "max_score: 30\nscore_aggregation: pass-fail\nrequire_pass: secret/1"}),
		"legacy": scoredPackage("legacy", map[string]string{"": "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 60", "sample": "range: 0 0\naccept_score: 0", "secret": "grader_flags: accept_if_any_accepted\nrange: 0 60\non_reject: continue", "secret/a": "grader_flags: min\naccept_score: 20\nrange: 0 20", "secret/b": "grader_flags: min\naccept_score: 40\nrange: 0 40"}),
	}
	for name, files := range sources {
		s := testproblem.Located(t, writeFiles(t, files))
		p, err := problem.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range sites {
			t.Run(name+" to "+format, func(t *testing.T) {
				made, err := export.Make(context.Background(), s, p, export.FormatOf(format), export.ContestEntry{})
				if err != nil || (len(made.Parts.ChangeVerdicts()) > 0) {
					t.Fatal(err, made)
				}
				siteTrip(t, s, p, format)
			})
		}
	}
	for _, s := range corporaSources(t) {
		t.Run(filepath.Base(s.Path), func(t *testing.T) {
			p, err := problem.Open(s)
			if err != nil {
				t.Skip(err) // broken on purpose
			}
			for _, format := range sites {
				siteTrip(t, s, p, format)
			}
		})
	}
}

// corporaSources returns the problems of this repository and those below the folder -corpora.
func corporaSources(t *testing.T) (sources []*problem.Source) {
	for _, id := range []string{"hdu1426", "nqueens"} {
		s, err := problem.Split("../../..", id)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		sources = append(sources, s)
	}
	for _, below := range []string{"*/*", "*/*/*"} {
		files, _ := filepath.Glob(filepath.Join(*corpora, below, "problem.yaml"))
		for _, f := range files {
			sources = append(sources, testproblem.Located(t, filepath.Dir(f)))
		}
	}
	return sources
}

// TestWhatSitesLack checks that programs which another system cannot run are named.
func TestWhatSitesLack(t *testing.T) {
	for _, c := range []struct {
		name, lost string
		verdicts   bool
		files      map[string]string
	}{
		{"output validator in Python", "output_validator is not a C++ program of one source", true, map[string]string{"output_validator/v.py": "print(1)\n"}},
		{"input validator in Python", "the input validator", false, map[string]string{"input_validators/v.py": "print(1)\n"}},
		{"two sources", "has several C++ sources", true, map[string]string{"output_validator/a.cpp": inputSource, "output_validator/b.cpp": "int b;\n"}},
		{"other arguments for samples", "output_validator_args differ between the cases", true, map[string]string{"data/sample/test_group.yaml": "output_validator_args: [case_sensitive]\n"}},
		{"included files", "included files", true, map[string]string{"include/default/x.h": "\n"}},
		{"arguments of submissions", "args: the format has no arguments of submissions", true, map[string]string{"data/secret/1.yaml": "args: [x]\n"}},
		{"language", "submission", false, map[string]string{"submissions/accepted/b.hs": "main = print 1\n"}},
		{"several files", "submission", false, map[string]string{"submissions/accepted/two/a.py": "import b\n", "submissions/accepted/two/b.py": "\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := testproblem.Located(t, writeFiles(t, kattisPackage(c.files)))
			p, err := problem.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range sites {
				made, err := export.Make(context.Background(), s, p, export.FormatOf(format), export.ContestEntry{})
				if err != nil {
					t.Fatal(err)
				}
				text := fmt.Sprint(made.Parts.In(foreign.Lost))
				if (len(made.Parts.ChangeVerdicts()) > 0) != c.verdicts || !strings.Contains(strings.ReplaceAll(text,
					"the output validator is", "output_validator is"), c.lost) {
					t.Errorf("%s: lost %v, verdicts %v; expected %q, verdicts %v", format, made.Parts.In(foreign.Lost),
						(len(made.Parts.ChangeVerdicts()) > 0), c.lost, c.verdicts)
				}
			}
		})
	}
}

func TestCheckersOfDMOJ(t *testing.T) {
	for _, c := range []struct{ args, answer, checker string }{
		{"", "12", "checker: standard\n"},
		{"", "yes", "name: bridged\n"},
		{"", "1 2", "name: bridged\n"},
		{"case_sensitive", "yes", "checker: standard\n"},
		{"case_sensitive", "yes no", "name: bridged\n"},
		{"case_sensitive, space_change_sensitive", "yes  no", "checker: identical\n"},
		{"space_change_sensitive", "12", "name: bridged\n"},
		{"float_tolerance, '1e-4'", "1.5", "name: floats\n  args:\n    precision: 4\n"},
		{"float_absolute_tolerance, '1e-9'", "1.5", "name: floatsabs\n  args:\n    precision: 9\n"},
		{"float_relative_tolerance, '1e-9'", "1.5", "name: floatsrel\n"},
		{"float_tolerance, '2e-4'", "1.5", "name: bridged\n"},
		{"float_tolerance, '1e-4'", "x", "name: bridged\n"},
		{"float_tolerance, '1e-4'", "1 2", "name: bridged\n"},
	} {
		files := kattisPackage(nil)
		for name, f := range files {
			if strings.HasSuffix(name, ".ans") {
				f.Data = []byte(c.answer + "\n")
			}
		}
		for _, folder := range []string{"sample", "secret"} {
			files["data/"+folder+"/test_group.yaml"] = &fstest.MapFile{Data: []byte("output_validator_args: [" + c.args + "]\n"), Mode: 0o644}
		}
		s := testproblem.Located(t, writeFiles(t, files))
		p, err := problem.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		made, err := export.Make(context.Background(), s, p, export.FormatOf("dmoj"), export.ContestEntry{})
		if err != nil {
			t.Fatal(err)
		}
		if init := string(made.Files["init.yml"].Data); !strings.Contains(init, c.checker) {
			t.Errorf("%q with the answer %q: expected %q in\n%s", c.args, c.answer, c.checker, init)
		}
	}
}

// compiled compiles the main program of the exported checker or validator, and returns the
// path of the program.
func compiled(t *testing.T, made *export.Package, folder, main string) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range made.Files {
		if path.Dir(name) == folder && f.From == "" && slices.Contains([]string{".cpp", ".cc", ".h"}, path.Ext(name)) {
			if err := os.WriteFile(filepath.Join(dir, path.Base(name)), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	bin := filepath.Join(dir, "program")
	if out, err := exec.Command("g++", "-Wall", "-Wextra", "-o", bin, filepath.Join(dir, main)).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// runStatus runs a program with texts as files, and returns its exit status and messages.
// The program must remove its temporary files.
func runStatus(t *testing.T, bin, stdin string, texts ...string) (int, string) {
	t.Helper()
	dir := t.TempDir()
	var args []string
	for i, text := range texts {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	temporary := t.TempDir()
	c := exec.Command(bin, args...)
	c.Dir, c.Stdin, c.Env = dir, strings.NewReader(stdin), append(os.Environ(), "TMPDIR="+temporary)
	out, _ := c.CombinedOutput()
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%s leaves %v in the folder of temporary files, %v", filepath.Base(bin), left, err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

func TestAdaptedValidators(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("needs g++")
	}
	files := kattisPackage(map[string]string{
		"output_validator/judge.cc": judgeSource, "output_validator/judge.h": judgeHeader, "input_validators/check.cpp": inputSource,
		"data/sample/test_group.yaml": "output_validator_args: ['x \"?']\n", "data/secret/test_group.yaml": "output_validator_args: ['x \"?']\n",
	})
	s := testproblem.Located(t, writeFiles(t, files))
	p, err := problem.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	made, err := export.Make(context.Background(), s, p, export.FormatOf("polygon"), export.ContestEntry{})
	if err != nil {
		t.Fatal(err)
	}
	checker := compiled(t, made, "files", "checker.cpp")
	for _, c := range []struct {
		output, answer string
		status         int
		message        string
	}{{"3", "3\n", 0, ""}, {"4", "3\n", 1, "wrong sum"}, {"", "3\n", 1, "wrong sum"}, {"3", "4\n", 3, "failed"}} {
		if status, message := runStatus(t, checker, "", "1 2\n", c.output, c.answer); status != c.status || !strings.Contains(message, c.message) {
			t.Errorf("checker, output %q, answer %q: status %d, %q; expected %d, %q", c.output, c.answer, status, message, c.status, c.message)
		}
	}
	validator := compiled(t, made, "files", "input.cpp")
	for input, want := range map[string]int{"1 2\n": 0, "x\n": 3} {
		if status, _ := runStatus(t, validator, input); status != want {
			t.Errorf("validator, input %q: status %d, expected %d", input, status, want)
		}
	}
}
