package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"crucible/judge/serve/remote"
)

// absence is the time after which work items of a class end that has had no worker. One
// that drifts needs three calibrations, each a tenth of [Workers.Every] after the other,
// until it comes back.
const absence = 5 * time.Minute

// An attendance has the times at which the classes last had a worker that gets work items.
type attendance struct {
	mu   sync.Mutex
	at   time.Time // of last
	last map[string]time.Time
}

// patience returns the time after which items of a class without workers end, and that
// between two looks.
func (k *Workers) patience() (most, each time.Duration) {
	if most = k.Absence; most == 0 {
		most = absence
	}
	return most, most / 60
}

// attended returns when a class last had a worker that gets work items, as it was known
// within the time between two looks: one table is enough for all items that wait.
func (k *Workers) attended(class string) time.Time {
	a := &k.attendance
	_, each := k.patience()
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); now.Sub(a.at) >= each {
		a.at, a.last = now, k.lastOfClasses(now)
	}
	return a.last[k.now(class)]
}

// lastOfClasses returns when each class last had a worker that gets work items. A server
// that is started again knows nothing about the time before it.
func (k *Workers) lastOfClasses(now time.Time) map[string]time.Time {
	last := make(map[string]time.Time)
	for _, w := range k.List() {
		at := w.Since
		switch {
		case w.Class == "":
			continue
		case len(w.Out) > 0:
			at = w.Out[0].Since
		case w.Alive:
			at = now
		case w.Seen != nil && w.Seen.After(at):
			at = *w.Seen
		}
		if at.Before(k.loaded) {
			at = k.loaded
		}
		if at.After(last[w.Class]) {
			last[w.Class] = at
		}
	}
	return last
}

// mostMissed is the time after which an item ends that only one worker may execute, which gets
// none: somebody measures that worker, and waits.
const mostMissed = time.Minute

// missing returns why a worker gets no work items of a class, "" if it does.
func (k *Workers) missing(worker, class string) string {
	expected := "judge workers lists those that do"
	if class != "" && class != AnyClass {
		class = k.now(class)
		expected = fmt.Sprintf("%s of machine class %s", expected, class)
	}
	for _, w := range k.List() {
		switch {
		case w.Name != worker:
		case len(w.Out) > 0:
			return fmt.Sprintf("worker %s was taken out: %s: %s", worker, w.Out[0].Because, expected)
		case !w.Alive && time.Since(k.loaded) > alive: // a server that has just started may not have seen it yet
			return fmt.Sprintf("worker %s has given no sign of life for %v: %s", worker, alive, expected)
		case !k.gets(worker, cmp.Or(class, AnyClass)):
			return fmt.Sprintf("worker %s is in machine class %q now: %s", worker, w.Class, expected)
		default:
			return ""
		}
	}
	return fmt.Sprintf("worker %.70q has not registered: %s", worker, expected)
}

// attend returns a context that ends when the class of an item, or the only worker that may
// execute it, has been absent for too long. Items that any worker may execute wait for the
// first one.
func (k *Workers) attend(ctx context.Context, i *remote.Item) (context.Context, context.CancelFunc) {
	class := i.Class
	if k == nil || i.Worker == "" && (class == "" || class == AnyClass) {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	most, each := k.patience()
	go func() {
		seen := time.Now()
		tick := time.NewTicker(each)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if i.Worker != "" {
				if why := k.missing(i.Worker, class); why == "" {
					seen = time.Now()
				} else if time.Since(seen) > min(most, mostMissed) {
					cancel(errors.New(why))
				}
				continue
			}
			switch last := k.attended(class); {
			case last.IsZero():
				cancel(fmt.Errorf("machine class %.60q no longer exists: its workers are in other classes: choose another class "+
					"with --class", class))
			case time.Since(last) > most:
				cancel(fmt.Errorf("machine class %.60q has had no worker that gets work items for %v: start one of its workers, "+
					"put one back with judge workers --restore, or choose another class with --class", class, most))
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
