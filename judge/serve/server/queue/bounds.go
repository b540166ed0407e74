package queue

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// shares are those of the streams and buckets in Options.Bytes, of 64. The log takes a little
// less than its copy, in which messages have longer names. Another bucket has 1.
var shares = map[string]int64{itemStream: 5, resultStream: 12, stateBucket: 12, logStream: 15, copyStream: 16}

// share returns the bytes that a stream may have, or those that it has if they are more: JetStream
// would remove messages.
func (l *link) share(ctx context.Context, q *Queue, of, name string) (int64, error) {
	most := q.Bytes / 64 * max(shares[of], 1)
	s, err := l.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return most, nil
	}
	if err != nil {
		return 0, err
	}
	return max(most, int64(s.CachedInfo().State.Bytes)), nil
}

// bucket returns a bucket, whose values have an age; 0 is any.
func (l *link) bucket(ctx context.Context, q *Queue, of string, age time.Duration) (jetstream.KeyValue, error) {
	name := q.names.stream(of)
	most, err := l.share(ctx, q, of, "KV_"+name)
	if err != nil {
		return nil, err
	}
	kv, err := l.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: name, TTL: age, MaxBytes: most, Replicas: q.Replicas,
	})
	return kv, l.refused(ctx, q, "KV_"+name, most, err)
}

// IsFull reports whether an error is that of a stream that has the most bytes that it may have,
// or of an account of NATS that has.
func IsFull(err error) bool {
	const storeFailed, accountResources, resources, storage = 10077, 10002, 10023, 10047
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case storeFailed:
		return strings.Contains(api.Description, "maximum bytes exceeded")
	case accountResources, resources, storage:
		return true
	}
	return false
}

// measure looks how full the streams are, every so often. One that is nearly full takes no new
// items, so that those that were accepted can end. Half of the results and states can make
// room: those that are so old that nobody waits for them any more, or their items are made
// again.
func (q *Queue) measure() {
	tick := time.NewTicker(q.AckWait / 3)
	defer tick.Stop()
	ages := map[string]time.Duration{q.names.stream(resultStream): q.Stall, "KV_" + q.names.stream(stateBucket): 10 * q.Stall}
	for {
		select {
		case <-q.run.Done():
			return
		case <-tick.C:
		}
		var why *string
		l := q.link()
		all := l.js.ListStreams(q.run)
		for info := range all.Info() {
			name, used, most := info.Config.Name, int64(info.State.Bytes), info.Config.MaxBytes
			if !strings.HasPrefix(strings.TrimPrefix(name, "KV_"), q.names.stream("")) || most <= 0 {
				continue
			}
			if age, ok := ages[name]; ok && used > most/2 {
				if err := l.trim(q.run, info, time.Now().Add(-age)); err != nil && q.run.Err() == nil {
					q.Log.Warn("a stream is not made smaller", "stream", name, "error", err)
				}
			}
			if used > most-most/8 {
				text := fmt.Sprintf("queue: stream %s has %d KiB: expected at most %d, 7/8 of its share of the disk", name,
					used>>10, (most-most/8)>>10)
				why = &text
			}
		}
		if all.Err() != nil {
			continue // of a server that is away
		}
		switch before := q.packed.Swap(why); {
		case before == nil && why != nil:
			q.Log.Error("no new items are taken until there is room", "error", *why)
		case before != nil && why == nil:
			q.Log.Warn("there is room: new items are taken again")
		}
	}
}

// trim removes the messages of a stream that were stored before a time.
func (l *link) trim(ctx context.Context, of *jetstream.StreamInfo, before time.Time) error {
	s, err := l.js.Stream(ctx, of.Config.Name)
	if err != nil {
		return err
	}
	first := of.State.FirstSeq
	old := sort.Search(int(of.State.LastSeq-first), func(i int) bool {
		m, err := s.GetMsg(ctx, first+uint64(i), jetstream.WithGetMsgSubject(">"))
		return err != nil || m.Time.After(before)
	})
	if old == 0 {
		return nil
	}
	return s.Purge(ctx, jetstream.WithPurgeSequence(first+uint64(old)))
}
