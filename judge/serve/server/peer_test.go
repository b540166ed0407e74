package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

const peerSecret = "peers-0123456789abcdef"

// A cluster is some servers, and what they share.
type cluster struct {
	mu    sync.Mutex
	urls  []string // "" is one that does not live
	sites []*site
}

// end ends a server.
func (c *cluster) end(i int) {
	c.sites[i].CloseClientConnections()
	c.sites[i].Close()
	c.set(i, "")
}

// set sets the address of a server.
func (c *cluster) set(i int, url string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.urls[i] = url
}

// peersOf returns the others of a server.
func (c *cluster) peersOf(i int) *Peers {
	return &Peers{Secret: peerSecret, stall: time.Second, Living: func() (all []Peer) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for j, url := range c.urls {
			if j != i && url != "" {
				all = append(all, Peer{fmt.Sprint("server", j), url})
			}
		}
		return all
	}}
}

// newCluster starts servers, and reserves places for others without any.
func newCluster(t *testing.T, servers, others int) *cluster {
	t.Helper()
	c := &cluster{urls: make([]string, servers+others)}
	sent := stateIn(t, t.TempDir()).Bucket(PackageBucket)
	for i := range servers {
		one := newSite(t, func(s *Server, _ *pool) {
			s.Peers = c.peersOf(i)
			s.Problems.Peers, s.Problems.Sent = s.Peers, sent
			s.Workers, s.Grants = newWorkers(t), &Grants{Store: s.Store}
		})
		c.sites = append(c.sites, one)
		c.set(i, one.URL)
	}
	return c
}

// sent sends a package to a server, which says on how many it is, and returns a request for a
// judgement on it.
func (s *site) sent(copies int) *api.Request {
	s.t.Helper()
	data := zipped(s.t, testkit.Echo())
	d := blob.Of(data)
	status, _, answer := s.send("PUT", "/v1/packages/"+d.String(), bytes.NewReader(data))
	var p api.Problem
	if err := json.Unmarshal(answer, &p); err != nil || status != 201 || p.Copies != copies {
		s.t.Fatalf("status %d: %s: expected a package on %d servers", status, answer, copies)
	}
	r := program("cat")
	r.Problem = d.String()
	return r
}

// treeOf returns the tree of a package that was sent.
func (c *cluster) treeOf(t *testing.T, digest string) blob.Digest {
	t.Helper()
	one, err := c.sites[0].s.Problems.sentAs(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	return one.Tree
}

// served returns a server in place of another, which counts its requests.
func served(t *testing.T, do http.HandlerFunc) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		do(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL, requests
}

// A package that was sent to a server, and sources that are files, are judged by another one
// after the first has ended.
func TestPeersKeepPackages(t *testing.T) {
	c := newCluster(t, 2, 0)
	a, b := c.sites[0], c.sites[1]
	r := a.sent(2)
	source := []byte("cat\n")
	d := blob.Of(source)
	if status, _, answer := a.send("PUT", "/v1/blobs/"+d.String(), bytes.NewReader(source)); status != 201 {
		t.Fatalf("status %d: %s", status, answer)
	}
	r.Sources, r.Files = nil, map[string]string{"a.sh": d.String()}
	if status, g := a.judge(r); status != 200 || g.Verdict != "AC" || g.Copies != 2 {
		t.Errorf("status %d, %+v: expected AC, with files on 2 servers", status, g)
	}
	c.end(0)
	if status, g := b.judge(r); status != 200 || g.Verdict != "AC" || g.Copies != 1 {
		t.Errorf("by the other one: status %d, %+v: expected AC, with files on 1 server", status, g)
	}
	status, _, answer := b.send("GET", "/v1/problems", nil)
	if status != 200 || !strings.Contains(string(answer), r.Problem) {
		t.Errorf("status %d: %s: expected the package in the list", status, answer)
	}
}

// A server that comes later opens a package of others, and has it copied before it accepts a
// judgement. What is known to be copied is copied once.
func TestPeersCopyBeforeJudging(t *testing.T) {
	c := newCluster(t, 3, 0)
	a, b := c.sites[0], c.sites[1]
	c.set(1, "")
	c.set(2, "")
	r := a.sent(1)
	if _, g := a.judge(r); g.Verdict != "AC" || g.Copies != 1 {
		t.Fatalf("%+v: expected AC, with files on 1 server", g)
	}
	tree := c.treeOf(t, r.Problem)
	var orders atomic.Int64
	proxy := func(to *site) string {
		url, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == copyPath {
				orders.Add(1)
			}
			to.Config.Handler.ServeHTTP(w, r)
		})
		return url
	}
	c.set(1, proxy(b))
	for range 3 {
		if _, g := a.judge(r); g.Verdict != "AC" || g.Copies != 2 {
			t.Errorf("%+v: expected AC, with files on 2 servers", g)
		}
	}
	if !b.s.Store.Has(tree) || orders.Load() != 1 {
		t.Errorf("the other server has the tree: %v, after %d requests to copy: expected it after 1", b.s.Store.Has(tree), orders.Load())
	}
	c.set(1, "") // it is forgotten, and the third one gets the files
	c.set(2, proxy(c.sites[2]))
	if _, g := a.judge(r); g.Copies != 2 || !c.sites[2].s.Store.Has(tree) || orders.Load() != 2 {
		t.Errorf("%+v: expected a copy on the third server, after 2 requests, found %d", g, orders.Load())
	}
	c.end(0)
	if _, g := c.sites[2].judge(r); g.Verdict != "AC" {
		t.Errorf("%+v: expected AC", g)
	}
}

