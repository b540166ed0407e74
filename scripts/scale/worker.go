package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	core "crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/worker"
)

// A slot is a worker that executes one item at a time.
type slot struct {
	name  string
	times []time.Duration
	done  []execution // guarded by nothing: the worker has one slot
}

// An execution is an item that a worker has executed.
type execution struct {
	began, ended time.Time
	slept        time.Duration
}

// startWorkers registers the workers, and starts them.
func (t *trial) startWorkers(ctx context.Context, url string, failed chan<- error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	for i := range t.workers {
		s := &slot{name: fmt.Sprint("w", i), times: t.times}
		t.slots = append(t.slots, s)
		c, err := client.New(url, secret)
		var a *api.Admission
		if err == nil {
			a, err = c.Register(ctx, &api.Registration{Name: s.name, Slots: 1, Languages: []string{"python3"}})
		}
		if err != nil {
			failed <- err
			break
		}
		c.Token = a.Token
		all.Go(func() {
			err := worker.Slots{Source: &client.Leases{Client: c, Worker: s.name}, Log: log}.Run(ctx,
				func(ctx context.Context, d *worker.Delivery) error { return worker.Execute(ctx, s, s.name, d, log) })
			if err != nil {
				failed <- err
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// Do executes an item, as a worker of judged does.
func (s *slot) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	w := new(core.WorkItem)
	for _, name := range i.Cases {
		w.Cases = append(w.Cases, &problem.Case{Name: name})
	}
	var seed uint64
	var number int
	if _, err := fmt.Sscan(i.Judge, &seed, &number); err != nil {
		return err
	}
	s.done = append(s.done, execution{began: time.Now()})
	return remote.Stream(ctx, sleeper{s, draw(s.times, seed, number, len(w.Cases))}, w, s.name, "", line)
}

// A sleeper is the executor that sleeps.
type sleeper struct {
	*slot
	times []time.Duration
}

// Execute implements [judge.Executor].
func (s sleeper) Execute(ctx context.Context, w *core.WorkItem, ran func(*core.Run)) (core.Compiled, error) {
	e := &s.done[len(s.done)-1]
	for i, c := range w.Cases {
		began := time.Now()
		select {
		case <-time.After(s.times[i]):
		case <-ctx.Done():
			return core.Compiled{}, context.Cause(ctx)
		}
		e.ended = time.Now()
		took := e.ended.Sub(began)
		e.slept += took
		o := sandbox.Outcome{CPU: took, Wall: took}
		ran(&core.Run{Case: c.Name, Verdict: problem.Accepted, Outcome: o, Times: []sandbox.Outcome{o}})
	}
	return core.Compiled{}, nil
}
