package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/internal/text"
	"crucible/judge/machine"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// ReadJSON reads a document that [WriteJSON] wrote.
func ReadJSON(r io.Reader) (*record.Document, error) {
	d := json.NewDecoder(r)
	var j JSON
	if err := d.Decode(&j); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one JSON document: want one")
	}
	return FromJSON(j)
}

// FromJSON returns the document that a JSON document was written from. What a
// measurement comes to is worked out again from its trials. Lost is what JSON
// does not have: bytes that are no UTF-8, and the kinds of errors.
//
// The error is for what no judge has written.
func FromJSON(j JSON) (*record.Document, error) {
	if j.Schema < 1 || j.Schema > record.Schema {
		return nil, fmt.Errorf("schema %d: want %d", j.Schema, record.Schema)
	}
	d := &record.Document{Machine: record.Machine{
		OS: j.Machine.OS, Arch: j.Machine.Arch, CPU: j.Machine.CPU, Cores: j.Machine.Cores, Kernel: j.Machine.Kernel, Go: j.Machine.Go,
		Protection: j.Machine.Protection, NotEnforced: absent(j.Machine.NotEnforced),
		Pinned: j.Machine.Pinned, FixedAddresses: j.Machine.Fixed,
	}, Elapsed: time.Duration(j.Elapsed)}
	for i := range j.Problems {
		p, err := problemOf(&j.Problems[i])
		if err != nil {
			return nil, fmt.Errorf("problem %q: %w", j.Problems[i].ID, err)
		}
		d.Problems = append(d.Problems, p)
	}
	return d, nil
}

func problemOf(j *JSONProblem) (record.Problem, error) {
	p := record.Problem{ID: j.ID, Path: j.Path, Err: failureOf(j.Error), Limits: limitsOf(j.Limits), Cases: absent(j.Cases)}
	for i := range j.Submissions {
		p.Reports = append(p.Reports, reportOf(j.ID, &j.Submissions[i]))
	}
	if j.Measurement == nil {
		return p, nil
	}
	m, err := MeasurementOf(j.Measurement)
	if err == nil {
		err = p.Conclude(m)
	}
	return p, err
}

func limitsOf(j JSONLimits) problem.Limits {
	return problem.Limits{Time: time.Duration(j.CPU), Wall: time.Duration(j.Wall), Memory: j.Memory, Output: j.Output}
}

// MeasurementOf returns the measurement that was written so. The error is for
// trials of what is in none of its lists.
func MeasurementOf(j *JSONMeasurement) (*bench.Measurement, error) {
	m := &bench.Measurement{
		Kind: j.Kind, Problem: j.Problem, Limits: limitsOf(j.Limits), Timing: problem.TimeRule(j.Timing),
		Seed: j.Seed, Confidence: j.Confidence, Looks: j.Looks, Reference: j.Reference, Doubts: absent(j.Doubts),
		Precision: j.Precision, Budget: time.Duration(j.Budget), Ended: j.Ended, Load: machine.Activity(j.Load),
	}
	if n := len(j.Submissions); j.Reference < 0 || j.Reference >= max(n, 1) {
		return nil, fmt.Errorf("reference %d: there are %d submissions", j.Reference, n)
	}
	if j.Growth != nil {
		growth := bench.Growth(*j.Growth)
		m.Growth = &growth
	}
	if len(j.Cores) > 0 {
		m.Cores = j.Cores
	}
	for i := range j.Submissions {
		e := &j.Submissions[i]
		m.Submissions = append(m.Submissions, bench.Entrant{
			Name: e.Name, Language: e.Language, Expected: expectedOf(e.Expected), Skipped: e.Skipped, Startup: outcomesOf(e.Startup),
		})
	}
	for _, c := range j.Cases {
		m.Cases = append(m.Cases, bench.Input(c))
	}
	for i := range j.Trials {
		t := &j.Trials[i]
		if t.Submission < 0 || t.Submission >= len(m.Submissions) || t.Case < 0 || t.Case >= len(m.Cases) {
			return nil, fmt.Errorf("trial %d: submission %d on case %d: there are %d and %d", i, t.Submission, t.Case, len(m.Submissions), len(m.Cases))
		}
		m.Trials = append(m.Trials, bench.Trial{
			Submission: t.Submission, Case: t.Case, Round: t.Round, At: time.Duration(t.At),
			Verdict: t.Verdict, Why: t.Why, Outcome: outcomeOf(&t.JSONOutcome), Err: t.Error,
		})
	}
	return m, nil
}

