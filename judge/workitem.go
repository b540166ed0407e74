package judge

import (
	"context"
	"errors"

	"crucible/judge/build"
	"crucible/judge/problem"
	"crucible/judge/result"
)

// An Executor makes the runs of submissions. A [Judge] is the Executor of its process;
// others send work items to other machines. See [Judge.Executor].
type Executor interface {
	// Execute compiles the submission of an item, unless its program is known, and runs
	// it on cases of the item. It calls ran once for each run that counts; a Judge does so
	// in the order of the cases. A run whose case cannot change the result of the submission, as far
	// as the item shows, is not made. The calls do not overlap, and there are none after
	// Execute has returned. The error is the failure of the executor: the item was not
	// completed, and the runs until then count.
	Execute(ctx context.Context, item *WorkItem, ran func(*Run)) (Compiled, error)
}

// A WorkItem is a chunk of the cases of one submission, about a second of work.
type WorkItem struct {
	Submission *problem.Submission
	Cases      []*problem.Case // in the problem's order; the first one is always run
	// Runs of cases before them that are not accepted, as far as they are known, in the
	// problem's order; they decide which cases are needed.
	Before []result.Run
	// Names of workers that must not make the runs; if there are no others, the error is
	// [ErrNoOtherWorker].
	Avoid []string
	Settings
}

// ErrNoOtherWorker is the error of a work item that only workers could execute that it
// avoids.
var ErrNoOtherWorker = errors.New("there is no other worker that could make the runs")

// Compiled is what compiling a submission came to.
type Compiled struct {
	Compile  build.Compile // result of the compiler
	Rejected bool          // the compiler rejected the submission, or its source is too large
	Skipped  string        // why the machine cannot judge submissions of this kind; "" if it can
	Err      error         // the failure of the judge, or of the package; nil if none
	By       string        // which worker compiled; "" if it is this process
}
