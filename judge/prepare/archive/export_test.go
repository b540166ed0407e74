package archive_test

import (
	"context"
	"crypto/sha256"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive/export"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
)

var corpora = flag.String("corpora", "", "folder of packages of other people, which are exported too")

// A meaning is what judging a problem depends on.
type meaning struct {
	Types       []problem.Type
	Names       map[string]string
	UUID        string
	Limits      problem.Limits
	Code        int64
	Passes      int
	ACToLimit   float64
	LimitToTLE  float64
	Cases       []caseMeaning
	Output      int
	Input       []string
	Submissions []submissionMeaning
}

type caseMeaning struct {
	Name          string
	Args, Out, In []string
	Hint, Desc    string
	Input, Answer [32]byte
	FullFeedback  bool
	InputBy       map[string][]string
}

type submissionMeaning struct {
	Name     string
	Language string
	Entry    string
	Expected []problem.Expectation
}

// meaningOf returns the meaning of a problem. Expectations are included if they are wanted.
func meaningOf(t *testing.T, p *problem.Problem, expectations bool) meaning {
	t.Helper()
	m := meaning{
		Types: slices.Sorted(slices.Values(p.Types)), Names: p.Names, UUID: p.UUID, Limits: p.Limits, Code: p.Code, Passes: p.Passes,
		ACToLimit: p.Timing.ACToLimit, LimitToTLE: p.Timing.LimitToTLE, Output: len(p.OutputValidators),
	}
	for _, c := range slices.Concat(p.Cases, p.InvalidInput, p.InvalidAnswer, p.InvalidOutput, p.ValidOutput) {
		m.Cases = append(m.Cases, caseMeaning{
			Name: c.Name, Args: c.Args, Out: slices.Clone(c.OutputValidatorArgs), In: c.InputValidatorArgs, InputBy: c.InputValidatorArgsBy,
			Hint: c.Hint, Desc: c.Description, Input: sumOf(t, c, ".in"), Answer: sumOf(t, c, ".ans"), FullFeedback: c.FullFeedback,
		})
	}
	for _, v := range p.InputValidators {
		m.Input = append(m.Input, v.Name)
	}
	for _, s := range p.Submissions {
		one := submissionMeaning{Name: s.Name, Entry: s.Entry}
		if s.Language != nil {
			one.Language = s.Language.Code
		}
		for _, e := range s.Expected {
			if expectations {
				e.Timing = timingOf(e)
				if len(e.Permitted) == 4 {
					e.Permitted = nil
				}
				one.Expected = append(one.Expected, e.From(""))
			}
		}
		m.Submissions = append(m.Submissions, one)
	}
	return m
}

// timingOf returns how an expectation constrains the time limit.
func timingOf(e problem.Expectation) problem.Timing {
	switch {
	case e.Lower():
		return problem.TimingLower
	case e.Upper():
		return problem.TimingUpper
	}
	return problem.TimingNone
}

