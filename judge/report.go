package judge

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/result"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// A Run is the result of one submission on one case.
type Run struct {
	Case    string          `json:"case"`    // the case's name: "secret/01"
	Verdict problem.Verdict `json:"verdict"` // "" if the judge failed
	Why     string          `json:"why"`     // the reason of the verdict, one line; "" if accepted
	// Where the output differs from the answer; nil unless WA by the default validator.
	Diff    *check.Difference `json:"diff"`
	Outcome sandbox.Outcome   `json:",embed"` // of several passes, the maximum of each resource
	// Outcomes of all attempts that count, in order; Outcome is one of them.
	Times []sandbox.Outcome `json:"times"`
	// The start and the end of what the program wrote to standard error.
	Stderr string   `json:"stderr"`
	Team   string   `json:"teammessage,omitzero"` // teammessage.txt of the output validator, clipped
	Earned *float64 `json:"score"`                // the case's score in its group; nil if it has none
	// Number of passes, if the problem is multi-pass; 0 otherwise.
	Passes int `json:"passes"`
	// Log of the interaction; empty unless Judge.LogInteraction is set.
	Dialogue Dialogue `json:",embed"`
	// Why the case was run again alone: the verdict and time beside other programs, or on one
	// machine; "" if it was not. A worker does so at most once, and then another worker. Times
	// has all attempts.
	Retried string `json:"retried,omitzero"`
	// Why the verdict may be another one on another machine, although no other worker could
	// make the run again; "" if it is not doubtful, or was made again.
	Doubt string `json:"doubt,omitzero"`
	// When the run was made, if it is a stored one; nil otherwise.
	StoredAt *time.Time `json:"stored_at,omitzero"`
	// How long before its use a stored run was made; 0 otherwise.
	StoredAge time.Duration `json:"stored_age_ns,omitzero"`
	// Why a stored run was not used; "" if there was none, or if it was used.
	MadeAgain string `json:"made_again,omitzero"`
	// The attempts that do not count: if the case was run again, or if they have different
	// verdicts; nil otherwise.
	Others []Attempt `json:"other_attempts,omitzero"`
	// Why Judge.Instructions could not count the instructions of an accepted run; "" if it did.
	Uncounted string `json:"uncounted,omitzero"`
	Worker    string `json:"worker,omitzero"` // the worker that made it; "" if it was made in this process
	Class     string `json:"class,omitzero"`  // the machine class of the worker; "" if it has none
	Err       error  `json:"error"`           // the judge's failure, and then Verdict is ""; nil otherwise
	// score.txt or testlib points of the output validator; nil if there is none, or the problem
	// is not scored.
	Score *float64 `json:"-"`
	// score_multiplier.txt of the output validator, 0 to 1; nil if there is none; never set
	// together with Score.
	Multiplier *float64        `json:"-"`
	Message    string          `json:"-"` // judgemessage.txt of the output validator, clipped
	Output     []byte          `json:"-"` // the start of its standard output; nil unless Judge.KeepOutput is set
	Images     []Image         `json:"-"` // of the output visualizer; nil unless Judge.KeepImages is set
	Undrawn    *problem.Defect `json:"-"` // why the output visualizer failed; nil otherwise
	// judgemessage.txt before clipping, while expectations that search it are open; ""
	// otherwise.
	FullMessage string `json:"-"`
}

// An Attempt is one try of a case whose verdict does not count, because that of another
// one does.
type Attempt struct {
	Verdict problem.Verdict `json:"verdict"`         // "" if the judge failed
	Why     string          `json:"why"`             // the reason of the verdict, or the failure; "" if accepted
	CPU     time.Duration   `json:"cpu_ns"`          // as in Outcome
	Wall    time.Duration   `json:"wall_ns"`         // as in Outcome
	Worker  string          `json:"worker,omitzero"` // as in Run
}

// Attempt returns the run as an attempt that does not count.
func (r *Run) Attempt() Attempt {
	a := Attempt{r.Verdict, r.Why, r.Outcome.CPU, r.Outcome.Wall, r.Worker}
	if r.Err != nil {
		a.Verdict, a.Why = "", r.Err.Error()
	}
	return a
}

