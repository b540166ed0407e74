package page_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/browser"
	"crucible/judge/internal/testkit"
)

// evil is an SVG that changes the title of its page and asks the server SPY, if a browser
// treats it as more than a picture.
const evil = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="99999" height="99999" onload="top.document.title='owned';fetch('SPY/load')">
<script>top.document.title='owned'; fetch('SPY/script'); new Image().src = 'SPY/img'</script>
<style>@import url('SPY/import'); rect { fill: url('SPY/fill#a') }</style>
<image href="SPY/image" width="9" height="9"/><use x:href="SPY/use#a"/><feImage href="SPY/filter"/>
<image href="data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='fetch(&quot;SPY/data&quot;)'/&gt;" width="9" height="9"/>
<foreignObject width="99" height="99"><iframe xmlns="http://www.w3.org/1999/xhtml" src="SPY/frame"></iframe><meta xmlns="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0; url=SPY/refresh"/></foreignObject>
<a href="javascript:top.document.title='owned'"><rect width="99" height="99"/></a><set attributeName="onload" to="fetch('SPY/set')"/></svg>`

// drawn are the files of an interactive problem with visualizers.
func drawn(spy string) map[string]string {
	return map[string]string{
		"problem.yaml":              "problem_format_version: 2025-09\nname: Drawn\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cf\ntype: interactive\nlimits: {time_limit: 2}\n",
		"statement/problem.en.md":   "Draw.\n",
		"data/secret/1.in":          "7\n",
		"data/secret/1.ans":         "7\n",
		"data/secret/2.in":          "8\n",
		"data/secret/2.ans":         "8\n",
		"data/secret/3.in":          "9\n",
		"data/secret/3.ans":         "9\n",
		"output_validator/v.sh":     "echo go\nread -r a\necho \"$a\" >$3/a\necho 'interactor <b>' >&2\nexit 42\n",
		"input_validators/v.sh":     "exit 42\n",
		"submissions/accepted/x.sh": "read -r a\necho 'program <b>' >&2\necho 5\n",
		"input_visualizer/draw.sh":  "read -r n <$1\n[ $n = 8 ] && exit 1\n[ $n = 9 ] && { src=${0%/*}; cat >evil.svg <<'END'\n" + strings.ReplaceAll(evil, "SPY", spy) + "\nEND\necho '<html><script>' >page.svg; echo '<svg' >picture.png; exit; }\necho \"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='120'><text y='20'>case $n</text></svg>\" >case.svg\n",
		"output_visualizer/draw.sh": "read -r a <$3/a\necho \"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='120'><text y='20'>said $a</text></svg>\" >$3/teamimage.svg\n",
	}
}

// spyOn returns a server that counts requests, and a channel that has the first one. At /evil it has the hostile picture without
// any defence.
func spyOn(t *testing.T) (address string, requests *atomic.Int64, asked chan bool) {
	t.Helper()
	requests, asked = new(atomic.Int64), make(chan bool, 1)
	var spy *httptest.Server
	spy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/evil" {
			w.Header().Set("Content-Type", "image/svg+xml")
			io.WriteString(w, strings.ReplaceAll(evil, "SPY", spy.URL))
		} else if r.URL.Path != "/favicon.ico" {
			requests.Add(1)
			select {
			case asked <- true:
			default:
			}
		}
	}))
	t.Cleanup(spy.Close)
	return spy.URL, requests, asked
}

// The page of a case has its picture, the cell of a run that of the output and what both
// programs of the interaction wrote to standard error. Pictures that are more than that do
// nothing.
func TestPictures(t *testing.T) {
	testkit.Needs(t, "bash")
	spy, requests, asked := spyOn(t)
	root := t.TempDir()
	for name, text := range drawn(spy) {
		write(t, filepath.Join(root, "drawn", filepath.FromSlash(name)), text)
	}
	w := newWebOf(t, root, t.TempDir(), nil)
	w.site.Draw = &judge.Judge{Cache: testkit.Cache(t), Jobs: 1}
	t.Cleanup(func() { w.site.Draw.Close() })
	w.login()
	b := browser.Start(t)
	b.Look(1280, "light")

	b.Visit(w.URL + w.site.LoginPath())
	const loaded = "[...document.querySelectorAll('.visualized img')].every(i => i.complete)"
	var size []int
	b.Visit(w.URL + "/problems/drawn/cases/secret/1")
	b.Until(loaded)
	b.Picture("picture-case")
	b.Eval("[...document.querySelectorAll('.visualized img')].flatMap(i => [i.naturalWidth, i.naturalHeight])", &size)
	if len(size) != 2 || size[0] != 300 || size[1] != 120 {
		t.Errorf("the picture of the case has the size %v", size)
	}
	if _, text := w.get("/problems/drawn/cases/secret/2"); !strings.Contains(text, "on secret/2: exit status 1") {
		t.Errorf("a visualizer that fails: %s", text)
	}

	for _, path := range []string{"/problems/drawn/cases/secret/3", "/problems/drawn/pictures/secret/3/evil.svg"} {
		b.Visit(w.URL + path)
		b.Until(loaded)
		var title string
		var wide bool
		b.Eval("document.title || ''", &title)
		b.Eval("document.documentElement.scrollWidth > innerWidth && !location.pathname.includes('pictures')", &wide)
		if title == "owned" || wide {
			t.Errorf("%s: the picture has changed the page: title %q, wider than the window: %v", path, title, wide)
		}
		b.Picture("picture-hostile")
	}
	if got := requests.Load(); got > 0 {
		t.Errorf("a hostile picture made %d requests", got)
	}
	if _, text := w.get("/problems/drawn/cases/secret/3"); !strings.Contains(text, "page.svg: found no element &lt;svg&gt;") || !strings.Contains(text, "picture.png: image: unknown format") {
		t.Errorf("pictures of a wrong type: %s", text)
	}
	for _, name := range []string{"page.svg", "picture.png", "none.svg"} {
		if status, _ := w.get("/problems/drawn/pictures/secret/3/" + name); status/100 != 4 {
			t.Errorf("%s: status %d", name, status)
		}
	}

	_, run := w.post("/runs", url.Values{"problem": {"drawn"}, "submissions": {"all"}})
	w.until(run, `<b data-count="ended">1</b> of 1 judged`)
	if _, text := w.get(run + "/0/0"); !strings.Contains(text, "Run again and draw the output") || !strings.Contains(text, "interactor &lt;b&gt;") || !strings.Contains(text, "program &lt;b&gt;") {
		t.Errorf("no button that draws, or not both standard errors: %s", text)
	}
	w.post(run+"/0/0", url.Values{})
	w.until(run+"/0/0", "Picture of the output")
	b.Visit(w.URL + run + "/0/0")
	b.Until(loaded)
	b.Picture("picture-cell")
	b.Eval("[...document.querySelectorAll('.visualized img')].flatMap(i => [i.naturalWidth, i.naturalHeight])", &size)
	if len(size) != 2 || size[0] != 300 {
		t.Errorf("the picture of the output has the size %v", size)
	}
	for _, c := range b.Complaints(w.URL, "data:") {
		t.Error(c)
	}

	// Without a defence, the picture asks the spy. It also leaves the page at any moment, which
	// would end a visit to another page, so nothing comes after it.
	b.Visit(spy + "/evil")
	select {
	case <-asked:
	case <-time.After(time.Minute):
		t.Fatal("the hostile picture does nothing without a defence")
	}
}
