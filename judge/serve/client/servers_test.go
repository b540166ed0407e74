package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// A cluster has servers whose requests are noted as "NUMBER METHOD PATH".
type cluster struct {
	servers []*httptest.Server

	mu    sync.Mutex
	asked []string
}

// newCluster starts servers with these handlers.
func newCluster(t *testing.T, handlers ...http.HandlerFunc) *cluster {
	c := new(cluster)
	for i, h := range handlers {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c.mu.Lock()
			c.asked = append(c.asked, string(rune('0'+i))+" "+r.Method+" "+r.URL.RequestURI())
			c.mu.Unlock()
			if got := r.Header.Get("Authorization"); got != "Bearer secret" {
				t.Errorf("server %d gets Authorization %q", i, got)
			}
			if "http://"+r.Host != c.servers[i].URL {
				t.Errorf("server %d gets host %s: expected its own", i, r.Host)
			}
			h(w, r)
		}))
		t.Cleanup(s.Close)
		c.servers = append(c.servers, s)
	}
	return c
}

// end ends a server and its connections.
func (c *cluster) end(server int) {
	c.servers[server].CloseClientConnections()
	c.servers[server].Close()
}

// urls are the addresses with commas between them.
func (c *cluster) urls() string {
	var all []string
	for _, s := range c.servers {
		all = append(all, s.URL)
	}
	return strings.Join(all, ",")
}

func (c *cluster) client(t *testing.T) *Client {
	t.Helper()
	one, err := New(c.urls(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// expect compares the requests since the last call.
func (c *cluster) expect(t *testing.T, want ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if got := strings.Join(c.asked, ", "); got != strings.Join(want, ", ") {
		t.Errorf("requests: %s; expected %s", got, strings.Join(want, ", "))
	}
	c.asked = nil
}

// everything answers each request.
func everything(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/items"):
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, one+last)
	case strings.HasSuffix(r.URL.Path, "/v1/blobs:missing"):
		io.Copy(w, r.Body)
	default:
		io.WriteString(w, `{"judge":"a","slots":2,"id":"g","state":"done"}`)
	}
}

func refuse(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		blob.NewProblem(status, "the server is about to stop").Write(w)
	}
}

// do sends an item and returns the lines of the answer.
func do(t *testing.T, c *Client) string {
	t.Helper()
	var got strings.Builder
	if err := c.Do(t.Context(), item(), func(l *remote.Line) error { got.Write(l.Data); return nil }); err != nil {
		t.Error(err)
	}
	return got.String()
}

// A client goes on to the next server at once, and stays with it.
func TestFirstServerIsGone(t *testing.T) {
	for name, first := range map[string]http.HandlerFunc{"closed": nil, "503": refuse(503), "502": refuse(502)} {
		t.Run(name, func(t *testing.T) {
			s := newCluster(t, first, everything, everything)
			want := func(path string) []string { return []string{"0 " + path, "1 " + path} }
			if first == nil {
				s.end(0)
				want = func(path string) []string { return []string{"1 " + path} }
			}
			g, err := s.client(t).Judge(t.Context(), &api.Request{Problem: "sum"}, "")
			if err != nil || g.ID != "g" {
				t.Errorf("a judgement: %+v, %v", g, err)
			}
			s.expect(t, want("POST /v1/judgements")...)

			folder, err := blob.FolderOf(t.Context(), fstest.MapFS{"a": {Data: []byte("a")}})
			if err != nil {
				t.Fatal(err)
			}
			c := s.client(t)
			if err := c.Upload(t.Context(), folder); err != nil {
				t.Error(err)
			}
			s.mu.Lock()
			if at := s.asked[len(s.asked)-1]; !strings.HasPrefix(at, "1 PUT /v1/blobs/") {
				t.Errorf("the last file of a folder is sent with %s: expected server 1", at)
			}
			s.asked = nil
			s.mu.Unlock()
			if got := do(t, c); got != one+last {
				t.Errorf("lines:\n%s", got)
			}
			s.expect(t, "1 POST /v1/items")
			if got := c.Servers(); !strings.HasPrefix(got, s.servers[1].URL+","+s.servers[2].URL) {
				t.Errorf("Servers() = %s: expected number 1 first", got)
			}
		})
	}
}

