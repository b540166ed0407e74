// Package report writes what a judge learned as text, Markdown, JSON and JUnit.
//
// All formats are functions of a [Document] and nothing else; [Formats] lists
// them. Whatever a submission wrote is hostile, and no format lets it through
// as more than text: escapes for a terminal, code spans in Markdown, scrubbed
// characters in XML, valid UTF-8 in JSON.
package report

import (
	"slices"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/record"
)

// wasCutShort reports whether the problem was not judged, or measured, to its end.
func wasCutShort(p *record.Problem) bool {
	if m := p.Measurement; m != nil {
		return m.Ended == bench.Interrupted
	}
	return slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return StandingOf(r) == Unfinished })
}

// A Standing says how a submission stands against its expectation.
type Standing string

const (
	AsExpected Standing = "ok"
	Unexpected Standing = "FAIL"
	Skipped    Standing = "skip"
	JudgeError Standing = "JE"   // the judge failed, and so the question is open
	Broken     Standing = "pkg"  // the package is at fault, and the question is open, too
	Unfinished Standing = "stop" // interrupted before the question was decided
)

// StandingOf says how a report stands. A failure of the judge outweighs a
// broken expectation, which may be its consequence.
func StandingOf(r *judge.Report) Standing {
	switch {
	case r.Skipped != "":
		return Skipped
	case r.JudgeError() != nil:
		if r.IsDefect() {
			return Broken
		}
		return JudgeError
	case r.AsExpected == nil:
		return Unfinished
	case *r.AsExpected:
		return AsExpected
	}
	return Unexpected
}
