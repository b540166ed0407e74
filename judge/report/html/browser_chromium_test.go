package html

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/record"
)

// A browser is a running Chromium. The test uses its DevTools protocol over two
// pipes: JSON messages, each followed by a NUL.
type browser struct {
	t    *testing.T // of the test that is running
	to   *os.File
	from *bufio.Reader
	pipe *os.File
	last int

	session string       // of its tab
	news    []cdpMessage // events that arrived while call waited for an answer
}

// A cdpMessage is an event, or an answer if it has an ID.
type cdpMessage struct {
	ID      int             `json:"id"`
	Method  string          `json:"method"`
	Session string          `json:"sessionId"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is the time limit for an answer of the browser.
const patience = 60 * time.Second

// startBrowser starts a browser that ends with the test. If no browser is installed,
// it skips the test, or fails it if CRUCIBLE_REQUIRE_BROWSER is set.
func startBrowser(t *testing.T) *browser {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		if os.Getenv("CRUCIBLE_REQUIRE_BROWSER") != "" {
			t.Fatal("no chromium, chromium-browser or google-chrome on the PATH, and CRUCIBLE_REQUIRE_BROWSER is set")
		}
		t.Skip("no chromium, chromium-browser or google-chrome on the PATH")
	}
	input, tells, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, output, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "crucible-browser-")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage",
		"--force-color-profile=srgb", "--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	c.ExtraFiles = []*os.File{input, output} // 3 and 4 to it
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	input.Close()
	output.Close()
	b := &browser{t: t, to: tells, pipe: answers, from: bufio.NewReader(answers)}
	t.Cleanup(func() {
		b.t = t
		ended := make(chan error, 1)
		b.call("", "Browser.close", nil, nil)
		go func() { ended <- c.Wait() }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			c.Process.Kill()
			<-ended
		}
		tells.Close()
		answers.Close()
		// The last processes of the browser may still write to it.
		for range 50 {
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	return b
}

// read waits for the next message.
func (b *browser) read() cdpMessage {
	b.t.Helper()
	b.pipe.SetReadDeadline(time.Now().Add(patience))
	line, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser said no more: %v", err)
	}
	var m cdpMessage
	if err := json.Unmarshal(line[:len(line)-1], &m); err != nil {
		b.t.Fatal(err)
	}
	return m
}

// call sends a request to the browser or to one of its pages, and decodes the answer
// into result unless that is nil. It stores the events that arrive before the answer.
func (b *browser) call(session, method string, params, result any) {
	b.t.Helper()
	if err := b.ask(session, method, params, result); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

func (b *browser) ask(session, method string, params, result any) error {
	b.t.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": session})
	if err != nil {
		return err
	}
	if session == "" {
		text, _ = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	for {
		m := b.read()
		switch {
		case m.ID != b.last:
			b.news = append(b.news, m)
		case m.Error != nil:
			return errors.New(m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		default:
			return nil
		}
	}
}

// A tab shows one page.
type tab struct {
	*browser
	session, url string
}

// open shows a document in a new tab of that width, and returns when it is ready.
func (b *browser) open(t *testing.T, name string, d *record.Document, width int) *tab {
	t.Helper()
	b.t = t
	file := filepath.Join(t.TempDir(), name+".html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Write(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	return b.visit("file://"+file, width)
}

// visit shows a page in the only tab of the browser. A new tab for each page would be a
// new process.
func (b *browser) visit(url string, width int) *tab {
	b.t.Helper()
	p := &tab{browser: b, session: b.session, url: url}
	if b.session == "" {
		p.begin()
	}
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

// begin opens the tab.
func (p *tab) begin() {
	p.t.Helper()
	var made struct {
		Target string `json:"targetId"`
	}
	var attached struct {
		Session string `json:"sessionId"`
	}
	p.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	p.call("", "Target.attachToTarget", map[string]any{"targetId": made.Target, "flatten": true}, &attached)
	p.browser.session, p.session = attached.Session, attached.Session
	for _, domain := range []string{"Page", "Runtime", "Network", "Log", "DOM"} {
		p.do(domain+".enable", nil, nil)
	}
	p.do("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
}

// load opens the page, and removes the messages about an earlier page.
func (p *tab) load() {
	p.t.Helper()
	p.news = nil
	p.do("Page.navigate", map[string]any{"url": p.url}, nil)
	for !p.happened("Page.loadEventFired") {
		p.news = append(p.news, p.read())
	}
}

// do sends a request to the tab.
func (p *tab) do(method string, params, result any) {
	p.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	p.call(p.session, method, params, result)
}

func (p *tab) happened(method string) bool {
	for _, m := range p.news {
		if m.Session == p.session && m.Method == method {
			return true
		}
	}
	return false
}

// eval runs an expression in the page, waits for its promise if it is one, and decodes
// its value.
func (p *tab) eval(expression string, into any) {
	p.t.Helper()
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	p.do("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if answer.Exception != nil {
		p.t.Fatalf("%s: %s %s", expression, answer.Exception.Text, answer.Exception.Exception.Description)
	}
	if into != nil {
		if err := json.Unmarshal(answer.Result.Value, into); err != nil {
			p.t.Fatalf("%s gave %s: %v", expression, answer.Result.Value, err)
		}
	}
}

// complaints returns the problems that the browser reported about the page: errors,
// warnings, violations of its policy, dialogues, and requests for other resources.
func (p *tab) complaints() []string {
	var list []string
	for _, m := range p.news {
		if m.Session != p.session {
			continue
		}
		switch m.Method {
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening", "Page.windowOpen":
			list = append(list, m.Method+" "+clipped(m.Params))
		case "Network.requestWillBeSent":
			var request struct {
				Request struct{ URL string } `json:"request"`
			}
			json.Unmarshal(m.Params, &request)
			if request.Request.URL != p.url {
				list = append(list, "a request for "+request.Request.URL)
			}
		}
	}
	return list
}

func clipped(b []byte) string { return fmt.Sprintf("%.400s", b) }

// busy returns the processor time of the page in seconds.
func (p *tab) busy() float64 {
	p.t.Helper()
	var got struct {
		Metrics []struct {
			Name  string
			Value float64
		} `json:"metrics"`
	}
	p.do("Performance.getMetrics", nil, &got)
	for _, m := range got.Metrics {
		if m.Name == "ThreadTime" {
			return m.Value
		}
	}
	return 0
}

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

// picture stores a screenshot of the tab as an artifact of the test. It does nothing if
// artifacts are not kept, because a screenshot takes longer than the other checks.
func (p *tab) picture(name string) {
	p.t.Helper()
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return
	}
	var size struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	p.do("Page.getLayoutMetrics", nil, &size)
	var shot struct {
		Data string `json:"data"`
	}
	p.do("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": 0, "width": min(size.Content.Width, 2000), "height": min(size.Content.Height, 3600), "scale": 1}}, &shot)
	p.keep(name+".png", shot.Data)
}

// keep writes a file in base64 to the folder of artifacts.
func (p *tab) keep(name, data string) []byte {
	p.t.Helper()
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.t.ArtifactDir(), strings.ReplaceAll(name, "/", "-")), b, 0o644); err != nil {
		p.t.Fatal(err)
	}
	return b
}
