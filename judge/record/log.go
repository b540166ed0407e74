package record

import (
	"time"

	"crucible/judge"
	"crucible/judge/problem"
)

// LogSchema is the version of the files that this package writes.
const LogSchema = 1

// A Line is one line of a file. One field is set.
type Line struct {
	Head       *Head           `json:"head,omitzero"`       // the first line, and only that
	Begun      *BegunLine      `json:"begun,omitzero"`      // judging of a problem begins, or cannot begin
	Unopened   *UnopenedLine   `json:"unopened,omitzero"`   // a package that could not be opened
	Toolchain  *ToolchainLine  `json:"toolchain,omitzero"`  // before the end of the first run in its language
	Run        *RunLine        `json:"run,omitzero"`        // at the end of a run, and when it changes later
	Submission *SubmissionLine `json:"submission,omitzero"` // after the runs of the submission
	End        *End            `json:"end,omitzero"`        // the last line

	// Sections has the one line of another kind, such as a section of a problem.
	Sections Sections `json:",embed"`
}

// trialLine is the kind of lines that are a run of a measurement: they are counted as runs,
// and their zero fields are omitted, because there are thousands.
const trialLine = "trial"

// A Head contains the facts that are known when a call begins.
type Head struct {
	Schema   int           `json:"schema"`   // see [LogSchema]; set by CreateLog
	ID       string        `json:"id"`       // the id of the call; set by CreateLog
	Time     time.Time     `json:"time"`     // when the call began, in UTC; set by CreateLog
	Judge    string        `json:"judge"`    // version of the judge; "" if it was built without one
	Command  string        `json:"command"`  // the subcommand: "run"
	Args     []string      `json:"args"`     // arguments that are not flags
	Flags    []string      `json:"flags"`    // the flags of the call: "--jobs=1"
	Env      []string      `json:"env"`      // the environment variables that configure the judge, as NAME=value
	Folder   string        `json:"folder"`   // the working folder, for people
	Host     string        `json:"host"`     // the name of the machine, for people
	Machine  Machine       `json:"machine"`  // where programs ran
	Problems []ProblemHead `json:"problems"` // the chosen problems
}

// A ProblemHead is a chosen problem, with its chosen cases and submissions.
type ProblemHead struct {
	ID          string           `json:"id"`          // the problem's id
	Path        string           `json:"path"`        // path of its package
	Format      string           `json:"format"`      // version of the package format
	Limits      problem.Limits   `json:"limits"`      // all 0 if they are not inferred yet
	Data        string           `json:"data"`        // hash of the chosen cases; "" if they could not be read
	Cases       []CaseHead       `json:"cases"`       // the chosen cases, in order
	Submissions []SubmissionHead `json:"submissions"` // the chosen submissions, in order
}

// A CaseHead is a case of a [ProblemHead], with a hash of its files and arguments.
type CaseHead struct {
	Name string `json:"name"` // the name of the case: "secret/01"
	Data string `json:"data"` // the hash; "" if a file could not be read
}

// A SubmissionHead is a submission of a [ProblemHead], with the hash of its files.
type SubmissionHead struct {
	Name     string `json:"name"`     // the path below submissions/: "accepted/dlx.go"
	Language string `json:"language"` // the code of the language; "" if not known
	Source   string `json:"source"`   // the hash; "" if a file could not be read
}

// BegunLine records that judging of a problem begins, or the reason why it cannot begin.
type BegunLine struct {
	Problem int            `json:"problem"` // index in Head.Problems
	Limits  problem.Limits `json:"limits"`  // the limits of the runs
	Err     error          `json:"error"`   // why the problem cannot be judged; nil if it can

	// Validators are known at the end only: then the line is written again.
	Validators []Validator `json:"validators,omitempty"`
}

// UnopenedLine is a package that could not be opened.
type UnopenedLine struct {
	ID   string `json:"id"`    // the problem's id
	Path string `json:"path"`  // path of the package
	Err  error  `json:"error"` // why it could not be opened
}

// A ToolchainLine is the compiler and the runtime of a language.
type ToolchainLine struct {
	Language string `json:"language"` // the code of the language
	Compiler string `json:"compiler"` // path of the compiler; "" if there is none
	Runtime  string `json:"runtime"`  // path of the runtime; "" if there is none
	Version  string `json:"version"`  // as the tool prints it
}

// A RunLine is one submission on one case.
type RunLine struct {
	Problem    int `json:"problem"`    // index in Head.Problems
	Submission int `json:"submission"` // index in ProblemHead.Submissions
	judge.Run
}

// A SubmissionLine is the report of a submission, without its runs.
type SubmissionLine struct {
	Problem    int      `json:"problem"`    // index in Head.Problems
	Submission int      `json:"submission"` // index in ProblemHead.Submissions
	Runs       []string `json:"runs"`       // the cases whose runs count, in order
	judge.Report
}

// PromisesKey is the kind of lines about promises.
const PromisesKey = "verified"

// PromiseCounts is a section of a problem: how many of the promises of a problem
// judge verify checked.
type PromiseCounts struct {
	Checked  int `json:"checked"`  // promises, without those that could not be checked
	Broken   int `json:"broken"`   // those that the package does not keep
	Doubtful int `json:"doubtful"` // those that are kept, but with doubts
}

// An End contains the facts that are known when a call ends.
type End struct {
	Status  int           `json:"status"`     // exit status of the judge
	Elapsed time.Duration `json:"elapsed_ns"` // wall-clock time of the call
	Runs    int           `json:"runs"`       // number of runs of programs on cases
}