// A worker at one server gets the files of an item of another one, and no others.
func TestPeersServeWorkers(t *testing.T) {
	c := newCluster(t, 2, 0)
	a, b := c.sites[0], c.sites[1]
	items := make(chan *remote.Item, 100)
	a.pool.began = func(i *remote.Item) { items <- i }
	if _, g := a.judge(program("cat")); g.Verdict != "AC" {
		t.Fatalf("%+v: expected AC", g)
	}
	i := <-items
	data, err := i.Encode()
	if err != nil {
		t.Fatal(err)
	}
	secret, err := b.s.Workers.Admit("", &api.Registration{Name: "w", Slots: 1, Languages: []string{"bash"}})
	if err != nil {
		t.Fatal(err)
	}
	other, err := a.s.Store.PutBytes(t.Context(), []byte("of another item"))
	if err != nil {
		t.Fatal(err)
	}
	get := func(d blob.Digest) int {
		status, _, _ := b.send("GET", "/v1/blobs/"+d.String(), nil, "Authorization: Bearer "+secret)
		return status
	}
	tree, err := a.s.Store.Tree(i.Problem.Tree)
	if err != nil {
		t.Fatal(err)
	}
	file := tree.Files[0].Digest
	if status := get(file); status != 403 || b.s.Store.Has(file) {
		t.Errorf("before the lease: status %d: expected 403, and no copy", status)
	}
	b.s.Grants.Leased("w", &queue.Item{Payload: data})
	if status := get(file); status != 200 { // before it has read the tree
		t.Errorf("a file: status %d: expected 200", status)
	}
	if status := get(other); status != 403 || b.s.Store.Has(other) {
		t.Errorf("a file of another item: status %d: expected 403, and no copy", status)
	}
	to, err := blob.Open(t.TempDir(), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for _, tree := range []blob.Digest{i.Problem.Tree, i.Submission.Tree} {
		if tree == (blob.Digest{}) {
			continue
		}
		lease, err := (&blob.Client{URL: b.URL, Token: secret}).FetchTree(t.Context(), to, tree)
		if err != nil {
			t.Errorf("tree %s: %v", tree, err)
		}
		lease.Release()
	}
	// The server of the item has ended, and another one takes it over soon.
	gone, err := (&remote.Item{Problem: remote.Package{ID: "echo", Tree: other}, Submission: remote.Submission{Name: "a", Path: "a", Files: map[string][]byte{"a": nil}}, Cases: []string{"1"}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.end(0)
	b.s.Grants.Leased("w", &queue.Item{Payload: gone})
	if status := get(other); status != 503 {
		t.Errorf("a file on no living server: status %d: expected 503", status)
	}
}

// The secret of servers opens the files, and nothing else.
func TestPeersSecret(t *testing.T) {
	c := newCluster(t, 1, 0)
	s := c.sites[0]
	d, err := s.s.Store.PutBytes(t.Context(), []byte("secret data"))
	if err != nil {
		t.Fatal(err)
	}
	none := blob.Of([]byte("none"))
	for _, tt := range []struct {
		secret, method, path, body string
		status                     int
	}{
		{peerSecret, "GET", "/v1/blobs/" + d.String(), "", 200},
		{peerSecret, "HEAD", "/v1/blobs/" + d.String(), "", 200},
		{peerSecret, "GET", "/v1/blobs/" + none.String(), "", 404},
		{peerSecret, "POST", "/v1/blobs:missing", `["` + d.String() + `"]`, 200},
		{peerSecret, "POST", copyPath, `{"files":["` + d.String() + `"]}`, 204},
		{peerSecret, "POST", copyPath, `{"files":["` + none.String() + `"]}`, 404},
		{peerSecret, "POST", copyPath, `{"trees":["` + none.String() + `"]}`, 404},
		{peerSecret, "POST", copyPath, `{"of":1}`, 400},
		{peerSecret, "PUT", "/v1/blobs/" + none.String(), "none", 401},
		{peerSecret, "GET", "/v1/server", "", 401},
		{peerSecret, "GET", "/v1/problems", "", 401},
		{peerSecret, "POST", "/v1/judgements", "{}", 401},
		{peerSecret, "POST", "/v1/workers", "{}", 401},
		{peerSecret + "x", "GET", "/v1/blobs/" + d.String(), "", 401},
		{peerSecret + "x", "POST", "/v1/blobs:missing", "[]", 401},
		{peerSecret + "x", "POST", copyPath, "{}", 401},
		{"", "POST", copyPath, "{}", 401},
		{submitSecret, "POST", copyPath, "{}", 403},
	} {
		if status, _, answer := s.send(tt.method, tt.path, tt.body, "Authorization: Bearer "+tt.secret); status != tt.status {
			t.Errorf("%s %s %s with %q: status %d: %s: expected %d", tt.method, tt.path, tt.body, tt.secret, status, answer, tt.status)
		}
	}
	s.s.Peers.Secret = "" // no secret is not one that is empty
	if status, _, _ := s.send("GET", "/v1/blobs/"+d.String(), nil, "Authorization: Bearer "); status != 401 {
		t.Errorf("without a secret: status %d: expected 401", status)
	}
}

// Damaged files of another server are not stored, and one that does not answer costs a bounded
// time. A further server that has the file sends it.
func TestPeersFail(t *testing.T) {
	c := newCluster(t, 2, 1)
	a, b := c.sites[0], c.sites[1]
	c.set(1, "")
	text := []byte("right\n")
	d := blob.Of(text)
	get := func() (int, []byte, time.Duration) {
		began := time.Now()
		status, _, answer := a.send("GET", "/v1/blobs/"+d.String(), nil)
		return status, answer, time.Since(began)
	}
	if status, answer, _ := get(); status != 404 {
		t.Errorf("without other servers: status %d: %s: expected 404", status, answer)
	}
	damaged, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			w.Write([]byte("[]"))
		} else {
			w.Write([]byte("wrong\n"))
		}
	})
	c.set(2, damaged)
	if status, answer, _ := get(); status != 503 || a.s.Store.Has(d) {
		t.Errorf("a damaged file: status %d: %s: expected 503, and no copy", status, answer)
	}
	stalled, requests := served(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // or the end of the connection is not noticed
		<-r.Context().Done()
	})
	c.set(2, stalled)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			if status, answer, took := get(); status != 503 || took > 5*time.Second {
				t.Errorf("a server that stalls: status %d after %v: %s: expected 503 within 5 s", status, took, answer)
			}
		})
	}
	wg.Wait()
	if n := requests.Load(); n > 2 {
		t.Errorf("%d requests to the server that stalls: expected one, and another attempt", n)
	}
	began := time.Now()
	r := a.sent(1)
	if _, g := a.judge(r); g.Verdict != "AC" || g.Copies != 1 || time.Since(began) > 20*time.Second {
		t.Errorf("%+v after %v: expected AC, with files on 1 server", g, time.Since(began))
	}
	if _, err := b.s.Store.PutBytes(t.Context(), text); err != nil {
		t.Fatal(err)
	}
	c.set(2, damaged)
	c.set(1, b.URL)
	if status, answer, _ := get(); status != 200 || !bytes.Equal(answer, text) {
		t.Errorf("another server has it: status %d: %s: expected %s", status, answer, text)
	}
}

