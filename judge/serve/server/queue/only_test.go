package queue

import (
	"fmt"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
)

// An item that only one worker gets reaches it, also if other workers wait and other processes
// bring items from the stream.
func TestOnlyWorker(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	first := start(t, Options{URL: url, AckWait: 2 * time.Second, Name: "first"})
	second := start(t, Options{URL: url, AckWait: 2 * time.Second, Name: "second"})
	startWorker(t, first, crew{ID: "a", Slots: 2}, echo)
	startWorker(t, first, crew{ID: "other", Slots: 2}, echo)
	startWorker(t, second, crew{ID: "b", Slots: 2}, echo)
	var all []*Pending
	for i := range 8 {
		it := item(fmt.Sprint(i))
		it.Worker = []string{"a", "b"}[i%2]
		if i >= 6 {
			it.Avoid = []string{it.Worker} // there is no other one
		}
		all = append(all, submit(t, first, it)...)
	}
	for _, p := range all {
		if v := verdict(t, p); v.Worker != p.Item.Worker {
			t.Errorf("item %s was executed by %s: expected %s", p.Item.ID, v.Worker, p.Item.Worker)
		}
	}
}
