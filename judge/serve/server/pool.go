package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

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
	Server  *queue.Server
	Audit   *Audit   // compares workers; nil does not
	Workers *Workers // for metrics and languages; nil if the pool has none that register

	Compilations Compilations // compares what workers compile
}

// Slots implements [remote.Pool].
func (q *Queued) Slots(context.Context) (int, error) {
	slots, _ := q.Server.Load()
	return max(slots, 1), nil
}

// Do implements [remote.Pool]. If a worker is lost, another one executes the item again;
// of two runs of a case the first one counts. An item that only workers can get that it
// avoids is refused at once, and one whose class has no workers for long fails.
func (q *Queued) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	data, err := i.Encode()
	if err != nil {
		return err
	}
	language := q.language(i)
	if len(i.Avoid) > 0 && !q.Server.Others(classOf(i), language, i.Avoid) {
		return line(remote.Fail(judge.ErrNoOtherWorker, ""))
	}
	id := rand.Text()
	client, _ := ctx.Value(clientKey{}).(string)
	p, err := q.Queue.Submit(ctx, queue.Item{ID: id, Cell: id, Class: classOf(i), Language: language, Client: client,
		Avoid: i.Avoid, Payload: data})
	if err != nil {
		return err
	}
	found := &outcome{verdicts: make(map[string]problem.Verdict)}
	attended, end := q.Workers.attend(ctx, i.Class)
	defer end()
	err = found.receive(attended, p, line)
	switch {
	case err != nil && !found.ended:
		// Nobody waits for the rest.
		return errors.Join(err, p.Cancel(context.WithoutCancel(ctx)))
	case err != nil:
		return err
	}
	q.judged(&auditItem{q, i, data, client}, found)
	return line(found.last)
}

// judged notes which worker has judged an item, and audits it, perhaps.
func (q *Queued) judged(item *auditItem, found *outcome) {
	if q.Workers != nil {
		q.Workers.done(found.worker)
		q.Compilations.compare(q.Workers, item.i, found)
	}
	if q.Audit != nil {
		q.Audit.maybe(item, found)
	}
}

// classOf returns the class whose workers may execute an item.
func classOf(i *remote.Item) string { return cmp.Or(i.Class, AnyClass) }

// An outcome is the answer of a worker to an item.
type outcome struct {
	worker   string
	ended    bool                       // the queue has the end of the item
	verdicts map[string]problem.Verdict // of the runs, by the case
	last     *remote.Line               // the last line, parsed
}

// receive waits for the answer to an item, and passes on the lines of its runs. If a
// worker was lost, the next one begins again: of two runs of a case, the first one counts.
func (o *outcome) receive(ctx context.Context, p *queue.Pending, line func(*remote.Line) error) error {
	lines := func(message []byte) error {
		for data := range bytes.Lines(message) {
			one := &remote.Line{Data: data}
			if one.IsLast() {
				if _, _, err := one.End(); err != nil {
					return err
				}
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
		if err := lines(r.Payload); err != nil {
			return err
		}
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
	if err := lines(v.Payload); err != nil {
		return err
	}
	if o.last == nil {
		return fmt.Errorf("the answer of worker %s to a work item has no last line", v.Worker)
	}
	return nil
}

// language returns the language that a worker needs for an item. If no worker has it, any
// worker answers why it cannot run the item.
func (q *Queued) language(i *remote.Item) string {
	l := i.Submission.Language
	if l == "" || q.Workers != nil && q.Workers.lack(l, i.Class) {
		return NoLanguage
	}
	return l
}
