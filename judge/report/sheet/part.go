package sheet

import (
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/stress"
)

// Writer writes documents with [Sections] and with comparisons of stored runs.
var Writer = report.Writer{PartOf: partOf, Against: against}

// partOf returns what the sections of a problem add to a report.
func partOf(p *record.Problem) report.Part {
	part := report.Part{Sheets: func() []report.Sheet { return OfMeasured(p) }}
	if a := record.Of[*adequacy.Result](p); a != nil {
		part.Strength = func() []report.Sheet { return OfAdequacy(a) }
		part.Faults, part.Mutants = a.Probe.Errors(), a.Mutation != nil
	}
	if s := record.Of[*stress.Summary](p); s != nil {
		part.Summary = stressSummary(s)
	}
	m := record.Of[*bench.Measurement](p)
	if m == nil {
		return part
	}
	part.Bounds, part.Conditions = report.Bounds(m.Limits, len(m.Cases)), conditions(m)
	part.Interrupted = m.Ended == bench.Interrupted
	for i := range m.Submissions {
		s := &m.Submissions[i]
		one := report.Program{Problem: m.Problem, Name: s.Name, Language: s.Language, Command: s.Command,
			Cases: make([]report.ProgramCase, len(m.Cases)), Failure: record.Of[*bench.Comparison](p) != nil}
		if s.Refused() {
			one.Wrong = s.Skipped
		} else {
			one.Unknown = s.Skipped
		}
		part.Programs = append(part.Programs, one)
	}
	slowest := m.Slowest()
	for i := range m.Trials {
		t := &m.Trials[i]
		if t.Worker != slowest && t.Err == "" && !fails(m, t) {
			continue
		}
		s, c := &m.Submissions[t.Submission], &m.Cases[t.Case]
		part.Runs = append(part.Runs, report.Run{Program: t.Submission, Test: t.Case, Name: s.Name, Language: s.Language,
			Case: c.Name, Size: c.Size, Round: t.Round, Order: i, At: t.At,
			Verdict: t.Verdict, Why: t.Why, Err: t.Err, Counted: true, Failure: fails(m, t), Outcome: t.Outcome})
	}
	part.Remarks = []record.Fact{{Name: "problem", Value: m.Problem + ", " + string(m.Kind)},
		{Name: "seed", Value: strconv.FormatUint(m.Seed, 10)}, {Name: "looks", Value: strconv.Itoa(m.Looks)}}
	for _, d := range doubtsOf(p) {
		part.Remarks = append(part.Remarks, record.Fact{Name: "doubt", Value: d})
	}
	part.Suites = suites(p, m, part.Runs)
	return part
}

// against returns what a comparison of stored runs adds to a report.
func against(comparison any) report.Part {
	a, ok := comparison.(*bench.RunComparison)
	if !ok {
		return report.Part{}
	}
	return report.Part{Sheets: func() []report.Sheet { return OfRunComparison(a) }, Summary: RunComparisonSummary(a),
		Suites: suitesAgainst(a)}
}

// conditions joins the conditions of a measurement: "rounds: 12, runs: 24, seed: 7".
func conditions(m *bench.Measurement) string {
	var parts []string
	for _, f := range Conditions(m) {
		parts = append(parts, f.Name+": "+f.Value)
	}
	return strings.Join(parts, ", ")
}

// fails reports whether a trial is a failure for its kind of measurement. In a
// search for a time limit none is: judge run and judge verify check expectations.
// When inputs grow, reaching a limit is no failure.
func fails(m *bench.Measurement, t *bench.Trial) bool {
	switch m.Kind {
	case bench.ForLimits:
		return false
	case bench.ForScale:
		return t.Faulty()
	}
	return t.Verdict != problem.Accepted
}
