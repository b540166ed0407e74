package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/client"
)

// When the server of a call and of a worker is killed, both go on at the next one of their
// list: the worker registers there, and the call has the same result.
func TestNextServer(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	first, dir := newServer(t, "--local-worker=false"), t.TempDir()
	for _, name := range []string{client.TokenFile, "key", "form"} {
		data, err := os.ReadFile(filepath.Join(first.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second := newServer(t, "--dir", dir)
	both := &testServer{url: first.url + "," + second.url, token: first.token}
	both.work(t, "one", "")

	problem := write(t)
	if err := os.WriteFile(filepath.Join(problem, "submissions/accepted/cat.sh"), []byte("sleep 1\ncat\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The second server has the files then.
	if text, complaint, status := ask(t, []string{"CRUCIBLE_TOKEN=" + both.token}, "run", "--on", second.url, problem, "accepted/*"); status != 0 {
		t.Fatalf("status %d: %s%s", status, text, complaint)
	}
	answered := make(chan string, 1)
	go func() {
		text, complaint, _ := ask(t, []string{"CRUCIBLE_TOKEN=" + both.token}, "run", "--fresh", "--on", both.url, problem, "accepted/*")
		answered <- text + complaint
	}()
	running := regexp.MustCompile(`(?m)^crucible_queue_running_items [1-9]`)
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if _, text := first.get(t, "/metrics", first.token); running.MatchString(text) {
			break
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatal("no work item is under way")
		}
	}
	first.cmd.Process.Kill()
	first.cmd.Wait()
	if text := <-answered; !strings.Contains(text, "AC") || strings.Contains(text, "no server") {
		t.Errorf("%s: expected AC and no report of a server that is away", text)
	}
	if all := second.states(t, "one", "that of the server"); !all["one"].Alive {
		t.Errorf("workers of the next server: %+v: expected one", all)
	}
}
