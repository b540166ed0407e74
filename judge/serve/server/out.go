package server

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"crucible/judge/serve/api"
)

// AnyClass is the machine class of work items that any worker may execute.
const AnyClass = api.AnyClass

// TakeOut gives a worker no more work items, and those that it has to others, until each
// cause for which it was taken out has been removed by PutBack. The reason replaces an
// earlier one of the same cause, which keeps its time.
func (k *Workers) TakeOut(name string, c api.Cause, because string) error {
	return k.changeOut(name, takeOut(c, because))
}

func takeOut(c api.Cause, because string) func([]api.Out) []api.Out {
	return func(all []api.Out) []api.Out {
		if i := slices.IndexFunc(all, func(o api.Out) bool { return o.Cause == c }); i >= 0 {
			all[i].Because = because
			return all
		}
		return append(all, api.Out{Cause: c, Because: because, Since: time.Now().UTC().Round(0)}) // as it is read again
	}
}

// PutBack removes a cause for which a worker was taken out.
func (k *Workers) PutBack(name string, c api.Cause) error {
	return k.changeOut(name, putBack(c))
}

func putBack(c api.Cause) func([]api.Out) []api.Out {
	return func(all []api.Out) []api.Out {
		return slices.DeleteFunc(all, func(o api.Out) bool { return o.Cause == c })
	}
}

func (k *Workers) changeOut(name string, change func([]api.Out) []api.Out) error {
	return k.change(name, func(old *workerEntry) (*workerEntry, error) {
		if old == nil {
			return nil, nil
		}
		now := *old
		if now.Out = change(slices.Clone(old.Out)); slices.Equal(now.Out, old.Out) {
			return nil, nil
		}
		return &now, nil
	})
}

func (k *Workers) log() *slog.Logger {
	if k.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return k.Log
}

// classesOf returns the classes of a worker. The caller holds k.mu.
func (k *Workers) classesOf(name string) []string {
	if w := k.all[name]; w == nil || len(w.Out) > 0 {
		return []string{}
	}
	classes := []string{api.AnyClass}
	if c := k.classOf(name); c != "" {
		classes = append(classes, c)
		for _, old := range slices.Sorted(maps.Keys(k.pool.Merged)) {
			if k.pool.Now(old) == c {
				classes = append(classes, old) // its items still wait, or are sent by those who know the old name
			}
		}
	}
	return classes
}
