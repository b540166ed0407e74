package server

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/serve/api"
)

// A trust is what is known of how a worker's results compare with those of others since
// the server began.
type trust struct {
	differ    int64            // work items of which another worker's result differs
	last      string           // how, the last time
	unaudited int64            // work items since the last audit that agreed
	audits    int64            // that compared it
	doubts    map[string]int64 // audits in doubt: by the other worker, the number of audits then
}

// An honest worker is in doubt against each worker that errs, once it has met it, and a
// worker that errs against each worker. Three different ones that are wrong on their own
// are less likely than one. A submission whose verdict is random puts honest workers in
// doubt, too: if that happens in one of 1,000 audits, three are found in the same 300
// audits about once in 80,000; so older doubts are forgotten.
const (
	mostDoubts   = 3
	rememberedIn = 300 // audits
)

// trust returns what is known of a worker. The caller holds k.mu.
func (k *Workers) trust(name string) *trust {
	t := k.trusts[name]
	if t == nil {
		if k.trusts == nil {
			k.trusts = make(map[string]*trust)
		}
		t = &trust{doubts: make(map[string]int64)}
		k.trusts[name] = t
	}
	return t
}

// done notes that a worker has completed an item.
func (k *Workers) done(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trust(name).unaudited++
}

// differs notes that a worker and another one differ.
func (k *Workers) differs(name, why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.trust(name)
	t.differ++
	t.last = why
}

// agree notes an audit in which two workers agree.
func (k *Workers) agree(names ...string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, name := range names {
		t := k.trust(name)
		t.audits++
		t.unaudited = 0
	}
}

// doubt notes an audit after which either of two workers may have erred. It takes out a
// worker that is in doubt against as many different ones as mostDoubts, if not both are.
func (k *Workers) doubt(log *slog.Logger, a, b string) error {
	one, other := k.doubted(a, b), k.doubted(b, a)
	switch {
	case len(one) >= mostDoubts && len(other) < mostDoubts:
		return k.distrust(log, a, fmt.Sprintf("differs from %s in %d audits", strings.Join(one, ", "), len(one)))
	case len(other) >= mostDoubts && len(one) < mostDoubts:
		return k.distrust(log, b, fmt.Sprintf("differs from %s in %d audits", strings.Join(other, ", "), len(other)))
	}
	return nil
}

// doubted notes a doubt about a worker and returns the workers against which it is in
// doubt.
func (k *Workers) doubted(name, against string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.trust(name)
	t.audits++
	t.doubts[against] = t.audits
	maps.DeleteFunc(t.doubts, func(_ string, at int64) bool { return t.audits-at > rememberedIn })
	return slices.Sorted(maps.Keys(t.doubts))
}

// distrust takes out a worker whose results differ from those of others. What it has not
// completed is given to others.
func (k *Workers) distrust(log *slog.Logger, name, why string) error {
	k.mu.Lock()
	if n := k.trust(name).unaudited; n > 0 {
		why += fmt.Sprintf("; no audit agreed with its last %d work items", n)
	}
	k.mu.Unlock()
	log.Error("a worker is taken out", "worker", name, "because", why)
	return k.TakeOut(name, api.Differs, why)
}

// distrusted returns a worker that made runs of a report and is out because its results
// differ from those of others; "" if there is none.
func (k *Workers) distrusted(r *judge.Report) string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	is := func(name string) bool {
		w := k.all[name]
		return w != nil && w.outFor(api.Differs)
	}
	for i := range r.Runs {
		if is(r.Runs[i].Worker) {
			return r.Runs[i].Worker
		}
		for _, a := range r.Runs[i].Others {
			if is(a.Worker) {
				return a.Worker
			}
		}
	}
	return ""
}

// Restore puts back a worker that was taken out because an administrator removed it, or
// because its results differ from those of others, which is forgotten.
func (k *Workers) Restore(name string) error {
	k.mu.Lock()
	delete(k.trusts, name)
	k.mu.Unlock()
	if err := k.PutBack(name, api.Removed); err != nil {
		return err
	}
	return k.PutBack(name, api.Differs)
}
