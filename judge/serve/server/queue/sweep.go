package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// sweep looks after the items that are open: their lanes are announced every few
// seconds, and they are compared with the stream and the verdicts every so often and
// after each reconnection, because a server that lost power can have lost the last
// seconds of each.
func (q *Queue) sweep(ctx context.Context, every time.Duration) {
	announce := time.NewTicker(min(5*time.Second, every))
	defer announce.Stop()
	compare := time.NewTicker(every)
	defer compare.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-announce.C:
			lanes := make(map[lane]bool)
			for _, p := range q.pending() {
				lanes[laneOf(&p.Item)] = true
			}
			q.announce(lanes)
			continue
		case <-compare.C:
		case <-q.again:
		}
		// An error is that of a server that is away: the next comparison repairs it.
		_, _ = q.compare(ctx)
	}
}

// compare submits again each open item that is neither in the stream nor has a
// verdict, and ends those that have one. It returns how many it submitted.
func (q *Queue) compare(ctx context.Context) (int, error) {
	open := make(map[lane][]*Pending)
	for _, p := range q.pending() {
		l := laneOf(&p.Item)
		open[l] = append(open[l], p)
	}
	lost := 0
	for l, all := range open {
		n, err := q.compareLane(ctx, l, all)
		if lost += n; err != nil {
			return lost, err
		}
	}
	return lost, nil
}

func (q *Queue) compareLane(ctx context.Context, l lane, open []*Pending) (int, error) {
	info, err := q.items.Info(ctx, jetstream.WithSubjectFilter(itemSubject+l.suffix()+".*"))
	if err != nil {
		return 0, fmt.Errorf("queue: %s: %w", itemStream, err)
	}
	var lost []*Pending
	for _, p := range open {
		if _, there := info.State.Subjects[l.item(p.Item.ID)]; there {
			continue
		}
		c, _, err := q.cells.get(ctx, p.Item.Cell)
		if err != nil {
			return 0, err
		}
		if !c.Done {
			lost = append(lost, p)
			continue
		}
		if err := q.replay(ctx, p); err != nil {
			return 0, err
		}
		v := c.verdict()
		p.event(event{Verdict: true, Attempt: v.Attempt, Worker: v.Worker, Err: v.Err, Results: v.Results}, v.Payload)
		q.remove(p.Item.ID)
	}
	return len(lost), q.publish(ctx, lost)
}

// Stats are the numbers of a queue.
type Stats struct {
	// Depth is the number of items without a verdict. Running of them are at workers,
	// or are the next ones of their lanes.
	Depth   uint64 `json:"depth"`
	Running int    `json:"running"`
	// Age is the time since the oldest of them was submitted.
	Age time.Duration `json:"age"`
	// Redelivered is the number of items that were delivered more than once and are open.
	Redelivered int `json:"redelivered"`
	// Lanes is the number of combinations of class, language, client and priority.
	Lanes int `json:"lanes"`
	// Cells is the number of cells in the bucket of verdicts, open ones included.
	Cells uint64 `json:"cells"`
	// Bytes is the size of items, results and verdicts on the disk.
	Bytes uint64 `json:"bytes"`
}

// Stats returns the state of the queue, of all submitters and servers.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	var s Stats
	info, err := q.items.Info(ctx)
	if err != nil {
		return s, fmt.Errorf("queue: %s: %w", itemStream, err)
	}
	s.Depth, s.Bytes = info.State.Msgs, info.State.Bytes
	if s.Depth > 0 {
		s.Age = time.Since(info.State.FirstTime)
	}
	list := q.items.ListConsumers(ctx)
	for c := range list.Info() {
		s.Running += c.NumAckPending
		s.Redelivered += c.NumRedelivered
		s.Lanes++
	}
	if err := list.Err(); err != nil {
		return s, fmt.Errorf("queue: %s: %w", itemStream, err)
	}
	status, err := q.cells.kv.Status(ctx)
	if err != nil {
		return s, fmt.Errorf("queue: %s: %w", cellBucket, err)
	}
	s.Cells = status.Values()
	s.Bytes += status.Bytes()
	if results, err := q.js.Stream(ctx, resultStream); err == nil {
		s.Bytes += results.CachedInfo().State.Bytes
	}
	return s, nil
}

// Counts returns what this Server has done since it started.
func (s *Server) Counts() Counts {
	s.dispatcher.mu.Lock()
	defer s.dispatcher.mu.Unlock()
	return s.dispatcher.stats
}

// Load returns the number of slots of workers that wait for an item, and of items
// that are ready for a slot.
func (s *Server) Load() (slots, items int) {
	slots, items, _ = s.dispatcher.board.counts()
	return slots, items
}
