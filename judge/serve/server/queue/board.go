package queue

import (
	"container/list"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A parcel is an item that was pulled from the stream and not yet given to a worker.
type parcel struct {
	item  stored
	data  []byte
	lane  lane
	msg   jetstream.Msg
	tried []string  // workers that lost the item
	since time.Time // when it was put on the board
	came  time.Time // when it was pulled
	// sequence is that of the item in the stream.
	sequence uint64
}

// A slot is a place of a worker that waits for an item.
type slot struct {
	worker             string
	classes, languages []string // tokens; no languages means all
	give               func(*parcel)
	refuse             func() // called if there is no item for long
	timer              *time.Timer
	permitted          []string                  // classes; nil means all
	assigned           *atomic.Pointer[[]string] // replace classes, unless they are nil
	profile            *profile
	element            *list.Element // of the list of profile; nil if the slot does not wait
	since              uint64        // by clock
}

// A profile has the slots that wait for the same classes and languages. Workers have few
// different ones, so neither a slot nor an item is compared with each of the others.
type profile struct {
	key                string
	classes, languages []string // tokens; nil languages means all
	slots              list.List
}

func (f *profile) fits(l lane) bool {
	return slices.Contains(f.classes, l.class) && (f.languages == nil || slices.Contains(f.languages, l.language))
}

// now returns the classes of the worker, which may have changed since it asked.
func (s *slot) now() []string {
	classes := s.classes
	if s.assigned != nil {
		if now := s.assigned.Load(); now != nil {
			classes = *now
		}
	}
	return narrow(classes, s.permitted)
}

// fits reports whether the worker gets items of the lane.
func (s *slot) fits(l lane) bool {
	return (&profile{classes: s.now(), languages: s.languages}).fits(l)
}

// profileOf returns the profile of a slot that begins to wait.
func (b *board) profileOf(s *slot) *profile {
	classes := s.now()
	key := strings.Join(classes, " ") + " in all languages"
	if s.languages != nil {
		key = strings.Join(classes, " ") + " in " + strings.Join(s.languages, " ")
	}
	if f := b.profiles[key]; f != nil {
		return f
	}
	return &profile{key: key, classes: classes, languages: s.languages}
}

// narrow returns those of the names that are permitted; nil permits all.
func narrow(names, permitted []string) []string {
	if permitted == nil {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(permitted, n) })
}

// A board brings items and slots together. Each lane has at least one item on it
// whenever it has any in the stream, so the choice is made among all clients at the
// moment at which a slot is free: priority items first, then the client that was
// served longest ago.
type board struct {
	mu       sync.Mutex
	clock    uint64
	lanes    map[lane]*heads
	ready    map[lane]*heads                   // those with parcels
	clients  map[string]uint64                 // when served last, by clock
	profiles map[string]*profile               // by key, those with slots
	waiting  map[string]int                    // slots by worker
	others   func(l lane, tried []string) bool // whether other workers get items of the lane; nil means there are none
}

// avoid is the time for which an item waits for a worker that has not lost it, if there
// are any: the disk of a worker that is free at once may be full.
const avoid = 15 * time.Second

// fit reports whether a worker may get an item.
func (b *board) fit(p *parcel, worker string) bool {
	return !slices.Contains(p.tried, worker) || b.others == nil || !b.others(p.lane, p.tried) ||
		time.Since(p.since) > avoid
}

// heads are the items of one lane on the board.
type heads struct {
	lane    lane
	parcels []*parcel
	served  uint64
	empty   chan struct{} // gets a value when the last of parcels is taken
}

func newBoard() *board {
	return &board{lanes: make(map[lane]*heads), ready: make(map[lane]*heads), clients: make(map[string]uint64),
		profiles: make(map[string]*profile), waiting: make(map[string]int)}
}

// open returns the lane's heads, and whether they are new.
func (b *board) open(l lane) (*heads, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := b.lanes[l]; h != nil {
		return h, false
	}
	h := &heads{lane: l, empty: make(chan struct{}, 1)}
	b.lanes[l] = h
	return h, true
}

// close removes a lane that has had no items for long, unless it has one now.
func (b *board) close(h *heads) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(h.parcels) > 0 {
		return false
	}
	delete(b.lanes, h.lane)
	for l := range b.lanes {
		if l.client == h.lane.client {
			return true
		}
	}
	delete(b.clients, h.lane.client)
	return true
}

// demand is the number of items of the lane to pull: none if it has one on the
// board, else the number of slots that wait for it, from least to most.
func (b *board) demand(h *heads, least, most int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(h.parcels) > 0 {
		return 0
	}
	n := 0
	for _, f := range b.profiles {
		if f.fits(h.lane) {
			n += f.slots.Len()
		}
	}
	return min(max(n, least), most)
}

// add puts an item on the board, or gives it to a slot that waits. It reports
// false if the item's lane is not open.
func (b *board) add(p *parcel) bool {
	b.mu.Lock()
	h := b.lanes[p.lane]
	if h == nil {
		b.mu.Unlock()
		return false
	}
	to := b.slotFor(p)
	if to == nil {
		h.parcels = append(h.parcels, p)
		b.ready[p.lane] = h
		b.mu.Unlock()
		return true
	}
	b.take(h)
	b.removeLocked(to)
	b.mu.Unlock()
	to.give(p)
	return true
}