// A server that ends after its first answer is not waited for, and reported nowhere.
func TestServerEndsBetweenRequests(t *testing.T) {
	s := newCluster(t, everything, everything)
	c := s.client(t)
	c.Say = func(text string) { t.Errorf("it says %q", text) }
	do(t, c)
	s.end(0)
	do(t, c)
	do(t, c)
	s.expect(t, "0 POST /v1/items", "1 POST /v1/items", "1 POST /v1/items")
	c.outage.mu.Lock()
	defer c.outage.mu.Unlock()
	if c.outage.timers != nil {
		t.Error("one server of two counts as none")
	}
}

// An answer that ends in the middle is asked for again, at the next server.
func TestServerEndsInAnswer(t *testing.T) {
	cut := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, text)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	s := newCluster(t, cut(one+two[:9]), everything)
	if got := do(t, s.client(t)); got != one+last {
		t.Errorf("lines:\n%sexpected each once", got)
	}
	s.expect(t, "0 POST /v1/items", "1 POST /v1/items")

	s = newCluster(t, cut("id: 1\nevent: run\ndata: {\"a\":1}\n\nid: 2\nev"), func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Last-Event-ID"); got != "1" {
			t.Errorf("Last-Event-ID %q: expected 1", got)
		}
		io.WriteString(w, "id: 2\nevent: run\ndata: {\"a\":2}\n\nevent: judgement\ndata: {\"id\":\"g\"}\n\n")
	})
	var runs []string
	g, err := s.client(t).Follow(t.Context(), "g", func(run json.RawMessage) error { runs = append(runs, string(run)); return nil })
	if got := strings.Join(runs, " "); err != nil || g.ID != "g" || got != `{"a":1} {"a":2}` {
		t.Errorf("runs %s, %v: expected both once", got, err)
	}

	// Nothing of an answer has come. A judgement with a key may be repeated, others may not.
	s = newCluster(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, everything)
	if _, err := s.client(t).Judge(t.Context(), new(api.Request), ""); err == nil {
		t.Error("a judgement without a key is begun again")
	}
	s.expect(t, "0 POST /v1/judgements")
	if _, err := s.client(t).Judge(t.Context(), new(api.Request), "key"); err != nil {
		t.Error(err)
	}
	s.expect(t, "0 POST /v1/judgements", "1 POST /v1/judgements")
}

// A request whose body cannot be read again is not repeated. The next one goes to the next
// server.
func TestBodyIsSentOnce(t *testing.T) {
	s := newCluster(t, refuse(503), everything)
	c := s.client(t)
	_, err := c.send(t.Context(), "POST", "/v1/judgements:batch", io.MultiReader(strings.NewReader("{}")))
	if err == nil || !strings.HasPrefix(err.Error(), s.servers[0].URL+": 503") {
		t.Errorf("a batch: %v: expected the refusal of the first server", err)
	}
	do(t, c)
	s.expect(t, "0 POST /v1/judgements:batch", "1 POST /v1/items")
}

// A server that no longer answers is left when the time of a request is over.
func TestServerHangs(t *testing.T) {
	hang := make(chan bool)
	s := newCluster(t, func(http.ResponseWriter, *http.Request) { <-hang }, everything)
	defer close(hang)
	c := s.client(t)
	l := &Leases{Client: c, Worker: "a"}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := l.Alive(ctx, []string{"l"}); err == nil {
		t.Error("a server that hangs: no error")
	}
	if _, err := l.Alive(t.Context(), []string{"l"}); err != nil {
		t.Error(err)
	}
	// It hangs in the middle of an answer.
	half := newCluster(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "\n")
		http.NewResponseController(w).Flush()
		<-hang
	}, everything)
	late, end := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer end()
	there := half.client(t)
	if _, err := there.Events(late, "g", 0, nil); err == nil || !strings.HasPrefix(there.Servers(), half.servers[1].URL) {
		t.Errorf("an answer that hangs: %v; servers %s: expected the second one first", err, there.Servers())
	}
	// The caller itself ends this one.
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := l.Alive(ctx, nil); err == nil || !strings.HasPrefix(c.Servers(), s.servers[1].URL) {
		t.Errorf("a request that was cancelled: %v; servers %s: expected the same one as before", err, c.Servers())
	}
}

