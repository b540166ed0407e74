package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Queue submits items and waits for their verdicts.
type Queue struct {
	conn  *nats.Conn
	js    jetstream.JetStream
	items jetstream.Stream
	cells cells
	name  string
	log   *slog.Logger

	events jetstream.ConsumeContext
	stop   context.CancelFunc
	wait   sync.WaitGroup
	again  chan struct{} // gets a value after a reconnection

	mu   sync.Mutex
	open map[string]*Pending // by item
}

// Close ends the connection. Items stay in the queue.
func (q *Queue) Close() {
	q.stop()
	q.events.Stop()
	q.wait.Wait()
	q.conn.Close()
	for _, p := range q.pending() {
		p.end(nats.ErrConnectionClosed)
	}
}

// event gives a message to the item that it is about.
func (q *Queue) event(subject string, data []byte) {
	id := fromToken(subject[strings.LastIndexByte(subject, '.')+1:])
	q.mu.Lock()
	p := q.open[id]
	q.mu.Unlock()
	var e event
	body, err := unpack(data, &e)
	if p != nil && err == nil && p.event(e, body) {
		q.remove(id)
	}
}

func (q *Queue) remove(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open, id)
}

func (q *Queue) pending() []*Pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Values(q.open))
}

// Submit adds one item; see SubmitAll.
func (q *Queue) Submit(ctx context.Context, it Item) (*Pending, error) {
	all, err := q.SubmitAll(ctx, []Item{it})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// SubmitAll adds items. It returns when the server has stored all of them. An item
// that is in the queue already, of this submitter or another one, is not added
// again, and an item whose cell has a verdict gets that verdict. After an error, the
// items may be in the queue or not; to submit them again is harmless.
func (q *Queue) SubmitAll(ctx context.Context, items []Item) ([]*Pending, error) {
	for i := range items {
		if err := items[i].check(); err != nil {
			return nil, err
		}
	}
	all := make([]*Pending, len(items))
	var fresh []string
	for i, it := range items {
		var is bool
		if all[i], is = q.register(it); is {
			fresh = append(fresh, it.ID)
		}
	}
	if err := q.publish(ctx, all); err != nil {
		for _, id := range fresh {
			q.remove(id)
		}
		return nil, err
	}
	return all, nil
}

// register returns the Pending of an item, which is the same for the same ID, and
// whether it is new.
func (q *Queue) register(it Item) (*Pending, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p := q.open[it.ID]; p != nil {
		return p, false
	}
	p := newPending(q, it)
	q.open[it.ID] = p
	return p, true
}

// publish writes items to the stream. Each has a subject of its own, and the server
// refuses a second message of a subject, however late it comes.
func (q *Queue) publish(ctx context.Context, all []*Pending) error {
	const together = 1000
	now := time.Now().UTC()
	for part := range slices.Chunk(all, together) {
		futures := make([]jetstream.PubAckFuture, len(part))
		lanes := make(map[lane]bool)
		for i, p := range part {
			l := laneOf(&p.Item)
			lanes[l] = true
			m := &nats.Msg{Subject: l.item(p.Item.ID), Data: pack(stored{Item: p.Item, From: q.name, Time: now}, p.Item.Payload)}
			var err error
			if futures[i], err = q.js.PublishMsgAsync(m, jetstream.WithExpectLastSequencePerSubject(0),
				jetstream.WithExpectStream(itemStream)); err != nil {
				return fmt.Errorf("queue: item %s: %w", p.Item.ID, err)
			}
		}
		q.announce(lanes)
		for i, p := range part {
			if err := q.stored(ctx, p, futures[i]); err != nil {
				return fmt.Errorf("queue: item %s: %w", p.Item.ID, err)
			}
			q.log.Info("an item is submitted", "item", p.Item.ID)
		}
	}
	return nil
}

// stored waits until the server has the item.
func (q *Queue) stored(ctx context.Context, p *Pending, future jetstream.PubAckFuture) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-future.Ok():
		return nil
	case err := <-future.Err():
		if isWrongSequence(err) {
			return q.replay(ctx, p)
		}
		return err
	}
}

func isWrongSequence(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// announce says which lanes have items. Dispatchers that do not hear it hear the
// next one; they know the lanes that they have seen.
func (q *Queue) announce(lanes map[lane]bool) {
	for l := range lanes {
		_ = q.conn.Publish(laneSubject+l.suffix(), nil)
	}
}

// replay reads the events so far of an item that was in the queue already.
func (q *Queue) replay(ctx context.Context, p *Pending) error {
	stream, err := q.js.Stream(ctx, resultStream)
	if err != nil {
		return fmt.Errorf("queue: %s: %w", resultStream, err)
	}
	subject := resultSubject + subjectToken(q.name) + "." + subjectToken(p.Item.ID)
	for seq := uint64(1); ; {
		m, err := stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("queue: %s: %w", resultStream, err)
		}
		q.event(subject, m.Data)
		seq = m.Sequence + 1
	}
}

// cancel removes an item from the stream.
func (q *Queue) cancel(ctx context.Context, p *Pending) error {
	q.log.Info("an item is cancelled", "item", p.Item.ID)
	m, err := q.items.GetLastMsgForSubject(ctx, laneOf(&p.Item).item(p.Item.ID))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err == nil {
		// A dispatcher may have the item already: it does not read the stream again.
		if err = q.conn.Publish(cancelSubject, strconv.AppendUint(nil, m.Sequence, 10)); err == nil {
			err = q.items.DeleteMsg(ctx, m.Sequence)
		}
	}
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("queue: item %s: %w", p.Item.ID, err)
	}
	return nil
}
