package queue

import (
	"slices"
	"sync"
	"sync/atomic"
)

// assignments are the classes that a server has assigned to workers.
type assignments struct {
	first func(worker string) []string // see Options.Assigned
	of    sync.Map                     // *atomic.Pointer[[]string] by the worker; tokens of subjects
}

// pointer returns the pointer to the classes of a worker, which is nil until some are
// assigned.
func (a *assignments) pointer(worker string) *atomic.Pointer[[]string] {
	if p, ok := a.of.Load(worker); ok {
		return p.(*atomic.Pointer[[]string])
	}
	now := new(atomic.Pointer[[]string])
	if a.first != nil {
		if classes := a.first(worker); classes != nil {
			now.Store(tokensOf(classes))
		}
	}
	p, _ := a.of.LoadOrStore(worker, now)
	return p.(*atomic.Pointer[[]string])
}

// set assigns classes and reports whether they are other ones.
func (a *assignments) set(worker string, classes *[]string) bool {
	p, _ := a.of.LoadOrStore(worker, new(atomic.Pointer[[]string]))
	old := p.(*atomic.Pointer[[]string]).Swap(classes)
	return old == nil || !slices.Equal(*old, *classes)
}

func tokensOf(classes []string) *[]string {
	tokens := append([]string{}, subjectTokens(classes)...) // not nil: none are none
	return &tokens
}

// none reports whether a worker gets no items.
func (a *assignments) none(worker string) bool {
	p, ok := a.of.Load(worker)
	if !ok {
		return false
	}
	classes := p.(*atomic.Pointer[[]string]).Load()
	return classes != nil && len(*classes) == 0
}
