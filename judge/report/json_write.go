package report

import (
	"math"

	"crucible/judge"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// ToJSON returns what [WriteJSON] writes.
func ToJSON(d *record.Document) JSON {
	doc := JSON{
		Schema:   record.Schema,
		Machine:  JSONOfMachine(d.Machine),
		Elapsed:  d.Elapsed.Nanoseconds(),
		Problems: make([]JSONProblem, len(d.Problems)),
		Against:  jsonAgainst(d.Against),
	}
	for i := range d.Problems {
		doc.Problems[i] = jsonProblem(&d.Problems[i])
	}
	return doc
}

// JSONOfMachine returns a machine as it is in the JSON document.
func JSONOfMachine(m record.Machine) JSONMachine {
	return JSONMachine{
		OS: m.OS, Arch: m.Arch, CPU: m.CPU, Cores: m.Cores, Kernel: m.Kernel, Go: m.Go,
		Protection: m.Protection, NotEnforced: present(m.NotEnforced),
		Pinned: m.Pinned, Fixed: m.FixedAddresses,
	}
}

func jsonProblem(p *record.Problem) JSONProblem {
	j := JSONProblem{
		ID: p.ID, Path: p.Path, Error: message(p.Err), Limits: JSONOfLimits(p.Limits), Cases: present(p.Cases),
		Submissions: make([]JSONSubmission, len(p.Reports)),
		Comparison:  jsonComparison(p.Comparison), Scaling: jsonScaling(p.Scaling), Band: jsonBand(p.Band),
	}
	if m := p.Measurement; m != nil {
		measured := JSONOfMeasurement(m)
		j.Measurement = &measured
	}
	for i, r := range p.Reports {
		j.Submissions[i] = JSONOfReport(r)
	}
	return j
}

// JSONOfLimits returns limits as they are in the JSON document.
func JSONOfLimits(l problem.Limits) JSONLimits {
	return JSONLimits{CPU: l.Time.Nanoseconds(), Wall: l.Wall.Nanoseconds(), Memory: l.Memory, Output: l.Output}
}

// JSONOfReport returns a submission's report as it is in the JSON document.
func JSONOfReport(r *judge.Report) JSONSubmission {
	s := JSONSubmission{
		Name: r.Submission, Language: r.Language,
		Expected: jsonExpected(r.Expected),
		Verdict:  FinalVerdict(r), AsExpected: r.AsExpected, Broken: r.Broken, BrokenBy: r.BrokenBy,
		Error: message(r.JudgeError()), Defect: isDefect(r.JudgeError()), Skipped: r.Skipped,
		Compile: JSONCompile{Exit: r.Compile.Exit, Message: r.Compile.Message, Cached: r.Compile.Cached},
		Runs:    make([]JSONRun, len(r.Runs)),
		Score:   finite(r.Score), MaxScore: finite(r.MaxScore), Groups: make([]JSONGroup, len(r.Groups)),
	}
	if r.Skipped != "" || r.Err != nil {
		s.AsExpected = nil
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		s.Groups[i] = JSONGroup{Name: g.Name, Verdict: g.Verdict, Score: finite(g.Score), MaxScore: finite(g.Max), NotRun: g.NotRun, Error: message(g.Err)}
	}
	for i := range r.Runs {
		s.Runs[i] = JSONOfRun(&r.Runs[i])
	}
	return s
}

func jsonExpected(expected []problem.Expectation) []JSONExpectation {
	all := make([]JSONExpectation, len(expected))
	for i := range expected {
		e := &expected[i]
		all[i] = JSONExpectation{
			Cases: e.Cases, Permitted: orAll(e.Permitted), Required: orAll(e.Required),
			Score: e.Score, Message: e.Message, Final: e.Final, Partial: e.Partial, Timing: e.Timing,
		}
		if e.Final == nil {
			all[i].Final = []problem.Verdict{}
		}
	}
	return all
}

// JSONOfRun returns a run as it is in the JSON document.
func JSONOfRun(run *judge.Run) JSONRun {
	j := JSONRun{
		Case: run.Case, Verdict: run.Verdict, Why: run.Why, JSONOutcome: jsonOutcome(&run.Outcome), Times: []JSONOutcome{},
		Stderr: run.Stderr, Score: finite(run.Earned), Passes: run.Passes, Dialogue: []JSONRemark{}, Error: message(run.Err),
	}
	if len(run.Times) > 1 {
		j.Times = jsonOutcomes(run.Times)
	}
	if run.Err != nil {
		j.Verdict = ""
	}
	j.DialogueCut = run.Dialogue.Cut
	for _, r := range run.Dialogue.Lines {
		j.Dialogue = append(j.Dialogue, JSONRemark{Pass: r.Pass, At: r.At.Nanoseconds(), From: string(r.From), Text: r.Text})
	}
	if d := run.Diff; d != nil {
		j.Diff = &JSONDiff{
			Kind: d.Kind, Line: d.Line, Column: d.Column, AnswerLine: d.AnswerLine, AnswerColumn: d.AnswerColumn,
			Token: d.Token, Offset: d.Offset, Want: d.Want, Got: d.Got,
		}
	}
	return j
}

func jsonOutcomes(all []sandbox.Outcome) []JSONOutcome {
	list := make([]JSONOutcome, len(all))
	for i := range all {
		list[i] = jsonOutcome(&all[i])
	}
	return list
}

func jsonOutcome(o *sandbox.Outcome) JSONOutcome {
	l := &o.Limits
	return JSONOutcome{
		CPU: o.CPU.Nanoseconds(), User: o.User.Nanoseconds(), Sys: o.Sys.Nanoseconds(),
		Wall: o.Wall.Nanoseconds(), Waited: o.Waited.Nanoseconds(),
		Memory: o.Memory, Instructions: o.Instructions, Output: o.Output, Stderr: o.Stderr, Written: o.Written, Files: o.Files,
		Exit: o.Exit, Signal: text.SignalName(o.Signal), Exceeded: o.Exceeded,
		Enforced: JSONEnforced{
			CPU: l.CPU.Nanoseconds(), Wall: l.Wall.Nanoseconds(), Memory: l.Memory, Output: l.Output,
			Written: l.Written, Files: l.Files, FileSize: l.FileSize, Processes: l.Processes,
		},
	}
}

// finite leaves out numbers that JSON cannot write.
func finite(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return v
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// present keeps an empty list from being written as null.
func present(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// allVerdicts are those that the format means where it names none.
var allVerdicts = []problem.Verdict{problem.Accepted, problem.WrongAnswer, problem.TimeLimit, problem.RuntimeError}

func orAll(verdicts []problem.Verdict) []problem.Verdict {
	if verdicts == nil {
		return allVerdicts
	}
	return verdicts
}
