package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// serve serves a store, through a wrapper unless it is nil.
func serve(t testing.TB, s *Store, o Options, wrap func(http.Handler) http.Handler) *Client {
	t.Helper()
	h := Handler(s, o)
	if wrap != nil {
		h = wrap(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &Client{URL: server.URL, pause: time.Millisecond}
}

func TestHandler(t *testing.T) {
	s := newStore(t, 64<<10)
	data := []byte("0123456789")
	d, other, large := put(t, s, data), Of([]byte("other")), Of(bytesOf(1, 5000))
	secret := Of([]byte("secret"))
	h := Handler(s, Options{MaxBytes: 4999, Allowed: func(r *http.Request, d Digest, write bool) error {
		switch {
		case r.Header.Get("Authorization") == "wrong":
			return NewProblem(http.StatusUnauthorized, "expected a token")
		case d == secret:
			return errors.New("not of this item")
		}
		return nil
	}})
	list := func(digests ...Digest) string {
		text, err := json.Marshal(digests)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		fact, request string
		header        string // "Name: value"
		body          string
		status        int
		expected      string // a header "Name: value", or a part of the body
	}{
		{"a blob", "GET /v1/blobs/" + d.String(), "", "", 200, "0123456789"},
		{"its tag", "GET /v1/blobs/" + d.String(), "", "", 200, `Etag: "` + d.String() + `"`},
		{"never changes", "GET /v1/blobs/" + d.String(), "", "", 200, "Cache-Control: private, max-age=31536000, immutable"},
		{"its size", "HEAD /v1/blobs/" + d.String(), "", "", 200, "Content-Length: 10"},
		{"a range", "GET /v1/blobs/" + d.String(), "Range: bytes=3-5", "", 206, "345"},
		{"the place of a range", "GET /v1/blobs/" + d.String(), "Range: bytes=3-", "", 206, "Content-Range: bytes 3-9/10"},
		{"the last bytes", "GET /v1/blobs/" + d.String(), "Range: bytes=-2", "", 206, "89"},
		{"a range beyond the end", "GET /v1/blobs/" + d.String(), "Range: bytes=10-", "", 416, ""},
		{"a blob that the client has", "GET /v1/blobs/" + d.String(), `If-None-Match: "` + d.String() + `"`, "", 304, ""},
		{"a missing blob", "GET /v1/blobs/" + other.String(), "", "", 404, "not in this store"},
		{"a wrong name", "GET /v1/blobs/x", "", "", 400, "expected 64 lower-case hexadecimal digits"},
		{"a path for a name", "GET /v1/blobs/..%2F..%2Fetc%2Fpasswd", "", "", 400, "expected 64 lower-case hexadecimal digits"},
		{"a refused blob", "GET /v1/blobs/" + secret.String(), "", "", 403, "not of this item"},
		{"a refusal with its status", "GET /v1/blobs/" + d.String(), "Authorization: wrong", "", 401, `"detail":"expected a token"`},
		{"an error's type", "GET /v1/blobs/x", "", "", 400, "Content-Type: application/problem+json"},
		{"another method", "DELETE /v1/blobs/" + d.String(), "", "", 405, "Allow: GET, HEAD, PUT"},
		{"another path", "GET /v1/blob", "", "", 404, "expected /v1/blobs/DIGEST"},

		{"other bytes", "PUT /v1/blobs/" + other.String(), "", "OTHER", 422, "found bytes with digest " + Of([]byte("OTHER")).String()},
		{"another size", "PUT /v1/blobs/" + other.String(), "", "others", 422, "found 6 bytes"},
		{"nothing was stored", "GET /v1/blobs/" + other.String(), "", "", 404, ""},
		{"a new blob", "PUT /v1/blobs/" + other.String(), "", "other", 201, "Location: /v1/blobs/" + other.String()},
		{"a blob that is there", "PUT /v1/blobs/" + other.String(), "", "other", 200, ""},
		{"a blob that must be new", "PUT /v1/blobs/" + other.String(), "If-None-Match: *", "other", 412, "is in the store"},
		{"the new blob", "GET /v1/blobs/" + other.String(), "", "", 200, "other"},
		{"a large blob", "PUT /v1/blobs/" + large.String(), "", string(bytesOf(1, 5000)), 413, "at most 4999 bytes"},
		{"a refused write", "PUT /v1/blobs/" + secret.String(), "", "secret", 403, "not of this item"},

		{"missing blobs", "POST /v1/blobs:missing", "", list(large, d, large), 200, list(large) + "\n"},
		{"no missing blobs", "POST /v1/blobs:missing", "", list(d), 200, "[]\n"},
		{"no question", "POST /v1/blobs:missing", "", "[]", 200, "[]\n"},
		{"a secret question", "POST /v1/blobs:missing", "", list(d, secret), 403, "not of this item"},
		{"something else", "POST /v1/blobs:missing", "", "{}", 400, "expected a JSON list of digests"},
		{"no digests", "POST /v1/blobs:missing", "", `["x"]`, 400, "expected 64 lower-case hexadecimal digits"},
		{"two lists", "POST /v1/blobs:missing", "", "[][]", 400, "expected a JSON list of digests"},
		{"too many", "POST /v1/blobs:missing", "", list(make10001()...), 413, "expected at most 10000"},
		{"too much", "POST /v1/blobs:missing", "", "[" + strings.Repeat(" ", 3<<20) + "]", 413, "too large"},
		{"nesting", "POST /v1/blobs:missing", "", strings.Repeat("[", 1<<20), 400, ""},
		{"a GET", "GET /v1/blobs:missing", "", "", 405, "Allow: POST"},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(c.body))
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := w.Body.String()
		if name, value, ok := strings.Cut(c.expected, ": "); ok && !strings.Contains(name, `"`) {
			got, c.expected = w.Header().Get(name), value
		}
		if w.Code != c.status || !strings.Contains(got, c.expected) || c.status == 200 && method == "POST" && got != c.expected {
			t.Errorf("%s: %s: %d %.300q, expected %d %q", c.fact, c.request, w.Code, got, c.status, c.expected)
		}
		if w.Code >= 400 && w.Code != 416 && method != "HEAD" {
			var p Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Title == "" || p.Detail == "" {
				t.Errorf("%s: %q is no problem: %v", c.fact, w.Body, err)
			}
		}
	}
	tidy(t, s)
}

func make10001() []Digest {
	digests := make([]Digest, 10_001)
	for i := range digests {
		digests[i] = Of([]byte(strconv.Itoa(i)))
	}
	return digests
}

func TestClient(t *testing.T) {
	there := newStore(t, 0)
	c := serve(t, there, Options{}, nil)
	files := fstest.MapFS{}
	for i := range 50 {
		files[fmt.Sprintf("data/%d.in", i)] = &fstest.MapFile{Data: bytesOf(uint64(i), i*i*100)}
	}
	f, err := FolderOf(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTree(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	tree := f.Tree
	elsewhere := newStore(t, 0)
	lease, err := c.FetchTree(t.Context(), elsewhere, tree)
	if err != nil {
		t.Fatal(err)
	}
	lease.Release()
	dir := t.TempDir() + "/a"
	if err := elsewhere.Extract(t.Context(), tree, dir); err != nil {
		t.Fatal(err)
	}
	_, err = c.FetchTree(t.Context(), newStore(t, 0), Of([]byte("x")))
	var p *Problem
	if !errors.As(err, &p) || p.Status != 404 || !strings.Contains(err.Error(), "not in this store") {
		t.Errorf("a missing tree: %v", err)
	}
	missing, err := c.Missing(t.Context(), append(make10001(), make10001()...)...)
	if diff := cmp.Diff(make10001(), missing); diff != "" || err != nil {
		t.Errorf("Missing of two batches: %v; -expected +found:\n%.500s", err, diff)
	}
	tidy(t, there)
	tidy(t, elsewhere)
}

// TestUploadAsksFirst counts requests: a second upload sends nothing.
func TestUploadAsksFirst(t *testing.T) {
	there := newStore(t, 0)
	var mu sync.Mutex
	requests := make(map[string]int)
	c := serve(t, there, Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			requests[r.Method]++
			mu.Unlock()
			h.ServeHTTP(w, r)
		})
	})
	files := fstest.MapFS{}
	for i := range 40 { // of 20 kinds
		files[fmt.Sprint(i)] = &fstest.MapFile{Data: bytesOf(uint64(i%20), i%20)}
	}
	f, err := FolderOf(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.UploadTree(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	// The tree is sent once, too.
	if diff := cmp.Diff(map[string]int{"POST": 2, "PUT": 21}, requests); diff != "" {
		t.Errorf("requests (-expected +found):\n%s", diff)
	}
}

// TestRetries fails requests in ways that pass.
func TestRetries(t *testing.T) {
	for _, fault := range []struct {
		fact string
		fail func(w http.ResponseWriter, r *http.Request)
	}{
		{"429", func(w http.ResponseWriter, r *http.Request) { NewProblem(429, "busy").Write(w) }},
		{"429 with a pause", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "0")
			NewProblem(429, "busy").Write(w)
		}},
		{"500", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusInternalServerError) }},
		{"503", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusServiceUnavailable) }},
		{"a broken connection", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }},
		{"a connection that breaks after half a body", func(w http.ResponseWriter, r *http.Request) {
			io.CopyN(io.Discard, r.Body, 100_000)
			panic(http.ErrAbortHandler)
		}},
		{"a server that does not answer", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}},
	} {
		t.Run(fault.fact, func(t *testing.T) {
			t.Parallel()
			there := newStore(t, 0)
			var n atomic.Int64
			c := serve(t, there, Options{}, func(h http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if n.Add(1)%3 != 0 {
						fault.fail(w, r)
						return
					}
					h.ServeHTTP(w, r)
				})
			})
			c.Stall = 200 * time.Millisecond
			data := bytesOf(1, 500_000)
			d := Of(data)
			if err := c.Put(t.Context(), d, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }); err != nil {
				t.Fatal("Put: ", err)
			}
			elsewhere := newStore(t, 0)
			if err := c.Fetch(t.Context(), elsewhere, d); err != nil {
				t.Fatal("Fetch: ", err)
			}
			if got, err := read(elsewhere, d); err != nil || !bytes.Equal(got, data) {
				t.Errorf("the bytes differ: %v", err)
			}
		})
	}
}

