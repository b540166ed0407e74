package queue

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/testkit"
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
		got := start(t, c.o).nats.JetStreamConfig()
		if got.SyncInterval != c.interval || got.SyncAlways != c.always {
			t.Errorf("%+v: the server syncs every %v, always %v; expected %v, %v", c.o, got.SyncInterval, got.SyncAlways, c.interval, c.always)
		}
	}
}

// Trap 2: a late acknowledgement of the first worker counts for the second
// (nats-server#4786). The first verdict counts, whichever attempt it is from, and the
// submitter gets the results of that attempt.
func TestFirstVerdictWins(t *testing.T) {
	t.Parallel()
	for _, first := range []int{1, 2} {
		t.Run(fmt.Sprintf("attempt %d is first", first), func(t *testing.T) {
			s := start(t, Options{})
			q := connect(t, s.Connection())
			settled := make(chan struct{})
			started := make(chan struct{})
			var attempts, wins atomic.Int64
			var ended sync.WaitGroup
			ended.Add(2)
			handle := func(ctx context.Context, d *Delivery) error {
				attempts.Add(1)
				defer ended.Done()
				for i := range 3 {
					if err := d.Result(ctx, fmt.Appendf(nil, "%d.%d", d.Attempt, i)); err != nil {
						return err
					}
				}
				if d.Attempt == 2 {
					close(started)
				} else {
					<-started
				}
				if d.Attempt != first {
					<-settled
				}
				won, err := d.Verdict(ctx, fmt.Append(nil, d.Attempt))
				if won {
					wins.Add(1)
				}
				if d.Attempt == first {
					close(settled)
				}
				return err
			}
			// Nobody keeps the first worker's items.
			startWorker(t, s.Connection(), Worker{ID: "w1", Keeper: io.Discard}, handle)
			p := submit(t, q, item("a"))[0]
			for s.Counts().Started == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			startWorker(t, s.Connection(), Worker{ID: "w2"}, handle)
			var last []string
			for r := range p.Results(t.Context()) {
				if r.Seq == 0 {
					last = nil
				}
				last = append(last, string(r.Payload))
			}
			v := verdict(t, p)
			if string(v.Payload) != fmt.Sprint(first) || v.Attempt != first || v.Worker != fmt.Sprint("w", first) {
				t.Errorf("verdict %+v, expected that of attempt %d", v, first)
			}
			if len(last) != 3 || !strings.HasPrefix(last[0], fmt.Sprint(first)) {
				t.Errorf("results %v, expected those of attempt %d", last, first)
			}
			ended.Wait()
			if attempts.Load() != 2 || wins.Load() != 1 || s.Counts().Verdicts != 1 || s.Counts().Discarded != 1 {
				t.Errorf("%d attempts, %d of them won, %+v; expected 2, 1, and one verdict of each kind", attempts.Load(), wins.Load(), s.Counts())
			}
			waitEmpty(t, q)
		})
	}
}

