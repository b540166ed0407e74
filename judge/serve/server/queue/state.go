package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A state is what the bucket holds of an item: its leases, and its verdict once there is
// one. JetStream's own count of deliveries can be wrong after a crash (nats-server#5346) and
// it also counts deliveries that no worker got, so leases are counted here.
type state struct {
	From   string        `json:"from,omitempty"` // the submitter, who gets the results
	Leases []leaseRecord `json:"leases,omitempty"`
	Done   bool          `json:"done,omitempty"`
	// The verdict, if Done.
	Worker   string `json:"worker,omitempty"`
	Delivery int    `json:"delivery,omitempty"`
	Results  int    `json:"results,omitempty"`
	Err      string `json:"err,omitempty"`

	body []byte
}

// A leaseRecord is the state of one lease.
type leaseRecord struct {
	Worker string `json:"worker"`
	Ack    string `json:"ack"`   // subject on which the delivery is acknowledged
	Copy   uint64 `json:"copy"`  // sequence of the item in the stream: each submitter of it has a copy there
	Until  int64  `json:"until"` // Unix time in seconds: the end of Options.Limit
	// Returned: the worker gave the item back unharmed, so it was not lost.
	Returned bool   `json:"returned,omitempty"`
	Why      string `json:"why,omitempty"` // from a worker that could not complete the item
}

func (s *state) verdict() Verdict {
	return Verdict{Worker: s.Worker, Delivery: s.Delivery, Payload: s.body, Err: s.Err, Results: s.Results}
}

// tried returns the workers of the leases that did not give the item back, or did so often.
func (s *state) tried() (all []string) {
	returns := make(map[string]int)
	for _, l := range s.Leases {
		if l.Returned {
			returns[l.Worker]++
		}
		if !l.Returned || returns[l.Worker] >= mostReturns {
			all = append(all, l.Worker)
		}
	}
	return all
}

// isHeld reports whether no worker has given up the last lease.
func (s *state) isHeld() bool { return len(s.Leases) > 0 && s.Leases[len(s.Leases)-1].Why == "" }

// exhausted returns why the item gets no further lease when a copy of it has come again, or
// nothing. The last lease of another copy is not lost: its worker may be about to end.
func (s *state) exhausted(copied uint64) string {
	var workers, what []string
	lost := 0
	for i, l := range s.Leases {
		last := !slices.ContainsFunc(s.Leases[i+1:], func(m leaseRecord) bool { return m.Copy == l.Copy })
		if l.Returned || l.Copy != copied && l.Why == "" && last {
			continue
		}
		lost++
		one := l.Worker
		if l.Why != "" {
			one += ": " + l.Why
		}
		if !slices.Contains(workers, l.Worker) {
			workers = append(workers, l.Worker)
		}
		if !slices.Contains(what, one) {
			what = append(what, one)
		}
	}
	if len(s.Leases) >= mostDeliveries && s.Leases[len(s.Leases)-1].Why != "" {
		return fmt.Sprintf("no verdict after %d deliveries; the last worker gave the item back: %s: %s", len(s.Leases),
			s.Leases[len(s.Leases)-1].Worker, s.Leases[len(s.Leases)-1].Why)
	}
	if lost < mostLeases && len(workers) < mostWorkers {
		return ""
	}
	return fmt.Sprintf("no verdict after %d deliveries; workers that began the item and were lost: %s", lost,
		strings.Join(what, ", "))
}

// states is the bucket of states. Every change names the revision that it replaces, so one
// of several writers at the same time wins.
type states struct{ kv jetstream.KeyValue }

// errMoved: the state has another revision than expected.
var errMoved = errors.New("queue: the state was changed by another writer")

func (s states) get(ctx context.Context, item string) (*state, uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	entry, err := s.kv.Get(ctx, token(item))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return &state{}, 0, nil
	}
	got := new(state)
	if err == nil {
		got.body, err = unpack(entry.Value(), got)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("queue: state of item %s: %w", item, err)
	}
	return got, entry.Revision(), nil
}

func (s states) put(ctx context.Context, item string, value *state, revision uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	next, err := s.kv.Update(ctx, token(item), pack(value, value.body), revision)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists) {
		return 0, errMoved
	}
	if err != nil {
		return 0, fmt.Errorf("queue: state of item %s: %w", item, err)
	}
	return next, nil
}

// update changes a state until nobody else has changed it meanwhile. It begins with the
// guess that the state is first, with the given revision. A change that returns false
// leaves the state as it is.
func (s states) update(ctx context.Context, item string, first *state, revision uint64,
	change func(*state) bool) (*state, uint64, error) {
	now := first
	for {
		if !change(now) {
			return now, revision, nil
		}
		next, err := s.put(ctx, item, now, revision)
		if err == nil {
			return now, next, nil
		}
		if !errors.Is(err, errMoved) {
			return nil, 0, err
		}
		was := revision
		if now, revision, err = s.get(ctx, item); err != nil {
			return nil, 0, err
		}
		if revision == was { // a change is on its way, or this replica lacks it
			sleep(ctx, 20*time.Millisecond)
		}
	}
}

// lease records a lease of the item. It returns the number of the lease, or 0 if the item
// is done or gets no further one.
func (s states) lease(ctx context.Context, item, from string, l leaseRecord) (now *state, number int, revision uint64,
	err error) {
	now, revision, err = s.update(ctx, item, &state{}, 0, func(now *state) bool {
		number = 0
		if now.Done || now.exhausted(l.Copy) != "" {
			return false
		}
		now.From = from
		now.Leases = append(now.Leases, l)
		number = len(now.Leases)
		return true
	})
	return now, number, revision, err
}

// release notes why a lease has ended without a verdict. It reports whether this frees the
// item: a lease that was released before, or after which there was another, frees none.
func (s states) release(ctx context.Context, item string, number int, returned bool,
	why string) (frees bool, err error) {
	now, revision, err := s.get(ctx, item)
	if err != nil {
		return false, err
	}
	_, _, err = s.update(ctx, item, now, revision, func(now *state) bool {
		frees = !now.Done && number == len(now.Leases) && now.Leases[number-1].Why == ""
		if frees {
			now.Leases[number-1].Returned, now.Leases[number-1].Why = returned, why
		}
		return frees
	})
	return frees, err
}

// settle writes the verdict unless the item has one. It returns the state with the verdict
// that counts, and whether it is this one. It begins with the guess that the state is
// first, with the given revision.
func (s states) settle(ctx context.Context, item string, first *state, revision uint64,
	v Verdict) (now *state, won bool, err error) {
	guess := *first // other requests have it, too: they must not take what is not stored yet for stored
	now, _, err = s.update(ctx, item, &guess, revision, func(now *state) bool {
		won = !now.Done
		if now.Done {
			// The same writer again: the answer to its first request was lost.
			won = now.Worker == v.Worker && now.Delivery == v.Delivery && v.Err == now.Err
			return false
		}
		now.Done, now.Worker, now.Delivery, now.Results, now.Err = true, v.Worker, v.Delivery, v.Results, v.Err
		now.body = v.Payload
		return true
	})
	return now, won, err
}
