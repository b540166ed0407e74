package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
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
	until(t, "the end of the judgement", func() bool { return b.isEnded(g.ID) && c.isEnded(g.ID) }) // one of them makes it
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

// A client that reads nothing of what another server sends is given up. What comes from a client
// is not taken for a request that was sent on, and nothing is sent on twice.
func TestForwarding(t *testing.T) {
	before := giveUp
	giveUp = 200 * time.Millisecond
	t.Cleanup(func() { giveUp = before })
	ended := make(chan bool, 1)
	var header atomic.Pointer[http.Header]
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if header.Store(&r.Header); r.URL.Path != "/endless" {
			return
		}
		for data := make([]byte, 1<<20); ; {
			if _, err := w.Write(data); err != nil {
				ended <- true
				return
			}
		}
	}))
	defer other.Close()
	s := newSite(t, func(*Server, *pool) {})
	c := &Cluster{Name: "a", HTTP: new(http.Client), silent: time.Hour}
	c.hear([]byte(`{"name":"b","url":"` + other.URL + `"}`))
	at := httptest.NewServer(s.s.logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.forward(w, r, &elsewhere{server: "b"}, s.s.Log)
	})))
	defer at.Close()
	send := func(lines string) net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", at.Listener.Addr().String())
		if err == nil {
			_, err = io.WriteString(conn, lines+"Host: a\r\n\r\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	defer send("GET /endless HTTP/1.1\r\n").Close()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("a client that reads nothing is not given up")
	}
	status := func(lines string) int {
		t.Helper()
		conn := send("GET / HTTP/1.1\r\n" + lines)
		defer conn.Close()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	if got := status("Connection: Crucible-Forwarded, X-A\r\nX-A: 1\r\nX-Forwarded-For: b\r\nOrigin: a\r\n"); got != 200 {
		t.Errorf("status %d: expected 200", got)
	}
	h := *header.Load()
	if h.Get(forwarded) != "a" || h.Get("X-A")+h.Get("X-Forwarded-For")+h.Get("Origin") != "" {
		t.Errorf("the other server gets %v: expected %s: a, and nothing of the client about the connection", h, forwarded)
	}
	header.Store(nil)
	for _, lines := range []string{"Crucible-Forwarded: a\r\n", "Crucible-Forwarded: b\r\nCrucible-Forwarded: \r\n",
		"Connection: Crucible-Forwarded\r\ncrucible-forwarded: x\r\n"} {
		if got := status(lines); got != 503 || header.Load() != nil {
			t.Errorf("%q: status %d: expected 503, and no request to the other server", lines, got)
		}
	}
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

// A key of a judgement whose server is lost is not free for another program.
func TestKeyOfLostServer(t *testing.T) {
	m := memberOf(t, testnats.One(t), "a", "", nil)
	id := idOf("ann", "k")
	time.Sleep(m.s.Cluster.silence()) // nobody may live who was not heard
	data, err := json.Marshal(&acceptance{Token: "ann", Request: program("cat"), Hash: "of the first", Server: "lost"})
	if err == nil {
		_, err = m.s.State.Write(t.Context(), id, queue.Entry{Kind: accepted, Data: data})
	}
	if err != nil {
		t.Fatal(err)
	}
	if status, g := m.judge(program("echo 2"), "Idempotency-Key: k"); status != 422 {
		t.Errorf("status %d: %+v: expected that the key is that of another request", status, g)
	}
}

// A judgement whose entry was stored, though the request for it has failed, is made by the server
// that the entry names.
func TestAdopt(t *testing.T) {
	m := memberOf(t, testnats.One(t), "a", "", nil)
	id := idOf("ann", "1")
	m.s.Cluster.doubt(id, time.Minute)
	time.Sleep(500 * time.Millisecond) // later than the first look
	data, err := json.Marshal(&acceptance{Token: "ann", Request: program("cat"), Server: "a"})
	if err == nil {
		_, err = m.s.State.Write(t.Context(), id, queue.Entry{Kind: accepted, Data: data})
	}
	if err != nil {
		t.Fatal(err)
	}
	until(t, "an end", func() bool { return m.isEnded(id) })
	if k, err := m.s.read(t.Context(), id); err != nil || k.end.Verdict != "AC" {
		t.Errorf("%+v, %v: expected AC", k.end, err)
	}
}
