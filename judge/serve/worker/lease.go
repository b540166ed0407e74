package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
)

// maxRequest is the largest size of the lines of one request, in bytes: that of a message of
// the queue. A longer line has several.
const maxRequest = 256<<10 - 16<<10

// A Source is where a worker gets its work items: see [client.Leases]. An error is a
// [*blob.Problem] if the server refuses.
type Source interface {
	Lease(ctx context.Context) (*api.Lease, error) // nil if there is none for now
	Leave(ctx context.Context) error
	Alive(ctx context.Context, leases []string) (ended []string, err error)
	Result(ctx context.Context, lease string, number int, lines []byte) error
	Verdict(ctx context.Context, lease string, results int, lines []byte) (counts bool, err error)
	Release(ctx context.Context, lease string, returned bool, why string) error
}

// Slots execute work items.
type Slots struct {
	Source Source
	Number int // of items at the same time; 0 means 1
	// Keeper is the pipe to the process that runs Supervise and says that this one lives;
	// see Supervised. If it is nil, this process says so itself; on a machine that is busy
	// with other work, its items may then go to another worker, too.
	Keeper io.Writer
	// Drain ends the slots when it is closed: running items are completed, no others are
	// begun. Nil is never.
	Drain <-chan struct{}
	Log   *slog.Logger // nil means none
}

// A Delivery is a work item that this worker has.
type Delivery struct {
	api.Lease

	w      *slots
	cancel context.CancelCauseFunc
	free   func() // gives the slot to the next item
	stall  time.Duration
	number int // of the next result

	mu    sync.Mutex
	beat  time.Time // when the keeper was told of progress
	ended bool
}

// errEnded is the cause for which the context of a delivery ends that the server no longer
// waits for.
var errEnded = errors.New("the lease has ended")

// Run executes items until ctx ends or s.Drain is closed. The handler must call
// Delivery.Verdict, or return an error, which gives the item to another worker. Its context
// ends with ctx, and when the server no longer waits for the item. While Delivery.Verdict
// sends, the slot begins the next item. Run waits while the server is away, and returns an
// error if it is refused.
func (s Slots) Run(ctx context.Context, handle func(context.Context, *Delivery) error) error {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	k := &slots{Slots: s, handle: handle, running: make(map[string]*Delivery)}
	obey, end := context.WithCancel(ctx)
	defer end()
	if s, ok := k.Keeper.(*supervisor); ok {
		go k.obey(obey, s)
	}
	if k.Keeper == nil {
		r, pipe := io.Pipe()
		k.Keeper = pipe
		defer pipe.Close()
		go keepFrom(context.WithoutCancel(ctx), s.Source, r, keepOptions{log: s.Log, stop: k.stop})
	}
	ask, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-s.Drain:
			k.leave(ask)
			cancel(nil)
		case <-ask.Done():
		}
	}()
	var all sync.WaitGroup
	for range max(s.Number, 1) {
		// Two goroutines take turns: one sends a verdict while the other asks for the next
		// item and runs it. So at most one verdict of a slot is on the way.
		turn := make(chan struct{}, 1)
		turn <- struct{}{}
		for range 2 {
			all.Go(func() {
				for range turn {
					free := sync.OnceFunc(func() { turn <- struct{}{} })
					if ask.Err() != nil || k.leaving.Load() {
						free()
						return
					}
					if err := k.one(ctx, ask, free); err != nil {
						cancel(err)
					}
					free()
				}
			})
		}
	}
	all.Wait()
	if err := context.Cause(ask); ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// slots is the state of Slots.
type slots struct {
	Slots
	handle  func(context.Context, *Delivery) error
	leaving atomic.Bool  // no more items are asked for
	asking  atomic.Int64 // slots that wait for an item
	pipe    sync.Mutex   // held while a line is written to Keeper

	mu      sync.Mutex
	running map[string]*Delivery // by lease
}

// patience is the time for which a worker that ends tries to tell the server.
const patience = 3 * time.Second

// leave makes the server answer the slots that wait for items. Without that, it would give
// them items that nobody begins. The time is limited, as the server may be away.
func (k *slots) leave(ctx context.Context) {
	k.leaving.Store(true)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for k.asking.Load() > 0 && ctx.Err() == nil {
		if err := k.Source.Leave(ctx); err != nil && ctx.Err() == nil {
			k.Log.Warn("the server is not told that the worker ends", "error", err)
		}
		sleep(ctx, 20*time.Millisecond)
	}
}

func sleep(ctx context.Context, t time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(t):
	}
}

// obey stops the deliveries that the supervisor names.
func (k *slots) obey(ctx context.Context, s *supervisor) {
	for {
		select {
		case <-ctx.Done():
			return
		case lease := <-s.stops:
			k.stop(lease)
		}
	}
}

