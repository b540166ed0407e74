package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// stalled sends a request whose body stops after a few bytes, and returns the answer, the
// time until it came and a reader for what follows it.
func (s *site) stalled(t *testing.T, method, path, secret, sent string) (*http.Response, *bufio.Reader, net.Conn) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: 100000\r\n\r\n%s", method, path, secret, sent)
	in := bufio.NewReader(conn)
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Errorf("%s %s: %v", method, path, err)
		return nil, in, conn
	}
	return r, in, conn
}

// gone reports whether the server closes the connection.
func gone(r *http.Response, in *bufio.Reader) bool {
	if r == nil {
		return false
	}
	io.Copy(io.Discard, r.Body)
	_, err := in.ReadByte()
	return err == io.EOF
}

// Without a token, no address keeps a connection open by a body that does not come: the
// answer does not wait for it, and the connection ends.
func TestStallWithoutToken(t *testing.T) {
	s := newSiteWithWorkers(t)
	type address struct{ method, path string }
	all := []address{{"POST", "/v1/nothing"}, {"POST", "/v1/problems"}, {"GET", "/nothing"}}
	for _, r := range s.s.routes() {
		all = append(all, address{r.method, strings.NewReplacer("{digest}", blob.Of(nil).String(), "{problem}", "echo", "{id}", "x", "{worker}", "x").Replace(r.path)})
	}
	var wg sync.WaitGroup
	for _, a := range all {
		wg.Go(func() {
			r, in, _ := s.stalled(t, a.method, a.path, "no token of this server", "{")
			if !gone(r, in) {
				t.Errorf("%s %s: the connection stays open", a.method, a.path)
			}
		})
	}
	wg.Wait()
}

// With a token, a body that stalls is given up, in each request that has one.
func TestStall(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Limits.Stall = 200 * time.Millisecond })
	var wg sync.WaitGroup
	for _, a := range []struct{ method, path string }{
		{"POST", "/v1/judgements"}, {"POST", "/v1/executions"}, {"POST", "/v1/items"}, {"POST", "/v1/blobs:missing"},
		{"PUT", "/v1/blobs/" + strings.Repeat("0", 64) + "-100000"}, {"PUT", "/v1/packages/" + strings.Repeat("0", 64) + "-100000"},
	} {
		wg.Go(func() {
			r, in, _ := s.stalled(t, a.method, a.path, submitSecret, "{")
			if r != nil && r.StatusCode != http.StatusRequestTimeout || !gone(r, in) {
				t.Errorf("%s %s: %+v: expected status %d and the end of the connection", a.method, a.path, r, http.StatusRequestTimeout)
			}
		})
	}
	wg.Wait()
	// A batch lasts as long as its judgements.
	hold := make(chan struct{})
	s = newSite(t, func(s *Server, p *pool) { s.Limits.Stall, p.hold = 200*time.Millisecond, hold })
	line := `{"problem":"echo","language":"bash","sources":{"a.sh":"cat"}}` + "\n"
	r, in, conn := s.stalled(t, "POST", "/v1/judgements:batch", submitSecret, line)
	time.Sleep(3 * s.s.Limits.Stall) // nothing must happen in this time
	fmt.Fprint(conn, line)
	close(hold)
	data, _ := io.ReadAll(r.Body)
	if text := string(data); strings.Count(text, `"state":"ended"`) != 2 || !strings.Contains(text, "stalls") || !gone(r, in) {
		t.Errorf("the batch ends with %.300q: expected 2 judgements and an error", data[max(0, len(data)-300):])
	}
}

// A client has a bounded number of bodies under way. Others and health checks are answered.
func TestRequestsAtOnce(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) { s.Limits.Requests = 2 })
	var open []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/judgements:batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: 9\r\n\r\n{", submitSecret)
		bufio.NewReader(conn).ReadString('\n') // it has its place
		open = append(open, conn)
	}
	r := program("cat")
	if status, header, answer := s.send("POST", "/v1/judgements", r); status != 429 || header.Get("Retry-After") == "" || !strings.Contains(string(answer), "bodies of 2 requests") {
		t.Errorf("a third one: status %d, %v: %s: expected 429", status, header, answer)
	}
	if status, _, answer := s.send("POST", "/v1/judgements", r, "Authorization: Bearer "+otherSecret); status != 200 {
		t.Errorf("another client: status %d: %s", status, answer)
	}
	if status, _, _ := s.send("GET", "/healthz", nil); status != 200 {
		t.Errorf("healthz: status %d", status)
	}
	open[0].Close()
	for status, n := 0, 0; status != 200; n++ {
		if status, _, _ = s.send("POST", "/v1/judgements", r); n == 20 {
			t.Fatalf("after the end of one: status %d", status)
		}
	}
}

