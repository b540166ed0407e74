//go:build unix

package queue

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"crucible/judge/internal/testkit"
)

// A history is what is known after all items have ended.
type history struct {
	submitted []Item
	verdicts  map[string][]Verdict // by item: every different verdict that was sent
	cells     map[string]Verdict   // by cell: what is stored
	given     []string             // items in quarantine
}

// check returns what is wrong: every item must have exactly one verdict, which is
// the stored one and the right one, or be in quarantine.
func (h history) check() (wrong []string) {
	for _, it := range h.submitted {
		all := h.verdicts[it.ID]
		if len(all) != 1 {
			wrong = append(wrong, fmt.Sprintf("item %s has %d verdicts, expected 1: %+v", it.ID, len(all), all))
			continue
		}
		v, stored := all[0], h.cells[it.Cell]
		if v.Worker != stored.Worker || v.Attempt != stored.Attempt || v.Err != stored.Err || string(v.Payload) != string(stored.Payload) {
			wrong = append(wrong, fmt.Sprintf("item %s: the verdict sent is %+v, the stored one %+v", it.ID, v, stored))
		}
		quarantined := slices.Contains(h.given, it.ID)
		if expect := "verdict of " + string(it.Payload); string(v.Payload) != expect && !quarantined {
			wrong = append(wrong, fmt.Sprintf("item %s: verdict %+v, expected %q", it.ID, v, expect))
		}
		if (v.Err != "") != quarantined {
			wrong = append(wrong, fmt.Sprintf("item %s: verdict %+v, in quarantine: %v", it.ID, v, quarantined))
		}
	}
	if len(h.verdicts) > len(h.submitted) {
		wrong = append(wrong, fmt.Sprintf("verdicts for %d items, %d were submitted", len(h.verdicts), len(h.submitted)))
	}
	return wrong
}

// The checker itself finds each kind of fault.
func TestHistoryCheck(t *testing.T) {
	it := item("a")
	good := Verdict{Worker: "w", Attempt: 1, Payload: []byte("verdict of 0 a")}
	other := Verdict{Worker: "x", Attempt: 2, Payload: []byte("verdict of 0 a")}
	wrong := Verdict{Worker: "w", Attempt: 1, Payload: []byte("verdict of 0 b")}
	lost := Verdict{Attempt: 3, Err: "lost"}
	for name, c := range map[string]struct {
		sent   []Verdict
		stored Verdict
		given  []string
		ok     bool
	}{
		"right":                  {[]Verdict{good}, good, nil, true},
		"lost":                   {nil, good, nil, false},
		"doubled":                {[]Verdict{good, other}, good, nil, false},
		"not the stored one":     {[]Verdict{other}, good, nil, false},
		"not stored":             {[]Verdict{good}, Verdict{}, nil, false},
		"of another item":        {[]Verdict{wrong}, wrong, nil, false},
		"given up":               {[]Verdict{lost}, lost, []string{"a"}, true},
		"given up and not shown": {[]Verdict{lost}, lost, nil, false},
		"shown and not given up": {[]Verdict{good}, good, []string{"a"}, false},
	} {
		h := history{[]Item{it}, map[string][]Verdict{"a": c.sent}, map[string]Verdict{it.Cell: c.stored}, c.given}
		if got := h.check(); (len(got) == 0) != c.ok {
			t.Errorf("%s: %q, expected it to be right: %v", name, got, c.ok)
		}
	}
}

// read completes the history from the server.
func (h *history) read(t *testing.T, q *Queue) {
	t.Helper()
	h.verdicts, h.cells = make(map[string][]Verdict), make(map[string]Verdict)
	for _, it := range h.submitted {
		c, _, err := q.cells.get(t.Context(), it.Cell)
		if err != nil {
			t.Fatal(err)
		}
		if c.Done {
			h.cells[it.Cell] = c.verdict()
		}
	}
	all, err := q.Quarantined(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		h.given = append(h.given, one.Item.ID)
	}
	stream, err := q.js.Stream(t.Context(), resultStream)
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); ; {
		m, err := stream.GetMsg(t.Context(), seq, jetstream.WithGetMsgSubject(resultSubject+">"))
		if err != nil {
			return
		}
		seq = m.Sequence + 1
		var e event
		body, err := unpack(m.Data, &e)
		if err != nil {
			t.Fatal(err)
		}
		if e.Verdict {
			h.add(fromToken(m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]),
				Verdict{Worker: e.Worker, Attempt: e.Attempt, Payload: body, Err: e.Err})
		}
	}
}

// add adds a verdict of an item that is not the same as one before.
func (h *history) add(id string, v Verdict) {
	same := func(o Verdict) bool {
		return o.Worker == v.Worker && o.Attempt == v.Attempt && o.Err == v.Err && string(o.Payload) == string(v.Payload)
	}
	if !slices.ContainsFunc(h.verdicts[id], same) {
		h.verdicts[id] = append(h.verdicts[id], v)
	}
}

