package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/serve/worker"
)

func TestVerdictAndResults(t *testing.T) {
	q := start(t, Options{})
	startWorker(t, q, crew{ID: "w1"}, func(ctx context.Context, d *worker.Delivery) error {
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
	expect := Verdict{Worker: "w1", Delivery: 1, Payload: []byte("done"), Results: 20}
	if diff := cmp.Diff(expect, verdict(t, p)); diff != "" {
		t.Errorf("verdict (-expected +got):\n%s", diff)
	}
	awaitEmpty(t, q)
}

// A second submission neither runs again nor relies on the window of deduplication.
func TestSubmitTwice(t *testing.T) {
	dir := t.TempDir()
	q := start(t, Options{Dir: dir})
	kept := item("a")
	kept.Kept = true
	submit(t, q, kept)
	time.Sleep(300 * time.Millisecond) // the window is 100 ms
	submit(t, q, kept)
	q.Close()
	q = start(t, Options{Dir: dir})
	submit(t, q, kept)
	if s, err := q.Stats(t.Context()); err != nil || s.Depth != 1 {
		t.Fatalf("the same item three times: depth %d, %v; expected 1", s.Depth, err)
	}
	var runs atomic.Int64
	startWorker(t, q, crew{ID: "w"}, func(ctx context.Context, d *worker.Delivery) error {
		runs.Add(1)
		return echo(ctx, d)
	})
	verdict(t, submit(t, q, kept)[0])
	awaitEmpty(t, q)
	p := submit(t, q, kept)[0]
	again, results := verdict(t, p), 0
	for range p.Results(t.Context()) {
		results++
	}
	if string(again.Payload) != "verdict of 0 a" || runs.Load() != 1 || results != 1 {
		t.Errorf("submitted after its verdict: %+v, %d results after %d runs; expected those of the only run", again, results, runs.Load())
	}
}

// Items that nobody will ask for again leave the queue: those of an earlier process at once,
// and those that were kept for a judgement when nobody has submitted them for some time.
func TestLeftItems(t *testing.T) {
	dir := t.TempDir()
	q := start(t, Options{Dir: dir})
	kept := item("kept")
	kept.Kept = true
	submit(t, q, item("a"), item("b"), kept)
	q.Close()
	q = start(t, Options{Dir: dir, Sweep: 100 * time.Millisecond})
	s, err := q.Stats(t.Context())
	if err != nil || s.Depth != 1 {
		t.Errorf("%d items, %v; expected the one that is kept", s.Depth, err)
	}
	open := item("open")
	open.Kept = true
	p := submit(t, q, open)[0]
	awaitItems := func(want string) {
		await(t, "only "+want, func() bool {
			h, err := q.History(t.Context())
			return err == nil && strings.Join(h.Waiting, " ") == want
		})
	}
	awaitItems("open")
	startWorker(t, q, crew{ID: "w"}, echo)
	verdict(t, p)
	awaitItems("")
}

func TestBadItems(t *testing.T) {
	q := start(t, Options{})
	for name, change := range map[string]func(*Item){
		"Client has 0 bytes":   func(it *Item) { it.Client = "" },
		"Class has 129 bytes":  func(it *Item) { it.Class = strings.Repeat("x", 129) },
		"expected valid UTF-8": func(it *Item) { it.ID = "\xff" },
		"payload has 65537 by": func(it *Item) { it.Payload = make([]byte, MaxPayload+1) },
	} {
		it := item("bad")
		change(&it)
		if _, err := q.Submit(t.Context(), it); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Submit: %v; expected an error with %q", err, name)
		}
	}
	if err := q.Result(t.Context(), "w", "bad.1", 0, make([]byte, MaxVerdict+1)); err == nil || !strings.Contains(err.Error(), "at most 245760 bytes") {
		t.Errorf("a result of MaxVerdict+1 bytes: %v", err)
	}
}

// No message is larger than MaxMessage: an answer that is has several.
func TestLargeAnswer(t *testing.T) {
	q := start(t, Options{})
	first, last := bytes.Repeat([]byte("0123456789"), 60_000), bytes.Repeat([]byte("abcdef"), 120_000)
	startWorker(t, q, crew{ID: "w"}, func(ctx context.Context, d *worker.Delivery) error {
		if err := d.Result(ctx, first); err != nil {
			return err
		}
		_, err := d.Verdict(ctx, last)
		return err
	})
	it := item("large")
	it.Payload = make([]byte, MaxPayload)
	p := submit(t, q, it)[0]
	v := verdict(t, p)
	var got []byte
	for r := range p.Results(t.Context()) {
		got = append(got, r.Payload...)
		if len(r.Payload) > MaxVerdict {
			t.Errorf("a message of %d bytes: expected at most %d", len(r.Payload), MaxVerdict)
		}
	}
	if got = append(got, v.Payload...); !bytes.Equal(got, append(first, last...)) || v.Results != 5 {
		t.Errorf("%d bytes in %d messages: expected the %d that were sent, in 5 and the verdict", len(got), v.Results, len(first)+len(last))
	}
}

// All names may have any letters, up to MaxName bytes.
func TestLongestNames(t *testing.T) {
	name := func(letter string) string { return strings.Repeat(letter, MaxName) }
	it := Item{ID: name("."), Class: name("*"), Language: name(">"), Client: name(" "), Payload: []byte("0 x")}
	q := start(t, Options{Name: name("/")})
	startWorker(t, q, crew{ID: name("\n"), Classes: []string{it.Class}, Languages: []string{it.Language}}, echo)
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
	const slots, many = 4, 300
	q := start(t, Options{})
	all := make(chan *Pending, many)
	for i := range many {
		it := item(fmt.Sprintf("alice%d", i))
		it.Language = []string{"go", "c++", "python"}[i%3] // more languages are no advantage
		go func() {
			p, err := q.Submit(context.WithoutCancel(t.Context()), it)
			if err != nil {
				t.Error(err)
			}
			all <- p
		}()
	}
	began := make(chan string)
	gate := make(chan struct{})
	startWorker(t, q, crew{ID: "w", Slots: slots, Languages: []string{"go", "c++", "python"}}, func(ctx context.Context, d *worker.Delivery) error {
		select {
		case began <- itemOf(d):
			<-gate
		case <-gate:
		}
		return echo(ctx, d)
	})
	for range slots {
		<-began
	}
	bob := item("bob")
	bob.Client = "bob"
	p := submit(t, q, bob)[0]
	await(t, "the item of bob", func() bool {
		return slices.ContainsFunc(q.room.all(), func(e entry) bool { return e.item.ID == "bob" })
	})
	// One slot is free at a time, so items begin in the order in which they are given.
	var next []string
	for range slots {
		gate <- struct{}{}
		next = append(next, <-began)
	}
	if !slices.Contains(next, "bob") {
		t.Errorf("the next items were %q, expected the only item of a client among them", next)
	}
	close(gate)
	verdict(t, p)
	for range many {
		verdict(t, <-all)
	}
}

// Of the items of a client that wait, the one of the highest priority goes first; it is before
// those of others only if it is the turn of its client.
func TestPriority(t *testing.T) {
	q := start(t, Options{})
	add := func(id, client string, priority int) {
		it := item(id)
		it.Client, it.Priority = client, priority
		submit(t, q, it)
	}
	lease := func() string {
		t.Helper()
		l, err := q.Lease(t.Context(), poll("w", 1))
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		return l.Item.ID
	}
	add("first", "ann", 0)
	lease()
	for i, id := range []string{"low", "same", "later", "high"} {
		add(id, "ann", []int{-10, 0, 0, 10}[i])
	}
	add("bob", "bob", -10)
	await(t, "all wait here", func() bool { return len(q.room.all()) == 5 })
	var got []string
	for range 5 {
		got = append(got, lease())
	}
	if want := []string{"bob", "high", "same", "later", "low"}; !slices.Equal(got, want) {
		t.Errorf("leased %q: expected %q", got, want)
	}
}

// However many clients there are, the number of consumers is that of the classes.
func TestManyClients(t *testing.T) {
	const clients = 1010
	q := start(t, Options{AckWait: 12 * time.Second})
	languages := []string{"go", "c++", "c", "python"}
	startWorker(t, q, crew{ID: "w", Slots: 8, Classes: []string{"c", "d"}, Languages: languages}, func(ctx context.Context, d *worker.Delivery) error {
		_, err := d.Verdict(ctx, nil)
		return err
	})
	var all []*Pending
	for i := range clients {
		it := item(fmt.Sprint(i))
		it.Client, it.Class, it.Language = fmt.Sprint("client", i), []string{"c", "d"}[i%2], languages[i/2%4]
		all = append(all, submit(t, q, it)...)
	}
	for _, p := range all {
		verdict(t, p)
	}
	if s, err := q.Stats(t.Context()); err != nil || s.Consumers != 2 {
		t.Errorf("%+v, %v: expected two consumers for two classes", s, err)
	}
}

// Nobody waits for a place when there is one, however clients come and go.
func TestGateOfManyGoesOn(t *testing.T) {
	var g Gate
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for i := range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%10 == 0 {
					cancel()
				}
				if g.Enter(ctx, "alice", 1+i%3, i%2) == nil {
					g.Leave("alice")
				}
				cancel()
			}
		})
	}
	all.Wait()
	if len(g.clients) > 0 {
		t.Errorf("%d gates of clients without items", len(g.clients))
	}
}

