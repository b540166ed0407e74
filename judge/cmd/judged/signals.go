package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"crucible/judge/internal/cli"
)

// untilStopped returns a channel that is closed at the first Ctrl-C or SIGTERM, when what
// is under way is to be completed, and a context that ends at the second one. A second
// signal within a second may be a copy of the first one, which go tool passes on.
func untilStopped(ctx context.Context) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	drain, stopped := make(chan struct{}), make(chan struct{})
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go second(signals, stopped, drain, cancel)
	return ctx, drain, func() { signal.Stop(signals); close(stopped); cancel(nil) }
}

// untilDrained returns a context that ends when drain is closed before started is called: nothing
// is under way yet that would be completed.
func untilDrained(ctx context.Context, drain <-chan struct{}) (starting context.Context, started func()) {
	starting, cancel := context.WithCancel(ctx)
	up := make(chan struct{})
	go func() {
		select {
		case <-drain:
			cancel()
		case <-up:
		}
	}()
	return starting, func() { close(up) }
}

// second closes drain at the first signal and ends the context at the second one, until
// stopped is closed.
func second(signals <-chan os.Signal, stopped <-chan struct{}, drain chan<- struct{}, cancel context.CancelCauseFunc) {
	var first time.Time
	for {
		select {
		case <-stopped:
			return
		case <-signals:
		}
		switch {
		case first.IsZero():
			first = time.Now()
			close(drain)
		case time.Since(first) > time.Second:
			cancel(cli.ErrInterrupted)
		}
	}
}

// drained returns a channel that is closed at SIGTERM. It ignores Ctrl-C, which a terminal
// sends to the worker and to its supervisor.
func drained() <-chan struct{} {
	signal.Ignore(os.Interrupt)
	asked, drain := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		close(drain)
	}()
	return drain
}
