package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/serve/worker"
)

// Each known trap of JetStream has a test that its rule is followed.

// Trap 1: as shipped, NATS syncs every two minutes, and a machine that loses power
// loses acknowledged messages (nats-server#7564).
func TestSyncInterval(t *testing.T) {
	if _, err := Start(t.Context(), Options{Dir: t.TempDir(), SyncInterval: 11 * time.Second}); err == nil {
		t.Error("a SyncInterval of 11 s is accepted")
	}
	for _, c := range []struct {
		o        Options
		interval time.Duration
		always   bool
	}{
		{Options{}, 10 * time.Second, false},
		{Options{SyncInterval: time.Second}, time.Second, false},
		{Options{Durable: true}, 10 * time.Second, true},
	} {
		got := start(t, c.o).link().nats.JetStreamConfig()
		if got.SyncInterval != c.interval || got.SyncAlways != c.always {
			t.Errorf("%+v: the server syncs every %v, always %v; expected %v, %v", c.o, got.SyncInterval, got.SyncAlways, c.interval, c.always)
		}
	}
}

// Trap 2: a late acknowledgement of the first worker counts for the second
// (nats-server#4786). The first verdict counts, whichever delivery it is from, and the
// submitter gets the results of that delivery.
func TestFirstVerdictWins(t *testing.T) {
	t.Parallel()
	for _, first := range []int{1, 2} {
		t.Run(fmt.Sprintf("delivery %d is first", first), func(t *testing.T) {
			q := start(t, Options{})
			settled := make(chan struct{})
			started := make(chan struct{})
			var deliveries, wins atomic.Int64
			var ended sync.WaitGroup
			ended.Add(2)
			handle := func(ctx context.Context, d *worker.Delivery) error {
				deliveries.Add(1)
				defer ended.Done()
				for i := range 3 {
					if err := d.Result(ctx, fmt.Appendf(nil, "%d.%d", d.Delivery, i)); err != nil {
						return err
					}
				}
				if d.Delivery == 2 {
					close(started)
				} else {
					<-started
				}
				if d.Delivery != first {
					<-settled
				}
				won, err := d.Verdict(ctx, fmt.Append(nil, d.Delivery))
				if won {
					wins.Add(1)
				}
				if d.Delivery == first {
					close(settled)
				}
				return err
			}
			// Nobody keeps the first worker's items.
			startWorker(t, q, crew{ID: "w1", Keeper: io.Discard}, handle)
			p := submit(t, q, item("a"))[0]
			for q.Counts().Leased == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			startWorker(t, q, crew{ID: "w2"}, handle)
			var last []string
			for r := range p.Results(t.Context()) {
				if r.Number == 0 {
					last = nil
				}
				last = append(last, string(r.Payload))
			}
			v := verdict(t, p)
			if string(v.Payload) != fmt.Sprint(first) || v.Delivery != first || v.Worker != fmt.Sprint("w", first) {
				t.Errorf("verdict %+v, expected that of delivery %d", v, first)
			}
			if len(last) != 3 || !strings.HasPrefix(last[0], fmt.Sprint(first)) {
				t.Errorf("results %v, expected those of delivery %d", last, first)
			}
			ended.Wait()
			if deliveries.Load() != 2 || wins.Load() != 1 || q.Counts().Verdicts != 1 || q.Counts().Discarded != 1 {
				t.Errorf("%d deliveries, %d of them won, %+v; expected 2, 1, and one verdict of each kind", deliveries.Load(), wins.Load(), q.Counts())
			}
			awaitEmpty(t, q)
		})
	}
}