// A judgement that is begun again waits for a server that has its files, and does not answer now.
func TestResumeWithoutPeer(t *testing.T) {
	c := newCluster(t, 2, 1)
	a, b := c.sites[0], c.sites[1]
	c.set(1, "")
	d, err := b.s.Store.PutBytes(t.Context(), []byte("cat\n"))
	if err != nil {
		t.Fatal(err)
	}
	stalled, asked := served(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	c.set(2, stalled)
	id := idOf("ann", "k")
	r := &api.Request{Problem: "echo", Files: map[string]string{"a.sh": d.String()}}
	a.s.resume(t.Context(), id, &acceptance{Token: "ann", Request: r, Waits: true}, newChoice())
	until(t, "a request for the file", func() bool { return asked.Load() > 0 })
	if g := a.s.underWay(id); g == nil || isClosed(g.done) {
		t.Fatal("the judgement has ended: expected that it waits")
	}
	c.set(1, b.URL)
	until(t, "the end", func() bool { return a.isEnded(id) })
	if k, err := a.s.read(t.Context(), id); err != nil || k.end.Verdict != "AC" {
		t.Errorf("%+v, %v: expected AC", k.end, err)
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// What clients have sent for a judgement that is under way does not make room for other files: the
// next start needs it.
func TestSentFilesStay(t *testing.T) {
	hold := make(chan struct{})
	small, err := blob.Open(t.TempDir(), 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { small.Close() })
	s := newSite(t, func(s *Server, p *pool) {
		s.Store, s.Problems.Store, p.Unpacker.Store, p.hold = small, small, small, hold
	})
	d, err := small.PutBytes(t.Context(), []byte("cat\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := s.sent(0)
	r.Sources, r.Files, r.Wait = nil, map[string]string{"a.sh": d.String()}, 0
	sent, err := s.s.Problems.sentAs(t.Context(), r.Problem)
	if err != nil {
		t.Fatal(err)
	}
	status, g := s.judge(r)
	if status != 202 {
		t.Fatalf("status %d: %+v", status, g)
	}
	until(t, "the item", func() bool { return s.pool.items.Load() == 1 })
	fill := func(from int) {
		for i := range 8 {
			if _, err := small.PutBytes(t.Context(), bytes.Repeat([]byte{byte(from + i)}, 1<<20)); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(0)
	if tree, err := small.Tree(sent.Tree); err != nil || !small.Has(d) || slices.ContainsFunc(tree.Digests(), func(d blob.Digest) bool { return !small.Has(d) }) {
		t.Errorf("%v: expected the package and the program", err)
	}
	close(hold)
	until(t, "the end", func() bool { return s.isEnded(g.ID) })
	fill(8)
	if small.Has(d) {
		t.Error("the program is still there, which nothing needs")
	}
}

// A server that dies while it copies files is not waited for.
func TestPeersDie(t *testing.T) {
	c := newCluster(t, 1, 1)
	c.sites[0].s.Peers.stall = time.Hour
	url, _ := served(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		c.set(1, "")
		<-r.Context().Done()
	})
	c.set(1, url)
	c.sites[0].sent(1)
}

// Without other servers, answers are those of before.
func TestNoPeers(t *testing.T) {
	s := newSite(t, nil)
	r := s.sent(0)
	status, _, answer := s.send("POST", "/v1/judgements", r)
	if status != 200 || strings.Contains(string(answer), "copies") {
		t.Errorf("status %d: %s: expected no copies", status, answer)
	}
	for path, want := range map[string]int{"/v1/blobs/" + blob.Of([]byte("none")).String(): 404, copyPath: 404} {
		if status, _, answer := s.send("GET", path, nil); status != want {
			t.Errorf("%s: status %d: %s: expected %d", path, status, answer, want)
		}
	}
}