func sumOf(t *testing.T, c *problem.Case, ext string) (sum [32]byte) {
	t.Helper()
	f, err := c.Open(ext)
	if err != nil {
		return sum
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return [32]byte(h.Sum(nil))
}

// exportTo exports a problem and opens the result.
func exportTo(t *testing.T, s *problem.Source, p *problem.Problem, format string) (*export.Package, *problem.Source, *problem.Problem) {
	t.Helper()
	made, err := export.Make(context.Background(), s, p, export.FormatOf(format), export.ContestEntry{})
	if err != nil {
		t.Fatalf("export of %s to %s: %v", s.Path, format, err)
	}
	to := filepath.Join(t.TempDir(), s.ID+".zip")
	if _, err := export.WriteZip(context.Background(), made, to, false); err != nil {
		t.Fatal(err)
	}
	back := testproblem.Located(t, to)
	q, err := problem.Open(back)
	if err != nil {
		t.Fatalf("%s as %s does not open: %v", s.Path, format, err)
	}
	return made, back, q
}

// rich is a package of 2025-09 with what the legacy format can express.
func rich() fstest.MapFS {
	files := fstest.MapFS{}
	for name, data := range map[string]string{
		"problem.yaml": `problem_format_version: 2025-09
name: {en: Sum, sv: Summa}
uuid: 7e57d004-2b97-4e7a-b45f-5387367791cd
credits: {authors: [A B, C D]}
source: {name: X, url: https://example.org}
license: cc by
allow_file_writing: true
constants: {limit: 10}
limits: {time_limit: 1.5, time_resolution: 0.5, memory: 256, output: 4, code: 64, time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 2}}
`,
		"statement/problem.en.md":      "Add, at most {{limit}}.\n",
		"statement/problem.sv.md":      "Addera.\n",
		"data/sample/1.in":             "1\n",
		"data/sample/1.ans":            "1\n",
		"data/sample/1.yaml":           "hint: think\ndescription: small\n",
		"data/secret/test_group.yaml":  "output_validator_args: [float_tolerance, '1e-6']\n",
		"data/secret/a/1.in":           "2\n",
		"data/secret/a/1.ans":          "2\n",
		"data/secret/2.in":             "3\n",
		"data/secret/2.ans":            "3\n",
		"data/invalid_input/bad.in":    "x\n",
		"input_validators/v.py":        "print({{limit}})\n",
		"submissions/accepted/a.py":    "print({{limit}})\n",
		"submissions/wrong_answer/w.c": "int main() {}\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(data), Mode: 0o644}
	}
	return files
}

func TestExportRoundTrip(t *testing.T) {
	sources := map[string]*problem.Source{"rich": testproblem.Located(t, writeFiles(t, rich()))}
	for _, id := range []string{"hdu1426", "nqueens"} {
		s, err := problem.Split("../../..", id)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		sources[id] = s
	}
	for _, below := range []string{"*/*", "*/*/*"} {
		files, _ := filepath.Glob(filepath.Join(*corpora, below, "problem.yaml"))
		for _, f := range files {
			sources[filepath.Dir(f)] = testproblem.Located(t, filepath.Dir(f))
		}
	}
	for name, s := range sources {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p, err := problem.Open(s)
			if err != nil {
				t.Skip(err) // broken on purpose
			}
			for _, format := range []string{"kattis", "kattis-legacy"} {
				roundTrip(t, s, p, format)
			}
		})
	}
}

// roundTrip exports a problem to a format and back to a package of its own family, and
// compares the meanings, except of what is reported as lost.
func roundTrip(t *testing.T, s *problem.Source, p *problem.Problem, format string) {
	t.Helper()
	if p.Is(problem.SubmitAnswer) && format != "kattis" {
		return
	}
	made, there, q := exportTo(t, s, p, format)
	if len(made.Parts.ChangeVerdicts()) > 0 {
		t.Logf("%s: %v", format, made.Parts.In(foreign.Lost))
		return
	}
	same := p.Legacy() == (format == "kattis-legacy")
	compare := func(what string, p, q *problem.Problem, expectations bool) {
		a, b := meaningOf(t, p, expectations), meaningOf(t, q, expectations)
		if a.UUID == "" {
			b.UUID = "" // 2025-09 requires one
		}
		if len(a.Names) == 0 {
			b.Names = nil // and a name
		}
		if q.Legacy() || what != "there" {
			for i := range min(len(a.Submissions), len(b.Submissions)) {
				a.Submissions[i].Entry, b.Submissions[i].Entry = "", "" // legacy has none
			}
		}
		for _, l := range made.Parts.In(foreign.Lost) {
			if strings.HasPrefix(l.What, "the expectation of partially_accepted") {
				for i := range a.Submissions {
					a.Submissions[i].Expected = slices.DeleteFunc(a.Submissions[i].Expected, func(e problem.Expectation) bool { return e.Partial })
				}
			}
			if strings.HasPrefix(l.What, "input_validator_args") {
				for i := range a.Cases {
					a.Cases[i].In, a.Cases[i].InputBy = nil, nil
				}
			}
		}
		if d := cmp.Diff(a, b, cmpopts.EquateEmpty(), cmp.AllowUnexported(problem.Expectation{})); d != "" {
			t.Errorf("%s, %s (-before +after), lost %v:\n%s", format, what, made.Parts.In(foreign.Lost), d)
		}
	}
	compare("there", p, q, same || p.Legacy())
	if p.Is(problem.Scoring) && p.Grader == nil {
		sameScores(t, format, p, q)
	}
	if same {
		return
	}
	home := map[bool]string{true: "kattis-legacy", false: "kattis"}[p.Legacy()]
	_, _, r := exportTo(t, there, q, home)
	compare("and back", p, r, false)
}

// writeFiles writes files to a new folder named sum.
func writeFiles(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sum")
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}
