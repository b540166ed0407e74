package queue

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// mostUnacknowledged is the number of items of one lane that workers can have at the
// same time. JetStream's default is 1,000, and all workers above it would wait.
const mostUnacknowledged = 1_000_000

func newJetStream(conn *nats.Conn) (jetstream.JetStream, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(10*time.Second),
		jetstream.WithPublishAsyncMaxPending(4000))
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return js, nil
}

// prepare creates the streams and buckets that do not exist.
func (d *dispatcher) prepare(ctx context.Context, o Options) error {
	var err error
	d.items, err = d.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: itemStream, Description: "work items that have no verdict",
		Subjects: []string{itemSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.FileStorage, Replicas: o.Replicas, AllowDirect: true,
		// Nothing relies on this window: a second copy is refused by its subject.
		Duplicates: 100 * time.Millisecond,
	})
	if err == nil {
		_, err = d.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: resultStream, Description: "partial results and verdicts, for the submitters",
			Subjects: []string{resultSubject + ">"}, MaxAge: time.Hour, MaxBytes: 1 << 30,
			Storage: jetstream.FileStorage, Replicas: o.Replicas, AllowDirect: true,
			Duplicates: 100 * time.Millisecond,
		})
	}
	if err == nil {
		d.cells.kv, err = d.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: cellBucket, Description: "attempts and verdicts", TTL: o.Keep, Replicas: o.Replicas,
		})
	}
	if err == nil {
		d.quarantined, err = d.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: quarantineBucket, Description: "items that were given up", TTL: o.Keep, Replicas: o.Replicas,
		})
	}
	if err == nil {
		err = d.readSecret(ctx, o.Replicas)
	}
	if err != nil {
		return fmt.Errorf("queue: streams: %w", err)
	}
	return nil
}

// readSecret reads the key that signs tickets; the first dispatcher makes it.
func (d *dispatcher) readSecret(ctx context.Context, replicas int) error {
	state, err := d.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: stateBucket, Replicas: replicas})
	if err != nil {
		return err
	}
	if _, err := state.Create(ctx, "secret", []byte(rand.Text()+rand.Text())); err != nil &&
		!errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	entry, err := state.Get(ctx, "secret")
	if err != nil {
		return err
	}
	d.secret = entry.Value()
	return nil
}

// consumer returns the consumer of a lane. MaxDeliver is unlimited: an item that
// reaches it would stay in the stream for ever (nats-server#5564).
func (d *dispatcher) consumer(ctx context.Context, l lane) (jetstream.Consumer, error) {
	sum := sha256.Sum256([]byte(l.suffix()))
	return d.items.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "lane-" + hex.EncodeToString(sum[:12]), FilterSubject: itemSubject + l.suffix() + ".*",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: d.ackWait, MaxDeliver: -1,
		MaxAckPending: mostUnacknowledged, InactiveThreshold: consumerIdle,
	})
}
