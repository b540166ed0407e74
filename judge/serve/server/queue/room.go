package queue

import (
	"slices"
	"sync"
	"time"
)

// An entry is an item that waits in this process for a worker.
type entry struct {
	item Item
	from string // the submitter
	ack  string // subject on which the delivery is acknowledged
	// sequence is that of the item in the stream.
	sequence uint64
	tried    []string  // workers that the item avoids, or that lost it
	since    time.Time // when it began to wait
}

// A Poll is a worker that waits for an item.
type Poll struct {
	Worker             string
	Classes, Languages []string // of the items that it can run
	Slots              int      // how many polls of the worker may wait at once
	// What Queue.Refusals returned before the fields above were known: if the worker is refused
	// meanwhile, they may be out of date.
	Refusals int

	give chan *entry // gets an item, or nil: the worker has to ask again
}

func (p *Poll) fits(class, language string) bool {
	return slices.Contains(p.Classes, class) && slices.Contains(p.Languages, language)
}

// gets reports whether the worker can get an item, now or later.
func (p *Poll) gets(it *Item) bool {
	return p.fits(it.Class, it.Language) && (it.Worker == "" || it.Worker == p.Worker)
}

// A room brings items and polls together: those items first whose client was served longest
// ago, and of these the one of the highest priority.
type room struct {
	mu      sync.Mutex
	clock   uint64
	served  map[string]uint64 // by client: when it was served last, by clock
	entries []*entry          // those that came first at the front
	polls   []*Poll           // the same
	refused map[string]int    // by worker: how often it was
	// Whether other workers get items of a class and language; nil means that there are none.
	others func(class, language string, than []string) bool
}

// avoid is the time for which an item waits for a worker that has not lost it, if there are
// any: the disk of a worker that is free at once may be full.
const avoid = 15 * time.Second

// permits reports whether a worker may get an item that it has lost.
func (r *room) permits(e *entry) bool {
	return e.item.Worker != "" || time.Since(e.since) > avoid || r.others == nil ||
		!r.others(e.item.Class, e.item.Language, e.tried)
}

// add gives an item to a poll that waits, or keeps it.
func (r *room) add(e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.since = time.Now()
	if p := r.pollFor(e); p != nil {
		r.serve(p, e)
		return
	}
	r.entries = append(r.entries, e)
}

// pollFor returns the poll that gets an item: the one that has waited longest, of a worker
// that has not lost the item if there is any.
func (r *room) pollFor(e *entry) (again *Poll) {
	for _, p := range r.polls {
		switch {
		case !p.gets(&e.item):
		case !slices.Contains(e.tried, p.Worker):
			return p
		case again == nil:
			again = p
		}
	}
	if again != nil && !r.permits(e) {
		return nil
	}
	return again
}

// serve gives an item to a poll, which no longer waits then.
func (r *room) serve(p *Poll, e *entry) {
	r.clock++
	if r.served == nil || len(r.served) > 10_000 {
		r.served = make(map[string]uint64)
	}
	r.served[e.item.Client] = r.clock
	r.polls = slices.DeleteFunc(r.polls, func(other *Poll) bool { return other == p })
	p.give <- e
}

// wait gives an item to the poll now, or as soon as there is one. A worker does not know any
// more of polls beyond its slots: the oldest of these have to ask again.
func (r *room) wait(p *Poll) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.give = make(chan *entry, 1)
	if r.refused[p.Worker] != p.Refusals {
		p.give <- nil
		return
	}
	best, at := -1, uint64(0)
	for i, e := range r.entries {
		if !p.gets(&e.item) || slices.Contains(e.tried, p.Worker) && !r.permits(e) {
			continue
		}
		served := r.served[e.item.Client]
		if best < 0 || served < at || isBefore(&e.item, &r.entries[best].item) {
			best, at = i, served
		}
	}
	if best >= 0 {
		e := r.entries[best]
		r.entries = slices.Delete(r.entries, best, best+1)
		r.serve(p, e)
		return
	}
	own, oldest := 0, -1
	for i, other := range slices.Backward(r.polls) {
		if other.Worker == p.Worker {
			own, oldest = own+1, i
		}
	}
	if own >= max(p.Slots, 1) {
		r.polls[oldest].give <- nil
		r.polls = slices.Delete(r.polls, oldest, oldest+1)
	}
	r.polls = append(r.polls, p)
}

// isBefore reports whether an item goes before an earlier one of its client.
func isBefore(it, other *Item) bool { return it.Client == other.Client && it.Priority > other.Priority }

// leave ends a poll. It returns the item that it was given meanwhile, if any.
func (r *room) leave(p *Poll) *entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.polls = slices.DeleteFunc(r.polls, func(other *Poll) bool { return other == p })
	select {
	case e := <-p.give:
		return e
	default:
		return nil
	}
}

// refuse makes the polls of a worker ask again.
func (r *room) refuse(worker string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refused == nil {
		r.refused = make(map[string]int)
	}
	r.refused[worker]++
	r.polls = slices.DeleteFunc(r.polls, func(p *Poll) bool {
		if p.Worker == worker {
			p.give <- nil
		}
		return p.Worker == worker
	})
}

// again gives the items that wait to polls that may have them by now.
func (r *room) again() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool {
		p := r.pollFor(e)
		if p != nil {
			r.serve(p, e)
		}
		return p != nil
	})
}

// take removes the items for which which is true, and returns them.
func (r *room) take(which func(*entry) bool) (taken []*entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool {
		is := which(e)
		if is {
			taken = append(taken, e)
		}
		return is
	})
	return taken
}

// renew replaces the acknowledgement of an item that waits, and reports whether it does.
func (r *room) renew(id, ack string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.entries, func(e *entry) bool { return e.item.ID == id })
	if i >= 0 {
		r.entries[i].ack = ack
	}
	return i >= 0
}

// all returns the items that wait.
func (r *room) all() (all []entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.entries {
		all = append(all, *e)
	}
	return all
}

// counts returns the numbers of polls and items that wait; those of a class, or all for "".
func (r *room) counts(class string) (polls, entries int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.polls {
		if class == "" || slices.Contains(p.Classes, class) {
			polls++
		}
	}
	for _, e := range r.entries {
		if class == "" || e.item.Class == class {
			entries++
		}
	}
	return polls, entries
}
