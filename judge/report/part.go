package report

import (
	"slices"

	"crucible/judge"
	"crucible/judge/record"
)

// A Writer writes documents. The zero value writes the verdicts of judged submissions only.
type Writer struct {
	PartOf  func(p *record.Problem) Part // of the sections of a problem
	Against func(comparison any) Part    // of the comparison of a document, see [record.Document]
}

// A Part is what the sections of a problem, or a comparison of stored runs, add to a report.
// The zero value adds nothing.
type Part struct {
	Sheets   func() []Sheet // tables that replace those of judged submissions; nil if there are none
	Strength func() []Sheet // of the strength of the test data; the other tables follow; nil if there are none
	Summary  string         // replaces that of the document, which has this problem only
	Faults   int            // errors of validators or answers
	Mutants  bool           // there were runs of mutants, which are not counted
	Suites   []Suite        // of JUnit

	// Of a measurement:
	Bounds      string        // limits and number of cases; "" if there is no measurement
	Conditions  string        // what affects its numbers: "rounds: 12, runs: 24, seed: 7"
	Interrupted bool          // it may lack runs
	Programs    []Program     // its submissions, with the complete texts of Wrong and Unknown
	Runs        []Run         // of Programs, in the order in which they ran
	Remarks     []record.Fact // comments among the benchmark lines
}

// part returns what the sections of a problem add.
func (w Writer) part(p *record.Problem) Part {
	if w.PartOf == nil {
		return Part{}
	}
	return w.PartOf(p)
}

// against returns what the comparison of a document adds.
func (w Writer) against(d *record.Document) Part {
	if w.Against == nil || d.Against == nil {
		return Part{}
	}
	return w.Against(d.Against)
}

// CutShort is the text of the doubt about a stored run that was interrupted.
const CutShort = "it was interrupted, so it may lack runs"

// Interrupted reports whether judging or measuring the problem was interrupted.
func (w Writer) Interrupted(p *record.Problem) bool {
	part := w.part(p)
	return part.ending(p) != ""
}

// ending returns "interrupted" if judging or measuring the problem was interrupted, so that
// runs may be missing; else "".
func (part *Part) ending(p *record.Problem) string {
	cut := part.Interrupted
	if part.Bounds == "" {
		cut = slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return StandingOf(r) == Unfinished })
	}
	if cut {
		return interrupted
	}
	return ""
}
