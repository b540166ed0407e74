package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
	"crucible/judge/serve/api"
	"crucible/judge/serve/server/queue"
)

// shared returns the workers of a server on a NATS.
func shared(t *testing.T, url, name string) *Workers {
	t.Helper()
	q, err := queue.Start(t.Context(), queue.Options{URL: url, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return classesOf(t, q)
}

// The tokens of the server that was given some last are those of all servers; the others only
// know hashes of them.
func TestTokensOfAllServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	start := func(name, lines string) *Tokens {
		t.Helper()
		tokens, err := ReadTokens(strings.NewReader(lines), "tokens")
		if err != nil {
			t.Fatal(err)
		}
		q, err := queue.Start(t.Context(), queue.Options{URL: url, Name: name})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(q.Close)
		if err := tokens.Share(t.Context(), q, lines != ""); err != nil {
			t.Fatal(err)
		}
		tokens.Add("this machine", name+"-own-0123456789", Admin)
		stored, _, err := q.Bucket(TokenBucket).Get(t.Context(), "all")
		if err != nil || !strings.Contains(string(stored), `"scopes":["`) || strings.Contains(string(stored), "0123456789") {
			t.Errorf("stored %s, %v: expected scopes and no secret", stored, err)
		}
		return tokens
	}
	first := "ann-0123456789abcdef"
	a := start("a", "ann student,jury:sum "+first+"\n")
	b := start("b", "")
	if one, err := b.Find(first, Jury); err != nil || one.Name != "ann" || !b.Has("ann") || one.ID() != a.Of(first).ID() {
		t.Errorf("%+v, %v: expected the token of ann", one, err)
	}
	c := start("c", "bob worker bob-0123456789abcdef\n")
	for name, k := range map[string]*Tokens{"a": a, "b": b, "c": c} {
		until(t, "the tokens of the last server", func() bool { return k.Of(first) == nil && k.Has("bob") })
		if one := k.Of(name + "-own-0123456789"); one == nil || !one.Permits(Admin) {
			t.Errorf("the own token of %s: %+v", name, one)
		}
	}
	if a.Of("c-own-0123456789") != nil {
		t.Error("the own token of another server is known")
	}
}

// outs returns the causes for which a worker is out.
func (k *Workers) outs(name string) (all []api.Cause) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range k.all[name].Out {
		all = append(all, o.Cause)
	}
	slices.Sort(all)
	return all
}

// The audits of all servers count together.
func TestDoubtsOfAllServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a, b := shared(t, url, "a"), shared(t, url, "b")
	for _, name := range []string{"liar", "x", "y", "z"} {
		if _, err := a.Admit("token", &api.Registration{Name: name, Slots: 2, Languages: []string{"bash"}}); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "all workers at b", func() bool { return len(b.List()) == 4 })
	doubts := func(k *Workers) int {
		k.mu.Lock()
		defer k.mu.Unlock()
		return len(k.trust("liar").doubts)
	}
	for i, doubt := range []struct{ at, other *Workers }{{a, b}, {b, a}, {b, a}} {
		if got := a.outs("liar"); len(got) > 0 {
			t.Errorf("out after %d doubts: %v", i, got)
		}
		if err := doubt.at.doubt(doubt.at.log(), []string{"x", "y", "z"}[i], "liar"); err != nil {
			t.Fatal(err)
		}
		until(t, fmt.Sprint(i+1, " doubts at the other server"), func() bool { return doubts(doubt.other) == i+1 })
	}
	a.differs("x", "a test")
	for _, k := range []*Workers{a, b} {
		until(t, "a liar that is out", func() bool { return slices.Equal(k.outs("liar"), []api.Cause{api.Differs}) })
		until(t, "a difference of x", func() bool {
			k.mu.Lock()
			defer k.mu.Unlock()
			return k.trust("x").differ == 1 && k.trust("x").last == "a test"
		})
	}
	if err := a.Restore("liar"); err != nil {
		t.Fatal(err)
	}
	until(t, "that b forgets", func() bool { return doubts(b) == 0 })
	for _, bad := range []string{"", "{}", `{"server":"c","doubt":["x"]}`, `{"server":"a","doubt":["x","liar"]}`} {
		a.hearFinding([]byte(bad))
	}
	if n := doubts(a); n != 0 {
		t.Errorf("%d doubts after wrong messages", n)
	}
}

