package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// head returns the head of a call that judges two submissions of a problem.
func head() *Head {
	return &Head{Command: "run", Machine: Machine{OS: "linux", NotEnforced: []string{}}, Problems: []ProblemHead{{
		ID: "sum", Path: "problems/sum", Cases: []CaseHead{{Name: "sample/1"}, {Name: "secret/1"}},
		Submissions: []SubmissionHead{{Name: "accepted/a.go", Language: "go"}, {Name: "accepted/b.go", Language: "go"}},
	}}}
}

func ran(submission int, name string, v problem.Verdict) *Line {
	r := judge.Run{Case: name, Verdict: v, Outcome: sandbox.Outcome{CPU: 5 * time.Millisecond}}
	return &Line{Run: &RunLine{Submission: submission, Run: r}}
}

func judged(submission int, name string, v problem.Verdict, cases ...string) *Line {
	as := v == problem.Accepted
	r := judge.Report{Submission: name, Language: "go", Verdict: v, AsExpected: &as}
	return &Line{Submission: &SubmissionLine{Submission: submission, Runs: cases, Report: r}}
}

// store writes a call and returns its entry. It closes a call with an end line.
func store(t testing.TB, folder string, h *Head, lines ...*Line) Entry {
	t.Helper()
	w, err := CreateLog(folder, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := FindCall(folder, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func read(t testing.TB, e Entry) *Call {
	t.Helper()
	c, err := e.Read()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var begun = &Line{Begun: &BegunLine{Limits: problem.Limits{Time: 1e9}}}

func TestWhatIsStoredIsReadAgain(t *testing.T) {
	e := store(t, t.TempDir(), head(), begun,
		ran(1, "secret/1", "WA"), ran(0, "sample/1", "AC"), ran(1, "sample/1", "AC"), ran(0, "secret/1", "AC"),
		judged(0, "accepted/a.go", "AC", "sample/1", "secret/1"),
		judged(1, "accepted/b.go", "WA", "sample/1", "secret/1"),
		&Line{End: &End{Status: 1, Elapsed: 7, Runs: 4}})
	d, err := read(t, e).Document()
	if err != nil {
		t.Fatal(err)
	}
	p := d.Problems[0]
	if len(d.Problems) != 1 || p.ID != "sum" || p.Path != "problems/sum" || p.Limits.Time != time.Second || d.Elapsed != 7 || d.Machine.OS != "linux" {
		t.Errorf("document %+v", d)
	}
	if diff := cmp.Diff([]string{"sample/1", "secret/1"}, p.Cases); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	got := summary(&p)
	want := "accepted/a.go AC as expected: sample/1 AC, secret/1 AC\naccepted/b.go WA unexpected: sample/1 AC, secret/1 WA\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func summary(p *Problem) string {
	var b strings.Builder
	for _, r := range p.Reports {
		var runs []string
		for _, run := range r.Runs {
			runs = append(runs, run.Case+" "+string(run.Verdict))
		}
		standing := "unfinished"
		if r.AsExpected != nil {
			standing = map[bool]string{true: "as expected", false: "unexpected"}[*r.AsExpected]
		}
		fmt.Fprintf(&b, "%s %s %s: %s\n", r.Submission, r.Verdict, standing, strings.Join(runs, ", "))
	}
	return b.String()
}

func TestLaterLinesCount(t *testing.T) {
	e := store(t, t.TempDir(), head(), begun,
		ran(0, "sample/1", "TLE"), ran(0, "secret/1", "TLE"), ran(0, "sample/1", "AC"),
		judged(0, "accepted/a.go", "TLE", "sample/1", "secret/1"),
		judged(0, "accepted/a.go", "AC", "sample/1"), // runs after the deciding case do not count
		&Line{Begun: &BegunLine{Limits: problem.Limits{Time: 2e9}}})
	d, err := read(t, e).Document()
	if err != nil {
		t.Fatal(err)
	}
	want := "accepted/a.go AC as expected: sample/1 AC\naccepted/b.go  unfinished: \n"
	if got := summary(&d.Problems[0]); got != want || d.Problems[0].Limits.Time != 2*time.Second {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestKilledAtAnyByte cuts a file after every byte: the complete lines can be read.
func TestKilledAtAnyByte(t *testing.T) {
	folder := t.TempDir()
	full := store(t, folder, head(), begun, ran(0, "sample/1", "AC"), ran(0, "secret/1", "AC"),
		judged(0, "accepted/a.go", "AC", "sample/1", "secret/1"), &Line{End: &End{Runs: 2}})
	text, err := os.ReadFile(full.Path)
	if err != nil {
		t.Fatal(err)
	}
	first := slices.Index(text, '\n') + 1
	for n := 0; n <= len(text); n++ {
		if err := os.WriteFile(full.Path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := full.Read()
		g, summaryErr := full.Summary()
		if n < first {
			if err == nil || summaryErr == nil {
				t.Fatalf("%d bytes, less than the head, were read", n)
			}
			continue
		}
		if err != nil || summaryErr != nil {
			t.Fatalf("%d bytes: %v, %v", n, err, summaryErr)
		}
		state := Killed
		if n == len(text) {
			state = Ended
		}
		lines := strings.Count(string(text[:n]), "\n{\"run\":") // started lines of runs
		if !strings.HasSuffix(string(text[:n]), "\n") && strings.HasPrefix(string(text[strings.LastIndex(string(text[:n]), "\n")+1:n]), `{"run":`) {
			lines-- // the last line is incomplete
		}
		if c.State != state || g.State != state || g.End.Runs != lines {
			t.Fatalf("%d bytes: %s and %s, expected %s; %d runs, expected %d", n, c.State, g.State, state, g.End.Runs, lines)
		}
		if _, err := c.Document(); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

func TestDamageIsTold(t *testing.T) {
	trial := `{"trial":{"verdict":"AC"}}`
	tests := []struct{ fact, line, want string }{
		{"no JSON", `{"run":{"cas`, ":2: jsontext: invalid character '\\n' in string"},
		{"zeros of a lost block", strings.Repeat("\x00", 40), ":2: jsontext: invalid character '\\x00'"},
		{"a value of another kind", `{"run":{"problem":"sum"}}`, `:2: JSON at "/run/problem": found a string, expected an integer of at most 64 bits`},
		{"a second head", `{"head":{"schema":1}}`, ":2: a second head"},
		{"a run of no submission", `{"run":{"submission":2}}`, ":2: submission 2 of problem 0: there is none in the head"},
		{"a run of a negative problem", `{"run":{"problem":-1}}`, ":2: submission 0 of problem -1: there is none in the head"},
		{"a submission without its runs", `{"submission":{"name":"a.go","runs":["secret/1"]}}`, ":2: submission a.go: no run on secret/1"},
		{"judging of no problem", `{"begun":{"problem":1}}`, ":2: problem 1: there are 1"},
		{"something after the end", `{"end":{}}` + "\n" + trial, ":3: a line after the end"},
	}
	for _, tt := range tests {
		e := store(t, t.TempDir(), head())
		f, err := os.OpenFile(e.Path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(tt.line + "\n")
		f.Close()
		if _, err := e.Read(); err == nil || !strings.HasPrefix(err.Error(), e.Path+tt.want) {
			t.Errorf("%s: error %v, expected FILE%s", tt.fact, err, tt.want)
		}
	}
}

func TestHeadsOfOthersAreRefused(t *testing.T) {
	tests := []struct{ fact, text, want string }{
		{"nothing", "", ":1: nothing is in it: its judge was killed at once"},
		{"no line", `{"head":{"schema":1}}`, ":1: nothing is in it: its judge was killed at once"},
		{"no head", `{"end":{}}` + "\n", ":1: expected the head of a stored run"},
		{"no object", "hello\n", ":1: expected the head of a stored run"},
		{"a newer schema", `{"head":{"schema":2}}` + "\n", ":1: schema 2: expected 1"},
	}
	for _, tt := range tests {
		file := filepath.Join(t.TempDir(), "given.jsonl")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		e, err := FindCall(t.TempDir(), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range []func() error{
			func() error { _, err := e.Head(nil); return err },
			func() error { _, err := e.Summary(); return err },
			func() error { _, err := e.Read(); return err },
		} {
			if err := read(); err == nil || err.Error() != file+tt.want {
				t.Errorf("%s: error %v, expected FILE%s", tt.fact, err, tt.want)
			}
		}
	}
}

// Readers ignore lines and keys that a newer judge adds.
func TestUnknownLinesAreLeftOut(t *testing.T) {
	e := store(t, t.TempDir(), head())
	f, err := os.OpenFile(e.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"weather":{"sun":true}}` + "\n" + `{"end":{"status":0,"mood":"good"}}` + "\n")
	f.Close()
	if c := read(t, e); c.State != Ended {
		t.Errorf("state %s, expected %s", c.State, Ended)
	}
}

func TestTwoJudgesAtOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "made", "by", "both")
	var wg sync.WaitGroup
	const judges, cases = 8, 50
	for range judges {
		wg.Go(func() {
			w, err := CreateLog(folder, head())
			if err != nil {
				t.Error(err)
				return
			}
			var runs sync.WaitGroup
			for i := range cases {
				runs.Go(func() {
					if err := w.Write(ran(0, fmt.Sprint("secret/", i), "AC")); err != nil {
						t.Error(err)
					}
				})
			}
			runs.Wait()
			w.Write(&Line{End: &End{Runs: cases}})
			w.Close()
		})
	}
	wg.Wait()
	entries, err := Calls(folder)
	if err != nil || len(entries) != judges {
		t.Fatalf("%d calls, error %v; expected %d", len(entries), err, judges)
	}
	for _, e := range entries {
		if c := read(t, e); c.State != Ended || len(c.problems[0].submissions[0].runs) != cases {
			t.Errorf("%s has %d runs, expected %d", c.State, len(c.problems[0].submissions[0].runs), cases)
		}
	}
}

func TestGoingOnIsTold(t *testing.T) {
	if runtime.GOOS != "windows" && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("no locks here")
	}
	folder := t.TempDir()
	w, err := CreateLog(folder, head())
	if err != nil {
		t.Fatal(err)
	}
	e, err := FindCall(folder, w.ID)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // a test of the lock does not release it
		if g, err := e.Summary(); err != nil || g.State != GoingOn {
			t.Errorf("state %s, error %v; expected %s", g.State, err, GoingOn)
		}
	}
	if c := read(t, e); c.State != GoingOn {
		t.Errorf("state %s, expected %s", c.State, GoingOn)
	}
	if err := RemoveCall(e); err == nil || !strings.Contains(err.Error(), "it goes on") {
		t.Errorf("removing it: error %v", err)
	}
	w.Close()
	if c := read(t, e); c.State != Killed {
		t.Errorf("state %s, expected %s", c.State, Killed)
	}
	if err := RemoveCall(e); err != nil {
		t.Error(err)
	}
}

func TestFilesAreForTheirOwner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are kept otherwise here")
	}
	folder := filepath.Join(t.TempDir(), "runs")
	e := store(t, folder, head())
	for name, want := range map[string]os.FileMode{folder: 0o700, e.Path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, error %v; expected %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestAfterAFailureNothingIsWritten(t *testing.T) {
	w, err := CreateLog(t.TempDir(), head())
	if err != nil {
		t.Fatal(err)
	}
	w.f.Close() // makes writes fail, as on a full disk
	first := w.Write(ran(0, "sample/1", "AC"))
	if first == nil || !errors.Is(w.Write(ran(0, "secret/1", "AC")), first) || !errors.Is(w.Write(&Line{Sections: Sections{trialLine: 1}}), first) {
		t.Errorf("error %v, and others after it", first)
	}
}
