package server

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/serve/api"
)

// A trust is what is known of how a worker's results compare with those of others since
// the server began, here and at the other servers of its cluster.
type trust struct {
	differ    int64            // work items of which another worker's result differs
	last      string           // how, the last time
	unaudited int64            // work items of this server since the last audit that agreed
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

// A finding is what a server has found out about workers. It tells the others of its cluster.
type finding struct {
	Server string   `json:"server"`
	Differ string   `json:"differ,omitempty"` // a worker whose result for a work item differs from another's
	Why    string   `json:"why,omitempty"`
	Agree  []string `json:"agree,omitempty"` // those of an audit
	Doubt  []string `json:"doubt,omitempty"` // the two of an audit after which either may have erred
}

const findingSubject = "finding"

// note notes a finding of this server.
func (k *Workers) note(f *finding) {
	k.learn(f)
	if k.Queue.URL == "" {
		return
	}
	f.Server = k.Queue.Name
	data, err := json.Marshal(f)
	if err == nil {
		err = k.Queue.Say(findingSubject, data)
	}
	if err != nil {
		k.log().Warn("the other servers do not know the result of an audit", "error", err)
	}
}

// hearFinding takes a finding of a server, also of this one.
func (k *Workers) hearFinding(message []byte) {
	f := new(finding)
	if err := json.Unmarshal(message, f); err != nil {
		k.log().Warn("the result of an audit is not understood", "error", err)
	} else if f.Server != k.Queue.Name {
		k.learn(f)
	}
}

func (k *Workers) learn(f *finding) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f.Differ != "" {
		t := k.trust(f.Differ)
		t.differ++
		t.last = f.Why
	}
	for _, name := range f.Agree {
		t := k.trust(name)
		t.audits++
		t.unaudited = 0
	}
	if len(f.Doubt) == 2 {
		k.trust(f.Doubt[0]).doubt(f.Doubt[1])
		k.trust(f.Doubt[1]).doubt(f.Doubt[0])
	}
}

// doubt notes an audit in doubt.
func (t *trust) doubt(against string) {
	t.audits++
	t.doubts[against] = t.audits
	maps.DeleteFunc(t.doubts, func(_ string, at int64) bool { return t.audits-at > rememberedIn })
}

// differs notes that a worker and another one differ.
func (k *Workers) differs(name, why string) { k.note(&finding{Differ: name, Why: why}) }

// agree notes an audit in which two workers agree.
func (k *Workers) agree(names ...string) { k.note(&finding{Agree: names}) }

// doubt notes an audit after which either of two workers may have erred. It takes out a
// worker that is in doubt against as many different ones as mostDoubts, if not both are.
func (k *Workers) doubt(log *slog.Logger, a, b string) error {
	k.note(&finding{Doubt: []string{a, b}})
	k.mu.Lock()
	one, other := slices.Sorted(maps.Keys(k.trust(a).doubts)), slices.Sorted(maps.Keys(k.trust(b).doubts))
	k.mu.Unlock()
	switch {
	case len(one) >= mostDoubts && len(other) < mostDoubts:
		return k.distrust(log, a, fmt.Sprintf("differs from %s in %d audits", strings.Join(one, ", "), len(one)))
	case len(other) >= mostDoubts && len(one) < mostDoubts:
		return k.distrust(log, b, fmt.Sprintf("differs from %s in %d audits", strings.Join(other, ", "), len(other)))
	}
	return nil
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