// Trap 3: a dead client's item waits for AckWait, 30 s as shipped (nats-server#4716).
// This test uses the time as shipped here.
func TestKilledWorkerIsReplacedWithin15s(t *testing.T) {
	t.Parallel()
	q := start(t, Options{AckWait: 12 * time.Second})
	p := submit(t, q, item("a"))[0]
	l, err := q.Lease(t.Context(), poll("killed", 1))
	if err != nil || l.Item.ID != "a" {
		t.Fatalf("%+v, %v", l, err)
	}
	killed := time.Now()
	startWorker(t, q, crew{ID: "second"}, func(ctx context.Context, d *worker.Delivery) error {
		if waited := time.Since(killed); waited > 15*time.Second {
			t.Errorf("the item of a killed worker is delivered again after %v, expected at most 15 s", waited)
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	if v := verdict(t, p); v.Worker != "second" || v.Delivery != 2 {
		t.Errorf("verdict %+v, expected delivery 2 of the second worker", v)
	}
}

// Trap 4: MaxDeliver leaves items in a work-queue stream (nats-server#5564), and the
// count of deliveries can be wrong (#5346). An item that is lost by three workers is given
// up, with what the workers said.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	q := start(t, Options{})
	for i := range 4 {
		startWorker(t, q, crew{ID: fmt.Sprint("w", i), Keeper: io.Discard}, func(ctx context.Context, d *worker.Delivery) error {
			if d.Delivery == 1 {
				return errors.New("the disk is full")
			}
			<-ctx.Done() // hangs, and is not kept
			return ctx.Err()
		})
	}
	v := verdict(t, submit(t, q, item("poison"))[0])
	if !strings.HasPrefix(v.Err, "no verdict after 3 deliveries; workers that began the item and were lost: w") || !strings.Contains(v.Err, ": the disk is full, w") {
		t.Errorf("verdict %+v, expected the error of three deliveries", v)
	}
	awaitEmpty(t, q)
	for c := range q.link().items.ListConsumers(t.Context()).Info() {
		if c.Config.MaxDeliver != -1 {
			t.Errorf("MaxDeliver of the consumer is %d; expected no limit", c.Config.MaxDeliver)
		}
	}
}

// Where there is only one worker, it gets an item at most six times.
func TestGivenUpWithOneWorker(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	startWorker(t, q, crew{ID: "w"}, func(context.Context, *worker.Delivery) error { panic("poison") })
	if v := verdict(t, submit(t, q, item("poison"))[0]); !strings.HasPrefix(v.Err, "no verdict after 6 deliveries") {
		t.Errorf("verdict %+v, expected the error of six deliveries", v)
	}
}

// Trap 5: MaxAckPending is 1000 as shipped, and all items above it wait.
func TestManyItemsAtOnce(t *testing.T) {
	const many = 1500
	q := start(t, Options{AckWait: 12 * time.Second})
	all := make(chan struct{})
	var running atomic.Int64
	startWorker(t, q, crew{ID: "w", Slots: many}, func(ctx context.Context, d *worker.Delivery) error {
		if running.Add(1) == many {
			close(all)
		}
		select {
		case <-all:
		case <-ctx.Done():
			return ctx.Err()
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	var pending []*Pending
	for i := range many {
		it := item(fmt.Sprint(i))
		it.Client = fmt.Sprint("client", i%100)
		pending = append(pending, submit(t, q, it)...)
	}
	for _, p := range pending {
		verdict(t, p)
	}
	if got := q.Counts(); got.Redelivered != 0 {
		t.Errorf("%d items were delivered twice", got.Redelivered)
	}
}

// Trap 5 too: queues that stick are still reported (nats-server#6905, #7680), and a
// server that lost power has lost items. The comparison finds an item that is gone
// and a verdict that was not sent.
func TestSweepRepairs(t *testing.T) {
	q := start(t, Options{Sweep: 100 * time.Millisecond})
	p := submit(t, q, item("lost"), item("judged"))
	// The stream loses both; for one of them there is a verdict that no event reports.
	settle(t, q, "judged")
	if err := q.link().items.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, p[1]); string(v.Payload) != "AC" {
		t.Errorf("the verdict that was not sent: %+v", v)
	}
	startWorker(t, q, crew{ID: "w"}, echo)
	if v := verdict(t, p[0]); string(v.Payload) != "verdict of 0 lost" {
		t.Errorf("the verdict of the item that was lost: %+v", v)
	}
}

// settle stores a verdict without telling anybody.
func settle(t *testing.T, q *Queue, item string) {
	t.Helper()
	if _, _, err := q.link().states.settle(t.Context(), item, &state{}, 0, Verdict{Worker: "w", Delivery: 1, Payload: []byte("AC")}); err != nil {
		t.Fatal(err)
	}
}

// An item with a verdict that is still in the stream is removed at its delivery.
func TestJudgedItemIsRemoved(t *testing.T) {
	q := start(t, Options{})
	p := submit(t, q, item("a"))[0]
	settle(t, q, "a")
	startWorker(t, q, crew{ID: "w"}, func(context.Context, *worker.Delivery) error {
		t.Error("a judged item is run")
		return nil
	})
	if v := verdict(t, p); string(v.Payload) != "AC" {
		t.Errorf("verdict %+v", v)
	}
	awaitEmpty(t, q)
}

// Trap 6 is in TestSubmitTwice, trap 7 in TestWorkersGetWhatTheyCanRun; trap 8, the
// processor of the server, is a matter of the command.

// A handler that hangs loses its item after Stall; one that makes progress keeps it.
func TestStall(t *testing.T) {
	t.Parallel()
	q := start(t, Options{Stall: time.Second})
	handle := func(ctx context.Context, d *worker.Delivery) error {
		for range 12 {
			if itemOf(d) == "hung" && d.Delivery == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			if itemOf(d) == "slow" {
				sleep(ctx, 250*time.Millisecond)
				d.Beat()
			}
		}
		_, err := d.Verdict(ctx, nil)
		return err
	}
	startWorker(t, q, crew{ID: "w1", Slots: 2}, handle)
	startWorker(t, q, crew{ID: "w2", Slots: 2}, handle)
	p := submit(t, q, item("slow"), item("hung"))
	if v := verdict(t, p[0]); v.Delivery != 1 {
		t.Errorf("an item that makes progress for 3 s is delivered again: %+v", v)
	}
	if v := verdict(t, p[1]); v.Delivery != 2 {
		t.Errorf("an item whose handler hangs: %+v, expected delivery 2", v)
	}
}

// A handler that says that it makes progress loses its item after Limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	q := start(t, Options{Limit: -4 * time.Second}) // 5 s are for differences of clocks
	startWorker(t, q, crew{ID: "w"}, func(ctx context.Context, d *worker.Delivery) error {
		for d.Delivery == 1 && ctx.Err() == nil {
			sleep(ctx, 50*time.Millisecond)
			d.Beat()
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	if v := verdict(t, submit(t, q, item("a"))[0]); v.Delivery != 2 {
		t.Errorf("verdict %+v, expected that of the second delivery", v)
	}
}

// What waits for a slot is not delivered again, however long it waits.
func TestWaitingItemsAreKept(t *testing.T) {
	t.Parallel()
	q := start(t, Options{})
	p := submit(t, q, item("a"), item("b"))
	awaitReady(t, q, 2)
	time.Sleep(3 * testAckWait)
	startWorker(t, q, crew{ID: "w"}, echo)
	for _, p := range p {
		if v := verdict(t, p); v.Delivery != 1 {
			t.Errorf("verdict %+v, expected delivery 1", v)
		}
	}
	if got := q.Counts().Redelivered; got != 0 {
		t.Errorf("%d items were delivered again", got)
	}
}

// Results of before the end of a process reach the next one, and the worker goes on.
func TestStartsAgain(t *testing.T) {
	dir := t.TempDir()
	q := start(t, Options{Dir: dir, AckWait: 12 * time.Second})
	kept := item("a")
	kept.Kept = true
	submit(t, q, kept)
	l, err := q.Lease(t.Context(), poll("w", 1))
	if err != nil || l == nil {
		t.Fatalf("%+v, %v", l, err)
	}
	for i := range 2 {
		if err := q.Result(t.Context(), "w", l.ID, i, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	q = start(t, Options{Dir: dir, AckWait: 12 * time.Second})
	p := submit(t, q, kept)[0]
	if stop, err := q.Alive(t.Context(), "w", []string{l.ID}); err != nil || len(stop) > 0 {
		t.Errorf("%q, %v: expected that the lease goes on", stop, err)
	}
	for i := 2; i < 4; i++ {
		if err := q.Result(t.Context(), "w", l.ID, i, fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if counts, err := q.Verdict(t.Context(), "w", l.ID, 4, []byte("AC")); err != nil || !counts {
		t.Errorf("%v, %v: expected that the verdict counts", counts, err)
	}
	var got []string
	for r := range p.Results(t.Context()) {
		got = append(got, string(r.Payload))
	}
	if v := verdict(t, p); !slices.Equal(got, []string{"0", "1", "2", "3"}) || string(v.Payload) != "AC" || v.Delivery != 1 {
		t.Errorf("results %v, %+v; expected 0 to 3 and AC of the first delivery", got, v)
	}
	awaitEmpty(t, q)
}

// The streams are those that the rules are for.
func TestStreams(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	got := q.link().items.CachedInfo().Config
	if got.Retention != jetstream.WorkQueuePolicy || got.Storage != jetstream.FileStorage {
		t.Errorf("the stream of items: %+v", got)
	}
	c, err := q.consumer("c")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.CachedInfo().Config; got.AckWait != 12*time.Second || got.MaxAckPending < 10_000*16 {
		t.Errorf("the consumer: AckWait %v, MaxAckPending %d; expected 12 s and room for 10,000 workers", got.AckWait, got.MaxAckPending)
	}
	for c := range q.link().results.ListConsumers(t.Context()).Info() {
		if c.Config.DeliverPolicy != jetstream.DeliverByStartSequencePolicy {
			t.Errorf("the consumer of events begins with policy %v: one that is lost leaves out events", c.Config.DeliverPolicy)
		}
	}
}
