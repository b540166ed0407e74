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

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change
	attempts map[int]map[int]Result
	current  int // the attempt whose results are given
	verdict  *Verdict
	err      error
}

func newPending(q *Queue, it Item) *Pending {
	return &Pending{Item: it, q: q, changed: make(chan struct{}), attempts: make(map[int]map[int]Result)}
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
		p.verdict = &Verdict{Worker: e.Worker, Attempt: e.Attempt, Payload: body, Err: e.Err, Results: e.Results}
		p.current = e.Attempt
	} else {
		if e.Seq > len(p.attempts[e.Attempt])+mostAbsent {
			return false
		}
		if p.attempts[e.Attempt] == nil {
			p.attempts[e.Attempt] = make(map[int]Result)
		}
		p.attempts[e.Attempt][e.Seq] = Result{Attempt: e.Attempt, Seq: e.Seq, Worker: e.Worker, Payload: body}
		p.current = max(p.current, e.Attempt)
	}
	p.signal()
	return p.verdict != nil
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

// next returns the result after attempt and seq, or of a later attempt. Without one,
// it returns a channel that is closed at the next change, or nil at the end.
func (p *Pending) next(attempt, seq int) (Result, bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != attempt {
		attempt, seq = p.current, 0
	}
	if r, ok := p.attempts[attempt][seq]; ok {
		return r, true, nil
	}
	if p.verdict != nil || p.err != nil {
		return Result{}, false, nil
	}
	return Result{}, false, p.changed
}

// Results returns the partial results, in order, until the item has ended or ctx
// has. A result with Seq 0 starts the item again. After the last one, the results
// since the last restart are those of the attempt whose verdict counts; fewer than
// Verdict.Results if the server has lost some.
func (p *Pending) Results(ctx context.Context) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		attempt, seq := 0, 0
		for {
			r, ok, wait := p.next(attempt, seq)
			if ok {
				if !yield(r) {
					return
				}
				attempt, seq = r.Attempt, r.Seq+1
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
	p.q.remove(p.Item.ID)
	p.end(ErrCancelled)
	return p.q.cancel(ctx, p)
}