// slotFor returns the slot that gets an item: the one that has waited longest, of a
// worker that has not lost the item if there is any. It is nil if no slot fits.
func (b *board) slotFor(p *parcel) *slot {
	var best, again *slot
	for _, f := range b.profiles {
		if !f.fits(p.lane) {
			continue
		}
		for e := f.slots.Front(); e != nil; e = e.Next() {
			s := e.Value.(*slot)
			if !slices.Contains(p.tried, s.worker) {
				if best == nil || s.since < best.since {
					best = s
				}
				break
			}
			if again == nil || s.since < again.since {
				again = s
			}
		}
	}
	if best == nil && again != nil && b.fit(p, again.worker) {
		return again
	}
	return best
}

// wait returns an item for the slot if there is one now. Else it is nil, and the slot is
// given an item as soon as there is one.
func (b *board) wait(s *slot) *parcel {
	b.mu.Lock()
	f := b.profileOf(s)
	var best *heads
	at := 0
	for _, h := range b.ready {
		if !f.fits(h.lane) {
			continue
		}
		i := slices.IndexFunc(h.parcels, func(p *parcel) bool { return !slices.Contains(p.tried, s.worker) })
		if i < 0 && !b.fit(h.parcels[0], s.worker) {
			continue
		}
		if best == nil || b.before(h, i, best, at) {
			best, at = h, i
		}
	}
	if best == nil {
		b.clock++
		s.since, s.profile, s.element = b.clock, f, f.slots.PushBack(s)
		b.profiles[f.key] = f
		b.waiting[s.worker]++
		b.mu.Unlock()
		return nil
	}
	i := max(at, 0)
	p := best.parcels[i]
	best.parcels = slices.Delete(best.parcels, i, i+1)
	b.take(best)
	b.mu.Unlock()
	return p
}

// before reports whether lane g goes before lane h. The indexes are those of the
// first item that the worker has not lost before, or -1.
func (b *board) before(g *heads, i int, h *heads, j int) bool {
	if (i < 0) != (j < 0) {
		return j < 0
	}
	if g.lane.priority != h.lane.priority {
		return g.lane.priority
	}
	if x, y := b.clients[g.lane.client], b.clients[h.lane.client]; x != y {
		return x < y
	}
	return g.served < h.served
}

// take records that the lane is served.
func (b *board) take(h *heads) {
	b.clock++
	b.clients[h.lane.client], h.served = b.clock, b.clock
	if len(h.parcels) == 0 {
		delete(b.ready, h.lane)
		select {
		case h.empty <- struct{}{}:
		default:
		}
	}
}

// remove takes the slot back and reports whether it was still waiting.
func (b *board) remove(s *slot) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.removeLocked(s)
}

func (b *board) removeLocked(s *slot) bool {
	if s.element == nil {
		return false
	}
	s.profile.slots.Remove(s.element)
	s.element = nil
	if b.waiting[s.worker]--; b.waiting[s.worker] == 0 {
		delete(b.waiting, s.worker)
	}
	if s.profile.slots.Len() == 0 {
		delete(b.profiles, s.profile.key)
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	return true
}

// crowd removes the slot of a worker that has waited longest, if as many wait as it has: the
// worker no longer knows of that one. It is nil if there is room for one more.
func (b *board) crowd(worker string, most int) (oldest *slot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[worker] < most {
		return nil
	}
	for _, f := range b.profiles {
		for e := f.slots.Front(); e != nil; e = e.Next() {
			if s := e.Value.(*slot); s.worker == worker && (oldest == nil || s.since < oldest.since) {
				oldest = s
			}
		}
	}
	b.removeLocked(oldest)
	return oldest
}

// all returns the items on the board. With clear, they are removed from it.
func (b *board) all(clear bool) []*parcel {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []*parcel
	for l, h := range b.ready {
		all = append(all, h.parcels...)
		if clear {
			h.parcels = nil
			delete(b.ready, l)
		}
	}
	return all
}

// refuseWorker answers the slots of a worker that wait.
func (b *board) refuseWorker(name string) { b.refuse(func(s *slot) bool { return s.worker == name }) }

// refuse answers the slots that wait and that which is true for.
func (b *board) refuse(which func(*slot) bool) {
	b.mu.Lock()
	var all []*slot
	for _, f := range b.profiles {
		for e := f.slots.Front(); e != nil; {
			s := e.Value.(*slot)
			e = e.Next()
			if which(s) {
				all = append(all, s)
				b.removeLocked(s)
			}
		}
	}
	b.mu.Unlock()
	for _, s := range all {
		s.refuse()
	}
}

// counts returns the numbers of waiting slots, of items on the board and of lanes.
func (b *board) counts() (slots, items, lanes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range b.ready {
		items += len(h.parcels)
	}
	for _, f := range b.profiles {
		slots += f.slots.Len()
	}
	return slots, items, len(b.lanes)
}
