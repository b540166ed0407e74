package queue

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// A History is what a queue has stored about its items, without payloads. A test of faults
// checks it.
type History struct {
	// Stored are the verdicts that count, by the item that they were made for.
	Stored map[string]Verdict
	// Sent are the different verdicts that submitters were sent in the last hour, by item.
	Sent map[string][]Verdict
	// Waiting are the items that have no verdict.
	Waiting []string
}

// History reads what the queue has stored.
func (q *Queue) History(ctx context.Context) (*History, error) {
	h := &History{Stored: make(map[string]Verdict), Sent: make(map[string][]Verdict)}
	info, err := q.link().items.Info(ctx, jetstream.WithSubjectFilter(q.names.items()+">"))
	if err != nil {
		return nil, fmt.Errorf("queue: %s: %w", q.names.stream(itemStream), err)
	}
	for subject := range maps.Keys(info.State.Subjects) {
		h.Waiting = append(h.Waiting, lastToken(subject))
	}
	slices.Sort(h.Waiting)
	states, err := q.link().js.Stream(ctx, "KV_"+q.names.stream(stateBucket))
	if err == nil {
		err = eachMessage(ctx, states, false, func(m jetstream.Msg) error {
			subject, data := m.Subject(), m.Data()
			if len(data) == 0 {
				return nil // the mark of a key that was removed
			}
			var s state
			if _, err := unpack(data, &s); err != nil {
				return err
			}
			if s.Done {
				h.Stored[lastToken(subject)] = s.verdict()
			}
			return nil
		})
	}
	if err == nil {
		err = eachMessage(ctx, q.link().results, false, func(m jetstream.Msg) error {
			subject, data := m.Subject(), m.Data()
			var e event
			if _, err := unpack(data, &e); err != nil || !e.Verdict {
				return err
			}
			id, v := lastToken(subject), Verdict{Worker: e.Worker, Delivery: e.Delivery, Err: e.Err, Results: e.Results}
			if !slices.ContainsFunc(h.Sent[id], v.same) {
				h.Sent[id] = append(h.Sent[id], v)
			}
			return nil
		})
	}
	if err != nil {
		return nil, fmt.Errorf("queue: %s: %w", q.names.stream(resultStream), err)
	}
	return h, nil
}

// same reports whether two verdicts, of which the payloads do not count, are one.
func (v Verdict) same(o Verdict) bool {
	return v.Worker == o.Worker && v.Delivery == o.Delivery && v.Err == o.Err && v.Results == o.Results
}

// Check returns what is wrong if these items were submitted:
// every item has one verdict, which is the stored one, or was cancelled.
func (h *History) Check(submitted []string, cancelled map[string]bool) (wrong []string) {
	for _, id := range submitted {
		stored, done := h.Stored[id]
		sent := h.Sent[id]
		switch {
		case len(sent) > 1:
			wrong = append(wrong, fmt.Sprintf("item %s has %d different verdicts: %+v", id, len(sent), sent))
		case len(sent) == 1 && (!done || !sent[0].same(stored)):
			wrong = append(wrong, fmt.Sprintf("item %s: the verdict sent is %+v, the stored one %+v", id, sent[0], stored))
		case !done && slices.Contains(h.Waiting, id) && !cancelled[id]:
			wrong = append(wrong, fmt.Sprintf("item %s still waits", id))
		case !done && !cancelled[id]:
			wrong = append(wrong, fmt.Sprintf("item %s has no verdict and is not in the queue", id))
		}
	}
	return wrong
}
