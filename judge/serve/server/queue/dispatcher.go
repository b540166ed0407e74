package queue

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// A worker that does not start an item within startWait does not get it.
	startWait = 3 * time.Second
	// A slot that gets no item within slotWait asks again.
	slotWait = 10 * time.Second
	// mostPulled is the most items of a lane that are pulled at once.
	mostPulled = 64
	// Items of a lane are pulled ahead of the demand as far as workers take them within
	// aheadTime, at most mostAhead.
	mostAhead = 16
	aheadTime = 250 * time.Millisecond
	// mostRequests is the most requests of workers that are served at the same time.
	mostRequests = 256
	// A lane without items for idleLane is no longer pulled from; its consumer ends
	// after consumerIdle.
	idleLane     = 10 * time.Minute
	consumerIdle = time.Hour
	pullWait     = 30 * time.Second
)

// A dispatcher gives the items of the stream to workers, and keeps what they answer.
// Several of them may serve the same stream: all that must outlive one is in
// JetStream or in the tickets.
type dispatcher struct {
	id          string
	conn        *nats.Conn
	js          jetstream.JetStream
	items       jetstream.Stream
	cells       cells
	quarantined jetstream.KeyValue
	secret      []byte
	ackWait     time.Duration
	permits     func(worker string) (classes, languages []string, slots int) // tokens; nil means all
	log         *slog.Logger
	board       *board
	handed      func(worker string, it *Item, payload []byte) // see Options.Handed
	presence    presence
	assigned    assignments
	requests    chan func()   // requests of workers, for goroutines that serve no other
	servers     chan struct{} // holds a value for each of these goroutines

	mu        sync.Mutex
	given     map[string]*handed   // by acknowledgement subject: given out, not yet started
	held      map[uint64]*parcel   // by sequence: on the board or given out
	cancelled map[uint64]time.Time // items by sequence, until when they are remembered
	stats     Counts

	run    context.Context // ends with close
	cancel context.CancelFunc
	closed bool // under mu: wait gets no more
	wait   sync.WaitGroup
}

// handed is a parcel that a worker has and has not started.
type handed struct {
	parcel *parcel
	worker string
	timer  *time.Timer
}

