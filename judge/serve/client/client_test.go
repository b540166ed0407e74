package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// The lines of an answer to a work item.
const (
	one  = `{"run":{"run":{"case":"secret/1"}}}` + "\n"
	two  = `{"run":{"run":{"case":"secret/2"}}}` + "\n"
	last = `{"end":{"by":"a"}}` + "\n"
)

func item() *remote.Item {
	empty := blob.Of(nil)
	return &remote.Item{Problem: remote.Package{ID: "echo", Tree: empty}, Submission: remote.Submission{Name: "a", Path: "a", Tree: empty}, Cases: []string{"secret/1"}}
}

// An item whose connection breaks is sent again, and no line is passed on twice.
func TestSentAgain(t *testing.T) {
	tests := []struct {
		name    string
		answers []string // of one request after the other; each but the last one breaks at its end
		want    string
	}{
		{"at once", []string{one + two + last}, one + two + last},
		{"before the first line", []string{"", one + last}, one + last},
		{"after an empty line", []string{"\n", one + last}, one + last},
		{"between two lines", []string{one, one + two + last}, one + two + last},
		{"twice", []string{one, one + two, one + two + last}, one + two + last},
		{"in a line", []string{one + two[:10], one + two + last}, one + two + last},
		{"after the last line", []string{one + last, ""}, one + last},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			requests := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Write([]byte(tt.answers[requests]))
				requests++
				if requests < len(tt.answers) {
					http.NewResponseController(w).Flush()
					panic(http.ErrAbortHandler)
				}
			}))
			defer s.Close()
			c, err := New(s.URL, "secret")
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			err = c.Do(t.Context(), item(), func(l *remote.Line) error { got.Write(l.Data); return nil })
			if err != nil || got.String() != tt.want {
				t.Errorf("error %v, lines:\n%sexpected:\n%s", err, got.String(), tt.want)
			}
		})
	}
}

// An answer that comes in parts is one answer. If the server does not know it any more, the
// item is sent again.
func TestParts(t *testing.T) {
	var asked []string
	parts := []string{one, "\n", "lost", one + two, last}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := parts[len(asked)]
		asked = append(asked, r.Method+" "+r.URL.RequestURI())
		w.Header().Set(remote.ItemHeader, "a/1")
		if part == "lost" {
			blob.NewProblem(404, "no").Write(w)
			return
		}
		w.Write([]byte(part))
	}))
	defer s.Close()
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	err = c.Do(t.Context(), item(), func(l *remote.Line) error { got.Write(l.Data); return nil })
	want := "POST /v1/items, GET /v1/items/a%2F1?after=1, GET /v1/items/a%2F1?after=1, POST /v1/items, GET /v1/items/a%2F1?after=2"
	if err != nil || got.String() != one+two+last || strings.Join(asked, ", ") != want {
		t.Errorf("error %v, requests %q, lines:\n%sexpected %s", err, asked, got.String(), want)
	}
}

// A refusal is not repeated, except by a server that has no room at the moment.
func TestRefused(t *testing.T) {
	for status, repeated := range map[int]bool{400: false, 403: false, 409: false, 429: true, 502: true, 503: true} {
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests == 1 {
				blob.NewProblem(status, "no").Write(w)
				return
			}
			w.Write([]byte(last))
		}))
		c, err := New(s.URL, "secret")
		if err != nil {
			t.Fatal(err)
		}
		err = c.Do(t.Context(), item(), func(*remote.Line) error { return nil })
		if (err == nil) != repeated || (requests == 2) != repeated {
			t.Errorf("status %d: %d requests, error %v; expected it to be sent again: %v", status, requests, err, repeated)
		}
		s.Close()
	}
}

