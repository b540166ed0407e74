package judge

import (
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// A Run is one submission on one case.
type Run struct {
	Case       string // the case's name: "secret/01"
	Verdict    problem.Verdict
	Why        string            // one line for people; "" when accepted
	Diff       *check.Difference // where the output departs from the answer; nil unless WA by the default validator
	Outcome    sandbox.Outcome
	Passes     []sandbox.Outcome // of each pass, if the problem is multi-pass; Outcome has the most that any of them used
	Score      *float64          // score.txt of the output validator; nil if there is none, or the problem is not scored
	Multiplier *float64          // score_multiplier.txt likewise, 0 to 1; never both
	Dialogue   *Dialogue         // what was said in an interaction; kept only when Judge.LogInteraction asks
	Message    string            // judgemessage.txt of the output validator, clipped
	Team       string            // teammessage.txt of the output validator, clipped
	Stderr     string            // the start and the end of what the program wrote to standard error
	Output     []byte            // the start of its standard output; kept only when Judge.KeepOutput asks
	Times      []sandbox.Outcome // all outcomes when the case was run more than once; Outcome is the one that counts
	Err        error             // the judge's failure; then Verdict is ""
	Earned     *float64          // the case's score in its group; nil if it has none

	message string // judgemessage.txt as it was written, for the expectations that search it
}

// A Report is what became of one submission of one problem.
type Report struct {
	Problem    string // the problem's id
	Submission string // its path below submissions/: "accepted/dlx.go"
	Language   string // the language's code: "cpp"; "" when unknown
	Expected   []problem.Expectation
	Verdict    problem.Verdict // of the first case in order that is not accepted, or what a legacy grader says; "" if skipped or on error
	Score      *float64        // of scoring problems; nil if it is not known, or a legacy grader does not accept
	MaxScore   *float64        // the most that Score can be; nil is unbounded, or not a scoring problem
	Groups     []GroupResult   // of scoring problems, each before those in it
	AsExpected *bool           // nil when that could not be learned: skipped, interrupted, or a judge error
	Broken     string          // which expectation is not met, and how; "" otherwise
	BrokenBy   string          // the case whose verdict breaks it; "" if what is required is missing
	Skipped    string          // why it was not judged; "" when it was
	Compile    build.Compile
	Runs       []Run // in case order; cases that could change nothing any more are left out
	Err        error // the judge's failure with the submission as a whole
}

// JudgeError returns the first failure of the judge in the report, or nil.
func (r *Report) JudgeError() error {
	if r.Err != nil {
		return r.Err
	}
	for i := range r.Runs {
		if r.Runs[i].Err != nil {
			return r.Runs[i].Err
		}
	}
	for i := range r.Groups {
		if r.Groups[i].Err != nil {
			return r.Groups[i].Err
		}
	}
	return nil
}

// Slowest returns the run that used the most CPU time, or nil if nothing ran.
func (r *Report) Slowest() *Run {
	var slowest *Run
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Err == nil && (slowest == nil || run.Outcome.CPU > slowest.Outcome.CPU) {
			slowest = run
		}
	}
	return slowest
}
