package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/remote"
)

// Metrics are the figures of a server at GET /metrics, in the text format of Prometheus.
type Metrics struct {
	queued                               *Queued
	requests, took, items, latency, runs *family
}

// NewMetrics returns metrics of a pool.
func NewMetrics(q *Queued) *Metrics {
	m := &Metrics{
		queued:   q,
		requests: newFamily("counter", "crucible_requests_total", "Requests by route and status.", "route", "status"),
		took:     newFamily("histogram", "crucible_request_seconds", "Time until a request was answered.", "route"),
		items: newFamily("counter", "crucible_items_total", "Work items by how they ended: done, failed or cancelled.",
			"end"),
		latency: newFamily("histogram", "crucible_item_seconds", "Time from a work item's arrival to its verdict."),
		runs:    newFamily("counter", "crucible_runs_total", "Runs by verdict; none if the judge failed.", "verdict"),
	}
	for _, end := range []string{"done", "failed", "cancelled"} {
		m.items.add(0, end)
	}
	return m
}

// Handler answers with the figures.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now, err := m.queued.figures(r.Context())
		if err != nil {
			refuse(w, blob.NewProblem(http.StatusServiceUnavailable, "figures of the queue: %v", err))
			return
		}
		var text strings.Builder
		for _, f := range append([]*family{m.requests, m.took, m.items, m.latency, m.runs}, now...) {
			f.write(&text)
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		io.WriteString(w, text.String())
	})
}

// Observe counts a request that has ended.
func (m *Metrics) Observe(r *http.Request, status int, took time.Duration) {
	m.requests.add(1, r.Pattern, strconv.Itoa(status))
	m.took.observe(took.Seconds(), r.Pattern)
}

// Pool returns a pool whose items are counted.
func (m *Metrics) Pool(p remote.Pool) remote.Pool { return &countedPool{p, m} }

// countedPool counts the items and runs of a pool.
type countedPool struct {
	remote.Pool
	m *Metrics
}

// Do implements [remote.Pool].
func (c *countedPool) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	began := time.Now()
	failed := false
	err := c.Pool.Do(ctx, i, func(l *remote.Line) error {
		if l.IsLast() {
			_, why, err := l.End()
			failed = err != nil || why != nil && !errors.Is(why, judge.ErrNoOtherWorker)
		} else if r, err := l.Run(); err == nil {
			c.m.runs.add(1, verdictLabel(string(r.Verdict)))
		}
		return line(l)
	})
	switch {
	case ctx.Err() != nil:
		c.m.items.add(1, "cancelled")
	case err != nil || failed:
		c.m.items.add(1, "failed")
	default:
		c.m.items.add(1, "done")
		c.m.latency.observe(time.Since(began).Seconds())
	}
	return err
}

// verdictLabel bounds what a worker can write into the names of figures.
func verdictLabel(verdict string) string {
	if verdict == "" || len(verdict) > 3 {
		return "none"
	}
	return verdict
}

// figures returns the figures of a queue and its workers at this moment, and of this
// process.
func (q *Queued) figures(ctx context.Context) (all []*family, err error) {
	add := func(kind, name, help string, v float64) {
		f := newFamily(kind, name, help)
		f.add(v)
		all = append(all, f)
	}
	gauge := func(name, help string, v float64) { add("gauge", "crucible_"+name, help, v) }
	counter := func(name, help string, v int64) { add("counter", "crucible_"+name, help, float64(v)) }
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	s, err := q.Queue.Stats(ctx)
	if err != nil {
		return nil, err
	}
	gauge("queue_items", "Work items without a verdict.", float64(s.Depth))
	gauge("queue_running_items", "Work items that are at workers, or are the next ones.", float64(s.Running))
	gauge("queue_age_seconds", "Time since the oldest work item without a verdict was submitted.", s.Age.Seconds())
	gauge("queue_bytes", "Size of the queue on the disk.", float64(s.Bytes))
	n := q.Queue.Counts()
	counter("verdicts_total", "Verdicts that were stored.", n.Verdicts)
	counter("verdicts_discarded_total", "Verdicts that came second.", n.Discarded)
	counter("redeliveries_total", "Deliveries of work items after the first one.", n.Redelivered)
	counter("items_released_total", "Work items that workers gave back.", n.Released)
	counter("items_given_up_total", "Work items that several workers lost.", n.GivenUp)
	if a := q.Audit; a != nil {
		audits := newFamily("counter", "crucible_audits_total",
			"Work items that were executed again, by result: equal, different, or alone without another worker.", "result")
		audits.add(float64(a.equal.Load()), "equal")
		audits.add(float64(a.different.Load()), "different")
		audits.add(float64(a.alone.Load()), "alone")
		all = append(all, audits)
	}
	if q.Workers != nil {
		counter("compile_disagreements_total", "Submissions that one worker compiles and another one rejects.",
			q.Compilations.different.Load())
		all = append(all, q.Workers.figures()...)
	}
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	add("gauge", "go_goroutines", "Goroutines of the server.", float64(runtime.NumGoroutine()))
	add("gauge", "go_memstats_alloc_bytes", "Bytes of objects in the heap of the server.", float64(heap.Alloc))
	add("gauge", "go_memstats_sys_bytes", "Bytes of memory that the server has from the system.", float64(heap.Sys))
	return all, nil
}

// figures returns the figures of the workers and their classes.
func (l *Workers) figures() []*family {
	gauge := func(name, help string, labels ...string) *family {
		return newFamily("gauge", "crucible_"+name, help, labels...)
	}
	alive := gauge("workers", "Workers with a sign of life within 30 s.")
	out := gauge("workers_out", "Workers that were taken out.")
	busy := gauge("worker_busy_slots", "Work items under way at a worker.", "worker")
	slots := gauge("worker_slots", "Work items that a worker can have at the same time.", "worker")
	members := gauge("class_workers",
		"Workers of a machine class that get work items; the classes with the fewest slots are together in other.", "class")
	together := gauge("class_slots", "Work items that the workers of a machine class can have at the same time.", "class")
	alive.add(0)
	out.add(0)
	for _, w := range l.List() {
		if len(w.Out) > 0 {
			out.add(1)
		}
		if w.Alive {
			alive.add(1)
			busy.add(float64(w.Busy), w.Name)
			slots.add(float64(w.Slots), w.Name)
		}
	}
	for _, class := range largest(l.Classes()) {
		members.add(float64(len(class.Workers)), class.Name)
		together.add(float64(class.Slots), class.Name)
	}
	return []*family{alive, out, busy, slots, members, together}
}

// mostClasses is the number of classes that have figures of their own.
const mostClasses = 50

// largest returns the first ones of the classes, which are sorted, and one for the others.
func largest(all []api.Class) []api.Class {
	if len(all) <= mostClasses {
		return all
	}
	rest := api.Class{Name: "other"} // names of classes end with a number
	for _, c := range all[mostClasses:] {
		rest.Slots += c.Slots
		rest.Workers = append(rest.Workers, c.Workers...)
	}
	return append(all[:mostClasses:mostClasses], rest)
}
