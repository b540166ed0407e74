package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// A Worker is a process that runs items.
type Worker struct {
	// ID is the identity of the worker, as in Permissions.
	ID string
	// Classes and Languages are those of the items that it can run; no languages
	// means all.
	Classes, Languages []string
	// Slots is the number of items at the same time. The default is 1.
	Slots int
	// Keeper is the pipe to the process that runs Supervise and keeps the items of
	// this worker; see Supervised. If it is nil, this process does it itself; on a
	// machine that is busy with other work, its items may then be delivered twice.
	Keeper io.Writer
	// Drain ends the worker when it is closed: running items are finished, no
	// others are fetched.
	Drain <-chan struct{}
}

// A Delivery is an item that was handed to this worker.
type Delivery struct {
	Item Item
	// Attempt numbers the deliveries of the item that workers started, from 1.
	Attempt int

	w      *work
	ticket string
	cancel context.CancelCauseFunc
	free   func() // gives the slot to the next item
	stall  time.Duration
	seq    int

	mu    sync.Mutex
	beat  time.Time // when the keeper was told of progress
	ended bool
}

// Work runs items until ctx ends or w.Drain is closed. The handler must call
// Delivery.Verdict, or return an error, which gives the item to another worker. Its
// context ends with ctx, and when the item is cancelled; the item goes back to the
// queue then. While Delivery.Verdict sends, the slot begins the next item.
// Work waits until a server answers, and returns an error if it is refused.
func Work(ctx context.Context, c Connection, w Worker, handle func(context.Context, *Delivery) error) error {
	if w.ID == "" || len(w.ID) > MaxName {
		return fmt.Errorf("queue: worker: ID has %d bytes, expected 1 to %d", len(w.ID), MaxName)
	}
	k := &work{w: w, log: c.log(), handle: handle, running: make(map[string]*Delivery),
		asked: make(map[string]chan *nats.Msg), again: make(chan struct{})}
	conn, err := c.dial(ctx, w.ID, nats.ReconnectHandler(func(*nats.Conn) { k.reconnected() }))
	if err != nil {
		return err
	}
	defer conn.Close()
	k.conn = conn
	k.inbox = conn.NewInbox() + "."
	if _, err := conn.Subscribe(k.inbox+"*", k.fetched); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	k.pipe = w.Keeper
	obey, end := context.WithCancel(ctx)
	defer end()
	if s, ok := k.pipe.(*supervisor); ok {
		go k.obey(obey, s)
	}
	if k.pipe == nil {
		r, pipe := io.Pipe()
		k.pipe = pipe
		defer pipe.Close()
		go keepFrom(context.WithoutCancel(ctx), conn, w.ID, r, keepOptions{log: k.log, stop: k.stop})
	}
	fetch, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-w.Drain:
			k.leave(fetch)
			cancel()
		case <-fetch.Done():
		}
	}()
	var slots sync.WaitGroup
	for range max(w.Slots, 1) {
		// Two goroutines take turns: one sends a verdict while the other fetches and
		// runs the next item. So at most one verdict of a slot is on the way.
		turn := make(chan struct{}, 1)
		turn <- struct{}{}
		for range 2 {
			slots.Go(func() {
				for range turn {
					free := sync.OnceFunc(func() { turn <- struct{}{} })
					if fetch.Err() != nil || k.leaving.Load() {
						free()
						return
					}
					k.one(ctx, fetch, free)
					free()
				}
			})
		}
	}
	slots.Wait()
	return nil
}

// leave makes the server answer the slots that wait for items. Without that, it would give
// them items that nobody starts. The time is limited, as the server may be away.
func (k *work) leave(ctx context.Context) {
	k.leaving.Store(true)
	for end := time.Now().Add(startWait); k.fetching.Load() > 0 && time.Now().Before(end) && ctx.Err() == nil; {
		_ = k.conn.Publish(workSubject+subjectToken(k.w.ID)+".leave", pack(ask{}, nil))
		sleep(ctx, 20*time.Millisecond)
	}
}

// work is the state of Work.
type work struct {
	w      Worker
	log    *slog.Logger
	conn   *nats.Conn
	handle func(context.Context, *Delivery) error

	leaving  atomic.Bool  // no more items are fetched
	fetching atomic.Int64 // slots that wait for an item

	pipeMu sync.Mutex
	pipe   io.Writer

	inbox string // the subject of answers to fetch, before the number of the request

	mu      sync.Mutex
	running map[string]*Delivery      // by ticket
	asked   map[string]chan *nats.Msg // by subject: requests to fetch
	number  int                       // of the last one
	again   chan struct{}             // closed at the next reconnection
}

