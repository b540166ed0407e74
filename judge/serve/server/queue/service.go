package queue

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// The requests of workers. Each is answered by a message of pack(reply, body).

// stored is an item as it is in the stream.
type stored struct {
	Item
	From string    `json:"from"` // the submitter, who gets the results
	Time time.Time `json:"time"`
}

// An event is a message for a submitter.
type event struct {
	Verdict bool   `json:"verdict,omitempty"`
	Attempt int    `json:"attempt"`
	Seq     int    `json:"seq,omitempty"`
	Worker  string `json:"worker,omitempty"`
	Err     string `json:"err,omitempty"`
	Results int    `json:"results,omitempty"`
}

// An ask is the header of a request.
type ask struct {
	Classes   []string `json:"classes,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Ticket    string   `json:"ticket,omitempty"`
	Tickets   []string `json:"tickets,omitempty"`
	Seq       int      `json:"seq,omitempty"`
	Results   int      `json:"results,omitempty"`
	Returned  bool     `json:"returned,omitempty"` // released unharmed
	Why       string   `json:"why,omitempty"`      // released because of this error
	Begins    bool     `json:"begins,omitempty"`   // fetched to be started at once, if there is an item now
}

// A reply is the header of an answer.
type reply struct {
	Err string `json:"err,omitempty"` // the request is refused
	// Dropped: there is nothing to do.
	Dropped bool  `json:"dropped,omitempty"`
	Item    *Item `json:"item,omitempty"`
	// The subject to start the item on, after the worker's, if it is not started.
	Start   string        `json:"start,omitempty"`
	Ticket  string        `json:"ticket,omitempty"`
	Attempt int           `json:"attempt,omitempty"`
	AckWait time.Duration `json:"ackWait,omitempty"`
	Won     bool          `json:"won,omitempty"`
	Stop    []string      `json:"stop,omitempty"` // tickets of items that were cancelled or took too long
}

// workerOf returns the worker's token in the subject of its request. The embedded
// server lets a worker publish under its own token only.
func workerOf(subject string) string {
	token, _, _ := strings.Cut(strings.TrimPrefix(subject, workSubject), ".")
	return fromToken(token)
}

// served answers requests with what f returns, several at the same time. An error
// of f that is not the worker's fault is not answered, so that the worker asks again.
func (d *dispatcher) served(f func(context.Context, string, ask, []byte) (reply, error)) nats.MsgHandler {
	return func(m *nats.Msg) { d.serve(func() { d.handle(m, f) }) }
}

// serve makes a goroutine serve a request, and reports false if the dispatcher is closed.
// Goroutines serve many, because the stack of each new one has to grow.
func (d *dispatcher) serve(request func()) bool {
	select {
	case d.requests <- request:
		return true
	default:
	}
	select {
	case d.requests <- request:
		return true
	case d.servers <- struct{}{}:
		return d.spawn(func() { d.work(request) })
	case <-d.run.Done():
		return false
	}
}

// work serves a request, and then others.
func (d *dispatcher) work(request func()) {
	for {
		request()
		select {
		case request = <-d.requests:
		case <-d.run.Done():
			return
		}
	}
}

// isOwn reports whether the answer to a request goes to the worker that sends it. The answer
// is sent with all permissions, so no other subject may get it.
func (d *dispatcher) isOwn(m *nats.Msg) bool {
	worker := workerOf(m.Subject)
	if m.Reply == "" || strings.HasPrefix(m.Reply, inbox(worker)+".") && !strings.ContainsAny(m.Reply, "*> ") {
		return true
	}
	d.log.Error("a worker asks for an answer to others; the request is refused", "worker", worker, "subject", m.Reply)
	return false
}

// handle answers one request.
func (d *dispatcher) handle(m *nats.Msg, f func(context.Context, string, ask, []byte) (reply, error)) {
	if !d.isOwn(m) {
		return
	}
	var a ask
	body, err := unpack(m.Data, &a)
	if err != nil {
		d.answer(m, reply{Err: err.Error()}, nil)
		return
	}
	worker := workerOf(m.Subject)
	r, err := f(d.run, worker, a, body)
	if err != nil {
		d.log.Warn("a request of a worker is not answered; it asks again", "worker", worker, "subject", m.Subject, "error",
			err)
		return
	}
	d.answer(m, r, nil)
}

func (d *dispatcher) answer(m *nats.Msg, r reply, body []byte) {
	if m.Reply == "" {
		return
	}
	if err := d.conn.Publish(m.Reply, pack(r, body)); err != nil {
		d.log.Warn("a worker gets no answer", "subject", m.Subject, "error", err)
	}
}

// fetch registers a slot of a worker.
func (d *dispatcher) fetch(m *nats.Msg) {
	if m.Reply == "" || !d.isOwn(m) {
		return
	}
	var a ask
	if _, err := unpack(m.Data, &a); err != nil {
		d.answer(m, reply{Err: err.Error()}, nil)
		return
	}
	worker := workerOf(m.Subject)
	s := &slot{worker: worker, classes: subjectTokens(a.Classes), assigned: d.assigned.pointer(worker)}
	most := 0
	s.permitted, s.languages, most = d.permits(worker)
	if len(a.Languages) > 0 {
		s.languages = narrow(subjectTokens(a.Languages), s.languages)
	}
	s.give = func(p *parcel) { d.give(p, s.worker, m) }
	s.refuse = func() { d.answer(m, reply{Dropped: true}, nil) }
	s.timer = time.AfterFunc(slotWait, func() {
		if d.board.remove(s) {
			s.refuse()
		}
	})
	if old := d.board.crowd(worker, most); old != nil {
		old.refuse()
	}
	d.presence.asked(worker, s.fits)
	p := d.board.wait(s)
	switch {
	case p == nil:
	case !a.Begins:
		s.give(p)
	case !d.serve(func() { d.giveStarted(p, worker, m) }):
		_ = d.conn.Publish(p.msg.Reply(), nak)
	}
}

// giveStarted starts an item and hands it to a worker that has just asked for one.
func (d *dispatcher) giveStarted(p *parcel, worker string, m *nats.Msg) {
	if d.handed != nil {
		d.handed(worker, &p.item.Item, p.data)
	}
	d.count(&d.stats.Given)
	r, err := d.begin(d.run, worker, p)
	if err != nil {
		d.log.Warn("an item is not started", "worker", worker, "item", p.item.ID, "error", err)
		r.Dropped = true // the worker asks again
	}
	if r.Dropped {
		d.answer(m, r, nil)
		return
	}
	r.Item = &p.item.Item
	d.answer(m, r, p.data)
}

// give hands an item to a worker that has waited, which must start it soon: it may be dead.
func (d *dispatcher) give(p *parcel, worker string, m *nats.Msg) {
	if d.handed != nil {
		d.handed(worker, &p.item.Item, p.data)
	}
	key := p.msg.Reply()
	h := &handed{parcel: p, worker: worker}
	d.mu.Lock()
	d.stats.Given++
	d.given[key] = h
	h.timer = time.AfterFunc(startWait, func() {
		if d.takeBack(key, h) {
			d.log.Info("a worker did not start an item, another one gets it", "worker", worker, "item", p.item.ID)
			p.tried = append(p.tried, worker)
			d.put(p)
		}
	})
	d.mu.Unlock()
	t := ticketOf(worker, p)
	d.answer(m, reply{Item: &p.item.Item, Start: "start." + d.id, Ticket: t.sign(d.secret)}, p.data)
}

// takeBack removes a handed item; false if it was removed already.
func (d *dispatcher) takeBack(key string, h *handed) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.given[key]
	if now == nil || h != nil && now != h {
		return false
	}
	now.timer.Stop()
	delete(d.given, key)
	return true
}

// start records the attempt of a worker that has received an item.
func (d *dispatcher) start(ctx context.Context, worker string, a ask, _ []byte) (reply, error) {
	t, err := readTicket(a.Ticket, d.secret, worker)
	if err != nil {
		return reply{Err: err.Error()}, nil
	}
	d.mu.Lock()
	h := d.given[t.Ack]
	d.mu.Unlock()
	if h == nil || h.worker != worker || !d.takeBack(t.Ack, h) {
		return reply{Dropped: true}, nil
	}
	return d.begin(ctx, worker, h.parcel)
}

// begin records the attempt of a worker that begins an item.
func (d *dispatcher) begin(ctx context.Context, worker string, p *parcel) (reply, error) {
	if d.assigned.none(worker) {
		d.put(p)
		return reply{Dropped: true}, nil
	}
	t := ticketOf(worker, p)
	d.mu.Lock()
	delete(d.held, t.Sequence)
	d.mu.Unlock()
	if d.isCancelled(t.Sequence) {
		return reply{Dropped: true}, nil
	}
	if time.Since(p.came) > d.ackWait/16 {
		_ = d.conn.Publish(t.Ack, inProgress)
	}
	c, number, revision, err := d.cells.start(ctx, t.Cell, t.Item, worker)
	if err != nil {
		_ = d.conn.Publish(t.Ack, nak)
		return reply{}, err
	}
	if number == 0 {
		if c.Done {
			d.finish(ctx, t.From, t.Item, c, t.Ack)
		} else if err := d.quarantine(ctx, p, c, c.exhausted(t.Item)); err != nil {
			_ = d.conn.Publish(t.Ack, nak)
			return reply{}, err
		}
		return reply{Dropped: true}, nil
	}
	d.count(&d.stats.Started)
	d.presence.began(worker, t.Sequence)
	limit := p.item.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	t.Attempt, t.Revision, t.Until = number, revision, time.Now().Add(limit).Unix()
	return reply{Ticket: t.sign(d.secret), Attempt: number, AckWait: d.ackWait}, nil
}

// alive keeps items from being delivered again. It is not served with the others:
// a slow disk must not make workers look dead.
func (d *dispatcher) alive(_ context.Context, worker string, a ask, _ []byte) (reply, error) {
	d.presence.seen(worker)
	var r reply
	now := time.Now().Unix()
	for _, s := range a.Tickets {
		t, err := readTicket(s, d.secret, worker)
		if err != nil {
			return reply{Err: err.Error()}, nil
		}
		if d.isCancelled(t.Sequence) || now > t.Until {
			r.Stop = append(r.Stop, s)
			continue
		}
		if d.assigned.none(worker) {
			d.spawn(func() { d.withdraw(d.run, worker, &t) })
			r.Stop = append(r.Stop, s)
			continue
		}
		if err := d.conn.Publish(t.Ack, inProgress); err != nil {
			return reply{}, err
		}
	}
	return r, nil
}

// result stores a partial result.
func (d *dispatcher) result(ctx context.Context, worker string, a ask, body []byte) (reply, error) {
	t, err := readTicket(a.Ticket, d.secret, worker)
	if err != nil || t.Attempt == 0 || a.Seq < 0 || len(body) > MaxVerdict {
		return reply{Err: "queue: bad result"}, nil
	}
	return reply{}, d.send(ctx, t.From, t.Item, event{Attempt: t.Attempt, Seq: a.Seq, Worker: worker}, body)
}

// verdict stores a verdict, unless the cell has one, and removes the item.
func (d *dispatcher) verdict(ctx context.Context, worker string, a ask, body []byte) (reply, error) {
	t, err := readTicket(a.Ticket, d.secret, worker)
	if err != nil || t.Attempt == 0 || len(body) > MaxVerdict {
		return reply{Err: "queue: bad verdict"}, nil
	}
	if d.assigned.none(worker) {
		d.withdraw(ctx, worker, &t)
		return reply{}, nil
	}
	c, won, err := d.cells.settle(ctx, t.Cell, t.Revision, cell{
		Item: t.Item, Worker: worker, Attempt: t.Attempt, Results: a.Results, body: body,
	})
	if err != nil {
		return reply{}, err
	}
	if won {
		d.count(&d.stats.Verdicts)
	} else {
		d.count(&d.stats.Discarded)
	}
	d.presence.ended(worker, t.Sequence, "")
	d.finish(ctx, t.From, t.Item, c, t.Ack)
	return reply{Won: won}, nil
}

// clip shortens what a worker says to 200 bytes.
func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), 200)], "") }

// release gives an item to another worker at once.
func (d *dispatcher) release(ctx context.Context, worker string, a ask, _ []byte) (reply, error) {
	t, err := readTicket(a.Ticket, d.secret, worker)
	if err != nil {
		return reply{Err: err.Error()}, nil
	}
	d.count(&d.stats.Released)
	d.presence.ended(worker, t.Sequence, cmp.Or(clip(a.Why), "no reason"))
	if a.Returned {
		if err := d.cells.giveBack(ctx, t.Cell, t.Item, worker); err != nil {
			return reply{}, err
		}
	}
	return reply{}, d.conn.Publish(t.Ack, nak)
}

// withdraw gives an item of a worker that gets none to another one. The attempt does not
// count as lost.
func (d *dispatcher) withdraw(ctx context.Context, worker string, t *ticket) {
	if !d.presence.withdrawn(worker, t.Sequence) {
		return // another worker has it already
	}
	err := d.cells.giveBack(ctx, t.Cell, t.Item, worker)
	if err == nil {
		err = d.conn.Publish(t.Ack, nak)
	}
	if err != nil {
		d.log.Warn("an item is given to another worker later", "worker", worker, "item", t.Item, "error", err)
	}
}
