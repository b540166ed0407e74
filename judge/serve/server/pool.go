package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/serve/remote"
	"crucible/judge/serve/server/queue"
)

// NoLanguage stands for the language of submissions that are no programs.
const NoLanguage = "none"

// A Queued is the pool of the workers of a queue.
type Queued struct {
	Queue   *queue.Queue
	Audit   *Audit   // compares workers; nil does not
	Workers *Workers // for metrics and languages; nil if the pool has none that register

	Compilations Compilations // compares what workers compile
}

// Slots implements [remote.Pool]: those of all workers that get work items.
func (q *Queued) Slots(context.Context) (int, error) {
	slots, _ := q.Workers.slots()
	return max(slots, 1), nil
}

// judgementKey is the key of the name of a judgement in the context of its items.
type judgementKey struct{}

// priorityKey is the key of the priority of a judgement in the context of its items.
type priorityKey struct{}

// newItem returns a new item of the queue. If it is one of a judgement, its name follows from
// what is asked for: a server that is started again finds its verdict.
func newItem(ctx context.Context, i *remote.Item, language, client string, data []byte, avoid []string) queue.Item {
	item := queue.Item{ID: rand.Text(), Class: classOf(i), Language: language, Client: cmp.Or(client, "server"),
		Avoid: avoid, Worker: i.Worker, Payload: data}
	item.Priority, _ = ctx.Value(priorityKey{}).(int)
	if name, ok := ctx.Value(judgementKey{}).(string); ok {
		sum := sha256.Sum256([]byte(strings.Join(append([]string{name, string(data)}, avoid...), "\x00")))
		item.ID, item.Kept = hex.EncodeToString(sum[:16]), true
	}
	return item
}

// Do implements [remote.Pool]. If a worker is lost, another one executes the item again;
// of two runs of a case the first one counts; so it is with a worker whose answer cannot be
// one to the item. An item that only workers can get that it avoids is refused at once, and
// one whose class has no workers for long fails, or whose only worker gets no items.
func (q *Queued) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	data, err := i.Encode()
	if err != nil {
		return err
	}
	language := q.language(i)
	if len(i.Avoid) > 0 && !q.Queue.Others(classOf(i), language, i.Avoid) {
		return line(remote.Fail(judge.ErrNoOtherWorker, ""))
	}
	client, _ := ctx.Value(clientKey{}).(string)
	found := &outcome{item: i, verdicts: make(map[string]problem.Verdict)}
	attended, end := q.Workers.attend(ctx, i)
	defer end()
	for avoid := slices.Clone(i.Avoid); ; {
		p, err := q.Queue.Submit(ctx, newItem(ctx, i, language, client, data, avoid))
		if err != nil {
			return err
		}
		err = found.receive(attended, p, line)
		if err != nil && !found.ended {
			// Nobody waits for the rest.
			err = errors.Join(err, p.Cancel(context.WithoutCancel(ctx)))
		}
		lie, is := errors.AsType[*lieError](err)
		if is && !lie.fails {
			q.lied(lie)
		}
		// What it avoids is in its name: the queue has no verdict of that.
		switch again := len(avoid) < len(i.Avoid)+mostAgain; {
		case again && errors.Is(err, errLost): // or claimed by a worker that never sent them
			avoid = append(avoid, found.worker)
			continue
		case again && is && i.Worker == "":
			avoid = append(avoid, lie.worker)
			continue
		case err != nil:
			return err
		}
		q.judged(&auditItem{q, i, data, client}, found)
		return line(found.last)
	}
}

// errLost is the error of an item that has a verdict whose partial results the queue no longer
// has.
var errLost = errors.New("the results of the item are no longer kept")

// mostAgain is how often an item is executed again because of an answer to it, before it fails.
const mostAgain = 3

// lied logs a lie.
func (q *Queued) lied(lie *lieError) {
	if q.Workers != nil {
		q.Workers.log().Error("a worker lies; its item is given to another one", "worker", lie.worker, "error", lie.what)
		q.Workers.differs(lie.worker, lie.what)
	}
}

// judged notes which worker has judged an item, and audits it, perhaps.
func (q *Queued) judged(item *auditItem, found *outcome) {
	if q.Workers != nil {
		q.Workers.done(found.worker)
		q.Compilations.compare(q.Workers, item.i, found)
	}
	if q.Audit != nil && item.i.Worker == "" {
		q.Audit.maybe(item, found)
	}
}

// classOf returns the class whose workers may execute an item.
func classOf(i *remote.Item) string { return cmp.Or(i.Class, AnyClass) }

