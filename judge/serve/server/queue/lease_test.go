package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
	"crucible/judge/serve/worker"
)

// poll is that of a worker that can run what item makes.
func poll(name string, slots int) Poll {
	return Poll{Worker: name, Classes: []string{"c"}, Languages: []string{"go"}, Slots: slots}
}

// What a worker sends about leases that it does not have changes nothing.
func TestForeignLeases(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	p := submit(t, q, item("a"))[0]
	l, err := q.Lease(t.Context(), poll("w1", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, forget := range []bool{false, true} { // as a process that was started again
		if forget {
			q.mu.Lock()
			clear(q.leases)
			q.mu.Unlock()
		}
		for _, id := range []string{
			l.ID, "", ".", "a", "a.", "a.0", "a.2", "a.-1", "a.1.1", "b.1", ".1", strings.Repeat("a", 300) + ".1", "a.99999999999999999999",
		} {
			errs := []error{q.Result(t.Context(), "w2", id, 0, nil), q.Release(t.Context(), "w2", id, true, "")}
			_, err := q.Verdict(t.Context(), "w2", id, 0, []byte("AC"))
			for i, err := range append(errs, err) {
				if !errors.Is(err, ErrNoLease) {
					t.Errorf("call %d with lease %.20q: %v; expected ErrNoLease", i, id, err)
				}
			}
			if stop, err := q.Alive(t.Context(), "w2", []string{id}); err != nil || !slices.Equal(stop, []string{id}) {
				t.Errorf("alive with lease %.20q: %q, %v; expected that it has ended", id, stop, err)
			}
		}
	}
	if counts, err := q.Verdict(t.Context(), "w1", l.ID, 0, []byte("AC")); err != nil || !counts {
		t.Errorf("the verdict of the worker that has the lease: %v, %v", counts, err)
	}
	if v := verdict(t, p); v.Worker != "w1" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
	// Sent again, it has the same answer.
	if counts, err := q.Verdict(t.Context(), "w1", l.ID, 0, []byte("AC")); err != nil || !counts {
		t.Errorf("the same verdict again: %v, %v", counts, err)
	}
	if c := q.Counts(); c.Redelivered != 0 {
		t.Errorf("%+v: expected one delivery", c)
	}
	for _, w := range q.Workers() {
		if w.Worker == "w1" && w.Done != 1 {
			t.Errorf("%+v: expected one verdict", w)
		}
	}
}

// Results of a lease that has ended are not taken: nothing would bound them.
func TestResultsOfAnEndedLease(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	p := submit(t, q, item("a"))[0]
	lease := func(worker string) *Lease {
		t.Helper()
		l, err := q.Lease(t.Context(), poll(worker, 1))
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		return l
	}
	refused := func(when, worker string, l *Lease) {
		t.Helper()
		for number := range 3 {
			if err := q.Result(t.Context(), worker, l.ID, number, []byte("x")); !errors.Is(err, ErrNoLease) {
				t.Errorf("%s, result %d: %v; expected %v", when, number, err, ErrNoLease)
			}
		}
	}
	first := lease("w1")
	if err := q.Release(t.Context(), "w1", first.ID, false, "no disk"); err != nil {
		t.Fatal(err)
	}
	refused("after its release", "w1", first)
	second := lease("w2")
	refused("of another worker", "w1", first)
	if err := q.Result(t.Context(), "w2", second.ID, 0, []byte("x")); err != nil {
		t.Error(err)
	}
	if _, err := q.Verdict(t.Context(), "w2", second.ID, 1, []byte("AC")); err != nil {
		t.Error(err)
	}
	refused("after the verdict", "w2", second)
	if v := verdict(t, p); v.Worker != "w2" || v.Results != 1 {
		t.Errorf("%+v: expected that of w2", v)
	}
}

// A worker that gives an item back again and again does not keep it from others, and ends it if
// there are none: what is known of the item would outgrow a message.
func TestManyReturns(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	returns := func(p *Pending) (n int) {
		t.Helper()
		ended := make(chan bool)
		go func() { p.Verdict(t.Context()); close(ended) }()
		for {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				select {
				case <-ended:
					cancel()
				case <-ctx.Done():
				}
			}()
			l, err := q.Lease(ctx, poll("evil", 1))
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if l == nil {
				return n
			}
			n++
			if err := q.Release(t.Context(), "evil", l.ID, true, strings.Repeat("<", maxWhy)); err != nil {
				t.Fatal(err)
			}
		}
	}
	alone := submit(t, q, item("a"))[0]
	if n := returns(alone); n != mostDeliveries {
		t.Errorf("the item was given %d times to the worker: expected %d", n, mostDeliveries)
	}
	if v := verdict(t, alone); !strings.Contains(v.Err, "the last worker gave the item back: evil: <<<") {
		t.Errorf("%+v: expected why", v)
	}
	q.room.mu.Lock()
	q.room.others = func(string, string, []string) bool { return true } // another one is known
	q.room.mu.Unlock()
	p := submit(t, q, item("b"))[0]
	go func() {
		time.Sleep(time.Second) // the evil one asks first
		l, err := q.Lease(t.Context(), poll("honest", 1))
		if err != nil || l == nil {
			t.Error(l, err)
			return
		}
		if _, err := q.Verdict(t.Context(), "honest", l.ID, 0, []byte("AC")); err != nil {
			t.Error(err)
		}
	}()
	if n := returns(p); n != mostReturns {
		t.Errorf("beside another worker, the item was given %d times to the first one: expected %d", n, mostReturns)
	}
	if v := verdict(t, p); v.Worker != "honest" {
		t.Errorf("%+v: expected that of the other worker", v)
	}
}

// A lease that ends while its worker says that it lives has ended.
func TestSignsOfLifeAtTheEnd(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	for i := range 50 {
		submit(t, q, item(fmt.Sprint(i)))
		l, err := q.Lease(t.Context(), poll("w", 1))
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		released := make(chan error)
		go func() { released <- q.Release(t.Context(), "w", l.ID, true, "cancelled") }()
		for ended := false; !ended; {
			select {
			case err := <-released:
				if err != nil {
					t.Fatal(err)
				}
				ended = true
			default:
			}
			if _, err := q.Alive(t.Context(), "w", []string{l.ID}); err != nil {
				t.Fatal(err)
			}
		}
		if stop, err := q.Alive(t.Context(), "w", []string{l.ID}); err != nil || len(stop) != 1 {
			t.Fatalf("%d: ended leases %q, %v; expected %q", i, stop, err, l.ID)
		}
		if w := q.Workers(); w[0].Busy != 0 {
			t.Fatalf("%d: %+v; expected no item", i, w)
		}
		l, err = q.Lease(t.Context(), poll("w", 1)) // it is free again
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		if _, err := q.Verdict(t.Context(), "w", l.ID, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A worker that is withdrawn has lost nothing: its items go to others, and what it still sends
// is refused.
func TestWithdraw(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	all := submit(t, q, item("a"), item("b"))
	var leases []string
	for range 2 {
		l, err := q.Lease(t.Context(), poll("w1", 2))
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, l.ID)
	}
	q.Withdraw(t.Context(), "w1")
	if _, err := q.Verdict(t.Context(), "w1", leases[0], 0, nil); !errors.Is(err, ErrNoLease) {
		t.Errorf("a verdict of a worker that was taken out: %v", err)
	}
	if stop, err := q.Alive(t.Context(), "w1", leases); err != nil || len(stop) != 2 {
		t.Errorf("its leases: %q, %v; expected that both have ended", stop, err)
	}
	startWorker(t, q, crew{ID: "w2"}, echo)
	for _, p := range all {
		if v := verdict(t, p); v.Worker != "w2" || v.Delivery != 2 {
			t.Errorf("verdict %+v, expected that of w2", v)
		}
	}
	if w := q.Workers()[0]; w.Lost != 0 || w.Busy != 0 || w.Err != "" {
		t.Errorf("%+v, expected nothing lost", w)
	}
}

// However often a worker asks, it has the slots that it is permitted. Those that asked first
// are answered.
func TestSlotsOfWorkers(t *testing.T) {
	q := start(t, Options{})
	answers := make(chan int, 100)
	for n := range 100 {
		go func() {
			if l, err := q.Lease(t.Context(), poll("w3", 3)); l != nil || err != nil {
				t.Errorf("%+v, %v: expected no item", l, err)
			}
			answers <- n
		}()
		if n >= 3 {
			<-answers
		}
		await(t, "the poll", func() bool { polls, _ := q.Load(); return polls == min(n+1, 3) })
	}
	before := poll("w3", 3)
	q.Refuse("w3")
	for range 3 {
		<-answers
	}
	// A poll whose classes may be those of before the refusal ends, too.
	submit(t, q, item("a"))
	if l, err := q.Lease(t.Context(), before); l != nil || err != nil {
		t.Errorf("%+v, %v: expected that it has to ask again", l, err)
	}
	if before.Refusals = q.Refusals("w3"); before.Refusals != 1 {
		t.Errorf("%d refusals, expected 1", before.Refusals)
	}
	if l, err := q.Lease(t.Context(), before); l == nil || err != nil {
		t.Errorf("%v: expected the item", err)
	}
}

// Results of a lease are bounded together. A queue that is closed has no items.
func TestMuch(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	submit(t, q, item("a"))
	l, err := q.Lease(t.Context(), poll("w1", 1))
	if err != nil {
		t.Fatal(err)
	}
	q.mu.Lock()
	q.leases[l.ID].bytes = maxResults - 10
	q.mu.Unlock()
	for n, want := range []error{nil, ErrTooMuch} {
		if err := q.Result(t.Context(), "w1", l.ID, n, make([]byte, 10)); !errors.Is(err, want) {
			t.Errorf("%v, expected %v", err, want)
		}
	}
	q.Close()
	if _, err := q.Lease(t.Context(), poll("w1", 1)); !errors.Is(err, ErrClosed) {
		t.Errorf("%v: expected ErrClosed", err)
	}
}

// An item prefers workers that have not lost it, as long as there are any.
func TestAvoid(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	it := item("a")
	it.Avoid = []string{"w1"}
	startWorker(t, q, crew{ID: "w1", Slots: 4}, echo)
	startWorker(t, q, crew{ID: "w2"}, echo)
	await(t, "both workers", func() bool { return q.Others("c", "go", []string{"w1"}) })
	for i := range 5 {
		it.ID = fmt.Sprint(i)
		if v := verdict(t, submit(t, q, it)[0]); v.Worker != "w2" {
			t.Errorf("%+v: expected the worker that it does not avoid", v)
		}
	}
}

func TestTokens(t *testing.T) {
	seen := make(map[string]string)
	for _, s := range []string{"a", "A", "a.b", "a=2eb", "*", ">", " ", "ä", "a b", "=", "==", "\x00", "\xff", strings.Repeat("x.", 64)} {
		one := token(s)
		if strings.ContainsAny(one, ".*> \t\r\n\x00") {
			t.Errorf("token(%q) = %q, expected one token", s, one)
		}
		if other, ok := seen[one]; ok {
			t.Errorf("token(%q) = token(%q)", s, other)
		}
		seen[one] = s
		if back := fromToken(one); back != s {
			t.Errorf("fromToken(%q) = %q, expected %q", one, back, s)
		}
	}
	for _, s := range []string{"=", "=z", "a=4", "==41"} {
		_ = fromToken(s) // no panic
	}
}

// While a server that lost its network comes back, the item of a judgement that another one has
// begun again is in the stream twice. A worker that has one copy has not lost the other one.
func TestCopies(t *testing.T) {
	t.Parallel()
	nats := testnats.One(t)
	a := start(t, Options{URL: nats, Name: "a", AckWait: time.Second})
	b := start(t, Options{URL: nats, Name: "b", AckWait: time.Second})
	lease := func(worker string) *Lease {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		l, err := a.Lease(ctx, poll(worker, 1))
		if err != nil || l == nil {
			t.Fatalf("worker %s: %+v, %v: expected the item", worker, l, err)
		}
		return l
	}
	it := item("x")
	it.Kept = true
	first := submit(t, a, it)[0]
	lease("w0") // says nothing more
	lease("w1") // nor does it
	second := submit(t, b, it)[0]
	l := lease("w2")
	await(t, "the first copy again", func() bool {
		if _, err := a.Alive(t.Context(), "w2", []string{l.ID}); err != nil {
			t.Error(err)
		}
		time.Sleep(100 * time.Millisecond)
		return a.Counts().Redelivered == 2
	})
	time.Sleep(100 * time.Millisecond)
	if counts, err := a.Verdict(t.Context(), "w2", l.ID, 0, []byte("right")); err != nil || !counts {
		t.Errorf("the verdict: %v, %v: expected that it counts", counts, err)
	}
	startWorker(t, a, crew{ID: "w3"}, echo) // its server finds that the first copy has a verdict
	for _, p := range []*Pending{first, second} {
		if v := verdict(t, p); string(v.Payload) != "right" || v.Err != "" {
			t.Errorf("%+v: expected that of w2", v)
		}
	}
}

// An item that comes again, as after a change of the consumer's leader, stays with a worker that
// says that it lives.
func TestComesAgain(t *testing.T) {
	t.Parallel()
	q := start(t, Options{AckWait: 3 * time.Second})
	var running atomic.Int64
	for _, id := range []string{"w1", "w2"} {
		startWorker(t, q, crew{ID: id}, func(ctx context.Context, d *worker.Delivery) error {
			running.Add(1)
			return echo(ctx, d)
		})
	}
	it := item("x")
	it.Payload = []byte("3000 x")
	p := submit(t, q, it)[0]
	await(t, "a running item", func() bool { return running.Load() == 1 })
	q.mu.Lock()
	l := q.running["x"]
	q.mu.Unlock()
	if err := q.link().conn.Publish(q.reply(l), nak); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, p); v.Delivery != 1 || running.Load() != 1 || q.Counts().Redelivered != 1 {
		t.Errorf("%+v after %d workers and %+v: expected the verdict of the first", v, running.Load(), q.Counts())
	}
	awaitEmpty(t, q)
}
