// Package history keeps what calls of the judge learned: every call has a file,
// and every line of it is written as soon as what it tells is known.
//
// # Files
//
// They lie in [Folder], named TIME-ID.jsonl: when the call began, in UTC, so
// that names sort by time, and an id of ten characters that nobody can guess.
// A file is made anew and belongs to one judge, which holds a lock on it until
// it ends; so several judges never meet, and a file without an end and without
// a lock is of one that was killed. Each line is written whole by one call of
// the system. A judge that is killed while it writes leaves a last line without
// its end, which readers leave out; any other damage is an error.
//
// # Schema
//
// Each line is an object with one key, which says what the line is. Times are
// integers in nanoseconds, sizes in bytes. Problems, submissions, cases and
// measurements are called by their places in lists, from 0. What stands in
// later lines counts instead of what the same place had in earlier ones. Keys
// and kinds of lines that a reader does not know may be added without another
// number of the schema.
//
//	{"head": {                        always the first line
//	  "schema": 1, "id", "time",
//	  "judge": "",                    version of the judge, as far as it was built with one
//	  "command": "run", "args": [], "flags": ["--jobs=1"], "env": ["CRUCIBLE_SANDBOX=require"],
//	  "folder", "host",               where it was called; for people
//	  "machine": {},                  as in the JSON document of package report
//	  "problems": [{                  those chosen
//	    "id", "path", "format",       version of the package format
//	    "limits": {},                 as in the JSON document; all 0 if they are still to be inferred
//	    "data",                       hash of the cases chosen; "" if they could not be read
//	    "cases": [{"name", "data"}],  with the hash of each
//	    "submissions": [{"name", "language", "source"}]   with the hash of each
//	  }]
//	}}
//	{"begun": {"problem", "limits", "error"}}   judging the problem begins, or cannot
//	{"unopened": {"id", "path", "error"}}       a package that could not be opened
//	{"toolchain": {"language", "compiler", "runtime", "version"}}   what is used for a language
//	{"run": {"problem", "submission", ...}}     and the keys of a run in the JSON document
//	{"submission": {"problem", "submission", "runs": ["sample/1"], ...}}
//	                                            and the keys of a submission; runs are the cases that count, in order
//	{"measurement": {"number", ...}}            and the keys of a measurement, without trials
//	{"trial": {"measurement", ...}}             and the keys of a trial; what is 0 or "" is left out, and
//	                                            "enforced" where it is as in the trial before
//	{"end": {"status", "elapsed_ns", "runs"}}   exit status, and how many programs were run on cases; the last line
//
// Hashes are the first 16 bytes of SHA-256, in hexadecimal digits. What programs
// print is stored as far as the JSON document has it, and no further. Files are
// for their owner alone.
package history

import (
	"time"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

// Schema is the version of the files that this package writes.
const Schema = 1

// A Line is one line of a file: the one field that is set.
type Line struct {
	Head        *Head        `json:"head,omitzero"`        // the first line
	Begun       *Begun       `json:"begun,omitzero"`       // judging a problem begins
	Unopened    *Unopened    `json:"unopened,omitzero"`    // a package that could not be opened
	Toolchain   *Toolchain   `json:"toolchain,omitzero"`   // before the first run in its language has ended
	Run         *Run         `json:"run,omitzero"`         // when it has ended, and when it changed
	Submission  *Submission  `json:"submission,omitzero"`  // when it was judged, after its runs
	Measurement *Measurement `json:"measurement,omitzero"` // before its trials, and when it changed
	Trial       *Trial       `json:"trial,omitzero"`       // when it has ended
	End         *End         `json:"end,omitzero"`         // the last line
}

// A Head is what is known when a call begins.
type Head struct {
	Schema   int            `json:"schema"`   // see [Schema]; set by Create
	ID       string         `json:"id"`       // the id of the call; set by Create
	Time     time.Time      `json:"time"`     // when the call began, in UTC; set by Create
	Judge    string         `json:"judge"`    // version of the judge; "" if it was built without one
	Command  string         `json:"command"`  // the subcommand: "run"
	Args     []string       `json:"args"`     // its arguments
	Flags    []string       `json:"flags"`    // the flags that were given: "--jobs=1"
	Env      []string       `json:"env"`      // variables that set up the judge, NAME=value
	Folder   string         `json:"folder"`   // the working folder, for people
	Host     string         `json:"host"`     // the name of the machine, for people
	Machine  record.Machine `json:"machine"`  // where programs ran
	Problems []Problem      `json:"problems"` // the chosen ones
}

// A Problem is one that was chosen, with what was chosen of it.
type Problem struct {
	ID          string         `json:"id"`          // the problem's id
	Path        string         `json:"path"`        // of its package
	Format      string         `json:"format"`      // version of the package format
	Limits      problem.Limits `json:"limits"`      // all 0 if they are still to be inferred
	Data        string         `json:"data"`        // hash of the chosen cases; "" if they could not be read
	Cases       []Case         `json:"cases"`       // the chosen ones, in order
	Submissions []Source       `json:"submissions"` // the chosen ones, in order
}

// A Case is one of a [Problem]'s, with the hash of all that its judging reads.
type Case struct {
	Name string `json:"name"` // "secret/01"
	Data string `json:"data"` // hash; "" if it could not be read
}

// A Source is a submission of a [Problem], with the hash of its files.
type Source struct {
	Name     string `json:"name"`     // "accepted/dlx.go"
	Language string `json:"language"` // code; "" if not known
	Source   string `json:"source"`   // hash; "" if it could not be read
}

// Begun says that judging a problem begins, under these limits, or why it cannot.
type Begun struct {
	Problem int            `json:"problem"` // index in Head.Problems
	Limits  problem.Limits `json:"limits"`  // of the runs
	Err     error          `json:"error"`   // why the problem cannot be judged; nil if it can
}

// Unopened is a package that could not be opened.
type Unopened struct {
	ID   string `json:"id"`    // the problem's id
	Path string `json:"path"`  // of its package
	Err  error  `json:"error"` // why it could not be opened
}

// A Toolchain is what programs in a language are made and run with.
type Toolchain struct {
	Language string `json:"language"` // code
	Compiler string `json:"compiler"` // path; "" if there is none
	Runtime  string `json:"runtime"`  // path; "" if there is none
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

// A Measurement is a measurement without its trials.
type Measurement struct {
	Number int           `json:"number"`          // from 0
	Trials []bench.Trial `json:"trials,omitzero"` // nil
	bench.Measurement
}

// A Trial is a trial of a measurement. There are thousands of them, so zero fields
// are left out.
type Trial struct {
	Measurement int `json:"measurement"` // its number
	bench.Trial
	Enforced *sandbox.Limits `json:"enforced"` // nil if they are those of the trial before
}

// An End is what is known when a call ends.
type End struct {
	Status  int           `json:"status"`     // exit status of the judge
	Elapsed time.Duration `json:"elapsed_ns"` // wall-clock time of the call
	Runs    int           `json:"runs"`       // how many programs were run on cases
}
