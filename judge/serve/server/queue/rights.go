package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// answerTime is the longest wait for an answer of JetStream: a server that is lost never
// answers. Its own limit is for contexts without a deadline only.
const answerTime = 10 * time.Second

// rights returns an error for a user of NATS that may not do what the queue does later; without
// rights, requests have no answer. JetStream refuses these messages, which are for another
// stream, and have no body.
func rights(conn *nats.Conn, of names, url string) error {
	var err error
	for _, subject := range []string{
		of.items() + "check", of.results() + "check", of.entries() + "check", of.copies("check") + "check",
		of.said() + "check", "$KV." + of.stream(stateBucket) + ".check",
		"$JS.ACK." + of.stream(itemStream) + ".check", "$JS.API.STREAM.CREATE." + of.stream(itemStream),
	} {
		err = errors.Join(err, conn.PublishMsg(&nats.Msg{Subject: subject,
			Header: nats.Header{jetstream.ExpectedStreamHeader: {"none"}}}))
	}
	for _, subject := range []string{of.said() + "check", of.cancelled()} {
		s, one := conn.SubscribeSync(subject)
		if one == nil {
			one = s.Unsubscribe()
		}
		err = errors.Join(err, one)
	}
	if err = errors.Join(err, conn.FlushTimeout(answerTime)); err != nil {
		return fmt.Errorf("queue: %s: %w", url, err)
	}
	return denied(conn, of, url)
}

// denied returns the error of a right that the user of NATS turned out not to have, or nil.
func denied(conn *nats.Conn, of names, url string) error {
	err := conn.LastError()
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return nil
	}
	return fmt.Errorf("queue: %s: %w: expected a user of --nats-creds that may publish to %s.>, $JS.API.>, $JS.ACK.> and "+
		"$KV.>, and subscribe to %[3]s.> and _INBOX.>", url, err, string(of))
}
