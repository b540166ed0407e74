package judge

import "crucible/judge/problem"

// An Event reports what the judge is doing. Events come one at a time; those of
// different submissions are interleaved.
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

// An EventKind is the kind of an Event.
type EventKind int

const (
	Compiling EventKind = iota // the submission is being compiled
	Running                    // it has been started on a case
	Ran                        // it has been judged on a case; runs past the deciding case may follow and are not in the report
	Judged                     // its report is complete
	Checking                   // Verify checks a promise, or looks at a case for it
)
