package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrClosed is the error of a Queue that is closed.
var ErrClosed = errors.New("queue: closed")

// ErrTooMuch is the error for a lease with too many results.
var ErrTooMuch = fmt.Errorf("queue: the results of a lease have more than %d MiB", maxResults>>20)

// maxResults is the largest size of the results of a lease together, in bytes: those of all
// leases share a stream.
const maxResults = 256 << 20

// maxWhy is the size in bytes of the reason for which a worker gives an item back.
const maxWhy = 200

// ErrNoLease is the error for a lease that the worker does not have, or no longer.
var ErrNoLease = errors.New("queue: the worker has no such lease")

// A Lease is an item that a worker has, as long as it says every Alive that it lives, and
// makes progress within Stall.
type Lease struct {
	ID       string
	Item     Item
	Delivery int // from 1
	Alive    time.Duration
	Stall    time.Duration
}

// A lease is what a Queue knows of a lease.
type lease struct {
	leaseRecord    // its Ack is guarded by Queue.mu: the item may come again
	id, item, from string
	number         int
	sequence       uint64 // of the item in the stream; 0 if it is not known
	bytes          int    // of results; guarded by Queue.mu

	alive    time.Time // when the worker has said so; guarded by Queue.mu
	now      *state    // a guess at the state, with its revision
	revision uint64
}

// reply returns where JetStream is told of the item of a lease.
func (q *Queue) reply(l *lease) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return l.Ack
}

// expired reports whether a lease has ended by itself, with 5 s for differences of clocks.
func (l *lease) expired(now time.Time) bool { return now.Unix() > l.Until+5 }

// Lease waits for an item for a worker. It is nil if ctx ends before there is one, or if the
// worker has to ask again.
func (q *Queue) Lease(ctx context.Context, p Poll) (*Lease, error) {
	q.seen(&p)
	q.feedAll(p.Classes)
	for {
		q.room.wait(&p)
		var e *entry
		select {
		case e = <-p.give:
		case <-ctx.Done():
			e = q.room.leave(&p)
		case <-q.run.Done():
			e = q.room.leave(&p)
		}
		if e != nil && (ctx.Err() != nil || q.run.Err() != nil) {
			q.room.add(e)
			e = nil
		}
		switch {
		case q.run.Err() != nil:
			return nil, ErrClosed
		case e == nil:
			return nil, nil
		}
		if l, err := q.begin(p.Worker, e); l != nil || err != nil {
			return l, err
		}
	}
}

// begin records the lease of a worker. It is nil if the item needs none any more.
func (q *Queue) begin(worker string, e *entry) (*Lease, error) {
	q.more(e.item.Class)
	if q.isCancelled(e.sequence) {
		return nil, nil
	}
	if time.Since(e.since) > q.AckWait/16 {
		_ = q.link().conn.Publish(e.ack, inProgress)
	}
	if q.Leased != nil {
		q.Leased(worker, &e.item)
	}
	l := &lease{item: e.item.ID, from: e.from, sequence: e.sequence,
		leaseRecord: leaseRecord{Worker: worker, Ack: e.ack, Copy: e.sequence, Until: time.Now().Add(q.Limit).Unix()},
		alive:       time.Now()}
	var err error
	l.now, l.number, l.revision, err = q.link().states.lease(q.run, e.item.ID, e.from, l.leaseRecord)
	switch {
	case err != nil:
		_ = q.link().conn.Publish(e.ack, nak)
		return nil, err
	case l.number == 0 && l.now.Done:
		q.finish(e.from, e.item.ID, e.ack, l.now)
		return nil, nil
	case l.number == 0:
		q.giveUp(e, l.now, l.revision)
		return nil, nil
	}
	l.id = e.item.ID + "." + strconv.Itoa(l.number)
	q.mu.Lock()
	if before := q.running[l.item]; before != nil {
		q.worker(before.Worker).Lost++
		q.dropLocked(before)
	}
	q.counts.Leased++
	q.leases[l.id], q.running[l.item] = l, l
	q.worker(worker).Busy++
	q.mu.Unlock()
	return &Lease{ID: l.id, Item: e.item, Delivery: l.number, Alive: q.AckWait / 3, Stall: q.Stall}, nil
}

// more lets the feed of a class bring another item.
func (q *Queue) more(class string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if f := q.feeds[class]; f != nil {
		select {
		case f.more <- struct{}{}:
		default:
		}
	}
}

