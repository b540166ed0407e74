package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/client"
)

// programs are judge and judged, built once.
var programs struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "4") // the default, because parallel tests wait more than they compute
	status := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	os.Exit(status)
}

// built returns the path of a program of this module. These programs are built without
// the race detector, so it would find nothing in tests that call built: it checks the
// packages of servers and workers, whose own tests have them in one process.
func built(t *testing.T, name string) string {
	t.Helper()
	if testkit.Raced {
		t.Skip("the programs are built without the race detector")
	}
	if runtime.GOOS == "windows" {
		t.Skip("signals end the servers of this test")
	}
	programs.once.Do(func() {
		if programs.dir, programs.err = os.MkdirTemp("", "judged-test-"); programs.err != nil {
			return
		}
		out, err := exec.Command("go", "build", "-o", programs.dir+string(filepath.Separator), "crucible/judge/cmd/judge", "crucible/judge/cmd/judgelab", "crucible/judge/cmd/judged", "crucible/scripts/faults").CombinedOutput()
		if programs.err = err; err != nil {
			t.Logf("%s", out)
		}
	})
	if programs.err != nil {
		t.Fatal(programs.err)
	}
	return filepath.Join(programs.dir, name)
}

// A testServer is a server that runs.
type testServer struct {
	url, token, dir string
	cmd             *exec.Cmd
	log             bytes.Buffer
}

// serve starts a server, which is stopped when the test ends.
func newServer(t *testing.T, more ...string) *testServer {
	t.Helper()
	s := &testServer{dir: t.TempDir()}
	s.cmd = exec.Command(built(t, "judged"), append([]string{"serve", "--listen", "127.0.0.1:0", "--dir", s.dir, "--jobs", "2", "--calibrate-every", "0"}, more...)...)
	s.cmd.Env = environment(t)
	s.cmd.Stderr = &s.log
	t.Cleanup(func() { s.stop(t) })
	c, err := client.Start(s.cmd)
	if err != nil {
		t.Fatalf("%v: %s", err, s.log.String())
	}
	s.url, s.token = c.URL, c.Token
	return s
}

// stop ends the server as Ctrl-C does.
func (s *testServer) stop(t *testing.T) {
	t.Helper()
	if s.cmd.Process == nil || s.cmd.ProcessState != nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	ended := time.AfterFunc(time.Minute, func() { s.cmd.Process.Kill() })
	defer ended.Stop()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server: %v: %s", err, s.log.String())
	}
}

// environment is that of this process, with the cache of tests and without history.
func environment(t *testing.T, more ...string) []string {
	t.Helper()
	return append(append(os.Environ(), "CRUCIBLE_CACHE="+testkit.Cache(t), "CRUCIBLE_HISTORY=off", "CRUCIBLE_SERVER=", "CRUCIBLE_TOKEN="), more...)
}

// ask runs judge and returns its output and exit status.
func ask(t *testing.T, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, built(t, "judge"), args...)
	var out, err bytes.Buffer
	c.Stdout, c.Stderr, c.Env = &out, &err, environment(t, env...)
	c.Run()
	return out.String(), err.String(), c.ProcessState.ExitCode()
}

// write writes a small problem and returns its folder.
func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "echo")
	testkit.Lay(t, dir, testkit.Echo())
	return dir
}

// shape removes the figures from the output of judge run, and the slowest case.
func shape(text string) string {
	text = regexp.MustCompile(`(AC   3/3  )\S+`).ReplaceAllString(text, "$1")
	text = regexp.MustCompile(`<?[0-9.]+ (ms|s|MiB)\b`).ReplaceAllString(text, "N")
	return regexp.MustCompile(` +`).ReplaceAllString(text, " ")
}

// Judge run prints the same with a server as without one, and has the same exit status.
func TestRunOn(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t)
	dir := write(t)
	want, _, status := ask(t, nil, "run", "--fresh", dir)
	if status != 0 || !strings.Contains(want, "3 submissions as expected") {
		t.Fatalf("here: status %d: %s", status, want)
	}
	env := []string{"CRUCIBLE_TOKEN=" + s.token}
	for range 2 { // the second time, the server has the package
		got, complaint, status := ask(t, env, "run", "--fresh", "--on", s.url, dir)
		if status != 0 || shape(got) != shape(want) {
			t.Errorf("with a server: status %d, %s\nfound:\n%sexpected:\n%s", status, complaint, got, want)
		}
	}
	got, _, status := ask(t, append(env, "CRUCIBLE_SERVER="+s.url), "run", "-v", "--problem", dir, filepath.Join(dir, "submissions/wrong_answer/1.sh"))
	if status != 1 || !strings.Contains(got, "WA") {
		t.Errorf("a wrong program as an accepted one: status %d: %s", status, got)
	}
}

