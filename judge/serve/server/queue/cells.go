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

// A cell is what the bucket of verdicts holds for a key: the attempts that were
// started, and the verdict once there is one. JetStream's own count of deliveries
// can be wrong after a crash (nats-server#5346) and it also counts deliveries that
// no worker started, so attempts are counted here.
type cell struct {
	Attempts []attempt `json:"attempts,omitempty"`
	Done     bool      `json:"done,omitempty"`
	// The verdict, if Done.
	Item    string `json:"item,omitempty"`
	Worker  string `json:"worker,omitempty"`
	Attempt int    `json:"attempt,omitempty"`
	Results int    `json:"results,omitempty"`
	Err     string `json:"err,omitempty"`

	body []byte
}

// An attempt is one delivery that a worker started.
type attempt struct {
	Item   string `json:"item"`
	Worker string `json:"worker"`
	// Returned: the worker gave the item back unharmed, so it was not lost.
	Returned bool `json:"returned,omitempty"`
}

func (c *cell) verdict() Verdict {
	return Verdict{Worker: c.Worker, Attempt: c.Attempt, Payload: c.body, Err: c.Err, Results: c.Results}
}

// started is the number of attempts of the item.
func (c *cell) started(item string) int {
	n := 0
	for _, a := range c.Attempts {
		if a.Item == item {
			n++
		}
	}
	return n
}

// tried returns the workers of the attempts that did not give the item back, and
// the different ones.
func (c *cell) tried(item string) (all, different []string) {
	for _, a := range c.Attempts {
		if a.Item != item || a.Returned {
			continue
		}
		all = append(all, a.Worker)
		if !slices.Contains(different, a.Worker) {
			different = append(different, a.Worker)
		}
	}
	return all, different
}

// exhausted returns why the item gets no further attempt, or nothing.
func (c *cell) exhausted(item string) string {
	all, different := c.tried(item)
	if len(different) < mostWorkers && len(all) < mostAttempts {
		return ""
	}
	return fmt.Sprintf("no verdict after %d attempts; workers that started the item and were lost: %s", len(all),
		strings.Join(different, ", "))
}

// cells is the bucket of verdicts. Every change names the revision that it
// replaces, so one of several writers at the same time wins.
type cells struct{ kv jetstream.KeyValue }

// errMoved: the cell has another revision than expected.
var errMoved = errors.New("queue: the cell was changed by another writer")

func (c cells) get(ctx context.Context, key string) (*cell, uint64, error) {
	entry, err := c.kv.Get(ctx, subjectToken(key))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return &cell{}, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("queue: cell %s: %w", key, err)
	}
	got := new(cell)
	if got.body, err = unpack(entry.Value(), got); err != nil {
		return nil, 0, fmt.Errorf("queue: cell %s: %w", key, err)
	}
	return got, entry.Revision(), nil
}

func (c cells) put(ctx context.Context, key string, value *cell, revision uint64) (uint64, error) {
	next, err := c.kv.Update(ctx, subjectToken(key), pack(value, value.body), revision)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.Is(err, jetstream.ErrKeyExists) {
		return 0, errMoved
	}
	if err != nil {
		return 0, fmt.Errorf("queue: cell %s: %w", key, err)
	}
	return next, nil
}

// update changes a cell until nobody else has changed it meanwhile. It begins with
// the guess that the cell is first, with the given revision. A change that returns
// false leaves the cell as it is.
func (c cells) update(ctx context.Context, key string, first *cell, revision uint64,
	change func(*cell) bool) (*cell, uint64, error) {
	now := first
	for {
		if !change(now) {
			return now, revision, nil
		}
		next, err := c.put(ctx, key, now, revision)
		if err == nil {
			return now, next, nil
		}
		if !errors.Is(err, errMoved) {
			return nil, 0, err
		}
		if now, revision, err = c.get(ctx, key); err != nil {
			return nil, 0, err
		}
	}
}

// start records an attempt of the item. It returns the number of the attempt, or 0
// if the cell is done or the item gets no further attempt.
func (c cells) start(ctx context.Context, key, item, worker string) (*cell, int, uint64, error) {
	number := 0
	now, revision, err := c.update(ctx, key, &cell{}, 0, func(now *cell) bool {
		number = 0
		if now.Done || now.exhausted(item) != "" {
			return false
		}
		now.Attempts = append(now.Attempts, attempt{Item: item, Worker: worker})
		number = now.started(item)
		return true
	})
	return now, number, revision, err
}

// giveBack marks the last attempt of the worker as one that left the item unharmed.
func (c cells) giveBack(ctx context.Context, key, item, worker string) error {
	now, revision, err := c.get(ctx, key)
	if err != nil {
		return err
	}
	_, _, err = c.update(ctx, key, now, revision, func(now *cell) bool {
		for i, a := range slices.Backward(now.Attempts) {
			if a.Item == item && a.Worker == worker {
				now.Attempts[i].Returned = true
				return !now.Done && !a.Returned
			}
		}
		return false
	})
	return err
}

// settle writes the verdict unless the cell has one. It returns the verdict that
// counts and whether it is this one. The revision is that of the attempt, at which
// the cell is if nobody else started the item.
func (c cells) settle(ctx context.Context, key string, revision uint64, v cell) (*cell, bool, error) {
	v.Done = true
	won := false
	now, _, err := c.update(ctx, key, &cell{}, revision, func(now *cell) bool {
		won = !now.Done
		if now.Done {
			// The same writer again: the answer to its first request was lost.
			won = now.Item == v.Item && now.Worker == v.Worker && now.Attempt == v.Attempt && v.Err == now.Err
			return false
		}
		attempts := now.Attempts
		*now = v
		now.Attempts = attempts
		return true
	})
	return now, won, err
}

// A Quarantine is an item that the queue gave up.
type Quarantine struct {
	Item    Item      `json:"item"`
	Reason  string    `json:"reason"`
	Workers []string  `json:"workers"` // of each attempt, in order
	Time    time.Time `json:"time"`
}

func (d *dispatcher) quarantine(ctx context.Context, p *parcel, c *cell, reason string) error {
	all, _ := c.tried(p.item.ID)
	q := Quarantine{Item: p.item.Item, Reason: reason, Workers: all, Time: time.Now().UTC()}
	if _, err := d.quarantined.Put(ctx, subjectToken(p.item.ID), pack(q, p.data)); err != nil {
		return fmt.Errorf("queue: quarantine of item %s: %w", p.item.ID, err)
	}
	now, won, err := d.cells.settle(ctx, p.item.Cell, 0, cell{Item: p.item.ID, Attempt: len(all), Err: reason})
	if err != nil {
		return err
	}
	if won {
		d.log.Error("an item is given up", "item", p.item.ID, "reason", reason)
		d.count(&d.stats.Quarantined)
	}
	d.finish(ctx, p.item.From, p.item.ID, now, p.msg.Reply())
	return nil
}

// Quarantined returns the items that the queue gave up, oldest first as far as the
// bucket keeps them.
func (q *Queue) Quarantined(ctx context.Context) ([]Quarantine, error) {
	bucket, err := q.js.KeyValue(ctx, quarantineBucket)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	watch, err := bucket.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	defer watch.Stop()
	var all []Quarantine
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case entry := <-watch.Updates():
			if entry == nil {
				return all, nil
			}
			var one Quarantine
			if one.Item.Payload, err = unpack(entry.Value(), &one); err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
}
