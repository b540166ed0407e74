package queue

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Connect connects a submitter. It waits until a server answers and has its streams,
// or ctx ends.
func Connect(ctx context.Context, c Connection) (*Queue, error) {
	q := &Queue{name: c.Name, log: c.log(), open: make(map[string]*Pending), again: make(chan struct{}, 1)}
	if q.name == "" {
		q.name = rand.Text()
	}
	if len(q.name) > MaxName {
		return nil, fmt.Errorf("queue: Connection.Name has %d bytes, expected at most %d", len(q.name), MaxName)
	}
	var err error
	q.conn, err = c.dial(ctx, "", nats.ReconnectHandler(func(*nats.Conn) {
		select {
		case q.again <- struct{}{}:
		default:
		}
	}))
	if err != nil {
		return nil, err
	}
	if err := q.prepare(ctx); err != nil {
		q.conn.Close()
		return nil, err
	}
	every := c.Sweep
	if every <= 0 {
		every = time.Minute
	}
	run, cancel := context.WithCancel(context.Background())
	q.stop = cancel
	q.wait.Go(func() { q.sweep(run, every) })
	return q, nil
}

// prepare opens the streams and subscribes to the events of this submitter.
func (q *Queue) prepare(ctx context.Context) error {
	var err error
	if q.js, err = newJetStream(q.conn); err != nil {
		return err
	}
	for {
		q.items, err = q.js.Stream(ctx, itemStream)
		if err == nil {
			q.cells.kv, err = q.js.KeyValue(ctx, cellBucket)
		}
		if err == nil {
			break
		}
		if ctx.Err() != nil || !errors.Is(err, jetstream.ErrStreamNotFound) && !errors.Is(err, jetstream.ErrBucketNotFound) {
			return fmt.Errorf("queue: %s: %w", itemStream, err)
		}
		sleep(ctx, 100*time.Millisecond)
	}
	consumer, err := q.js.OrderedConsumer(ctx, resultStream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{resultSubject + subjectToken(q.name) + ".*"}, DeliverPolicy: jetstream.DeliverNewPolicy,
	})
	if err == nil {
		q.events, err = consumer.Consume(func(m jetstream.Msg) { q.event(m.Subject(), m.Data()) },
			jetstream.PullHeartbeat(2*time.Second), jetstream.PullExpiry(10*time.Second))
	}
	if err != nil {
		return fmt.Errorf("queue: %s: %w", resultStream, err)
	}
	return nil
}
