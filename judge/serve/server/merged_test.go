package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
)

// apart has two classes, epyc-1 with a and b, and epyc-2 with c.
func apart(t *testing.T, k *Workers) {
	t.Helper()
	k.enter(t, "a", "gcc 12", 1)
	k.enter(t, "b", "gcc 12", 1)
	k.enter(t, "c", "gcc 12", 1.08)
	if p := k.calibrate(t, "c", 1.08); p.Class != "epyc-2" {
		t.Fatalf("placement %+v: expected epyc-2", p)
	}
}

// merge makes epyc-2 merge into epyc-1: each calibration of c fits both.
func merge(t *testing.T, k *Workers) {
	t.Helper()
	for range 3 {
		k.calibrate(t, "c", 1.03)
	}
	if p := k.calibrate(t, "c", 1.03); p.Class != "epyc-1" || len(p.Out) != 0 {
		t.Fatalf("placement %+v: expected epyc-1", p)
	}
}

// The name of a class that has merged means the other one, also after a restart.
func TestMergedName(t *testing.T) {
	q := stateIn(t, t.TempDir())
	k := classesOf(t, q)
	apart(t, k)
	call := newChoice()
	call.use("epyc-2", "cpp")
	merge(t, k)
	again := classesOf(t, q)
	for name, k := range map[string]*Workers{"the first server": k, "the next server": again} {
		if err := k.known("epyc-2"); err != nil {
			t.Errorf("%s: a class that has merged: %v: expected no error", name, err)
		}
		if got := k.choose(t.Context(), "epyc-2", "cpp", newChoice()); got != "epyc-1" {
			t.Errorf("%s: class %s for epyc-2: expected epyc-1", name, got)
		}
		if got := k.choose(t.Context(), "", "cpp", call); got != "epyc-1" {
			t.Errorf("%s: class %s of a call that has used epyc-2: expected epyc-1", name, got)
		}
		if got := k.poll("a").Classes; !slices.Equal(got, []string{AnyClass, "epyc-1", "epyc-2"}) {
			t.Errorf("%s: the queue gives a items of %v: expected those of both classes", name, got)
		}
		if err := k.known("epyc-3"); err == nil || !strings.Contains(err.Error(), `class "epyc-3": expected epyc-1, any`) {
			t.Errorf("%s: a class that never was: %v", name, err)
		}
	}
}

// An item that waits for a class is executed by the workers of the one into which that class
// merges.
func TestItemOfMergedClass(t *testing.T) {
	f := newFloor(t)
	f.audit.Share = 0
	f.workers.Every, f.workers.Absence = 10*time.Minute, time.Hour
	apart(t, f.workers)
	if err := f.workers.TakeOut("c", api.Removed, "a test"); err != nil {
		t.Fatal(err)
	}
	fakeWorker(t, f.workers, "a", [2]string{"AC", "WA"})
	ended := make(chan error, 1)
	go func() { ended <- f.inClass("epyc-2") }()
	until(t, "an item that waits", func() bool {
		s, err := f.pool.Queue.Stats(t.Context())
		return err == nil && s.Depth == 1
	})
	if err := f.workers.PutBack("c", api.Removed); err != nil {
		t.Fatal(err)
	}
	merge(t, f.workers)
	if err := <-ended; err != nil {
		t.Errorf("an item of a class that has merged: %v", err)
	}
	if err := f.inClass("epyc-2"); err != nil {
		t.Errorf("the next item: %v", err)
	}
	f.workers.Absence = 60 * time.Millisecond
	if err := f.inClass("epyc-3"); err == nil || !strings.Contains(err.Error(), `class "epyc-3" no longer exists`) {
		t.Errorf("an item of no class: %v", err)
	}
}

// An item of an unknown class is refused at once.
func TestItemOfUnknownClass(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) {
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a", "gcc 12", 1)
	})
	send := func(class string) (int, string) {
		i := itemOf(class)
		i.Judge = "test"
		data, err := i.Encode()
		if err != nil {
			t.Fatal(err)
		}
		status, _, answer := s.send("POST", "/v1/items", bytes.NewReader(data))
		return status, string(answer)
	}
	if status, answer := send("epyc-7"); status != http.StatusUnprocessableEntity || !strings.Contains(answer, `class \"epyc-7\": expected epyc-1, any`) {
		t.Errorf("status %d, %s: expected 422 and the classes", status, answer)
	}
	if n := s.pool.items.Load(); n != 0 {
		t.Errorf("%d items were begun: expected none", n)
	}
	for _, class := range []string{"epyc-1", AnyClass, ""} {
		if status, answer := send(class); status != http.StatusOK {
			t.Errorf("class %q: status %d, %s: expected 200", class, status, answer)
		}
	}
}

// The judgements of a call that a server was killed in stay in one class, also those of
// which the class was not yet chosen.
func TestResumedInOneClass(t *testing.T) {
	dir, hold := t.TempDir(), make(chan struct{})
	defer close(hold)
	first := reopened(t, dir, func(s *Server, p *pool) {
		p.hold = hold
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a", "gcc 12", 1)
	})
	var in bytes.Buffer
	for i, line := range []string{"cat", "cat # 2", "cat # 3"} {
		r := program(line)
		r.Wait, r.Key = 0, string(rune('a'+i))
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(data, '\n'))
	}
	batch, err := http.NewRequestWithContext(t.Context(), "POST", first.URL+"/v1/judgements:batch", &in)
	if err != nil {
		t.Fatal(err)
	}
	batch.Header.Set("Authorization", "Bearer "+submitSecret)
	go http.DefaultClient.Do(batch) // the first server never answers
	until(t, "three work items", func() bool { return first.pool.items.Load() == 3 })
	first.s.State.Close()

	classes := make(chan string, 10)
	reopened(t, dir, func(s *Server, p *pool) {
		p.began = func(i *remote.Item) { classes <- i.Class }
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a", "gcc 12", 1)
		for _, name := range []string{"c", "d", "e"} {
			s.Workers.enter(t, name, "gcc 13", 1) // epyc-2, with more slots
		}
	})
	for range 3 {
		if got := <-classes; got != "epyc-1" {
			t.Errorf("an item in %s: expected epyc-1, that of the call", got)
		}
	}
	calls := make(map[string]*choice)
	for _, a := range []acceptance{{Call: "x"}, {Call: "x", Class: "epyc-1", Language: "cpp"}, {Call: "y"}} {
		a.choose(calls)
	}
	if len(calls) != 2 || len(calls["x"].used) != 1 || len(calls["y"].used) != 0 {
		t.Errorf("choices %+v: expected epyc-1 for x, and none for y", calls)
	}
}
