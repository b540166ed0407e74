package page_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"crucible/judge"
	"crucible/judge/internal/browser"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// stored writes a call to a folder of the history and returns its id.
func stored(t *testing.T, folder, command string, lines ...*record.Line) string {
	t.Helper()
	h := &record.Head{Command: command, Problems: []record.ProblemHead{{ID: "echo", Cases: []record.CaseHead{{Name: "sample/1"}, {Name: "secret/2"}}, Submissions: []record.SubmissionHead{{Name: "accepted/cat.sh", Language: "bash"}, {Name: "accepted/slow.sh", Language: "bash"}}}}}
	w, err := record.CreateLog(folder, h)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, l := range append(lines, &record.Line{End: &record.End{}}) {
		if l.Run != nil {
			runs++
		} else if l.End != nil {
			l.End.Runs = runs
		}
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return h.ID
}

// verified is the line of a call of judge verify that checked 9 promises.
func verified(key string, broken int) *record.Line {
	v := map[string]any{"problem": 0, "key": key, "checked": 9, "broken": broken, "doubtful": 0}
	return &record.Line{Sections: record.Sections{record.PromisesKey: v}}
}

// judgedAs returns the lines of two submissions on both cases, ten times of about cpu
// each: one has the verdict, the other one is accepted.
func judgedAs(v problem.Verdict, cpu time.Duration) []*record.Line {
	all := []*record.Line{{Begun: &record.BegunLine{}}}
	for i, name := range []string{"accepted/cat.sh", "accepted/slow.sh"} {
		verdict := []problem.Verdict{v, problem.Accepted}[i]
		for _, of := range []string{"sample/1", "secret/2"} {
			run := judge.Run{Case: of, Verdict: verdict}
			for k := range 10 {
				run.Times = append(run.Times, sandbox.Outcome{CPU: cpu + time.Duration(k)*50*time.Microsecond, Wall: cpu})
			}
			run.Outcome = run.Times[9]
			all = append(all, &record.Line{Run: &record.RunLine{Submission: i, Run: run}})
		}
		all = append(all, &record.Line{Submission: &record.SubmissionLine{Submission: i, Runs: []string{"sample/1", "secret/2"}, Report: judge.Report{Problem: "echo", Submission: name, Language: "bash", Verdict: verdict}}})
	}
	return all
}

// The list of problems has what the newest judge verify found, and two calls of the history
// are compared by a form and by a link.
func TestHistory(t *testing.T) {
	testkit.InMatrix(t)
	w := newWeb(t, nil)
	w.login()
	if _, text := w.get("/problems"); !strings.Contains(text, "none stored") {
		t.Errorf("no call of judge verify: %s", text)
	}
	w = newWeb(t, nil)
	w.site.History = t.TempDir()
	old := stored(t, w.site.History, "run", judgedAs(problem.Accepted, 20*time.Millisecond)...)
	stored(t, w.site.History, "verify", verified("", 2))
	key := record.PackageDigest(os.DirFS(filepath.Join(w.root, "echo")))
	last := stored(t, w.site.History, "verify", verified(key, 0))
	now := stored(t, w.site.History, "run", judgedAs(problem.WrongAnswer, 30*time.Millisecond)...)
	w.login()
	if _, text := w.get("/problems"); !strings.Contains(text, `<a class="good" href="/history/`+last+`">all 9 hold</a>`) {
		t.Errorf("the checks of the newest call: %s", text)
	} else if !regexp.MustCompile(`<a href="/history/` + now + `">[^<]*</a>, <span`).MatchString(text) {
		t.Errorf("the last run, which judge run made: %s", text)
	}
	// The time of a file is that of a copy; its content decides.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(w.root, "echo", "problem.yaml"), later, later); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.root, "echo", "data", "secret", ".notes"), "ignored")
	if _, text := w.get("/problems"); !strings.Contains(text, `>all 9 hold</a>`) {
		t.Errorf("the checks of a copy of the package: %s", text)
	}
	statement := filepath.Join(w.root, "echo", "statement", "problem.en.md")
	write(t, statement, "Repeat it.\n")
	past := time.Now().Add(-1000 * time.Hour)
	if err := os.Chtimes(statement, past, past); err != nil {
		t.Fatal(err)
	}
	if _, text := w.get("/problems"); !strings.Contains(text, `<a class="doubt" href="/history/`+last+`">all 9 hold, changed since</a>`) {
		t.Errorf("the checks of a package that has changed: %s", text)
	}
	if status, _ := w.get("/history/compare?a=" + old + "&b=" + last); status != 422 {
		t.Errorf("a call without runs: status %d", status)
	}
	if status, _ := w.get("/history/compare?a=" + old + "&b=../x"); status != 404 {
		t.Errorf("no call: status %d", status)
	}

	b := browser.Start(t)
	b.Look(1280, "light")
	b.Visit(w.URL + w.site.LoginPath())
	for _, way := range []string{"form.filter button", "a[href='/history/compare?a=" + old + "&b=" + now + "']"} {
		b.Visit(w.URL + "/history") // an address of before
		b.Picture("runs-and-calls")
		b.Do(chromedp.Click(way, chromedp.ByQuery))
		b.Until("location.pathname === '/history/compare' && document.querySelector('main table')")
		var text string
		b.Eval("document.querySelector('main').innerText", &text)
		if !regexp.MustCompile(`REGRESSION, WA\s+accepted/cat\.sh`).MatchString(text) || !regexp.MustCompile(`REGRESSION, 1\.49x\s+accepted/slow\.sh\s+2\s+20\.2 ms\s+30\.2 ms\s+1\.494\s+1\.\d+–1\.\d+`).MatchString(text) {
			t.Errorf("by %s: %s", way, text)
		}
	}
	b.Picture("history-compare")
	accessible(t, b, axe(t), "/history/compare")
	for _, c := range b.Complaints(w.URL, "data:") {
		t.Error(c)
	}
}

// The queue shows a judgement that has not ended. On paper a page has no menus and forms.
func TestQueueAndPaper(t *testing.T) {
	testkit.InMatrix(t)
	hold := make(chan struct{})
	w := newWeb(t, hold)
	w.login()
	_, run := w.post("/runs", map[string][]string{"problem": {"echo"}, "submission": {"accepted/cat.sh"}})
	b := browser.Start(t)
	b.Look(1280, "light")
	b.Visit(w.URL + w.site.LoginPath())
	b.Visit(w.URL + "/queue")
	var rows int
	var text string
	b.Eval("document.querySelectorAll('main tbody tr').length", &rows)
	b.Eval("document.querySelector('main').innerText", &text)
	if rows != 1 || !strings.Contains(text, "Echo") || !strings.Contains(text, "ann") {
		t.Errorf("the queue has %d rows: %s", rows, text)
	}
	b.Picture("queue-busy")
	close(hold)
	w.until(run, `<b data-count="ended">1</b> of 1 judged`)
	w.until("/queue", "Nothing is being judged.")

	b.Visit(w.URL + run)
	const shown = "[...document.querySelectorAll('.bar nav, .who, form, main > .actions')].filter(e => e.getClientRects().length).length"
	var screen, paper, cells int
	b.Eval(shown, &screen)
	b.Do(emulation.SetEmulatedMedia().WithMedia("print"))
	b.Eval(shown, &paper)
	b.Eval("[...document.querySelectorAll('.heat td a')].filter(e => e.getClientRects().length).length", &cells)
	if screen == 0 || paper != 0 || cells != 3 {
		t.Errorf("%d menus and forms on a screen, %d on paper with %d cells: expected some, 0 and 3", screen, paper, cells)
	}
	b.Picture("paper")
}
