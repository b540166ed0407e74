package queue

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/serve/worker"
)

// A heldBucket holds some of the changes of states until it is released.
type heldBucket struct {
	jetstream.KeyValue
	which   func(value []byte) bool
	reached chan struct{} // gets a value when a change is held
	release chan struct{} // closed at the end
}

func (b *heldBucket) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	if b.which(value) {
		select {
		case b.reached <- struct{}{}:
		case <-b.release:
		}
		<-b.release
	}
	return b.KeyValue.Update(ctx, key, value, revision)
}

// hold makes the server hold the changes of states for which which is true.
func hold(q *Queue, which func([]byte) bool) *heldBucket {
	b := &heldBucket{q.link().states.kv, which, make(chan struct{}), make(chan struct{})}
	q.link().states.kv = b
	return b
}

// A slot runs the next item while the verdict of one is sent, and no more than one.
func TestVerdictsAreSentMeanwhile(t *testing.T) {
	t.Parallel()
	q := start(t, Options{AckWait: 12 * time.Second})
	held := hold(q, func(value []byte) bool { return bytes.Contains(value, []byte(`"done":true`)) })
	release := sync.OnceFunc(func() { close(held.release) })
	defer release()
	all := submit(t, q, item("a"), item("b"), item("c"))
	startWorker(t, q, crew{ID: "w"}, echo)
	<-held.reached
	<-held.reached // the second item has been run although the first one has no verdict
	if n := q.Counts().Leased; n != 2 {
		t.Errorf("%d items were started while two verdicts of one slot are sent, expected 2", n)
	}
	release()
	for _, p := range all {
		if v := verdict(t, p); v.Delivery != 1 {
			t.Errorf("verdict of %s: %+v, expected delivery 1", p.Item.ID, v)
		}
	}
}

// A worker whose items are short writes two lines an item to its keeper.
func TestBeatsAreRare(t *testing.T) {
	t.Parallel()
	q := start(t, Options{Stall: 100 * time.Hour})
	var lines bytes.Buffer
	stop := startWorker(t, q, crew{ID: "w", Keeper: &lines}, func(ctx context.Context, d *worker.Delivery) error {
		for i := range 3 {
			if err := d.Result(ctx, fmt.Append(nil, i)); err != nil {
				return err
			}
		}
		return echo(ctx, d)
	})
	verdict(t, submit(t, q, item("a"))[0])
	stop()
	var verbs []string
	for line := range strings.Lines(lines.String()) {
		verb, _, _ := strings.Cut(line, " ")
		verbs = append(verbs, verb)
	}
	if got := strings.Join(verbs, " "); got != "keep drop" {
		t.Errorf("the worker wrote %q to its keeper, expected a line that begins with keep and one with drop", got)
	}
}
