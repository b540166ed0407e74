package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testnats"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
)

// get returns the status and text of an address.
func (s *testServer) get(t *testing.T, path, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// Judge workers and the metrics show what the worker of a server has done, and a backup
// has all but the work items.
func TestOperate(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("watcher read reader-0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "--tokens", tokens)
	dir := write(t)
	env := []string{"CRUCIBLE_TOKEN=" + s.token, "CRUCIBLE_SERVER=" + s.url}
	if text, complaint, status := ask(t, env, "run", "--fresh", "--all", dir); status != 0 {
		t.Fatalf("status %d: %s%s", status, text, complaint)
	}
	table, complaint, status := ask(t, env, "workers")
	if status != 0 || !regexp.MustCompile(`(?m)^worker +class +since +seen .*\n\S+ .* ago +0 +2 +([1-9][0-9]*) +[1-9]`).MatchString(table) {
		t.Errorf("status %d: %s%s", status, table, complaint)
	}
	listed, _, _ := ask(t, env, "workers", "--json")
	var all []api.Worker
	if err := json.Unmarshal([]byte(listed), &all); err != nil || len(all) != 1 || !all[0].Alive || all[0].Done < 3 || all[0].Lost != 0 {
		t.Errorf("%v: %s", err, listed)
	}
	s.removeAndRestore(t, env, all[0].Name)
	if status, _ := s.get(t, "/metrics", ""); status != 401 {
		t.Errorf("metrics without a token: status %d: expected 401", status)
	}
	_, text := s.get(t, "/metrics", s.token)
	for _, want := range []string{
		`crucible_runs_total{verdict="AC"} 5`, `crucible_runs_total{verdict="WA"} 2`, `crucible_runs_total{verdict="RTE"} 2`,
		"crucible_queue_items 0", "crucible_workers 1", "crucible_redeliveries_total 0", `crucible_items_total{end="failed"} 0`,
		`crucible_requests_total{route="POST /v1/items",status="200"}`, "crucible_item_seconds_bucket", "crucible_worker_slots{",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics: expected %q:\n%s", want, text)
		}
	}
	s.backup(t)
	s.stop(t)
	if text := s.log.String(); !strings.Contains(text, "a token with the scope read shows no secret data any more") || !strings.Contains(text, "token=watcher") {
		t.Errorf("the log says nothing about the token with the scope read: %s", text)
	}
}

// removeAndRestore takes the worker out and puts it back.
func (s *testServer) removeAndRestore(t *testing.T, env []string, name string) {
	t.Helper()
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--remove", name, "--because", "new memory"}, 0, name + `[^\n]*\n` + name + ` is taken out since [0-9 :-]+: removed by this machine: new memory\n$`},
		{nil, 0, `is taken out since [0-9 :-]+: removed by this machine: new memory\n$`},
		{[]string{"--remove", "none"}, 2, `worker "none": there is no worker of that name`},
		{[]string{"--restore", name, "--json"}, 0, `"name": "` + name},
	} {
		text, complaint, status := ask(t, env, append([]string{"workers"}, tt.args...)...)
		if text += complaint; status != tt.status || !regexp.MustCompile(tt.want).MatchString(text) {
			t.Errorf("%v: status %d: %s: expected %d, %s", tt.args, status, text, tt.status, tt.want)
		}
	}
	reader := "reader-0123456789abcdef"
	if _, complaint, status := ask(t, []string{"CRUCIBLE_SERVER=" + s.url, "CRUCIBLE_TOKEN=" + reader}, "workers", "--remove", name); status != 2 || !strings.Contains(complaint, "expected admin") {
		t.Errorf("without the scope: status %d: %s", status, complaint)
	}
}

