package page_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"crucible/judge/internal/browser"
	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
)

//go:embed testdata/axe.min.js.gz
var axePacked []byte

// axe returns the source of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(axePacked))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A violation is what axe-core found.
type violation struct {
	ID, Impact, Help string
	Nodes            []struct {
		HTML           string
		FailureSummary string
	}
}

// accessible reports the violations of WCAG 2.2, level A and AA, of the page.
func accessible(t *testing.T, b *browser.Tab, script, name string) {
	t.Helper()
	var found []violation
	b.Do(chromedp.Evaluate(script+";0", nil))
	b.Eval(`axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations']}).then(r => JSON.parse(JSON.stringify(r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.slice(0, 3).map(n => ({HTML: n.html.slice(0, 300), FailureSummary: n.failureSummary}))})))))`, &found)
	for _, v := range found {
		text, _ := json.Marshal(v.Nodes)
		t.Errorf("%s: %s: %s: %.900s", name, v.ID, v.Help, text)
	}
}

// looks are how the pages are shown: all ways where artifacts are kept, as in CI, and the
// first one elsewhere, because each takes seconds.
func looks() []look {
	all := []look{{"light", 1280, "light"}, {"dark", 1280, "dark"}, {"phone", 390, "light"}}
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return all[:1]
	}
	return all
}

type look struct {
	name   string
	width  int64
	scheme string
}

// Each page is shown without a complaint of the browser, has no violation of WCAG A or AA
// on light, dark and narrow screens, does not run what programs and packages wrote, and
// does not scroll sideways.
func TestPagesInABrowser(t *testing.T) {
	testkit.InMatrix(t)
	w := newWeb(t, nil)
	b := browser.Start(t)
	b.Visit(w.URL + "/login")
	script := axe(t)
	accessible(t, b, script, "/login")
	b.Picture("login")
	b.Visit(w.URL + w.site.LoginPath())
	w.login()
	_, run := w.post("/runs", url.Values{"problem": {"echo"}, "submissions": {"all"}})
	w.until(run, "of 3 judged, tests run: <b data-count=\"runs\">9</b>")
	_, uploaded := w.post("/runs", url.Values{"problem": {"echo"}, "text": {"cat # " + hostile}, "name": {"<b>'\".sh"}, "language": {"bash"}})
	w.until(uploaded, `<b data-count="ended">1</b>`)
	id := strings.TrimPrefix(run, "/runs/")
	for name, path := range map[string]string{
		"problems": "/problems", "statement": "/problems/echo", "cases": "/problems/echo/cases", "case": "/problems/echo/cases/secret/2",
		"submissions": "/problems/echo/submissions", "source": "/problems/echo/submissions/wrong_answer/1.sh", "validators": "/problems/echo/validators",
		"problem-runs": "/problems/echo/history", "submit": "/problems/echo/submit?submission=wrong_answer/1.sh",
		"runs": "/runs", "run": run, "uploaded": uploaded, "row": run + "/2", "cell": run + "/2/1",
		"compare": "/compare?a=" + id + "/0&b=" + id + "/2", "compare-runs": "/compare?a=" + id + "&b=" + id, "workers": "/workers", "queue": "/queue",
	} {
		t.Run(name, func(t *testing.T) {
			b.As(t)
			for _, look := range looks() {
				b.Look(look.width, look.scheme)
				b.Visit(w.URL + path)
				b.Picture("page-" + name + "-" + look.name)
				var wide bool
				b.Eval("document.documentElement.scrollWidth > innerWidth", &wide)
				if wide {
					t.Errorf("%s, %s: the page is wider than the window", path, look.name)
				}
				for _, c := range b.Complaints(w.URL, "data:") {
					t.Errorf("%s, %s: %s", path, look.name, c)
				}
				accessible(t, b, script, path+", "+look.name)
			}
			var title, scheme string
			b.Eval("document.title", &title)
			b.Eval("location.protocol", &scheme)
			if title == "owned" || scheme != "http:" {
				t.Errorf("%s ran a script of a package or a program", path)
			}
		})
	}
}

