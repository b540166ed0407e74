package queue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/testnats"
)

// What workers do at one server is known to another one, also to one that starts later.
func TestWorkersOfOtherServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a := start(t, Options{URL: url, Name: "a"})
	b := start(t, Options{URL: url, Name: "b"})
	startWorker(t, a, crew{ID: "w", Slots: 2}, echo)
	await(t, "worker w at b", func() bool { return b.Others("c", "go", nil) })
	if b.Others("c", "go", []string{"w"}) || b.Others("c", "cobol", nil) || b.Others("d", "go", nil) {
		t.Error("b knows other workers than w, or other classes or languages")
	}
	await(t, "two polls at b", func() bool { polls, _ := b.Load(); return polls == 2 })
	held := item("held")
	held.Payload = []byte("20000 held")
	var all []*Pending
	for _, it := range []Item{item("1"), item("2"), held} {
		all = append(all, submit(t, b, it)...)
	}
	verdict(t, all[0])
	verdict(t, all[1])
	is := func(q *Queue, busy int, done int64) func() bool {
		return func() bool {
			w := q.Workers()
			return len(w) == 1 && w[0].Worker == "w" && w[0].Busy == busy && w[0].Done == done && time.Since(w[0].Seen) < 20*time.Second
		}
	}
	await(t, "a busy worker with 2 verdicts at b", is(b, 1, 2))
	await(t, "the same at a server that starts", is(start(t, Options{URL: url, Name: "later"}), 1, 2))
	if err := all[2].Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	startWorker(t, b, crew{ID: "w", Slots: 1}, echo)
	all = nil
	for i := range 20 {
		all = append(all, submit(t, b, item(fmt.Sprint("more", i)))...)
	}
	for _, p := range all {
		verdict(t, p)
	}
	await(t, "the sum of verdicts at a", is(a, 0, 22))
	await(t, "the sum of verdicts at b", is(b, 0, 22))
	a.Close()
	if w := b.Workers(); len(w) != 1 || w[0].Done != 22 {
		t.Errorf("%+v after the end of server a: expected worker w with 22 verdicts", w)
	}
}

// Items that a server has fetched for workers which now ask another server, or which are slow,
// go to the other one.
func TestItemsGoToOtherServers(t *testing.T) {
	t.Parallel()
	url := testnats.One(t)
	a := start(t, Options{URL: url, Name: "a"})
	b := start(t, Options{URL: url, Name: "b"})
	stop := startWorker(t, a, crew{ID: "w", Slots: 1}, echo)
	verdict(t, submit(t, a, item("first"))[0])
	stop()
	startWorker(t, b, crew{ID: "w", Slots: 1}, echo)
	verdict(t, submit(t, a, item("second"))[0])

	slow := item("slow")
	slow.Payload, slow.Worker = []byte("60000 slow"), "v"
	startWorker(t, a, crew{ID: "v", Slots: 1}, echo)
	submit(t, a, slow)
	await(t, "a busy worker", func() bool {
		return slices.ContainsFunc(a.Workers(), func(w WorkerState) bool { return w.Worker == "v" && w.Busy == 1 })
	})
	var all []*Pending
	for i := range 8 {
		all = append(all, submit(t, a, item(fmt.Sprint("more", i)))...)
	}
	for _, p := range all {
		verdict(t, p)
	}
}

// Messages stay small however many workers there are, and those that are wrong are ignored.
func TestPresences(t *testing.T) {
	now := time.Now()
	a := &Queue{Options: Options{Name: "a"}, presence: make(map[string]*WorkerState)}
	b := start(t, Options{})
	languages := strings.Split(strings.Repeat("language ", 200), " ")
	for i := range 300 {
		s := a.worker(fmt.Sprint("w", i))
		s.Seen, s.poll = now, &Poll{Classes: []string{"c"}, Languages: languages}
	}
	a.worker("w0").poll.Languages = slices.Repeat([]string{strings.Repeat("x", 300)}, 500)
	all := a.presences(now)
	for _, m := range all {
		data, err := json.Marshal(m)
		if err != nil || len(data) > 2*maxSaid {
			t.Errorf("a message of %d bytes, %v: expected at most %d", len(data), err, 2*maxSaid)
		}
		b.hear(data)
	}
	if n := len(b.Workers()); n != 300 || len(all) < 3 {
		t.Errorf("%d workers in %d messages: expected 300 in several", n, len(all))
	}
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{sayEach, 0}, {sayAgain, 300}, {2 * PollTime, 300}, {3 * PollTime, 0}} {
		n := 0
		for _, m := range a.presences(now.Add(tt.after)) {
			n += len(m.Workers)
		}
		if n != tt.want {
			t.Errorf("%d workers after %v: expected %d", n, tt.after, tt.want)
		}
	}
	for _, bad := range []string{
		``, `{}`, `{"server":"x","workers":[{"worker":""}]}`, `{"server":"x","workers":[{"worker":"w","busy":-1}]}`,
		`{"server":"x","workers":[{"worker":"w","age":-1}]}`, `{"server":"x","polls":-1}`, `{"server":"x","workers":[7]}`,
		`{"server":"` + strings.Repeat("x", MaxName+1) + `","workers":[{"worker":"w"}]}`,
		`{"server":"x","workers":[{"worker":"` + strings.Repeat("x", MaxName+1) + `"}]}`,
	} {
		b.hear([]byte(bad))
	}
	if n := len(b.Workers()); n != 300 {
		t.Errorf("%d workers after wrong messages: expected 300", n)
	}
}
