// Scale measures the queue of judged with many workers on one machine. The queue, the HTTP
// server, the connections over TCP and the code of the workers are those of judged; only the
// execution of a case is replaced by a sleep. Its length is drawn from the wall times, in ms,
// of the runs of judge run on this repository (times.txt).
//
// For each number of workers and of cases it prints how long the items took and how long
// they would take if the workers did nothing but execute; the share of the workers' time
// in which they executed nothing although items waited; CPU times and the memory of the
// server; with -wait, also the CPU time of the server in that time, in which the workers wait.
// It exits with 1 if an item does not have exactly one verdict.
//
// Usage: scale [-workers 10,100,1000] [-cases 10000,100000,1000000] [-per 0] [-longest 15m] [-wait 0]
package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"crucible/judge/serve/server/queue"
)

// settings are the flags.
type settings struct {
	workers, cases string
	per            int
	longest, wait  time.Duration
	seed           uint64
	speed          float64
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		if err := serve(context.Background(), os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "scale: server:", err)
			os.Exit(3)
		}
		return
	}
	var s settings
	flag.StringVar(&s.workers, "workers", "10,100,1000", "numbers of workers, which execute one item at a time")
	flag.StringVar(&s.cases, "cases", "10000,100000,1000000", "numbers of cases")
	flag.IntVar(&s.per, "per", 0,
		"cases of an item (default: as many as take a second on average, as judge run and judged do)")
	flag.DurationVar(&s.longest, "longest", 15*time.Minute, "leave out the combinations that take longer")
	flag.DurationVar(&s.wait, "wait", 0, "time before the first item in which all workers wait")
	flag.Uint64Var(&s.seed, "seed", 1, "of the times")
	flag.Float64Var(&s.speed, "speed", 1, "divide the times by this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	wrong, err := run(ctx, &s)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(3)
	case wrong:
		os.Exit(1)
	}
}

//go:embed times.txt
var recorded string

// readTimes returns the recorded times, divided by speed, and their mean.
func readTimes(speed float64) (times []time.Duration, mean time.Duration, err error) {
	for _, word := range strings.Fields(recorded) {
		ms, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, 0, fmt.Errorf("times.txt: %w", err)
		}
		times = append(times, time.Duration(ms*1e6/speed))
		mean += times[len(times)-1]
	}
	return times, mean / time.Duration(len(times)), nil
}

func numbers(list string) (all []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q: expected numbers with commas between them", list)
		}
		all = append(all, n)
	}
	return all, nil
}

// run measures all combinations.
func run(ctx context.Context, s *settings) (wrong bool, err error) {
	workers, err := numbers(s.workers)
	cases, bad := numbers(s.cases)
	times, mean, unread := readTimes(s.speed)
	if err := errors.Join(err, bad, unread); err != nil {
		return false, err
	}
	if s.per == 0 {
		s.per = int(time.Second / mean)
	}
	s.per = min(max(s.per, 1), 256)
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("mean time of a case %v, %d cases an item; load of the machine before: %s", mean.Round(time.Microsecond),
		s.per, load)
	fmt.Printf(columns, "workers", "cases", "items", "waiting CPU s", "drained s", "ideal s", "idle %", "server CPU s",
		"ms/item", "workers CPU s", "MiB empty", "most", "end", "redelivered")
	for _, n := range workers {
		for _, m := range cases {
			if ideal := mean * time.Duration(m/n); ideal > s.longest {
				fmt.Printf("%d workers, %d cases: left out: takes %v or more\n", n, m, ideal.Round(time.Second))
				continue
			}
			t := &trial{settings: s, workers: n, cases: m, items: (m + s.per - 1) / s.per, times: times}
			if err := t.run(ctx); err != nil {
				return wrong, fmt.Errorf("%d workers, %d cases: %w", n, m, err)
			}
			wrong = wrong || !t.right()
			t.print()
		}
	}
	return wrong, nil
}

// A trial is one number of workers and of cases.
type trial struct {
	*settings
	workers, cases, items int
	times                 []time.Duration

	slots                         []*slot
	ended                         time.Duration // since the server was asked to submit
	waitingCPU                    time.Duration // of the server before that
	serverCPU, workerCPU          time.Duration
	memoryEmpty, memory, atTheEnd int64 // bytes of the server: before the first item, at most, after the last
	counts                        *counts
}

// A line of the server's output.
type line struct {
	URL    string  `json:"url,omitempty"`
	Ready  bool    `json:"ready,omitempty"` // all workers wait for items
	Counts *counts `json:"counts,omitempty"`
}

type counts struct {
	queue.Counts
	Results, Failed int64 // runs, and items without a verdict

	room chan struct{} // of the items that are under way
	mu   sync.Mutex
}

// run starts a server and workers, and waits until all items have ended.
func (t *trial) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "scale-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	own, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	server := exec.CommandContext(ctx, own, "serve", dir)
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		in.Close() // it ends
		err = errors.Join(err, server.Wait())
	}()
	lines := json.NewDecoder(bufio.NewReader(out))
	var first line
	if err := lines.Decode(&first); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	failed := make(chan error, t.workers)
	defer t.startWorkers(ctx, first.URL, failed)()
	go func() {
		select {
		case err := <-failed:
			cancel(fmt.Errorf("a worker: %w", err)) // the server ends
		case <-ctx.Done():
		}
	}()
	if _, err := fmt.Fprintln(in, t.workers); err != nil {
		return err
	}
	var all line
	if err := lines.Decode(&all); err != nil || !all.Ready {
		return errors.Join(context.Cause(ctx), fmt.Errorf("the server: %+v, %w: expected that the workers are ready", all,
			err))
	}
	return t.measure(ctx, server.Process.Pid, in, lines)
}

