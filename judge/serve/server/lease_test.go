package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// newWorkplace returns a server with a queue, and the secret of its worker a, which
// registered two slots.
func newWorkplace(t *testing.T) (f *auditedQueue, s *httptest.Server, secret string) {
	t.Helper()
	f = newFloor(t)
	f.audit.Share = 0
	store, err := blob.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	tokens := new(Tokens)
	tokens.Add("root", "root-0123456789abcdef", Administer)
	tokens.Add("reader", "reader-0123456789abcdef", Read, Submit)
	web := &Server{Judge: "test", Pool: f.pool, Store: store, Tokens: tokens, Workers: f.workers}
	s = httptest.NewServer(web.Handler())
	t.Cleanup(s.Close)
	secret, err = f.workers.Admit("root", &api.Registration{Name: "a", Slots: 2, Languages: []string{"bash"}})
	if err != nil {
		t.Fatal(err)
	}
	return f, s, secret
}

// leasesOf returns the work items of worker a.
func leasesOf(t *testing.T, s *httptest.Server, secret string) *client.Leases {
	t.Helper()
	c, err := client.New(s.URL, secret)
	if err != nil {
		t.Fatal(err)
	}
	return &client.Leases{Client: c, Worker: "a"}
}

// A worker settles what it was leased, and nothing else; no other token does.
func TestLeases(t *testing.T) {
	f, s, secret := newWorkplace(t)
	other, err := f.workers.Admit("root", &api.Registration{Name: "b", Slots: 1, Languages: []string{"bash"}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var answer bytes.Buffer
	go func() {
		done <- f.pool.Do(context.WithValue(t.Context(), clientKey{}, "test"), itemOf(""), func(l *remote.Line) error { answer.Write(l.Data); return nil })
	}()
	a := leasesOf(t, s, secret)
	l, err := a.Lease(t.Context())
	if err != nil || l == nil || l.Delivery != 1 || !strings.Contains(string(l.Item), "secret/1") || l.Alive != 4 {
		t.Fatalf("%+v, %v: expected the item", l, err)
	}
	send := func(secret, path, body string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		return answer.StatusCode
	}
	end := `{"end":{"by":"a"}}` + "\n"
	lease := "/v1/leases/" + l.ID
	for _, tt := range []struct {
		who, secret, path, body string
		status                  int
	}{
		{"nobody", "", lease + "/verdict?results=0", end, 401},
		{"an unknown worker", "a:00", lease + "/verdict?results=0", end, 401},
		{"a reader", "reader-0123456789abcdef", lease + "/verdict?results=0", end, 403},
		{"an administrator", "root-0123456789abcdef", lease + "/verdict?results=0", end, 403},
		{"another worker", other, lease + "/verdict?results=0", end, 410},
		{"another worker", other, lease + "/results?number=0", end, 410},
		{"another worker", other, lease + "/release", `{"why":"no"}`, 410},
		{"another worker", other, "/v1/workers/a/lease", "", 403},
		{"another worker", other, "/v1/workers/a/leave", "", 403},
		{"another worker", other, "/v1/workers/a/alive", `{"leases":[]}`, 403},
		{"a worker that is not registered", f.workers.secret("c", "root"), "/v1/workers/c/lease", "", 401},
		{"the worker, of another lease", secret, "/v1/leases/none.1/verdict?results=0", end, 410},
		{"the worker, with no number", secret, lease + "/results", end, 400},
		{"the worker, with a bad number", secret, lease + "/results?number=-1", end, 400},
		{"the worker, with much", secret, lease + "/results?number=0", strings.Repeat("x", queue.MaxVerdict+1), 413},
		{"the worker, with no JSON", secret, lease + "/release", "{", 400},
	} {
		if status := send(tt.secret, tt.path, tt.body); status != tt.status {
			t.Errorf("%s at %s: status %d, expected %d", tt.who, tt.path, status, tt.status)
		}
	}
	if ended, err := a.Alive(t.Context(), []string{l.ID, "none.1"}); err != nil || strings.Join(ended, " ") != "none.1" {
		t.Errorf("alive: %q, %v: expected that the other one has ended", ended, err)
	}
	for number, name := range []string{"secret/1", "secret/2"} {
		line := []byte(`{"run":{"run":{"case":"` + name + `","verdict":"AC","worker":"a"}}}` + "\n")
		for range 2 { // sent again, it is harmless
			if err := a.Result(t.Context(), l.ID, number, line); err != nil {
				t.Error(err)
			}
		}
	}
	for range 2 {
		if counts, err := a.Verdict(t.Context(), l.ID, 2, []byte(end)); err != nil || !counts {
			t.Errorf("the verdict: %v, %v", counts, err)
		}
	}
	if err := <-done; err != nil || strings.Count(answer.String(), "\n") != 3 {
		t.Errorf("%v: %s: expected two runs and the end", err, answer.String())
	}
}

// A server gives a worker the files of an item that another server has leased to it.
func TestFilesOfALease(t *testing.T) {
	f, first, secret := newWorkplace(t)
	other, err := f.workers.Admit("root", &api.Registration{Name: "b", Slots: 1, Languages: []string{"bash"}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := blob.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	file, err := store.PutBytes(t.Context(), []byte("an input"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := (&blob.Tree{Files: []blob.File{{Path: "a", Digest: file}}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := store.PutBytes(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := store.PutBytes(t.Context(), []byte("of another item"))
	if err != nil {
		t.Fatal(err)
	}
	another := func() *httptest.Server { // which has leased nothing yet
		web := &Server{Judge: "test", Pool: f.pool, Store: store, Tokens: new(Tokens), Workers: f.workers}
		web.Grants = &Grants{Store: store}
		s := httptest.NewServer(web.Handler())
		t.Cleanup(s.Close)
		return s
	}
	second := another()
	i := itemOf("")
	i.Problem.Tree = tree
	done := make(chan error, 1)
	go func() {
		done <- f.pool.Do(context.WithValue(t.Context(), clientKey{}, "test"), i, func(*remote.Line) error { return nil })
	}()
	a := leasesOf(t, first, secret)
	l, err := a.Lease(t.Context())
	if err != nil || l == nil {
		t.Fatalf("%+v, %v: expected the item", l, err)
	}
	get := func(who, secret, lease string, d blob.Digest, status int) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", second.URL+"/v1/blobs/"+d.String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		if lease != "" {
			r.Header.Set(blob.LeaseHeader, lease)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != status {
			t.Errorf("%s: status %d, expected %d", who, answer.StatusCode, status)
		}
	}
	get("without a lease", secret, "", file, 403)
	get("with the lease of another worker", other, l.ID, file, 403)
	get("with no lease of the queue", secret, "none.1", file, 403)
	get("with the next lease of the item", secret, strings.TrimSuffix(l.ID, "1")+"2", file, 403)
	get("a file that is not of the item", secret, l.ID, foreign, 403)
	to, err := blob.Open(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	kept, err := (&blob.Client{URL: second.URL, Token: secret, Lease: l.ID}).FetchTree(t.Context(), to, tree)
	if err != nil {
		t.Fatal(err)
	}
	kept.Release()
	if _, err := a.Verdict(t.Context(), l.ID, 0, []byte(`{"end":{"skipped":"no","by":"a"}}`+"\n")); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	second = another()
	get("after the verdict", secret, l.ID, file, 403)
}

// A worker that was taken out gets nothing, and what it has goes to others.
func TestLeasesOfOneTakenOut(t *testing.T) {
	f, s, secret := newWorkplace(t)
	a := leasesOf(t, s, secret)
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- f.inClass("") }()
	}
	var leases []*api.Lease
	for range 2 {
		l, err := a.Lease(t.Context())
		if err != nil || l == nil {
			t.Fatalf("%+v, %v", l, err)
		}
		leases = append(leases, l)
	}
	waiting := make(chan *api.Lease)
	go func() {
		l, err := a.Lease(t.Context())
		if err != nil {
			t.Error(err)
		}
		waiting <- l
	}()
	until(t, "a poll", func() bool { polls, _ := f.workers.Queue.Load(); return polls == 1 })
	if err := f.workers.TakeOut("a", api.Removed, "a test"); err != nil {
		t.Fatal(err)
	}
	if l := <-waiting; l != nil {
		t.Errorf("%+v: expected that its poll ends", l)
	}
	if counts, err := a.Verdict(t.Context(), leases[0].ID, 0, []byte("late\n")); err != nil || counts {
		t.Errorf("a verdict counts: %v, %v", counts, err)
	}
	if ended, err := a.Alive(t.Context(), []string{leases[1].ID}); err != nil || len(ended) != 1 {
		t.Errorf("%q, %v: expected that its lease has ended", ended, err)
	}
	f.worker("b", [2]string{"AC", "AC"})
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// A client that is gone while it waits for an item gets none, and one that leaves is answered.
func TestPollsEnd(t *testing.T) {
	f, s, secret := newWorkplace(t)
	a := leasesOf(t, s, secret)
	polls := func(want int) func() bool {
		return func() bool { n, _ := f.workers.Queue.Load(); return n == want }
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := a.Lease(ctx); ended <- err }()
	until(t, "a poll", polls(1))
	cancel()
	if err := <-ended; err == nil {
		t.Error("a request that was given up has an answer")
	}
	until(t, "no poll", polls(0))
	go func() {
		l, err := a.Lease(t.Context())
		if l != nil {
			t.Errorf("%+v: expected none", l)
		}
		ended <- err
	}()
	until(t, "a poll", polls(1))
	if err := a.Leave(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A server whose disk is nearly full takes no new work, and says so; what is under way ends.
func TestNoRoom(t *testing.T) {
	f, s, secret := newWorkplace(t)
	done := make(chan error, 1)
	go func() { done <- f.inClass("") }()
	a := leasesOf(t, s, secret)
	l, err := a.Lease(t.Context())
	if err != nil || l == nil {
		t.Fatalf("%+v, %v", l, err)
	}
	f.workers.Queue.Room = 1 << 60
	for _, path := range []string{"GET /readyz", "POST /v1/items"} {
		method, path, _ := strings.Cut(path, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer root-0123456789abcdef")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != 507 || !strings.Contains(string(text), "the disk of the server, or its share of it, is full") || strings.Contains(string(text), f.workers.Queue.Dir) {
			t.Errorf("%s: status %d: %s: expected 507, without the folder", path, answer.StatusCode, text)
		}
	}
	lines := `{"run":{"run":{"case":"secret/1","verdict":"AC","worker":"a"}}}` + "\n" + `{"end":{"by":"a"}}` + "\n"
	if counts, err := a.Verdict(t.Context(), l.ID, 0, []byte(lines)); err != nil || !counts {
		t.Errorf("a verdict meanwhile: %v, %v", counts, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The slots of a server are those of its workers, whether they are idle or not.
func TestSlotsOfServer(t *testing.T) {
	f, s, secret := newWorkplace(t)
	describe := func() (d api.Description) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/server", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer root-0123456789abcdef")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := describe(); d.Slots != 1 || d.Idle != 0 {
		t.Errorf("%+v: expected no idle slot before the worker asks for items", d)
	}
	done := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() { done <- f.inClass("") }()
	a := leasesOf(t, s, secret)
	if l, err := a.Lease(ctx); err != nil || l == nil {
		t.Fatalf("%+v, %v", l, err)
	}
	if d := describe(); d.Slots != 2 || d.Idle != 1 {
		t.Errorf("%+v: expected two slots, one of them idle", d)
	}
}
