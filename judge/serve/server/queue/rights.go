package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// rights returns an error for a user of NATS that may not do what the queue does later; without
// rights, requests have no answer. JetStream refuses these messages, which are for another
// stream, and have no body.
func (l *link) rights(q *Queue) error {
	var err error
	for _, subject := range []string{
		q.names.items() + "check", q.names.results() + "check", q.names.log() + "check", q.names.copies() + "check",
		q.names.said() + "check", "$KV." + q.names.stream(stateBucket) + ".check",
		"$JS.ACK." + q.names.stream(itemStream) + ".check", "$JS.API.STREAM.CREATE." + q.names.stream(itemStream),
	} {
		err = errors.Join(err, l.conn.PublishMsg(&nats.Msg{Subject: subject,
			Header: nats.Header{jetstream.ExpectedStreamHeader: {"none"}}}))
	}
	for _, subject := range []string{q.names.said() + "check", q.names.cancelled()} {
		s, one := l.conn.SubscribeSync(subject)
		if one == nil {
			one = s.Unsubscribe()
		}
		err = errors.Join(err, one)
	}
	if err = errors.Join(err, l.conn.FlushTimeout(answerTime)); err != nil {
		return fmt.Errorf("queue: %s: %w", q.URL, err)
	}
	return l.denied(q)
}

// denied returns the error of a right that the user of NATS turned out not to have, or nil.
func (l *link) denied(q *Queue) error {
	err := l.conn.LastError()
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return nil
	}
	return fmt.Errorf("queue: %s: %w: expected a user of --nats-creds that may publish to %s.>, $JS.API.>, $JS.ACK.> and "+
		"$KV.>, and subscribe to %[3]s.> and _INBOX.>", q.URL, err, string(q.names))
}

// refused says what a stream needs that JetStream does not make. A nil err is none.
func (l *link) refused(ctx context.Context, q *Queue, stream string, bytes int64, err error) error {
	const noPeers, noReplicas, maxStreamBytes = 10005, 10074, 10122
	var api *jetstream.APIError
	if err == nil || !errors.As(err, &api) {
		return err
	}
	hint := ""
	switch {
	case q.Replicas > 1 && (api.ErrorCode == noPeers || api.ErrorCode == noReplicas):
		hint = fmt.Sprintf(": expected a cluster of %d machines or more, or --nats-replicas 1", q.Replicas)
	case IsFull(err) || api.ErrorCode == maxStreamBytes:
		hint = ": expected more room, or a smaller --disk, of which half is for the streams"
		if a, err := l.js.AccountInfo(ctx); err == nil && a.Limits.MaxStore >= 0 {
			hint = fmt.Sprintf(": the account may have %d MiB%s", a.Limits.MaxStore>>20, hint)
		}
	}
	return fmt.Errorf("stream %s of %d MiB on %d machines: %w%s", stream, bytes>>20, q.Replicas, err, hint)
}
