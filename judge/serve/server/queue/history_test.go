package queue

import (
	"context"
	"strings"
	"testing"

	"crucible/judge/serve/worker"
)

func TestHistory(t *testing.T) {
	q := start(t, Options{})
	hold := make(chan struct{})
	startWorker(t, q, crew{ID: "w", Slots: 2}, func(ctx context.Context, d *worker.Delivery) error {
		if itemOf(d) == "b" {
			<-hold
		}
		return echo(ctx, d)
	})
	all := submit(t, q, item("a"), item("b"))
	verdict(t, all[0])
	h, err := q.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if wrong := h.Check([]string{"a", "b", "c"}, nil); len(wrong) != 2 || !strings.Contains(wrong[0], "item b still waits") || !strings.Contains(wrong[1], "item c has no verdict") {
		t.Errorf("%q: expected that b waits and c is lost", wrong)
	}
	close(hold)
	verdict(t, all[1])
	if h, err = q.History(t.Context()); err != nil || len(h.Stored) != 2 || len(h.Check([]string{"a", "b", "c"}, map[string]bool{"c": true})) != 0 {
		t.Errorf("%+v, %v: expected two verdicts and nothing wrong", h, err)
	}
	h.Sent["a"] = append(h.Sent["a"], Verdict{Worker: "other"})
	h.Sent["b"][0].Worker = "other"
	if wrong := h.Check([]string{"a", "b"}, nil); len(wrong) != 2 || !strings.Contains(wrong[0], "2 different verdicts") || !strings.Contains(wrong[1], "the stored one") {
		t.Errorf("%q: expected two verdicts of a, and another one of b", wrong)
	}
}