// dispatch creates the streams if they do not exist, and starts a dispatcher.
func dispatch(ctx context.Context, conn *nats.Conn, o Options,
	permits func(string) (classes, languages []string, slots int)) (*dispatcher, error) {
	js, err := newJetStream(conn)
	if err != nil {
		return nil, err
	}
	d := &dispatcher{
		id: rand.Text(), conn: conn, js: js, ackWait: o.AckWait, permits: permits, handed: o.Handed, log: o.Log,
		board:    newBoard(),
		requests: make(chan func()), servers: make(chan struct{}, mostRequests), given: make(map[string]*handed),
		held: make(map[uint64]*parcel), cancelled: make(map[uint64]time.Time),
	}
	d.assigned.first = o.Assigned
	d.board.others = d.presence.others
	if err := d.prepare(ctx, o); err != nil {
		return nil, err
	}
	d.run, d.cancel = context.WithCancel(context.Background())
	d.spawn(d.keep)
	err = d.listen()
	if err == nil {
		err = d.resume(ctx)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// spawn runs f unless the dispatcher is closed; close waits for it.
func (d *dispatcher) spawn(f func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.wait.Go(f)
	}
	return !d.closed
}

// close gives back what no worker has started, for another dispatcher or for the
// next start.
func (d *dispatcher) close() {
	d.cancel()
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.wait.Wait()
	d.board.refuse(func(*slot) bool { return true })
	waiting := d.board.all(true)
	d.mu.Lock()
	for _, h := range d.given {
		h.timer.Stop()
		waiting = append(waiting, h.parcel)
	}
	clear(d.given)
	d.mu.Unlock()
	for _, p := range waiting {
		_ = d.conn.Publish(p.msg.Reply(), nak)
	}
	_ = d.conn.FlushTimeout(time.Second)
}

// listen subscribes to what submitters and workers send.
func (d *dispatcher) listen() error {
	for _, s := range []struct {
		subject, group string
		handle         nats.MsgHandler
	}{
		{laneSubject + ">", "", func(m *nats.Msg) {
			if l, ok := parseLane(strings.TrimPrefix(m.Subject, laneSubject)); ok {
				d.open(l)
			}
		}},
		{cancelSubject, "", func(m *nats.Msg) {
			if sequence, err := strconv.ParseUint(string(m.Data), 10, 64); err == nil {
				d.forget(sequence)
			}
		}},
		{workSubject + "*.fetch", "dispatch", d.fetch},
		{workSubject + "*.leave", "", func(m *nats.Msg) { d.board.refuseWorker(workerOf(m.Subject)) }},
		{workSubject + "*.start." + d.id, "", d.served(d.start)},
		{workSubject + "*.alive", "dispatch", func(m *nats.Msg) { d.handle(m, d.alive) }},
		{workSubject + "*.result", "dispatch", d.served(d.result)},
		{workSubject + "*.verdict", "dispatch", d.served(d.verdict)},
		{workSubject + "*.release", "dispatch", d.served(d.release)},
	} {
		if _, err := d.conn.QueueSubscribe(s.subject, s.group, s.handle); err != nil {
			return fmt.Errorf("queue: %s: %w", s.subject, err)
		}
	}
	return d.conn.Flush()
}

// resume opens the lanes that have items. A lane's consumer ends when it is not used
// for long, so the stream itself is read.
func (d *dispatcher) resume(ctx context.Context) error {
	info, err := d.items.Info(ctx, jetstream.WithSubjectFilter(itemSubject+">"))
	if err != nil {
		return fmt.Errorf("queue: %s: %w", itemStream, err)
	}
	for subject := range info.State.Subjects {
		if l, ok := parseLane(strings.TrimPrefix(subject, itemSubject)); ok {
			d.open(l)
		}
	}
	return nil
}

// keep tells JetStream that the items that wait here are not lost.
func (d *dispatcher) keep() {
	tick := time.NewTicker(d.ackWait / 3)
	defer tick.Stop()
	look := time.NewTicker(idleLane)
	defer look.Stop()
	for {
		select {
		case <-d.run.Done():
			return
		case <-look.C:
			// A lane whose submitter is gone and that was not announced is found here.
			if err := d.resume(d.run); err != nil {
				d.log.Warn("the lanes cannot be listed", "error", err)
			}
		case now := <-tick.C:
			waiting := d.board.all(false)
			d.mu.Lock()
			for _, h := range d.given {
				waiting = append(waiting, h.parcel)
			}
			for id, until := range d.cancelled {
				if now.After(until) {
					delete(d.cancelled, id)
				}
			}
			d.mu.Unlock()
			for _, p := range waiting {
				_ = d.conn.Publish(p.msg.Reply(), inProgress)
			}
		}
	}
}

var (
	inProgress = []byte("+WPI")
	ack        = []byte("+ACK")
	nak        = []byte("-NAK")
)

// open starts to pull from a lane, unless it is done already.
func (d *dispatcher) open(l lane) {
	if h, fresh := d.board.open(l); fresh {
		d.spawn(func() { d.pull(d.run, h) })
	}
}

// pull brings items of a lane to the board, one ahead of the demand. If workers take the
// items faster than that, up to mostAhead: a pull costs more than an item.
func (d *dispatcher) pull(ctx context.Context, h *heads) {
	var consumer jetstream.Consumer
	last, ahead := time.Now(), 1
	for ctx.Err() == nil {
		n := d.board.demand(h, ahead, mostPulled)
		if n == 0 {
			select {
			case <-ctx.Done():
			case <-h.empty:
			}
			if ahead = min(2*ahead, mostAhead); time.Since(last) > aheadTime {
				ahead = 1
			}
			continue
		}
		if time.Since(last) > idleLane && d.board.close(h) {
			return
		}
		got, err := 0, error(nil)
		if consumer == nil {
			consumer, err = d.consumer(ctx, h.lane)
		}
		if err == nil {
			got, err = d.fetchLane(ctx, consumer, n)
		}
		if got > 0 {
			last = time.Now()
		}
		if err != nil && ctx.Err() == nil {
			d.log.Warn("items cannot be fetched", "lane", h.lane.suffix(), "error", err)
			consumer = nil
			sleep(ctx, 200*time.Millisecond)
		}
	}
}

func sleep(ctx context.Context, t time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(t):
	}
}

// fetchLane waits for up to n items and puts them on the board.
func (d *dispatcher) fetchLane(ctx context.Context, c jetstream.Consumer, n int) (int, error) {
	wait, cancel := context.WithTimeout(ctx, pullWait)
	defer cancel()
	batch, err := c.Fetch(n, jetstream.FetchContext(wait), jetstream.FetchHeartbeat(5*time.Second))
	if err != nil {
		return 0, err
	}
	got := 0
	for msg := range batch.Messages() {
		got++
		d.arrive(ctx, msg)
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, nats.ErrTimeout) {
		return got, err
	}
	return got, nil
}

