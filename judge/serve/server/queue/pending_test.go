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
	part := func(attempt, seq int) event { return event{Attempt: attempt, Seq: seq} }
	end := func(attempt int) event { return event{Verdict: true, Attempt: attempt} }
	for name, c := range map[string]struct {
		events []event
		expect []string // the results that remain
	}{
		"in order":           {[]event{part(1, 0), part(1, 1), end(1)}, []string{"1.0", "1.1"}},
		"reordered":          {[]event{part(1, 2), part(1, 0), part(1, 1), end(1)}, []string{"1.0", "1.1", "1.2"}},
		"doubled":            {[]event{part(1, 0), part(1, 0), part(1, 1), part(1, 0), end(1), end(1), part(1, 1)}, []string{"1.0", "1.1"}},
		"second attempt":     {[]event{part(1, 0), part(1, 1), part(2, 0), end(2)}, []string{"2.0"}},
		"late first attempt": {[]event{part(2, 0), part(1, 0), part(1, 1), end(2)}, []string{"2.0"}},
		"first attempt wins": {[]event{part(1, 0), part(2, 0), part(1, 1), part(2, 1), end(1)}, []string{"1.0", "1.1"}},
		"later verdict":      {[]event{part(1, 0), end(1), end(2), part(2, 0)}, []string{"1.0"}},
		"lost result":        {[]event{part(1, 0), part(1, 2), end(1)}, []string{"1.0"}},
		"none":               {[]event{end(3)}, nil},
	} {
		p := newPending(nil, item("a"))
		for _, e := range c.events {
			p.event(e, fmt.Appendf(nil, "%d.%d", e.Attempt, e.Seq))
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

// A reader that saw results of an attempt sees the attempt that wins from its start.
func TestPendingRestart(t *testing.T) {
	p := newPending(nil, item("a"))
	results := make(chan Result)
	go func() {
		defer close(results)
		for r := range p.Results(context.Background()) {
			results <- r
		}
	}()
	give := func(attempt, seq int) { p.event(event{Attempt: attempt, Seq: seq}, nil) }
	see := func(attempt, seq int) {
		t.Helper()
		if r := <-results; r.Attempt != attempt || r.Seq != seq {
			t.Errorf("result %d of attempt %d, expected %d of %d", r.Seq, r.Attempt, seq, attempt)
		}
	}
	give(1, 0)
	see(1, 0)
	give(2, 0)
	see(2, 0)
	give(2, 1)
	see(2, 1)
	give(1, 1)
	p.event(event{Verdict: true, Attempt: 1}, nil)
	see(1, 0)
	see(1, 1)
	if r, ok := <-results; ok {
		t.Errorf("one more result: %+v", r)
	}
}

func TestPendingEndsOnce(t *testing.T) {
	p := newPending(nil, item("a"))
	p.end(ErrCancelled)
	p.event(event{Verdict: true, Attempt: 1}, nil)
	if _, err := p.Verdict(t.Context()); !errors.Is(err, ErrCancelled) {
		t.Errorf("Verdict after the item was cancelled: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newPending(nil, item("b")).Verdict(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Verdict with a context that has ended: %v", err)
	}
}