// A batch follows each judgement, whatever breaks meanwhile, and asks once for each answer. A
// line that is refused is one answer, a server without room the end.
func TestBatch(t *testing.T) {
	var mu sync.Mutex
	begun, broken, full, tries := make(map[string]string), make(map[string]bool), false, 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var given api.Request
		json.NewDecoder(r.Body).Decode(&given)
		id := strings.Split(r.URL.Path+"///", "/")[3]
		mu.Lock()
		defer mu.Unlock()
		first := !broken[r.Method+r.URL.Path+given.ID]
		broken[r.Method+r.URL.Path+given.ID] = true
		key := r.Header.Get("Idempotency-Key")
		switch {
		case r.URL.Path == "/v1/server":
			io.WriteString(w, `{"slots": 2}`)
		case full:
			blob.NewProblem(507, "full").Write(w)
		case r.Method == "POST" && given.Problem == "none":
			blob.NewProblem(404, "none").Write(w)
		case r.Method == "POST" && given.ID == "busy" && tries < 2:
			tries, begun[given.ID] = tries+1, key
			blob.NewProblem(429, "busy").Write(w)
		case r.Method == "POST" && first:
			begun[given.ID] = key
			panic(http.ErrAbortHandler)
		case r.Method == "POST" && begun[given.ID] != key:
			t.Errorf("line %s has keys %q and %q: expected the same", given.ID, begun[given.ID], key)
		case r.Method == "POST" && given.ID == "quick":
			io.WriteString(w, `{"id": "quick", "verdict": "AC", "ended_at": "2026-01-01T00:00:00Z"}`)
		case r.Method == "POST":
			io.WriteString(w, `{"id": "`+given.ID+`"}`)
		case first:
			io.WriteString(w, "id: 1\nevent: run\ndata: {}\n\nevent: more\ndata:\n\n")
		case r.Header.Get("Last-Event-ID") != "1":
			t.Errorf("more events after %q: expected 1", r.Header.Get("Last-Event-ID"))
		default:
			io.WriteString(w, "event: judgement\ndata: {\"id\": \""+id+"\", \"verdict\": \"AC\"}\n\n")
		}
	}))
	defer s.Close()
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	lines := []*api.Request{{ID: "quick"}, {ID: "none", Problem: "none"}, {ID: "busy"}}
	for i := range 100 {
		lines = append(lines, &api.Request{ID: fmt.Sprint(i)})
	}
	got := make(map[string]int)
	batch := func() error {
		n := 0
		return c.Batch(t.Context(), func() *api.Request {
			if n++; n > len(lines) {
				return nil
			}
			return lines[n-1]
		}, func(l *api.BatchLine) error {
			got[l.ID]++
			if (l.ID == "none") != (l.Error != nil) || l.Error == nil && l.Judgement.Verdict != "AC" {
				t.Errorf("line %s: %v, %+v", l.ID, l.Error, l.Judgement)
			}
			return nil
		})
	}
	if err := batch(); err != nil {
		t.Error(err)
	}
	for _, r := range lines {
		if got[r.ID] != 1 {
			t.Errorf("line %s has %d answers: expected 1", r.ID, got[r.ID])
		}
	}
	mu.Lock()
	full, c.patience = true, time.Millisecond
	mu.Unlock()
	if p, is := errors.AsType[*blob.Problem](batch()); !is || p.Status != 507 {
		t.Errorf("without room: %v: expected status 507", p)
	}
}

// When a batch ends early, the judgements that its requests have begun are cancelled, also those
// of requests that wait for their answers.
func TestBatchEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	begun, cancelled := 0, 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.URL.Path == "/v1/server":
			io.WriteString(w, `{"slots": 2}`)
		case r.Method == "POST":
			begun++
			cancel() // before the answer
			fmt.Fprintf(w, `{"id": "g%d"}`, begun)
		case r.Method == "DELETE":
			cancelled++
			io.WriteString(w, `{}`)
		}
	}))
	defer s.Close()
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	err = c.Batch(ctx, func() *api.Request { return new(api.Request) }, func(l *api.BatchLine) error {
		t.Errorf("an answer after the end: %+v", l)
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v: expected that the batch was cancelled", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if begun == 0 || cancelled != begun {
		t.Errorf("%d judgements begun and %d cancelled: expected all", begun, cancelled)
	}
}

