package queue

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// On a full disk no items are taken; those that wait, and the queue, go on when there is room.
// With little room it does not start, and says what it needs.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("queue-test", dir, "tmpfs", 0, "size=48m"); err != nil {
		t.Skip("mounting a file system needs root: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	o := Options{Dir: filepath.Join(dir, "queue"), Room: 8 << 20}
	q := start(t, o)
	startWorker(t, q, crew{ID: "w", Slots: 2}, echo)
	verdict(t, submit(t, q, item("before"))[0])
	fill, err := os.Create(filepath.Join(dir, "fill"))
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	fill.Close()
	if err := q.Ready(); err == nil || !strings.Contains(err.Error(), "0 MiB are free: expected at least 8 MiB") {
		t.Errorf("%v: expected that the disk is full", err)
	}
	// What others have begun is written, or waits.
	waiting := make(chan Verdict, 20)
	for i := range cap(waiting) {
		it := item(string(rune('a' + i)))
		it.Payload = append([]byte("0 "), make([]byte, 60_000)...)
		go func() {
			p, err := q.Submit(context.WithoutCancel(t.Context()), it)
			if err != nil {
				t.Error(err)
				waiting <- Verdict{}
				return
			}
			v, err := p.Verdict(context.WithoutCancel(t.Context()))
			if err != nil {
				t.Error(err)
			}
			waiting <- v
		}()
	}
	logged := make(chan error, 10)
	for i := range cap(logged) {
		go func() {
			_, err := q.Write(context.WithoutCancel(t.Context()), string(rune('a'+i)), Entry{0, "kind", make([]byte, 60_000)})
			logged <- err
		}()
	}
	await(t, "a write that fails", func() bool { return q.full.Load() != nil })
	if err := q.Ready(); err == nil || !strings.Contains(err.Error(), "JetStream cannot write") {
		t.Errorf("%v: expected that JetStream cannot write", err)
	}
	time.Sleep(3 * time.Second) // more than AckWait
	if err := os.Remove(fill.Name()); err != nil {
		t.Fatal(err)
	}
	for range cap(waiting) {
		if v := <-waiting; len(v.Payload) < 60_000 || v.Err != "" {
			t.Errorf("%d bytes, %q: expected the verdict", len(v.Payload), v.Err)
		}
	}
	for range cap(logged) {
		if err := <-logged; err != nil {
			t.Errorf("an entry: %v", err)
		}
	}
	if err := q.Ready(); err != nil {
		t.Errorf("with room again: %v", err)
	}
	q.Close()
	q = start(t, o)
	for i := range cap(logged) {
		if e, err := q.Entry(t.Context(), string(rune('a'+i))); err != nil || len(e.Data) != 60_000 {
			t.Errorf("after a restart: an entry of %d bytes, %v", len(e.Data), err)
		}
	}
	entries, _, err := q.link().entries.main.read(t.Context())
	copies, _, copiesErr := q.link().entries.copies.read(t.Context())
	if err != nil || copiesErr != nil || !maps.Equal(entries, copies) {
		t.Errorf("entries %v, copies %v, %v, %v: expected equal ones", entries, copies, err, copiesErr)
	}
	// The disk has room, and does not write.
	probe := filepath.Join(o.Dir, "probe")
	if err := os.Mkdir(probe, 0o700); err != nil || q.writable() {
		t.Errorf("%v: the disk writes: expected that it does not", err)
	}
	if err := os.Remove(probe); err != nil || !q.writable() {
		t.Errorf("%v: expected that the disk writes", err)
	}
	q.Close()
	o.Room = 1 << 30
	if q, err := Start(t.Context(), o); err == nil || !strings.Contains(err.Error(), "queue: "+o.Dir+": ") || !strings.Contains(err.Error(), "expected at least 1024 MiB") {
		t.Errorf("a start without room: %v", err)
		if err == nil {
			q.Close()
		}
	}
}