// An outcome is the answer of a worker to an item.
type outcome struct {
	item     *remote.Item
	worker   string
	ended    bool                       // the queue has the end of the item
	verdicts map[string]problem.Verdict // of the runs, by the case
	last     *remote.Line               // the last line, parsed
}

// A lieError is the error of an answer that no worker gives to an item.
type lieError struct {
	worker, what string
	fails        bool // it is that of a worker that fails, which may be honest
}

// Error implements error.
func (e *lieError) Error() string { return fmt.Sprintf("worker %s: %s", e.worker, e.what) }

// receive waits for the answer to an item, and passes on the lines of its runs. If a
// worker was lost, the next one begins again: of two runs of a case, the first one counts.
// The error is a [*lieError] for an answer that cannot be one to the item.
func (o *outcome) receive(ctx context.Context, p *queue.Pending, line func(*remote.Line) error) error {
	o.ended, o.last = false, nil
	delivery, results, runs := 0, 0, make(map[string]bool) // of the delivery
	var part []byte                                        // of a line that goes on in the next message
	lines := func(worker string, number int, message []byte) error {
		if number != delivery {
			delivery, results, part = number, 0, nil
			clear(runs)
		}
		if len(part) > 0 {
			message, part = slices.Concat(part, message), nil
		}
		for data := range bytes.Lines(message) {
			if !bytes.HasSuffix(data, []byte("\n")) {
				if part = data; len(part) > remote.MaxLine {
					return &lieError{worker: worker, what: fmt.Sprintf("a line of more than %d bytes", remote.MaxLine)}
				}
				break
			}
			one := &remote.Line{Data: data}
			what := o.check(worker, one, runs)
			if what != "" {
				return &lieError{worker: worker, what: what}
			}
			// Workers give an item to others before they answer this.
			if err := one.Fails(); err != nil && delivery < remote.Attempts && o.item.Worker == "" {
				return &lieError{worker, "it failed: " + err.Error(), true}
			}
			switch {
			case one.IsLast():
				o.last = one
				continue
			}
			r, err := one.Run()
			if err != nil {
				return err
			}
			if _, seen := o.verdicts[r.Case]; seen {
				continue
			}
			o.verdicts[r.Case] = r.Verdict
			if err := line(one); err != nil {
				return err
			}
		}
		return nil
	}
	for r := range p.Results(ctx) {
		if err := lines(r.Worker, r.Delivery, r.Payload); err != nil {
			return err
		}
		results++
	}
	v, err := p.Verdict(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		o.ended = true
		return err
	case v.Err != "":
		o.ended = true
		return errors.New(v.Err)
	}
	o.ended, o.worker = true, v.Worker
	if v.Delivery != delivery && v.Results > 0 || v.Delivery == delivery && v.Results > results {
		return errLost
	}
	if err := lines(v.Worker, v.Delivery, v.Payload); err != nil {
		return err
	}
	if o.last == nil {
		return &lieError{worker: v.Worker, what: "its answer has no last line"}
	}
	return nil
}

// check returns why a line of a worker's answer, after those runs, is none to the item, or
// "".
func (o *outcome) check(worker string, l *remote.Line, runs map[string]bool) string {
	if l.IsLast() {
		c, failed, err := l.End()
		switch {
		case err != nil:
			return err.Error()
		case c.By != worker:
			return fmt.Sprintf("the last line names worker %.70q", c.By)
		case !c.Rejected && c.Skipped == "" && cmp.Or(c.Err, failed) == nil && len(runs) == 0 && len(o.item.Cases) > 0:
			return "it made no run"
		}
		return ""
	}
	r, err := l.Run()
	switch {
	case err != nil:
		return err.Error()
	case !slices.Contains(o.item.Cases, r.Case):
		return fmt.Sprintf("a run of case %.200q, which is not in the item", r.Case)
	case runs[r.Case]:
		return fmt.Sprintf("two runs of case %.200q", r.Case)
	case r.Worker != worker || slices.ContainsFunc(r.Others, func(a judge.Attempt) bool { return a.Worker != worker }):
		return fmt.Sprintf("a run that names worker %.70q", r.Worker)
	case r.Verdict != problem.Accepted && !slices.Contains(problem.WorstFirst, r.Verdict) &&
		(r.Verdict != problem.Undecided || r.Err == nil):
		return fmt.Sprintf("a run with verdict %.20q", r.Verdict)
	}
	runs[r.Case] = true
	return ""
}

// language returns the language that a worker needs for an item. If no worker has it, any
// worker answers why it cannot run the item.
func (q *Queued) language(i *remote.Item) string {
	l := i.Submission.Language
	if l == "" || q.Workers != nil && q.Workers.lack(l, i.Class, i.Worker) {
		return NoLanguage
	}
	return l
}