// What waits enters by its priority, and then by its age; that of other clients does not wait
// for it.
func TestGateOrder(t *testing.T) {
	var g Gate
	enter := func(client string, priority int) error { return g.Enter(t.Context(), client, 1, priority) }
	if err := enter("alice", 0); err != nil {
		t.Fatal(err)
	}
	waiting := func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.clients["alice"].waiting)
	}
	entered := make(chan string)
	ctx, cancel := context.WithCancel(t.Context())
	for i, priority := range []int{0, -1, 5, 0, 10, 9, -1, 5} {
		of := t.Context()
		if priority == 9 {
			of = ctx
		}
		go func() {
			if g.Enter(of, "alice", 1, priority) == nil {
				entered <- fmt.Sprint(priority, "/", i)
			} else {
				entered <- "none"
			}
		}()
		for waiting() <= i {
			runtime.Gosched()
		}
	}
	cancel()
	if got := <-entered; got != "none" {
		t.Errorf("%s has entered: expected the end of the one that is cancelled", got)
	}
	if err := enter("bob", -10); err != nil {
		t.Fatal(err)
	}
	g.Leave("bob")
	var order []string
	for range 7 {
		g.Leave("alice")
		order = append(order, <-entered)
	}
	if want := "10/4 5/2 5/7 0/0 0/3 -1/1 -1/6"; strings.Join(order, " ") != want {
		t.Errorf("%q: expected %s", order, want)
	}
	if g.Leave("alice"); len(g.clients) > 0 {
		t.Errorf("%d gates of clients without items", len(g.clients))
	}
}