var (
	faults    = flag.Int("faults", 8, "number of faults in TestFaults")
	shipped   = flag.Bool("shipped", false, "TestFaults with the AckWait that is shipped")
	faultSeed = flag.Uint64("seed", 0, "seed of TestFaults; 0 takes a random one")
)

// A pool is worker processes of a test, plain ones and supervised ones.
type pool struct {
	t       *testing.T
	url     string
	dir     string
	workers []*exec.Cmd
}

func (p *pool) start(i int) {
	name := "worker"
	if i%2 == 1 {
		name = "supervisor"
	}
	os.Remove(p.pidFile(i))
	p.workers[i] = process(p.t, name, fmt.Sprint("w", i), p.url, p.pidFile(i))
}

func (p *pool) pidFile(i int) string { return filepath.Join(p.dir, fmt.Sprint("pid", i)) }

// target is the process that does the work, or its supervisor.
func (p *pool) target(i int, child bool) *os.Process {
	if text, err := os.ReadFile(p.pidFile(i)); err == nil && child {
		if pid, err := strconv.Atoi(string(text)); err == nil {
			if c, err := os.FindProcess(pid); err == nil {
				return c
			}
		}
	}
	return p.workers[i].Process
}

func (p *pool) restart(i int) {
	p.workers[i].Process.Kill()
	p.workers[i].Wait()
	p.start(i)
}

// TestFaults kills and stops workers and kills the server at random moments, while
// three clients submit items.
func TestFaults(t *testing.T) {
	testkit.InMatrix(t)
	t.Parallel()
	seed := *faultSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 18))
	ackWait := testAckWait
	if *shipped {
		ackWait = DefaultAckWait
	}
	server := startProcess(t, ackWait)
	p := &pool{t: t, url: server.url, dir: t.TempDir(), workers: make([]*exec.Cmd, 4)}
	for i := range p.workers {
		p.start(i)
	}
	q := connect(t, Connection{URL: server.url, Sweep: time.Second, Name: "submitter"})
	var h history
	var open []*Pending
	for f := range *faults {
		var items []Item
		for i := range 30 {
			it := item(fmt.Sprintf("%d.%d", f, i))
			it.Client = fmt.Sprint("client", random.IntN(3))
			it.Payload = fmt.Appendf(nil, "%d %s", random.IntN(80), it.ID)
			it.Stall = 5 * time.Second
			items = append(items, it)
		}
		h.submitted = append(h.submitted, items...)
		open = append(open, submitUntilStored(t, q, items)...)
		time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		i := random.IntN(len(p.workers))
		switch kind := random.IntN(4); kind {
		case 0:
			t.Logf("kill worker %d", i)
			p.restart(i)
		case 1, 2:
			target := p.target(i, kind == 1)
			t.Logf("stop worker %d, child: %v", i, kind == 1)
			target.Signal(syscall.SIGSTOP)
			time.Sleep(time.Duration(random.IntN(2000)) * time.Millisecond)
			target.Signal(syscall.SIGCONT)
		case 3:
			t.Log("kill the server")
			server.kill()
			time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
			server.start()
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for _, p := range open {
		if _, err := p.Verdict(ctx); err != nil {
			t.Fatalf("item %s: %v", p.Item.ID, err)
		}
	}
	waitEmpty(t, q)
	h.read(t, q)
	for _, p := range open {
		v := verdict(t, p)
		v.Results = 0
		h.add(p.Item.ID, v)
	}
	for _, w := range h.check() {
		t.Error(w)
	}
	if len(h.given) > 0 {
		t.Logf("in quarantine: %v", h.given)
	}
}

// submitUntilStored submits items again until the server, which may be away, has them.
func submitUntilStored(t *testing.T, q *Queue, items []Item) []*Pending {
	t.Helper()
	var err error
	for range 20 {
		var all []*Pending
		if all, err = q.SubmitAll(t.Context(), items); err == nil {
			return all
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal(err)
	return nil
}

// TestServerKilled kills the server while items wait and while one runs.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	server := startProcess(t, testAckWait)
	q := connect(t, Connection{URL: server.url, Sweep: 500 * time.Millisecond})
	done := submit(t, q, item("done"))[0]
	stop := startWorker(t, Connection{URL: server.url}, Worker{ID: "first"}, echo)
	verdict(t, done)
	stop()
	var items []Item
	for i := range 500 {
		items = append(items, item(fmt.Sprint(i)))
	}
	waiting := submit(t, q, items...)
	running := make(chan struct{})
	back := make(chan struct{})
	startWorker(t, Connection{URL: server.url}, Worker{ID: "second", Slots: 4}, func(ctx context.Context, d *Delivery) error {
		if d.Item.ID == "0" && d.Attempt == 1 {
			close(running)
			<-back
		}
		return echo(ctx, d)
	})
	<-running
	server.kill()
	server.start()
	close(back)
	for _, p := range waiting {
		verdict(t, p)
	}
	// The verdict from before is there, and is not made again.
	if v := verdict(t, submit(t, q, item("done"))[0]); v.Worker != "first" {
		t.Errorf("verdict %+v, expected the stored one of the first worker", v)
	}
	waitEmpty(t, q)
}
