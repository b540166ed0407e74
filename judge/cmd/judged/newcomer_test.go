package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
)

// What people who set up a server meet: a token for a problem that there is not, one that may not
// send programs, a server without workers, and its stop.
func TestSetUp(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	dir := t.TempDir()
	tokens, file := filepath.Join(dir, "tokens"), filepath.Join(dir, "echo.sh")
	err := os.WriteFile(tokens, []byte("sam student sam-0123456789abcdef\nprof jury:nosuch prof-0123456789abcdef\n"), 0o600)
	if err == nil {
		err = os.WriteFile(file, []byte("cat\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	problem := write(t)
	s := newServer(t, "--tokens", tokens, "--local-worker=false", "--calibrate-every", "10m", filepath.Dir(problem))
	sam := []string{"CRUCIBLE_TOKEN=sam-0123456789abcdef"}
	out, complaint, status := ask(t, sam, "run", problem, "--on", s.url)
	if status != 2 || strings.Count(complaint, "403: the token of sam has scope student: expected jury or eval") != 1 || out != "" {
		t.Errorf("judge run with the token of a student: status %d, %q, %q", status, out, complaint)
	}
	submit := exec.Command(built(t, "judge"), "submit", file, "--on", s.url)
	submit.Env = environment(t, sam...)
	lines, err := submit.StderrPipe()
	if err == nil {
		err = submit.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer submit.Process.Kill()
	said := bufio.NewScanner(lines)
	if !said.Scan() || !strings.Contains(said.Text(), "is ready: waiting for one") {
		t.Errorf("%q, %v: expected that no worker is ready", said.Text(), said.Err())
	}
	began := time.Now()
	s.stop(t)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the server ends after %v, though nothing runs", took)
	}
	if log := s.log.String(); !strings.Contains(log, "jury:nosuch") {
		t.Errorf("%s: expected a warning of a scope", log)
	}
	next := newServer(t, "-v", "--listen", strings.TrimPrefix(s.url, "http://"), "--dir", s.dir, "--tokens", tokens, filepath.Dir(problem))
	for said.Scan() {
		t.Log(said.Text()) // that there is no server for a moment
	}
	if err := submit.Wait(); err != nil {
		next.stop(t)
		t.Errorf("judge submit: %v: expected AC by the next start: %s, %s", err, s.log.String(), next.log.String())
	}
}
