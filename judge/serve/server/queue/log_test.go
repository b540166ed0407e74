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

	"crucible/judge/internal/testkit"
)

func TestLog(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	large := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // 640 KB
	for _, e := range []Entry{{1, "accepted", []byte("a")}, {2, "ended", large}} {
		if err := q.Append(t.Context(), "x", e); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Append(t.Context(), "y.*>", Entry{1, "accepted", nil}); err != nil {
		t.Fatal(err)
	}
	if err := q.Append(t.Context(), "x", Entry{2, "ended", []byte("second")}); !errors.Is(err, ErrTaken) {
		t.Errorf("a second entry 2: %v, expected %v", err, ErrTaken)
	}
	for range 2 { // the answer to the first one was lost
		if err := q.write(t.Context(), partName("writer", 0), "", large[:9]); err != nil {
			t.Errorf("the part of an entry: %v", err)
		}
	}
	check := func(q *Queue) {
		t.Helper()
		last, err := q.Last(t.Context(), "x")
		if err != nil || last.Number != 2 || last.Kind != "ended" || !bytes.Equal(last.Data, large) {
			t.Errorf("the last entry: %d %s, %d bytes, %v: expected the one with many", last.Number, last.Kind, len(last.Data), err)
		}
		if e, err := q.Entry(t.Context(), "x", 1); err != nil || e.Kind != "accepted" || string(e.Data) != "a" {
			t.Errorf("entry 1: %+v, %v", e, err)
		}
		if e, err := q.Last(t.Context(), "z"); err != nil || e.Number != 0 {
			t.Errorf("a log without entries: %+v, %v", e, err)
		}
		tails, err := q.Tails(t.Context(), "ended")
		if err != nil || len(tails) != 1 || tails["y.*>"].Number != 1 || tails["y.*>"].Kind != "accepted" {
			t.Errorf("tails %v, %v: expected that of y", tails, err)
		}
	}
	check(q)
	q.Close()
	q = open(t, dir)
	check(q)
}

// Entries are kept for Options.Keep.
func TestLogKeep(t *testing.T) {
	q, err := Start(t.Context(), Options{Dir: t.TempDir(), Keep: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Append(t.Context(), "x", Entry{1, "ended", make([]byte, 2*maxPart)}); err != nil {
		t.Fatal(err)
	}
	if e, err := q.Last(t.Context(), "x"); err != nil || e.Number != 1 {
		t.Errorf("%d, %v: expected the entry", e.Number, err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		of, err := q.link().entries.Info(t.Context())
		copies, copiesErr := q.link().copies.Info(t.Context())
		if err == nil && copiesErr == nil && of.State.Msgs == 0 && copies.State.Msgs == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("after 30 s the entry is still kept: ", err)
		}
	}
	if e, err := q.Last(t.Context(), "x"); err != nil || e.Number != 0 {
		t.Errorf("%d, %v: expected none", e.Number, err)
	}
}

func open(t *testing.T, dir string) *Queue {
	t.Helper()
	q, err := Start(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// Whatever byte of the folder changes or is cut off, each entry is read as it was written, or
// is an error.
func TestDamagedLog(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir)
	const logs = 20
	text := func(i, n int) string { return strings.Repeat(fmt.Sprintf("entry %d of log %d; ", n, i), 10) }
	for i := range logs {
		for n := range 2 {
			if err := q.Append(t.Context(), fmt.Sprint(i), Entry{n + 1, "kind", []byte(text(i, n+1))}); err != nil {
				t.Fatal(err)
			}
		}
	}
	q.Close()
	damaged := 0
	eachDamage(t, dir, func(t *testing.T, q *Queue) {
		for i := range logs {
			for n := 1; n <= 2; n++ {
				e, err := q.Entry(t.Context(), fmt.Sprint(i), n)
				switch {
				case errors.Is(err, ErrDamaged):
					damaged++
				case err != nil || string(e.Data) != text(i, n):
					t.Errorf("entry %d of log %d: %q, %v", n, i, e.Data, err)
				}
			}
			if e, err := q.Last(t.Context(), fmt.Sprint(i)); err != nil && !errors.Is(err, ErrDamaged) || e.Number != 2 {
				t.Errorf("the last entry of log %d: number %d, %v", i, e.Number, err)
			}
		}
	})
	t.Logf("%d entries read as damaged", damaged)
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
		changes := [][]byte{flipped(data, len(data)/3), data[:len(data)/2]}
		if !testkit.FewRows() {
			changes = append(changes, flipped(data, 0), flipped(data, len(data)-1), data[:len(data)-1], nil)
		}
		for at, bad := range changes {
			t.Run(fmt.Sprintf("%s/%d", name, at), func(t *testing.T) {
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
