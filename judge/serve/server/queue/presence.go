package queue

import (
	"cmp"
	"slices"
	"time"
)

// A WorkerState is what a Queue knows about a worker since the Queue started.
type WorkerState struct {
	Worker string
	Seen   time.Time // the last request
	Busy   int       // items that it has
	Done   int64     // verdicts that it sent
	Lost   int64     // items that it had and another worker got
	Err    string    // why it gave an item back for the last time; "" if it never did

	poll *Poll // the last one
}

// worker returns the state of a worker. The caller holds q.mu.
func (q *Queue) worker(name string) *WorkerState {
	s := q.presence[name]
	if s == nil {
		s = &WorkerState{Worker: name}
		q.presence[name] = s
	}
	return s
}

// seen notes that a worker asks for items.
func (q *Queue) seen(p *Poll) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.worker(p.Worker)
	s.Seen, s.poll = time.Now(), &Poll{Classes: p.Classes, Languages: p.Languages}
}

// PollTime is the longest time for which a poll waits.
const PollTime = 25 * time.Second

// Others reports whether there are workers that get items of a class and language other than
// those, with a sign of life in the time in which a worker that waits asks twice.
func (q *Queue) Others(class, language string, than []string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for name, s := range q.presence {
		if s.poll != nil && s.poll.fits(class, language) && time.Since(s.Seen) < 2*PollTime && !slices.Contains(than, name) {
			return true
		}
	}
	return false
}

// polls reports whether a worker has asked this process for items, not long ago.
func (q *Queue) polls(worker string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.presence[worker]
	return s != nil && s.poll != nil && time.Since(s.Seen) < 2*PollTime
}

// Workers returns the workers that have sent requests to this Queue, by their names.
func (q *Queue) Workers() []WorkerState {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := make([]WorkerState, 0, len(q.presence))
	for _, w := range q.presence {
		all = append(all, *w)
	}
	slices.SortFunc(all, func(a, b WorkerState) int { return cmp.Compare(a.Worker, b.Worker) })
	return all
}

// Load returns the number of polls of workers that wait for an item, and of items that wait
// for a worker.
func (q *Queue) Load() (polls, items int) { return q.room.counts("") }
