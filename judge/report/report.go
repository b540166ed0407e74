// Package report writes results as text, Markdown, JUnit XML, CSV and benchmark
// lines, and reads benchmark lines. Package record writes JSON, and package html
// HTML.
//
// Every format is a function of a [record.Document] alone. Text that a submission
// wrote is untrusted, and each format escapes it: control characters for
// terminals and CSV, code spans in Markdown, allowed characters in XML.
package report

import (
	"slices"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// wasCutShort reports whether judging or measuring the problem was interrupted.
func wasCutShort(p *record.Problem) bool {
	if m := record.Of[*bench.Measurement](p); m != nil {
		return m.Ended == bench.Interrupted
	}
	return slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return StandingOf(r) == Unfinished })
}

// A Standing states whether a submission meets its expectation. Its value is the
// word that the text format shows.
type Standing string

const (
	AsExpected Standing = "ok"   // the expectation is met
	Unexpected Standing = "FAIL" // the expectation is broken
	Skipped    Standing = "skip" // the submission was not judged
	JudgeError Standing = "JE"   // not known: the judge failed
	Broken     Standing = "pkg"  // not known: the package is defective
	Unfinished Standing = "stop" // not known: judging was interrupted
)

// StandingOf returns the standing of a report. A failure of the judge takes
// precedence over a broken expectation, which may be its consequence.
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

// standings has the words, the marks and the colours of standings.
var standings = map[Standing]struct {
	text   string
	mark   sheet.Mark
	colour terminal.Colour
}{
	AsExpected: {"as expected", sheet.Good, terminal.Green},
	Unexpected: {"not as expected", sheet.Bad, terminal.BoldRed},
	Skipped:    {"skipped", sheet.Faint, terminal.Yellow},
	JudgeError: {"judge error", sheet.Bad, terminal.BoldMagenta},
	Broken:     {"package error", sheet.Bad, terminal.BoldMagenta},
	Unfinished: {"interrupted", sheet.Doubt, terminal.Yellow},
}

// Text returns a standing in words: "not as expected".
func (s Standing) Text() string { return standings[s].text }

// Mark returns how to highlight a standing.
func (s Standing) Mark() sheet.Mark { return standings[s].mark }
