package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"slices"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// Drift is the cause for which a worker is out whose times are no longer those of its class.
const Drift api.Cause = "drift"

// kindOf returns what two workers must have in common to share a class.
func kindOf(r *api.Registration, c *api.Calibration) (string, error) {
	data, err := json.Marshal(struct {
		Arch, Level, Go, Programs string
		Compilers                 map[string]api.Compiler
	}{r.Arch, r.Level, r.Go, c.Programs, r.Compilers})
	return blob.Of(data).Hash, err
}

// Calibrated adds a calibration of a worker. The error is a [*blob.Problem], or a failure of
// the server.
func (k *Workers) Calibrated(name string, c *api.Calibration) (*api.Placement, error) {
	if err := c.Check(); err != nil {
		return nil, blob.NewProblem(http.StatusBadRequest, "worker %s: %v", name, err)
	}
	w := k.entry(name)
	if w == nil {
		return nil, blob.NewProblem(http.StatusNotFound, "worker %q has not registered", name)
	}
	kind, err := kindOf(&w.Registration, c)
	if err != nil {
		return nil, err
	}
	var m, was Member
	now := time.Now().UTC()
	err = k.changePool(now, func(p *Pool) {
		if before := p.Members[name]; before != nil {
			was = *before
		}
		m = *p.Calibrated(name, kind, Stem(w.CPU, w.Arch), c.Times, now)
	})
	if err != nil {
		return nil, err
	}
	if m.Class != was.Class {
		k.log().Info("a worker joins a class", "worker", name, "class", m.Class, "before", was.Class)
	}
	change := putBack(Drift)
	if m.Out != "" {
		change = takeOut(Drift, m.Out)
	}
	if err := k.changeOut(name, change); err != nil {
		return nil, err
	}
	next := k.Every
	if !m.Settled() {
		next /= 10
	}
	if m.Class == "" {
		next = min(next, time.Second) // it gets no work items yet
	}
	return &api.Placement{Class: m.Class, Out: k.entry(name).Out, Next: next.Seconds()}, nil
}

// A memberTimes has the times of a member in the bucket; the value with the classes would be
// large with all of them.
type memberTimes struct {
	Last   time.Time `json:"last"` // of the member
	Own    Times     `json:"own"`
	Recent []Times   `json:"recent"`
}

// changePool changes the pool of all servers by a calibration, made now.
func (k *Workers) changePool(now time.Time, change func(p *Pool)) error {
	k.calibrating.Lock() // the servers are enough to change it at the same time
	defer k.calibrating.Unlock()
	var p *Pool
	err := k.store(classesKey, func(data []byte) (_ []byte, err error) {
		if p, err = parsePool(data); err == nil {
			err = k.fill(p)
		}
		if err != nil {
			return nil, err
		}
		change(p)
		p.Number++
		head := *p
		head.Members = make(map[string]*Member)
		for other, m := range p.Members {
			if m.Last.Equal(now) || m.Since.Equal(now) { // before the classes, of which those who hear need them
				if err := k.storeTimes(other, m); err != nil {
					return nil, err
				}
			}
			short := *m
			short.Own, short.Recent = nil, nil
			head.Members[other] = &short
		}
		return json.Marshal(&head)
	})
	if err == nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.replacePool(p)
	}
	return err
}

// storeTimes stores the times of a member.
func (k *Workers) storeTimes(name string, m *Member) error {
	data, err := json.Marshal(&memberTimes{m.Last, m.Own, m.Recent})
	if err != nil {
		return err
	}
	return k.store(timesKey+name, func([]byte) ([]byte, error) { return data, nil })
}

// fill gives the members of a pool their times.
func (k *Workers) fill(p *Pool) error {
	k.mu.Lock()
	known := maps.Clone(k.stored)
	k.mu.Unlock()
	for name, m := range p.Members {
		t := known[name]
		if t == nil || !t.Last.Equal(m.Last) { // this server has not heard of it yet
			data, _, err := k.bucket.Get(context.Background(), timesKey+name)
			if t = new(memberTimes); err == nil {
				err = json.Unmarshal(data, t)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("times of worker %s: %w", name, err)
			}
		}
		m.have(t)
	}
	return nil
}