func reportOf(problem string, j *JSONSubmission) *judge.Report {
	r := &judge.Report{
		Problem: problem, Submission: j.Name, Language: j.Language, Expected: expectedOf(j.Expected),
		Verdict: j.Verdict, Score: j.Score, MaxScore: j.MaxScore, AsExpected: j.AsExpected,
		Broken: j.Broken, BrokenBy: j.BrokenBy, Skipped: j.Skipped,
		Compile: build.Compile{Exit: j.Compile.Exit, Message: j.Compile.Message, Cached: j.Compile.Cached},
	}
	for _, g := range j.Groups {
		r.Groups = append(r.Groups, judge.GroupResult{Name: g.Name, Verdict: g.Verdict, Score: g.Score, Max: g.MaxScore, NotRun: g.NotRun, Err: failureOf(g.Error)})
	}
	for i := range j.Runs {
		r.Runs = append(r.Runs, runOf(&j.Runs[i]))
	}
	// What failed on a case or group is told as the submission's failure, too.
	if j.Error != message(r.JudgeError()) {
		r.Err = failureOf(j.Error)
	}
	if j.Defect {
		failures := []*error{&r.Err} // in the order of judge.Report.JudgeError
		for i := range r.Runs {
			failures = append(failures, &r.Runs[i].Err)
		}
		for i := range r.Groups {
			failures = append(failures, &r.Groups[i].Err)
		}
		if i := slices.IndexFunc(failures, func(err *error) bool { return *err != nil }); i >= 0 {
			*failures[i] = readDefect((*failures[i]).Error())
		}
	}
	return r
}

func expectedOf(all []JSONExpectation) []problem.Expectation {
	var expected []problem.Expectation
	for _, j := range all {
		e := problem.Expectation{
			Cases: j.Cases, Permitted: orNil(j.Permitted), Required: orNil(j.Required),
			Score: j.Score, Partial: j.Partial, Message: j.Message, Timing: j.Timing,
		}
		if len(j.Final) > 0 {
			e.Final = j.Final
		}
		expected = append(expected, e)
	}
	return expected
}

// orNil is the reverse of orAll.
func orNil(verdicts []problem.Verdict) []problem.Verdict {
	if slices.Equal(verdicts, allVerdicts) {
		return nil
	}
	return verdicts
}

func runOf(j *JSONRun) judge.Run {
	run := judge.Run{
		Case: j.Case, Verdict: j.Verdict, Why: j.Why, Outcome: outcomeOf(&j.JSONOutcome), Times: outcomesOf(j.Times),
		Stderr: j.Stderr, Earned: j.Score, Err: failureOf(j.Error),
	}
	if run.Times == nil {
		run.Times = []sandbox.Outcome{run.Outcome}
	}
	run.Passes, run.Dialogue.Cut = j.Passes, j.DialogueCut
	for _, r := range j.Dialogue {
		run.Dialogue.Lines = append(run.Dialogue.Lines, judge.Remark{Pass: r.Pass, At: time.Duration(r.At), From: judge.Speaker(r.From), Text: r.Text})
	}
	if d := j.Diff; d != nil {
		run.Diff = &check.Difference{
			Kind: d.Kind, Line: d.Line, Column: d.Column, AnswerLine: d.AnswerLine, AnswerColumn: d.AnswerColumn,
			Token: d.Token, Offset: d.Offset, Want: d.Want, Got: d.Got,
		}
	}
	return run
}

func outcomesOf(all []JSONOutcome) []sandbox.Outcome {
	var outcomes []sandbox.Outcome
	for i := range all {
		outcomes = append(outcomes, outcomeOf(&all[i]))
	}
	return outcomes
}

func outcomeOf(j *JSONOutcome) sandbox.Outcome {
	l := &j.Enforced
	return sandbox.Outcome{
		Exit: j.Exit, Signal: text.SignalNamed(j.Signal),
		CPU: time.Duration(j.CPU), User: time.Duration(j.User), Sys: time.Duration(j.Sys),
		Wall: time.Duration(j.Wall), Waited: time.Duration(j.Waited),
		Memory: j.Memory, Output: j.Output, Stderr: j.Stderr, Written: j.Written, Files: j.Files, Instructions: j.Instructions, Exceeded: j.Exceeded,
		Limits: sandbox.Limits{
			CPU: time.Duration(l.CPU), Wall: time.Duration(l.Wall), Memory: l.Memory, Output: l.Output,
			Written: l.Written, Files: l.Files, FileSize: l.FileSize, Processes: l.Processes,
		},
	}
}

func failureOf(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// absent is the reverse of present.
func absent(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}
