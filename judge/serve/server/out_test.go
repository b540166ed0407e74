package server

import (
	"testing"

	"crucible/judge/serve/api"
)

// A worker that is taken out for two causes comes back when both are removed, and stays
// out when the server or the worker is started again.
func TestOut(t *testing.T) {
	workers := newWorkers(t)
	check := func(k *Workers, reasons ...string) {
		t.Helper()
		out := k.List()[0].Out
		if len(out) != len(reasons) || (len(k.poll("a").Classes) == 0) != (len(reasons) > 0) {
			t.Fatalf("out %v, classes %v: expected the reasons %v", out, k.poll("a").Classes, reasons)
		}
		for i := range out {
			if out[i].Because != reasons[i] || out[i].Since.IsZero() {
				t.Errorf("out %+v: expected %q", out[i], reasons[i])
			}
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	admit := func(k *Workers) error { _, err := k.Admit("", &api.Registration{Name: "a"}); return err }
	do(admit(workers))
	check(workers)
	do(workers.TakeOut("a", "drift", "1.1"))
	do(workers.TakeOut("a", "differs", "AC"))
	do(workers.TakeOut("a", "drift", "1.2"))
	check(workers, "1.2", "AC")
	do(admit(workers))
	check(workers, "1.2", "AC")
	again := workersOf(t, workers.Queue)
	check(again, "1.2", "AC")
	do(again.PutBack("a", "drift"))
	check(again, "AC")
	do(again.PutBack("a", "differs"))
	do(again.PutBack("unknown", "differs"))
	check(again)
}