// TestGivesUp fails requests in ways that do not pass, and counts them.
func TestGivesUp(t *testing.T) {
	for _, c := range []struct {
		fact     string
		status   int
		requests int64
	}{
		{"a busy server has eight attempts", 503, attempts},
		{"a refusal has one", 403, 1},
		{"a full server has one", 507, 1},
	} {
		var n atomic.Int64
		client := serve(t, newStore(t, 0), Options{}, func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n.Add(1)
				NewProblem(c.status, "because of \x1b[31mthis").Write(w)
			})
		})
		_, err := client.Missing(t.Context(), Of(nil))
		var p *Problem
		if !errors.As(err, &p) || p.Status != c.status || n.Load() != c.requests || !strings.Contains(err.Error(), "because of ?[31mthis") {
			t.Errorf("%s: %d requests, %v", c.fact, n.Load(), err)
		}
	}
}

// interrupted is a response that ends after most bytes of the body.
type interrupted struct {
	http.ResponseWriter
	most int
}

func (w *interrupted) Write(p []byte) (int, error) {
	if len(p) > w.most {
		w.ResponseWriter.Write(p[:w.most])
		w.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	w.most -= len(p)
	return w.ResponseWriter.Write(p)
}

// TestFetchContinues has a server that breaks each connection after 100,000 bytes.
func TestFetchContinues(t *testing.T) {
	for _, ranges := range []bool{true, false} {
		there, here := newStore(t, 0), newStore(t, 0)
		var sent atomic.Int64
		most := 100_000
		c := serve(t, there, Options{}, func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent.Add(1)
				if !ranges {
					r.Header.Del("Range")
					most += 100_000 // or it would never end
				}
				h.ServeHTTP(&interrupted{w, most}, r)
			})
		})
		data := bytesOf(1, 1_950_000)
		d := put(t, there, data)
		if err := c.Fetch(t.Context(), here, d); err != nil {
			t.Fatalf("ranges %v: %v", ranges, err)
		}
		if got, err := read(here, d); err != nil || !bytes.Equal(got, data) {
			t.Errorf("ranges %v: the bytes differ: %v", ranges, err)
		}
		if n := sent.Load(); n < 15 || n > 25 {
			t.Errorf("ranges %v: %d requests, expected about 20", ranges, n)
		}
		tidy(t, here)
	}
}

