package queue

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// ahead is the number of items of a class that wait in a process, so that the choice is
	// made among all clients at the moment at which a worker is free. Servers of a cluster
	// have a share of it each.
	ahead = 1024
	// mostUnacknowledged is the number of items of a class that processes and workers can
	// have at the same time. JetStream's default is 1,000, and all workers above it would
	// wait.
	mostUnacknowledged = 1_000_000
	// The items of a class for which no worker has asked for idleFeed are left in the
	// stream; its consumer ends after idleConsumer.
	idleFeed     = time.Minute
	idleConsumer = time.Hour
	pullWait     = 30 * time.Second
)

var (
	inProgress = []byte("+WPI")
	ack        = []byte("+ACK")
	nak        = []byte("-NAK")
	term       = []byte("+TERM")
)

// nakLater gives an item back for about half a second. JetStream brings items to processes in
// turn: two that came back together each time would go to the wrong ones for ever.
func nakLater() []byte {
	return fmt.Appendf(nil, `-NAK {"delay":%d}`, 250*time.Millisecond+rand.N(500*time.Millisecond))
}

// A stored is the header of an item in the stream.
type stored struct {
	Item
	From string `json:"from"` // the submitter
}

// A feed brings the items of a class from the stream to the room. There is one consumer for
// a class: their number does not depend on that of the clients.
type feed struct {
	class string
	asked time.Time // by a worker; guarded by Queue.mu
	more  chan struct{}
}

// feedAll brings items of some classes to the room.
func (q *Queue) feedAll(classes []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, class := range classes {
		f := q.feeds[class]
		if f == nil && !q.closed {
			f = &feed{class: class, more: make(chan struct{}, 1)}
			q.feeds[class] = f
			q.tasks.Go(func() { q.pull(f) })
		}
		if f != nil {
			f.asked = time.Now()
		}
	}
}

// ends removes a feed that is no longer needed.
func (q *Queue) ends(f *feed) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.run.Err() == nil && time.Since(f.asked) < idleFeed {
		return false
	}
	delete(q.feeds, f.class)
	return true
}

// pull brings items until the feed is no longer needed.
func (q *Queue) pull(f *feed) {
	var consumer jetstream.Consumer
	var of *link
	for !q.ends(f) {
		if now := q.link(); now != of {
			of, consumer = now, nil
		}
		polls, waiting := q.room.counts(f.class)
		most := q.share()
		n := most + polls - waiting
		if waiting > 0 && n < max(1, most/4) {
			select {
			case <-q.run.Done():
			case <-f.more:
			case <-time.After(time.Second):
			}
			continue
		}
		var err error
		if consumer == nil {
			consumer, err = q.consumer(f.class)
		}
		if err == nil {
			err = q.fetch(consumer, n)
		}
		if err != nil && q.run.Err() == nil {
			q.Log.Warn("items cannot be fetched", "class", f.class, "error", err)
			consumer = nil
			sleep(q.run, 200*time.Millisecond)
		}
	}
	for _, e := range q.room.take(func(e *entry) bool { return e.item.Class == f.class }) {
		_ = q.link().conn.Publish(e.ack, nak)
	}
}

// share returns how many items of a class may wait here: as large a share of all as that of the
// slots. Without any, an item that comes is given back; see giveBack.
func (q *Queue) share() int {
	own, all := q.ownLoad(), q.load()
	slots, total := own.Polls+own.Running, all.Polls+all.Running
	if slots == total {
		return ahead
	}
	return max(1, ahead*slots/total)
}

// giveBack returns items that wait here to JetStream while workers wait at other servers: some
// for each, since JetStream gives half of them to this server again, and the next turn is later.
func (q *Queue) giveBack() {
	const each = 16
	most := each * (q.load().Polls - q.ownLoad().Polls)
	if most <= 0 {
		return
	}
	var polls []*Poll
	q.mu.Lock()
	for _, p := range q.peers {
		for _, s := range p.workers {
			if time.Since(s.Seen) < 2*PollTime {
				polls = append(polls, s.poll)
			}
		}
	}
	q.mu.Unlock()
	gets := make(map[[3]string]bool) // whether one of them gets an item of a class and language
	for _, e := range q.room.take(func(e *entry) bool {
		if most == 0 || time.Since(e.since) < lookEach {
			return false
		}
		kind := [3]string{e.item.Class, e.item.Language, e.item.Worker}
		ok, known := gets[kind]
		if !known {
			ok = slices.ContainsFunc(polls, func(p *Poll) bool { return p.gets(&e.item) })
			gets[kind] = ok
		}
		if ok {
			most--
		}
		return ok
	}) {
		_ = q.link().conn.Publish(e.ack, nak)
	}
}

// consumer returns the consumer of a class. MaxDeliver is unlimited: an item that reaches it
// would stay in the stream for ever (nats-server#5564).
func (q *Queue) consumer(class string) (jetstream.Consumer, error) {
	sum := sha256.Sum256([]byte(class))
	items, names := q.link().items, 1
	if q.link().nats != nil {
		names = 10 // one whose files the disk has changed can never be used again
	}
	for again := false; ; again = true {
		var err error
		for n := range names {
			var c jetstream.Consumer
			c, err = items.CreateOrUpdateConsumer(q.run, jetstream.ConsumerConfig{
				Durable:       fmt.Sprintf("class-%x-%d", sum[:12], n),
				FilterSubject: q.names.items() + token(class) + ".>",
				AckPolicy:     jetstream.AckExplicitPolicy, AckWait: q.AckWait, MaxDeliver: -1,
				MaxAckPending: mostUnacknowledged, InactiveThreshold: idleConsumer,
			})
			if err == nil || IsAway(err) || IsFull(err) || q.run.Err() != nil {
				return c, err
			}
		}
		if l := q.link(); names == 1 || again || l.forgot.Swap(true) {
			return nil, err
		}
		// The configuration of one has changed: what consumers have had is in the states, too.
		q.Log.Warn("the consumers of the items are made anew", "error", err)
		for name := range items.ConsumerNames(q.run).Name() {
			_ = items.DeleteConsumer(q.run, name)
		}
	}
}

