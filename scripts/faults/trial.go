//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A trial has faults of one kind, in a pool of its own.
type trial struct {
	*settings
	kind    kind
	dir     string
	problem string
	random  *rand.Rand
	pool    *pool
	want    []byte // the record of judge run without a server, normalized
	calls   int
	typical time.Duration // of a call without a fault
	wrong   int
	digest  string // of the package, for kinds with batches
	again   int    // judgements that were begun again, of batches
	load    load   // for kinds with one
}

// patience is the longest time of a call with a fault.
const patience = 3 * time.Minute

// open starts the server and the workers, or takes those of the trial before it.
func (t *trial) open(ctx context.Context, before *trial) error {
	if before != nil {
		t.pool, t.want, t.typical = before.pool, before.want, before.typical
		t.pool.trial = t
		return nil
	}
	here := t.call(ctx, false)
	err := here.Run()
	if err == nil {
		t.want, err = normalized(t.record(0))
	}
	if err != nil {
		return fmt.Errorf("judge run without a server: %w", err)
	}
	t.pool = &pool{trial: t, ctx: ctx, dir: t.dir}
	if err := t.pool.open(); err != nil {
		return err
	}
	began := time.Now()
	err = t.round(ctx, nil)
	t.typical = time.Since(began)
	return err
}

// all makes as many faults as asked for.
func (t *trial) all(ctx context.Context) (err error) {
	began := time.Now()
	var longest time.Duration
	if t.kind.order {
		t.pool.relay.on.Store(true)
		defer t.pool.relay.on.Store(false)
	}
	for range t.count {
		one := time.Now()
		round := func() error { return t.round(ctx, t.kind.fault) }
		if t.kind.batch {
			round = func() error { return t.batchRound(ctx) }
		}
		if t.kind.load {
			round = func() error { return t.loadRound(ctx) }
		}
		if err := round(); err != nil {
			return err
		}
		longest = max(longest, time.Since(one))
	}
	fmt.Printf("%-18s %d faults, %d wrong records; %.1f s each, at most %.1f s\n", t.kind.name, t.count, t.wrong,
		time.Since(began).Seconds()/float64(t.count), longest.Seconds())
	if t.kind.order || t.kind.proxy {
		if fmt.Printf("%-18s %s\n", "", t.pool.relay.said()); t.pool.relay.requests.Load() == 0 {
			return errors.New("no request came to the proxy")
		}
	}
	if t.kind.load {
		fmt.Printf("%-18s %s\n", "", t.load.said())
	}
	if t.kind.batch {
		fmt.Printf("%-18s %d judgements were begun again\n", "", t.again)
	}
	return nil
}

// record is the file of the record of a call.
func (t *trial) record(call int) string {
	return filepath.Join(t.dir, fmt.Sprintf("call-%d.json", call))
}

// call returns the next call of judge run.
func (t *trial) call(ctx context.Context, on bool) *exec.Cmd {
	args := []string{"run", "--fresh", "--all", "--json", t.record(t.calls)}
	t.calls++
	if on {
		args = append(args, "--on", t.pool.url)
	}
	c := exec.CommandContext(ctx, t.judge, append(args, t.problem)...)
	c.Env = t.environment()
	if on {
		c.Env = append(c.Env, "CRUCIBLE_TOKEN="+t.pool.token)
	}
	return c
}

// environment is that of all programs.
func (t *trial) environment() []string {
	return append(os.Environ(), "CRUCIBLE_HISTORY=off", "CRUCIBLE_SERVER=")
}

// round calls judge run, has a fault in the meantime, and compares the record.
func (t *trial) round(ctx context.Context, fault func(*trial, *exec.Cmd) (heal func() error, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	described := t.pool.requests("/v1/server")
	c := t.call(ctx, true)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	if fault != nil {
		for t.pool.requests("/v1/server") == described && ctx.Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(t.random.Int64N(int64(t.typical))))
		heal, err := fault(t, c)
		if err != nil {
			return err
		}
		// Some faults end before the call, others after it.
		select {
		case err := <-ended:
			ended <- err
		case <-time.After(t.length()):
		}
		if err := heal(); err != nil {
			return err
		}
	}
	err := <-ended
	got, readErr := normalized(t.record(t.calls - 1))
	if t.kind.submitter && fault != nil && errors.Is(readErr, fs.ErrNotExist) {
		return t.round(ctx, nil) // it was killed: the user calls it again
	}
	switch {
	case readErr != nil || err != nil:
		t.report(fmt.Sprintf("%v: %v: %s", err, readErr, complaint.String()))
	case !bytes.Equal(got, t.want):
		t.report(difference(t.want, got))
	}
	return t.settled(ctx)
}

// length is how long a fault lasts: up to twice the time in which it is noticed.
func (t *trial) length() time.Duration {
	most := 24_000
	if t.short {
		most = 4_000
	}
	return time.Duration(100+t.random.IntN(most)) * time.Millisecond
}

// report prints a wrong record.
func (t *trial) report(why string) {
	t.wrong++
	fmt.Printf("%s: call %d: %s\n", t.kind.name, t.calls-1, strings.TrimSpace(why))
}

// settled waits until the workers are back.
func (t *trial) settled(ctx context.Context) error {
	for _, w := range t.pool.workers {
		if err := w.ensure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// difference returns the first line in which two records differ.
func difference(want, got []byte) string {
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of the record: found %q: expected %q", i+1, strings.TrimSpace(b[i]),
				strings.TrimSpace(a[i]))
		}
	}
	return fmt.Sprintf("the record has %d lines: expected %d", len(b), len(a))
}
