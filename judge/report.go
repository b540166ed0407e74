package judge

import (
	"cmp"
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"errors"
)

// A Run is the result of one submission on one case.
type Run struct {
	Case       string            `json:"case"`    // the case's name: "secret/01"
	Verdict    problem.Verdict   `json:"verdict"` // "" if the judge failed
	Why        string            `json:"why"`     // one line for people; "" when accepted
	Diff       *check.Difference `json:"diff"`    // where the output departs from the answer; nil unless WA by the default validator
	Outcome    sandbox.Outcome   `json:",embed"`  // of several passes, the most that any used of each resource
	Times      []sandbox.Outcome `json:"times"`   // all outcomes when the case was run more than once; Outcome is the one that counts
	Stderr     string            `json:"stderr"`  // the start and the end of what the program wrote to standard error
	Earned     *float64          `json:"score"`   // the case's score in its group; nil if it has none
	Passes     int               `json:"passes"`  // how many there were, if the problem is multi-pass; 0 otherwise
	Dialogue   Dialogue          `json:",embed"`  // what was said in an interaction; kept only when Judge.LogInteraction asks
	Err        error             `json:"error"`   // the judge's failure; then Verdict is ""
	Score      *float64          `json:"-"`       // score.txt of the output validator; nil if there is none, or the problem is not scored
	Multiplier *float64          `json:"-"`       // score_multiplier.txt likewise, 0 to 1; never both
	Message    string            `json:"-"`       // judgemessage.txt of the output validator, clipped
	Team       string            `json:"-"`       // teammessage.txt of the output validator, clipped
	Output     []byte            `json:"-"`       // the start of its standard output; kept only when Judge.KeepOutput asks

	message string // judgemessage.txt as it was written, for the expectations that search it
}

// accepted reports whether the run was judged and its verdict is AC.
func (r *Run) accepted() bool { return r.Err == nil && r.Verdict == problem.Accepted }

// A Report is the result of one submission on cases of its problem.
type Report struct {
	Problem    string                `json:"-"`             // the problem's id
	Submission string                `json:"name"`          // its path below submissions/: "accepted/dlx.go"
	Language   string                `json:"language"`      // the language's code: "cpp"; "" when unknown
	Expected   []problem.Expectation `json:"expected"`      // what its author says of it
	Verdict    problem.Verdict       `json:"verdict"`       // of the first case in order that is not accepted, or what a legacy grader says; "" if skipped or on error
	AsExpected *bool                 `json:"as_expected"`   // nil when that could not be learned: skipped, interrupted, or a judge error
	Broken     string                `json:"broken"`        // which expectation is not met, and how; "" otherwise
	BrokenBy   string                `json:"broken_by"`     // the case whose verdict breaks it; "" if what is required is missing
	Err        error                 `json:"error"`         // the judge's failure with the submission as a whole
	Defect     bool                  `json:"package_error"` // set in stored reports only: Err is the package's fault
	Skipped    string                `json:"skipped"`       // why it was not judged; "" when it was
	Score      *float64              `json:"score"`         // of scoring problems; nil if it is not known, or a legacy grader does not accept
	MaxScore   *float64              `json:"max_score"`     // the most that Score can be; nil is unbounded, or not a scoring problem
	Groups     []GroupResult         `json:"groups"`        // of scoring problems, each before those in it
	Compile    build.Compile         `json:"compile"`       // what the compiler did
	Runs       []Run                 `json:"runs"`          // in case order; cases that could change nothing any more are left out
}

// A GroupResult is the result of one submission on one group of cases.
type GroupResult struct {
	Name    string          `json:"name"`      // below data/: "secret/1-small"; "" is data/ itself, in legacy packages
	Verdict problem.Verdict `json:"verdict"`   // of the first case in it that is not accepted; in legacy packages what the grader says; "" if not known
	Score   *float64        `json:"score"`     // nil if it has none (samples, pass-fail problems), or is not known because cases were not run
	Max     *float64        `json:"max_score"` // the most it can be; nil is unbounded
	NotRun  string          `json:"not_run"`   // why the group is not run, and its score is 0: "requires secret/1, which is WA"; "" if it is
	Err     error           `json:"error"`     // the package's failure or the grader's; then there is neither verdict nor score
}

// groupError returns the first error of groups, or nil.
func groupError(groups []GroupResult) (err error) {
	for i := range groups {
		err = cmp.Or(err, groups[i].Err)
	}
	return err
}

// where returns the name of the group for messages.
func (r *GroupResult) where() string {
	if r.Name == "" {
		return "data"
	}
	return r.Name
}

// IsDefect reports whether the first failure is the package's fault.
func (r *Report) IsDefect() bool {
	var d *problem.Defect
	return r.Defect || errors.As(r.JudgeError(), &d)
}

// JudgeError returns the first failure of the judge in the report, or nil.
func (r *Report) JudgeError() error {
	err := r.Err
	for i := range r.Runs {
		err = cmp.Or(err, r.Runs[i].Err)
	}
	return cmp.Or(err, groupError(r.Groups))
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
