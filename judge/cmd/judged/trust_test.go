package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/worker"
)

// A liar makes real runs and changes their verdicts.
type liar struct{ judge.Executor }

func (l liar) Execute(ctx context.Context, item *judge.WorkItem, ran func(*judge.Run)) (judge.Compiled, error) {
	return l.Executor.Execute(ctx, item, func(r *judge.Run) {
		if r.Verdict == problem.WrongAnswer {
			r.Verdict, r.Why, r.Diff = problem.Accepted, "", nil
		}
		ran(r)
	})
}

// join runs a worker of a server in this process until the test ends. Executor returns what
// makes its runs, from the judge.
func (s *testServer) join(t *testing.T, name string, executor func(judge.Executor) judge.Executor) {
	t.Helper()
	c, err := client.New(s.url, s.token)
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Register(t.Context(), &api.Registration{Name: name, Judge: remote.Version(), Slots: 1, Languages: []string{"bash"}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := blob.Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	j := &judge.Judge{Jobs: 1, Cache: testkit.Cache(t)}
	if err := j.Start(); err != nil {
		t.Fatal(err)
	}
	if c, err = client.New(s.url, a.Token); err != nil {
		t.Fatal(err)
	}
	unpacker := &remote.Unpacker{Judge: remote.Version(), Store: store, Dir: t.TempDir(), Fetch: func(ctx context.Context, s *blob.Store, tree blob.Digest) (*blob.Lease, error) {
		return c.Blobs().FetchTree(ctx, s, tree)
	}}
	here := &remote.Here{Unpacker: unpacker, Executor: executor(j), Name: name}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		slots := worker.Slots{Source: &client.Leases{Client: c, Worker: name}}
		ended <- slots.Run(ctx, func(ctx context.Context, d *worker.Delivery) error {
			return worker.Execute(ctx, here, name, d, nil)
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		unpacker.Close()
		store.Close()
		j.Close()
	})
}

// work starts a worker of a server, which is stopped when the test ends. If path is not
// "", programs are first looked for there.
func (s *testServer) work(t *testing.T, name, path string) {
	t.Helper()
	c := exec.Command(built(t, "judged"), "worker", "--server", s.url, "--name", name, "--dir", t.TempDir(), "--jobs", "1")
	c.Env = environment(t, "CRUCIBLE_TOKEN="+s.token)
	if path != "" {
		c.Env = append(c.Env, "PATH="+path+":"+os.Getenv("PATH"), "CRUCIBLE_CACHE="+t.TempDir())
	}
	var log bytes.Buffer
	c.Stderr = &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		if err := c.Wait(); err != nil {
			t.Errorf("worker %s: %v: %s", name, err, log.String())
		}
	})
}

// states waits until all these workers ask for work, and returns those of the server.
func (s *testServer) states(t *testing.T, names ...string) map[string]api.Worker {
	t.Helper()
	c, err := client.New(s.url, s.token)
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		all, err := c.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		now := make(map[string]api.Worker)
		alive := 0
		for _, w := range all {
			if now[w.Name] = w; w.Alive {
				alive++
			}
		}
		if alive >= len(names) {
			return now
		}
		if time.Since(began) > 2*time.Minute {
			t.Fatalf("workers %+v: expected %v", all, names)
		}
	}
}

