package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/history"
	"crucible/judge/internal/selection"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// A recording stores a call of the judge in the history while it runs. Before
// begin, and with --no-history, its methods do nothing. If a call cannot be
// stored, the recording warns once and has no other effect.
type recording struct {
	off      bool
	judge    *judge.Judge  // finds toolchains; nil if they are not stored
	took     time.Duration // duration that the report shows; 0 if it shows none
	complete bool          // all results were known before any interruption

	*storing // nil while nothing is stored
}

// storing is the state of a recording between begin and end.
type storing struct {
	mu           sync.Mutex
	e            *env
	ctx          context.Context
	file         *history.Writer
	failed       error // the first error; nothing is stored after it
	began        time.Time
	runs         int
	head         history.Head
	places       map[*problem.Submission]place
	measurements []*bench.Measurement
	stored       map[any]any // last stored value of a run, submission, measurement or language
	again        time.Time   // when an unfinished measurement was last stored
}

// A place contains the indexes of a submission in the head.
type place struct{ problem, submission int }

// A runOf identifies a run: it is its key in storing.stored.
type runOf struct {
	place
	name string // of the case
}

// flag adds --no-history.
func (r *recording) flag(c *cobra.Command) {
	c.Flags().BoolVar(&r.off, "no-history", false, "do not store this run (see judge history)")
}

// begin creates the file of this call. It warns if the file cannot be written.
func (r *recording) begin(e *env, c *cobra.Command, args []string, m record.Machine, choices []*selection.Choice) {
	if r.off {
		return
	}
	folder, err := history.Folder()
	if errors.Is(err, history.ErrOff) {
		return
	}
	to := &storing{e: e, ctx: c.Context(), began: time.Now(), places: make(map[*problem.Submission]place), stored: make(map[any]any)}
	if err == nil {
		to.head = headOf(c, args, m, choices)
		to.file, err = history.Create(folder, &to.head)
	}
	if err != nil {
		warn(e, fmt.Errorf("this run is not stored: %w", err))
		return
	}
	r.storing = to
	for p, choice := range choices {
		for s, one := range choice.Submissions {
			to.places[one] = place{p, s}
		}
	}
}

// store calls f, which stores something, unless nothing is stored.
func (r *recording) store(f func()) {
	if r.storing != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		f()
	}
}

// write adds a line. An error is reported at the end, because a display may be
// using the terminal until then.
func (s *storing) write(l *history.Line) {
	if s.failed == nil {
		s.failed = s.file.Write(l)
	}
}

// put writes a line with a value, unless an equal value was stored under the key.
func (s *storing) put(key, value any, l *history.Line) {
	if !reflect.DeepEqual(s.stored[key], value) {
		s.stored[key] = value
		s.write(l)
	}
}

// unopened stores the packages that could not be opened.
func (r *recording) unopened(problems []record.Problem) {
	r.store(func() {
		for _, p := range problems {
			r.write(&history.Line{Unopened: &history.Unopened{ID: p.ID, Path: p.Path, Err: p.Err}})
		}
	})
}

// judging stores the beginning of the judging of a problem, with its limits, or the
// reason why it cannot begin.
func (r *recording) judging(p record.Problem) {
	r.store(func() {
		i := slices.IndexFunc(r.head.Problems, func(one history.Problem) bool { return one.ID == p.ID && one.Path == p.Path })
		if i < 0 {
			return
		}
		r.write(&history.Line{Begun: &history.Begun{Problem: i, Limits: p.Limits, Err: p.Err}})
	})
}

// event stores the results in an event.
func (r *recording) event(e judge.Event) {
	switch e.Kind {
	case judge.Ran:
		r.ran(e.Submission, e.Run)
	case judge.Judged:
		r.judged(e.Submission, e.Report)
	}
}

// ran stores a run of a submission on a case.
func (r *recording) ran(s *problem.Submission, run *judge.Run) {
	r.store(func() {
		if at, ok := r.places[s]; ok {
			r.runs++
			r.toolchain(s.Language)
			r.run(at, run)
		}
	})
}