// A client has a bounded number of bytes in memory: a request that exceeds it is refused,
// and a batch is read when there is room.
func TestWaitingBytes(t *testing.T) {
	hold := make(chan struct{})
	s := newSite(t, func(s *Server, p *pool) { s.Limits.Waiting, p.hold = 20_000, hold })
	body, in := io.Pipe()
	go func() {
		for n := range 20 {
			fmt.Fprintf(in, `{"problem":"echo","language":"bash","sources":{"a.sh":"cat #%0*d"}}`+"\n", 5000, n)
		}
		in.Close()
	}()
	answered := make(chan string)
	go func() {
		_, _, answer := s.send("POST", "/v1/judgements:batch", body)
		answered <- string(answer)
	}()
	waiting := func() (n int64) {
		s.s.senders.change("ann", func(one *sender) { n = one.waiting })
		return n
	}
	for waiting() < 15_000 {
		time.Sleep(time.Millisecond)
	}
	r := program("cat #" + strings.Repeat("x", 8_000))
	if status, header, answer := s.send("POST", "/v1/judgements", r); status != 429 || header.Get("Retry-After") == "" {
		t.Errorf("a further request: status %d: %s: expected 429", status, answer)
	}
	if n := waiting(); n > 20_000 {
		t.Errorf("%d bytes wait: expected at most 20,000", n)
	}
	close(hold)
	if n := strings.Count(<-answered, `"state":"ended"`); n != 20 {
		t.Errorf("%d judgements of the batch: expected 20", n)
	}
	for n := 0; waiting() != 0; n++ {
		if time.Sleep(time.Millisecond); n == 10_000 {
			t.Fatalf("%d bytes wait in the end: expected none", waiting())
		}
	}
	for status, n := 0, 0; status != 200; n++ {
		if status, _, _ = s.send("POST", "/v1/judgements", r); n == 20 {
			t.Fatalf("later: status %d", status)
		}
	}
	line := `{"id":"` + strings.Repeat("x", 30_000) + "\"}\n"
	if _, _, answer := s.send("POST", "/v1/judgements:batch", line); !strings.Contains(string(answer), `"status":429`) {
		t.Errorf("a line that never has room: %s: expected 429", answer)
	}
	s.s.senders.Body = 1000
	if _, _, answer := s.send("POST", "/v1/judgements:batch", line); !strings.Contains(string(answer), `"status":413`) {
		t.Errorf("a long line: %s: expected 413", answer)
	}
	if status, _, answer := s.send("POST", "/v1/judgements", &api.Request{ID: strings.Repeat("x", 1001)}); status != 413 {
		t.Errorf("a large body: status %d: %s: expected 413", status, answer)
	}
}

// Connections that send nothing make room for others.
func TestSilentConnections(t *testing.T) {
	limit := &Connections{Most: 4}
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	web.Config.ConnState = limit.Changed
	web.Start()
	defer web.Close()
	for n := range 20 {
		conn, err := net.Dial("tcp", web.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		if n >= 16 {
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
			if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != 200 {
				t.Errorf("connection %d: %v, %v", n, r, err)
			}
			continue
		}
		defer func() {
			if _, err := conn.Read(make([]byte, 1)); err != io.EOF && !strings.Contains(fmt.Sprint(err), "reset") {
				t.Errorf("silent connection %d: %v: expected its end", n, err)
			}
		}()
	}
}

// A client whose requests all have connections that are not silent cannot keep others out.
func TestBusyConnections(t *testing.T) {
	limit := &Connections{Most: 6}
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		UsedBy(r, r.Header.Get("By"))
		io.WriteString(w, "begun")
		http.NewResponseController(w).Flush()
		if r.URL.Path == "/events" {
			<-r.Context().Done()
		}
	}))
	web.Config.ConnState, web.Config.ConnContext = limit.Changed, limit.Context
	web.Start()
	t.Cleanup(web.Close)
	ask := func(by, path string) (end chan error, err error) {
		c := &http.Client{Transport: new(http.Transport)}
		t.Cleanup(c.CloseIdleConnections)
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		r, err := http.NewRequestWithContext(ctx, "GET", web.URL+path, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("By", by)
		answer, err := c.Do(r)
		if err != nil {
			return nil, err
		}
		end = make(chan error, 1)
		go func() {
			_, err := io.ReadAll(answer.Body)
			end <- err
			answer.Body.Close()
		}()
		return end, nil
	}
	worker, err := ask("worker", "/events")
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := ask("ann", "/events"); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		one, err := ask("bob", "/")
		if err == nil {
			err = <-one
		}
		if err != nil {
			t.Error("another client: ", err)
		}
	}
	select {
	case err := <-worker:
		t.Error("the worker's connection is closed: ", err)
	default:
	}
}