// Trap 3: a dead client's item waits for AckWait, 30 s as shipped (nats-server#4716).
// This test uses the time as shipped here.
func TestKilledWorkerIsReplacedWithin15s(t *testing.T) {
	t.Parallel()
	s := start(t, Options{AckWait: DefaultAckWait, Listen: "127.0.0.1:0"})
	q := connect(t, s.Connection())
	it := item("a")
	it.Payload = []byte("3000 a")
	w := process(t, "worker", "killed", s.URL())
	p := submit(t, q, it)[0]
	for range p.Results(t.Context()) {
		break // the worker has started
	}
	w.Process.Kill()
	killed := time.Now()
	startWorker(t, s.Connection(), Worker{ID: "second"}, func(ctx context.Context, d *Delivery) error {
		if waited := time.Since(killed); waited > 15*time.Second {
			t.Errorf("the item of a killed worker is delivered again after %v, expected at most 15 s", waited)
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	if v := verdict(t, p); v.Worker != "second" || v.Attempt != 2 {
		t.Errorf("verdict %+v, expected attempt 2 of the second worker", v)
	}
}

// Trap 4: MaxDeliver leaves items in a work-queue stream (nats-server#5564), and the
// count of deliveries can be wrong (#5346). An item that is lost by three workers is
// given up: its cell gets an error, and the item is shown.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	q := connect(t, s.Connection())
	for i := range 4 {
		startWorker(t, s.Connection(), Worker{ID: fmt.Sprint("w", i), Keeper: io.Discard}, func(ctx context.Context, d *Delivery) error {
			<-ctx.Done() // hangs, and is not kept
			return ctx.Err()
		})
	}
	p := submit(t, q, item("poison"))[0]
	v := verdict(t, p)
	if !strings.HasPrefix(v.Err, "no verdict after 3 attempts; workers that started the item and were lost: w") {
		t.Errorf("verdict %+v, expected the error of three attempts", v)
	}
	waitEmpty(t, q)
	all, err := q.Quarantined(t.Context())
	if err != nil || len(all) != 1 || all[0].Item.ID != "poison" || string(all[0].Item.Payload) != "0 poison" || len(all[0].Workers) != 3 {
		t.Errorf("Quarantined: %+v, %v; expected the item and three workers", all, err)
	}
	info, err := s.dispatcher.items.Consumer(t.Context(), consumerName(t, s))
	if err != nil || info.CachedInfo().Config.MaxDeliver != -1 {
		t.Errorf("MaxDeliver of the consumer: %+v, %v; expected no limit", info, err)
	}
}

func consumerName(t *testing.T, s *Server) string {
	t.Helper()
	for name := range s.dispatcher.items.ConsumerNames(t.Context()).Name() {
		return name
	}
	t.Fatal("no consumer")
	return ""
}

// Where there is only one worker, it gets an item at most six times.
func TestQuarantineWithOneWorker(t *testing.T) {
	s := start(t, Options{AckWait: DefaultAckWait})
	q := connect(t, s.Connection())
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(context.Context, *Delivery) error { panic("poison") })
	if v := verdict(t, submit(t, q, item("poison"))[0]); !strings.HasPrefix(v.Err, "no verdict after 6 attempts") {
		t.Errorf("verdict %+v, expected the error of six attempts", v)
	}
}

// Trap 5: MaxAckPending is 1000 as shipped, and all items above it wait.
func TestManyItemsAtOnce(t *testing.T) {
	const many = 1500
	s := start(t, Options{AckWait: DefaultAckWait})
	q := connect(t, s.Connection())
	var items []Item
	for i := range many {
		items = append(items, item(fmt.Sprint(i)))
	}
	all := make(chan struct{})
	var running atomic.Int64
	startWorker(t, s.Connection(), Worker{ID: "w", Slots: many}, func(ctx context.Context, d *Delivery) error {
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
	for _, p := range submit(t, q, items...) {
		verdict(t, p)
	}
	if got := s.Counts(); got.Redelivered != 0 {
		t.Errorf("%d items were delivered twice", got.Redelivered)
	}
}

// Trap 5 too: queues that stick are still reported (nats-server#6905, #7680), and a
// server that lost power has lost items. The comparison finds an item that is gone
// and a verdict that was not sent.
func TestSweepRepairs(t *testing.T) {
	s := start(t, Options{})
	c := s.Connection()
	c.Sweep = 100 * time.Millisecond
	q := connect(t, c)
	p := submit(t, q, item("lost"), item("judged"))
	stream, err := q.js.Stream(t.Context(), itemStream)
	if err != nil {
		t.Fatal(err)
	}
	// The stream loses both; for one of them there is a verdict that no event reports.
	if _, _, err := q.cells.settle(t.Context(), p[1].Item.Cell, 0, cell{Item: "judged", Worker: "w", Attempt: 1, body: []byte("AC")}); err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := verdict(t, p[1]); string(v.Payload) != "AC" {
		t.Errorf("the verdict that was not sent: %+v", v)
	}
	startWorker(t, s.Connection(), Worker{ID: "w"}, echo)
	if v := verdict(t, p[0]); string(v.Payload) != "verdict of 0 lost" {
		t.Errorf("the verdict of the item that was lost: %+v", v)
	}
}

// An item with a verdict that is still in the stream is removed at its delivery.
func TestJudgedItemIsRemoved(t *testing.T) {
	s := start(t, Options{})
	q := connect(t, s.Connection())
	p := submit(t, q, item("a"))[0]
	if _, _, err := q.cells.settle(t.Context(), p.Item.Cell, 0, cell{Item: "a", Worker: "w", Attempt: 1, body: []byte("AC")}); err != nil {
		t.Fatal(err)
	}
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(context.Context, *Delivery) error {
		t.Error("a judged item is run")
		return nil
	})
	if v := verdict(t, p); string(v.Payload) != "AC" {
		t.Errorf("verdict %+v", v)
	}
	waitEmpty(t, q)
}

// Trap 6 is in TestSubmitTwice, trap 7 in TestWorkersGetWhatTheyCanRun; trap 8, the
// processor of the server, is a matter of the command.

// A handler that hangs loses its item after Item.Stall; one that makes progress keeps it.
func TestStall(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	q := connect(t, s.Connection())
	slow, hung := item("slow"), item("hung")
	slow.Stall, hung.Stall = time.Second, time.Second
	handle := func(ctx context.Context, d *Delivery) error {
		for range 12 {
			if d.Item.ID == "hung" && d.Attempt == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			if d.Item.ID == "slow" {
				sleep(ctx, 250*time.Millisecond)
				d.Beat()
			}
		}
		_, err := d.Verdict(ctx, nil)
		return err
	}
	startWorker(t, s.Connection(), Worker{ID: "w1", Slots: 2}, handle)
	startWorker(t, s.Connection(), Worker{ID: "w2", Slots: 2}, handle)
	p := submit(t, q, slow, hung)
	if v := verdict(t, p[0]); v.Attempt != 1 {
		t.Errorf("an item that makes progress for 3 s is delivered again: %+v", v)
	}
	if v := verdict(t, p[1]); v.Attempt != 2 {
		t.Errorf("an item whose handler hangs: %+v, expected attempt 2", v)
	}
}

// A cancelled item is stopped in the process of a supervised worker too.
func TestCancelSupervised(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: "127.0.0.1:0"})
	q := connect(t, s.Connection())
	process(t, "supervisor", "w", s.URL())
	long := item("long")
	long.Payload = []byte("600000 long")
	p := submit(t, q, long)[0]
	for range p.Results(t.Context()) {
		break // the worker has started
	}
	if err := p.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	verdict(t, submit(t, q, item("next"))[0]) // its only slot is free again
}