func (s *storing) run(at place, run *judge.Run) {
	line := &history.Run{Problem: at.problem, Submission: at.submission, Run: record.OfRun(run)}
	s.put(runOf{at, run.Case}, line, &history.Line{Run: line})
}

// judged stores the report of a submission.
func (r *recording) judged(s *problem.Submission, report *judge.Report) {
	r.store(func() {
		at, ok := r.places[s]
		if !ok {
			return
		}
		line := &history.Submission{Problem: at.problem, Submission: at.submission, Runs: []string{}, Report: record.OfReport(report)}
		line.Report.Runs = nil
		for i := range report.Runs {
			// Scores and second measurements follow after the event of the run.
			r.run(at, &report.Runs[i])
			line.Runs = append(line.Runs, report.Runs[i].Case)
		}
		r.put(s, line, &history.Line{Submission: line})
	})
}

// measuring stores a measurement without its trials. It is called before the
// first trial, and again after submissions or cases were added.
func (r *recording) measuring(m *bench.Measurement) {
	r.store(func() {
		if !slices.Contains(r.measurements, m) {
			r.measurements = append(r.measurements, m)
		}
		r.measurement(slices.Index(r.measurements, m))
	})
}

// measurement stores a measurement without its trials.
func (s *storing) measurement(i int) {
	m := s.measurements[i]
	line := &history.Measurement{Number: i, Measurement: *m}
	line.Measurement.Trials, line.Measurement.Submissions = nil, slices.Clone(m.Submissions)
	s.put(m, line, &history.Line{Measurement: line})
}

// storeInterval is the minimum time before an unfinished measurement is stored again. If the
// judge is killed, the stored measurement has its warnings too, such as the load of
// the machine.
const storeInterval = 2 * time.Second

// trial stores a trial of the latest measurement.
func (r *recording) trial(t bench.Trial) {
	r.store(func() {
		latest := len(r.measurements) - 1
		if latest < 0 || r.failed != nil {
			return
		}
		r.runs++
		r.failed = r.file.Write(&history.Line{Trial: &history.Trial{Measurement: latest, Trial: t}})
		if time.Since(r.again) >= storeInterval {
			r.measurement(latest)
			r.again = time.Now()
		}
	})
}

// toolchain stores the toolchain of a language, once. It takes no time, because the
// judge has already found the toolchain.
func (r *recording) toolchain(l *language.Language) {
	if l == nil || r.judge == nil || r.stored[l.Code] != nil {
		return
	}
	r.stored[l.Code] = true
	if tc, err := r.judge.Toolchain(context.WithoutCancel(r.ctx), l); err == nil {
		r.write(&history.Line{Toolchain: &history.Toolchain{Language: l.Code, Compiler: tc.Compiler, Runtime: tc.Runtime, Version: tc.Version}})
	}
}

// finish records that all results are known, and the duration to report.
func (r *recording) finish(took time.Duration) {
	r.took = took
	r.complete = r.storing != nil && r.ctx.Err() == nil
}

// end stores the exit status of err, closes the file, and returns err.
func (r *recording) end(err error) error {
	if r.storing == nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, m := range r.measurements {
		r.measurement(i) // it may have changed since it was stored
		for _, one := range m.Submissions {
			r.toolchain(language.ByCode(one.Language))
		}
	}
	status := statusOf(err)
	cause, unread := context.Cause(r.ctx), r.e.unread()
	switch {
	case status == statusInterrupted:
	case unread != nil && cause != nil && !r.complete:
		status = statusInterrupted
	case unread != nil:
		status = statusOf(without(err, unread)) // the results are complete
	case cause != nil:
		status = statusJudge // the results cannot be written
	}
	r.write(&history.Line{End: &history.End{Status: status, Elapsed: cmp.Or(r.took, time.Since(r.began)), Runs: r.runs}})
	if err := errors.Join(r.failed, r.file.Close()); err != nil {
		warn(r.e, fmt.Errorf("this run is only partly stored: %w", err))
	}
	r.storing = nil
	return err
}
