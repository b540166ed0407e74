package queue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An event is a message for a submitter.
type event struct {
	Verdict  bool   `json:"verdict,omitempty"`
	Delivery int    `json:"delivery"`
	Number   int    `json:"number,omitempty"`
	Worker   string `json:"worker,omitempty"`
	Err      string `json:"err,omitempty"`
	Results  int    `json:"results,omitempty"`
}

// send stores an event for the submitter.
func (q *Queue) send(ctx context.Context, from, item string, head event, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := q.link().js.Publish(ctx, q.names.results()+token(from)+"."+token(item), pack(head, body))
	return err
}

// event gives a message to the item that it is about.
func (q *Queue) event(subject string, data []byte) {
	id := lastToken(subject)
	q.mu.Lock()
	p := q.open[id]
	q.mu.Unlock()
	var e event
	body, err := unpack(data, &e)
	if p != nil && err == nil && p.event(e, body) {
		q.remove(p)
	}
}

// remove ends the place of an item among those of its client.
func (q *Queue) remove(p *Pending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[p.Item.ID] == p {
		delete(q.open, p.Item.ID)
		q.gate.Leave(p.Item.Client)
	}
}

func (q *Queue) pending() []*Pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Values(q.open))
}

// leastInside is the number of items of a client in the stream if few workers wait.
const leastInside = 32

// Submit adds an item. It returns when JetStream has stored it, however long that takes;
// first it waits while many items of the client are in the stream. An item that is in the
// queue already is not added again, and one that has a verdict gets that verdict. After an
// error, the item may be in the queue or not; to submit it again is harmless.
func (q *Queue) Submit(ctx context.Context, it Item) (*Pending, error) {
	if err := it.check(); err != nil {
		return nil, err
	}
	l := q.load()
	if err := q.gate.Enter(ctx, it.Client, max(leastInside, 4*(l.Polls+l.Running)), it.Priority); err != nil {
		return nil, err
	}
	q.mu.Lock()
	p := q.open[it.ID]
	if p != nil {
		q.mu.Unlock()
		q.gate.Leave(it.Client)
		return p, nil
	}
	p = newPending(q, it)
	q.open[it.ID] = p
	q.mu.Unlock()
	if err := q.persist(ctx, p); err != nil {
		q.remove(p)
		return nil, fmt.Errorf("queue: item %s: %w", it.ID, err)
	}
	q.Log.Info("an item is submitted", "item", it.ID, "kept", it.Kept)
	return p, nil
}

// persist publishes an item, and again while JetStream is away, or has no room.
func (q *Queue) persist(ctx context.Context, p *Pending) error {
	return q.insist(ctx, "item "+p.Item.ID, func(ctx context.Context) error { return q.publish(ctx, p) })
}

// insist writes something, and again while JetStream is away, or has no room. On a full disk, a
// write has no answer.
func (q *Queue) insist(ctx context.Context, what string, write func(context.Context) error) error {
	const first, most = 200 * time.Millisecond, 2 * time.Second
	for wait := first; ; wait = min(2*wait, most) {
		broken := q.link().log.broken
		one, cancel := context.WithTimeout(ctx, answerTime)
		stop := context.AfterFunc(broken, cancel)
		err := write(one)
		stop()
		cancel()
		later := broken.Err() != nil || isServers(err) || IsFull(err)
		if err == nil || !later || ctx.Err() != nil || q.run.Err() != nil {
			if err != nil && q.run.Err() != nil {
				err = fmt.Errorf("%w: %w", ErrClosed, err)
			}
			return err
		}
		if wait == first {
			q.Log.Warn("JetStream takes nothing; it is sent again", "what", what, "error", err)
		}
		sleep(ctx, wait)
	}
}

// IsAway reports whether an error is that of a JetStream that has no leader, is slow, or is
// about to start again.
func IsAway(err error) bool {
	var api *jetstream.APIError
	return slices.ContainsFunc(away, func(one error) bool { return errors.Is(err, one) }) ||
		errors.As(err, &api) && api.Code == http.StatusServiceUnavailable
}

var away = []error{context.DeadlineExceeded, jetstream.ErrNoStreamResponse, nats.ErrNoResponders, nats.ErrTimeout,
	nats.ErrConnectionClosed, nats.ErrConnectionReconnecting, nats.ErrDisconnected, nats.ErrStaleConnection,
	nats.ErrReconnectBufExceeded}

// isServers reports whether an error is not that of a request: it can succeed later, when a
// stream has changed its leader, or was repaired.
func isServers(err error) bool {
	var api *jetstream.APIError
	return IsAway(err) || errors.As(err, &api) && api.Code >= http.StatusInternalServerError
}

// publish writes an item to the stream, unless it was kept from an earlier process. It has a
// subject of its own, and the stream refuses a second message of a subject, however late it
// comes.
func (q *Queue) publish(ctx context.Context, p *Pending) error {
	if p.Item.Kept {
		if done, err := q.lookUp(ctx, p); done || err != nil {
			return err
		}
	}
	m := &nats.Msg{Subject: q.subjectOf(&p.Item), Data: pack(stored{Item: p.Item, From: q.Name}, p.Item.Payload)}
	_, err := q.link().js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0),
		jetstream.WithExpectStream(q.names.stream(itemStream)))
	if isTaken(err) {
		return q.replay(ctx, p)
	}
	return err
}