// A worker that one server admits, takes out and puts back is that of all servers.
func TestWorkersOfAllServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a, b := shared(t, url, "a"), shared(t, url, "b")
	if b.poll("w") != nil {
		t.Fatal("a worker that has not registered is admitted")
	}
	register := func(k *Workers, by, name string) error {
		_, err := k.Admit(by, &api.Registration{Name: name, Slots: 2, Languages: []string{"bash"}})
		return err
	}
	if err := register(a, "token", "w"); err != nil {
		t.Fatal(err)
	}
	poll := b.poll("w")
	if poll == nil || poll.Slots != 2 || !slices.Equal(poll.Languages, []string{"bash"}) {
		t.Fatalf("%+v at the other server: expected 2 slots and bash", poll)
	}
	if err := register(b, "other", "w"); err == nil || !strings.Contains(err.Error(), "registered with another token") {
		t.Errorf("another token at the other server: %v", err)
	}
	if err := register(a, "token", strings.Repeat("w", 30)); err != nil {
		t.Fatal(err)
	}
	until(t, "both workers at b", func() bool { return len(b.List()) == 2 })

	ended := make(chan error, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		l, err := b.Queue.Lease(ctx, *poll)
		if l != nil || ctx.Err() != nil {
			err = fmt.Errorf("lease %v, %v", l, ctx.Err())
		}
		ended <- err
	}()
	until(t, "a worker that waits", func() bool { return b.Queue.Others(AnyClass, "bash", nil) })
	until(t, "the same at a", func() bool { return a.Queue.Others(AnyClass, "bash", nil) && a.List()[0].Alive })
	if all, idle := a.slots(); all != 2 || idle != 2 {
		t.Errorf("%d slots, %d idle: expected 2 and 2", all, idle)
	}
	if err := a.TakeOut("w", api.Removed, "a test"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the poll at b of a worker that a has taken out: %v, expected that it ends", err)
	}
	if got := b.poll("w").Classes; len(got) != 0 {
		t.Errorf("classes %v of a worker that is out: expected none", got)
	}

	var both sync.WaitGroup // two servers change one worker at the same time
	for i := range 10 {
		for j, k := range []*Workers{a, b} {
			both.Go(func() {
				if err := k.TakeOut("w", api.Cause(fmt.Sprint("cause", 2*i+j)), "a test"); err != nil {
					t.Error(err)
				}
			})
		}
	}
	both.Wait()
	for name, k := range map[string]*Workers{"a": a, "b": b, "a server that starts": shared(t, url, "c")} {
		until(t, "21 causes at "+name, func() bool { return len(k.outs("w")) == 21 })
	}
	for i := range 20 {
		if err := b.PutBack("w", api.Cause(fmt.Sprint("cause", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Restore("w"); err != nil {
		t.Fatal(err)
	}
	until(t, "the worker back at a", func() bool { return len(a.outs("w")) == 0 && len(a.poll("w").Classes) == 1 })
}

// A worker that is taken out at one server loses the lease that it got from another one, at
// whichever it says that it lives.
func TestLeasesOfOtherServersAreWithdrawn(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	f := newSite(t, func(s *Server, _ *pool) { s.Workers = shared(t, url, "a") })
	a, b := f.s.Workers, shared(t, url, "b")
	if _, err := a.Admit("", &api.Registration{Name: "w", Slots: 1, Languages: []string{"bash"}}); err != nil {
		t.Fatal(err)
	}
	p, err := b.Queue.Submit(t.Context(), queue.Item{ID: "1", Class: AnyClass, Language: "bash", Client: "c"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := b.Queue.Lease(t.Context(), *b.poll("w"))
	if l == nil || err != nil {
		t.Fatalf("lease %v, %v", l, err)
	}
	if err := b.TakeOut("w", api.Removed, "a test"); err != nil {
		t.Fatal(err)
	}
	until(t, "the worker out at a", func() bool { return a.isOut("w") })
	if status, _, answer := f.send("POST", "/v1/workers/w/alive", api.Leases{IDs: []string{l.ID}}, "Authorization: Bearer "+a.secret("w", "")); status != http.StatusOK || !strings.Contains(string(answer), l.ID) {
		t.Errorf("status %d, %s: expected that the lease ends", status, answer)
	}
	if err := b.Restore("w"); err != nil {
		t.Fatal(err)
	}
	again, err := b.Queue.Lease(t.Context(), *b.poll("w"))
	if err != nil || again == nil || again.Delivery != 2 || again.Item.ID != p.Item.ID {
		t.Errorf("%+v, %v: expected the item again", again, err)
	}
}

// Calibrations at two servers at the same time make one pool.
func TestClassesOfAllServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a, b := shared(t, url, "a"), shared(t, url, "b")
	a.enter(t, "first", "gcc 12", 1)
	var all sync.WaitGroup
	for i := range 4 {
		for name, k := range map[string]*Workers{fmt.Sprint("a", i): a, fmt.Sprint("b", i): b} {
			all.Go(func() { k.enter(t, name, "gcc 12", 1) })
		}
	}
	all.Wait()
	b.enter(t, "other", "gcc 13", 1)
	members := func(k *Workers) string {
		k.mu.Lock()
		defer k.mu.Unlock()
		found := make(map[string]int)
		for _, m := range k.pool.Members {
			if len(m.Recent) > 0 && len(m.Own) > 0 {
				found[m.Class]++
			}
		}
		return fmt.Sprint(found)
	}
	want := "map[epyc-1:9 epyc-2:1]"
	until(t, want+" at a", func() bool { return members(a) == want })
	c := shared(t, url, "c")
	if got := members(c); got != want {
		t.Errorf("%s at a server that starts: expected %s", got, want)
	}
	a.calibrate(t, "other", 1.2)
	c.calibrate(t, "other", 1.2) // the second one in a row
	until(t, "a worker that drifts", func() bool { return slices.Equal(b.outs("other"), []api.Cause{Drift}) })
	until(t, "its times at b", func() bool {
		w := b.List()
		i := slices.IndexFunc(w, func(w api.Worker) bool { return w.Name == "other" })
		return w[i].Times != nil && w[i].Times.Own && len(w[i].Times.Ratios) == 2 && w[i].Times.Ratios[0].Ratio > 1.1
	})
}
