package queue

import (
	"context"
	"iter"
	"sync"
)

// A Pending is an item that was submitted.
type Pending struct {
	Item Item

	q *Queue

	mu         sync.Mutex
	changed    chan struct{} // closed at the next change
	deliveries map[int]map[int]Result
	bytes      int // of the results
	current    int // the delivery whose results are given
	verdict    *Verdict
	err        error
}

func newPending(q *Queue, it Item) *Pending {
	return &Pending{Item: it, q: q, changed: make(chan struct{}), deliveries: make(map[int]map[int]Result)}
}

// mostAbsent is how many results may be absent before one that is kept. A worker that leaves
// out the first one could otherwise fill the memory with others, which nobody gets.
const mostAbsent = 8

// event takes a partial result or a verdict. Events may come twice, late, and out
// of order. It reports whether the item has ended.
func (p *Pending) event(e event, body []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.verdict != nil || p.err != nil {
		return true
	}
	if e.Verdict {
		p.verdict = &Verdict{Worker: e.Worker, Delivery: e.Delivery, Payload: body, Err: e.Err, Results: e.Results}
		p.current = e.Delivery
	} else {
		if e.Number > len(p.deliveries[e.Delivery])+mostAbsent {
			return false
		}
		if p.deliveries[e.Delivery] == nil {
			p.deliveries[e.Delivery] = make(map[int]Result)
		}
		p.bytes += len(body) - len(p.deliveries[e.Delivery][e.Number].Payload)
		p.deliveries[e.Delivery][e.Number] = Result{Delivery: e.Delivery, Number: e.Number, Worker: e.Worker, Payload: body}
		p.current = max(p.current, e.Delivery)
		for d := range p.deliveries {
			if p.bytes > maxResults && d != p.current {
				p.drop(d)
			}
		}
	}
	p.signal()
	return p.verdict != nil
}

// drop forgets the results of a delivery. The caller holds p.mu.
func (p *Pending) drop(delivery int) {
	for _, r := range p.deliveries[delivery] {
		p.bytes -= len(r.Payload)
	}
	delete(p.deliveries, delivery)
}

// end ends the item without a verdict.
func (p *Pending) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.verdict == nil && p.err == nil {
		p.err = err
		p.signal()
	}
}

func (p *Pending) signal() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// next returns the result after delivery and number, or of a later delivery. Without one,
// it returns a channel that is closed at the next change, or nil at the end.
func (p *Pending) next(delivery, number int) (Result, bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != delivery {
		delivery, number = p.current, 0
	}
	if r, ok := p.deliveries[delivery][number]; ok {
		return r, true, nil
	}
	if p.verdict != nil || p.err != nil {
		return Result{}, false, nil
	}
	return Result{}, false, p.changed
}

// Results returns the partial results, in order, until the item has ended or ctx
// has. A result with Number 0 starts the item again. After the last one, the results
// since the last restart are those of the delivery whose verdict counts; fewer than
// Verdict.Results if the server has lost some.
func (p *Pending) Results(ctx context.Context) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		delivery, number := 0, 0
		for {
			r, ok, wait := p.next(delivery, number)
			if ok {
				if !yield(r) {
					return
				}
				delivery, number = r.Delivery, r.Number+1
				continue
			}
			if wait == nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-wait:
			}
		}
	}
}

// Verdict waits for the verdict.
func (p *Pending) Verdict(ctx context.Context) (Verdict, error) {
	for {
		p.mu.Lock()
		verdict, err, wait := p.verdict, p.err, p.changed
		p.mu.Unlock()
		if verdict != nil {
			return *verdict, nil
		}
		if err != nil {
			return Verdict{}, err
		}
		select {
		case <-ctx.Done():
			return Verdict{}, ctx.Err()
		case <-wait:
		}
	}
}

// Cancel takes the item out of the queue. A worker that runs it is stopped at its
// next sign of life. Verdict returns ErrCancelled unless there is a verdict already.
func (p *Pending) Cancel(ctx context.Context) error {
	p.q.remove(p)
	p.end(ErrCancelled)
	return p.q.cancelItem(ctx, p)
}
