package server

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
	"crucible/judge/serve/server/queue"
)

// A member is a server of a cluster.
type member struct {
	*site
	silence func() // as if it was killed: the others hear no more of it
}

// memberOf starts a server of a cluster on a NATS server, with the problems of the first one.
func memberOf(t *testing.T, nats, name, problems string, hold chan struct{}) *member {
	t.Helper()
	q, err := queue.Start(t.Context(), queue.Options{URL: nats, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	s := newSite(t, func(s *Server, p *pool) {
		s.State, p.hold = q, hold
		if problems != "" {
			s.Problems.Folder = problems
		}
	})
	s.s.Cluster = &Cluster{Name: name, URL: s.URL, HTTP: http.DefaultClient, each: 100 * time.Millisecond, silent: time.Second}
	if err := s.s.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	left, err := s.s.Join(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-left })
	return &member{s, q.Close}
}

// hears waits until a server has heard another one.
func (m *member) hears(name string) {
	m.t.Helper()
	until(m.t, "a sign of "+name, func() bool {
		for _, s := range m.s.Cluster.Living() {
			if s.Name == name {
				return true
			}
		}
		return false
	})
}

// Any server answers for a judgement of another one; when that is lost, another one begins it
// again, and only its end counts.
func TestCluster(t *testing.T) {
	nats, hold := testnats.One(t), make(chan struct{})
	a := memberOf(t, nats, "a", "", hold)
	b := memberOf(t, nats, "b", a.s.Problems.Folder, nil)
	c := memberOf(t, nats, "c", a.s.Problems.Folder, nil)
	for _, m := range []*member{b, c} {
		m.hears("a")
	}
	a.hears("b")

	r := program("cat")
	r.Wait = 0
	_, g := a.judge(r, "Idempotency-Key: k")
	until(t, "a work item", func() bool { return a.pool.items.Load() == 1 })
	where := "/v1/judgements/" + g.ID
	for _, m := range []*member{a, b, c} {
		status, _, answer := m.send("GET", where, nil)
		if status != 200 || !strings.Contains(string(answer), `"running"`) {
			t.Errorf("at %s: status %d: %s: expected that it runs", m.s.Cluster.Name, status, answer)
		}
		if _, same := m.judge(r, "Idempotency-Key: k"); same.ID != g.ID || same.Ended != nil {
			t.Errorf("at %s, with the same key: %+v: expected %s", m.s.Cluster.Name, same, g.ID)
		}
	}
	// One is cancelled at a server that does not make it.
	_, other := a.judge(r)
	if status, _, answer := b.send("DELETE", "/v1/judgements/"+other.ID, nil); status != 200 || !strings.Contains(string(answer), `"cancelled"`) {
		t.Errorf("cancelled at b: status %d: %s", status, answer)
	}

	a.silence()
	until(t, "the end of the judgement", func() bool { return b.isEnded(g.ID) })
	for _, m := range []*member{b, c} {
		_, _, answer := m.send("GET", where, nil)
		if text := string(answer); !strings.Contains(text, `"verdict":"AC"`) || !strings.Contains(text, `"restarts":1`) {
			t.Errorf("at %s: %s: expected AC after one restart", m.s.Cluster.Name, answer)
		}
	}
	if n := b.pool.items.Load() + c.pool.items.Load(); n != 1 {
		t.Errorf("%d servers have begun it again: expected one", n)
	}
	close(hold)
}

// A server that was only silent does not overwrite what another one has begun, and its clients
// get the verdict of that one.
func TestSilentServer(t *testing.T) {
	nats, hold := testnats.One(t), make(chan struct{})
	a := memberOf(t, nats, "a", "", hold)
	r := program("cat")
	r.Wait = 0
	_, g := a.judge(r)
	until(t, "a work item", func() bool { return a.pool.items.Load() == 1 })
	b := memberOf(t, nats, "b", a.s.Problems.Folder, nil)
	b.hears("a")
	if err := b.s.takeOver(t.Context(), func(server string) bool { return server == "a" }); err != nil {
		t.Fatal(err)
	}
	until(t, "the end at b", func() bool { return b.isEnded(g.ID) })
	close(hold)
	until(t, "that a gives it up", func() bool { return a.s.underWay(g.ID) == nil })
	status, _, answer := a.send("GET", "/v1/judgements/"+g.ID, nil)
	if status != 200 || !strings.Contains(string(answer), `"restarts":1`) || !strings.Contains(string(answer), `"ended"`) {
		t.Errorf("at a: status %d: %s: expected the end at b", status, answer)
	}
}
