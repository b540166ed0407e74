package queue

import (
	"context"
	"testing"
	"time"
)

// A worker gets items of the classes that are assigned to it, whatever it asks for.
func TestAssign(t *testing.T) {
	s := start(t, Options{AckWait: testAckWait, Assigned: func(string) []string { return []string{} }})
	q := connect(t, s.Connection())
	startWorker(t, s.Connection(), Worker{ID: "w1", Classes: []string{"c", "d"}, Slots: 2}, echo)
	p := submit(t, q, item("a"))[0]
	inD := item("in-d")
	inD.Class = "d"
	other := submit(t, q, inD)[0]
	await(t, "a slot of w1", func() bool { slots, _, _ := s.dispatcher.board.counts(); return slots == 2 })
	if n := s.Counts().Given; n != 0 {
		t.Errorf("a worker without classes was given %d items, expected none", n)
	}
	s.Assign("w1", "d") // a slot that waits gets the item at once
	if v := verdict(t, other); v.Worker != "w1" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
	if n := s.Counts().Given; n != 1 {
		t.Errorf("a worker of class d was given %d items, expected 1", n)
	}
	s.Assign("w1", "c", "d")
	if v := verdict(t, p); v.Worker != "w1" {
		t.Errorf("verdict %+v, expected that of w1", v)
	}
}

// The items of a worker that gets no more of them go to others, and what it still sends
// does not count.
func TestTakenOut(t *testing.T) {
	s := start(t, Options{AckWait: testAckWait})
	q := connect(t, s.Connection())
	began, stopped := make(chan struct{}, 8), make(chan bool, 8)
	startWorker(t, s.Connection(), Worker{ID: "w1", Slots: 2}, func(ctx context.Context, d *Delivery) error {
		began <- struct{}{}
		if d.Item.ID == "late" {
			<-ctx.Done()
			stopped <- true
			return ctx.Err()
		}
		<-stopped
		won, err := d.Verdict(context.WithoutCancel(ctx), []byte("too late"))
		if won {
			t.Error("the verdict of a worker that was taken out counts")
		}
		return err
	})
	late, second := submit(t, q, item("late"))[0], submit(t, q, item("second"))[0]
	<-began
	<-began
	s.Assign("w1")
	startWorker(t, s.Connection(), Worker{ID: "w2"}, echo)
	for _, p := range []*Pending{late, second} {
		if v := verdict(t, p); v.Worker != "w2" {
			t.Errorf("verdict %+v, expected that of w2", v)
		}
	}
	if w := s.Workers()[0]; w.Lost != 0 || w.Busy != 0 {
		t.Errorf("%+v, expected nothing lost", w)
	}
}

// await waits until a condition is true.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 20 s", what)
		}
	}
}
