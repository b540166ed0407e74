package server

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// pinned has an item executed that only a worker may execute, and returns the workers that
// answered.
func (f *auditedQueue) pinned(worker, class string) (by []string, err error) {
	i := itemOf(class)
	i.Worker = worker
	err = f.pool.Do(context.WithValue(f.Context(), clientKey{}, "test"), i, func(l *remote.Line) error {
		if l.IsLast() {
			c, _, _ := l.End()
			by = append(by, c.By)
		}
		return nil
	})
	return by, err
}

// An item that only one worker may execute waits for that worker, and is not audited.
func TestOnlyWorker(t *testing.T) {
	f := newFloor(t)
	for _, name := range []string{"w0", "w1", "w2"} {
		f.worker(name, [2]string{"AC", "WA"})
	}
	for range 5 {
		for _, name := range []string{"w1", "w2"} {
			if by, err := f.pinned(name, ""); err != nil || strings.Join(by, " ") != name {
				t.Errorf("%v, %v: expected worker %s", by, err, name)
			}
		}
	}
	if f.audit.underWay.Load()+f.audit.equal.Load()+f.audit.alone.Load() != 0 {
		t.Error("an item of a measurement was audited")
	}
}

// An item that only one worker may execute fails if that worker gets no items.
func TestOnlyWorkerIsMissing(t *testing.T) {
	f := newFloor(t)
	f.workers.Every, f.workers.Absence = 10*time.Minute, 100*time.Millisecond
	f.workers.enter(t, "w0", "gcc 12", 1)
	f.workers.enter(t, "w1", "gcc 12", 2)
	fakeWorker(t, f.workers, "w0", [2]string{"AC", "WA"})
	if by, err := f.pinned("w0", "epyc-1"); err != nil || strings.Join(by, " ") != "w0" {
		t.Errorf("%v, %v: expected worker w0", by, err)
	}
	if err := f.workers.TakeOut("w1", api.Removed, "a test"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ worker, class, want string }{
		{"w9", "", `worker "w9" has not registered: judge workers lists those that do`},
		{"w1", "", "worker w1 was taken out: a test: judge workers"},
		{"w0", "epyc-2", `worker w0 is in machine class "epyc-1" now: judge workers lists those that do of machine class epyc-2`},
	} {
		if by, err := f.pinned(tt.worker, tt.class); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s of %q: %v, %v: expected %s", tt.worker, tt.class, by, err, tt.want)
		}
	}
	until(t, "an empty queue", func() bool {
		s, err := f.pool.Queue.Stats(t.Context())
		return err == nil && s.Depth == 0
	})
}

// A worker whose answer cannot be one to its item makes the item of a measurement fail: no
// other one may execute it.
func TestOnlyWorkerLies(t *testing.T) {
	f := newFloor(t)
	f.worker("w0", [2]string{"AC", "WA"})
	if _, err := f.workers.Admit("", &api.Registration{Name: "liar", Languages: []string{"bash"}}); err != nil {
		t.Fatal(err)
	}
	leaseTo(t, f.workers, "liar", func(ctx context.Context, l *queue.Lease) error {
		_, err := f.workers.Queue.Verdict(ctx, "liar", l.ID, 0, []byte(`{"end":{"by":"w0"}}`+"\n"))
		return err
	})
	if by, err := f.pinned("liar", ""); err == nil || !strings.Contains(err.Error(), `worker liar: the last line names worker "w0"`) {
		t.Errorf("%v, %v: expected the lie", by, err)
	}
}

// The server refuses an item at once whose only worker gets no items.
func TestItemOfMissingWorker(t *testing.T) {
	s := newSite(t, func(s *Server, _ *pool) {
		s.Workers = newClasses(t)
		s.Workers.enter(t, "a", "gcc 12", 1)
	})
	for worker, want := range map[string]string{"a": "", "b": `worker \"b\" has not registered`} {
		i := itemOf("epyc-1")
		i.Judge, i.Worker = "test", worker
		data, err := i.Encode()
		if err != nil {
			t.Fatal(err)
		}
		status, _, answer := s.send("POST", "/v1/items", bytes.NewReader(data))
		if want == "" && status != http.StatusOK || want != "" && (status != http.StatusUnprocessableEntity || !strings.Contains(string(answer), want)) {
			t.Errorf("worker %s: status %d, %s: expected %q", worker, status, answer, want)
		}
	}
}
