package queue

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestVerdictAndResults(t *testing.T) {
	s := start(t, Options{})
	q := connect(t, s.Connection())
	startWorker(t, s.Connection(), Worker{ID: "w1"}, func(ctx context.Context, d *Delivery) error {
		for i := range 20 {
			if err := d.Result(ctx, fmt.Appendf(nil, "part %d", i)); err != nil {
				return err
			}
		}
		won, err := d.Verdict(ctx, []byte("done"))
		if !won {
			t.Error("the only verdict does not count")
		}
		return err
	})
	p := submit(t, q, item("a.b c/ä"))[0]
	var got []string
	for r := range p.Results(t.Context()) {
		got = append(got, string(r.Payload))
	}
	if len(got) != 20 || got[0] != "part 0" || !slices.IsSortedFunc(got, func(x, y string) int { return len(x) - len(y) }) {
		t.Errorf("results: %q", got)
	}
	expect := Verdict{Worker: "w1", Attempt: 1, Payload: []byte("done"), Results: 20}
	if diff := cmp.Diff(expect, verdict(t, p)); diff != "" {
		t.Errorf("verdict (-expected +got):\n%s", diff)
	}
	waitEmpty(t, q)
}

// waitEmpty waits until no item is in the stream.
func waitEmpty(t *testing.T, q *Queue) {
	t.Helper()
	var s Stats
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var err error
		if s, err = q.Stats(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.Depth == 0 {
			return
		}
	}
	t.Fatalf("%d items remain in the stream", s.Depth)
}

// A second submission neither runs again nor relies on the window of deduplication.
func TestSubmitTwice(t *testing.T) {
	s := start(t, Options{})
	q, r := connect(t, s.Connection()), connect(t, s.Connection())
	submit(t, q, item("a"))
	time.Sleep(300 * time.Millisecond) // the window is 100 ms
	submit(t, q, item("a"))
	submit(t, r, item("a"))
	if s, err := q.Stats(t.Context()); err != nil || s.Depth != 1 {
		t.Fatalf("the same item three times: depth %d, %v; expected 1", s.Depth, err)
	}
	var runs atomic.Int64
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(ctx context.Context, d *Delivery) error {
		runs.Add(1)
		return echo(ctx, d)
	})
	verdict(t, submit(t, q, item("a"))[0])
	waitEmpty(t, q)
	again := verdict(t, submit(t, q, item("a"))[0])
	if string(again.Payload) != "verdict of 0 a" || runs.Load() != 1 {
		t.Errorf("submitted after its verdict: %+v after %d runs; expected the verdict of the only run", again, runs.Load())
	}
}

func TestBadItems(t *testing.T) {
	s := start(t, Options{})
	q := connect(t, s.Connection())
	for name, change := range map[string]func(*Item){
		"Client has 0 bytes":   func(it *Item) { it.Client = "" },
		"Cell has 129 bytes":   func(it *Item) { it.Cell = strings.Repeat("x", 129) },
		"expected valid UTF-8": func(it *Item) { it.ID = "\xff" },
		"payload has 65537 by": func(it *Item) { it.Payload = make([]byte, MaxPayload+1) },
	} {
		it := item("bad")
		change(&it)
		if _, err := q.Submit(t.Context(), it); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Submit: %v; expected an error with %q", err, name)
		}
	}
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(ctx context.Context, d *Delivery) error {
		if err := d.Result(ctx, make([]byte, MaxVerdict+1)); err == nil {
			t.Error("a result of MaxVerdict+1 bytes is accepted")
		}
		_, err := d.Verdict(ctx, make([]byte, MaxVerdict))
		return err
	})
	it := item("large")
	it.Payload = make([]byte, MaxPayload)
	if v := verdict(t, submit(t, q, it)[0]); len(v.Payload) != MaxVerdict {
		t.Errorf("verdict of %d bytes, expected %d", len(v.Payload), MaxVerdict)
	}
}

// All names may have any letters, up to MaxName bytes.
func TestLongestNames(t *testing.T) {
	s := start(t, Options{})
	name := func(letter string) string { return strings.Repeat(letter, MaxName) }
	it := Item{ID: name("."), Class: name("*"), Language: name(">"), Client: name(" "), Cell: name("$"), Payload: []byte("0 x")}
	c := s.Connection()
	c.Name = name("/")
	q := connect(t, c)
	startWorker(t, s.Connection(), Worker{ID: name("\n"), Classes: []string{it.Class}, Languages: []string{it.Language}}, echo)
	p := submit(t, q, it)[0]
	if v := verdict(t, p); v.Worker != name("\n") || v.Results != 1 {
		t.Errorf("verdict %+v", v)
	}
	n := 0
	for range p.Results(t.Context()) {
		n++
	}
	if n != 1 {
		t.Errorf("%d results, expected 1", n)
	}
}