// TestLyingServers has servers that send what was not asked for.
func TestLyingServers(t *testing.T) {
	data := bytesOf(1, 300_000)
	d := Of(data)
	for _, c := range []struct {
		fact string
		send func(w http.ResponseWriter, r *http.Request)
		err  string
	}{
		{"other bytes", func(w http.ResponseWriter, r *http.Request) { w.Write(bytesOf(2, 300_000)) }, "found bytes with digest " + Of(bytesOf(2, 300_000)).String()},
		{"fewer bytes", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "299999")
			w.Write(data[:299_999])
		}, "found 299999 bytes from byte 0, expected 300000"},
		{"more bytes", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "300001")
			w.Write(append(data, 0))
		}, "found 300001 bytes"},
		{"more bytes without a size", func(w http.ResponseWriter, r *http.Request) {
			w.Write(data[:100])
			w.(http.Flusher).Flush()
			for range 100 {
				if _, err := w.Write(data); err != nil {
					return
				}
			}
		}, "found more than 300000 bytes"},
		{"bytes that always end early", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			w.(http.Flusher).Flush()
		}, "unexpected EOF"},
		{"another range", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") == "" {
				h := &interrupted{w, 1000}
				w.Header().Set("Content-Length", "300000")
				h.Write(data)
			}
			w.Header().Set("Content-Range", "bytes 5-299999/300000")
			w.WriteHeader(206)
			w.Write(data[5:])
		}, `found Content-Range "bytes 5-299999/300000", expected bytes from 1000`},
		{"a redirect in a circle", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, "redirects"},
		{"a page", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>log in</html>") }, "found 19 bytes"},
	} {
		s := newStore(t, 0)
		client := serve(t, newStore(t, 0), Options{}, func(http.Handler) http.Handler { return http.HandlerFunc(c.send) })
		err := client.Fetch(t.Context(), s, d)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, expected %q", c.fact, err, c.err)
		}
		if s.Has(d) {
			t.Errorf("%s: the blob is in the store", c.fact)
		}
		tidy(t, s)
	}
	for _, c := range []struct{ fact, answer, err string }{
		{"a blob that was not asked for", `["` + d.String() + `"]`, "not asked for"},
		{"a blob twice", `["` + Of(nil).String() + `","` + Of(nil).String() + `"]`, "found it twice"},
		{"no list", `{}`, "expected a list of digests"},
		{"an endless list", "[" + strings.Repeat(" ", 3<<20), "expected a list of digests"},
	} {
		client := serve(t, newStore(t, 0), Options{}, func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, c.answer) })
		})
		if _, err := client.Missing(t.Context(), Of(nil)); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, expected %q", c.fact, err, c.err)
		}
	}
}