// dropLocked forgets a lease, and reports whether it was known. The caller holds q.mu.
func (q *Queue) dropLocked(l *lease) bool {
	if q.leases[l.id] != l {
		return false
	}
	delete(q.leases, l.id)
	if q.running[l.item] == l {
		delete(q.running, l.item)
	}
	if w := q.worker(l.Worker); w.Busy > 0 {
		w.Busy--
	}
	return true
}

// end forgets a lease whose worker has judged the item, or failed and why, or neither. What is
// said again counts once.
func (q *Queue) end(l *lease, done bool, why string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	known := q.dropLocked(l)
	if w := q.worker(l.Worker); why != "" {
		w.Err = why
	} else if done && known {
		w.Done++
	}
}

// find returns a lease of a worker; that of another process, or of one before this one, from
// the state of its item, each time: it may have ended there meanwhile.
func (q *Queue) find(ctx context.Context, worker, id string) (*lease, error) {
	q.mu.Lock()
	l := q.leases[id]
	q.mu.Unlock()
	if l == nil || l.sequence == 0 {
		var err error
		if l, err = q.recall(ctx, worker, id); err != nil {
			return nil, err
		}
	}
	if l.Worker != worker {
		return nil, ErrNoLease
	}
	return l, nil
}

// recall returns a lease as the state of its item has it.
func (q *Queue) recall(ctx context.Context, worker, id string) (*lease, error) {
	at := max(strings.LastIndexByte(id, '.'), 0)
	number, err := strconv.Atoi(id[at:][min(1, len(id)-at):])
	if err != nil || number < 1 || at == 0 || at > MaxName {
		return nil, ErrNoLease
	}
	l := &lease{id: id, item: id[:at], number: number}
	if l.now, l.revision, err = q.link().states.get(ctx, l.item); err != nil {
		return nil, err
	}
	known := number <= len(l.now.Leases) && !l.now.Leases[number-1].Returned
	q.mu.Lock()
	defer q.mu.Unlock()
	other := q.leases[id] // of another request
	if !known {
		if other != nil {
			q.dropLocked(other)
		}
		return nil, ErrNoLease
	}
	l.leaseRecord, l.from = l.now.Leases[number-1], l.now.From
	live := l.Worker == worker && l.isLive(time.Now())
	switch {
	case live && other != nil:
		l = other
	case live:
		l.alive = time.Now()
		q.leases[id], q.running[l.item] = l, l
		q.worker(worker).Busy++
	case other != nil:
		q.dropLocked(other)
	}
	return l, nil
}

// isLive reports whether a lease, as its item's state has it, goes on.
func (l *lease) isLive(now time.Time) bool {
	return !l.now.Done && l.number == len(l.now.Leases) && l.Why == "" && !l.expired(now)
}

// ItemOf returns the item of a lease that a worker has, whichever server gave it.
func (q *Queue) ItemOf(ctx context.Context, worker, id string) (*Item, error) {
	l, err := q.find(ctx, worker, id)
	if err == nil && l.now.Done { // though JetStream may not have removed it yet
		err = ErrNoLease
	}
	if err != nil {
		return nil, err
	}
	subject := q.names.items() + "*." + token(l.from) + ".*." + token(l.item)
	m, err := q.link().items.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && l.expired(time.Now()) {
		return nil, ErrNoLease // it has a verdict, or was cancelled
	}
	var s stored
	if err == nil {
		s.Payload, err = unpack(m.Data, &s)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: item %s: %w", l.item, err)
	}
	return &s.Item, nil
}

// Alive keeps the leases of a worker. It returns those that have ended: of items that were
// cancelled, or for which the worker took too long.
func (q *Queue) Alive(ctx context.Context, worker string, leases []string) (stop []string, err error) {
	q.mu.Lock()
	q.worker(worker).Seen = time.Now()
	q.mu.Unlock()
	for _, id := range leases {
		l, one := q.find(ctx, worker, id)
		if errors.Is(one, ErrNoLease) || one == nil && (l.now.Done || l.expired(time.Now())) {
			stop = append(stop, id)
			continue
		}
		if one == nil {
			q.mu.Lock()
			l.alive = time.Now()
			q.mu.Unlock()
			one = q.link().conn.Publish(q.reply(l), inProgress)
		}
		err = cmp.Or(err, one) // the others are kept nevertheless
	}
	return stop, err
}