// isTaken reports whether an error is that of a subject that has a message.
func isTaken(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// lookUp ends an item that has a verdict, and reports whether it has.
func (q *Queue) lookUp(ctx context.Context, p *Pending) (done bool, err error) {
	now, _, err := q.link().states.get(ctx, p.Item.ID)
	if err != nil || !now.Done {
		return false, err
	}
	if err := q.replay(ctx, p); err != nil {
		return false, err
	}
	v := now.verdict()
	p.event(event{Verdict: true, Delivery: v.Delivery, Worker: v.Worker, Err: v.Err, Results: v.Results}, v.Payload)
	q.remove(p)
	return true, nil
}

// replay reads the events so far of an item that was in the queue already.
func (q *Queue) replay(ctx context.Context, p *Pending) error {
	subject := q.names.results() + token(q.Name) + "." + token(p.Item.ID)
	for seq := uint64(1); ; {
		m, err := q.link().results.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", q.names.stream(resultStream), err)
		}
		q.event(subject, m.Data)
		seq = m.Sequence + 1
	}
}

// cancelItem removes an item from the stream. Processes that have it are told.
func (q *Queue) cancelItem(ctx context.Context, p *Pending) error {
	q.Log.Info("an item is cancelled", "item", p.Item.ID)
	m, err := q.link().items.GetLastMsgForSubject(ctx, q.subjectOf(&p.Item))
	if err == nil {
		if err = q.link().conn.Publish(q.names.cancelled(), fmt.Appendf(nil, "%d %s", m.Sequence, p.Item.ID)); err == nil {
			err = q.link().items.DeleteMsg(ctx, m.Sequence)
		}
	}
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("queue: item %s: %w", p.Item.ID, err)
	}
	return nil
}

// sweep compares the open items with the stream and the verdicts, every so often and after
// each reconnection, because a cluster that lost power can have lost the last seconds of
// each.
func (q *Queue) sweep() {
	tick := time.NewTicker(q.Sweep)
	defer tick.Stop()
	left := make(map[string]bool) // subjects of items that nobody waited for the last time
	for {
		select {
		case <-q.run.Done():
			return
		case <-tick.C:
		case <-q.again:
		}
		// An error is that of a server that is away: the next comparison repairs it.
		_, _ = q.compare(q.run, left)
	}
}

// compare submits again each open item that is neither in the stream nor has a verdict, and
// ends those that have one. Items of this submitter for which nobody waits, the second time,
// are removed: they were kept for judgements that have ended. It returns how many were
// submitted.
func (q *Queue) compare(ctx context.Context, left map[string]bool) (lost int, err error) {
	open := q.pending()
	info, err := q.link().items.Info(ctx, jetstream.WithSubjectFilter(q.names.items()+"*."+token(q.Name)+".>"))
	if err != nil {
		return 0, fmt.Errorf("queue: %s: %w", q.names.stream(itemStream), err)
	}
	waits := make(map[string]bool, len(open))
	for _, p := range open {
		subject := q.subjectOf(&p.Item)
		waits[subject] = true
		if _, there := info.State.Subjects[subject]; there {
			continue
		}
		done, err := q.lookUp(ctx, p)
		if err == nil && !done {
			lost++
			one, cancel := context.WithTimeout(ctx, answerTime)
			err = q.publish(one, p)
			cancel()
		}
		if err != nil {
			return lost, err
		}
	}
	for subject := range left {
		if _, there := info.State.Subjects[subject]; !there {
			delete(left, subject)
		}
	}
	for subject := range info.State.Subjects {
		switch {
		case waits[subject]:
			delete(left, subject)
		case left[subject]:
			err = errors.Join(err, q.link().items.Purge(ctx, jetstream.WithPurgeSubject(subject)))
		default:
			left[subject] = true
		}
	}
	return lost, err
}

// Abandon removes the items of a submitter that is lost.
func (q *Queue) Abandon(ctx context.Context, submitter string) error {
	err := q.link().items.Purge(ctx, jetstream.WithPurgeSubject(q.names.items()+"*."+token(submitter)+".>"))
	if err != nil {
		return fmt.Errorf("queue: items of %s: %w", submitter, err)
	}
	return nil
}

// Stats are the numbers of a queue, of all submitters.
type Stats struct {
	// Depth is the number of items without a verdict. Running of them are at workers, or
	// wait in a process.
	Depth   uint64 `json:"depth"`
	Running int    `json:"running"`
	// Age is the time since the oldest of them was submitted.
	Age time.Duration `json:"age"`
	// Consumers is the number of JetStream's consumers of items.
	Consumers int `json:"consumers"`
	// Bytes is the size of items, results and verdicts on the disk.
	Bytes uint64 `json:"bytes"`
}

// Stats returns the state of the queue.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	info, err := q.link().items.Info(ctx)
	if err != nil {
		return s, fmt.Errorf("queue: %s: %w", q.names.stream(itemStream), err)
	}
	s.Depth, s.Bytes, s.Consumers = info.State.Msgs, info.State.Bytes, info.State.Consumers
	if s.Depth > 0 {
		s.Age = time.Since(info.State.FirstTime)
	}
	list := q.link().items.ListConsumers(ctx)
	for c := range list.Info() {
		s.Running += c.NumAckPending
	}
	if err := list.Err(); err != nil {
		return s, fmt.Errorf("queue: %s: %w", q.names.stream(itemStream), err)
	}
	status, err := q.link().states.kv.Status(ctx)
	if err != nil {
		return s, fmt.Errorf("queue: %s: %w", q.names.stream(stateBucket), err)
	}
	s.Bytes += status.Bytes()
	if results, err := q.link().results.Info(ctx); err == nil {
		s.Bytes += results.State.Bytes
	}
	return s, nil
}
