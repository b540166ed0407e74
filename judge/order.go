package judge

import (
	"context"
	"errors"
	"sync"

	"crucible/judge/problem"
	"crucible/judge/result"
)

// An order counts the runs of a submission in case order, however they end. It leaves
// out cases that are unnecessary because of the results of the cases before them, even if
// they have already run, so that the report does not depend on how many run at once.
type order struct {
	*tally
	cases   []*problem.Case
	first   bool       // the first case is run, whatever is known
	counted func(*Run) // is called for each run that counts, in case order; may be nil

	mu      sync.Mutex
	runs    []*Run // nil: not finished
	taken   []bool // by a caller of take that has not given it back
	skipped []bool
	next    int // the cases before this one are taken or need not run
	known   int // the cases before this one are counted
}

func (t *tally) order(cases []*problem.Case) *order {
	return &order{tally: t, cases: cases, runs: make([]*Run, len(cases)), taken: make([]bool, len(cases)),
		skipped: make([]bool, len(cases))}
}

// needs reports whether a case is needed.
func (o *order) needs(i int) bool { return o.first && i == 0 || o.Needs(o.cases[i]) }

// take returns the indexes of at most n cases that are to be run next, in case order;
// none if there are none at the moment.
func (o *order) take(ctx context.Context, n int) (chunk []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ctx.Err() != nil {
		return nil
	}
	for ; o.next < len(o.cases) && len(chunk) < n; o.next++ {
		// An unnecessary case is counted when the cases before it are known.
		if i := o.next; !o.taken[i] && o.runs[i] == nil && o.needs(i) {
			o.taken[i] = true
			chunk = append(chunk, i)
		}
	}
	return chunk
}

// giveBack makes cases that were taken, and have not been run, available again.
func (o *order) giveBack(chunk []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, i := range chunk {
		if o.runs[i] == nil {
			o.taken[i] = false
			o.next = min(o.next, i)
		}
	}
}

// add adds the run of a case that was taken. It counts it, and those after it that have
// ended, if all cases before them are known.
func (o *order) add(i int, run Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.runs[i] = &run
	for ; o.known < len(o.cases); o.known++ {
		switch c := o.cases[o.known]; {
		case !o.needs(o.known):
			o.skipped[o.known] = true
			o.skip(c)
		case o.runs[o.known] != nil:
			if o.counted != nil {
				o.counted(o.runs[o.known])
			}
			o.count(c, o.runs[o.known])
		default:
			return
		}
	}
}

// kept returns the runs of the report, up to the first one that is missing because of an
// interruption or a failure. A run that was interrupted is no failure.
func (o *order) kept(ctx context.Context) (kept []Run) {
	for i, run := range o.runs {
		if o.skipped[i] {
			continue
		}
		if run == nil || ctx.Err() != nil && (errors.Is(run.Err, ctx.Err()) || errors.Is(run.Err, context.Cause(ctx))) {
			break
		}
		kept = append(kept, *run)
	}
	return kept
}

// mostBefore is the most runs that a work item has of cases before it.
const mostBefore = 256

// before returns the known runs of the cases before one that are not accepted: only
// these can make later cases unnecessary. What is left out makes more cases needed, not
// fewer.
func (o *order) before(i int) (known []result.Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, run := range o.runs[:i] {
		if run != nil && !run.accepted() && len(known) < mostBefore {
			known = append(known, run.result())
		}
	}
	return known
}