// Each client waits for about one item per slot, whatever the others have submitted.
func TestFairBetweenClients(t *testing.T) {
	const slots, many = 4, 3000
	s := start(t, Options{})
	q := connect(t, s.Connection())
	var items []Item
	for i := range many {
		it := item(fmt.Sprintf("alice%d", i))
		it.Language = []string{"go", "c++", "python"}[i%3] // more languages are no advantage
		items = append(items, it)
	}
	submit(t, q, items...)
	var mu sync.Mutex
	var order []string
	gate := make(chan struct{})
	startWorker(t, s.Connection(), Worker{ID: "w", Slots: slots, Languages: []string{"go", "c++", "python"}}, func(ctx context.Context, d *Delivery) error {
		mu.Lock()
		order = append(order, d.Item.ID)
		n := len(order)
		mu.Unlock()
		if n <= 100 {
			<-gate
		}
		return echo(ctx, d)
	})
	for range 40 {
		gate <- struct{}{}
	}
	for started := 0; started < 40+slots; { // until every slot is taken
		time.Sleep(time.Millisecond)
		mu.Lock()
		started = len(order)
		mu.Unlock()
	}
	bob, urgent := item("bob"), item("urgent")
	bob.Client = "bob"
	urgent.Priority = true
	p := submit(t, q, urgent, bob)
	await(t, "the items of bob and the urgent one", func() bool {
		n := 0
		for _, parcel := range s.dispatcher.board.all(false) {
			if parcel.item.ID == urgent.ID || parcel.item.ID == bob.ID {
				n++
			}
		}
		return n == 2
	})
	// One slot is free at a time, so items start in the order in which they are given.
	var next []string
	for range slots {
		mu.Lock()
		before := len(order)
		mu.Unlock()
		gate <- struct{}{}
		await(t, "the start of the next item", func() bool {
			mu.Lock()
			defer mu.Unlock()
			if len(order) > before {
				next = append(next, order[before])
			}
			return len(order) > before
		})
	}
	if next[0] != urgent.ID {
		t.Errorf("the next items were %q, expected the priority item first", next)
	}
	if !slices.Contains(next, bob.ID) {
		t.Errorf("the next items were %q, expected the only item of a client among them", next)
	}
	close(gate)
	verdict(t, p[0])
	verdict(t, p[1])
}

// waitReady waits until n items are ready for slots.
func waitReady(t *testing.T, s *Server, n int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, ready := s.Load(); ready >= n {
			return
		}
	}
	t.Fatalf("fewer than %d items are ready", n)
}

func TestWorkersGetWhatTheyCanRun(t *testing.T) {
	s := start(t, Options{})
	q := connect(t, s.Connection())
	for _, w := range []Worker{
		{ID: "a-go", Classes: []string{"a"}, Languages: []string{"go"}},
		{ID: "a-cpp", Classes: []string{"a"}, Languages: []string{"c++", "c"}},
		{ID: "b", Classes: []string{"b.1"}, Languages: []string{}}, // all languages
	} {
		startWorker(t, s.Connection(), w, echo)
	}
	var items []Item
	expect := make(map[string]string)
	for i := range 60 {
		it := item(fmt.Sprint("i", i))
		it.Class, it.Language = []string{"a", "b.1"}[i%2], []string{"go", "c++", "c"}[i/2%3]
		items = append(items, it)
		switch {
		case it.Class == "b.1":
			expect[it.ID] = "b"
		case it.Language == "go":
			expect[it.ID] = "a-go"
		default:
			expect[it.ID] = "a-cpp"
		}
	}
	for _, p := range submit(t, q, items...) {
		if v := verdict(t, p); v.Worker != expect[p.Item.ID] {
			t.Errorf("%s (%s, %s) ran on %s, expected %s", p.Item.ID, p.Item.Class, p.Item.Language, v.Worker, expect[p.Item.ID])
		}
	}
}

func TestCancel(t *testing.T) {
	s := start(t, Options{})
	q := connect(t, s.Connection())
	started := make(chan string, 4)
	stopped := make(chan error, 1)
	startWorker(t, s.Connection(), Worker{ID: "w"}, func(ctx context.Context, d *Delivery) error {
		started <- d.Item.ID
		if d.Item.ID != "running" {
			return echo(ctx, d)
		}
		<-ctx.Done()
		stopped <- context.Cause(ctx)
		return ctx.Err()
	})
	running := submit(t, q, item("running"))[0]
	<-started
	waiting := submit(t, q, item("waiting"))[0]
	for _, p := range []*Pending{waiting, running} {
		if err := p.Cancel(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Verdict(t.Context()); !errors.Is(err, ErrCancelled) {
			t.Errorf("Verdict of the cancelled item %s: %v, expected ErrCancelled", p.Item.ID, err)
		}
	}
	select {
	case err := <-stopped:
		if !errors.Is(err, ErrCancelled) {
			t.Errorf("the handler was ended by %v, expected ErrCancelled", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the handler of a cancelled item is not stopped")
	}
	waitEmpty(t, q)
	// The ID can be used again.
	verdict(t, submit(t, q, item("waiting"))[0])
	if id := <-started; id != "waiting" {
		t.Errorf("%s was started", id)
	}
}

// A drained worker finishes what it runs; a stopped one gives it back at once, which
// is not counted against the item.
func TestDrainAndStop(t *testing.T) {
	s := start(t, Options{AckWait: DefaultAckWait})
	q := connect(t, s.Connection())
	for round := range 4 {
		started := make(chan struct{})
		stop := startWorker(t, s.Connection(), Worker{ID: fmt.Sprint("w", round)}, func(ctx context.Context, d *Delivery) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		})
		if round == 0 {
			submit(t, q, item("a"))
		}
		<-started
		stop()
	}
	drain := make(chan struct{})
	startWorker(t, s.Connection(), Worker{ID: "last", Drain: drain}, func(ctx context.Context, d *Delivery) error {
		close(drain)
		time.Sleep(50 * time.Millisecond)
		return echo(ctx, d)
	})
	if v := verdict(t, submit(t, q, item("a"))[0]); v.Attempt != 5 || v.Err != "" {
		t.Errorf("verdict %+v, expected that of attempt 5", v)
	}
}

// judge itself speaks HTTP only.
func TestJudgeDoesNotLinkNATS(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "crucible/judge/cmd/judge").Output()
	if err != nil {
		t.Skip("no go command:", err)
	}
	for _, p := range strings.Fields(string(out)) {
		if strings.Contains(p, "nats-io") || p == "crucible/judge/serve/server/queue" {
			t.Errorf("judge/cmd/judge links %s", p)
		}
	}
}