// A server that is started again is asked again. A refusal is not repeated.
func TestDescribe(t *testing.T) {
	for status, repeated := range map[int]bool{401: false, 503: true} {
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests == 1 {
				blob.NewProblem(status, "no").Write(w)
				return
			}
			w.Write([]byte(`{"judge":"a","slots":2}`))
		}))
		c, err := New(s.URL, "secret")
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Describe(t.Context())
		s.Close()
		if (err == nil) != repeated || repeated && (d.Judge != "a" || d.Slots != 2) {
			t.Errorf("status %d: %+v, %v: expected another request: %v", status, d, err, repeated)
		}
	}
}

// A server that has never answered is not waited for; one that has is started again.
func TestNoServer(t *testing.T) {
	answer := func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"judge":"a","slots":2}`)) }
	s := httptest.NewServer(http.HandlerFunc(answer))
	address := s.Listener.Addr().String()
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Close()
	dials := 0
	transport := c.servers.Transport
	transport.DialContext = func(ctx context.Context, network, to string) (net.Conn, error) {
		if dials++; dials == 2 {
			l, err := net.Listen("tcp", address)
			if err != nil {
				return nil, err
			}
			s = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(answer)}}
			s.Start()
		}
		return new(net.Dialer).DialContext(ctx, network, to)
	}
	if _, err := c.Describe(t.Context()); err != nil || dials != 2 {
		t.Errorf("a server that is started again: %v after %d connections: expected an answer after 2", err, dials)
	}
	s.Close()

	if c, err = New("http://"+address, "secret"); err != nil {
		t.Fatal(err)
	}
	dials = 2
	c.servers.Transport = transport
	_, err = c.Describe(t.Context())
	if want := "no server at http://" + address + ": dial tcp"; err == nil || !strings.HasPrefix(err.Error(), want) || dials != 3 {
		t.Errorf("no server: %v after %d connections: expected %s… after 1", err, dials-2, want)
	}
}

// A server that is gone is reported once, and given up once for all items: those that wait
// end together, and later ones at once, without a connection.
func TestServerGone(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(last)) }))
	c, err := New(s.URL, "secret")
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 10)
	c.Say, c.patience = func(text string) { said <- text }, time.Second
	ignore := func(*remote.Line) error { return nil }
	if err := c.Do(t.Context(), item(), ignore); err != nil {
		t.Fatal(err)
	}
	s.CloseClientConnections()
	s.Close()
	folder, err := blob.FolderOf(t.Context(), fstest.MapFS{"a": {Data: []byte("a")}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	for range 3 {
		go func() { ended <- c.Do(t.Context(), item(), ignore) }()
		go func() { ended <- c.Upload(t.Context(), folder) }()
	}
	select {
	case text := <-said:
		if !strings.HasPrefix(text, "no server at "+s.URL) {
			t.Errorf("it says %q", text)
		}
	case err := <-ended:
		t.Fatalf("%v, before it says that there is no server", err)
	}
	for range 6 {
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "connect") {
			t.Errorf("an item: %v: expected an error of the connection", err)
		}
	}
	c.servers.Transport = c.servers.Transport.Clone() // connections of before may be under way
	c.servers.Transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		t.Error("a connection after the server was given up")
		return nil, net.ErrClosed
	}
	for range 3 {
		if err := c.Do(t.Context(), item(), ignore); err == nil {
			t.Error("an item after that: no error")
		}
		if err := c.Upload(t.Context(), folder); err == nil {
			t.Error("an upload after that: no error")
		}
	}
	if len(said) > 0 {
		t.Errorf("it says also %q", <-said)
	}
	if sayAfter+dialTime > 5*time.Second {
		t.Error("it is said after more than 5 s")
	}
}
