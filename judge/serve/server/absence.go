package server

import (
	"context"
	"fmt"
	"sync"
	"time"
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

// attend returns a context that ends when the class of an item has had no worker for too
// long. Items that any worker may execute wait for the first one.
func (k *Workers) attend(ctx context.Context, class string) (context.Context, context.CancelFunc) {
	if k == nil || class == "" || class == AnyClass {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	most, each := k.patience()
	go func() {
		tick := time.NewTicker(each)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
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