// arrive puts an item on the board. One that was delivered before is looked up
// first: it may have a verdict, or have been lost too often.
func (d *dispatcher) arrive(ctx context.Context, msg jetstream.Msg) {
	p := &parcel{msg: msg, came: time.Now()}
	meta, err := msg.Metadata()
	if err != nil {
		d.log.Error("a message does not come from the stream", "subject", msg.Subject(), "error", err)
		return
	}
	p.sequence = meta.Sequence.Stream
	if p.data, err = unpack(msg.Data(), &p.item); err != nil {
		d.log.Error("a message in the stream is no item and is removed", "subject", msg.Subject(), "error", err)
		_ = msg.Term()
		return
	}
	p.lane = laneOf(&p.item.Item)
	p.tried = slices.Clone(p.item.Avoid)
	d.mu.Lock()
	twice := d.held[p.sequence] != nil
	d.mu.Unlock()
	if twice {
		return // it waits here for a slot, and its keeping alive was late
	}
	if meta.NumDelivered > 1 {
		d.count(&d.stats.Redelivered)
		if done, err := d.judged(ctx, p); err != nil {
			d.log.Warn("an item is delivered later", "item", p.item.ID, "error", err)
			return // it comes again after AckWait
		} else if done {
			d.presence.dropped(p.sequence)
			return
		}
	}
	d.mu.Lock()
	d.held[p.sequence] = p
	d.mu.Unlock()
	d.put(p)
}

// put puts an item on the board, with its lane open.
func (d *dispatcher) put(p *parcel) {
	p.since = time.Now()
	for d.run.Err() == nil && !d.board.add(p) {
		d.open(p.lane)
	}
}

// judged finishes an item that needs no further attempt and reports that; else it
// notes which workers lost the item.
func (d *dispatcher) judged(ctx context.Context, p *parcel) (bool, error) {
	c, _, err := d.cells.get(ctx, p.item.Cell)
	if err != nil {
		return false, err
	}
	if c.Done {
		d.finish(ctx, p.item.From, p.item.ID, c, p.msg.Reply())
		return true, nil
	}
	if reason := c.exhausted(p.item.ID); reason != "" {
		return true, d.quarantine(ctx, p, c, reason)
	}
	_, tried := c.tried(p.item.ID)
	p.tried = append(p.tried, tried...)
	return false, nil
}

// finish sends the verdict of a cell to the submitter and removes the item. An item
// is removed only here, after its verdict is stored.
func (d *dispatcher) finish(ctx context.Context, from, item string, c *cell, reply string) {
	head := event{Verdict: true, Attempt: c.Attempt, Worker: c.Worker, Err: c.Err, Results: c.Results}
	if err := d.send(ctx, from, item, head, c.body); err != nil {
		d.log.Warn("a verdict is stored but not sent; the submitter will look it up", "item", item, "error", err)
	}
	if err := d.conn.Publish(reply, ack); err != nil {
		d.log.Warn("a judged item stays in the stream until its next delivery", "item", item, "error", err)
	}
}

// send stores an event for the submitter.
func (d *dispatcher) send(ctx context.Context, from, item string, head event, body []byte) error {
	_, err := d.js.Publish(ctx, resultSubject+subjectToken(from)+"."+subjectToken(item), pack(head, body))
	return err
}

// forget drops a cancelled item, which the submitter removes from the stream.
func (d *dispatcher) forget(sequence uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cancelled[sequence] = time.Now().Add(idleLane)
	d.presence.dropped(sequence)
}

func (d *dispatcher) isCancelled(sequence uint64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.cancelled[sequence]
	return ok
}

// Counts are numbers since the dispatcher started.
type Counts struct {
	Given       int64 `json:"given"`       // items handed to workers
	Started     int64 `json:"started"`     // attempts that began
	Redelivered int64 `json:"redelivered"` // deliveries after the first
	Released    int64 `json:"released"`    // items that workers gave back
	Verdicts    int64 `json:"verdicts"`    // verdicts that were stored
	Discarded   int64 `json:"discarded"`   // verdicts that came second
	Quarantined int64 `json:"quarantined"` // items given up
}

func (d *dispatcher) count(n *int64) {
	d.mu.Lock()
	*n++
	d.mu.Unlock()
}