// measure has the items submitted and measures until they have ended.
func (t *trial) measure(ctx context.Context, pid int, in io.Writer, lines *json.Decoder) error {
	waitingBefore, _, _ := usage(pid)
	select {
	case <-time.After(t.wait):
	case <-ctx.Done():
	}
	serverBefore, empty, err := usage(pid)
	t.waitingCPU, t.memoryEmpty = serverBefore-waitingBefore, empty
	workersBefore, _, own := usage(os.Getpid())
	if err := errors.Join(err, own); err != nil {
		return err
	}
	watch, unwatch := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for watch.Err() == nil {
			if _, memory, err := usage(pid); err == nil {
				t.memory = max(t.memory, memory)
			}
			select {
			case <-watch.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	defer func() { unwatch(); <-watched }()
	began := time.Now()
	if _, err := fmt.Fprintln(in, t.items, t.per, t.cases, t.seed); err != nil {
		return err
	}
	var l line
	if err := lines.Decode(&l); err != nil || l.Counts == nil {
		return errors.Join(context.Cause(ctx), fmt.Errorf("the server: %+v, %w: expected counts", l, err))
	}
	t.ended, t.counts = time.Since(began), l.Counts
	serverAfter, memory, err := usage(pid)
	workersAfter, _, own := usage(os.Getpid())
	t.atTheEnd, t.serverCPU, t.workerCPU = memory, serverAfter-serverBefore, workersAfter-workersBefore
	return errors.Join(err, own)
}

// right reports whether each item has exactly one verdict, and each case one run.
func (t *trial) right() bool {
	c := t.counts
	ok := c.Verdicts == int64(t.items) && c.Results == int64(t.cases) && c.Failed == 0 && c.GivenUp == 0
	if !ok {
		fmt.Printf("%d workers, %d cases: %+v: expected %d verdicts and %d runs\n", t.workers, t.cases, c, t.items, t.cases)
	}
	return ok
}

// columns are those of the table.
const columns = "%7s %8s %8s %13s %9s %9s %7s %12s %7s %13s %9s %6s %6s %11s\n"

// print prints a row of the table.
func (t *trial) print() {
	idle, ideal := t.idle()
	mib := func(n int64) string { return fmt.Sprintf("%.0f", float64(n)/(1<<20)) }
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }
	share := fmt.Sprintf("%.2f", 100*idle)
	if t.items < 10*t.workers {
		share = "-" // nearly all of the time no item waits
	}
	fmt.Printf(columns, strconv.Itoa(t.workers), strconv.Itoa(t.cases), strconv.Itoa(t.items), seconds(t.waitingCPU),
		seconds(t.ended), seconds(ideal), share,
		seconds(t.serverCPU), fmt.Sprintf("%.2f", t.serverCPU.Seconds()*1e3/float64(t.items)), seconds(t.workerCPU),
		mib(t.memoryEmpty), mib(t.memory), mib(t.atTheEnd), strconv.FormatInt(t.counts.Redelivered, 10))
}

// idle returns the share of the workers' time without an execution, from the start of the
// first item to that of the last one, as items waited until then; and the time that all
// executions would take without anything between them.
func (t *trial) idle() (share float64, ideal time.Duration) {
	var begin, end time.Time
	total := time.Duration(0)
	for _, s := range t.slots {
		for _, d := range s.done {
			if begin.IsZero() || d.began.Before(begin) {
				begin = d.began
			}
			if d.began.After(end) {
				end = d.began
			}
			total += d.slept
		}
	}
	busy := time.Duration(0)
	for _, s := range t.slots {
		for _, d := range s.done {
			part := 1.0
			if d.ended.After(end) {
				part = float64(end.Sub(d.began)) / float64(d.ended.Sub(d.began))
			}
			busy += time.Duration(part * float64(d.slept))
		}
	}
	return 1 - busy.Seconds()/(end.Sub(begin).Seconds()*float64(t.workers)), total / time.Duration(t.workers)
}

// usage returns the CPU time and the resident memory of a process.
func usage(pid int) (cpu time.Duration, memory int64, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if err != nil || !found || len(f) < 22 {
		return 0, 0, errors.Join(err, fmt.Errorf("/proc/%d/stat: expected that of Linux", pid))
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	pages, _ := strconv.ParseInt(f[21], 10, 64)
	return time.Duration(user+system) * (time.Second / 100), pages * int64(os.Getpagesize()), nil
}

// draw returns the times of the cases of an item, the same for the same seed.
func draw(times []time.Duration, seed uint64, item, n int) []time.Duration {
	r := rand.New(rand.NewPCG(seed, uint64(item)))
	return slices.Collect(func(yield func(time.Duration) bool) {
		for range n {
			if !yield(times[r.IntN(len(times))]) {
				return
			}
		}
	})
}
