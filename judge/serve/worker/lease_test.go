package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// A script is a Source that gives out items, and keeps what the worker answers.
type script struct {
	items, verdicts chan string
	released        chan api.Release
	ended           chan string // leases that end
	polls           chan bool   // a poll has begun
	left            chan bool   // polls have to end
	alive           chan string // leases that are alive
	busy, judged    atomic.Int64
	number          atomic.Int64
	fail            func(call string) error // may be nil
}

func newScript() *script {
	return &script{items: make(chan string, 10), verdicts: make(chan string, 10), released: make(chan api.Release, 10), ended: make(chan string, 10),
		polls: make(chan bool, 100), left: make(chan bool), alive: make(chan string, 100)}
}

func (s *script) failing(call string) error {
	if s.fail == nil {
		return nil
	}
	return s.fail(call)
}

func (s *script) Lease(ctx context.Context) (*api.Lease, error) {
	if err := s.failing("lease"); err != nil {
		return nil, err
	}
	select {
	case s.polls <- true:
	default:
	}
	select {
	case item := <-s.items:
		s.busy.Add(1)
		n := s.number.Add(1)
		return &api.Lease{ID: fmt.Sprint("l.", n), Delivery: 1, Alive: 0.02, Stall: 60, Item: []byte(item)}, nil
	case <-s.left:
		return nil, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *script) Leave(context.Context) error {
	select {
	case s.left <- true:
	default:
	}
	return s.failing("leave")
}

func (s *script) Alive(_ context.Context, leases []string) ([]string, error) {
	for _, l := range leases {
		select {
		case s.alive <- l:
		default:
		}
	}
	select {
	case l := <-s.ended:
		return []string{l}, nil
	default:
		return nil, s.failing("alive")
	}
}

func (s *script) Result(context.Context, string, int, []byte) error { return s.failing("result") }

func (s *script) Verdict(_ context.Context, lease string, _ int, lines []byte) (bool, error) {
	if err := s.failing("verdict"); err != nil {
		return false, err
	}
	s.busy.Add(-1)
	s.judged.Add(1)
	s.verdicts <- string(lines)
	return true, nil
}

func (s *script) Release(_ context.Context, lease string, returned bool, why string) error {
	s.busy.Add(-1)
	s.released <- api.Release{Returned: returned, Why: why}
	return s.failing("release")
}

func run(t *testing.T, s Slots, handle func(context.Context, *Delivery) error) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, handle) }()
	t.Cleanup(cancel)
	return func() error { cancel(); return <-ended }
}

func answer(ctx context.Context, d *Delivery) error {
	_, err := d.Verdict(ctx, d.Item)
	return err
}

// Requests that fail are sent again; refused ones are not.
func TestAgain(t *testing.T) {
	s := newScript()
	var calls atomic.Int64
	s.fail = func(call string) error {
		if calls.Add(1)%2 == 1 {
			return blob.NewProblem(503, "busy")
		}
		return nil
	}
	stop := run(t, Slots{Source: s}, func(ctx context.Context, d *Delivery) error {
		if err := d.Result(ctx, []byte("a")); err != nil {
			return err
		}
		return answer(ctx, d)
	})
	s.items <- "x"
	if v := <-s.verdicts; v != "x" {
		t.Errorf("verdict %q", v)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}

	s = newScript()
	s.fail = func(call string) error { return blob.NewProblem(401, "unknown") }
	if err := (Slots{Source: s}).Run(t.Context(), answer); err == nil {
		t.Error("a worker whose token is refused goes on")
	}

	s = newScript()
	var once atomic.Bool
	s.fail = func(call string) error {
		if call == "verdict" && once.CompareAndSwap(false, true) {
			return blob.NewProblem(410, "gone")
		}
		return nil
	}
	run(t, Slots{Source: s}, answer)
	s.items <- "x"
	<-s.released
	s.items <- "y" // the worker goes on
	<-s.verdicts
}

