package verify

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/prepare/statement"
	"crucible/judge/problem"
)

// The conformance suite has a package in testdata/conformance for each feature of the
// formats and for each defect, with the behavior that the specifications require of a
// judge. The type conformance describes the syntax.

const conformanceDir = "../../testdata/conformance"

func TestConformance(t *testing.T) {
	names, err := filepath.Glob(conformanceDir + "/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	onlyWithShells(t)
	// One judge runs every case; the other stops when the result cannot change.
	cache := testkit.Cache(t)
	all, lazy := &judge.Judge{Settings: judge.Settings{All: true}, Cache: cache}, &judge.Judge{Cache: cache}
	t.Cleanup(func() {
		for _, j := range []*judge.Judge{all, lazy} {
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("packages", func(t *testing.T) {
		for i, name := range names {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				if testkit.FewRows() && i%4 != 0 {
					t.Skip("one of a matrix: every fourth package is held, because they share their ways through the judge")
				}
				t.Parallel()
				c, err := readConformance(name)
				if err != nil {
					t.Fatal(err)
				}
				c.hold(t, all, lazy)
			})
		}
	})
}

// onlyWithShells skips the test on machines that cannot run most of the suite's
// programs. The languages that a package needs are checked for each package.
func onlyWithShells(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of the packages are shell scripts")
	}
}

// hold compares the judge with the package's comment.
func (c *conformance) hold(t *testing.T, all, lazy *judge.Judge) {
	c.needs(t, all)
	if c.pending != "" {
		t.Skip("pending: " + c.pending)
	}
	if c.boxed {
		testkit.NeedsBox(t)
	}
	for _, way := range c.ways(t) {
		p, err := problem.Open(way.fsys)
		same := c.errors(t, way.name, "open error", c.opens, defectsIn(err), way.prefix)
		if (p == nil) != (len(c.opens) > 0) {
			t.Errorf("%s: Open returns a problem: %v, want %v", way.name, p != nil, len(c.opens) == 0)
		}
		if p == nil {
			if same {
				continue
			}
			return // the other ways would report the same again
		}
		same = c.errors(t, way.name, "warn", c.warns, p.Warnings, way.prefix) && same
		same = c.errors(t, way.name, "doubt", c.doubts, p.Doubts, way.prefix) && same
		if !same || !way.judged {
			if !same {
				return
			}
			continue
		}
		c.judge(t, all, lazy, p, way.prefix)
	}
}

// A way is one form of a package: a file system, a folder or a zip.
type way struct {
	name   string
	fsys   fs.FS
	prefix string // of the names in its messages
	judged bool   // submissions are judged; once is enough
}

// ways writes the package as a file system in memory, as a folder and as a zip. Packages
// with links have no file system in memory.
func (c *conformance) ways(t *testing.T) []way {
	t.Helper()
	dir := filepath.Join(t.TempDir(), c.id)
	if err := c.layOut(dir); err != nil {
		t.Fatal(err)
	}
	folder, err := problem.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	archive := dir + ".zip"
	if err := c.zip(archive); err != nil {
		t.Fatal(err)
	}
	zipped, err := problem.OpenZip(archive)
	if err != nil {
		zipped = &problem.Source{ID: c.id, Path: archive, Zip: &problem.ZipFS{Broken: err}} // Open returns the error
	}
	t.Cleanup(func() { zipped.Close() })
	below := ""
	if c.files["problem.yaml"] != nil {
		below = c.id + "/" // problem.yaml marks the folder of the package
	}
	all := []way{
		{"map", c.files, "", false},
		{"folder", folder, dir + string(filepath.Separator), false},
		{"zip", zipped, archive + ":" + below, true},
	}
	if len(c.links) > 0 {
		return all[1:]
	}
	return all
}

func (c *conformance) layOut(dir string) error {
	for name, f := range c.files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if f.Mode.IsDir() {
			if err := os.MkdirAll(full, 0o755); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, f.Data, f.Mode); err != nil {
			return err
		}
	}
	for name, target := range c.links {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(filepath.FromSlash(target), full); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

func (c *conformance) zip(name string) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(h *zip.FileHeader, data []byte) error {
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	for _, n := range slices.Sorted(maps.Keys(c.files)) {
		h := &zip.FileHeader{Name: n, Method: zip.Deflate}
		if c.files["problem.yaml"] != nil {
			h.Name = path.Join(c.id, n)
		}
		if c.files[n].Mode.IsDir() {
			h.Name += "/"
		}
		h.SetMode(c.files[n].Mode)
		if err := add(h, c.files[n].Data); err != nil {
			return err
		}
	}
	for _, n := range slices.Sorted(maps.Keys(c.links)) {
		h := &zip.FileHeader{Name: path.Join(c.id, n)}
		h.SetMode(fs.ModeSymlink | 0o777)
		if err := add(h, []byte(c.links[n])); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// needs skips the test on machines without a language of the package, unless all
// languages are required.
func (c *conformance) needs(t *testing.T, j *judge.Judge) {
	t.Helper()
	codes := make(map[string]bool)
	for name := range c.files {
		if top, _, _ := strings.Cut(name, "/"); slices.Contains([]string{"submissions", "input_validators", "input_format_validators", "input_validator", "answer_validators", "output_validator", "output_validators", "static_validator", "graders"}, top) {
			if l, _ := language.Builtin.Of([]string{name}); l != nil {
				codes[l.Code] = true
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if _, err := j.Toolchain(t.Context(), code); err != nil {
			if os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "1" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}

// defectsIn lists the errors in an error of errors.Join.
func defectsIn(err error) []error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, defectsIn(e)...)
	}
	return all
}

// errors compares the reported errors with the expected lines, one to one.
func (c *conformance) errors(t *testing.T, way, what string, want []defectLine, got []error, prefix string) bool {
	t.Helper()
	left := slices.Clone(want)
	ok := true
	for _, err := range got {
		text := strings.ReplaceAll(err.Error(), prefix, "")
		i := slices.IndexFunc(left, func(l defectLine) bool { return l.matches(text) })
		if i < 0 {
			t.Errorf("%s: %s %s\nis not expected", way, what, text)
			ok = false
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, l := range left {
		t.Errorf("%s: no %s %s", way, what, l)
		ok = false
	}
	return ok
}

// judge judges the submissions and verifies the package.
func (c *conformance) judge(t *testing.T, all, lazy *judge.Judge, p *problem.Problem, prefix string) {
	ctx := t.Context()
	for _, f := range c.facts {
		if got := f.ask(p); got != f.want {
			t.Errorf("%s is %q, want %q", f.key, got, f.want)
		}
	}
	named := make(map[string]bool)
	for _, want := range c.runs {
		named[want.submission] = true
	}
	for _, s := range p.Submissions {
		if !named[s.Name] {
			t.Errorf("%s is judged, but the package's comment has no run line for it", s.Name)
		}
	}
	err := all.Infer(ctx, p)
	switch {
	case c.infer == "" && err != nil:
		t.Fatalf("Infer: %v", err)
	case c.infer != "" && (err == nil || !strings.Contains(err.Error(), c.infer)):
		t.Errorf("Infer = %v, want %q", err, c.infer)
	}
	if c.infer != "" {
		return
	}
	if c.limit != 0 && p.Limits.Time != c.limit {
		t.Errorf("the time limit is %v, want %v", p.Limits.Time, c.limit)
	}
	for _, want := range c.runs {
		s := p.SubmissionNamed(want.submission)
		if s == nil {
			t.Errorf("the package has no submission %s", want.submission)
			continue
		}
		want.hold(t, "run", all.Run(ctx, s, p.Cases), true)
		if p.Is(problem.Scoring) || want.notRun != nil {
			want.hold(t, "lazy run", lazy.Run(ctx, s, p.Cases), false)
		}
	}
	if c.verify {
		c.verifies(ctx, t, all, p, prefix)
	}
}

func (c *conformance) verifies(ctx context.Context, t *testing.T, j *judge.Judge, p *problem.Problem, prefix string) {
	// The small packages do not reach the bounds of their input, and need not.
	rows := slices.DeleteFunc(slices.Clone(promises), func(row promise) bool { return row.name == boundsReached })
	v, err := keeps(ctx, j, p, rows, Options{Render: statement.Check})
	if (err != nil) != c.fails {
		t.Errorf("Verify = %v, want an error: %v", err, c.fails)
	}
	broken, doubted := slices.Clone(c.broken), slices.Clone(c.doubted)
	for _, promise := range v.Promises {
		c.promised(t, "broken", promise.Name, &broken, promise.Broken, p.Warnings, prefix)
		c.promised(t, "doubt", promise.Name, &doubted, promise.Doubts, p.Doubts, prefix)
	}
	for _, l := range slices.Concat(broken, doubted) {
		t.Errorf("verify: expected %s: %s", l.promise, l.defectLine)
	}
	for _, r := range v.Reports {
		i := slices.IndexFunc(c.runs, func(w runLine) bool { return w.submission == r.Submission })
		if i >= 0 {
			c.runs[i].hold(t, "verify", r, true)
		}
	}
}

// promised compares the reported violations of one promise with the expected lines, and
// removes the lines that match. It skips the warnings of Open.
func (c *conformance) promised(t *testing.T, kind, name string, want *[]brokenLine, got, opened []error, prefix string) {
	t.Helper()
	for _, b := range got {
		if slices.ContainsFunc(opened, func(w error) bool { return w.Error() == b.Error() }) {
			continue
		}
		text := strings.ReplaceAll(b.Error(), prefix, "")
		i := slices.IndexFunc(*want, func(l brokenLine) bool { return l.promise == name && l.matches(text) })
		if i < 0 {
			t.Errorf("verify %s %s: %s\nis not expected", kind, name, text)
			continue
		}
		*want = slices.Delete(*want, i, i+1)
	}
}

// hold compares one report with the expected line. If all is set, every case was run.
func (w *runLine) hold(t *testing.T, by string, r *judge.Report, all bool) {
	t.Helper()
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %s: %s\n%s", by, w.submission, fmt.Sprintf(format, args...), told(r))
	}
	got, said := string(r.Verdict), ""
	switch err := r.JudgeError(); {
	case err != nil:
		got, said = "JE", err.Error()
	case r.Skipped != "":
		got, said = "skipped", r.Skipped
	case r.Verdict == problem.CompileError:
		said = r.Compile.Message
	default:
		said = r.Broken
		for i := range r.Runs {
			said += "\n" + r.Runs[i].Why + "\n" + r.Runs[i].Message
		}
	}
	if w.verdict != "-" && got != w.verdict {
		bad("verdict %s, want %s", got, w.verdict)
		return
	}
	if !strings.Contains(said, w.says) {
		bad("message %q, want %q in it", said, w.says)
	}
	if as := r.AsExpected != nil && *r.AsExpected; got != "JE" && got != "skipped" && as == w.unexpected {
		bad("as expected %v, want %v: %s", as, !w.unexpected, r.Broken)
	}
	if w.score != nil {
		if score := r.Score; score == nil || math.Abs(*score-*w.score) > 1e-9 {
			bad("score %v, want %v", show(score), *w.score)
		}
	}
	cases := make(map[string]string)
	for i := range r.Runs {
		run := &r.Runs[i]
		switch {
		case run.Err != nil:
			cases[run.Case] = "JE"
		case run.Verdict != problem.Undecided:
			cases[run.Case] = string(run.Verdict)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.cases)) {
		if cases[name] != w.cases[name] && (all || cases[name] != "") {
			bad("%s is %s, want %s", name, orNothing(cases[name]), w.cases[name])
		}
	}
	for _, group := range w.notRun {
		if all {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			if problem.GlobCovers(group, name) {
				bad("%s is run, and is %s", name, cases[name])
			}
		}
	}
}

func orNothing(s string) string {
	if s == "" {
		return "not run"
	}
	return s
}

func show(f *float64) string {
	if f == nil {
		return "none"
	}
	return fmt.Sprint(*f)
}

// told formats a report for messages.
func told(r *judge.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s score %s skipped %q error %v\n", r.Verdict, show(r.Score), r.Skipped, r.Err)
	for i := range r.Runs {
		run := &r.Runs[i]
		fmt.Fprintf(&b, "\t%s %s score %s %s %v\n", run.Case, run.Verdict, show(run.Score), run.Why, run.Err)
	}
	return b.String()
}

// The suite itself is checked: every package quotes the deciding sentence, and has a
// reason if it is pending.
func TestConformanceComments(t *testing.T) {
	for _, c := range []struct{ name, comment, want string }{
		{"an unknown line", "2025-09.\n\nopen ok\nfoo bar\n", `unknown line "foo bar"`},
		{"no open line", "2025-09.\n\nrun accepted/a.py AC\n", "expected an open line"},
		{"no sentence that decides", "\nopen ok\n", "expected a comment that quotes the deciding sentence"},
		{"a run that should not be", "2025-09.\n\nopen error problem.yaml: x\nrun accepted/a.py AC\n", "a package that does not open"},
		{"a verdict that is none", "2025-09.\n\nopen ok\nrun accepted/a.py OK\n", `verdict "OK"`},
		{"two lines of one submission", "2025-09.\n\nopen ok\nrun accepted/a.py AC\nrun accepted/a.py WA\n", "a second line for this submission"},
		{"a file without a name", "2025-09.\n\nopen ok\nwarn nothing\n", "expected FILE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseConformance("x.txtar", []byte(c.comment+"-- problem.yaml --\n"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("parseConformance = %v, want %q", err, c.want)
			}
		})
	}
	got, err := parseConformance("a_b.txtar", []byte("2025-09.\n\nopen ok\nrun accepted/a.py WA score 1.5 cases secret/1=AC secret/2=WA not-run secret/g unexpected says two words\n-- problem.yaml --\n-- output_validator/run --\n"))
	if err != nil {
		t.Fatal(err)
	}
	score := 1.5
	want := []runLine{{"accepted/a.py", "WA", &score, map[string]string{"secret/1": "AC", "secret/2": "WA"}, []string{"secret/g"}, true, "two words"}}
	if diff := cmp.Diff(want, got.runs, cmp.AllowUnexported(runLine{})); diff != "" {
		t.Error(diff)
	}
	if got.id != "ab" || got.files["output_validator/run"].Mode != 0o755 || got.files["problem.yaml"].Mode != 0o644 {
		t.Errorf("id %s, files %v", got.id, got.files)
	}
}
