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
	off   bool
	judge *judge.Judge  // finds toolchains; nil if they are not stored
	took  time.Duration // duration that the report shows; 0 if it shows none
	whole bool          // the work was not interrupted before the report

	*storing // nil while nothing is stored
}

// storing is the state of a recording between begin and end.
type storing struct {
	mu     sync.Mutex
	e      *env
	ctx    context.Context
	file   *history.Writer
	failed error // the first error; nothing is stored after it
	began  time.Time
	runs   int
	head   history.Head
	places map[*problem.Submission]*recorded
	tools  map[string]bool // languages whose toolchain is stored
	kept   []*storedMeasurement
	again  time.Time // when an unfinished measurement was last stored
}

// A recorded is a submission, given by its indexes in the head, and its results
// that are stored.
type recorded struct {
	problem, submission int
	runs                map[string]*history.Run // the stored runs, by case
	report              *history.Submission
}

// A storedMeasurement is a measurement and its last stored form.
type storedMeasurement struct {
	m      *bench.Measurement
	stored *history.Measurement
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
	to := &storing{e: e, ctx: c.Context(), began: time.Now(), places: make(map[*problem.Submission]*recorded), tools: make(map[string]bool)}
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
			to.places[one] = &recorded{problem: p, submission: s, runs: make(map[string]*history.Run)}
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

// unopened stores the packages that could not be opened.
func (r *recording) unopened(problems []record.Problem) {
	r.store(func() {
		for _, p := range problems {
			r.write(&history.Line{Unopened: &history.Unopened{ID: p.ID, Path: p.Path, Err: p.Err}})
		}
	})
}

// judging stores that the judging of a problem begins, with its limits, or the reason
// why it cannot begin.
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
		r.judgedAs(e.Submission, e.Report)
	}
}

// ran stores a run of a submission on a case.
func (r *recording) ran(s *problem.Submission, run *judge.Run) {
	r.store(func() {
		if at := r.places[s]; at != nil {
			r.runs++
			r.toolchain(s.Language)
			r.run(at, run)
		}
	})
}

// run stores a run, unless an equal one is already stored.
func (s *storing) run(at *recorded, run *judge.Run) {
	line := &history.Run{Problem: at.problem, Submission: at.submission, Run: record.OfRun(run)}
	if !reflect.DeepEqual(at.runs[run.Case], line) {
		at.runs[run.Case] = line
		s.write(&history.Line{Run: line})
	}
}

// judged stores the report of a submission.
func (r *recording) judged(one *judge.Report) {
	if r.storing == nil {
		return
	}
	for s := range r.places {
		if s.Name == one.Submission && s.Problem.ID == one.Problem {
			r.judgedAs(s, one)
			return
		}
	}
}

func (r *recording) judgedAs(s *problem.Submission, one *judge.Report) {
	r.store(func() {
		at := r.places[s]
		if at == nil {
			return
		}
		line := &history.Submission{Problem: at.problem, Submission: at.submission, Runs: []string{}, Report: record.OfReport(one)}
		line.Report.Runs = nil
		for i := range one.Runs {
			// Scores and second measurements follow after the event of the run.
			r.run(at, &one.Runs[i])
			line.Runs = append(line.Runs, one.Runs[i].Case)
		}
		if !reflect.DeepEqual(at.report, line) {
			at.report = line
			r.write(&history.Line{Submission: line})
		}
	})
}

// measuring stores a measurement without its trials. It is called before the
// first trial, and again after submissions or cases were added.
func (r *recording) measuring(m *bench.Measurement) {
	r.store(func() {
		i := slices.IndexFunc(r.kept, func(t *storedMeasurement) bool { return t.m == m })
		if i < 0 {
			i = len(r.kept)
			r.kept = append(r.kept, &storedMeasurement{m: m})
		}
		r.measurement(i)
	})
}

// measurement stores a measurement without its trials, unless it has not changed.
func (s *storing) measurement(i int) {
	about := *s.kept[i].m
	about.Trials, about.Submissions = nil, slices.Clone(about.Submissions)
	line := &history.Measurement{Number: i, Measurement: about}
	if !reflect.DeepEqual(s.kept[i].stored, line) {
		s.kept[i].stored = line
		s.write(&history.Line{Measurement: line})
	}
}

// restorePace is the time between two storings of an unfinished measurement. If the
// judge is killed, the stored measurement has its warnings too, such as the load of
// the machine.
const restorePace = 2 * time.Second

// trial stores a trial of the latest measurement.
func (r *recording) trial(t bench.Trial) {
	r.store(func() {
		if len(r.kept) == 0 || r.failed != nil {
			return
		}
		r.runs++
		r.failed = r.file.Trial(len(r.kept)-1, t)
		if time.Since(r.again) >= restorePace {
			r.measurement(len(r.kept) - 1)
			r.again = time.Now()
		}
	})
}

// toolchain stores the toolchain of a language, once. The judge has already found it,
// so this takes no time.
func (r *recording) toolchain(l *language.Language) {
	if l == nil || r.judge == nil || r.tools[l.Code] {
		return
	}
	r.tools[l.Code] = true
	if tc, err := r.judge.Toolchain(context.WithoutCancel(r.ctx), l); err == nil {
		r.write(&history.Line{Toolchain: &history.Toolchain{Language: l.Code, Compiler: tc.Compiler, Runtime: tc.Runtime, Version: tc.Version}})
	}
}

// learned records that all results are known, and the duration to report.
func (r *recording) learned(took time.Duration) {
	r.took = took
	r.whole = r.storing != nil && r.ctx.Err() == nil
}

// end stores the exit status of err, closes the file, and returns err.
func (r *recording) end(err error) error {
	if r.storing == nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, t := range r.kept {
		r.measurement(i) // it may have changed since it was stored
		for _, one := range t.m.Submissions {
			r.toolchain(language.ByCode(one.Language))
		}
	}
	status := statusOf(err)
	cause, unread := context.Cause(r.ctx), r.e.unread()
	switch {
	case status == statusInterrupted:
	case unread != nil && cause != nil && !r.whole:
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