// fetch brings up to n items to the room, as they come.
func (q *Queue) fetch(c jetstream.Consumer, n int) error {
	wait, cancel := context.WithTimeout(q.run, pullWait)
	defer cancel()
	defer context.AfterFunc(q.link().log.broken, cancel)()
	batch, err := c.Fetch(n, jetstream.FetchContext(wait), jetstream.FetchHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	for msg := range batch.Messages() {
		q.arrive(msg)
	}
	err = batch.Error()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, nats.ErrTimeout) {
		return nil
	}
	return err
}

// arrive puts an item into the room. One that was delivered before is looked up first: it
// may have a verdict, or have been lost too often.
func (q *Queue) arrive(msg jetstream.Msg) {
	var s stored
	payload, err := unpack(msg.Data(), &s)
	if err != nil {
		q.Log.Error("a message in the stream is no item and is removed", "subject", msg.Subject(), "error", err)
		_ = q.link().conn.Publish(msg.Reply(), term)
		return
	}
	e := &entry{item: s.Item, from: s.From, ack: msg.Reply(), tried: append([]string(nil), s.Avoid...)}
	e.item.Payload = payload
	if q.room.renew(e.item.ID, e.ack) {
		return // its sign of life was late
	}
	if s.Worker != "" && !q.polls(s.Worker) {
		_ = q.link().conn.Publish(e.ack, nakLater()) // it may ask another process
		return
	}
	meta, err := msg.Metadata()
	if err != nil {
		q.Log.Error("a message does not come from the stream", "subject", msg.Subject(), "error", err)
		return
	}
	e.sequence = meta.Sequence.Stream
	// Consumers that were made anew bring the items of workers again.
	if meta.NumDelivered == 1 && q.keeps(e, 0, q.Limit) {
		return
	}
	if meta.NumDelivered > 1 || q.link().forgot.Load() {
		q.count(&q.counts.Redelivered)
		now, revision, err := q.link().states.get(q.run, e.item.ID)
		switch {
		case err != nil:
			q.Log.Warn("an item is delivered later", "item", e.item.ID, "error", err)
			return // it comes again after AckWait
		case now.Done:
			q.finish(e.from, e.item.ID, e.ack, now)
			return
		case now.isHeld() && q.keeps(e, len(now.Leases), q.AckWait/2): // the consumer has another leader, for example
			return
		case now.exhausted(e.sequence) != "":
			q.giveUp(e, now, revision)
			return
		}
		e.tried = append(e.tried, now.tried()...)
	}
	q.room.add(e)
}

// keeps reports whether a worker has an item, by the lease of a number unless that is 0, and has
// said so within a time. It notes the delivery with which the item is kept.
func (q *Queue) keeps(e *entry, number int, within time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.running[e.item.ID]
	if l == nil || l.Copy != e.sequence || number > 0 && l.number != number || l.expired(time.Now()) ||
		time.Since(l.alive) > within {
		return false
	}
	l.Ack = e.ack
	return true
}

// giveUp ends an item that several workers have lost.
func (q *Queue) giveUp(e *entry, now *state, revision uint64) {
	reason := now.exhausted(e.sequence)
	now, won, err := q.link().states.settle(q.run, e.item.ID, now, revision,
		Verdict{Delivery: len(now.Leases), Err: reason})
	if err != nil {
		q.Log.Warn("an item is delivered later", "item", e.item.ID, "error", err)
		return // it comes again after AckWait
	}
	if won {
		q.Log.Error("an item is given up", "item", e.item.ID, "reason", reason)
		q.count(&q.counts.GivenUp)
	}
	q.finish(e.from, e.item.ID, e.ack, now)
}

// finish sends the verdict of an item to the submitter and removes the item. An item is
// removed only here, after its verdict is stored.
func (q *Queue) finish(from, item, reply string, now *state) {
	head := event{Verdict: true, Delivery: now.Delivery, Worker: now.Worker, Err: now.Err, Results: now.Results}
	if err := q.send(q.run, from, item, head, now.body); err != nil {
		q.Log.Warn("a verdict is stored but not sent; the submitter will look it up", "item", item, "error", err)
		if IsFull(err) {
			return // the item comes again after AckWait
		}
	}
	if err := q.link().conn.Publish(reply, ack); err != nil {
		q.Log.Warn("a judged item stays in the stream until its next delivery", "item", item, "error", err)
	}
}

// keep tells JetStream that the items that wait here are not lost, and looks again at those
// that avoid workers.
func (q *Queue) keep() {
	tick := time.NewTicker(q.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-q.run.Done():
			return
		case now := <-tick.C:
			for _, e := range q.room.all() {
				_ = q.link().conn.Publish(e.ack, inProgress)
			}
			q.room.again()
			q.mu.Lock()
			for id, until := range q.cancelled {
				if now.After(until) {
					delete(q.cancelled, id)
				}
			}
			for _, l := range q.leases {
				if l.expired(now) {
					q.dropLocked(l)
				}
			}
			q.mu.Unlock()
		}
	}
}
