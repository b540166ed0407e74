package queue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// remove removes the message of an entry from a stream, as a disk that changes a byte does.
func remove(t *testing.T, s jetstream.Stream, subject string) {
	t.Helper()
	m, err := s.GetLastMsgForSubject(t.Context(), subject)
	if err == nil {
		err = s.DeleteMsg(t.Context(), m.Sequence)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// awaitCopies waits until all that was written to a bucket, or to the entries for "", has a copy.
func awaitCopies(t *testing.T, q *Queue, bucket string) {
	t.Helper()
	l := q.link()
	m := l.mirror(q, bucket)
	last := func(h *half) uint64 {
		s, err := l.js.Stream(t.Context(), h.name)
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().State.LastSeq
	}
	await(t, "copies of all", func() bool { return last(m.copies) >= last(m.main) })
}

// redial makes a Queue start JetStream again, as after an error of the disk.
func redial(t *testing.T, q *Queue) {
	t.Helper()
	before := q.link()
	before.log.end()
	await(t, "another start of JetStream", func() bool { return q.link() != before && q.Ready() == nil })
}

// An entry is written in place of the one that was read before its stream was made anew, also after
// JetStream has started once more.
func TestWriteAfterMending(t *testing.T) {
	t.Parallel()
	q := start(t, Options{})
	var old uint64
	for range 5 { // the stream that is made anew counts from 1
		var err error
		if old, err = q.Write(t.Context(), "x", Entry{Revision: old, Kind: "accepted"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.Write(t.Context(), "y", Entry{Kind: "accepted"}); err != nil {
		t.Fatal(err)
	}
	awaitCopies(t, q, "")
	remove(t, q.link().entries.main, q.names.entries()+entryName("y"))
	redial(t, q)
	if e, err := q.Entry(t.Context(), "y"); err != nil || e.Kind != "accepted" {
		t.Errorf("the entry that was lost: %+v, %v", e, err)
	}
	redial(t, q)
	if _, err := q.Write(t.Context(), "x", Entry{Revision: old, Kind: "ended"}); err != nil {
		t.Error(err)
	}
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Kind != "ended" {
		t.Errorf("%+v, %v: expected the one that was written last", e, err)
	}
}

// What the disk has lost comes back though --disk is less than what there is.
func TestMendWithLessRoom(t *testing.T) {
	for _, lost := range []string{"the message", "the copy", "one of each"} {
		t.Run(lost, func(t *testing.T) {
			t.Parallel()
			o := Options{Dir: t.TempDir()}
			q := start(t, o)
			text := []byte(strings.Repeat("x", 100<<10))
			for i := range 20 {
				if _, err := q.Write(t.Context(), fmt.Sprint(i), Entry{Kind: "accepted", Data: text}); err != nil {
					t.Fatal(err)
				}
			}
			of := q.link().entries
			awaitCopies(t, q, "")
			if lost != "the copy" {
				remove(t, of.main, of.main.prefix+entryName("3"))
			}
			if lost != "the message" {
				remove(t, of.copies, of.copies.prefix+entryName("4"))
			}
			q.Close()
			o.Bytes = 64 * (64 << 10) // 14 * 64 KiB for the entries
			q = start(t, o)
			for i := range 20 {
				if e, err := q.Entry(t.Context(), fmt.Sprint(i)); err != nil || len(e.Data) != len(text) {
					t.Errorf("entry %d: %d bytes, %v", i, len(e.Data), err)
				}
			}
		})
	}
}

// A copy that was made later ends with what it copies, and does not bring it back.
func TestAgeOfCopies(t *testing.T) {
	t.Parallel()
	o := Options{Dir: t.TempDir(), Keep: 6 * time.Second}
	q := start(t, o)
	began := time.Now()
	if _, err := q.Write(t.Context(), "x", Entry{Kind: "ended"}); err != nil {
		t.Fatal(err)
	}
	of := q.link().entries
	awaitCopies(t, q, "")
	remove(t, of.copies, of.copies.prefix+entryName("x"))
	sleep(t.Context(), time.Until(began.Add(3*time.Second)))
	redial(t, q)
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Kind != "ended" {
		t.Fatalf("%+v, %v: expected an entry that has not ended yet", e, err)
	}
	sleep(t.Context(), time.Until(began.Add(7*time.Second)))
	redial(t, q)
	if names, err := q.Names(t.Context(), "other"); err != nil || len(names) != 0 {
		t.Errorf("%q, %v: expected no entry of this age", names, err)
	}
}

// When the consumers are made anew, the items that workers have stay with them.
func TestConsumersMadeAnew(t *testing.T) {
	t.Parallel()
	q := start(t, Options{AckWait: 3 * time.Second})
	p := submit(t, q, item("a"))[0]
	l, err := q.Lease(t.Context(), poll("w1", 1))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for name := range q.link().items.ConsumerNames(t.Context()).Name() {
			if err := q.link().items.DeleteConsumer(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		other := make(chan *Lease, 1)
		go func() {
			l, _ := q.Lease(ctx, poll("w2", 1))
			other <- l
		}()
		for ctx.Err() == nil {
			if stop, err := q.Alive(t.Context(), "w1", []string{l.ID}); err != nil || slices.Contains(stop, l.ID) {
				t.Errorf("%q, %v: expected that the lease goes on", stop, err)
			}
			sleep(ctx, 500*time.Millisecond)
		}
		cancel()
		if l := <-other; l != nil {
			t.Fatalf("another worker gets %s", l.ID)
		}
	}
	if counts, err := q.Verdict(t.Context(), "w1", l.ID, 0, []byte("AC")); err != nil || !counts {
		t.Errorf("the verdict: %v, %v", counts, err)
	}
	if v := verdict(t, p); v.Worker != "w1" || v.Err != "" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
	awaitEmpty(t, q)
}
