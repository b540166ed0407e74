package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/testkit"
	"crucible/judge/serve/worker"
)

func TestEntry(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	large := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // 640 KB
	write := func(name string, e Entry) uint64 {
		t.Helper()
		revision, err := q.Write(t.Context(), name, e)
		if err != nil || revision <= e.Revision {
			t.Fatalf("revision %d, %v: expected one after %d", revision, err, e.Revision)
		}
		return revision
	}
	first := write("x", Entry{0, "accepted", []byte("a")})
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Revision != first || e.Kind != "accepted" || string(e.Data) != "a" {
		t.Errorf("the entry: %+v, %v", e, err)
	}
	second := write("x", Entry{first, "ended", large})
	write("y.*>", Entry{0, "accepted", nil})
	for _, old := range []uint64{0, first} {
		if _, err := q.Write(t.Context(), "x", Entry{old, "ended", []byte("late")}); !errors.Is(err, ErrTaken) {
			t.Errorf("in place of revision %d: %v, expected %v", old, err, ErrTaken)
		}
	}
	for range 2 { // the answer to the first one was lost
		if _, err := q.write(t.Context(), partName("writer", 0), "", large[:9], 0); err != nil {
			t.Errorf("the part of an entry: %v", err)
		}
	}
	check := func(q *Queue) {
		t.Helper()
		e, err := q.Entry(t.Context(), "x")
		if err != nil || e.Revision != second || e.Kind != "ended" || !bytes.Equal(e.Data, large) {
			t.Errorf("the entry: revision %d, %s, %d bytes, %v: expected the one with many", e.Revision, e.Kind, len(e.Data), err)
		}
		if e, err := q.Entry(t.Context(), "z"); err != nil || e.Revision != 0 {
			t.Errorf("none: %+v, %v", e, err)
		}
		if names, err := q.Names(t.Context(), "ended"); err != nil || len(names) != 1 || names[0] != "y.*>" {
			t.Errorf("names %q, %v: expected that of y", names, err)
		}
	}
	check(q)
	q.Close()
	q = open(t, dir)
	check(q)
}

// What is replaced leaves nothing behind, whether this process has written it or another one, and
// what was not stored does not either.
func TestPartsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	large := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // three parts
	write := func(revision uint64, data []byte) uint64 {
		t.Helper()
		revision, err := q.Write(t.Context(), "x", Entry{revision, "ended", data})
		if err != nil {
			t.Fatal(err)
		}
		return revision
	}
	has := func(want int) {
		t.Helper()
		of := q.link().entries
		var found [2]int
		for end := time.Now().Add(20 * time.Second); found != [2]int{want, want}; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%d parts and %d copies: expected %d", found[0], found[1], want)
			}
			for i, h := range []*half{of.main, of.copies} {
				info, err := h.Info(t.Context(), jetstream.WithSubjectFilter(h.prefix+"part.>"))
				if err != nil {
					t.Fatal(err)
				}
				found[i] = len(info.State.Subjects)
			}
		}
	}
	last := write(0, large)
	has(3)
	last = write(last, append(large, '.'))
	has(3)
	if _, err := q.Write(t.Context(), "x", Entry{0, "late", large}); !errors.Is(err, ErrTaken) {
		t.Errorf("%v: expected %v", err, ErrTaken)
	}
	has(3)
	q.Close()
	q = open(t, dir)
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Revision != last || len(e.Data) != len(large)+1 {
		t.Errorf("revision %d, %d bytes, %v: expected all of the second entry", e.Revision, len(e.Data), err)
	}
	last = write(last, []byte("small"))
	has(0)
	// Who reads an entry while it is replaced gets one of both.
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := range 20 {
			last = write(last, large[i:])
		}
	}()
	for reads := 0; ; reads++ {
		if _, err := q.Entry(t.Context(), "x"); err != nil {
			t.Errorf("after %d reads: %v", reads, err)
		}
		select {
		case <-ended:
			has(3)
			return
		default:
		}
	}
}

