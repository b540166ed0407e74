//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A liveness decides during a run whether the launcher counts as dead.
type liveness struct {
	l         *launcher
	interval  time.Duration // between two checks
	next      time.Time     // of the next check
	deadline  time.Time     // when the launcher must have answered; zero if there is none
	cancelled bool          // a check has found that the context has ended
	stops     int           // consecutive checks that found the launcher stopped
}

func newLiveness(l *launcher, wall time.Duration) *liveness {
	a := &liveness{l: l, interval: min(time.Second, timeStopped/5)}
	a.next = time.Now().Add(a.interval)
	if wall > 0 {
		a.deadline = time.Now().Add(mostReal*wall + timeToAnswer)
	}
	return a
}

// check returns an error if the launcher counts as dead.
func (a *liveness) check(ctx context.Context) error {
	now := time.Now()
	if !now.After(a.next) {
		return nil
	}
	a.next = now.Add(a.interval)
	if ctx.Err() != nil && !a.cancelled {
		a.cancelled, a.deadline = true, now.Add(timeToAnswer)
	}
	if !a.deadline.IsZero() && now.After(a.deadline) {
		return errors.New("it does not answer")
	}
	// Count checks instead of time, because this process may have been stopped, too.
	if a.stops++; !a.l.stopped() {
		a.stops = 0
	}
	if time.Duration(a.stops)*a.interval >= timeStopped {
		return fmt.Errorf("it was stopped by a signal for %v", timeStopped)
	}
	return nil
}

// timeToAnswer is the time after a run's limit in which the launcher must answer;
// then it counts as dead. Tests shorten it.
var timeToAnswer = 2 * timeToDie

// timeStopped is how long a signal may have stopped a launcher before the judge
// kills it. Tests shorten it.
var timeStopped = 5 * time.Second