// Another worker makes a run near the limit again; one whose compiler differs does not
// decide, and one that lies is taken out.
func TestTrust(t *testing.T) {
	testkit.InMatrix(t)
	t.Parallel()
	testkit.Needs(t, "bash")
	// Without machine classes: a worker with another compiler would be in one of its own,
	// and would get none of the items.
	s := newServer(t, "--local-worker=false", "--audit", "1", "--calibrate-every", "0")
	dir := write(t)
	env := []string{"CRUCIBLE_TOKEN=" + s.token, "CRUCIBLE_SERVER=" + s.url}
	submit := func(folder, name, text string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "submissions", folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return folder + "/" + name
	}
	s.work(t, "a", "")
	s.work(t, "b", "")
	s.states(t, "a", "b")

	spin := submit("accepted", "spin.sh", "read -r a\nwhile read -ra f < /proc/self/stat && (( f[13] + f[14] < 49 )); do :; done\necho $a\n")
	text, complaint, _ := ask(t, env, "run", "--time-limit", "500ms", "--json", "-", dir, spin, "sample/1")
	var doc struct {
		Problems []struct {
			Submissions []struct {
				Runs []struct {
					Worker, Retried string
					Others          []struct{ Worker string } `json:"other_attempts"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc.Problems) != 1 || len(doc.Problems[0].Submissions[0].Runs) != 1 {
		t.Fatalf("%v: %s%s", err, text, complaint)
	}
	if run := doc.Problems[0].Submissions[0].Runs[0]; !strings.Contains(run.Retried, "limit 500 ms; on another machine") || len(run.Others) != 1 || run.Others[0].Worker == run.Worker || run.Worker == "" {
		t.Errorf("a run at the limit: %+v: expected two attempts on two workers", run)
	}

	compiler := t.TempDir()
	// The newest version is chosen, whichever comes first on the PATH.
	script := "#!/bin/sh\nif [ \"$1\" = -n ] && grep -q differs \"$2\"; then echo 'a broken compiler' >&2; exit 1; fi\n" +
		"if [ \"$1\" = --version ]; then echo 'GNU bash, version 99.9'; exit; fi\nexec bash \"$@\"\n"
	real, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(compiler, "bash"), []byte(strings.Replace(script, "exec bash", "exec "+real, 1)), 0o755); err != nil {
		t.Fatal(err)
	}
	s.work(t, "broken", compiler)
	s.states(t, "a", "b", "broken")
	// A worker whose compilers are not warm yet asks for work later than others.
	began := time.Now()
	for i := 0; !s.disagreed(t); i++ {
		if len(s.states(t)["broken"].Out) > 0 { // it first audited what another one had compiled
			ask(t, env, "workers", "--restore", "broken")
		}
		differs := submit("accepted", "differs.sh", fmt.Sprintf("cat # differs %d\n", i))
		if text, complaint, status := ask(t, env, "run", dir, differs); status != 0 || time.Since(began) > 4*time.Minute {
			t.Fatalf("try %d of a submission that one compiler rejects: status %d: %s%s%+v", i, status, text, complaint, s.states(t)["broken"].Out)
		}
	}
	if text, _, _ := ask(t, env, "workers", "--remove", "broken"); !strings.Contains(text, "is taken out") {
		t.Errorf("removed: %s", text)
	}

	s.join(t, "liar", func(x judge.Executor) judge.Executor { return liar{x} })
	now := s.states(t, "a", "b", "broken", "liar")
	for i := 0; len(now["liar"].Out) == 0; i++ {
		wrong := submit("wrong_answer", "1.sh", fmt.Sprintf("echo 0 %d\n", i))
		if text, complaint, _ := ask(t, env, "run", "--fresh", dir, wrong); i > 50 {
			t.Fatalf("the worker that lies is not taken out: %s%s", text, complaint)
		}
		now = s.states(t)
	}
	if why := now["liar"].Out[0].Because; !regexp.MustCompile(`^differs from [ab] and [ab]: echo wrong_answer/1.sh: \w+/\d is AC on liar, WA on [ab]`).MatchString(why) || len(now["a"].Out)+len(now["b"].Out) > 0 {
		t.Errorf("taken out: %+v", now)
	}
	wrong := submit("wrong_answer", "1.sh", "echo 0\n")
	if text, complaint, status := ask(t, env, "run", "--fresh", dir, wrong); status != 0 || !strings.Contains(text, "WA") {
		t.Errorf("without the worker that lies: status %d: %s%s", status, text, complaint)
	}
}

// disagreed reports whether workers did not agree on compiling, with the metrics.
func (s *testServer) disagreed(t *testing.T) bool {
	t.Helper()
	_, text := s.get(t, "/metrics", s.token)
	if !strings.Contains(text, "crucible_compile_disagreements_total") {
		t.Fatalf("metrics: %s", text)
	}
	return !strings.Contains(text, "crucible_compile_disagreements_total 0")
}