// A client has a number of items in the stream; the next ones wait outside, so those of
// others are not behind all of them.
func TestGate(t *testing.T) {
	q := start(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	var all []*Pending
	for i := range leastInside {
		all = append(all, submit(t, q, item(fmt.Sprint(i)))...)
	}
	if _, err := q.Submit(ctx, item("one more")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v: expected that it waits", err)
	}
	bob := item("bob")
	bob.Client = "bob"
	submit(t, q, bob)
	if err := all[0].Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	submit(t, q, item("one more"))
}

func TestWorkersGetWhatTheyCanRun(t *testing.T) {
	q := start(t, Options{})
	for _, w := range []crew{
		{ID: "a-go", Classes: []string{"a"}, Languages: []string{"go"}},
		{ID: "a-cpp", Classes: []string{"a"}, Languages: []string{"c++", "c"}},
		{ID: "b", Classes: []string{"b.1"}, Languages: []string{"go", "c++", "c"}},
	} {
		startWorker(t, q, w, echo)
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
	for i := range items {
		items[i].Client = fmt.Sprint("client", i%2)
	}
	for _, p := range submit(t, q, items...) {
		if v := verdict(t, p); v.Worker != expect[p.Item.ID] {
			t.Errorf("%s (%s, %s) ran on %s, expected %s", p.Item.ID, p.Item.Class, p.Item.Language, v.Worker, expect[p.Item.ID])
		}
	}
}

func TestCancel(t *testing.T) {
	q := start(t, Options{})
	started := make(chan string, 4)
	stopped := make(chan error, 1)
	startWorker(t, q, crew{ID: "w"}, func(ctx context.Context, d *worker.Delivery) error {
		started <- itemOf(d)
		if itemOf(d) != "running" {
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
		if err == nil || err.Error() != "the lease has ended" {
			t.Errorf("the handler was ended by %v, expected that the lease has ended", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the handler of a cancelled item is not stopped")
	}
	awaitEmpty(t, q)
	// The ID can be used again.
	verdict(t, submit(t, q, item("waiting"))[0])
	if id := <-started; id != "waiting" {
		t.Errorf("%s was started", id)
	}
}

// A drained worker finishes what it runs; a stopped one gives it back at once, which
// is not counted against the item.
func TestDrainAndStop(t *testing.T) {
	q := start(t, Options{AckWait: 12 * time.Second})
	for round := range 4 {
		started := make(chan struct{})
		stop := startWorker(t, q, crew{ID: fmt.Sprint("w", round)}, func(ctx context.Context, d *worker.Delivery) error {
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
	startWorker(t, q, crew{ID: "last", Drain: drain}, func(ctx context.Context, d *worker.Delivery) error {
		close(drain)
		time.Sleep(50 * time.Millisecond)
		return echo(ctx, d)
	})
	if v := verdict(t, submit(t, q, item("a"))[0]); v.Delivery != 5 || v.Err != "" {
		t.Errorf("verdict %+v, expected that of delivery 5", v)
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
