package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
)

// runOn makes the runs of a package on the server, as a call of judge run --on does.
func (w *web) runOn(dir string, submissions ...string) []*judge.Report {
	w.t.Helper()
	c, err := client.New(w.URL, submitSecret)
	if err != nil {
		w.t.Fatal(err)
	}
	j := &judge.Judge{Cache: testkit.Cache(w.t), Jobs: 2, Executor: remote.Agree(&remote.Executor{Packer: &remote.Packer{Judge: "test", Send: c.Upload}, Pool: c})}
	defer j.Close()
	p, err := problem.OpenDir(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	defer p.Close()
	all := p.Submissions
	if len(submissions) > 0 {
		all = nil
		for _, name := range submissions {
			all = append(all, p.SubmissionNamed(name))
		}
	}
	return j.RunAll(w.t.Context(), all, p.Cases)
}

// A call of judge run --on is one row in the list of runs, with the problem, the submission, its
// owner and its result, also after the server was started again, and its pages show what those
// of other runs do.
func TestCallsOnTheServer(t *testing.T) {
	testkit.Needs(t, "bash")
	root, dir := t.TempDir(), t.TempDir()
	for name, text := range echo {
		write(t, filepath.Join(root, "echo", filepath.FromSlash(name)), text)
	}
	other := filepath.Join(t.TempDir(), "unknown")
	if err := os.CopyFS(other, os.DirFS(filepath.Join(root, "echo"))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(other, "submissions/accepted/wrong.sh"), "if then <b>\n")
	t.Run("first", func(t *testing.T) {
		w := newWebOf(t, root, dir, nil)
		w.runOn(filepath.Join(root, "echo"))
		w.runOn(filepath.Join(root, "echo"), "wrong_answer/1.sh")
		w.runOn(other, "accepted/cat.sh", "accepted/wrong.sh")
	})
	w := newWebOf(t, root, dir, nil)
	w.login()
	_, text := w.get("/runs")
	rows := regexp.MustCompile(`(?s)<tr><th scope="row"><a href="(/runs/[^"]+)">([^<]+)</a><span class="id">(.*?)</tr>`).FindAllStringSubmatch(text, -1)
	if len(rows) != 3 {
		t.Fatalf("three calls are %d rows: %s", len(rows), text)
	}
	for i, want := range [][]string{
		{"unknown", "Submissions of the package", ">1 of 2 not as expected<", ">ann<"},
		{"Echo &lt;img", "wrong_<wbr>answer/<wbr>1.sh", `class="cell WA">WA<`, ">Wrong answer<", ">ann<"},
		{"Echo &lt;img", "Submissions of the package", ">as expected<", ">ann<"},
	} {
		for _, one := range want {
			if !strings.Contains(rows[i][0], one) || !strings.HasPrefix(rows[i][2], want[0]) {
				t.Errorf("row %d without %q: %s", i, one, rows[i][0])
			}
		}
	}
	// The package of one call is not on the server.
	_, text = w.get(rows[0][1])
	for _, want := range []string{"unknown", "syntax error", "What the compiler wrote", "accepted/<wbr>cat.sh", `<b data-count="runs">3</b>`, `>AC</a>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the run of a package that the server lacks has no %q: %s", want, text)
		}
	}
	if strings.Contains(text, "/problems/unknown") || strings.Contains(text, "Judge again") {
		t.Errorf("the run of a package that the server lacks has links that lead nowhere: %s", text)
	}
	_, text = w.get(rows[1][1] + "/0")
	if !strings.Contains(text, ">Wrong answer<") || !strings.Contains(text, `/0/0">sample/1: line 1, column 1: got`) || !strings.Contains(text, "document.title=") {
		t.Errorf("the program: %s", text)
	}
	_, text = w.get(rows[1][1] + "/0/0")
	if !strings.Contains(text, "Wrong answer") || !strings.Contains(text, "CPU time") || strings.Contains(text, "Run again") {
		t.Errorf("the test: %s", text)
	}
	if status, _ := w.post(rows[1][1]+"/0/0", map[string][]string{}); status != 409 {
		t.Errorf("to run a test again: status %d, expected 409", status)
	}
	if status, text := w.get(rows[2][1] + "/report"); status != 200 || !strings.Contains(text, "exit.sh") {
		t.Errorf("the report: status %d, %.300s", status, text)
	}
	if _, text := w.get("/problems"); !strings.Contains(text, rows[1][1]) {
		t.Errorf("the last run of the problem is not that of the call: %s", text)
	}
	// A new call removes old ones, and no other run.
	old, page, last := filepath.Join(dir, "pages/runs/20200101-000000-AAAAAAAA.json"), filepath.Join(dir, "pages/runs/20200101-000000-BBBBBBBB.json"), filepath.Join(dir, "pages", rows[0][1]+".jsonl")
	write(t, old, "{}")
	write(t, old+"l", "")
	write(t, page, "{}")
	w.site.Keep = 24 * time.Hour
	w.runOn(other, "accepted/cat.sh")
	for name, want := range map[string]bool{old: false, old + "l": false, page: true, last: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, expected %v", name, err == nil, want)
		}
	}
	// So do calls whose logs are large together.
	w.site.MostLogs = 1
	w.runOn(other, "accepted/cat.sh")
	for name, want := range map[string]bool{page: true, last: false} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("with little room %s is there: %v, expected %v", name, err == nil, want)
		}
	}
}

// While a call is under way, the list, its page and the queue say so, and its rows are those of
// its work items.
func TestCallUnderWay(t *testing.T) {
	hold := make(chan struct{})
	w := newWeb(t, hold)
	w.login()
	done := make(chan []*judge.Report)
	go func() { done <- w.runOn(filepath.Join(w.root, "echo"), "accepted/cat.sh") }()
	w.until("/runs", `<span class="doubt">running</span>`)
	text := w.until("/queue", "0 tests done")
	at := regexp.MustCompile(`<a href="(/runs/[^"]+)">accepted/<wbr>cat.sh</a>`).FindStringSubmatch(text)
	if at == nil {
		t.Fatalf("the queue is %s", text)
	}
	w.until(at[1], `hx-trigger="every 2s"`)
	close(hold)
	if reports := <-done; reports[0].Verdict != problem.Accepted {
		t.Errorf("the report is %+v", reports[0])
	}
	if text := w.until(at[1], ">Accepted<"); strings.Contains(text, "every 2s") || strings.Count(text, `class="AC0`) != 3 {
		t.Errorf("after its end, the run is %s", text)
	}
	w.until("/queue", "Nothing is being judged.")
}