// An item whose handler fails, panics or ends with its worker is given back, with the reason.
func TestReleased(t *testing.T) {
	s := newScript()
	began := make(chan bool)
	stop := run(t, Slots{Source: s}, func(ctx context.Context, d *Delivery) error {
		switch string(d.Item) {
		case "fails":
			return errors.New("full")
		case "panics":
			panic("oh")
		case "answers nothing":
			return nil
		}
		began <- true
		<-ctx.Done()
		return ctx.Err()
	})
	for item, want := range map[string]string{"fails": "full", "panics": "panic: oh", "answers nothing": "the handler returned without a verdict"} {
		s.items <- item
		if r := <-s.released; r.Why != want || r.Returned {
			t.Errorf("%s: %+v, expected %q", item, r, want)
		}
	}
	s.items <- "waits"
	<-began
	if err := stop(); err != nil {
		t.Error(err)
	}
	if r := <-s.released; !r.Returned {
		t.Errorf("%+v: expected that it is returned", r)
	}
}

// A lease that has ended stops its handler, and the slot goes on. The server hears nothing
// more of it.
func TestEnded(t *testing.T) {
	s := newScript()
	stopped := make(chan error)
	run(t, Slots{Source: s}, func(ctx context.Context, d *Delivery) error {
		if string(d.Item) == "next" {
			return answer(ctx, d)
		}
		<-ctx.Done()
		stopped <- context.Cause(ctx)
		return ctx.Err()
	})
	s.items <- "long"
	s.ended <- <-s.alive
	if err := <-stopped; !errors.Is(err, errEnded) {
		t.Error(err)
	}
	s.items <- "next"
	<-s.verdicts
	if len(s.released) > 0 {
		t.Error("a lease that has ended is released")
	}
}

// A worker that is drained completes what it has, and ends the waiting for more.
func TestDrained(t *testing.T) {
	s := newScript()
	drain, began := make(chan struct{}), make(chan bool)
	ended := make(chan error, 1)
	go func() {
		ended <- Slots{Source: s, Number: 3, Drain: drain}.Run(t.Context(), func(ctx context.Context, d *Delivery) error {
			began <- true
			<-drain
			return answer(ctx, d)
		})
	}()
	s.items <- "x"
	<-began
	for range 3 {
		<-s.polls
	}
	close(drain)
	if err := <-ended; err != nil || <-s.verdicts != "x" {
		t.Error(err)
	}
}

// A worker that is supervised is kept alive by its parent, and by nobody while it is stopped
// or after it has ended.
func TestSupervised(t *testing.T) {
	if os.Getenv("WORKER_TEST_CHILD") != "" {
		return
	}
	s := newScript()
	c := exec.Command(os.Args[0], "-test.run=^TestChild$")
	c.Env = append(os.Environ(), "WORKER_TEST_CHILD=1")
	c.Stderr = os.Stderr
	ended := make(chan error, 1)
	go func() { ended <- Supervise(t.Context(), s, c, slog.New(slog.DiscardHandler)) }()
	for range 3 {
		if lease := <-s.alive; lease != "l.1" {
			t.Errorf("lease %s is alive, expected that of the child", lease)
		}
	}
	if stoppable {
		pause(c.Process)
		quiet := false // some signs of life were under way
		for end := time.Now().Add(20 * time.Second); !quiet && time.Now().Before(end); {
			select {
			case <-s.alive:
			case <-time.After(300 * time.Millisecond):
				quiet = true
			}
		}
		if !quiet {
			t.Error("a process that is stopped is alive")
		}
		resume(c.Process)
		<-s.alive
	}
	s.ended <- "l.1" // the child ends then
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestChild is the process of TestSupervised.
func TestChild(t *testing.T) {
	if os.Getenv("WORKER_TEST_CHILD") == "" {
		t.Skip("is a part of TestSupervised")
	}
	ctx, keeper := Supervised(t.Context())
	s := newScript()
	s.items <- "x"
	drain := make(chan struct{})
	err := Slots{Source: s, Keeper: keeper, Drain: drain}.Run(ctx, func(ctx context.Context, d *Delivery) error {
		<-ctx.Done()
		if errors.Is(context.Cause(ctx), errEnded) {
			close(drain)
		}
		return ctx.Err()
	})
	if err != nil || ctx.Err() != nil {
		os.Exit(1)
	}
	os.Exit(0) // a test prints to standard output, which is the supervisor's
}
