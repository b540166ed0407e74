package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Events may be doubled, late and in any order.
func TestPendingEvents(t *testing.T) {
	part := func(delivery, number int) event { return event{Delivery: delivery, Number: number} }
	end := func(delivery int) event { return event{Verdict: true, Delivery: delivery} }
	for name, c := range map[string]struct {
		events []event
		expect []string // the results that remain
	}{
		"in order":            {[]event{part(1, 0), part(1, 1), end(1)}, []string{"1.0", "1.1"}},
		"reordered":           {[]event{part(1, 2), part(1, 0), part(1, 1), end(1)}, []string{"1.0", "1.1", "1.2"}},
		"doubled":             {[]event{part(1, 0), part(1, 0), part(1, 1), part(1, 0), end(1), end(1), part(1, 1)}, []string{"1.0", "1.1"}},
		"second delivery":     {[]event{part(1, 0), part(1, 1), part(2, 0), end(2)}, []string{"2.0"}},
		"late first delivery": {[]event{part(2, 0), part(1, 0), part(1, 1), end(2)}, []string{"2.0"}},
		"first delivery wins": {[]event{part(1, 0), part(2, 0), part(1, 1), part(2, 1), end(1)}, []string{"1.0", "1.1"}},
		"later verdict":       {[]event{part(1, 0), end(1), end(2), part(2, 0)}, []string{"1.0"}},
		"lost result":         {[]event{part(1, 0), part(1, 2), end(1)}, []string{"1.0"}},
		"none":                {[]event{end(3)}, nil},
	} {
		p := newPending(nil, item("a"))
		for _, e := range c.events {
			p.event(e, fmt.Appendf(nil, "%d.%d", e.Delivery, e.Number))
		}
		var got []string
		for r := range p.Results(t.Context()) {
			got = append(got, string(r.Payload))
		}
		if !slices.Equal(got, c.expect) {
			t.Errorf("%s: results %q, expected %q", name, got, c.expect)
		}
	}
}

// A reader that saw results of an delivery sees the delivery that wins from its start.
func TestPendingRestart(t *testing.T) {
	p := newPending(nil, item("a"))
	results := make(chan Result)
	go func() {
		defer close(results)
		for r := range p.Results(context.Background()) {
			results <- r
		}
	}()
	give := func(delivery, number int) { p.event(event{Delivery: delivery, Number: number}, nil) }
	see := func(delivery, number int) {
		t.Helper()
		if r := <-results; r.Delivery != delivery || r.Number != number {
			t.Errorf("result %d of delivery %d, expected %d of %d", r.Number, r.Delivery, number, delivery)
		}
	}
	give(1, 0)
	see(1, 0)
	give(2, 0)
	see(2, 0)
	give(2, 1)
	see(2, 1)
	give(1, 1)
	p.event(event{Verdict: true, Delivery: 1}, nil)
	see(1, 0)
	see(1, 1)
	if r, ok := <-results; ok {
		t.Errorf("one more result: %+v", r)
	}
}

func TestPendingEndsOnce(t *testing.T) {
	p := newPending(nil, item("a"))
	p.end(ErrCancelled)
	p.event(event{Verdict: true, Delivery: 1}, nil)
	if _, err := p.Verdict(t.Context()); !errors.Is(err, ErrCancelled) {
		t.Errorf("Verdict after the item was cancelled: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newPending(nil, item("b")).Verdict(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Verdict with a context that has ended: %v", err)
	}
}
