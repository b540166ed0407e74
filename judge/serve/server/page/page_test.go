package page_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"crucible/judge"
	"crucible/judge/internal/browser"
	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testnats"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server"
	"crucible/judge/serve/server/page"
	"crucible/judge/serve/server/queue"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// hostile is markup that runs a script if a page does not escape it.
const hostile = `"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`

// echo are the files of a problem, whose texts are markup.
var echo = map[string]string{
	"problem.yaml":                       "problem_format_version: 2025-09\nname: 'Echo <img src=x onerror=alert(1)>'\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 2}\n",
	"statement/problem.en.md":            "Repeat the input, $x^2$.\n\n<script>document.title='owned'</script>\n\n<svg onload=\"document.title='owned'\"></svg>\n\n[link](javascript:document.title='owned')\n\n<p style=\"position:fixed;inset:0\">over all</p>\n",
	"data/sample/1.in":                   "1\n",
	"data/sample/1.ans":                  "1\n",
	"data/secret/2.in":                   hostile + "\n",
	"data/secret/2.ans":                  hostile + "\n",
	"data/secret/3.in":                   "3\n",
	"data/secret/3.ans":                  "3\n",
	"submissions/accepted/cat.sh":        "cat\n",
	"submissions/wrong_answer/1.sh":      "echo '" + hostile + "'\necho '" + hostile + "' >&2\n",
	"submissions/run_time_error/exit.sh": "exit 3\n",
	"input_validators/v/validate.sh":     "cat >/dev/null; exit 42 # " + hostile + "\n",
}

const (
	submitSecret = "submit-0123456789abcdef"
	readSecret   = "read-0123456789abcdef"
)

// A pool executes items in this process.
type pool struct {
	remote.Here
	hold chan struct{} // items wait until it is closed; nil does not
}

func (p *pool) Slots(context.Context) (int, error) { return 2, nil }

func (p *pool) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	if p.hold != nil {
		select {
		case <-p.hold:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return p.Here.Do(ctx, i, line)
}

// A web is a server with pages.
type web struct {
	*httptest.Server
	t    testing.TB
	site *page.Site
	s    *server.Server
	http *http.Client
	root string // the folder of its problems
}

// newWeb starts a server with the problem echo. Hold makes all work wait until it is
// closed.
func newWeb(t testing.TB, hold chan struct{}) *web {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are of bash")
	}
	testkit.Needs(t, "bash")
	root := t.TempDir()
	for name, text := range echo {
		write(t, filepath.Join(root, "echo", filepath.FromSlash(name)), text)
	}
	return newWebOf(t, root, t.TempDir(), hold)
}

// newWebOf starts a server with the problems of a folder. It keeps its data in dir.
func newWebOf(t testing.TB, root, dir string, hold chan struct{}, change ...func(*server.Server)) *web {
	t.Helper()
	store, err := blob.Open(filepath.Join(dir, "blobs"), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	j := &judge.Judge{Cache: testkit.Cache(t), Jobs: 2}
	t.Cleanup(func() { j.Close() })
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	unpacker := &remote.Unpacker{Judge: "test", Store: store, Dir: t.TempDir()}
	t.Cleanup(unpacker.Close)
	p := &pool{Here: remote.Here{Unpacker: unpacker, Executor: j, Name: "a1"}, hold: hold}
	tokens := new(server.Tokens)
	tokens.Add("ann", submitSecret, server.Submit)
	tokens.Add("eve", readSecret, server.Read)
	s := &server.Server{Judge: "test", Pool: p, Store: store, Tokens: tokens, Log: slog.New(slog.DiscardHandler),
		Problems: &server.Problems{Folder: root, Dir: filepath.Join(dir, "problems"), Store: store, Judge: "test", Pool: p}}
	if s.State, err = queue.Start(t.Context(), queue.Options{Dir: filepath.Join(dir, "queue")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.State.Close)
	s.Problems.Sent = s.State.Bucket(server.PackageBucket)
	if err := s.Problems.Open(); err != nil {
		t.Fatal(err)
	}
	site := &page.Site{Judge: s, Dir: filepath.Join(dir, "pages"), Key: []byte("0123456789abcdef"), Local: "ann", Version: "test"}
	s.Pages, s.Watch = site.Handler(), site.Watch
	for _, f := range change {
		f(s)
	}
	at := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		s.Drain(ctx)
		at.CloseClientConnections()
		at.Close()
		s.Problems.Close()
	})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &web{at, t, site, s, &http.Client{Jar: jar}, root}
}