// Entries are kept for Options.Keep.
func TestEntryKeep(t *testing.T) {
	q, err := Start(t.Context(), Options{Dir: t.TempDir(), Keep: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if _, err := q.Write(t.Context(), "x", Entry{0, "ended", make([]byte, 2*maxPart)}); err != nil {
		t.Fatal(err)
	}
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Revision == 0 {
		t.Errorf("%d, %v: expected the entry", e.Revision, err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		of, err := q.link().entries.main.Info(t.Context())
		copies, copiesErr := q.link().entries.copies.Info(t.Context())
		if err == nil && copiesErr == nil && of.State.Msgs == 0 && copies.State.Msgs == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("after 30 s the entry is still kept: ", err)
		}
	}
	if e, err := q.Entry(t.Context(), "x"); err != nil || e.Revision != 0 {
		t.Errorf("%d, %v: expected none", e.Revision, err)
	}
}

func open(t *testing.T, dir string) *Queue {
	t.Helper()
	q, err := Start(context.Background(), Options{Dir: dir, AckWait: testAckWait})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// Whatever byte of the folder changes or is cut off, each entry is read as it was written, or
// is an error.
func TestDamagedEntry(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	const names = 20
	text := func(i, n int) string { return strings.Repeat(fmt.Sprintf("version %d of entry %d; ", n, i), 10) }
	var revisions [names]uint64
	for n := range 2 {
		for i := range names {
			var err error
			revisions[i], err = q.Write(t.Context(), fmt.Sprint(i), Entry{revisions[i], "kind", []byte(text(i, n))})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	awaitCopies(t, q, "")
	q.Close()
	eachDamage(t, dir, func(t *testing.T, q *Queue) {
		for n := 1; n < 3; n++ {
			for i := range names {
				e, err := q.Entry(t.Context(), fmt.Sprint(i))
				if err != nil || string(e.Data) != text(i, n) {
					t.Errorf("entry %d: %q, %v: expected version %d", i, e.Data, err, n)
				} else if _, err = q.Write(t.Context(), fmt.Sprint(i), Entry{e.Revision, "kind", []byte(text(i, n+1))}); err != nil {
					t.Errorf("entry %d is written: %v", i, err)
				}
			}
		}
		if all, err := q.Names(t.Context(), "other"); err != nil || len(all) != names {
			t.Errorf("%d names, %v: expected %d", len(all), err, names)
		}
	})
}

// Whatever byte of the folder changes or is cut off, each value of a bucket is the last one
// that was written.
func TestDamagedBucket(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	const keys = 20
	text := func(key, n int) string { return strings.Repeat(fmt.Sprintf("value %d of key %d; ", n, key), 10) }
	for n := range 2 {
		for key := range keys {
			err := q.Bucket("things").Change(t.Context(), fmt.Sprint("key ", key), func([]byte) ([]byte, error) {
				return []byte(text(key, n)), nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	awaitCopies(t, q, "things")
	q.Close()
	eachDamage(t, dir, func(t *testing.T, q *Queue) {
		for range 2 { // a value that was taken from its copy has one again
			b := q.Bucket("things")
			for key := range keys {
				if v, _, err := b.Get(t.Context(), fmt.Sprint("key ", key)); err != nil || string(v) != text(key, 1) {
					t.Errorf("key %d: %q, %v", key, v, err)
				}
			}
			if all, err := b.Keys(t.Context()); err != nil || len(all) != keys {
				t.Errorf("%d keys, %v: expected %d", len(all), err, keys)
			}
		}
	})
}

// Whatever byte of the folder changes or is cut off, items that are submitted again get the right
// verdicts, whether they had one or a lease, or waited.
func TestDamagedItems(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	all := make([]Item, 30)
	for i := range all {
		all[i] = item(fmt.Sprint(i))
		all[i].Kept = true
	}
	stop := startWorker(t, q, crew{ID: "first"}, echo)
	for _, p := range submit(t, q, all[:10]...) {
		verdict(t, p)
	}
	stop()
	begun := make(chan struct{}, 10)
	startWorker(t, q, crew{ID: "lost", Slots: 10}, func(ctx context.Context, d *worker.Delivery) error {
		err := d.Result(ctx, []byte("started"))
		begun <- struct{}{}
		<-ctx.Done()
		return errors.Join(err, ctx.Err())
	})
	submit(t, q, all[10:]...)
	for range 10 {
		<-begun
	}
	q.Close()
	eachDamage(t, dir, func(t *testing.T, q *Queue) {
		startWorker(t, q, crew{ID: "second", Slots: 4}, echo)
		for _, p := range submit(t, q, all...) {
			if v := verdict(t, p); v.Err != "" || string(v.Payload) != "verdict of 0 "+p.Item.ID {
				t.Errorf("item %s: %+v", p.Item.ID, v)
			}
		}
	})
}

// eachDamage calls f with a queue on a copy of the folder for each file in it and each way to
// damage one.
func eachDamage(t *testing.T, dir string, f func(t *testing.T, q *Queue)) {
	whole := os.DirFS(dir)
	files := 0
	fs.WalkDir(whole, ".", func(name string, d fs.DirEntry, err error) error {
		data, _ := fs.ReadFile(whole, name)
		if err != nil || d.IsDir() || len(data) == 0 {
			return err
		}
		files++
		changes := [][]byte{data[:len(data)/2]}
		if !testkit.FewRows() {
			changes = append(changes, data[:len(data)-1], nil)
		}
		// JetStream has no checksum of what a consumer has had.
		if filepath.Base(name) != "o.dat" {
			changes = append(changes, flipped(data, 3*len(data)/4))
			if !testkit.FewRows() {
				changes = append(changes, flipped(data, 0), flipped(data, len(data)/3), flipped(data, len(data)-1))
			}
		}
		for at, bad := range changes {
			t.Run(fmt.Sprintf("%s/%d", name, at), func(t *testing.T) {
				t.Parallel()
				other := t.TempDir()
				if err := os.CopyFS(other, whole); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(other, filepath.FromSlash(name)), bad, 0o600); err != nil {
					t.Fatal(err)
				}
				q := open(t, other)
				f(t, q)
				q.Close()
			})
		}
		return nil
	})
	if files < 10 {
		t.Errorf("%d files: expected those of six streams", files)
	}
}

func flipped(data []byte, at int) []byte {
	b := bytes.Clone(data)
	b[at] ^= 0x55
	return b
}
