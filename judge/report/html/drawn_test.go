package html

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// Pictures of visualizers are shown, and are only pictures: an SVG neither runs a script
// nor loads anything.
func TestDrawn(t *testing.T) {
	b := startBrowser(t)
	var requests atomic.Int64
	spy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer spy.Close()
	evil := strings.ReplaceAll(`<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="50" onload="top.document.title='owned';fetch('SPY')"><script>top.document.title='owned';fetch('SPY')</script>
<style>@import url('SPY')</style><image href="SPY"/><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="SPY" onerror="top.document.title='owned'"/></foreignObject></svg>`, "SPY", spy.URL)
	const plain = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="50"/>`
	d := verdicts(2, 2)
	p := &d.Problems[0]
	p.Drawn = []record.Drawing{
		{Case: p.Cases[0], Images: []judge.Image{{Name: "a.svg", Data: []byte(plain)}, {Name: `"><script>.svg`, Data: []byte(evil)}}},
		{Case: p.Cases[1], Failed: "input_visualizer: <b>exit status 3"},
	}
	run := &p.Reports[0].Runs[0]
	run.Images = []judge.Image{{Name: "teamimage.png", Data: []byte("<script>")}}
	run.Undrawn = &problem.Defect{File: "output_visualizer", Msg: "exit status 4"}
	page := b.open(t, "drawn", d, 1280)
	page.eval("document.querySelectorAll('details').forEach(d => { d.open = true })", nil)
	page.Until("document.querySelectorAll('.visualized img').length === 2 && [...document.querySelectorAll('.visualized img')].every(i => i.complete)")
	var sizes []int
	page.eval("[...document.querySelectorAll('.visualized img')].map(i => i.naturalWidth)", &sizes)
	var title, text string
	page.eval("document.title", &title)
	page.eval("document.querySelector('main').textContent", &text)
	var wide bool
	page.eval("document.documentElement.scrollWidth > innerWidth", &wide)
	if len(sizes) != 2 || sizes[0] != 300 || title == "owned" || wide || requests.Load() > 0 {
		t.Errorf("widths %v, title %q, wider than the window: %v, %d requests", sizes, title, wide, requests.Load())
	}
	for _, want := range []string{"input_visualizer: <b>exit status 3", "teamimage.png: image: unknown format", "exit status 4"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if got := page.Complaints(page.url, "data:"); got != nil {
		t.Errorf("the browser complains: %q", got)
	}
	page.picture("drawn")
}

// Pictures beyond the limit of a report are left out, with a note.
func TestDrawnLimit(t *testing.T) {
	large := append([]byte("<svg"), make([]byte, maxDrawn/2)...)
	for i := range large[4:] {
		large[4+i] = ' '
	}
	p := &record.Problem{Cases: []string{"a"}, Drawn: []record.Drawing{{Case: "a", Images: []judge.Image{{Name: "1.svg", Data: large}, {Name: "2.svg", Data: large}, {Name: "3.svg", Data: large}}}}}
	cases, note := drawings(p)
	if len(cases) != 1 || len(cases[0].All) != 1 || note != "2 pictures left out: a report has at most 24 MiB of them." {
		t.Errorf("drawings = %d cases, %q", len(cases), note)
	}
}