// stop ends a delivery that the server no longer waits for.
func (k *slots) stop(lease string) {
	k.mu.Lock()
	d := k.running[lease]
	k.mu.Unlock()
	if d != nil {
		d.cancel(errEnded)
	}
}

// one asks for an item and runs it. It calls free when the run has ended, and returns when
// the verdict is stored. The error is for a worker that gets no items.
func (k *slots) one(ctx, ask context.Context, free func()) error {
	k.asking.Add(1)
	l, err := k.Source.Lease(ask)
	k.asking.Add(-1)
	if blob.IsRefusal(err) {
		return err
	}
	if err != nil {
		if ask.Err() == nil {
			k.Log.Info("no work item", "error", err)
		}
		sleep(ask, time.Second/5)
	}
	if err != nil || l == nil {
		return nil
	}
	d := &Delivery{Lease: *l, w: k, free: free, beat: time.Now(),
		stall: time.Duration(l.Stall * float64(time.Second))}
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.cancel = cancel
	k.mu.Lock()
	k.running[d.ID] = d
	k.mu.Unlock()
	d.keep()
	err = k.guard(run, d)
	k.tell("drop %s\n", d.ID)
	k.mu.Lock()
	delete(k.running, d.ID)
	k.mu.Unlock()
	d.mu.Lock()
	ended := d.ended
	d.mu.Unlock()
	if ended || errors.Is(context.Cause(run), errEnded) {
		return nil
	}
	if err == nil {
		err = errors.New("the handler returned without a verdict")
	}
	warn := k.Log.Warn
	gone, is := errors.AsType[*blob.Problem](err)
	// Somebody wanted this end, and knows what is under way; or the item was cancelled.
	if ctx.Err() != nil || is && gone.Status == http.StatusGone {
		warn = k.Log.Info
	}
	warn("an item is given to another worker", "lease", d.ID, "error", err)
	last, done := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer done()
	err = again(last, func() error { return k.Source.Release(last, d.ID, ctx.Err() != nil, err.Error()) })
	if err != nil {
		warn("an item is given to another worker later", "lease", d.ID, "error", err)
	}
	return nil
}

// again sends a request until it is answered or refused, or ctx ends. All requests may be
// repeated: the first one counts.
func again(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil || ctx.Err() != nil || blob.IsRefusal(err) {
			return err
		}
		sleep(ctx, 200*time.Millisecond)
	}
}

// guard calls the handler. A panic of the handler is its error, so that it ends one item
// and not the worker.
func (k *slots) guard(ctx context.Context, d *Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return k.handle(ctx, d)
}

// tell writes a line to the keeper.
func (k *slots) tell(format string, args ...any) {
	k.pipe.Lock()
	defer k.pipe.Unlock()
	if _, err := fmt.Fprintf(k.Keeper, format, args...); err != nil {
		k.Log.Error("the process that keeps items alive is gone", "error", err)
	}
}

// beatsPerStall is how often the keeper is told of progress within Stall. Most items end
// before the first time.
const beatsPerStall = 16

// keep tells the keeper of the delivery.
func (d *Delivery) keep() {
	d.w.tell("keep %s %d %d\n", d.ID, (d.stall + d.stall/beatsPerStall).Milliseconds(), int(d.Alive*1000))
}

// extend lengthens the time without progress after which another worker gets the item, for
// runs that may take so long by themselves.
func (d *Delivery) extend(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if 2*by > d.stall {
		d.stall += by
		d.beat = time.Now()
		d.keep()
	}
}

// Beat reports progress.
func (d *Delivery) Beat() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); now.Sub(d.beat) >= d.stall/beatsPerStall {
		d.beat = now
		d.w.tell("beat %s\n", d.ID)
	}
}

// Result sends lines of the answer, and waits until they are stored. It reports progress too,
// also while the server has no room for them. Calls must not overlap.
func (d *Delivery) Result(ctx context.Context, lines []byte) error {
	for part := range slices.Chunk(lines, maxRequest) {
		err := again(ctx, func() error {
			d.Beat()
			return d.w.Source.Result(ctx, d.ID, d.number, part)
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		d.number++
	}
	return nil
}

// Verdict sends the last lines, and reports whether they count: another worker may have been
// first. It waits while the server is away; the worker begins its next item meanwhile.
func (d *Delivery) Verdict(ctx context.Context, lines []byte) (counts bool, err error) {
	last := lines[max(len(lines)-1, 0)/maxRequest*maxRequest:]
	if err := d.Result(ctx, lines[:len(lines)-len(last)]); err != nil {
		return false, err
	}
	d.free()
	err = again(ctx, func() error {
		d.Beat()
		counts, err = d.w.Source.Verdict(ctx, d.ID, d.number, last)
		return err
	})
	if err != nil {
		return false, err
	}
	d.mu.Lock()
	d.ended = true
	d.mu.Unlock()
	return counts, nil
}
