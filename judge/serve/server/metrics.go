package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"crucible/judge"
	"crucible/judge/serve/api"
	"crucible/judge/serve/remote"
)

// Metrics are the figures of a server at GET /metrics, in the text format of Prometheus.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	items    *prometheus.CounterVec
	latency  prometheus.Histogram
	runs     *prometheus.CounterVec
}

// seconds are the bounds of histograms: from 1 ms to about 17 minutes.
var seconds = prometheus.ExponentialBuckets(0.001, 2, 21)

// NewMetrics returns metrics of a pool.
func NewMetrics(q *Queued) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "crucible_requests_total", Help: "Requests by route and status."}, []string{"route", "status"}),
		took:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "crucible_request_seconds", Help: "Time until a request was answered.", Buckets: seconds}, []string{"route"}),
		items:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "crucible_items_total", Help: "Work items by how they ended: done, failed or cancelled."}, []string{"end"}),
		latency:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "crucible_item_seconds", Help: "Time from a work item's arrival to its verdict.", Buckets: seconds}),
		runs:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "crucible_runs_total", Help: "Runs by verdict; none if the judge failed."}, []string{"verdict"}),
	}
	for _, end := range []string{"done", "failed", "cancelled"} {
		m.items.WithLabelValues(end)
	}
	m.registry.MustRegister(m.requests, m.took, m.items, m.latency, m.runs, &queueCollector{q},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers with the figures.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Observe counts a request that has ended.
func (m *Metrics) Observe(r *http.Request, status int, took time.Duration) {
	m.requests.WithLabelValues(r.Pattern, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(r.Pattern).Observe(took.Seconds())
}

// Pool returns a pool whose items are counted.
func (m *Metrics) Pool(p remote.Pool) remote.Pool { return &counted{p, m} }

// counted counts the items and runs of a pool.
type counted struct {
	remote.Pool
	m *Metrics
}

// Do implements [remote.Pool].
func (c *counted) Do(ctx context.Context, i *remote.Item, line func(*remote.Line) error) error {
	began := time.Now()
	failed := false
	err := c.Pool.Do(ctx, i, func(l *remote.Line) error {
		if l.IsLast() {
			_, why, err := l.End()
			failed = err != nil || why != nil && !errors.Is(why, judge.ErrNoOtherWorker)
		} else if r, err := l.Run(); err == nil {
			c.m.runs.WithLabelValues(verdictLabel(string(r.Verdict))).Inc()
		}
		return line(l)
	})
	switch {
	case ctx.Err() != nil:
		c.m.items.WithLabelValues("cancelled").Inc()
	case err != nil || failed:
		c.m.items.WithLabelValues("failed").Inc()
	default:
		c.m.items.WithLabelValues("done").Inc()
		c.m.latency.Observe(time.Since(began).Seconds())
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

// A queueCollector has the figures of a queue at the moment at which they are asked for.
type queueCollector struct{ q *Queued }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("crucible_"+name, help, labels, nil)
}

var (
	queueDepth    = describe("queue_items", "Work items without a verdict.")
	queueRunning  = describe("queue_running_items", "Work items that are at workers, or are the next ones.")
	queueAge      = describe("queue_age_seconds", "Time since the oldest work item without a verdict was submitted.")
	queueBytes    = describe("queue_bytes", "Size of the queue on the disk.")
	verdictsTotal = describe("verdicts_total", "Verdicts that were stored.")
	secondTotal   = describe("verdicts_discarded_total", "Verdicts that came second.")
	againTotal    = describe("redeliveries_total", "Deliveries of work items after the first one.")
	returnedTotal = describe("items_released_total", "Work items that workers gave back.")
	givenUpTotal  = describe("items_given_up_total", "Work items that several workers lost.")
	workersAlive  = describe("workers", "Workers with a sign of life within 30 s.")
	workerBusy    = describe("worker_busy_slots", "Work items under way at a worker.", "worker")
	workerSlots   = describe("worker_slots", "Work items that a worker can have at the same time.", "worker")
	classWorkers  = describe("class_workers", "Workers of a machine class that get work items; the classes with the fewest slots are together in other.", "class")
	classSlots    = describe("class_slots", "Work items that the workers of a machine class can have at the same time.", "class")
	workersOut    = describe("workers_out", "Workers that were taken out.")
	compileTotal  = describe("compile_disagreements_total", "Submissions that one worker compiles and another one rejects.")
	auditsTotal   = describe("audits_total", "Work items that were executed again, by result: equal, different, or alone without another worker.", "result")
)

// Describe implements [prometheus.Collector].
func (c *queueCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueDepth, queueRunning, queueAge, queueBytes, verdictsTotal, secondTotal, againTotal, returnedTotal, givenUpTotal, workersAlive, workerBusy, workerSlots, classWorkers, classSlots, workersOut, compileTotal, auditsTotal} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *queueCollector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if s, err := c.q.Queue.Stats(ctx); err != nil {
		to <- prometheus.NewInvalidMetric(queueDepth, err)
	} else {
		gauge(queueDepth, float64(s.Depth))
		gauge(queueRunning, float64(s.Running))
		gauge(queueAge, s.Age.Seconds())
		gauge(queueBytes, float64(s.Bytes))
	}
	n := c.q.Server.Counts()
	counter(verdictsTotal, n.Verdicts)
	counter(secondTotal, n.Discarded)
	counter(againTotal, n.Redelivered)
	counter(returnedTotal, n.Released)
	counter(givenUpTotal, n.Quarantined)
	if a := c.q.Audit; a != nil {
		counter(auditsTotal, a.equal.Load(), "equal")
		counter(auditsTotal, a.different.Load(), "different")
		counter(auditsTotal, a.alone.Load(), "alone")
	}
	if c.q.Workers == nil {
		return
	}
	counter(compileTotal, c.q.Compilations.different.Load())
	living, out := 0, 0
	for _, w := range c.q.Workers.List() {
		if len(w.Out) > 0 {
			out++
		}
		if w.Alive {
			living++
			gauge(workerBusy, float64(w.Busy), w.Name)
			gauge(workerSlots, float64(w.Slots), w.Name)
		}
	}
	gauge(workersAlive, float64(living))
	gauge(workersOut, float64(out))
	for _, class := range largest(c.q.Workers.Classes()) {
		gauge(classWorkers, float64(len(class.Workers)), class.Name)
		gauge(classSlots, float64(class.Slots), class.Name)
	}
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