// Flows of a visitor with JavaScript: verdicts arrive while the page is shown, the filter
// replaces the table only, a dropped file and the editor are judged, a case is run again.
func TestFlowsInABrowser(t *testing.T) {
	hold := make(chan struct{})
	w := newWeb(t, hold)
	b := browser.Start(t)
	b.Look(1280, "light")
	b.Visit(w.URL + w.site.LoginPath())

	b.Visit(w.URL + "/problems/echo/submissions")
	b.Do(chromedp.Click("form.inline button", chromedp.ByQuery), chromedp.WaitVisible("#matrix", chromedp.ByQuery))
	var cells int
	b.Eval("document.querySelectorAll('.heat td a').length", &cells)
	if cells != 0 {
		t.Fatalf("%d cells have a verdict before anything was run", cells)
	}
	b.Eval("globalThis.same = 1", nil)
	close(hold)
	b.Until("document.querySelectorAll('.heat td a').length === 9 && document.documentElement.dataset.ended === 'true'")
	b.Picture("flow-live")
	var same int
	b.Eval("globalThis.same", &same)
	if same != 1 {
		t.Error("the page was loaded again: expected that verdicts are filled in")
	}
	b.Do(chromedp.SendKeys("#q", "exit", chromedp.ByQuery))
	b.Until("document.querySelectorAll('.heat tbody tr').length === 1 && location.search.includes('q=exit')")
	b.Eval("globalThis.same", &same)
	if same != 1 {
		t.Error("the filter loaded the page again")
	}
	b.Do(chromedp.Click(".heat td a", chromedp.ByQuery), chromedp.WaitVisible(".cell.big", chromedp.ByQuery))
	var word string
	b.Eval("document.querySelector('.cell.big').textContent", &word)
	if word != "RTE" {
		t.Errorf("the cell of exit.sh shows %q", word)
	}

	// A dropped file. The browser cannot drag from outside; the event is the same.
	b.Visit(w.URL + "/problems/echo")
	b.Eval(`(() => { const data = new DataTransfer(); data.items.add(new File(['cat\n'], 'dropped.sh')); dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})); })()`, nil)
	b.Until("location.pathname.startsWith('/runs/') && document.querySelectorAll('.heat td.AC0 a').length === 3")
	b.Picture("flow-dropped")

	// The editor: Ctrl+Enter judges on the samples.
	b.Visit(w.URL + "/problems/echo/submit?submission=accepted/cat.sh")
	b.Do(chromedp.Focus("#text", chromedp.ByQuery))
	b.Eval(`document.getElementById('text').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', ctrlKey: true, bubbles: true}))`, nil)
	b.Until("location.pathname.startsWith('/runs/') && document.querySelectorAll('.heat td.AC0 a').length === 1")
	for _, c := range b.Complaints(w.URL, "data:") {
		t.Error(c)
	}

	// A file that is chosen with a name of markup.
	file := filepath.Join(t.TempDir(), "a'&<b>.sh")
	if err := os.WriteFile(file, []byte("echo '"+hostile+"'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.Visit(w.URL + "/problems/echo/submit")
	b.Do(chromedp.SetUploadFiles("#file", []string{file}, chromedp.ByQuery), chromedp.Click("form.drop button", chromedp.ByQuery))
	b.Until("location.pathname.startsWith('/runs/')")
	b.Until("document.title !== 'owned' && document.querySelector('#matrix')")
}

// timeFilter types into the filter, and counts milliseconds until what it shows is painted.
const timeFilter = `new Promise(done => {
	const q = document.getElementById('q');
	const began = performance.now();
	document.body.addEventListener('htmx:afterSettle', () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))), {once: true});
	q.value = %q;
	q.dispatchEvent(new Event('input', {bubbles: true}));
})`

// slowestFrame scrolls through the page and counts milliseconds between frames.
const slowestFrame = `(async () => {
	const frame = () => new Promise(done => requestAnimationFrame(done));
	let slowest = 0, last = await frame();
	for (let y = 0; y < document.documentElement.scrollHeight; y += 300) {
		scrollTo(0, y);
		const now = await frame();
		slowest = Math.max(slowest, now - last);
		last = now;
	}
	return slowest;
})()`

// BenchmarkMatrix measures a run of 500 programs on 300 cases in a browser: the first
// page, scrolling through it, and the filter.
func BenchmarkMatrix(b *testing.B) {
	root := b.TempDir()
	for name, text := range echo {
		if !strings.HasPrefix(name, "data/secret/") {
			write(b, filepath.Join(root, "echo", name), text)
		}
	}
	for i := range 299 {
		write(b, filepath.Join(root, fmt.Sprintf("echo/data/secret/%03d.in", i)), "1\n")
		write(b, filepath.Join(root, fmt.Sprintf("echo/data/secret/%03d.ans", i)), "1\n")
	}
	dir := b.TempDir()
	w := newWebOf(b, root, dir, nil)
	w.login()
	run := manyRows(b, dir)
	tab := browser.Start(b)
	tab.Look(1280, "light")
	tab.Visit(w.URL + w.site.LoginPath())
	for b.Loop() {
		var load, frame, filter float64
		tab.Visit(w.URL + run)
		tab.Eval("performance.getEntriesByType('navigation')[0].loadEventEnd", &load)
		b.ReportMetric(load, "ms/load")
		tab.Eval(slowestFrame, &frame)
		b.ReportMetric(frame, "ms/frame")
		began := time.Now()
		_, text := w.get(run)
		b.ReportMetric(time.Since(began).Seconds()*1000, "ms/answer")
		b.ReportMetric(float64(len(text)), "B/answer")
		for i, q := range []string{"row-1", "row-49", ""} {
			busy := tab.Busy()
			tab.Eval(fmt.Sprintf(timeFilter, q), &filter)
			b.ReportMetric(filter, fmt.Sprintf("ms/filter%d", i))
			b.ReportMetric((tab.Busy()-busy)*1000, fmt.Sprintf("cpu-ms/filter%d", i))
		}
	}
}

// BenchmarkFirstRow measures the time from the first verdict of a run, when the judgement
// has it, to the cell in the page.
func BenchmarkFirstRow(b *testing.B) {
	hold := make(chan struct{}, 1<<10)
	w := newWeb(b, hold)
	w.login()
	tab := browser.Start(b)
	tab.Visit(w.URL + w.site.LoginPath())
	var all []float64
	for b.Loop() {
		_, run := w.post("/runs", url.Values{"problem": {"echo"}, "submission": {"accepted/cat.sh"}})
		tab.Visit(w.URL + run)
		tab.Eval(`(() => { const seen = new MutationObserver(() => { if (document.querySelector('.heat td a')) { globalThis.at = globalThis.at || Date.now(); } }); seen.observe(document.querySelector('.heat'), {childList: true, subtree: true}); })()`, nil)
		id := w.s.Live()[0].ID
		verdict := make(chan time.Time)
		go func() {
			for {
				_, runs, changed, err := w.s.Look(api.Whole, id, 0)
				if err != nil || len(runs) > 0 || changed == nil {
					verdict <- time.Now()
					return
				}
				<-changed
			}
		}()
		hold <- struct{}{}
		first := <-verdict
		tab.Until("globalThis.at")
		var at float64
		tab.Eval("globalThis.at", &at)
		all = append(all, max(0, at-float64(first.UnixMicro())/1000))
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], "ms/median")
	b.ReportMetric(all[len(all)-1], "ms/slowest")
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// manyRows stores a run of 500 programs on 300 cases as a server does, and returns its
// address.
func manyRows(t testing.TB, dir string) string {
	t.Helper()
	cases := make([]string, 300)
	for i := range cases {
		cases[i] = fmt.Sprintf("secret/%03d", i)
	}
	var rows []map[string]any
	for i := range 500 {
		id := strings.ReplaceAll(fmt.Sprintf("%026d", i), "0", "A")
		id = strings.NewReplacer("1", "B", "8", "C", "9", "D").Replace(id)
		var b strings.Builder
		for c, name := range cases {
			verdict := "AC"
			if (i*7+c)%23 == 0 {
				verdict = "WA"
			}
			fmt.Fprintf(&b, `{"case":%q,"verdict":%q,"why":"","cpu_ns":%d,"wall_ns":1000000,"memory_bytes":4194304,"error":""}`+"\n", name, verdict, 1_000_000*(1+(i+c)%1500))
		}
		fmt.Fprintf(&b, `{"id":%q,"state":"ended","problem":"echo","created_at":"2026-01-01T00:00:00Z","ended_at":"2026-01-01T00:00:01Z","verdict":"WA","record":{"id":"echo","submissions":[{"name":"x","as_expected":false}]}}`+"\n", id)
		fmt.Fprintf(&b, "%x\n", sha256.Sum256([]byte(b.String())))
		write(t, filepath.Join(dir, "problems/judgements", id[:2], id+".jsonl"), b.String())
		rows = append(rows, map[string]any{"name": fmt.Sprintf("row-%03d.sh", i), "judgement": id})
	}
	const id = "20260101-000000-AAAAAAAA"
	data, err := json.Marshal(map[string]any{"id": id, "problem": "echo", "by": "ann", "created_at": "2026-01-01T00:00:00Z", "cases": cases, "limit_ns": 2_000_000_000, "rows": rows})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "pages/runs", id+".json"), string(data))
	return "/runs/" + id
}
