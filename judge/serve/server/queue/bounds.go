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

// shares are those of the streams and buckets in Options.Bytes, of 64. The entries take a little
// less than their copies, in which messages have another header. Another bucket has 1, and so have
// its copies.
var shares = map[string]int64{itemStream: 5, resultStream: 11, stateBucket: 11, entryStream: 14,
	copyStream + "_" + entryStream: 15}

// share returns the bytes that a stream may have, or those that it has if they are more: JetStream
// would remove messages.
func share(ctx context.Context, js jetstream.JetStream, bytes int64, of, name string, least int64) (int64, error) {
	most := max(least, bytes/64*max(shares[of], 1))
	s, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return most, nil
	}
	if err != nil {
		return 0, err
	}
	return max(most, int64(s.CachedInfo().State.Bytes)), nil
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

// trim removes the messages of a stream that were stored before a time.
func trim(ctx context.Context, js jetstream.JetStream, of *jetstream.StreamInfo, before time.Time) error {
	s, err := js.Stream(ctx, of.Config.Name)
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

// refused says what a stream needs that JetStream does not make. A nil err is none.
func refused(ctx context.Context, js jetstream.JetStream, replicas int, stream string, bytes int64, err error) error {
	const noPeers, noReplicas, maxStreamBytes = 10005, 10074, 10122
	var api *jetstream.APIError
	if err == nil || !errors.As(err, &api) {
		return err
	}
	hint := ""
	switch {
	case replicas > 1 && (api.ErrorCode == noPeers || api.ErrorCode == noReplicas):
		hint = fmt.Sprintf(": expected a cluster of %d machines or more, or --nats-replicas 1", replicas)
	case IsFull(err) || api.ErrorCode == maxStreamBytes:
		hint = ": expected more room, or a smaller --disk, of which half is for the streams"
		if a, err := js.AccountInfo(ctx); err == nil && a.Limits.MaxStore >= 0 {
			hint = fmt.Sprintf(": the account may have %d MiB%s", a.Limits.MaxStore>>20, hint)
		}
	}
	return fmt.Errorf("stream %s of %d MiB on %d machines: %w%s", stream, bytes>>20, replicas, err, hint)
}