// TestRefusedUploads checks that a blob that the server does not need, or does not take,
// is not sent.
func TestRefusedUploads(t *testing.T) {
	there := newStore(t, 0)
	c := serve(t, there, Options{MaxBytes: 20 << 20}, nil)
	c.HTTP = &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer c.HTTP.CloseIdleConnections()
	there1, large := bytesOf(1, 19<<20), bytesOf(2, 21<<20)
	put(t, there, there1)
	for _, x := range []struct {
		fact   string
		data   []byte
		status int // 0 means no error
	}{
		{"a blob that is there", there1, 0},
		{"a blob that is too large", large, http.StatusRequestEntityTooLarge},
	} {
		read := new(atomic.Int64)
		err := c.Put(t.Context(), Of(x.data), func() (io.ReadCloser, error) {
			return io.NopCloser(io.TeeReader(bytes.NewReader(x.data), counter{read})), nil
		})
		var p *Problem
		if x.status == 0 && err != nil || x.status != 0 && (!errors.As(err, &p) || p.Status != x.status) {
			t.Errorf("%s: %v, expected status %d", x.fact, err, x.status)
		}
		if n := read.Load(); n > 0 {
			t.Errorf("%s: %d bytes were read, expected none", x.fact, n)
		}
	}
}

type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// TestUploadOfAFolder sends files from where they are, one of which has changed.
func TestUploadOfAFolder(t *testing.T) {
	there := newStore(t, 0)
	c := serve(t, there, Options{}, nil)
	files := fstest.MapFS{"a": {Data: []byte("first")}, "b/c": {Data: []byte("second")}, "d": {}}
	f, err := FolderOf(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.UploadTree(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if expected, err := treeOf(t, newStore(t, 0), files); err != nil || expected != f.Tree {
		t.Errorf("the folder is %v, expected %v: %v", f.Tree, expected, err)
	}
	if missing := there.Missing(f.Digests()); len(missing) > 0 {
		t.Errorf("missing after the upload: %v", missing)
	}
	files["a"] = &fstest.MapFile{Data: []byte("later")}
	if f, err = FolderOf(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	files["a"] = &fstest.MapFile{Data: []byte("other")}
	err = c.UploadTree(t.Context(), f)
	var p *Problem
	if !errors.As(err, &p) || p.Status != http.StatusUnprocessableEntity || there.Has(f.Tree) {
		t.Errorf("a file that changed: %v, tree there %v; expected status 422 and no tree", err, there.Has(f.Tree))
	}
	if _, err := f.Open(Of([]byte("x"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a blob that a folder does not have: %v", err)
	}
}

// TestSlowClients has clients that stop, and a handler that waits 0.2 s for them.
func TestSlowClients(t *testing.T) {
	s := newStore(t, 0)
	large := put(t, s, bytesOf(1, 64<<20))
	ended := make(chan struct{}, 2)
	c := serve(t, s, Options{pace: 200 * time.Millisecond}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() { ended <- struct{}{} }()
			h.ServeHTTP(w, r)
		})
	})
	address := strings.TrimPrefix(c.URL, "http://")
	for _, request := range []string{
		"PUT /v1/blobs/" + Of([]byte("other")).String() + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\noth",
		"GET /v1/blobs/" + large.String() + " HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("a handler waits for a client that has stopped")
		}
	}
	tidy(t, s)
}

// TestRetryAfter has a server that asks for a pause.
func TestRetryAfter(t *testing.T) {
	var first time.Time
	var pause time.Duration
	s := newStore(t, 0)
	c := serve(t, s, Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if first.IsZero() {
				first = time.Now()
				w.Header().Set("Retry-After", "1")
				NewProblem(http.StatusTooManyRequests, "busy").Write(w)
				return
			}
			pause = time.Since(first)
			h.ServeHTTP(w, r)
		})
	})
	if _, err := c.Missing(t.Context(), Of(nil)); err != nil || pause < time.Second {
		t.Errorf("the second request came after %v, expected 1 s or more: %v", pause, err)
	}
	for _, c := range []struct {
		text        string
		least, most time.Duration
	}{
		{"120", 2 * time.Minute, 2 * time.Minute},
		{time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), 50 * time.Minute, time.Hour},
		{"Mon, 02 Jan 2006 15:04:05 GMT", 0, 0},
		{"", 0, 0}, {"soon", 0, 0}, {"-5", 0, 0}, {"99999999999999999999", 0, 0},
	} {
		if got := retryAfter(&http.Response{Header: http.Header{"Retry-After": {c.text}}}); got < c.least || got > c.most {
			t.Errorf("Retry-After: %s means %v, expected %v to %v", c.text, got, c.least, c.most)
		}
	}
}

// TestCancelledFetch cancels a download that has begun.
func TestCancelledFetch(t *testing.T) {
	there, here := newStore(t, 0), newStore(t, 0)
	d := put(t, there, bytesOf(1, 1<<20))
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no longer needed")
	c := serve(t, there, Options{}, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<20))
			w.Write(make([]byte, 1000))
			w.(http.Flusher).Flush()
			cancel(cause)
			<-r.Context().Done()
		})
	})
	if err := c.Fetch(ctx, here, d); !errors.Is(err, cause) {
		t.Errorf("Fetch: %v, expected %v", err, cause)
	}
	if here.Has(d) {
		t.Error("the blob is in the store")
	}
	tidy(t, here)
}
