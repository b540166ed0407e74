package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crucible/judge/problem"
)

// TestListen sends problems to judge listen as the browser extension does.
func TestListen(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	w := startJudge(t, map[string]string{"template.sh": "# nothing yet\n"}, "listen", "--port", fmt.Sprint(port), "--template", "template.sh")
	w.await("^listening on http://localhost:", "")
	send := func(task string) string {
		t.Helper()
		answer, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/", port), "application/json", strings.NewReader(task))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return fmt.Sprintf("%d %s", answer.StatusCode, text)
	}
	const task = `{"name": "A. Sum", "group": "Site - Round 1", "url": "https://example.org/1", "timeLimit": 1500, "memoryLimit": 256,
		"tests": [{"input": "1 2\r\n", "output": "3"}, {"input": "4 5\n", "output": "9\n"}]}`
	if got := send(task); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^A\. Sum: site-round-1/asum/asum\.sh, 2 samples$`, "")
	p, err := problem.OpenDir(filepath.Join(w.dir, "site-round-1", "asum"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.Samples()) != 2 || p.Limits.Memory != 256<<20 || p.Limits.Time.Milliseconds() != 1500 {
		t.Errorf("%d samples, limits %+v", len(p.Samples()), p.Limits)
	}
	// Saving the program tests it.
	w.write("site-round-1/asum/asum.sh", "read a b; echo $((a + b + (a == 4)))\n")
	w.await(`AC   sample/1`, "")
	w.await(`WA   sample/2 .*got "10", expected "9"`, "")
	// A program that exists is kept.
	if got := send(task); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^site-round-1/asum: exists already`, "")
	if text, err := os.ReadFile(filepath.Join(w.dir, "site-round-1/asum/asum.sh")); err != nil || !strings.HasPrefix(string(text), "read") {
		t.Errorf("the program is %q, error %v", text, err)
	}
	// Nothing that a page sends is written elsewhere.
	if got := send(`{"name": "../../x", "group": "/etc", "tests": [{"input": "1\n", "output": "1\n"}]}`); got != "200 " {
		t.Fatal(got)
	}
	w.await(`: etc/x/x\.sh, 1 sample$`, "")
	if got := send(`{"name": "B", "group": "Site", "interactive": true}`); got != "200 " {
		t.Fatal(got)
	}
	w.await(`^B: site/b/b\.sh, 0 samples, interactive`, "")
	if got := send(`{}`); !strings.HasPrefix(got, "400 expected the JSON") {
		t.Error(got)
	}
	w.interrupt()
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "crucible-samples-*")); err != nil || left != nil {
		t.Errorf("left: %v, error %v", left, err)
	}
}
