package queue

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/worker"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "8") // the default, because parallel tests wait more than they compute
	os.Exit(m.Run())
}

// testAckWait is short, so that tests of lost workers are.
const testAckWait = time.Second

// A source is a worker of a Queue in this process.
type source struct {
	q *Queue
	Poll
}

func (s *source) Lease(ctx context.Context) (*api.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, PollTime)
	defer cancel()
	poll := s.Poll
	poll.Refusals = s.q.Refusals(s.Worker)
	l, err := s.q.Lease(ctx, poll)
	if l == nil {
		return nil, err
	}
	return &api.Lease{ID: l.ID, Delivery: l.Delivery, Alive: l.Alive.Seconds(), Stall: l.Stall.Seconds(), Item: l.Item.Payload}, nil
}

func (s *source) Leave(context.Context) error {
	s.q.Refuse(s.Worker)
	return nil
}

func (s *source) Alive(ctx context.Context, leases []string) ([]string, error) {
	return s.q.Alive(ctx, s.Worker, leases)
}

func (s *source) Result(ctx context.Context, lease string, number int, lines []byte) error {
	return s.q.Result(ctx, s.Worker, lease, number, lines)
}

func (s *source) Verdict(ctx context.Context, lease string, results int, lines []byte) (bool, error) {
	return s.q.Verdict(ctx, s.Worker, lease, results, lines)
}

func (s *source) Release(ctx context.Context, lease string, returned bool, why string) error {
	return s.q.Release(ctx, s.Worker, lease, returned, why)
}

// A crew is what a test says about a worker.
type crew struct {
	ID                 string
	Classes, Languages []string // nil: those of item
	Slots              int
	Keeper             io.Writer
	Drain              <-chan struct{}
}

// startWorker runs a worker until the test ends, or until the returned function is called.
func startWorker(t testing.TB, q *Queue, w crew, handle func(context.Context, *worker.Delivery) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if w.Classes == nil {
		w.Classes = []string{"c"}
	}
	if w.Languages == nil {
		w.Languages = []string{"go"}
	}
	ended := make(chan error, 1)
	slots := worker.Slots{Source: &source{q, Poll{Worker: w.ID, Classes: w.Classes, Languages: w.Languages, Slots: max(w.Slots, 1)}},
		Number: w.Slots, Keeper: w.Keeper, Drain: w.Drain}
	go func() { ended <- slots.Run(ctx, handle) }()
	stop = func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("Run: %v", err)
			}
			ended <- nil
		case <-time.After(20 * time.Second):
			t.Error("Run does not return after its context has ended")
		}
	}
	t.Cleanup(stop)
	return stop
}

// itemOf is the item of a delivery.
func itemOf(d *worker.Delivery) string { return d.ID[:strings.LastIndexByte(d.ID, '.')] }

// echo answers an item with its payload. The payload "MS text" takes that many
// milliseconds, after one partial result.
func echo(ctx context.Context, d *worker.Delivery) error {
	var ms int
	fmt.Sscan(string(d.Item), &ms)
	if err := d.Result(ctx, fmt.Appendf(nil, "%s started", d.ID)); err != nil {
		return err
	}
	sleep(ctx, time.Duration(ms)*time.Millisecond)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	_, err := d.Verdict(ctx, append([]byte("verdict of "), d.Item...))
	return err
}

// start starts a queue in a new folder, unless the options have one.
func start(t testing.TB, o Options) *Queue {
	t.Helper()
	if o.Dir == "" && o.URL == "" {
		o.Dir = t.TempDir()
	}
	if o.AckWait == 0 {
		o.AckWait = testAckWait
	}
	if testing.Verbose() && o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	q, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// submit submits items at the same time, each of a client of its own if there are many.
func submit(t testing.TB, q *Queue, items ...Item) []*Pending {
	t.Helper()
	all := make([]*Pending, len(items))
	for i, it := range items {
		var err error
		if all[i], err = q.Submit(t.Context(), it); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// item makes an item whose ID is the name.
func item(name string) Item {
	return Item{ID: name, Class: "c", Language: "go", Client: "alice", Payload: []byte("0 " + name)}
}

// verdict waits for the verdict of an item.
func verdict(t testing.TB, p *Pending) Verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	v, err := p.Verdict(ctx)
	if err != nil {
		t.Fatalf("verdict of %s: %v", p.Item.ID, err)
	}
	return v
}

// await waits until a condition is true.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// awaitReady waits until n items wait for polls; the class is asked for, as by a worker that
// then has no slot.
func awaitReady(t *testing.T, q *Queue, n int) {
	t.Helper()
	q.feedAll([]string{"c"})
	await(t, "items that wait for workers", func() bool { _, items := q.Load(); return items >= n })
}

// awaitEmpty waits until no item is in the stream.
func awaitEmpty(t *testing.T, q *Queue) {
	t.Helper()
	await(t, "an empty stream", func() bool {
		s, err := q.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.Depth == 0
	})
}
