// Package history stores calls of the judge on disk, one file per call. The judge
// writes a line for each result as soon as the result is known.
//
// # Files
//
// The files are in [Folder] and are named TIME-ID.jsonl. TIME is the start of the
// call in UTC, so names sort by time. ID is ten random characters. A call always
// creates a new file and is its only writer, so concurrent calls do not conflict.
// The judge locks the file until the call ends: a file without an end line and
// without a lock belongs to a judge that was killed. Each line is written by one
// system call. If the judge is killed during that call, the last line may be
// incomplete; readers ignore an incomplete last line. Any other damage is an error.
//
// # Schema
//
// Each line is a JSON object with one key, which is the kind of the line. Times are
// integers in nanoseconds, sizes are in bytes. Lines refer to problems, submissions,
// cases and measurements by their indexes in lists, from 0. A later line about the
// same thing replaces an earlier one. New keys and new kinds of lines do
// not change the number of the schema; readers ignore keys and kinds that they do
// not know. Below, "..." stands for further keys.
//
//	{"head": {                        always the first line
//	  "schema": 1, "id", "time",
//	  "judge": "",                    version of the judge; "" if it was built without one
//	  "command": "run", "args": [], "flags": ["--jobs=1"], "env": ["CRUCIBLE_SANDBOX=require"],
//	  "folder", "host",               working folder and machine, for people
//	  "machine": {},                  as in the JSON document of package record
//	  "problems": [{                  the chosen problems
//	    "id", "path", "format",       format is the version of the package format
//	    "limits": {},                 as in the JSON document; all 0 if they are not inferred yet
//	    "data",                       hash of the chosen cases; "" if they could not be read
//	    "cases": [{"name", "data"}],  data is the hash of the case
//	    "submissions": [{"name", "language", "source"}]   source is the hash of the files
//	  }]
//	}}
//	{"begun": {"problem", "limits", "error"}}   judging of the problem begins, or cannot begin
//	{"unopened": {"id", "path", "error"}}       a package that could not be opened
//	{"toolchain": {"language", "compiler", "runtime", "version"}}   the tools of a language
//	{"run": {"problem", "submission", ...}}     and the keys of a run in the JSON document
//	{"submission": {"problem", "submission", "runs": ["sample/1"], ...}}
//	                                            and the keys of a submission; runs are the cases that count, in order
//	{"measurement": {"number", ...}}            and the keys of a measurement, without trials
//	{"trial": {"measurement", ...}}             and the keys of a trial; values of 0 and "" are omitted,
//	                                            and "enforced" if it is the same as in the trial before
//	{"adequacy": {"problem", "key", ...}}       and the keys of "adequacy" in the JSON document; key is the hash of the
//	                                            files of the package that the result depends on, "" if they could not be
//	                                            read
//	{"verified": {"problem", "key", "checked", "broken", "doubtful"}}  of judge verify: numbers of promises
//	{"end": {"status", "elapsed_ns", "runs"}}   exit status, and the number of runs of programs on cases; the last line
//
// Hashes are the first 16 bytes of SHA-256, in hexadecimal digits. A file stores as
// much of the output of programs as the JSON document does. Only the owner can read
// the files.
package history

import (
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/strength/adequacy"
)

// Schema is the version of the files that this package writes.
const Schema = 1

// A Line is one line of a file. One field is set; none is set if
// the line is of a kind that this version does not know.
type Line struct {
	Head        *Head        `json:"head,omitzero"`        // the first line, and only that
	Begun       *Begun       `json:"begun,omitzero"`       // judging of a problem begins, or cannot begin
	Unopened    *Unopened    `json:"unopened,omitzero"`    // a package that could not be opened
	Toolchain   *Toolchain   `json:"toolchain,omitzero"`   // before the end of the first run in its language
	Run         *Run         `json:"run,omitzero"`         // at the end of a run, and when it changes later
	Submission  *Submission  `json:"submission,omitzero"`  // after the runs of the submission
	Measurement *Measurement `json:"measurement,omitzero"` // before its trials, and when it changes later
	Trial       *Trial       `json:"trial,omitzero"`       // at the end of a trial
	Adequacy    *Adequacy    `json:"adequacy,omitzero"`    // after the mutants of a problem
	Verified    *Verified    `json:"verified,omitzero"`    // after the promises of a problem were checked
	End         *End         `json:"end,omitzero"`         // the last line
}