// Errors of the network are errors of the judge, and those of tokens of who calls it, in one
// sentence.
func TestRunOnErrors(t *testing.T) {
	t.Parallel()
	s := newServer(t, "--local-worker=false")
	dir := write(t)
	tests := []struct {
		env    []string
		args   []string
		status int
		want   string
	}{
		{nil, []string{"--on", s.url}, 2, "needs a token"},
		{[]string{"CRUCIBLE_TOKEN=wrong"}, []string{"--on", s.url}, 2, "401: the token is missing or not known"},
		{[]string{"CRUCIBLE_TOKEN=" + s.token}, []string{"--on", "judges:8520"}, 2, "expected the address of a server"},
		{nil, []string{"--on", "127.0.0.1:8520"}, 2, `"127.0.0.1:8520": expected the address of a server`},
		{[]string{"CRUCIBLE_TOKEN=" + s.token}, []string{"--on", "http://127.0.0.1:1"}, 3, "connection refused"},
		{[]string{"CRUCIBLE_TOKEN=" + s.token}, []string{"--on", s.url, "--pin"}, 2, "--pin with --on"},
		{nil, []string{"--on", s.url, "--token-file", "none"}, 2, "no such file"},
	}
	for _, tt := range tests {
		env := append([]string{"XDG_STATE_HOME=" + t.TempDir()}, tt.env...)
		_, complaint, status := ask(t, env, append([]string{"run", dir}, tt.args...)...)
		if status != tt.status || !strings.Contains(complaint, tt.want) {
			t.Errorf("%v: status %d, %q: expected %d and a text with %q", tt.args, status, complaint, tt.status, tt.want)
		}
	}
}

// underWay waits until a work item is under way.
func (s *testServer) underWay(t *testing.T) {
	t.Helper()
	running := regexp.MustCompile(`(?m)^crucible_queue_running_items [1-9]`)
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if _, text := s.get(t, "/metrics", s.token); running.MatchString(text) {
			return
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatal("no work item is under way")
		}
	}
}

// A server that waits for NATS has nothing under way: the first signal ends it.
func TestStopBeforeNATS(t *testing.T) {
	c := exec.Command(built(t, "judged"), "serve", "--listen", "127.0.0.1:0", "--dir", t.TempDir(), "--nats", "nats://127.0.0.1:1")
	c.Env, c.Dir = environment(t), t.TempDir()
	log, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer kill.Stop()
	lines, text := bufio.NewScanner(log), ""
	for lines.Scan() {
		if text += lines.Text() + "\n"; strings.Contains(lines.Text(), "no server of NATS answers") {
			c.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := c.Wait(); err != nil || !strings.Contains(text, "judged: stopped before it has begun: queue: nats://127.0.0.1:1") {
		t.Errorf("%v: %s: expected exit status 0 and why", err, text)
	}
}

// A second Ctrl-C ends a server at once: its status says that work was interrupted, and it
// is made when the server starts again.
func TestStopAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t)
	dir := write(t)
	slow := []byte("sleep 1.9\ncat\n")
	if err := os.WriteFile(filepath.Join(dir, "submissions/accepted/cat.sh"), slow, 0o644); err != nil {
		t.Fatal(err)
	}
	answered := make(chan string, 1)
	go func() {
		text, _, _ := ask(t, []string{"CRUCIBLE_TOKEN=" + s.token}, "run", "--fresh", "--on", s.url, dir, "accepted/*")
		answered <- text
	}()
	s.underWay(t)
	s.cmd.Process.Signal(os.Interrupt)
	time.Sleep(1100 * time.Millisecond) // an earlier one may be a copy of the first
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
	const want = "judged: completing what is under way; Ctrl-C a second later stops at once\njudged: interrupted\n"
	if status, log := s.cmd.ProcessState.ExitCode(), s.log.String(); status != 130 || log != want {
		t.Errorf("status %d: %q; expected 130: %q", status, log, want)
	}
	again := newServer(t, "--dir", s.dir, "--listen", strings.TrimPrefix(s.url, "http://"))
	if text := <-answered; !strings.Contains(text, "AC   3/3") {
		t.Errorf("found %s\n%s", text, again.log.String())
	}
}

// A server that is stopped completes what is under way, leaves nothing in its worker's
// folders, and is found again by its token when it is started again.
func TestStopAndStart(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t)
	dir := write(t)
	if err := os.WriteFile(filepath.Join(dir, "submissions/accepted/cat.sh"), []byte("sleep 1\ncat\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		text   string
		status int
	}
	answered := make(chan answer, 1)
	go func() {
		text, _, status := ask(t, []string{"CRUCIBLE_TOKEN=" + s.token}, "run", "--on", s.url, dir, "accepted/*")
		answered <- answer{text, status}
	}()
	s.underWay(t)
	s.stop(t)
	if a := <-answered; a.status != 0 || !strings.Contains(a.text, "AC") {
		t.Errorf("status %d: %s", a.status, a.text)
	}
	again := newServer(t, "--dir", s.dir)
	if again.token != s.token {
		t.Errorf("the token is %q after a restart: expected %q", again.token, s.token)
	}
	r, err := http.Get(again.url + "/healthz")
	if err != nil || r.StatusCode != 200 {
		t.Error(r, err)
	}
}