// get returns the status and the text of a page.
func (w *web) get(path string) (int, string) {
	w.t.Helper()
	return w.do(http.NewRequest("GET", w.URL+path, nil))
}

func (w *web) do(r *http.Request, err error) (int, string) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := w.http.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	w.http.CheckRedirect = nil
	return response.StatusCode, string(text)
}

var csrf = regexp.MustCompile(`name="csrf" value="([0-9a-f]+)"`)

// post sends a form with the token of the session and returns the address after it.
func (w *web) post(path string, form url.Values) (int, string) {
	w.t.Helper()
	_, text := w.get("/problems")
	if found := csrf.FindStringSubmatch(text); found != nil && !form.Has("csrf") {
		form.Set("csrf", found[1])
	}
	to := ""
	w.http.CheckRedirect = func(r *http.Request, _ []*http.Request) error { to = r.URL.Path; return nil }
	r, err := http.NewRequest("POST", w.URL+path, strings.NewReader(form.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	status, _ := w.do(r, err)
	return status, to
}

// login opens a login link.
func (w *web) login() {
	w.t.Helper()
	if status, text := w.get(w.site.LoginPath()); status != 200 || !strings.Contains(text, "ann") {
		w.t.Fatalf("a login link: status %d, %s", status, text)
	}
}

// until loads a page until it contains a text.
func (w *web) until(path, text string) string {
	w.t.Helper()
	end := time.Now().Add(time.Minute)
	for {
		_, got := w.get(path)
		if strings.Contains(got, text) {
			return got
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: expected %q, found %s", path, text, got)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Without JavaScript, forms and links submit, show, filter and repeat.
func TestFormsAndLinks(t *testing.T) {
	w := newWeb(t, nil)
	w.login()
	status, run := w.post("/runs", url.Values{"problem": {"echo"}, "submissions": {"all"}})
	if status != 200 || !strings.HasPrefix(run, "/runs/") {
		t.Fatalf("POST /runs: status %d, %s", status, run)
	}
	text := w.until(run, "<b data-count=\"ended\">3</b> of 3 judged")
	for _, want := range []string{"accepted/", "cat.sh", ">RTE</a>", ">WA</a>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %q", run, want)
		}
	}
	if strings.Contains(text, "not as expected</b>") || !strings.Contains(text, `<b data-count="bad">0</b>`) {
		t.Errorf("%s: expected all as expected", text)
	}
	_, text = w.get(run + "?q=exit&sort=name")
	if strings.Contains(text, "cat.sh") || !strings.Contains(text, "exit.sh") {
		t.Errorf("the filter exit shows %s", text)
	}
	_, text = w.get(run + "?verdict=RTE")
	if strings.Contains(text, "cat.sh") || !strings.Contains(text, "exit.sh") {
		t.Errorf("the filter RTE shows %s", text)
	}
	// The row of 1.sh, and its cells: the sample fails.
	at := regexp.MustCompile(`id="r(\d+)"><th scope="row"><a[^>]*>wrong_<wbr>answer/<wbr>1\.sh`).FindStringSubmatch(w.until(run, "1.sh"))
	if at == nil {
		t.Fatal("no row of 1.sh")
	}
	_, text = w.get(run + "/" + at[1] + "/0")
	for _, want := range []string{"Wrong answer", "Input", "Answer", "Output", "Standard error", "judge run -v echo wrong_answer/1.sh sample/1", "output, line 1, column 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of a cell has no %q: %s", want, text)
		}
	}
	if status, to := w.post(run+"/again", url.Values{}); status != 200 || to == run {
		t.Errorf("again: status %d, %s", status, to)
	}
	if _, text := w.get(run + "/report"); !strings.Contains(text, "exit.sh") {
		t.Errorf("the report is %s", text)
	}
	if _, text := w.get("/compare?a=" + strings.TrimPrefix(run, "/runs/") + "/0&b=" + strings.TrimPrefix(run, "/runs/") + "/" + at[1]); !strings.Contains(text, "verdicts that differ: ") {
		t.Errorf("the comparison is %s", text)
	}
}

// A run of one server, also one of a call of judge run --on, is shown and changed at the others;
// to whom it is hidden there, it is hidden here. That of a server that is gone is not found.
func TestRunsOfOtherServers(t *testing.T) {
	testkit.Needs(t, "bash")
	root, nats, hold := t.TempDir(), testnats.One(t), make(chan struct{})
	for name, text := range echo {
		write(t, filepath.Join(root, "echo", filepath.FromSlash(name)), text)
	}
	var all []*web
	var leave []func()
	for _, name := range []string{"a", "b"} {
		w := newWebOf(t, root, t.TempDir(), map[string]chan struct{}{"a": hold}[name], func(s *server.Server) {
			q, err := queue.Start(t.Context(), queue.Options{URL: nats, Name: name})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(q.Close)
			s.State, s.Cluster = q, &server.Cluster{Name: name, HTTP: new(http.Client)}
			s.Tokens.Add("sam", secretOf("sam"), server.Student)
		})
		w.s.Cluster.URL, w.site.Elsewhere = w.URL, w.s.Cluster.Elsewhere
		ctx, cancel := context.WithCancel(t.Context())
		left, err := w.s.Join(ctx)
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, func() { cancel(); <-left })
		t.Cleanup(leave[len(leave)-1])
		w.login()
		all = append(all, w)
	}
	a, b := all[0], all[1]
	for range 1000 {
		if len(a.s.Cluster.Living()) > 0 && len(b.s.Cluster.Living()) > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	// A session of one is one of the other: the cookies of a host are the same at all ports.
	_, run := a.post("/runs", url.Values{"problem": {"echo"}, "submissions": {"all"}})
	b.until(run, `<b data-count="ended">0</b> of 3 judged`)
	if _, list := b.get("/runs"); strings.Contains(list, run) {
		t.Errorf("the list of b has %s", run)
	}
	close(hold)
	r, err := http.NewRequest("GET", b.URL+run+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	if status, events := b.do(r, nil); status != 200 || !strings.Contains(events, `"end":true`) {
		t.Errorf("the events at b: status %d: %s", status, events)
	}
	if text := b.until(run, `<b data-count="ended">3</b> of 3 judged`); !strings.Contains(text, ">WA</a>") {
		t.Errorf("at b: %s", text)
	}
	header := func(w *web) http.Header {
		answer, err := w.http.Get(w.URL + run)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		answer.Header.Del("Date")
		return answer.Header
	}
	if there, here := header(a), header(b); !reflect.DeepEqual(there, here) {
		t.Errorf("the header at b: %v: expected %v, as at a", here, there)
	}
	status, again := b.post(run+"/again", url.Values{})
	if status != 200 || again == run || !strings.HasPrefix(again, "/runs/") {
		t.Errorf("again at b: status %d, %s", status, again)
	}
	a.until(again, `<b data-count="ended">3</b> of 3 judged`)
	if status, to := b.post(run+"/again", url.Values{"csrf": {"0"}}); status != 403 {
		t.Errorf("without the token of the form: status %d, %s: expected 403", status, to)
	}
	a.runOn(filepath.Join(root, "echo"), "wrong_answer/1.sh")
	_, list := a.get("/runs")
	call := regexp.MustCompile(`href="(/runs/[^"]+)"`).FindStringSubmatch(list)
	if _, text := b.get(call[1]); !strings.Contains(text, "wrong_<wbr>answer/<wbr>1.sh") {
		t.Errorf("the call at b: %s", text)
	}

	forged := strings.Replace(run, "/runs/2", "/runs/1", 1)
	for _, path := range []string{forged, "/runs/x", run + "/../../v1/server"} {
		if status, text := b.get(path); status != 404 && status != 401 {
			t.Errorf("%s: status %d: %s", path, status, text)
		}
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b.http = &http.Client{Jar: jar}
	if _, text := b.get(run); !strings.Contains(text, "Log in") {
		t.Errorf("without a session: %s", text)
	}
	if r, err = http.NewRequest("POST", b.URL+"/login", strings.NewReader("token="+secretOf("sam"))); err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	b.do(r, err)
	if status, text := b.get(run); status != 404 {
		t.Errorf("the run of ann for sam: status %d: %s", status, text)
	}
	b.http = a.http
	leave[0]()
	for range 1000 {
		if len(b.s.Cluster.Living()) == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if status, text := b.get(run); status != 404 {
		t.Errorf("after the end of a: status %d: %s", status, text)
	}
}

// guess are the files of an interactive problem.
var guess = map[string]string{
	"problem.yaml":                    "problem_format_version: 2025-09\nname: Guess\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791ce\ntype: interactive\nlimits: {time_limit: 2}\n",
	"statement/problem.en.md":         "Guess.\n",
	"data/secret/1.in":                "7\n",
	"data/secret/1.ans":               "7\n",
	"output_validator/validate.sh":    "read -r n <$1\necho 'higher <b>'\nread -r first\necho right\nread -r second\n[ $second = $n ] && exit 42\nexit 43\n",
	"input_validators/v.sh":           "exit 42\n",
	"submissions/accepted/seven.sh":   "read -r a\necho 5\nread -r b\necho 7\n",
	"submissions/wrong_answer/six.sh": "read -r a\necho 5\nread -r b\necho 6\n",
}

// The page of a cell of an interactive problem has the log of the interaction.
func TestInteraction(t *testing.T) {
	testkit.Needs(t, "bash")
	root := t.TempDir()
	for name, text := range guess {
		write(t, filepath.Join(root, "guess", filepath.FromSlash(name)), text)
	}
	w := newWebOf(t, root, t.TempDir(), nil)
	w.login()
	_, run := w.post("/runs", url.Values{"problem": {"guess"}, "submissions": {"all"}})
	w.until(run, `<b data-count="ended">2</b> of 2 judged`)
	_, text := w.get(run + "/1/0")
	for _, want := range []string{`<li class="judge"><span class="from">judge</span><code>higher &lt;b&gt;</code>`, `<li class="submission"><span class="from">submission</span><code>6</code>`, "Wrong answer"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if status, to := w.post(run+"/1/0", url.Values{}); status != 200 || to != run+"/1/0" {
		t.Errorf("run again: status %d, %s", status, to)
	}
	w.until(run+"/1/0", "This run was made again, with its output")

	b := browser.Start(t)
	b.Visit(w.URL + w.site.LoginPath())
	b.Visit(w.URL + run + "/1/0")
	var lines, shown int
	b.Eval("document.querySelectorAll('.dialogue li').length", &lines)
	b.Eval("(() => { document.querySelector('.stepper button').click(); return document.querySelectorAll('.dialogue li:not(.later)').length })()", &shown)
	if lines < 4 || shown != 1 {
		t.Errorf("the stepper shows %d of %d lines: expected the first one of 4 or more", shown, lines)
	}
	// Keys step, too.
	b.Do(chromedp.Focus(".dialogue", chromedp.ByQuery))
	for _, step := range []struct {
		key  string
		want int
	}{{kb.ArrowDown, 2}, {kb.ArrowRight, 3}, {kb.ArrowUp, 2}, {kb.End, lines}, {kb.ArrowRight, lines}, {kb.Home, 1}, {kb.ArrowLeft, 1}} {
		b.Do(chromedp.KeyEvent(step.key))
		if b.Eval("document.querySelectorAll('.dialogue li:not(.later)').length", &shown); shown != step.want {
			t.Errorf("after the key %q, the stepper shows %d lines: expected %d", step.key, shown, step.want)
		}
	}
}

// The page of a run shows what the compiler wrote and why the judge failed, escaped, also to
// those who may only read.
func TestReasonsOfRun(t *testing.T) {
	testkit.Needs(t, "bash")
	root := t.TempDir()
	for name, text := range echo {
		write(t, filepath.Join(root, "echo", filepath.FromSlash(name)), text)
	}
	write(t, filepath.Join(root, "echo/output_validator/v.sh"), "read -r got; [ \"$got\" = 4 ] && echo 'jury <b>3' >\"$3judgemessage.txt\" && exit 3; exit 42\n")
	w := newWebOf(t, root, t.TempDir(), nil)
	w.login()
	for _, c := range []struct{ program, word, want, cell string }{
		{"if then <b>\n", "CE", "syntax error", "was not run on this test: it does not compile."},
		{"echo 4\n", "JE", "exit status 3, expected 42 to accept or 43 to reject: jury &lt;b&gt;3", "jury &lt;b&gt;3"},
	} {
		_, run := w.post("/runs", url.Values{"problem": {"echo"}, "text": {c.program}, "language": {"bash"}})
		text := w.until(run, `<b data-count="ended">1</b> of 1 judged`)
		shown := strings.Contains(text, ">"+c.word+"</td>")
		if !shown || !strings.Contains(text, c.want) || strings.Contains(text, "<b>3") || strings.Contains(text, "then <b>") {
			t.Errorf("%q, without %s or %q: %s", c.program, c.word, c.want, text)
		}
		if _, text := w.get(run + "/0/0"); !strings.Contains(text, c.cell) || strings.Contains(text, "known before") {
			t.Errorf("%q, the page of a case, without %q: %s", c.program, c.cell, text)
		}
	}
}

// A program of the editor is judged on the samples alone; a wrong form says why.
func TestEditor(t *testing.T) {
	w := newWeb(t, nil)
	w.login()
	status, run := w.post("/runs", url.Values{"problem": {"echo"}, "text": {"cat\r\n"}, "language": {"bash"}, "cases": {"samples"}})
	if status != 200 {
		t.Fatal(status)
	}
	if text := w.until(run, `<b data-count="ended">1</b> of 1 judged`); !strings.Contains(text, "1 test") || !strings.Contains(text, ">AC</a>") {
		t.Errorf("the run is %s", text)
	}
	// People read why their program was not accepted, not that it broke an expectation.
	_, run = w.post("/runs", url.Values{"problem": {"echo"}, "text": {"echo '<b>'"}, "language": {"bash"}})
	w.until(run, `<b data-count="ended">1</b> of 1 judged`)
	if _, text := w.get(run + "/0"); !regexp.MustCompile(`>Wrong answer on test 1 of [0-9]+</span></p>\n<p class="why"><a href="[^"]+/0/0">sample/1: line 1, column 1: got &#34;&lt;b&gt;&#34;, expected &#34;`).MatchString(text) || strings.Contains(text, "permits") {
		t.Errorf("the program is %s", text)
	}
	for _, form := range []url.Values{{"problem": {"echo"}}, {"problem": {"echo"}, "text": {"cat"}}, {"problem": {"none"}, "text": {"cat"}}} {
		if status, _ := w.post("/runs", form); status/100 != 4 {
			t.Errorf("%v: status %d", form, status)
		}
	}
}

// A run is found again, with all verdicts, after the server has been started again.
// The queue says what a judgement waits for, and its owner can cancel it there.
func TestQueue(t *testing.T) {
	hold := make(chan struct{})
	w := newWeb(t, hold)
	defer close(hold)
	w.login()
	w.post("/runs", url.Values{"problem": {"echo"}, "text": {"cat"}, "language": {"bash"}})
	text := w.until("/queue", ">no result yet<")
	form := regexp.MustCompile(`action="(/queue/[^"/]+/cancel)"`).FindStringSubmatch(text)
	if form == nil || !strings.Contains(text, "1 judgement<") {
		t.Fatalf("the queue is %s", text)
	}
	if status, _ := w.post("/queue/none/cancel", url.Values{}); status != 404 {
		t.Errorf("to cancel an unknown judgement: status %d, expected 404", status)
	}
	if status, text := w.post(form[1], url.Values{}); status != 200 {
		t.Errorf("to cancel: status %d, %s", status, text)
	}
	w.until("/queue", "Nothing is being judged.")
	// The jury sees it, an administrator can cancel it, too, and nobody else does either.
	w.post("/runs", url.Values{"problem": {"echo"}, "text": {"cat # 2"}, "language": {"bash"}})
	w.s.Tokens.Add("root", "root-0123456789abcdef", server.Admin)
	w.s.Tokens.Add("joe", "joe-0123456789abcdef", server.Jury)
	w.site.Local = "eve"
	w.get(w.site.LoginPath())
	w.until("/queue", "Nothing is being judged.")
	for _, name := range []string{"joe", "root"} {
		w.site.Local = name
		w.get(w.site.LoginPath())
		text = w.until("/queue", ">no result yet<")
		if form = regexp.MustCompile(`action="(/queue/[^"/]+/cancel)"`).FindStringSubmatch(text); (form != nil) != (name == "root") {
			t.Fatalf("the queue of %s is %s", name, text)
		}
	}
	if status, text := w.post(form[1], url.Values{}); status != 200 {
		t.Errorf("to cancel another's: status %d, %s", status, text)
	}
	w.until("/queue", "Nothing is being judged.")
}

func TestAddressesSurviveARestart(t *testing.T) {
	testkit.Needs(t, "bash")
	root, dir := t.TempDir(), t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "echo"), testkit.Pack("-- data/secret/1.in --\n1\n-- data/secret/1.ans --\n1\n")); err != nil {
		t.Fatal(err)
	}
	var run, before string
	t.Run("first", func(t *testing.T) {
		w := newWebOf(t, root, dir, nil)
		w.login()
		_, run = w.post("/runs", url.Values{"problem": {"echo"}, "text": {"echo 1"}, "language": {"bash"}})
		before = w.until(run, `<b data-count="ended">1</b> of 1 judged`)
	})
	w := newWebOf(t, root, dir, nil)
	w.login()
	before, _, _ = strings.Cut(before, "</tbody>")
	_, before, _ = strings.Cut(before, "<tbody>")
	if _, text := w.get(run); before == "" || !strings.Contains(before, "</a></td>") || !strings.Contains(text, before) {
		t.Errorf("after a restart: %s\nexpected the end %s", text, before)
	}
}

// What is not of this site is refused.
func TestGate(t *testing.T) {
	w := newWeb(t, nil)
	ask := func(method, path string, header ...string) int {
		t.Helper()
		r, err := http.NewRequest(method, w.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(header); i += 2 {
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
			r.Header.Set(header[i], header[i+1])
		}
		w.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		status, _ := w.do(r, nil)
		return status
	}
	link := w.site.LoginPath()
	if got := ask("GET", "/problems"); got != 303 {
		t.Errorf("without a session: status %d, expected the login page", got)
	}
	if got := ask("GET", link, "Host", "evil.example"); got != 421 {
		t.Errorf("another host: status %d", got)
	}
	if got := ask("GET", link); got != 303 {
		t.Errorf("a login link: status %d", got)
	}
	if got := ask("GET", "/problems"); got != 200 {
		t.Errorf("with a session: status %d", got)
	}
	if got := ask("GET", link); got != 200 {
		t.Errorf("a login link again: status %d, expected the login page", got)
	}
	if got := ask("POST", "/logout"); got != 403 {
		t.Errorf("a form without the token of the session: status %d", got)
	}
	if status, _ := w.post("/logout", url.Values{"csrf": {strings.Repeat("0", 40)}}); status != 403 {
		t.Errorf("a form with another token: status %d", status)
	}
	if got := ask("POST", "/logout", "Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site"); got != 403 {
		t.Errorf("a form of another site: status %d", got)
	}
	// The form that logs in has no session yet: its origin counts.
	for _, header := range [][]string{{"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if got := ask("POST", "/login", header...); got != 403 {
			t.Errorf("a login form with %v: status %d", header, got)
		}
	}
	if got := ask("GET", "/problems", "Cookie", "judged-00000000=x"); got != 200 {
		t.Errorf("another cookie: status %d", got)
	}
	if got := ask("GET", "/problems/echo/files/problem.yaml"); got != 404 {
		t.Errorf("a file that is no test data: status %d", got)
	}
	if got := ask("GET", "/runs/../../etc/passwd"); got == 200 {
		t.Errorf("a path outside: status %d", got)
	}
}

// A token that permits to read shows pages, and no form of it submits.
func TestReaders(t *testing.T) {
	w := newWeb(t, nil)
	if status, _ := w.post("/login", url.Values{"token": {"wrong"}}); status != 403 {
		t.Errorf("a wrong token: status %d", status)
	}
	if status, to := w.post("/login", url.Values{"token": {readSecret}, "to": {"//evil.example/"}}); status != 200 || to != "/problems" {
		t.Errorf("a token that permits to read: status %d, %s", status, to)
	}
	if status, _ := w.post("/runs", url.Values{"problem": {"echo"}, "submissions": {"all"}}); status != 403 {
		t.Errorf("a run of a reader: status %d", status)
	}
	if status, text := w.get("/problems/echo"); status != 200 || strings.Contains(text, "Judge programs") {
		t.Errorf("the statement, status %d, with a form that submits: %s", status, text)
	}
	for _, page := range []string{"cases", "submissions", "validators"} {
		if status, _ := w.get("/problems/echo/" + page); status != 403 {
			t.Errorf("%s of a reader: status %d", page, status)
		}
	}
}

// A session has the rights of its token, also if another token of the name has more.
func TestTokensOfOneName(t *testing.T) {
	w := newWeb(t, nil)
	w.s.Tokens.Add("ann", "pupil-0123456789abcdef", server.Student)
	for secret, want := range map[string]int{submitSecret: 200, "pupil-0123456789abcdef": 403} {
		if status, _ := w.post("/login", url.Values{"token": {secret}}); status != 200 {
			t.Errorf("%s: status %d", secret, status)
		}
		if status, _ := w.get("/problems/echo/cases"); status != want {
			t.Errorf("the cases for %s: status %d, expected %d", secret, status, want)
		}
	}
}

// Each page has a policy that forbids scripts and styles of others, and nothing inline.
func TestPolicy(t *testing.T) {
	w := newWeb(t, nil)
	w.login()
	_, run := w.post("/runs", url.Values{"problem": {"echo"}, "submissions": {"all"}})
	w.until(run, "of 3 judged")
	for _, path := range []string{"/problems", "/problems/echo", "/problems/echo/cases", "/problems/echo/cases/secret/2", "/problems/echo/submissions", "/problems/echo/submissions/wrong_answer/1.sh",
		"/problems/echo/validators", "/problems/echo/history", "/problems/echo/submit", "/runs", run, run + "/1", run + "/1/0", "/compare", "/workers", "/queue", "/none"} {
		r, err := w.http.Get(w.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if got := r.Header.Get("Content-Security-Policy"); !strings.Contains(got, "script-src 'self'") || strings.Contains(strings.ReplaceAll(got, "style-src-attr 'unsafe-inline'", ""), "unsafe") {
			t.Errorf("%s has the policy %q", path, got)
		}
		for _, no := range []string{"<img", "<script>", "style=", "onerror=\"", "onload=\""} {
			if strings.Contains(string(text), no) {
				t.Errorf("%s contains %s", path, no)
			}
		}
	}
}