// have gives a member times, which it may append to.
func (m *Member) have(t *memberTimes) {
	m.Own, m.Recent = make(Times), slices.Clip(t.Recent)
	for program, times := range t.Own {
		m.Own[program] = slices.Clip(times)
	}
}

// hearTimes takes the times of a member from the bucket.
func (k *Workers) hearTimes(name string, data []byte) error {
	t := new(memberTimes)
	if err := json.Unmarshal(data, t); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stored == nil {
		k.stored = make(map[string]*memberTimes)
	}
	k.stored[name] = t
	return nil
}

// hearClasses takes the classes from the bucket.
func (k *Workers) hearClasses(data []byte) error {
	p, err := parsePool(data)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, m := range p.Members {
		if t := k.stored[name]; t != nil {
			m.have(t)
		}
	}
	k.replacePool(p)
	return nil
}

// parsePool reads a pool; nil is an empty one.
func parsePool(data []byte) (*Pool, error) {
	p := new(Pool)
	if data == nil {
		return p, nil
	}
	err := json.Unmarshal(data, p)
	for name, m := range p.Members {
		if m == nil {
			err = cmp.Or(err, fmt.Errorf("worker %.70q is null: expected a member", name))
		}
	}
	return p, err
}

// replacePool replaces the pool by that of the bucket, unless it is older. The caller holds
// k.mu.
func (k *Workers) replacePool(p *Pool) {
	if p.Number < k.pool.Number {
		return
	}
	before := k.pool.Members
	k.pool = *p
	for name, m := range p.Members {
		if old := before[name]; !k.loaded.IsZero() && (old == nil || !old.Last.Equal(m.Last)) {
			k.compare(name)
		}
	}
	k.reassign()
}

// reassign makes all workers ask again if one has another class. The caller holds k.mu.
func (k *Workers) reassign() {
	now := make(map[string]string, len(k.pool.Members))
	for name, m := range k.pool.Members {
		now[name] = m.Class
	}
	if maps.Equal(now, k.placed) && k.merged == len(k.pool.Merged) {
		return
	}
	k.placed, k.merged = now, len(k.pool.Merged)
	for name := range k.all {
		k.Queue.Refuse(name)
	}
}

// classOf returns the class of a worker. The caller holds k.mu.
func (k *Workers) classOf(name string) string {
	if m := k.pool.Members[name]; m != nil && k.Every > 0 {
		return m.Class
	}
	return ""
}

// compare compares a worker that has just been calibrated with its class. The caller holds
// k.mu.
func (k *Workers) compare(name string) {
	c := &api.Comparison{At: k.pool.Members[name].Last, Ratios: []api.Ratio{}}
	all, alone := k.pool.Ratios(name)
	c.Own = alone
	for _, r := range all {
		if r.Bounded() && r.Lo > 0 && !math.IsNaN(r.Ratio) { // JSON has no infinite numbers
			c.Ratios = append(c.Ratios, api.Ratio{Program: r.Program, Ratio: r.Ratio, Lo: r.Lo, Hi: r.Hi})
		}
	}
	if k.times == nil {
		k.times = make(map[string]*api.Comparison)
	}
	k.times[name] = c
}

// Classes returns the classes with workers that get work items, those with the most slots
// first.
func (k *Workers) Classes() []api.Class {
	found := make(map[string]*api.Class)
	for _, w := range k.List() {
		if w.Class == "" || len(w.Out) > 0 || !w.Alive {
			continue
		}
		c := found[w.Class]
		if c == nil {
			c = &api.Class{Name: w.Class, Languages: w.Languages}
			found[w.Class] = c
		}
		c.Slots += w.Slots
		c.Workers = append(c.Workers, w.Name)
	}
	all := make([]api.Class, 0, len(found))
	for _, c := range found {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b api.Class) int {
		return cmp.Or(cmp.Compare(b.Slots, a.Slots),
			cmp.Compare(a.Name, b.Name))
	})
	return all
}
