package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// reopened starts a server that resumes what an earlier one left in dir.
func reopened(t *testing.T, dir string, change func(*Server, *pool)) *site {
	t.Helper()
	s := newSite(t, func(s *Server, p *pool) {
		s.Problems.Dir, s.State = dir, stateIn(t, filepath.Join(dir, "queue"))
		if change != nil {
			change(s, p)
		}
	})
	if err := s.s.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// isEnded reports whether a judgement has ended, and its server knows that its end is stored.
func (s *site) isEnded(id string) bool {
	k, err := s.s.read(s.t.Context(), id)
	return err == nil && k.end != nil && s.s.underWay(id) == nil
}

// ofBatch is the judgement of the only line of the answer to a batch.
func ofBatch(t *testing.T, answer []byte) *api.Judgement {
	t.Helper()
	var l api.BatchLine
	if err := json.Unmarshal(bytes.TrimSpace(answer), &l); err != nil || l.Judgement == nil {
		t.Fatalf("%s: %v: expected a judgement", answer, err)
	}
	return l.Judgement
}

// until waits for something that happens in another goroutine.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("after 30 s not: ", what)
		}
	}
}

// The first server is never told to end, as if it was killed.
func TestKilled(t *testing.T) {
	dir, hold := t.TempDir(), make(chan struct{})
	defer close(hold)
	first := reopened(t, dir, func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Wait = 0
	_, g := first.judge(r, "Idempotency-Key: k")
	r.Key = "b"
	line, _ := json.Marshal(r)
	r.Key = ""
	free, _ := json.Marshal(r)
	ctx, gone := context.WithCancel(t.Context())
	defer gone()
	batch, err := http.NewRequestWithContext(ctx, "POST", first.URL+"/v1/judgements:batch", strings.NewReader(string(line)+"\n"+string(free)+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	batch.Header.Set("Authorization", "Bearer "+submitSecret)
	go http.DefaultClient.Do(batch) // its error is that of gone
	until(t, "three work items", func() bool { return first.pool.items.Load() == 3 })

	first.s.State.Close()
	second := reopened(t, dir, nil)
	events := "/v1/judgements/" + g.ID + "/events"
	_, _, all := second.send("GET", events, nil, "Last-Event-ID: 2")
	if !strings.HasPrefix(string(all), "id: 1-1\nevent: run\n") || strings.Count(string(all), "event: run\n") != 3 || !strings.Contains(string(all), `"verdict":"AC"`) {
		t.Errorf("events after a restart: %s: expected three runs with new ids, and AC", all)
	}
	if _, _, rest := second.send("GET", events, nil, "Last-Event-ID: 1-2"); !strings.HasPrefix(string(rest), "id: 1-3\n") || !bytes.HasSuffix(all, rest) {
		t.Errorf("events after 1-2: %s: expected the rest of %s", rest, all)
	}
	_, now := second.judge(r, "Idempotency-Key: k")
	if now.ID != g.ID || now.Restarts != 1 || now.Verdict != "AC" || !now.Created.Equal(g.Created) {
		t.Errorf("%+v: expected judgement %s with one restart", now, g.ID)
	}
	_, _, answer := second.send("POST", "/v1/judgements:batch", string(line))
	if b := ofBatch(t, answer); b.Restarts != 1 || b.Verdict != "AC" {
		t.Errorf("%+v: expected the judgement that was begun again", b)
	}
	if names, err := second.s.State.Names(t.Context(), ended); err != nil || len(names) != 0 {
		t.Errorf("after all have ended: %v, %v: expected nothing that goes on", names, err)
	}
}

// A server that is told to end completes what runs, and leaves what waits to the next start; that
// is no restart, however often it happens.
func TestStopped(t *testing.T) {
	dir, hold := t.TempDir(), make(chan struct{})
	s := reopened(t, dir, func(s *Server, p *pool) { s.Most, p.hold = 100, hold })
	r := program("cat")
	r.Wait = 0
	for range atOnce {
		if status, g := s.judge(r); status != 202 {
			t.Fatalf("status %d: %+v", status, g)
		}
	}
	until(t, "what may run runs", func() bool { return s.pool.items.Load() == atOnce })
	_, g := s.judge(r, "Idempotency-Key: k")
	where, waiting := "/v1/judgements/"+g.ID, make(chan string)
	wait := *r
	wait.Wait = 60
	go func() {
		_, _, answer := s.send("POST", "/v1/judgements", &wait, "Idempotency-Key: k")
		waiting <- string(answer)
	}()
	for i := range mostRestarts + 2 {
		ended := make(chan struct{})
		go func() { s.s.Drain(t.Context()); close(ended) }()
		until(t, "it is left", func() bool { return s.s.underWay(g.ID) == nil })
		if i == 0 {
			if answer := <-waiting; !strings.Contains(answer, `"queued"`) && !strings.Contains(answer, "about to stop") {
				t.Errorf("who waits for it gets %s: expected that it is queued, or that the server stops", answer)
			}
			close(hold)
		}
		for _, path := range []string{where, where + "/events"} {
			if status, _, answer := s.send("GET", path, nil); status != 503 || !strings.Contains(string(answer), "about to stop") {
				t.Errorf("%s: status %d: %s: expected that the server stops", path, status, answer)
			}
		}
		<-ended
		s.s.State.Close()
		if i < mostRestarts+1 {
			s = reopened(t, dir, func(s *Server, _ *pool) {
				for range atOnce { // others are before it again
					if err := s.turns.Enter(t.Context(), "ann", atOnce, 0); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
	s = reopened(t, dir, nil)
	until(t, "its end", func() bool { return s.isEnded(g.ID) })
	if _, _, answer := s.send("GET", where, nil); !strings.Contains(string(answer), `"verdict":"AC"`) || strings.Contains(string(answer), "restarts") {
		t.Errorf("%s: expected AC without a restart", answer)
	}
}

// A line with a key whose client is gone is begun again when it is sent again.
func TestBatchAgain(t *testing.T) {
	hold := make(chan struct{})
	s := reopened(t, t.TempDir(), func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Key = "b"
	line, _ := json.Marshal(r)
	ctx, gone := context.WithCancel(t.Context())
	batch, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/judgements:batch", bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	batch.Header.Set("Authorization", "Bearer "+submitSecret)
	ended := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(batch)
		if err == nil {
			_, err = response.Body.Read(make([]byte, 1))
			response.Body.Close()
		}
		ended <- err
	}()
	until(t, "a work item", func() bool { return s.pool.items.Load() == 1 })
	gone()
	if err := <-ended; err == nil {
		t.Error("the client that went away has an answer")
	}
	id := idOf("ann", "b")
	until(t, "the judgement is cancelled", func() bool { return s.isEnded(id) })
	close(hold)
	_, _, answer := s.send("POST", "/v1/judgements:batch", string(line))
	if g := ofBatch(t, answer); g.ID != id || g.Verdict != "AC" || g.Restarts != 0 {
		t.Errorf("%+v: expected AC for %s", g, id)
	}
	if status, _, _ := s.send("POST", "/v1/judgements", r); status != 422 {
		t.Errorf("a key outside of a batch: status %d: expected 422", status)
	}
}

// A judgement that somebody has asked for without a batch goes on when a batch that asks for it,
// too, goes away.
func TestBatchLeavesOthers(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(_ *Server, p *pool) { p.hold = hold })
	r := program("cat")
	r.Wait = 0
	_, g := s.judge(r, "Idempotency-Key: k")
	r.Key = "k"
	line, _ := json.Marshal(r)
	ctx, gone := context.WithCancel(t.Context())
	body, more := io.Pipe()
	batch, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/judgements:batch", body)
	if err != nil {
		t.Fatal(err)
	}
	batch.Header.Set("Authorization", "Bearer "+submitSecret)
	ended := make(chan bool)
	go func() { http.DefaultClient.Do(batch); close(ended) }() // its error is that of gone
	more.Write(append(line, '\n'))
	time.Sleep(200 * time.Millisecond) // nothing shows when the line is under way
	gone()
	<-ended
	close(hold)
	until(t, "the end", func() bool { return s.isEnded(g.ID) })
	if _, _, answer := s.send("GET", "/v1/judgements/"+g.ID, nil); !strings.Contains(string(answer), `"verdict":"AC"`) {
		t.Errorf("%s: expected AC", answer)
	}
}

// Who asks for a judgement that a batch has just left gets one that goes on.
func TestAskAfterLeaving(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(_ *Server, p *pool) { p.hold = hold })
	one, err := s.s.check(t.Context(), &Token{Name: "ann", Scopes: []Scope{Admin}}, program("cat"), newChoice())
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := s.s.begin(t.Context(), &Token{Name: "ann"}, "k", one, true)
	if err != nil || !g.leave() {
		t.Fatalf("%v: expected that nobody else has asked for it", err)
	}
	close(hold)
	if status, now := s.judge(program("cat"), "Idempotency-Key: k"); status != 200 || now.Verdict != "AC" || now.ID != g.now.ID {
		t.Errorf("status %d: %+v: expected AC, of %s", status, now, g.now.ID)
	}
}

// What cannot be judged again ends, with the reason.
func TestResumeFails(t *testing.T) {
	dir := t.TempDir()
	ids := []string{idOf("ann", "1"), idOf("ann", "2")}
	q := stateIn(t, filepath.Join(dir, "queue"))
	add := func(id string, a *acceptance) {
		data, err := json.Marshal(a)
		if err == nil {
			_, err = q.Write(t.Context(), id, queue.Entry{Kind: accepted, Data: data})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(ids[0], &acceptance{Token: "ann", Request: program("cat"), Restarts: mostRestarts})
	add(ids[1], &acceptance{Token: "ann", Request: &api.Request{Problem: "removed", Sources: map[string]string{"a.sh": ""}}})
	q.Close()
	s := reopened(t, dir, nil)
	for i, want := range []string{"given up: the server has ended 4 times", `problem "removed": found none`} {
		until(t, "an end", func() bool { return s.isEnded(ids[i]) })
		_, _, answer := s.send("GET", "/v1/judgements/"+ids[i], nil)
		var g api.Judgement
		if err := json.Unmarshal(answer, &g); err != nil || !strings.Contains(g.Error, want) || g.Verdict != "" || g.State != api.Ended {
			t.Errorf("%s, %v: expected the error %q", answer, err, want)
		}
	}
}

// Of a judgement whose entry is not as it was written, the client reads why there is no verdict.
// A byte of one of the two streams is not enough for that: see TestDamagedEntry of package queue.
func TestDamagedJudgement(t *testing.T) {
	dir := t.TempDir()
	began, over := idOf("ann", "1"), idOf("ann", "2")
	s := reopened(t, dir, nil)
	if _, err := s.s.State.Write(t.Context(), began, queue.Entry{Kind: accepted, Data: []byte(`{"token":"ann","request":{"problem":"echo"}}`)}); err != nil {
		t.Fatal(err)
	}
	if _, g := s.judge(program("cat"), "Idempotency-Key: 2"); g.ID != over || g.Verdict != "AC" {
		t.Fatalf("%+v: expected AC", g)
	}
	s.s.State.Close()
	stateIn(t, filepath.Join(dir, "queue")).Close() // which copies what has no copy yet
	changed := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if filepath.Ext(name) != ".blk" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		old := bytes.ReplaceAll(data, []byte(`"problem":"echo"`), []byte(`"problem":"Echo"`))
		old = bytes.ReplaceAll(old, []byte(`"verdict":"AC"`), []byte(`"verdict":"WA"`))
		if bytes.Equal(old, data) {
			return nil
		}
		changed++
		return os.WriteFile(name, old, 0o600)
	})
	if err != nil || changed != 2 {
		t.Fatalf("%d files changed, %v: expected those of both streams", changed, err)
	}
	s = reopened(t, dir, nil)
	for _, id := range []string{began, over} {
		until(t, "an end", func() bool { return s.isEnded(id) })
		status, _, answer := s.send("GET", "/v1/judgements/"+id, nil)
		if status != 200 || !strings.Contains(string(answer), "the disk of the server has changed what it kept of this judgement: send it again") {
			t.Errorf("status %d: %s: expected why there is no verdict", status, answer)
		}
	}
}

// One client can use all workers of a large pool.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct{ slots, want int }{{1, 64}, {64, 64}, {1000, 1000}} {
		if got := atLeast(64, slotsOf(c.slots)); got != c.want {
			t.Errorf("%d free slots: %d, expected %d", c.slots, got, c.want)
		}
	}
}

// slotsOf is a pool with some free slots that executes nothing.
type slotsOf int

func (s slotsOf) Slots(context.Context) (int, error) { return int(s), nil }

func (s slotsOf) Do(context.Context, *remote.Item, func(*remote.Line) error) error { return nil }