var busy = flag.Duration("busy", 8*time.Second, "duration of TestBusyMachine")

// A handler that says that it makes progress loses its item after Item.Limit.
func TestLimit(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	q := connect(t, s.Connection())
	it := item("a")
	it.Limit = time.Second
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(ctx context.Context, d *Delivery) error {
		for d.Attempt == 1 && ctx.Err() == nil {
			sleep(ctx, 50*time.Millisecond)
			d.Beat()
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	if v := verdict(t, submit(t, q, it)[0]); v.Attempt != 2 {
		t.Errorf("verdict %+v, expected that of the second attempt", v)
	}
}

// A supervised worker on a machine with four busy loops per core keeps its item.
func TestBusyMachine(t *testing.T) {
	testkit.InMatrix(t)
	wait := 4 * time.Second
	if *busy >= time.Minute {
		wait = DefaultAckWait
	}
	s := start(t, Options{Listen: "127.0.0.1:0", AckWait: wait})
	q := connect(t, s.Connection())
	process(t, "supervisor", "busy", s.URL())
	it := item("a")
	it.Payload = fmt.Appendf(nil, "%d a", busy.Milliseconds())
	it.Stall = 2 * *busy
	p := submit(t, q, it)[0]
	for range p.Results(t.Context()) {
		break
	}
	for range 4 * runtime.NumCPU() {
		process(t, "burn")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3**busy)
	defer cancel()
	v, err := p.Verdict(ctx)
	if err != nil || v.Attempt != 1 || s.Counts().Redelivered != 0 {
		t.Errorf("verdict %+v, %v after %v, %+v; expected one delivery", v, err, *busy, s.Counts())
	}
}

// What waits for a slot is not delivered again, however long it waits.
func TestWaitingItemsAreKept(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	q := connect(t, s.Connection())
	p := submit(t, q, item("a"), item("b"))
	waitReady(t, s, 1)
	time.Sleep(3 * testAckWait)
	startWorker(t, s.Connection(), Worker{ID: "w"}, echo)
	for _, p := range p {
		if v := verdict(t, p); v.Attempt != 1 {
			t.Errorf("verdict %+v, expected attempt 1", v)
		}
	}
	if got := s.Counts().Redelivered; got != 0 {
		t.Errorf("%d items were delivered again", got)
	}
}

// A slot of a worker that died waits at the server; its item goes to another one.
func TestDeadSlot(t *testing.T) {
	t.Parallel()
	s := start(t, Options{AckWait: DefaultAckWait})
	q := connect(t, s.Connection())
	dead, err := s.Connection().dial(t.Context(), "dead")
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	a := pack(ask{Classes: []string{"c"}, Languages: []string{"go"}}, nil)
	if err := dead.PublishRequest(workSubject+"dead.fetch", "_INBOX_dead.gone", a); err != nil {
		t.Fatal(err)
	}
	for slots := 0; slots == 0; slots, _ = s.Load() {
		time.Sleep(time.Millisecond)
	}
	p := submit(t, q, item("a"))[0]
	for s.Counts().Given == 0 {
		time.Sleep(time.Millisecond)
	}
	began := time.Now()
	startWorker(t, s.Connection(), Worker{ID: "w"}, echo)
	if v := verdict(t, p); v.Attempt != 1 || time.Since(began) > DefaultAckWait {
		t.Errorf("verdict %+v after %v, expected attempt 1 before the item is delivered again", v, time.Since(began))
	}
}

// Results reach a submitter that was replaced under its name.
func TestSubmitterStartsAgain(t *testing.T) {
	s := start(t, Options{})
	c := s.Connection()
	c.Name = "judged"
	q := connect(t, c)
	proceed := make(chan struct{})
	halfway := make(chan struct{})
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(ctx context.Context, d *Delivery) error {
		for i := range 4 {
			if i == 2 {
				close(halfway)
				<-proceed
			}
			if err := d.Result(ctx, fmt.Append(nil, i)); err != nil {
				return err
			}
		}
		_, err := d.Verdict(ctx, nil)
		return err
	})
	submit(t, q, item("a"))
	<-halfway
	q.Close()
	p := submit(t, connect(t, c), item("a"))[0]
	close(proceed)
	var got []string
	for r := range p.Results(t.Context()) {
		got = append(got, string(r.Payload))
	}
	if !slices.Equal(got, []string{"0", "1", "2", "3"}) {
		t.Errorf("results %v, expected 0 to 3", got)
	}
}

// The streams are those that the rules are for.
func TestStreams(t *testing.T) {
	s := start(t, Options{AckWait: DefaultAckWait})
	got := s.dispatcher.items.CachedInfo().Config
	if got.Retention != jetstream.WorkQueuePolicy || got.Storage != jetstream.FileStorage {
		t.Errorf("the stream of items: %+v", got)
	}
	c, err := s.dispatcher.consumer(t.Context(), laneOf(&Item{Class: "c", Language: "go", Client: "x"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.CachedInfo().Config; got.AckWait != DefaultAckWait || got.MaxAckPending < 10_000*16 {
		t.Errorf("the consumer: AckWait %v, MaxAckPending %d; expected %v and room for 10,000 workers", got.AckWait, got.MaxAckPending, DefaultAckWait)
	}
}