func (k *work) reconnected() {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(k.again)
	k.again = make(chan struct{})
}

// obey stops the deliveries that the supervisor names.
func (k *work) obey(ctx context.Context, s *supervisor) {
	for {
		select {
		case <-ctx.Done():
			return
		case ticket := <-s.stops:
			k.stop(ticket)
		}
	}
}

// stop ends a delivery that was cancelled or took too long.
func (k *work) stop(ticket string) {
	k.mu.Lock()
	d := k.running[ticket]
	k.mu.Unlock()
	if d != nil {
		d.cancel(ErrCancelled)
	}
}

// one fetches an item and runs it. It calls free when the run has ended, and returns when
// the verdict is stored.
func (k *work) one(ctx, fetch context.Context, free func()) {
	k.fetching.Add(1)
	item, r, ok := k.fetch(fetch)
	k.fetching.Add(-1)
	if !ok {
		return
	}
	var err error
	if r.Attempt == 0 {
		r, _, err = k.call(ctx, r.Start, ask{Ticket: r.Ticket}, nil, startWait)
	}
	if err != nil || r.Dropped || r.Attempt == 0 {
		if err != nil && fetch.Err() == nil {
			k.log.Warn("an item is not started", "item", item.ID, "error", err)
		}
		return
	}
	d := &Delivery{Item: item, Attempt: r.Attempt, w: k, ticket: r.Ticket, free: free, stall: item.Stall, beat: time.Now()}
	if d.stall <= 0 {
		d.stall = DefaultStall
	}
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.cancel = cancel
	k.mu.Lock()
	k.running[d.ticket] = d
	k.mu.Unlock()
	k.tell("keep %s %d %d\n", d.ticket, (d.stall + d.stall/beatsPerStall).Milliseconds(), (r.AckWait / 3).Milliseconds())
	err = k.guard(run, d)
	k.tell("drop %s\n", d.ticket)
	k.mu.Lock()
	delete(k.running, d.ticket)
	k.mu.Unlock()
	d.mu.Lock()
	ended := d.ended
	d.mu.Unlock()
	if ended || errors.Is(context.Cause(run), ErrCancelled) {
		return
	}
	if err == nil {
		err = errors.New("the handler returned without a verdict")
	}
	k.log.Warn("an item is given to another worker", "item", item.ID, "attempt", d.Attempt, "error", err)
	last, done := context.WithTimeout(context.WithoutCancel(ctx), startWait)
	defer done()
	if _, _, err := k.call(last, "release", ask{Ticket: d.ticket, Returned: ctx.Err() != nil, Why: clip(err.Error())}, nil,
		startWait); err != nil {
		k.log.Warn("an item is given to another worker later", "item", item.ID, "error", err)
	}
}

// guard calls the handler. A panic of the handler is its error, so that it ends one
// item and not the worker.
func (k *work) guard(ctx context.Context, d *Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return k.handle(ctx, d)
}

// fetch waits for an item. It is started already if there was one at once.
func (k *work) fetch(ctx context.Context) (Item, reply, bool) {
	answer := make(chan *nats.Msg, 1)
	k.mu.Lock()
	again := k.again
	k.number++
	subject := k.inbox + strconv.Itoa(k.number)
	k.asked[subject] = answer
	k.mu.Unlock()
	late := time.NewTimer(slotWait + time.Second)
	defer late.Stop()
	err := k.conn.PublishRequest(workSubject+subjectToken(k.w.ID)+".fetch", subject,
		pack(ask{Classes: k.w.Classes, Languages: k.w.Languages, Begins: true}, nil))
	var m *nats.Msg
	if err == nil {
		select {
		case m = <-answer:
		case <-late.C:
		case <-again: // the server may no longer know the request
		case <-ctx.Done():
		}
	}
	if m == nil {
		k.mu.Lock()
		delete(k.asked, subject)
		k.mu.Unlock()
		select {
		case m = <-answer: // at the last moment
		default:
		}
	}
	if m != nil {
		if item, r, err := given(m); err == nil {
			return item, r, r.Item != nil
		}
	}
	sleep(ctx, 200*time.Millisecond) // there is no server
	return Item{}, reply{}, false
}

