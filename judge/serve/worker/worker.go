// Package worker executes the work items of a server on this machine.
package worker

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// A Worker executes work items. All fields but Calibrate, Keeper, Drain and Log are required.
type Worker struct {
	Name      string          // names it in reports; no two workers of a server have the same
	Judge     *judge.Judge    // makes the runs; it must have started
	Version   string          // of the judge, which items must have, too
	Source    Source          // of the work items
	Blobs     *blob.Client    // of the server
	Store     *blob.Store     // keeps the files of packages on this machine
	Calibrate Calibrate       // nil calibrates nothing
	Keeper    io.Writer       // see [Slots]
	Drain     <-chan struct{} // when it is closed, items under way are completed, and no others are begun
	Log       *slog.Logger    // nil means none
}

// Calibrate measures the machine while no item is under way, and returns its machine class
// and the time until it is to be called again. Class "" means that the machine is to be
// measured again before it executes items.
type Calibrate func(ctx context.Context) (class string, again time.Duration, err error)

// Run executes work items until ctx ends or Drain is closed. As many run at the same time
// as the judge runs programs.
func (w *Worker) Run(ctx context.Context) error {
	dir, err := w.Judge.TempDir("items-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // Judge.Close tries again
	unpacker := &remote.Unpacker{Judge: w.Version, Store: w.Store, Fetch: w.fetch, Dir: dir}
	defer unpacker.Close()
	class, again := "", time.Duration(0)
	for {
		if w.Calibrate != nil {
			if class, again, err = w.calibrate(ctx, class, again); err != nil {
				return err
			}
		}
		drain, end := w.session(again)
		here := &remote.Here{Unpacker: unpacker, Executor: w.Judge, Name: w.Name, Class: class}
		slots := Slots{Source: w.Source, Number: w.Judge.Workers(), Keeper: w.Keeper, Drain: drain, Log: w.Log}
		err := slots.Run(ctx, func(ctx context.Context, d *Delivery) error { return Execute(ctx, here, w.Name, d, w.Log) })
		end()
		if err != nil || ctx.Err() != nil || w.drained() {
			return err
		}
	}
}

// calibrate calls Calibrate until the worker has a class. A worker that has one keeps it if
// the server is away at the moment.
func (w *Worker) calibrate(ctx context.Context, before string,
	pause time.Duration) (class string, again time.Duration, err error) {
	for {
		class, again, err = w.Calibrate(ctx)
		switch {
		case ctx.Err() != nil:
			return "", 0, context.Cause(ctx)
		case err != nil && before == "":
			return "", 0, fmt.Errorf("calibration: %w", err)
		case err != nil:
			if w.Log != nil {
				w.Log.Warn("the calibration is left out", "error", err)
			}
			return before, pause, nil
		case class != "" || w.drained():
			return class, again, nil
		}
		select {
		case <-time.After(again):
		case <-w.Drain:
		case <-ctx.Done():
		}
	}
}

// session returns a channel that is closed after a time, or when Drain is; 0 is never. The
// caller calls end when the channel is no longer needed.
func (w *Worker) session(length time.Duration) (drain <-chan struct{}, end func()) {
	if length <= 0 {
		return w.Drain, func() {}
	}
	closed, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(closed)
		select {
		case <-time.After(length):
		case <-w.Drain:
		case <-ended:
		}
	}()
	return closed, func() { close(ended) }
}

// drained reports whether Drain is closed.
func (w *Worker) drained() bool {
	select {
	case <-w.Drain:
		return true
	default:
		return false
	}
}

func (w *Worker) fetch(ctx context.Context, s *blob.Store, tree blob.Digest) (*blob.Lease, error) {
	c := *w.Blobs
	c.Lease, _ = ctx.Value(leaseKey{}).(string)
	return c.FetchTree(ctx, s, tree)
}

// leaseKey is the key of the lease for which files are fetched in the context of an item.
type leaseKey struct{}

// A doer executes items; see [remote.Pool].
type doer interface {
	Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error
}

// Execute executes the item of a delivery to the worker of a name. Its runs are partial
// results, and the last line is the verdict. An error gives the item to another worker. A
// nil log means none.
func Execute(ctx context.Context, by doer, name string, d *Delivery, log *slog.Logger) error {
	item, err := remote.Decode(d.Item)
	if err != nil {
		_, err := d.Verdict(ctx, remote.Fail(err, name).Data)
		return err
	}
	longest := max(item.Settings.TimeLimit, item.Settings.TimeToKill)
	if item.Settings.Measures {
		longest = max(longest, judge.InferenceLimit)
	}
	d.extend(problem.WallLimit(longest))
	out := &sender{d: d, sent: time.Now(), gathered: firstGathered}
	return by.Do(context.WithValue(ctx, leaseKey{}, d.ID), item, func(l *remote.Line) error {
		// Perhaps another worker can: the disk of this one may be full.
		if err := l.Failed(); err != nil && d.Delivery < remote.Attempts {
			return err
		}
		line := l.Data
		if len(line) > remote.MaxLine {
			return fmt.Errorf("a run of %s has %d bytes: expected at most %d", item.Submission.Name, len(line),
				remote.MaxLine)
		}
		if !l.IsLast() {
			return out.run(ctx, line)
		}
		won, err := out.last(ctx, line)
		if err == nil && log != nil {
			log.Info("an item has a verdict", "lease", d.ID, "problem", item.Problem.ID, "submission", item.Submission.Name,
				"first", won)
		}
		return err
	})
}

// Lines are gathered for 50 ms, which people do not see, and then for twice as long after
// each message, up to a second: a request costs as much as a short run.
const (
	firstGathered = 50 * time.Millisecond
	mostGathered  = time.Second
)

// A sender sends the lines of an answer, several in one message. The verdict has those
// that are left, and the last one.
type sender struct {
	d        *Delivery
	kept     []byte
	sent     time.Time     // of the last message
	gathered time.Duration // how long the lines of the next message are gathered
}

// run sends the line of a run, or keeps it.
func (s *sender) run(ctx context.Context, line []byte) error {
	if err := s.room(ctx, line); err != nil {
		return err
	}
	s.kept = append(s.kept, line...)
	if time.Since(s.sent) < s.gathered {
		return nil
	}
	return s.flush(ctx)
}

// room sends the kept lines if there is no room for one more.
func (s *sender) room(ctx context.Context, line []byte) error {
	if len(s.kept)+len(line) <= maxRequest {
		return nil
	}
	return s.flush(ctx)
}

func (s *sender) flush(ctx context.Context) error {
	err := s.d.Result(ctx, s.kept)
	s.kept, s.sent, s.gathered = s.kept[:0], time.Now(), min(2*s.gathered, mostGathered)
	return err
}

// last sends the last line. It reports whether the verdict counts.
func (s *sender) last(ctx context.Context, line []byte) (won bool, err error) {
	if err := s.room(ctx, line); err != nil {
		return false, err
	}
	return s.d.Verdict(ctx, append(s.kept, line...))
}
