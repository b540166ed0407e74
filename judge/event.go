package judge

import "crucible/judge/problem"

// An Event tells what the judge is doing, while it does it. Events of
// different submissions come interleaved, one at a time.
type Event struct {
	Kind       EventKind
	Submission *problem.Submission
	Case       *problem.Case // of Running and Ran
	Run        *Run          // of Ran
	Report     *Report       // of Judged

	// Of Checking:
	Promise  string // the name of the promise
	What     string // the case that is looked at; "" when the check begins
	Done, Of int    // cases; Of is 0 if their number is not known
}

// An EventKind names what an Event is about.
type EventKind int

const (
	Compiling EventKind = iota // the submission is being compiled
	Running                    // it has been started on a case
	Ran                        // it has been judged on a case; runs past the deciding case may follow and are not in the report
	Judged                     // its report is complete
	Checking                   // Verify checks a promise, or looks at a case for it
)