// A Head contains the facts that are known when a call begins.
type Head struct {
	Schema   int            `json:"schema"`   // see [Schema]; set by Create
	ID       string         `json:"id"`       // the id of the call; set by Create
	Time     time.Time      `json:"time"`     // when the call began, in UTC; set by Create
	Judge    string         `json:"judge"`    // version of the judge; "" if it was built without one
	Command  string         `json:"command"`  // the subcommand: "run"
	Args     []string       `json:"args"`     // arguments that are not flags
	Flags    []string       `json:"flags"`    // the flags of the call: "--jobs=1"
	Env      []string       `json:"env"`      // the environment variables that configure the judge, as NAME=value
	Folder   string         `json:"folder"`   // the working folder, for people
	Host     string         `json:"host"`     // the name of the machine, for people
	Machine  record.Machine `json:"machine"`  // where programs ran
	Problems []Problem      `json:"problems"` // the chosen problems
}

// A Problem is a chosen problem, with its chosen cases and submissions.
type Problem struct {
	ID          string         `json:"id"`          // the problem's id
	Path        string         `json:"path"`        // path of its package
	Format      string         `json:"format"`      // version of the package format
	Limits      problem.Limits `json:"limits"`      // all 0 if they are not inferred yet
	Data        string         `json:"data"`        // hash of the chosen cases; "" if they could not be read
	Cases       []Case         `json:"cases"`       // the chosen cases, in order
	Submissions []Source       `json:"submissions"` // the chosen submissions, in order
}

// A Case is a case of a [Problem], with a hash of its files and arguments.
type Case struct {
	Name string `json:"name"` // the name of the case: "secret/01"
	Data string `json:"data"` // the hash; "" if a file could not be read
}

// A Source is a submission of a [Problem], with the hash of its files.
type Source struct {
	Name     string `json:"name"`     // the path below submissions/: "accepted/dlx.go"
	Language string `json:"language"` // the code of the language; "" if not known
	Source   string `json:"source"`   // the hash; "" if a file could not be read
}

// Begun records that judging of a problem begins, or the reason why it cannot begin.
type Begun struct {
	Problem int            `json:"problem"` // index in Head.Problems
	Limits  problem.Limits `json:"limits"`  // the limits of the runs
	Err     error          `json:"error"`   // why the problem cannot be judged; nil if it can

	// Validators are known at the end only: then the line is written again.
	Validators []record.Validator `json:"validators,omitempty"`
}

// Unopened is a package that could not be opened.
type Unopened struct {
	ID   string `json:"id"`    // the problem's id
	Path string `json:"path"`  // path of the package
	Err  error  `json:"error"` // why it could not be opened
}

// A Toolchain is the compiler and the runtime of a language.
type Toolchain struct {
	Language string `json:"language"` // the code of the language
	Compiler string `json:"compiler"` // path of the compiler; "" if there is none
	Runtime  string `json:"runtime"`  // path of the runtime; "" if there is none
	Version  string `json:"version"`  // as the tool prints it
}

// A Run is one submission on one case.
type Run struct {
	Problem    int `json:"problem"`    // index in Head.Problems
	Submission int `json:"submission"` // index in Problem.Submissions
	judge.Run
}

// A Submission is the report of a submission, without its runs.
type Submission struct {
	Problem    int      `json:"problem"`    // index in Head.Problems
	Submission int      `json:"submission"` // index in Problem.Submissions
	Runs       []string `json:"runs"`       // the cases whose runs count, in order
	judge.Report
}

// An Adequacy is how strong the test data of a problem is.
type Adequacy struct {
	Problem int `json:"problem"` // index in Head.Problems
	// Hash of the files of the package that the result depends on; "" if they could not be
	// read.
	Key string `json:"key"`
	adequacy.Result
}

// A Verified is how many of the promises of a problem judge verify checked and found kept.
type Verified struct {
	Problem  int    `json:"problem"`       // index in Head.Problems
	Key      string `json:"key,omitempty"` // hash of the package; "" if it is not known
	Checked  int    `json:"checked"`       // promises, without those that could not be checked
	Broken   int    `json:"broken"`        // those that the package does not keep
	Doubtful int    `json:"doubtful"`      // those that are kept, but with doubts
}

// A Measurement contains the fields of a measurement except its trials.
type Measurement struct {
	Number int           `json:"number"`          // index of the measurement in the call, from 0
	Trials []bench.Trial `json:"trials,omitzero"` // always nil
	bench.Measurement
}

// A Trial is a trial of a measurement. A measurement has thousands of trials, so
// their zero fields are omitted.
type Trial struct {
	Measurement int `json:"measurement"` // number of the measurement
	bench.Trial
	Enforced *sandbox.Limits `json:"enforced"` // limits of the trial; nil if they equal those of the trial before
}

// An End contains the facts that are known when a call ends.
type End struct {
	Status  int           `json:"status"`     // exit status of the judge
	Elapsed time.Duration `json:"elapsed_ns"` // wall-clock time of the call
	Runs    int           `json:"runs"`       // number of runs of programs on cases
}