// Without any server, the error and the report name all of them, within 5 s.
func TestAllServersAreGone(t *testing.T) {
	s := newCluster(t, everything, everything)
	s.end(0)
	c := s.client(t)
	if _, err := c.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.end(1)
	said := make(chan string, 10)
	c.Say, c.patience = func(text string) { said <- text }, time.Second
	began := time.Now()
	err := c.Do(t.Context(), item(), func(*remote.Line) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "no server at "+s.urls()) || time.Since(began) > 5*time.Second {
		t.Errorf("an item: %v after %v: expected an error with both addresses within 5 s", err, time.Since(began))
	}
	if text := <-said; !strings.HasPrefix(text, "no server at "+s.urls()) || len(said) > 0 {
		t.Errorf("it says %q: expected both addresses, once", text)
	}
	began = time.Now()
	_, err = s.client(t).Describe(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "no server at "+s.urls()+": dial tcp") || time.Since(began) > 5*time.Second {
		t.Errorf("a description: %v after %v: expected an error with both addresses at once", err, time.Since(began))
	}
}

// The secret is sent to the servers of the list alone.
func TestRedirect(t *testing.T) {
	spy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another server gets %s with %q", r.URL, r.Header.Get("Authorization"))
	}))
	defer spy.Close()
	for _, status := range []int{302, 307} {
		away := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, spy.URL+r.URL.Path, status) }
		for _, s := range []*cluster{newCluster(t, away, away), newCluster(t, away)} {
			if _, err := s.client(t).Judge(t.Context(), new(api.Request), "key"); err == nil || !strings.Contains(err.Error(), "redirect to "+spy.URL) {
				t.Errorf("status %d of %d servers: %v: expected an error about the redirect", status, len(s.servers), err)
			}
		}
	}
	// An address that begins like one of the list.
	first := newCluster(t, everything, everything)
	c := first.client(t)
	if r, err := http.NewRequest("GET", first.servers[0].URL+"0/v1/server", nil); err != nil {
		t.Fatal(err)
	} else if _, err := c.HTTP.Do(r); err == nil {
		t.Error("an address of another port: no error")
	}
	first.expect(t)
}

// Each address may have a path, and one that is wrong is named.
func TestAddresses(t *testing.T) {
	s := newCluster(t, everything, everything)
	c, err := New(s.servers[0].URL+"/a/,"+s.servers[1].URL+"/b", "secret")
	if err != nil {
		t.Fatal(err)
	}
	s.end(0)
	if _, err := c.Judgement(t.Context(), "a/1"); err != nil {
		t.Error(err)
	}
	s.expect(t, "1 GET /b/v1/judgements/a%2F1")

	pin := api.JoinToken("secret", strings.Repeat("A", 52))
	for _, tt := range []struct{ list, token, want string }{
		{"http://a:1,b:2", "secret", `"b:2": expected the address`},
		{"http://a:1,", "secret", `"": expected the address`},
		{"http://a:1,http://b:2?c", "secret", `"http://b:2?c": expected the address`},
		{"http://a:1, http://b:2", "secret", `" http://b:2"`},
		{"https://a:1,http://b:2", pin, `"http://b:2": the token has the fingerprint`},
	} {
		if _, err := New(tt.list, tt.token); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v: expected %s", tt.list, err, tt.want)
		}
	}
	t.Setenv("CRUCIBLE_TOKEN", "")
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	dir := filepath.Join(state, "crucible", "server")
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, TokenFile), []byte("own\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, err := Secret("http://127.0.0.1:1,http://localhost:2", ""); got != "own" {
		t.Errorf("a list of this machine gets the token %q, %v", got, err)
	}
	if got, err := Secret("http://127.0.0.1:1,http://judges:1", ""); err == nil {
		t.Errorf("a list with another machine gets the token of this one: %q", got)
	}
}