// result returns what the result of the submission depends on.
func (r *Run) result() result.Run {
	return result.Run{Case: r.Case, Verdict: r.Verdict, Failed: r.Err != nil, Score: r.Score, Multiplier: r.Multiplier,
		Message: r.FullMessage}
}

// Replaces reports whether the run counts instead of an earlier attempt of its case, because
// of which it was made: other programs or the machine may have changed the verdict. The
// lower time counts, because a program can only be slowed down; if the runs are made for
// their times, the later one does.
func (r *Run) Replaces(earlier *Run, measures bool) bool {
	return r.Err == nil && (measures || r.Verdict != problem.TimeLimit || r.Outcome.CPU < earlier.Outcome.CPU)
}

// Circumstances returns the verdict and how many other programs ran at the same time:
// "TLE beside 2 other programs".
func (r *Run) Circumstances() string { return string(r.Verdict) + r.beside() }

// beside describes the programs that ran at the same time.
func (r *Run) beside() string {
	if r.Outcome.Beside == 0 {
		return ""
	}
	return " beside " + terminal.Count(r.Outcome.Beside, "other program")
}

// accepted reports whether the run was judged and its verdict is AC.
func (r *Run) accepted() bool { return r.Err == nil && r.Verdict == problem.Accepted }

// A Report is the result of one submission on cases of its problem.
type Report struct {
	Problem    string                `json:"-"`        // the problem's id
	Submission string                `json:"name"`     // its path below submissions/: "accepted/dlx.go"
	Language   string                `json:"language"` // the language's code: "cpp"; "" when unknown
	Expected   []problem.Expectation `json:"expected"` // expectations of its author
	// Of the first case in order that is not accepted, or of the legacy grader, or CE; "" if
	// skipped or on error.
	Verdict problem.Verdict `json:"verdict"`
	// False if the runs break an expectation; what cases that did not run could show counts as
	// met; nil if not known: skipped, interrupted, or a judge error.
	AsExpected *bool  `json:"as_expected"`
	Broken     string `json:"broken"` // describes the first expectation that is not met; "" otherwise
	// The case whose verdict breaks it; "" if a required verdict or message is missing.
	BrokenBy string `json:"broken_by"`
	Err      error  `json:"error"`         // the judge's failure with the submission, not with one case
	Defect   bool   `json:"package_error"` // set in stored reports only: Err is a defect of the package
	Skipped  string `json:"skipped"`       // why the submission was not judged; "" if it was
	// Of scoring problems; nil if not known, or if a legacy grader does not accept.
	Score    *float64      `json:"score"`
	MaxScore *float64      `json:"max_score"` // maximum of Score; nil if unbounded, or not a scoring problem
	Groups   []GroupResult `json:"groups"`    // of scoring problems, each before the groups in it
	Compile  build.Compile `json:"compile"`   // result of the compiler
	Runs     []Run         `json:"runs"`      // in case order, without the cases that could no longer change the result
}

// A GroupResult is the result of one submission on one group of cases.
type GroupResult = result.Group

// IsDefect reports whether the failure that JudgeError returns is a defect of the
// package.
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
	return cmp.Or(err, result.FirstError(r.Groups))
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

// ShownGroups returns the groups of a report to show beside the submission's
// score: the groups below sample and secret, a sample group with a score, and
// groups with an error or a reason why they were not run. Groups without any
// result and data/ are left out.
func ShownGroups(r *Report) []*GroupResult {
	var shown []*GroupResult
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Verdict == "" && g.Score == nil && g.Err == nil && g.NotRun == "" {
			continue
		}
		counts := g.Name == "sample" && g.Score != nil // in legacy packages
		if strings.Contains(g.Name, "/") || counts || g.Name != "" && (g.Err != nil || g.NotRun != "") {
			shown = append(shown, g)
		}
	}
	return shown
}

// An Image is a picture that a visualizer of a package made. It is untrusted.
type Image struct {
	Name string `json:"name"` // "testcase.svg", "teamimage-01.png"
	Data []byte `json:"data"`
}
