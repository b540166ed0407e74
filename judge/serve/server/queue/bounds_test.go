package queue

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/testnats"
	"crucible/judge/serve/worker"
)

// A stream that is full takes nothing, and the queue no new items. What was accepted waits, and
// is written when there is room; nothing is lost.
func TestFullLog(t *testing.T) {
	for _, where := range []string{"embedded", "external"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			o := Options{Bytes: 4 << 20}
			if where == "external" {
				o.URL = testnats.One(t)
			}
			q := start(t, o)
			startWorker(t, q, crew{ID: "w"}, echo)
			text := bytes.Repeat([]byte("0123456789abcdef"), 2000)
			n := 0
			for q.Ready() == nil { // less than a megabyte until the next look
				n++
				if n > 28 {
					time.Sleep(10 * time.Millisecond)
				} else if _, err := q.Write(t.Context(), fmt.Sprint("old", n), Entry{0, "ended", text}); err != nil {
					t.Fatal(err)
				}
			}
			if err := q.Ready(); !strings.Contains(err.Error(), "stream CRUCIBLE_") || !strings.Contains(err.Error(), " KiB: expected at most ") {
				t.Errorf("%v: expected the stream that is full, and the bytes that it may have", err)
			}
			logged := make(chan error, 10)
			for i := range cap(logged) {
				go func() {
					_, err := q.Write(context.WithoutCancel(t.Context()), fmt.Sprint("new", i), Entry{0, "ended", text})
					logged <- err
				}()
			}
			part := 0
			await(t, "a stream that is full", func() bool {
				part++
				_, err := q.link().js.Publish(t.Context(), q.names.entries()+partName("x", part), text)
				return IsFull(err)
			})
			if v := verdict(t, submit(t, q, item("a"))[0]); v.Err != "" { // what is under way ends
				t.Errorf("verdict %+v", v)
			}
			for _, s := range []jetstream.Stream{q.link().entries.main, q.link().entries.copies} {
				prefix := strings.TrimSuffix(s.CachedInfo().Config.Subjects[0], ">")
				for i := range n {
					if err := s.Purge(t.Context(), jetstream.WithPurgeSubject(prefix+fmt.Sprintf("of.old%d", i+1))); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range cap(logged) {
				if err := <-logged; err != nil {
					t.Errorf("an entry: %v", err)
				}
			}
			await(t, "a queue that takes items", func() bool { return q.Ready() == nil })
			for i := range cap(logged) {
				if e, err := q.Entry(t.Context(), fmt.Sprint("new", i)); err != nil || !bytes.Equal(e.Data, text) {
					t.Errorf("an entry of %d bytes, %v: expected the one that waited", len(e.Data), err)
				}
			}
		})
	}
}

// Results and states make room when they are so old that nobody waits for them.
func TestFullResults(t *testing.T) {
	t.Parallel()
	q := start(t, Options{Bytes: 4 << 20, Stall: 300 * time.Millisecond})
	text := bytes.Repeat([]byte("x"), 100_000)
	startWorker(t, q, crew{ID: "w", Slots: 2}, func(ctx context.Context, d *worker.Delivery) error {
		for range 3 {
			if err := d.Result(ctx, text); err != nil {
				return err
			}
		}
		_, err := d.Verdict(ctx, text)
		return err
	})
	var all []*Pending
	for i := range 8 { // 3.2 MB of results and 0.8 MB of states: the streams have 0.75 MiB each
		all = append(all, submit(t, q, item(fmt.Sprint(i)))...)
	}
	for _, p := range all {
		if v := verdict(t, p); v.Err != "" || len(v.Payload) != len(text) {
			t.Errorf("%d bytes, %q: expected the verdict", len(v.Payload), v.Err)
		}
	}
}

// A bound below what a stream has removes nothing, and the queue takes no items.
func TestLowerBound(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	for i := range 20 {
		if _, err := q.Write(t.Context(), fmt.Sprint(i), Entry{0, "ended", make([]byte, 60_000)}); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	for range 2 {
		q = start(t, Options{Dir: dir, Bytes: 2 << 20})
		await(t, "a queue that is full", func() bool { return q.Ready() != nil })
		for i := range 20 {
			if e, err := q.Entry(t.Context(), fmt.Sprint(i)); err != nil || len(e.Data) != 60_000 {
				t.Errorf("entry %d has %d bytes, %v", i, len(e.Data), err)
			}
		}
		q.Close()
	}
}
