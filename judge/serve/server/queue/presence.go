package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go"
)

// A WorkerState is what the servers know about a worker since they started. Done and Lost
// are sums of all servers; the rest is what that one knows which it asked last.
type WorkerState struct {
	Worker string    `json:"worker"`
	Seen   time.Time `json:"-"`    // the last request
	Busy   int       `json:"busy"` // items that it has
	Done   int64     `json:"done"` // verdicts that it sent
	Lost   int64     `json:"lost"` // items that it had and another worker got
	Err    string    `json:"err"`  // why it gave an item back for the last time; "" if it never did

	poll *Poll     // the last one
	said time.Time // when the other servers were told; zero after a change
}

// worker returns the state of a worker, which the caller changes, and holds q.mu.
func (q *Queue) worker(name string) *WorkerState {
	s := q.presence[name]
	if s == nil {
		s = &WorkerState{Worker: name}
		q.presence[name] = s
	}
	s.said = time.Time{}
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
	for s := range q.everyWorker() {
		if s.poll != nil && s.poll.fits(class, language) && time.Since(s.Seen) < 2*PollTime &&
			!slices.Contains(than, s.Worker) {
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

// Workers returns the workers that have sent requests to this Queue or to another server, by
// their names.
func (q *Queue) Workers() []WorkerState {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := make(map[string]WorkerState, len(q.presence))
	for w := range q.everyWorker() {
		newest, other := *w, all[w.Worker]
		if other.Seen.After(newest.Seen) {
			newest, other = other, newest
		}
		newest.Done += other.Done
		newest.Lost += other.Lost
		newest.Err = cmp.Or(newest.Err, other.Err)
		all[w.Worker] = newest
	}
	return slices.SortedFunc(maps.Values(all), func(a, b WorkerState) int { return cmp.Compare(a.Worker, b.Worker) })
}

// everyWorker yields what each server knows of each worker. The caller holds q.mu.
func (q *Queue) everyWorker() iter.Seq[*WorkerState] {
	return func(yield func(*WorkerState) bool) {
		for _, s := range q.presence {
			if !yield(s) {
				return
			}
		}
		for _, p := range q.peers {
			for _, s := range p.workers {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Load returns the number of polls of workers that wait for an item, and of items that wait
// for a worker, at all servers.
func (q *Queue) Load() (polls, items int) {
	l := q.load()
	return l.Polls, l.Items
}

// A load is how much a server has to do.
type load struct {
	Polls   int `json:"polls"`
	Items   int `json:"items"` // that wait
	Running int `json:"running"`
}

// load returns the load of all servers.
func (q *Queue) load() load {
	sum := q.ownLoad()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.peers {
		if time.Since(p.heard) < 3*sayEach {
			sum = load{sum.Polls + p.Polls, sum.Items + p.Items, sum.Running + p.Running}
		}
	}
	return sum
}

func (q *Queue) ownLoad() (l load) {
	l.Polls, l.Items = q.room.counts("")
	q.mu.Lock()
	defer q.mu.Unlock()
	l.Running = len(q.running)
	return l
}

const (
	sayEach   = 2 * time.Second        // between messages about workers
	lookEach  = 100 * time.Millisecond // between looks at what waits, which may be said at once
	sayAgain  = 10 * time.Second       // until a worker is in one again that has not changed
	keepPeer  = time.Hour              // without a message
	mostPeers = 100
	mostKnown = 10_000 // workers of a peer
	mostSaid  = 1000   // classes or languages of a worker
	// maxSaid is the size in bytes from which a message gets no more workers; that of one
	// worker is bounded by it, too.
	maxSaid = 96 << 10
)

const presenceSubject = "presence"

// A presence is a message of a server about its workers. Several have one table.
type presence struct {
	Server string `json:"server"`
	load
	Workers []json.RawMessage `json:"workers"`
}

// A presenceEntry is a worker in a presence. It has an age, since clocks differ.
type presenceEntry struct {
	WorkerState
	Age       time.Duration `json:"age"`
	Classes   []string      `json:"classes"`
	Languages []string      `json:"languages"`
}

// A peer is another server, as its messages have it.
type peer struct {
	load
	heard   time.Time
	workers map[string]*WorkerState
}

// say sends the other servers what has changed, and again what is still true: they may have
// missed it. That workers begin or cease to wait is said at once, unless there are many of them.
// It also gives back what the workers of other servers wait for.
func (q *Queue) say() {
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	waited, last := false, time.Time{}
	for {
		polls, _ := q.room.counts("")
		q.mu.Lock()
		pause := time.Duration(len(q.presence)) * time.Millisecond
		q.mu.Unlock()
		if (polls > 0) == waited {
			pause = sayEach
		}
		if now := time.Now(); now.Sub(last) >= min(pause, sayEach) {
			waited, last = polls > 0, now
			for _, m := range q.presences(now) {
				// What waits for a connection would be too old.
				if data, err := json.Marshal(m); err == nil && q.link().conn.IsConnected() {
					_ = q.Say(presenceSubject, data)
				}
			}
		}
		q.giveBack()
		select {
		case <-q.run.Done():
			return
		case <-tick.C:
		}
	}
}

// presences returns the messages that are due.
func (q *Queue) presences(now time.Time) []*presence {
	m := &presence{Server: q.Name, load: q.ownLoad()}
	all, size := []*presence{m}, 0
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, s := range q.presence {
		if age := now.Sub(s.Seen); !s.said.IsZero() && (now.Sub(s.said) < sayAgain || age > 2*PollTime) {
			continue
		}
		s.said = now
		e := presenceEntry{WorkerState: *s, Age: now.Sub(s.Seen)}
		if s.poll != nil {
			e.Classes, e.Languages = s.poll.Classes, s.poll.Languages
		}
		data, err := json.Marshal(&e)
		if err == nil && len(data) > maxSaid {
			e.Classes, e.Languages = nil, nil // it lives, but does not count as one that could do an audit
			data, err = json.Marshal(&e)
		}
		if err != nil {
			continue
		}
		if size += len(data); size > maxSaid {
			m, size = &presence{Server: q.Name, load: m.load}, len(data)
			all = append(all, m)
		}
		m.Workers = append(m.Workers, data)
	}
	return all
}

// hear takes a message of a server, also of this one.
func (q *Queue) hear(message []byte) {
	var m presence
	err := json.Unmarshal(message, &m)
	if err == nil && m.Server != q.Name {
		err = q.know(&m, time.Now())
	}
	if err != nil {
		q.Log.Warn("a message about workers is not understood", "server", fmt.Sprintf("%.40q", m.Server), "error", err)
	}
}

// know takes a message of another server.
func (q *Queue) know(m *presence, now time.Time) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.peers, func(_ string, p *peer) bool { return now.Sub(p.heard) > keepPeer })
	p := q.peers[m.Server]
	switch {
	case !isName(m.Server):
		return fmt.Errorf("a server's name has %d bytes: expected text of 1 to %d", len(m.Server), MaxName)
	case p == nil && len(q.peers) >= mostPeers:
		return fmt.Errorf("another server: expected at most %d", mostPeers)
	case min(m.Polls, m.Items, m.Running) < 0 || max(m.Polls, m.Items, m.Running) > mostKnown*MaxSlots:
		return fmt.Errorf("load %+v: expected numbers from 0 to %d", m.load, mostKnown*MaxSlots)
	case p == nil:
		p = &peer{workers: make(map[string]*WorkerState)}
		q.peers[m.Server] = p
	}
	p.load, p.heard = m.load, now
	for _, data := range m.Workers {
		var e presenceEntry
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		if !isName(e.Worker) || p.workers[e.Worker] == nil && len(p.workers) >= mostKnown || len(e.Err) > maxWhy ||
			e.Busy < 0 || e.Busy > mostKnown || min(e.Done, e.Lost) < 0 || e.Age < 0 ||
			max(len(e.Classes), len(e.Languages)) > mostSaid {
			return fmt.Errorf("worker %.40q: numbers or texts are out of bounds", e.Worker)
		}
		s := e.WorkerState
		s.Seen, s.poll = now.Add(-e.Age), &Poll{Worker: e.Worker, Classes: e.Classes, Languages: e.Languages}
		p.workers[e.Worker] = &s
	}
	return nil
}

// isName reports whether a text can be a name in an item.
func isName(s string) bool { return s != "" && len(s) <= MaxName && utf8.ValidString(s) }

// Say sends a message to the other servers that are connected now.
func (q *Queue) Say(subject string, message []byte) error {
	return q.link().conn.Publish(q.names.said()+subject, message)
}

// Hear calls f with each message of a subject, also with those of this server, until the Queue
// is closed. Only a queue on an external NATS hears after a reconnection.
func (q *Queue) Hear(subject string, f func(message []byte)) error {
	_, err := q.link().conn.Subscribe(q.names.said()+subject, func(m *nats.Msg) { f(m.Data) })
	return err
}
