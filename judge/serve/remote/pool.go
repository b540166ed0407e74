package remote

import (
	"context"
	"errors"

	"crucible/judge"
)

// A Pool executes items, somewhere.
type Pool interface {
	// Do executes an item and passes each line of the answer to line, in order and one
	// at a time; see [Stream]. The error is that of line or of ctx, or the failure to
	// get the item executed. If it is nil, the last line has been passed on.
	Do(ctx context.Context, i *Item, line func(*Line) error) error

	// Slots returns how many items can be executed at the same time, 1 or more.
	Slots(ctx context.Context) (int, error)
}

// An Executor is the [judge.Executor] that sends work items to a pool.
type Executor struct {
	Packer *Packer
	Pool   Pool
	Class  string // the machine class in which items are executed; "" means that all may
	Worker string // the only worker that executes items; "" means that all of the class may
}

// Execute implements [judge.Executor].
func (x *Executor) Execute(ctx context.Context, w *judge.WorkItem, ran func(*judge.Run)) (c judge.Compiled, err error) {
	i, err := x.Packer.Pack(ctx, w)
	if err != nil {
		return c, err
	}
	i.Class, i.Worker = x.Class, x.Worker
	done := false
	var failed error // the last line says that the item was not completed
	err = x.Pool.Do(ctx, i, func(line *Line) (bad error) {
		if done {
			return errors.New("the answer to a work item goes on after its last line")
		}
		if line.IsLast() {
			c, failed, bad = line.End()
			done = bad == nil
			return bad
		}
		r, bad := line.Run()
		if bad != nil {
			return bad
		}
		if x.Class != "" {
			r.Class = x.Class // the worker may be another one than it claims
		}
		ran(r)
		return nil
	})
	if err == nil && !done {
		err = errors.New("the answer to a work item has no last line")
	}
	return c, errors.Join(err, failed)
}

// A Here executes items in this process.
type Here struct {
	Unpacker *Unpacker
	Executor judge.Executor
	Name     string // of this worker
	Class    string // its machine class
}

// Do is that of a [Pool].
func (h *Here) Do(ctx context.Context, i *Item, line func(*Line) error) error {
	w, release, err := h.Unpacker.Open(ctx, i)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return line(Fail(err, h.Name))
	}
	defer release()
	var broken error
	err = Stream(ctx, h.Executor, w, h.Name, h.Class, func(l *Line) error {
		broken = line(l)
		return broken
	})
	if broken == nil && ctx.Err() == nil {
		err = nil // it is in the last line
	}
	return err
}
