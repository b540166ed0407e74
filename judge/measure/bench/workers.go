package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"crucible/judge"
)

// A Worker is a machine of a server that makes runs of a measurement.
type Worker struct {
	Name  string `json:"name"`
	Class string `json:"class,omitzero"` // its machine class; "" if the server has none
}

// A Machine makes the runs of a series.
type Machine struct {
	Worker // the zero value if it is this machine
	// Its [judge.Judge.Executor] is nil, or has the runs made by that worker only.
	Judge *judge.Judge
}

// Here returns this machine.
func Here(j *judge.Judge) []Machine { return []Machine{{Judge: j}} }

// changed returns the machines with other judges.
func changed(on []Machine, change func(*judge.Judge) (*judge.Judge, error)) ([]Machine, error) {
	all, errs := slices.Clone(on), make([]error, len(on))
	for i := range all {
		all[i].Judge, errs[i] = change(on[i].Judge)
	}
	return all, errors.Join(errs...)
}

// workersOf returns the workers; nil for this machine.
func workersOf(on []Machine) (all []Worker) {
	for _, m := range on {
		if m.Name != "" {
			all = append(all, m.Worker)
		}
	}
	return all
}

// about returns an error with the name of the worker.
func (m *Machine) about(err error) error {
	if m.Name == "" {
		return err
	}
	return fmt.Errorf("worker %s: %w", m.Name, err)
}

// said returns a text with the name of the worker.
func (m *Machine) said(text string) string {
	if m.Name == "" {
		return text
	}
	return text + " (worker " + m.Name + ")"
}

// machines is the number of machines that made the runs.
func (m *Measurement) machines() int { return max(len(m.Workers), 1) }

// Slowest returns the index of the worker that took longest for all runs together.
func (m *Measurement) Slowest() (worker int) {
	if len(m.Workers) < 2 {
		return 0
	}
	sums := make([]time.Duration, len(m.Workers))
	for i := range m.Trials {
		if t := &m.Trials[i]; t.Round >= 0 {
			sums[t.Worker] += t.Outcome.CPU
		}
	}
	return slices.Index(sums, slices.Max(sums))
}

// OfSlowest returns the measurement with the trials of the slowest worker only.
func (m *Measurement) OfSlowest() *Measurement {
	if len(m.Workers) < 2 {
		return m
	}
	return m.Of(m.Slowest())
}

// Of returns the measurement with the trials of one worker only.
func (m *Measurement) Of(worker int) *Measurement {
	one := *m
	one.Workers, one.Trials = m.Workers[worker:worker+1], nil
	for _, t := range m.Trials {
		if t.Worker == worker {
			t.Worker = 0
			one.Trials = append(one.Trials, t)
		}
	}
	return &one
}

// WorkersText names the workers of a measurement and their classes; "" if there are none.
func (m *Measurement) WorkersText() string {
	var all, classes []string
	for _, w := range m.Workers {
		if all = append(all, w.Name); w.Class != "" && !slices.Contains(classes, w.Class) {
			classes = append(classes, w.Class)
		}
	}
	text := strings.Join(all, ", ")
	if classes != nil {
		text += " (" + strings.Join(classes, ", ") + ")"
	}
	return text
}

// A WorkerTime is the CPU time of a submission on one worker.
type WorkerTime struct {
	Worker     string          `json:"worker"`     // its name
	Submission SubmissionIndex `json:"submission"` // the submission
	CPU        float64         `json:"cpu_s"`      // seconds
}

// workerTimes returns the times of the submissions on each worker, by submission; nil for
// fewer than two workers. A submission without an accepted case has none.
func (m *Measurement) workerTimes() (all []WorkerTime) {
	if len(m.Workers) < 2 {
		return nil
	}
	tables := make([]*table, len(m.Workers))
	for w := range tables {
		tables[w] = tabulateOf(m, w)
	}
	for s := range m.Submissions {
		for w, t := range tables {
			sum, n := 0.0, 0.0
			for _, c := range m.bySize() {
				good := t.records[s][c].good()
				if good == nil {
					continue
				}
				if m.Kind == ForScale { // the largest input only
					sum, n = 0, 0
				}
				sum, n = sum+math.Log(good.summary(cpu, confidence(m)).Median), n+1
			}
			if n > 0 {
				all = append(all, WorkerTime{m.Workers[w].Name, SubmissionIndex(s), math.Exp(sum / n)})
			}
		}
	}
	return all
}
