// Package report writes verdicts as text, Markdown, JUnit XML, CSV and benchmark
// lines. Package record writes JSON, and package html HTML. What measurements add is
// a [Part], which package sheet makes.
//
// Every format is a function of a [record.Document] alone. Text that a submission
// wrote is untrusted, and each format escapes it: control characters for
// terminals and CSV, code spans in Markdown, allowed characters in XML.
package report

import (
	"crucible/judge"
	"crucible/judge/terminal"
)

// interrupted is the word for what was interrupted.
const interrupted = "interrupted"

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
	mark   Mark
	colour terminal.Colour
}{
	AsExpected: {"as expected", Good, terminal.Green},
	Unexpected: {"not as expected", Bad, terminal.BoldRed},
	Skipped:    {"skipped", Faint, terminal.Yellow},
	JudgeError: {"judge error", Bad, terminal.BoldMagenta},
	Broken:     {"package error", Bad, terminal.BoldMagenta},
	Unfinished: {"interrupted", Doubt, terminal.Yellow},
}

// Text returns a standing in words: "not as expected".
func (s Standing) Text() string { return standings[s].text }

// Mark returns how to highlight a standing.
func (s Standing) Mark() Mark { return standings[s].mark }
