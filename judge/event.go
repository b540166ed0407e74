package judge

import "crucible/judge/problem"

// An Event reports a step of the judge. Events come one at a time; those of
// different submissions are interleaved.
type Event struct {
	Kind       EventKind           // decides which other fields are set
	Submission *problem.Submission // set for all kinds that concern a submission
	Case       *problem.Case       // set for Running and Ran
	Run        *Run                // set for Ran
	Report     *Report             // set for Judged

	// Set for Checking:
	Promise  string // the name of the promise
	What     string // the case that is checked; "" when the check begins
	Done, Of int    // numbers of cases; Of is 0 if it is not known
}

// An EventKind is the kind of an Event.
type EventKind int

const (
	Compiling EventKind = iota // the submission is being compiled
	Running                    // the submission starts on a case
	// The submission has been judged on a case; the report may leave the run out (see
	// Report.Runs).
	Ran
	Judged   // the report of the submission is complete
	Checking // package verify begins to check a promise, or checks a case for it
)
