package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testnats"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
)

// Three servers on a cluster of three NATS servers are one: each shows what the others do. When
// the server that has accepted judgements is killed, and a machine of NATS too, the others
// finish them, on a package that was sent to the first one only, by workers that go on to
// the next server.
func TestCluster(t *testing.T) {
	testkit.InMatrix(t)
	testkit.Needs(t, "bash")
	nodes := testnats.Cluster(t)
	var servers []*testServer
	var urls []string
	for range 3 {
		s := newServer(t, "--nats", testnats.URL(nodes), "--local-worker=false", "--ack-wait", "2s")
		servers, urls = append(servers, s), append(urls, s.url)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("server %s: %s", s.url, s.log.String())
			}
		})
		if s.token != servers[0].token {
			t.Errorf("the tokens %s and %s: expected one", s.token, servers[0].token)
		}
	}
	for i := range 2 {
		w := exec.Command(built(t, "judged"), "worker", "--server", strings.Join(urls, ","), "--name", fmt.Sprint("w", i), "--jobs", "2", "--dir", t.TempDir())
		w.Env = environment(t, "CRUCIBLE_TOKEN="+servers[0].token)
		var log strings.Builder
		w.Stderr = &log
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			w.Process.Kill()
			w.Wait()
			if t.Failed() {
				t.Logf("worker %d: %s", i, log.String())
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var at []*client.Client
	for _, s := range servers {
		c, err := client.New(s.url, s.token)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, c)
	}
	zip := packed(t, write(t))
	sent, err := at[0].PutPackage(ctx, zip)
	if err != nil || sent.Copies != 2 {
		t.Fatalf("%+v, %v: expected two copies", sent, err)
	}
	request := func(i int) *api.Request {
		return &api.Request{Problem: blob.Of(zip).String(), Language: "bash", Sources: map[string]string{"a.sh": fmt.Sprintf("sleep 0.3; cat # %d", i)}}
	}
	// What one accepts, each shows.
	one := request(-1)
	one.Wait = 60
	g, err := at[0].Judge(ctx, one, "")
	if err != nil || g.Verdict != "AC" {
		t.Fatalf("%+v, %v: expected AC", g, err)
	}
	for i, c := range at {
		if same, err := c.Judgement(ctx, g.ID); err != nil || same.Verdict != "AC" {
			t.Errorf("at server %d: %+v, %v: expected AC", i, same, err)
		}
		for { // servers say what they know every 2 s
			workers, err := c.Workers(ctx)
			if err != nil {
				t.Fatalf("at server %d: %v: expected two workers that live", i, err)
			}
			if len(workers) == 2 && workers[0].Alive && workers[1].Alive {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	const many = 12
	ids := make(map[string]bool)
	for i := range many {
		g, err := at[0].Judge(ctx, request(i), fmt.Sprint("key", i))
		if err != nil {
			t.Fatal(err)
		}
		ids[g.ID] = true
	}
	servers[0].cmd.Process.Kill()
	servers[0].cmd.Wait()
	nodes[0].Shutdown()
	any, err := client.New(strings.Join(urls, ","), servers[0].token)
	if err != nil {
		t.Fatal(err)
	}
	restarted := 0
	for i := range many { // the client repeats its requests at a server that lives
		r := request(i)
		g, err := any.Judge(ctx, r, fmt.Sprint("key", i))
		if err != nil || !ids[g.ID] {
			t.Fatalf("%+v, %v: expected one of %v", g, err, ids)
		}
		if g, err = any.Follow(ctx, g.ID, func(json.RawMessage) error { return nil }); err != nil || g.Verdict != "AC" {
			t.Fatalf("%+v, %v: expected AC", g, err)
		}
		restarted += g.Restarts
	}
	t.Logf("%d of %d judgements were begun again", restarted, many)
	if restarted == 0 {
		t.Error("all had ended before the server was killed")
	}
	if all, err := at[2].Problems(ctx); err != nil || len(all) != 1 {
		t.Errorf("the problems of the last server: %+v, %v: expected the one that was sent to the first", all, err)
	}
}

// What would leave a server out of its cluster, or a backup without judgements, is an error.
// A token that one server was given is valid at the next one.
func TestClusterFlags(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	run := func(args ...string) string {
		c := exec.Command(built(t, "judged"), args...)
		c.Env = environment(t)
		out, err := c.CombinedOutput()
		return fmt.Sprint(string(out), err)
	}
	for _, row := range []struct{ args, want string }{
		{"--nats " + url + " --listen 0.0.0.0:0", "--listen 0.0.0.0:0: expected --advertise"},
		{"--nats " + url + " --durable", "sync_interval: always"},
		{"--advertise http://a:1", "--advertise: expected --nats"},
		{"--nats " + url + " --advertise http://a:1,http://b:2", "http://b:2: expected one address"},
		{"--nats " + url + " --nats-replicas 2", "expected 1 or 3"},
		{"--nats " + url + " --nats-prefix A.b", "Prefix \"A.b\""},
	} {
		if got := run(append([]string{"serve", "--dir", t.TempDir()}, strings.Fields(row.args)...)...); !strings.Contains(got, row.want) || !strings.Contains(got, "exit status") {
			t.Errorf("serve %s: %s: expected %q", row.args, got, row.want)
		}
	}
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("watcher jury watcher-0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "--nats", url, "--nats-replicas", "1", "--local-worker=false", "--tokens", tokens)
	s.stop(t)
	other := newServer(t, "--nats", url, "--nats-replicas", "1", "--local-worker=false")
	if status, text := other.get(t, "/metrics", "watcher-0123456789abcdef"); status != 200 {
		t.Errorf("a token that another server was given: status %d: %s", status, text)
	}
	if got := run("backup", "--dir", s.dir, t.TempDir()+"/file"); !strings.Contains(got, "the state of this server is in NATS: expected that it runs") {
		t.Errorf("the backup of a server of a cluster that does not run: %s", got)
	}
}