// given reads an answer to fetch, which has an item or none.
func given(m *nats.Msg) (Item, reply, error) {
	var r reply
	body, err := unpack(m.Data, &r)
	if err != nil || r.Item == nil {
		return Item{}, r, err
	}
	r.Item.Payload = body
	return *r.Item, r, nil
}

// fetched receives the answers to fetch. An item that comes when fetch no longer waits
// goes to another worker.
func (k *work) fetched(m *nats.Msg) {
	k.mu.Lock()
	answer := k.asked[m.Subject]
	delete(k.asked, m.Subject)
	if answer != nil {
		answer <- m
	}
	k.mu.Unlock()
	if answer != nil {
		return
	}
	if item, r, err := given(m); err == nil && r.Attempt > 0 {
		k.log.Warn("an item comes too late and is given to another worker", "item", item.ID)
		_ = k.conn.Publish(workSubject+subjectToken(k.w.ID)+".release",
			pack(ask{Ticket: r.Ticket, Returned: true, Why: "the item came too late"}, nil))
	}
}

// request sends one request and waits for the answer.
func (k *work) request(ctx context.Context, verb string, a ask, body []byte,
	wait time.Duration) (reply, []byte, error) {
	return request(ctx, k.conn, k.w.ID, verb, a, body, wait)
}

func request(ctx context.Context, conn *nats.Conn, worker, verb string, a ask, body []byte,
	wait time.Duration) (reply, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var r reply
	m, err := conn.RequestWithContext(ctx, workSubject+subjectToken(worker)+"."+verb, pack(a, body))
	if err != nil {
		return r, nil, fmt.Errorf("queue: %s: %w", verb, err)
	}
	data, err := unpack(m.Data, &r)
	return r, data, err
}

// call sends a request again until it is answered or refused, or ctx ends. All
// requests may be repeated: the first one counts.
func (k *work) call(ctx context.Context, verb string, a ask, body []byte, wait time.Duration) (reply, []byte, error) {
	for {
		r, data, err := k.request(ctx, verb, a, body, wait)
		if err == nil && r.Err != "" {
			return r, nil, errors.New(r.Err)
		}
		if err == nil || ctx.Err() != nil {
			return r, data, err
		}
		if len(verb) > 6 && verb[:6] == "start." {
			return r, nil, err // the dispatcher is gone, or gave the item to another worker
		}
		sleep(ctx, 200*time.Millisecond)
	}
}

// tell writes a line to the keeper.
func (k *work) tell(format string, args ...any) {
	k.pipeMu.Lock()
	defer k.pipeMu.Unlock()
	if _, err := fmt.Fprintf(k.pipe, format, args...); err != nil {
		k.log.Error("the process that keeps items alive is gone", "error", err)
	}
}

// beatsPerStall is how often the keeper is told of progress within Item.Stall. Most items
// end before the first time.
const beatsPerStall = 16

// Beat reports progress.
func (d *Delivery) Beat() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); now.Sub(d.beat) >= d.stall/beatsPerStall {
		d.beat = now
		d.w.tell("beat %s\n", d.ticket)
	}
}

// Result sends a partial result, at most MaxVerdict bytes, and waits until it is
// stored. It reports progress too. Calls must not overlap.
func (d *Delivery) Result(ctx context.Context, payload []byte) error {
	if len(payload) > MaxVerdict {
		return fmt.Errorf("queue: item %s: a result has %d bytes, expected at most %d", d.Item.ID, len(payload), MaxVerdict)
	}
	d.Beat()
	if _, _, err := d.w.call(ctx, "result", ask{Ticket: d.ticket, Seq: d.seq}, payload, 5*time.Second); err != nil {
		return err
	}
	d.seq++
	return nil
}

// Verdict stores the verdict, at most MaxVerdict bytes, and reports whether it
// counts: another worker may have been first. It waits while the server is away; the
// worker begins its next item meanwhile.
func (d *Delivery) Verdict(ctx context.Context, payload []byte) (won bool, err error) {
	if len(payload) > MaxVerdict {
		return false, fmt.Errorf("queue: item %s: the verdict has %d bytes, expected at most %d", d.Item.ID, len(payload),
			MaxVerdict)
	}
	d.Beat()
	d.free()
	r, _, err := d.w.call(ctx, "verdict", ask{Ticket: d.ticket, Results: d.seq}, payload, 5*time.Second)
	if err != nil {
		return false, err
	}
	d.mu.Lock()
	d.ended = true
	d.mu.Unlock()
	return r.Won, nil
}
