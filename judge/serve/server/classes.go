package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// Drift is the cause for which a worker is out whose times are no longer those of its class.
const Drift api.Cause = "drift"

// classFile is the file beside [Workers.File] with the classes.
const classFile = "classes.json"

// keepEach is the time after which calibrations are stored that changed no class.
const keepEach = time.Minute

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
	k.mu.Lock()
	defer k.mu.Unlock()
	w := k.all[name]
	if w == nil {
		return nil, blob.NewProblem(http.StatusNotFound, "worker %q has not registered", name)
	}
	kind, err := kindOf(&w.Registration, c)
	if err != nil {
		return nil, err
	}
	before := k.pool.Members[name]
	was, members, merged := "", len(k.pool.Members), len(k.pool.Merged)
	if before != nil {
		was = before.Class
	}
	m := k.pool.Calibrated(name, kind, Stem(w.CPU, w.Arch), c.Times, time.Now().UTC())
	k.compare(name)
	if m.Class != was {
		k.log().Info("a worker joins a class", "worker", name, "class", m.Class, "before", was)
	}
	if m.Class != was || merged != len(k.pool.Merged) {
		for other := range k.all {
			k.assign(other)
		}
	}
	change := putBack(Drift)
	if m.Out != "" {
		change = takeOut(Drift, m.Out)
	}
	if err := k.changeOutLocked(name, change); err != nil {
		return nil, err
	}
	if m.Class != was || members != len(k.pool.Members) || time.Since(k.kept) > keepEach {
		if err := k.keepClasses(); err != nil {
			return nil, err
		}
	}
	next := k.Every
	if !m.Settled() {
		next /= 10
	}
	if m.Class == "" {
		next = min(next, time.Second) // it gets no work items yet
	}
	return &api.Placement{Class: m.Class, Out: w.Out, Next: next.Seconds()}, nil
}

// keepClasses stores the classes. The caller holds k.mu.
func (k *Workers) keepClasses() error {
	if k.File == "" {
		return nil
	}
	data, err := json.Marshal(&k.pool)
	if err != nil {
		return err
	}
	k.kept = time.Now()
	return osfile.WriteAtomic(filepath.Join(filepath.Dir(k.File), classFile), data)
}

// loadClasses reads the classes of a server before this one. The caller holds k.mu.
func (k *Workers) loadClasses() error {
	name := filepath.Join(filepath.Dir(k.File), classFile)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		if err = json.Unmarshal(data, &k.pool); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	return err
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
