package queue

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// A WorkerState is what a Server knows about a worker since the Server started.
type WorkerState struct {
	Worker string
	Seen   time.Time // the last request; a worker that waits for items asks every 10 s
	Busy   int       // items that it has started and neither judged nor given back
	Done   int64     // verdicts that it sent
	Lost   int64     // items that it started and another worker got
	Err    string    // why it gave an item back for the last time; "" if it never did
}

// presence has the states of the workers.
type presence struct {
	mu      sync.Mutex
	workers map[string]*WorkerState
	running map[uint64]string          // worker by the sequence of the item
	asks    map[string]func(lane) bool // by worker: the lanes of which it asked for items last
}

// of returns the state of a worker that has just sent a request.
func (p *presence) of(worker string) *WorkerState {
	s := p.workers[worker]
	if s == nil {
		if p.workers == nil {
			p.workers, p.running = make(map[string]*WorkerState), make(map[uint64]string)
		}
		s = &WorkerState{Worker: worker}
		p.workers[worker] = s
	}
	s.Seen = time.Now()
	return s
}

func (p *presence) seen(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(worker)
}

// asked notes that a worker asks for items of the lanes for which fits is true.
func (p *presence) asked(worker string, fits func(lane) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(worker)
	if p.asks == nil {
		p.asks = make(map[string]func(lane) bool)
	}
	p.asks[worker] = fits
}

// began notes that a worker has started an item.
func (p *presence) began(worker string, sequence uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of(worker)
	if before := p.workers[p.running[sequence]]; before != nil {
		before.Lost++
		before.Busy--
	}
	p.running[sequence] = worker
	s.Busy++
}

// ended notes that a worker has judged an item, or gives it back and why.
func (p *presence) ended(worker string, sequence uint64, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of(worker)
	if p.running[sequence] == worker {
		delete(p.running, sequence)
		s.Busy--
	}
	if why == "" {
		s.Done++
		return
	}
	s.Err = why
}

// dropped notes that no worker needs to judge an item.
func (p *presence) dropped(sequence uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if worker := p.running[sequence]; worker != "" {
		delete(p.running, sequence)
		p.workers[worker].Busy--
	}
}

// withdrawn notes that an item is taken from a worker. It is false if the worker does not
// have the item.
func (p *presence) withdrawn(worker string, sequence uint64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running[sequence] != worker {
		return false
	}
	delete(p.running, sequence)
	p.workers[worker].Busy--
	return true
}

// others reports whether there are workers that get items of a lane other than those, with
// a sign of life in the time in which a worker that waits asks twice.
func (p *presence) others(l lane, than []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, s := range p.workers {
		if fits := p.asks[name]; fits != nil && time.Since(s.Seen) < 2*slotWait && !slices.Contains(than, name) && fits(l) {
			return true
		}
	}
	return false
}

// Others reports whether there are workers that get items of a class and language other
// than those.
func (s *Server) Others(class, language string, than []string) bool {
	return s.dispatcher.presence.others(laneOf(&Item{Class: class, Language: language}), than)
}

// Workers returns the workers that have sent requests to this Server, by their names.
func (s *Server) Workers() []WorkerState {
	p := &s.dispatcher.presence
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]WorkerState, 0, len(p.workers))
	for _, w := range p.workers {
		all = append(all, *w)
	}
	slices.SortFunc(all, func(a, b WorkerState) int { return strings.Compare(a.Worker, b.Worker) })
	return all
}
