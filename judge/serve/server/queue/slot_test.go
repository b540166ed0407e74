package queue

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A heldBucket holds some of the changes of cells until it is released.
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

// hold makes the server hold the changes of cells for which which is true.
func hold(s *Server, which func([]byte) bool) *heldBucket {
	b := &heldBucket{s.dispatcher.cells.kv, which, make(chan struct{}), make(chan struct{})}
	s.dispatcher.cells.kv = b
	return b
}

// A slot runs the next item while the verdict of one is sent, and no more than one.
func TestVerdictsAreSentMeanwhile(t *testing.T) {
	t.Parallel()
	s := start(t, Options{AckWait: DefaultAckWait})
	held := hold(s, func(value []byte) bool { return bytes.Contains(value, []byte(`"done":true`)) })
	release := sync.OnceFunc(func() { close(held.release) })
	defer release()
	q := connect(t, s.Connection())
	all := submit(t, q, item("a"), item("b"), item("c"))
	startWorker(t, s.Connection(), Worker{ID: "w"}, echo)
	<-held.reached
	<-held.reached // the second item has been run although the first one has no verdict
	if n := s.Counts().Started; n != 2 {
		t.Errorf("%d items were started while two verdicts of one slot are sent, expected 2", n)
	}
	release()
	for _, p := range all {
		if v := verdict(t, p); v.Attempt != 1 {
			t.Errorf("verdict of %s: %+v, expected attempt 1", p.Item.ID, v)
		}
	}
}

// An item that is started for a request that the worker has given up is not lost.
func TestLateItem(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: "127.0.0.1:0", Authorise: authorise, AckWait: DefaultAckWait})
	var held atomic.Bool
	bucket := hold(s, func([]byte) bool { return held.CompareAndSwap(false, true) })
	q := connect(t, Connection{URL: s.URL(), Token: "submit"})
	p := submit(t, q, item("a"))[0]
	waitReady(t, s, 1)
	startWorker(t, Connection{URL: s.URL(), Token: "worker-1"}, Worker{ID: "w1"}, echo)
	<-bucket.reached
	if err := s.Disconnect("w1"); err != nil {
		t.Fatal(err)
	}
	for slots := 0; slots == 0; slots, _ = s.Load() { // it has connected again, and asks again
		time.Sleep(time.Millisecond)
	}
	close(bucket.release)
	if v := verdict(t, p); v.Attempt != 2 {
		t.Errorf("verdict %+v, expected attempt 2", v)
	}
	if n := s.Counts().Released; n != 1 {
		t.Errorf("%d items were given back, expected 1", n)
	}
}

// A worker whose items are short writes two lines an item to its keeper.
func TestBeatsAreRare(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	q := connect(t, s.Connection())
	var lines bytes.Buffer
	stop := startWorker(t, s.Connection(), Worker{ID: "w", Keeper: &lines}, func(ctx context.Context, d *Delivery) error {
		for i := range 3 {
			if err := d.Result(ctx, fmt.Append(nil, i)); err != nil {
				return err
			}
		}
		return echo(ctx, d)
	})
	it := item("a")
	it.Stall = 100 * time.Hour
	verdict(t, submit(t, q, it)[0])
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
