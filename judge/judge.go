// Package judge judges submissions on the test cases of a problem.
//
// Most callers need two functions. [problem.OpenDir] reads a package.
// [Judge.JudgeFile] compiles one file, runs it on the cases under the problem's
// limits, and returns a [Report]. [Judge.Run] does the same with a submission of
// the package, but infers no time limit: see [Judge.Infer]. The package prints
// nothing.
//
//	p, err := problem.OpenDir("problems/poj3074")
//	...
//	defer p.Close()
//	var j judge.Judge
//	defer j.Close()
//	report, err := j.JudgeFile(ctx, p, "solutions/poj3074/accepted/dancing_pointers.cpp")
//	...
//	fmt.Println(report.Verdict, report.Skipped)
//	if s := report.Slowest(); s != nil { // nil if nothing ran
//		fmt.Println(s.Case, s.Outcome.CPU)
//	}
//
// A submission's failure is a [problem.Verdict], which is a value. The judge's
// own failure (a broken toolchain, a crashed checker, a full disk) is an error,
// and says nothing about the submission.
//
// On Linux the sandbox starts the executable of the caller again, as a helper.
// Package initialization that precedes that of package sandbox runs in it, too.
package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"crucible/judge/build"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/result"
	"crucible/judge/sandbox"
)

// A Judge judges submissions. Its fields are settings: set them before the first
// call. The zero value is ready for use. Close it when done, and do not copy it
// after the first call. It is safe for concurrent use, but Infer and JudgeFile may
// set the time limit of a problem, which no other call may use at the same time.
type Judge struct {
	Settings
	// In which the languages of tools are found; that of a submission is in the table of its
	// problem, see [problem.WithLanguages].
	Languages language.Table
	Runner    sandbox.Runner // runs the programs; nil means a sandbox on the highest level that the machine supports
	// The lowest acceptable level; if the Runner does not reach it, every call returns an
	// error. Zero accepts any level.
	Least sandbox.Level
	Most  sandbox.Level // the highest level to use if Runner is nil; zero means no restriction
	Jobs  int           // maximum number of programs at once; 0 means one per CPU
	// Spend time on what makes later compilations faster, because the same sources will be
	// compiled often.
	Eager bool
	// Folder of compiled programs; "" means $CRUCIBLE_CACHE or, if that is not set, crucible/
	// in the user's cache folder.
	Cache string
	// Keeps runs between calls, so that a run whose result cannot have changed is not made
	// again; nil keeps none.
	Stored Store
	// Makes the runs of Run, RunAll, Infer and sessions elsewhere, in work items, of which at
	// most Jobs are under way; those of sessions are not counted. It returns what executes the
	// items of a submission. Nil means that the runs are made in this process.
	Executor func(*problem.Submission) Executor
	OnEvent  func(Event) // receives events, one at a time; may be nil

	// OnOutput, if not nil, receives the complete output of a submission on a case,
	// once for each pass, before it is judged. Its error is a failure of the judge.
	OnOutput func(*problem.Submission, *problem.Case, io.Reader) error

	// OnStderr, if not nil, receives the standard error of a program of the
	// package, such as a validator or generator, that failed or rejected. On is
	// the name of the case. Calls do not overlap.
	OnStderr func(program, on, text string)

	// Processors to pin submissions to, one for each submission that runs; at least as many as
	// Jobs. Nil pins none. They apply to submissions, not to compilers and validators, and only
	// if the Runner supports it.
	Cores    []int
	AnyCores bool // Cores depend on what else the machine does, so stored runs count whether they were pinned or not

	timeToKill func(*problem.Submission, *problem.Case) time.Duration // replaces TimeToKill, if not nil
	*resources                                                        // made from the settings by Start
	*tokens                                                           // made by Start, too
}

// Settings decide the facts of runs, and which runs are made. They are the same for a judge
// and for each work item that it sends elsewhere.
type Settings struct {
	// Run every case, even if the result is already known, except in groups whose require_pass
	// is not met.
	All bool `json:"all,omitzero"`
	// Runs of each case: the first verdict that is not AC counts, and the longest time. 0 means
	// 1.
	Repeat int `json:"repeat,omitzero"`
	// Replaces the problem's time limit; 0 keeps it. In a work item, it is the limit in effect,
	// and 0 only if the submission is no program.
	TimeLimit time.Duration `json:"limit_ns"`
	// Replaces the problem's output limit, in bytes; 0 keeps it.
	OutputLimit int64 `json:"output_limit,omitzero"`
	// The CPU time at which a program is stopped, if above the time limit, to measure how slow
	// the program is; 0 means the time limit.
	TimeToKill time.Duration `json:"time_to_kill_ns,omitzero"`
	// How much longer the CPU time of a program may be because others run at the same time: 0.1
	// means by a tenth. 0 means DefaultDistortion; negative means none.
	Distortion float64 `json:"distortion,omitzero"`
	// With an Executor: the standard deviation of the logarithm of the ratio of the CPU times
	// of one program on two machines of a class. 0 means DefaultSpread.
	Spread float64 `json:"spread,omitzero"`
	// With an Executor: a run whose verdict changes with at least this probability on another
	// machine of the class, to or from TLE, is made again by another worker. 0 means
	// DefaultDoubt; 1 or more means never.
	Doubt      float64 `json:"doubt,omitzero"`
	KeepOutput bool    `json:"keep_output,omitzero"` // keep the start of each output, at most 64 KiB, in its Run
	// Run the output visualizer after the output validator, except one made with testlib, and
	// keep its pictures in the Run.
	KeepImages bool `json:"keep_images,omitzero"`
	// Log interactions in their Runs; the judge then copies all data between the programs,
	// which takes time.
	LogInteraction bool `json:"log_interaction,omitzero"`
	// Count the instructions of accepted runs; Start returns a [sandbox.NoCountingError] if
	// nothing can count them. See [Judge.Counter].
	Instructions bool `json:"instructions,omitzero"`
	// Place code, stack and heap of submissions at the same addresses on every run, as far as
	// the Runner supports it, so that times are more repeatable.
	FixedAddresses bool `json:"fixed_addresses,omitzero"`

	// Runs are made for their times, to infer a limit: a submission's last run is the first
	// one that was stopped.
	Measures bool `json:"measures,omitzero"`
	// The rest is set in work items only. No other program of the executor's machine runs at
	// the same time.
	Alone bool `json:"alone,omitzero"`
	// By what share of the limit later runs are stopped, so that the times of those near the
	// limit are known.
	Beyond float64 `json:"beyond,omitzero"`
	Fresh  bool    `json:"fresh,omitzero"` // stored runs do not count
}

