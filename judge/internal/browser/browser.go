// Package browser runs Chromium for tests.
package browser

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json/jsontext"
)

// patience is the time limit for one step.
const patience = 60 * time.Second

// A Tab is a browser with one page.
type Tab struct {
	t   testing.TB // of the test that is running
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	requests   []string
}

// Start starts a browser that ends with the test. If no browser is installed, it skips the
// test, or fails it if CRUCIBLE_REQUIRE_BROWSER is set.
func Start(t testing.TB) *Tab {
	t.Helper()
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
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("headless", "new"), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("force-color-profile", "srgb"))
	allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocated, chromedp.WithErrorf(func(string, ...any) {}))
	b := &Tab{t: t, ctx: ctx}
	t.Cleanup(func() { cancel(); end() })
	chromedp.ListenTarget(ctx, b.note)
	if err := chromedp.Run(ctx, runtime.Enable(), network.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true),
		performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks)); err != nil {
		t.Fatal(err)
	}
	return b
}

// note remembers what the browser reports about the page.
func (b *Tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	add := func(kind string, v any) {
		data, _ := json.Marshal(v) // only for a message
		b.complaints = append(b.complaints, fmt.Sprintf("%s %.400s", kind, data))
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		add("exception", e.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		add("console", e.Args)
	case *log.EventEntryAdded:
		add("log", e.Entry)
	case *page.EventJavascriptDialogOpening:
		add("dialogue", e.Message)
		go chromedp.Run(b.ctx, page.HandleJavaScriptDialog(false))
	case *page.EventWindowOpen:
		add("window", e.URL)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// As makes the browser serve another test, such as a subtest.
func (b *Tab) As(t testing.TB) { b.t = t }

// Do runs actions.
func (b *Tab) Do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Call sends a request of the DevTools protocol to the page, and decodes the answer into
// result unless that is nil.
func (b *Tab) Call(method string, params, result any) {
	b.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	b.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		var answer jsontext.Value
		if err := cdp.Execute(ctx, method, params, &answer); err != nil || result == nil {
			return err
		}
		return json.Unmarshal(answer, result)
	}))
}

// Visit shows a page, and forgets what was reported about an earlier one.
func (b *Tab) Visit(url string) {
	b.t.Helper()
	b.mu.Lock()
	b.complaints, b.requests = nil, nil
	b.mu.Unlock()
	b.Do(chromedp.Navigate(url))
}

// Look sets the width of the window and the colour scheme, "light" or "dark".
func (b *Tab) Look(width int64, scheme string) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// Eval runs an expression in the page, waits for its promise if it is one, and decodes its
// value into into unless that is nil.
func (b *Tab) Eval(expression string, into any) {
	b.t.Helper()
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
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true},
		&answer)
	if answer.Exception != nil {
		b.t.Fatalf("%s: %s %s", expression, answer.Exception.Text, answer.Exception.Exception.Description)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(answer.Result.Value, into); err != nil {
		b.t.Fatalf("%s gave %s: %v", expression, answer.Result.Value, err)
	}
}

// Until waits until an expression is true in the page, or in the page after it.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	for {
		var is bool
		err := chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &is))
		if is && err == nil {
			return
		}
		if ctx.Err() != nil {
			b.t.Fatalf("%s: not so after %v: %v", expression, patience, err)
		}
		time.Sleep(5 * time.Millisecond) // an error is that the page changes
	}
}

// Busy returns the processor time of the page in seconds.
func (b *Tab) Busy() (seconds float64) {
	b.t.Helper()
	b.Do(chromedp.ActionFunc(func(ctx context.Context) error {
		all, err := performance.GetMetrics().Do(ctx)
		for _, m := range all {
			if m.Name == "ThreadTime" {
				seconds = m.Value
			}
		}
		return err
	}))
	return seconds
}

// Complaints returns what the browser reported about the page: errors, warnings,
// violations of its policy, dialogues, windows, and requests for URLs without one of the
// prefixes.
func (b *Tab) Complaints(prefixes ...string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.complaints
next:
	for _, url := range b.requests {
		for _, prefix := range prefixes {
			if strings.HasPrefix(url, prefix) {
				continue next
			}
		}
		list = append(list, "a request for "+url)
	}
	return list
}

// Picture stores a screenshot of the page as an artifact of the test. It does nothing if
// artifacts are not kept, because a screenshot takes longer than the other checks.
func (b *Tab) Picture(name string) {
	b.t.Helper()
	if kept := flag.Lookup("test.artifacts"); kept == nil || kept.Value.String() != "true" {
		return
	}
	var shot []byte
	var height float64
	b.Eval("document.documentElement.scrollHeight", &height)
	var width float64
	b.Eval("innerWidth", &width)
	b.Do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		shot, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).WithClip(&page.Viewport{Width: min(width, 2000),
			Height: min(max(height, 600), 3600), Scale: 1}).Do(ctx)
		return err
	}))
	b.Keep(name+".png", shot)
}

// Media sets the medium of style sheets, "print" or "" for the screen, and the width of the
// window.
func (b *Tab) Media(name string, width int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithMedia(name))
}

// Print stores the page as it is printed on A4 as an artifact of the test.
func (b *Tab) Print(name string) {
	b.t.Helper()
	var pdf struct{ Data []byte }
	b.Call("Page.printToPDF", map[string]any{"printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69}, &pdf)
	b.Keep(name+".pdf", pdf.Data)
}

// Keep writes a file to the folder of artifacts.
func (b *Tab) Keep(name string, data []byte) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.t.ArtifactDir(), strings.ReplaceAll(name, "/", "-")), data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