// Result stores a partial result of a lease. The error is [ErrNoLease] also for one that has
// ended: nothing would bound what comes for it.
func (q *Queue) Result(ctx context.Context, worker, id string, number int, payload []byte) error {
	if number < 0 || len(payload) > MaxVerdict {
		return fmt.Errorf("queue: result %d of %d bytes: expected a number from 0, and at most %d bytes", number,
			len(payload), MaxVerdict)
	}
	l, err := q.find(ctx, worker, id)
	if err != nil {
		return err
	}
	q.mu.Lock()
	l.bytes += len(payload)
	much, known := l.bytes > maxResults, q.leases[id] == l
	q.mu.Unlock()
	if !known {
		return ErrNoLease
	}
	if much {
		return ErrTooMuch
	}
	return q.send(ctx, l.from, l.item, event{Delivery: l.number, Number: number, Worker: worker}, payload)
}

// Verdict stores the verdict of a lease, after a number of partial results. It reports
// whether it counts: another worker may have been first. Sent again, it has the same answer.
func (q *Queue) Verdict(ctx context.Context, worker, id string, results int, payload []byte) (counts bool, err error) {
	l, err := q.find(ctx, worker, id)
	if err != nil {
		return false, err
	}
	if results < 0 || len(payload) > MaxVerdict {
		return false, fmt.Errorf("queue: a verdict of %d bytes after %d results: expected at most %d bytes", len(payload),
			results, MaxVerdict)
	}
	now, won, err := q.link().states.settle(ctx, l.item, l.now, l.revision,
		Verdict{Worker: worker, Delivery: l.number, Results: results, Payload: payload})
	if err != nil {
		return false, err
	}
	if won {
		q.count(&q.counts.Verdicts)
	} else {
		q.count(&q.counts.Discarded)
	}
	q.end(l, true, "")
	q.finish(l.from, l.item, q.reply(l), now)
	return won, nil
}

// Release gives an item to another worker at once. Returned reports that the worker is not
// to blame, so the item is not lost.
func (q *Queue) Release(ctx context.Context, worker, id string, returned bool, why string) error {
	l, err := q.find(ctx, worker, id)
	if err != nil {
		return err
	}
	if why = strings.ToValidUTF8(why[:min(len(why), maxWhy)], ""); why == "" {
		why = "no reason"
	}
	q.count(&q.counts.Released)
	frees, err := q.link().states.release(ctx, l.item, l.number, returned, why)
	// Not before: a sign of life would find a lease in the state that has not ended there.
	if returned {
		q.end(l, false, "")
	} else {
		q.end(l, false, why)
	}
	if err != nil || !frees { // JetStream would take it from the worker that has it now
		return err
	}
	return q.link().conn.Publish(q.reply(l), nak)
}

// Withdraw takes the items that a worker has from it; they are not lost.
func (q *Queue) Withdraw(ctx context.Context, worker string) {
	q.mu.Lock()
	var ids []string
	for id, l := range q.leases {
		if l.Worker == worker {
			ids = append(ids, id)
		}
	}
	q.mu.Unlock()
	slices.Sort(ids)
	for _, id := range ids {
		if err := q.Release(ctx, worker, id, true, "the worker was taken out"); err != nil && !errors.Is(err, ErrNoLease) {
			q.Log.Warn("an item is given to another worker later", "worker", worker, "lease", id, "error", err)
		}
	}
}

// Refuse makes the polls of a worker end, so that it asks again.
func (q *Queue) Refuse(worker string) { q.room.refuse(worker) }

// Refusals returns how often a worker was refused.
func (q *Queue) Refusals(worker string) int {
	q.room.mu.Lock()
	defer q.room.mu.Unlock()
	return q.room.refused[worker]
}

// forget drops a cancelled item, which its submitter removes from the stream.
func (q *Queue) forget(sequence uint64, item string) {
	q.room.take(func(e *entry) bool { return e.sequence == sequence })
	q.mu.Lock()
	q.cancelled[sequence] = time.Now().Add(10 * time.Minute)
	l := q.running[item]
	q.mu.Unlock()
	if l == nil || l.sequence != 0 && l.sequence != sequence {
		return
	}
	q.spawn(func() {
		if err := q.Release(q.run, l.Worker, l.id, true, "cancelled"); err != nil && !errors.Is(err, ErrNoLease) {
			q.Log.Warn("a worker is not told that its item is cancelled", "item", item, "error", err)
		}
	})
}

func (q *Queue) isCancelled(sequence uint64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, ok := q.cancelled[sequence]
	return ok
}