// backup makes a backup while the server runs, and servers of it.
func (s *testServer) backup(t *testing.T) {
	t.Helper()
	file, to := filepath.Join(t.TempDir(), "backup.tar.gz"), filepath.Join(t.TempDir(), "restored")
	operate := func(args ...string) string {
		c := exec.Command(built(t, "judged"), args...)
		c.Env = environment(t)
		out, err := c.CombinedOutput()
		if err != nil {
			return err.Error() + ": " + string(out)
		}
		return string(out)
	}
	zip := packed(t, write(t))
	var judged *api.Judgement
	c, err := client.New(s.url, s.token)
	if err == nil {
		_, err = c.PutPackage(t.Context(), zip)
	}
	if err == nil {
		judged, err = c.Judge(t.Context(), &api.Request{Problem: blob.Of(zip).String(), Language: "bash", Sources: map[string]string{"a.sh": "cat"}, Wait: 60}, "")
	}
	if err != nil || judged.Verdict != "AC" {
		t.Fatalf("%+v, %v: expected AC", judged, err)
	}
	if _, err = c.Register(t.Context(), &api.Registration{Name: "out", Judge: remote.Version(), Slots: 1}); err == nil {
		_, err = c.Remove(t.Context(), "out", "new memory")
	}
	if err != nil {
		t.Fatal(err)
	}
	if out := operate("backup", "--dir", s.dir, file); strings.Contains(out, "exit status") {
		t.Fatal(out)
	}
	if out := operate("backup", "--dir", s.dir, file); !strings.Contains(out, "exists") {
		t.Errorf("a second backup in the same file: %q: expected an error", out)
	}
	workers, err := c.Workers(t.Context())
	if err != nil || len(workers) != 2 || len(workers[0].Out)+len(workers[1].Out) != 1 {
		t.Fatalf("%+v, %v: expected two workers, one of them taken out", workers, err)
	}
	restored := func(to, file string, where ...string) {
		t.Helper()
		if out := operate(append([]string{"restore", "--dir", to, file}, where...)...); strings.Contains(out, "exit status") {
			t.Fatal(out)
		}
		again := newServer(t, append([]string{"--dir", to, "--local-worker=false"}, where...)...)
		if again.token != s.token {
			t.Errorf("the token of the restored server is %q: expected %q", again.token, s.token)
		}
		c, err := client.New(again.url, again.token)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := c.Judgement(t.Context(), judged.ID); err != nil || !reflect.DeepEqual(same, judged) {
			t.Errorf("the restored judgement: %+v, %v: expected %+v", same, err, judged)
		}
		same, err := c.Workers(t.Context())
		for i, w := range same {
			if was := workers[i]; !reflect.DeepEqual(w.Registration, was.Registration) || !w.Since.Equal(was.Since) || !reflect.DeepEqual(w.Out, was.Out) {
				t.Errorf("the restored worker %+v: expected %+v", w, was)
			}
		}
		if err != nil || len(same) != len(workers) {
			t.Errorf("the restored workers: %+v, %v: expected %+v", same, err, workers)
		}
		if p, err := c.Problem(t.Context(), blob.Of(zip).String()); err != nil || len(p.Cases) != 3 {
			t.Errorf("the restored package: %+v, %v: expected three cases", p, err)
		}
		again.stop(t)
	}
	restored(to, file)
	if out := operate("restore", "--dir", to, file); !strings.Contains(out, "expected an empty folder") {
		t.Errorf("restored twice: %q", out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cut, half := filepath.Join(t.TempDir(), "cut.tar.gz"), t.TempDir()
	if err := os.WriteFile(cut, data[:len(data)*9/10], 0o600); err != nil {
		t.Fatal(err)
	}
	if out := operate("restore", "--dir", half, cut); !strings.Contains(out, "unexpected EOF") {
		t.Errorf("of a file that was cut off: %q", out)
	}
	if left, err := os.ReadDir(half); err != nil || len(left) > 0 {
		t.Errorf("%d entries are left in the folder, %v", len(left), err)
	}
	stopped := filepath.Join(t.TempDir(), "stopped.tar.gz")
	if out := operate("backup", "--dir", to, stopped); strings.Contains(out, "exit status") {
		t.Errorf("the backup of a server that does not run: %s", out)
	}
	nats := []string{"--nats", testnats.One(t), "--nats-replicas", "1"}
	restored(t.TempDir(), stopped, nats...)
	if out := operate(append([]string{"restore", "--dir", t.TempDir(), file}, nats...)...); !strings.Contains(out, "a server has used it before") {
		t.Errorf("restored where there are servers: %q", out)
	}
	blobs, err := filepath.Glob(filepath.Join(s.dir, "blobs", "blobs", "*", "*"))
	if err != nil || len(blobs) == 0 {
		t.Fatal("the server has no blobs: ", err)
	}
	for _, name := range blobs {
		was, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name, _ = filepath.Rel(s.dir, name)
		if is, err := os.ReadFile(filepath.Join(to, name)); err != nil || string(is) != string(was) {
			t.Errorf("%s: %v: found %q: expected %q", name, err, is, was)
		}
	}
}

// The token of a worker reads the files of its own items, and nothing else.
func TestTokenOfWorker(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "bash")
	s := newServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	owner, err := client.New(s.url, s.token)
	if err != nil {
		t.Fatal(err)
	}
	secret := blob.Of([]byte("secret"))
	if err := owner.Blobs().Put(ctx, secret, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("secret")), nil }); err != nil {
		t.Fatal(err)
	}
	a, err := owner.Register(ctx, &api.Registration{Name: "spy", Judge: remote.Version(), Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/blobs/" + secret.String()} {
		if status, text := s.get(t, path, s.token); status != 200 || text != "secret" {
			t.Errorf("%s of the owner: status %d: %s", path, status, text)
		}
		if status, text := s.get(t, path, a.Token); status != 403 {
			t.Errorf("%s of a worker: status %d: %s", path, status, text)
		}
	}
	spy, err := client.New(s.url, a.Token)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, err error) {
		t.Helper()
		if p := new(blob.Problem); !errors.As(err, &p) || p.Status != 401 && p.Status != 403 {
			t.Errorf("%s with the token of a worker: %v: expected 401 or 403", what, err)
		}
	}
	_, err = spy.Workers(ctx)
	refused("GET /v1/workers", err)
	_, err = spy.Describe(ctx)
	refused("GET /v1/server", err)
	_, err = spy.Register(ctx, &api.Registration{Name: "other", Judge: remote.Version()})
	refused("POST /v1/workers", err)
	_, err = spy.Blobs().Missing(ctx, secret)
	refused("POST /v1/blobs:missing", err)
	other := blob.Of([]byte("other"))
	refused("PUT /v1/blobs", spy.Blobs().Put(ctx, other, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("other")), nil }))
}

// A graded program in a box does not reach the server.
func TestProgramReachesNoServer(t *testing.T) {
	t.Parallel()
	testkit.NeedsBox(t)
	testkit.Needs(t, "bash")
	s := newServer(t)
	dir := write(t)
	port := s.url[strings.LastIndexByte(s.url, ':')+1:]
	program := "read -r a\nif (exec 3<>/dev/tcp/127.0.0.1/" + port + ") 2>/dev/null; then echo reached; else echo $a; fi\n"
	if out, err := exec.Command("bash", "-c", "echo 5 | { "+strings.ReplaceAll(program, "\n", ";\n")+" }").Output(); err != nil || string(out) != "reached\n" {
		t.Fatalf("outside of a box the program prints %q, %v: expected that it reaches the server", out, err)
	}
	name := filepath.Join(dir, "submissions/accepted/connect.sh")
	if err := os.WriteFile(name, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	text, complaint, status := ask(t, []string{"CRUCIBLE_TOKEN=" + s.token}, "run", "--fresh", "--on", s.url, dir, "accepted/connect.sh")
	if status != 0 || !strings.Contains(text, "AC") {
		t.Errorf("status %d: %s%s", status, text, complaint)
	}
}