// Defaults of [Settings.Spread] and [Settings.Doubt].
//
// Two machines of a class may differ by 5 % in speed, and the times of one program on one
// machine vary by 1 % if it computes and by more if it waits for memory: 3 % is the
// deviation of both together.
const (
	DefaultSpread = 0.03
	DefaultDoubt  = 0.01
)

// DefaultDistortion is the default of [Settings.Distortion]. On a virtual machine with two
// cores, a program took at most 1.02 times as long beside another one if it computes,
// and 1.08 times if it waits for memory (upper ends of intervals of 95 %).
const DefaultDistortion = 0.05

// Protection describes how programs are confined. It is empty if the judge
// cannot start, or if the Runner has no method Protection.
func (j *Judge) Protection() sandbox.Protection {
	if j.Start() != nil && j.runner == nil {
		return sandbox.Protection{}
	}
	return sandbox.ProtectionOf(j.runner)
}

// CacheDir returns the folder of compiled programs.
func (j *Judge) CacheDir() (string, error) {
	err := j.Start()
	return j.builder.Cache, err
}

// Workers returns how many programs run at once: Jobs, or one per CPU.
func (j *Judge) Workers() int {
	if j.Jobs > 0 {
		return j.Jobs
	}
	return runtime.NumCPU()
}

// distortion returns the factor by which others lengthen CPU times, less 1. It is 0 if
// no other program of the judge runs at the same time.
func (j *Judge) distortion() float64 {
	switch {
	case j.Workers() == 1 || j.Repeat > 1 || j.Distortion < 0 || j.Measures:
		return 0
	case j.Distortion == 0:
		return DefaultDistortion
	}
	return j.Distortion
}

// room returns the share of the time limit by which runs are stopped above it.
func (j *Judge) room() float64 { return j.distortion() + j.Beyond }

// LimitsOf returns the limits of submissions to the problem. TimeLimit and OutputLimit, if
// set, replace the problem's own.
func (j *Judge) LimitsOf(p *problem.Problem) problem.Limits {
	l := p.Limits
	if j.TimeLimit > 0 {
		l.Time, l.Wall = j.TimeLimit, problem.WallLimit(j.TimeLimit)
	}
	if j.OutputLimit > 0 {
		l.Output = j.OutputLimit
	}
	return l
}

// Tell sends an event to OnEvent.
func (j *Judge) Tell(e Event) {
	if j.OnEvent == nil {
		return
	}
	j.calling.Lock()
	defer j.calling.Unlock()
	j.OnEvent(e)
}

// Toolchain returns the toolchain on this machine of the language with a code. The error
// explains why there is none.
func (j *Judge) Toolchain(ctx context.Context, code string) (build.Toolchain, error) {
	l, err := j.language(code)
	if err != nil {
		return build.Toolchain{}, err
	}
	return j.builder.Tools.Find(ctx, l)
}

// Prove compiles and runs a language's hello program on this machine. The error explains
// why the language does not work; nil means that it does.
func (j *Judge) Prove(ctx context.Context, code string) error {
	l, err := j.language(code)
	if err != nil {
		return err
	}
	return j.builder.Prove(ctx, l)
}

// Static returns the compiler flags with which programs of a language are linked statically
// on this machine. If there are none, why is the reason, or "" if the language has no such flags.
func (j *Judge) Static(ctx context.Context, code string) (flags []string, why string, err error) {
	l, err := j.language(code)
	if err != nil {
		return nil, "", err
	}
	if l, why, err = j.builder.Linking(ctx, l); err != nil {
		return nil, "", err
	}
	return l.Static, why, nil
}

// language starts the judge, and returns the language with a code.
func (j *Judge) language(code string) (*language.Language, error) {
	if err := j.Start(); err != nil {
		return nil, err
	}
	if l := j.Languages.ByCode(code); l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("no language %q", code)
}

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
	// In the problem's order; the first one is always run. None, with Alone, only compiles.
	Cases []*problem.Case
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
