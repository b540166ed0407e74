package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"crucible/judge/problem"
	"crucible/judge/serve/remote"
)

// An Audit has a share of the work items executed again by another worker, and compares.
// A worker that lies, or whose machine has errors, differs from the others: two of three
// workers decide, and the third one is taken out; see [Audit.decide].
type Audit struct {
	Share   float64      // of the items: 0.01
	Workers *Workers     // learns who differs
	Log     *slog.Logger // nil means none

	underWay                atomic.Int64
	equal, different, alone atomic.Int64 // audits by what they came to; alone: there was no other worker
}

func (a *Audit) log() *slog.Logger {
	if a.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return a.Log
}

// mostAudits is the number of audits at the same time. Others are left out.
const mostAudits = 64

// longestAudit is the time after which an audit that no worker has made is left out.
const longestAudit = 10 * time.Minute

// maybe audits an item, or does not: it is a matter of chance.
func (a *Audit) maybe(item *auditItem, found *outcome) {
	if mathrand.Float64() >= a.Share {
		return
	}
	if a.underWay.Add(1) > mostAudits {
		a.underWay.Add(-1)
		return
	}
	go func() {
		defer a.underWay.Add(-1)
		if err := a.audit(item, found); err != nil {
			a.log().Info("an audit was not made", "error", err)
		}
	}()
}

// audit has an item executed by another worker. If both differ, so that the times of their
// machines do not explain it, a third one executes it, too.
func (a *Audit) audit(item *auditItem, first *outcome) error {
	second, err := item.again(first.worker)
	switch {
	case err != nil:
		return err
	case second == nil:
		a.alone.Add(1)
		return nil
	}
	why := first.differs(second)
	if why == "" {
		a.equal.Add(1)
		a.Workers.agree(first.worker, second.worker)
		return nil
	}
	a.different.Add(1)
	why = fmt.Sprintf("%s %s: %s", item.i.Problem.ID, item.i.Submission.Name, why)
	third, err := item.again(first.worker, second.worker)
	if err != nil {
		a.log().Warn("no third worker decides an audit", "error", err)
	}
	a.log().Error("two workers differ", "first", first.worker, "second", second.worker, "difference", why)
	a.Workers.differs(first.worker, why)
	a.Workers.differs(second.worker, why)
	return a.decide(item, first, second, third)
}

// repeats is how often two workers must repeat an answer. A submission whose verdict is
// random, with equal chances, then looks like a difference of workers in less than 1 % of
// the audits that find a difference.
const repeats = 3

// decide takes out the worker whose outcome differs from those of two others, if it
// repeats its answer and one of the others does. Otherwise, or without a third worker, the
// audit is in doubt about both workers, since the submission may be random or either
// machine may have erred.
func (a *Audit) decide(item *auditItem, first, second, third *outcome) error {
	odd, other := oddOf(first, second, third)
	if odd == nil || !item.repeat(odd) || !item.repeat(other) {
		return a.Workers.doubt(a.log(), first.worker, second.worker)
	}
	return a.Workers.distrust(a.log(), odd.worker, fmt.Sprintf("differs from %s and %s: %s %s: %s",
		other.worker, third.worker, item.i.Problem.ID, item.i.Submission.Name, odd.differs(other)))
}

// oddOf returns the one of three outcomes, the first two of which differ, that differs from
// the other two, which agree, and one of these. It is nil if there is none.
func oddOf(first, second, third *outcome) (odd, other *outcome) {
	if third == nil {
		return nil, nil
	}
	switch a, b := first.differs(third) == "", second.differs(third) == ""; {
	case a && !b:
		return second, first
	case b && !a:
		return first, second
	}
	return nil, nil
}

// An auditItem is an item of an audit.
type auditItem struct {
	q      *Queued
	i      *remote.Item
	data   []byte
	client string
}

// again has the item executed by a worker other than those. The outcome is nil if there
// is none.
func (x *auditItem) again(than ...string) (*outcome, error) {
	if !x.q.Queue.Others(classOf(x.i), x.q.language(x.i), than) {
		return nil, nil
	}
	found, err := x.execute("", than)
	if err != nil || slices.Contains(than, found.worker) {
		return nil, err
	}
	return found, nil
}

// execute has the item executed by only, if that is not "", or preferably by none of some
// workers. The item looks like any other one, so that a worker does not know of the audit.
func (x *auditItem) execute(only string, avoid []string) (*outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longestAudit)
	defer cancel()
	it := newItem(ctx, x.i, x.q.language(x.i), x.client, x.data, avoid)
	it.Worker = only
	p, err := x.q.Queue.Submit(ctx, it)
	if err != nil {
		return nil, err
	}
	found := &outcome{item: x.i, verdicts: make(map[string]problem.Verdict)}
	err = found.receive(ctx, p, func(*remote.Line) error { return nil })
	if err != nil && !found.ended {
		err = errors.Join(err, p.Cancel(context.WithoutCancel(ctx)))
	}
	if lie, is := errors.AsType[*lieError](err); is && !lie.fails {
		x.q.lied(lie)
	}
	return found, err
}

// repeat reports whether a worker gives the same answer again, each time.
func (x *auditItem) repeat(o *outcome) bool {
	for range repeats {
		if again, err := x.execute(o.worker, nil); err != nil || o.differs(again) != "" {
			return false
		}
	}
	return true
}

// differs returns how two outcomes of one item differ, or "". Runs that a time limit
// stopped, or a failure of the judge, are not compared, and neither are cases that only
// one of the workers needed.
func (o *outcome) differs(p *outcome) string {
	c, failed, err := o.last.End()
	d, failedOther, errOther := p.last.End()
	if cmp.Or(failed, err, failedOther, errOther) != nil || c.Err != nil || d.Err != nil || c.Skipped != d.Skipped {
		return ""
	}
	if c.Rejected != d.Rejected {
		return fmt.Sprintf("compiles: %v on %s, %v on %s", !c.Rejected, o.worker, !d.Rejected, p.worker)
	}
	for _, name := range slices.Sorted(maps.Keys(o.verdicts)) {
		v, w := o.verdicts[name], p.verdicts[name]
		if v == w || v == "" || w == "" || v == problem.TimeLimit || w == problem.TimeLimit {
			continue
		}
		return fmt.Sprintf("%s is %s on %s, %s on %s", name, v, o.worker, w, p.worker)
	}
	return ""
}
