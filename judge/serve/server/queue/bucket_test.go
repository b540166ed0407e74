package queue

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
)

// A bucket that is full refuses values, and keeps nobody from submitting items.
func TestFullBucket(t *testing.T) {
	q := start(t, Options{Bytes: 64 << 20, AckWait: 300 * time.Millisecond})
	b := q.Bucket("workers")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var full error
	if crowded, err := b.IsCrowded(t.Context()); err != nil || crowded {
		t.Errorf("%v, %v: expected that an empty bucket is not", crowded, err)
	}
	for i := 0; i < 100 && full == nil; i++ {
		full = b.Change(ctx, strconv.Itoa(i), func([]byte) ([]byte, error) { return make([]byte, 100_000), nil })
	}
	if full == nil {
		t.Error("expected that it is full")
	}
	if crowded, err := b.IsCrowded(t.Context()); err != nil || !crowded {
		t.Errorf("%v, %v: expected that it is", crowded, err)
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err := q.Ready(); err != nil {
			t.Fatalf("the queue: %v", err)
		}
	}
}

func TestBucket(t *testing.T) {
	q := open(t, t.TempDir())
	b := q.Bucket("things")
	if _, _, err := b.Get(t.Context(), "a b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a value that there is not: %v", err)
	}
	if err := b.Put(t.Context(), "a b", []byte("1"), 0); err != nil {
		t.Fatal(err)
	}
	if err := b.Put(t.Context(), "a b", []byte("2"), 0); !errors.Is(err, ErrChanged) {
		t.Errorf("a second first value: %v, expected %v", err, ErrChanged)
	}
	got := make(chan string, 10)
	if err := b.Watch(t.Context(), func(key string, value []byte) { got <- key + "=" + string(value) }); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				if err := q.Bucket("things").Change(t.Context(), "n", func(old []byte) ([]byte, error) {
					n := 0
					fmt.Sscan(string(old), &n)
					return fmt.Append(nil, n+1), nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if first := <-got; first != "a b=1" {
		t.Errorf("watched %q: expected the first value", first)
	}
	for last := 0; last < 20; {
		n, next := 0, <-got
		if _, err := fmt.Sscanf(next, "n=%d", &n); err != nil || n <= last || n > 20 {
			t.Fatalf("watched %q: expected n of %d to 20", next, last+1)
		}
		last = n // a value that is replaced at once may be left out
	}
	all.Wait()
	keys, err := b.Keys(t.Context())
	if slices.Sort(keys); err != nil || !slices.Equal(keys, []string{"a b", "n"}) {
		t.Errorf("keys %q, %v: expected a b and n", keys, err)
	}
}

// Two queues with other prefixes on one NATS have nothing in common.
func TestPrefix(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a := start(t, Options{URL: url, Prefix: "one"})
	b := start(t, Options{URL: url, Prefix: "other"})
	startWorker(t, b, crew{ID: "w", Slots: 1}, echo)
	if _, err := a.Write(t.Context(), "x", Entry{0, "kind", nil}); err != nil {
		t.Fatal(err)
	}
	if e, err := b.Entry(t.Context(), "x"); err != nil || e.Revision != 0 {
		t.Errorf("the entry of the other prefix: %+v, %v", e, err)
	}
	submit(t, a, item("1"))
	if v := verdict(t, submit(t, b, item("1"))[0]); v.Worker != "w" {
		t.Errorf("%+v: expected a verdict", v)
	}
	if s, err := a.Stats(t.Context()); err != nil || s.Depth != 1 {
		t.Errorf("%+v, %v: expected the item of the other prefix", s, err)
	}
	if _, err := Start(t.Context(), Options{URL: url, Prefix: "A.b"}); err == nil {
		t.Error("prefix A.b is accepted")
	}
}
