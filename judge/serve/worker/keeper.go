package worker

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The worker writes these lines to its keeper:
//
//	keep LEASE STALL EVERY   keep the delivery, until STALL ms pass without a beat; say so every EVERY ms
//	beat LEASE               the delivery has made progress
//	drop LEASE               the delivery has ended
//
// A keeper in another process writes this one to the worker:
//
//	stop LEASE               the delivery was cancelled or took too long

// keepOptions are the parts of a keeper that depend on where it runs.
type keepOptions struct {
	log     *slog.Logger
	stop    func(lease string) // the server no longer waits for the delivery
	stopped func() bool        // the worker is stopped by a signal; may be nil
}

// kept is a delivery that a keeper keeps.
type kept struct {
	stall time.Duration
	beat  time.Time
}

// keepFrom reads the lines of a worker and keeps its deliveries, until the lines end.
func keepFrom(ctx context.Context, from Source, lines io.Reader, o keepOptions) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	all := make(map[string]*kept)
	every := make(chan time.Duration, 1)
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case t := <-every:
				tick.Reset(t)
				continue
			case <-tick.C:
			}
			if o.stopped != nil && o.stopped() {
				continue
			}
			mu.Lock()
			leases := due(all, time.Now(), o.log)
			mu.Unlock()
			if len(leases) > 0 {
				go keepAlive(ctx, from, leases, o)
			}
		}
	}()
	last := time.Duration(0)
	for in := bufio.NewScanner(lines); in.Scan(); {
		f, change := strings.Fields(in.Text()), false
		mu.Lock()
		switch {
		case len(f) == 4 && f[0] == "keep":
			stall, _ := strconv.Atoi(f[2])
			ms, _ := strconv.Atoi(f[3])
			all[f[1]] = &kept{stall: time.Duration(stall) * time.Millisecond, beat: time.Now()}
			if t := max(time.Duration(ms)*time.Millisecond, time.Millisecond); t != last {
				last, change = t, true
			}
		case len(f) == 2 && f[0] == "beat":
			if k := all[f[1]]; k != nil {
				k.beat = time.Now()
			}
		case len(f) == 2 && f[0] == "drop":
			delete(all, f[1])
		default:
			o.log.Warn("a worker wrote an unknown line to its keeper", "line", fmt.Sprintf("%.80q", in.Text()))
		}
		mu.Unlock()
		if change {
			select {
			case every <- last:
			case <-ctx.Done():
			}
		}
	}
}

// due returns the deliveries that make progress. The others are forgotten: the
// server gives them to another worker.
func due(all map[string]*kept, now time.Time, log *slog.Logger) []string {
	var leases []string
	for t, k := range all {
		if now.Sub(k.beat) > k.stall {
			log.Warn("a work item makes no progress: another worker gets it", "limit", k.stall)
			delete(all, t)
			continue
		}
		leases = append(leases, t)
	}
	return leases
}

// keepAlive sends one sign of life for several deliveries.
func keepAlive(ctx context.Context, from Source, leases []string, o keepOptions) {
	one, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	ended, err := from.Alive(one, leases)
	if err != nil && ctx.Err() == nil {
		o.log.Warn("a sign of life is not answered", "items", len(leases), "error", err)
	}
	for _, lease := range ended {
		o.stop(lease)
	}
}

// Supervise runs a worker process and keeps its items alive until it ends, and
// returns the error of the process. It connects its standard input and output; the
// process must call Supervised and write nothing else to its standard output.
//
// The supervisor itself does no work, so it gets the processor when it needs it. It no
// longer keeps an item that makes no progress within the time for that, and none while the
// process is stopped by a signal (on Linux).
func Supervise(ctx context.Context, from Source, process *exec.Cmd, log *slog.Logger) error {
	lines, err := process.StdoutPipe()
	if err != nil {
		return fmt.Errorf("the worker process: %w", err)
	}
	input, err := process.StdinPipe()
	if err != nil {
		return fmt.Errorf("the worker process: %w", err)
	}
	if err := process.Start(); err != nil {
		return fmt.Errorf("the worker process: %w", err)
	}
	defer context.AfterFunc(ctx, func() { input.Close() })()
	keepFrom(context.WithoutCancel(ctx), from, lines, keepOptions{
		log:     log,
		stop:    func(lease string) { _, _ = fmt.Fprintf(input, "stop %s\n", lease) }, // a worker that has ended needs none
		stopped: func() bool { return isStopped(process.Process.Pid) },
	})
	return process.Wait()
}

// A supervisor is the other end of Supervise, in the worker process.
type supervisor struct {
	io.Writer             // to the keeper
	stops     chan string // leases from it
}

// Supervised is for the process that Supervise runs. It returns a context for
// Slots.Run that ends when the supervisor has ended or its context has, and Slots.Keeper.
func Supervised(ctx context.Context) (context.Context, io.Writer) {
	ctx, cancel := context.WithCancel(ctx)
	s := &supervisor{Writer: os.Stdout, stops: make(chan string)}
	go func() {
		defer cancel()
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			if lease, ok := strings.CutPrefix(in.Text(), "stop "); ok {
				select {
				case s.stops <- lease:
				case <-time.After(time.Second): // Run has ended
				}
			}
		}
	}()
	return ctx, s
}
