package html

import (
	"encoding/base64"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	chromium "crucible/judge/internal/browser"
	"crucible/judge/record"
)

// A browser is a running Chromium.
type browser struct {
	*chromium.Tab
	t *testing.T // of the test that is running
}

// startBrowser starts a browser that ends with the test; see [chromium.Start].
func startBrowser(t *testing.T) *browser { return &browser{chromium.Start(t), t} }

// A tab shows one page.
type tab struct {
	*browser
	url string
}

// open shows a document in a window of that width, and returns when it is ready.
func (b *browser) open(t *testing.T, name string, d *record.Document, width int) *tab {
	t.Helper()
	b.t = t
	b.As(t)
	file := filepath.Join(t.TempDir(), name+".html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Write(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	return b.visit((&url.URL{Scheme: "file", Path: file}).String(), width)
}

// visit shows a page in the only tab of the browser. A new tab for each page would be a
// new process.
func (b *browser) visit(address string, width int) *tab {
	b.t.Helper()
	p := &tab{b, address}
	p.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	p.do("Emulation.setEmulatedMedia", map[string]any{"media": "", "features": []any{}}, nil)
	p.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	p.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": 1, "y": 1}, nil)
	p.load()
	p.eval(`new Promise(done => {
		const look = () => !document.getElementById('data') || document.documentElement.dataset.ready ? requestAnimationFrame(() => requestAnimationFrame(done)) : setTimeout(look, 5);
		look();
	})`, nil)
	return p
}

// load opens the page, and removes the messages about an earlier page.
func (p *tab) load() {
	p.t.Helper()
	p.Visit(p.url)
}

// do sends a request to the tab.
func (p *tab) do(method string, params, result any) {
	p.t.Helper()
	p.Call(method, params, result)
}

// eval runs an expression in the page, waits for its promise if it is one, and decodes
// its value.
func (p *tab) eval(expression string, into any) {
	p.t.Helper()
	p.Eval(expression, into)
}

// complaints returns the problems that the browser reported about the page; see
// [chromium.Tab.Complaints].
func (p *tab) complaints() []string { return p.Complaints(p.url) }

// busy returns the processor time of the page in seconds.
func (p *tab) busy() float64 { return p.Busy() }

// key presses a key.
func (p *tab) key(name string) {
	p.t.Helper()
	codes := map[string]int{"Tab": 9, "ArrowRight": 39, "ArrowDown": 40, "Escape": 27}
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}, nil)
	}
}

// media emulates paper or a screen, light or dark.
func (p *tab) media(kind, scheme string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia", map[string]any{"media": kind, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	p.eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, nil)
}

// picture stores a screenshot of the tab as an artifact of the test.
func (p *tab) picture(name string) {
	p.t.Helper()
	p.Picture(name)
}

// keep writes a file in base64 to the folder of artifacts.
func (p *tab) keep(name, data string) []byte {
	p.t.Helper()
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		p.t.Fatal(err)
	}
	p.Keep(name, b)
	return b
}
