package report

import (
	"errors"
	"math"
	"strings"
	"syscall"
	"time"

	"crucible/judge"
	"crucible/judge/build"
	"crucible/judge/check"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

const ms = time.Millisecond

// evil is output of a hostile program: terminal escapes, line breaks, markup of
// every format, right-to-left marks, bytes that are not UTF-8.
const evil = "\x1b[2J\x1b]0;owned\x07 | `x` ``` </system-out>]]>\r\n# <img src=x> [a](javascript:b) \u202e\xff\x00"

func yes() *bool { b := true; return &b }
func no() *bool  { return new(bool) }

func run(name string, v problem.Verdict, cpu time.Duration, mib float64, why string) judge.Run {
	o := sandbox.Outcome{CPU: cpu, User: cpu - cpu/8, Sys: cpu / 8, Wall: cpu + cpu/16, Memory: int64(mib * (1 << 20))}
	return judge.Run{Case: name, Verdict: v, Why: why, Outcome: o, Times: []sandbox.Outcome{o}}
}

var (
	wantAC  = []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted}}}
	wantWA  = []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted, problem.WrongAnswer}, Required: []problem.Verdict{problem.WrongAnswer}}}
	wantRTE = []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted, problem.RuntimeError}, Required: []problem.Verdict{problem.RuntimeError}}}
	wantTLE = []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted, problem.TimeLimit}, Required: []problem.Verdict{problem.TimeLimit}}}
)

// document returns a document with every result of a submission.
func document() *record.Document {
	solved := strings.Repeat("123456789", 7)
	wrong := solved[:40] + "54" + solved[42:]
	long := run("secret/02", problem.WrongAnswer, 4200*time.Microsecond, 3.25, "")
	long.Diff = &check.Difference{Kind: check.Differs, Line: 1, Column: 1, AnswerLine: 1, AnswerColumn: 1, Token: 1, Offset: 40, Want: solved, Got: wrong}
	long.Why = long.Diff.String()
	short := run("sample/1", problem.WrongAnswer, 1900*time.Microsecond, 3.25, "line 2, column 14: got \"2\", expected \"1\"")
	short.Diff = &check.Difference{Kind: check.Differs, Line: 2, Column: 14, AnswerLine: 2, AnswerColumn: 14, Token: 17, Want: "1", Got: "2"}
	early := run("secret/01", problem.WrongAnswer, 1900*time.Microsecond, 3.25, "line 3, column 1: the output ends, expected \"7\"")
	early.Diff = &check.Difference{Kind: check.Missing, Line: 3, Column: 1, AnswerLine: 3, AnswerColumn: 1, Token: 3, Want: "7"}
	crash := run("secret/01", problem.RuntimeError, 12*ms, 8.13, "exit status 2: panic: index out of range [9] with length 9")
	crash.Outcome.Exit = 2
	crash.Stderr = "panic: index out of range [9] with length 9\n\ngoroutine 1 [running]:\nmain.main()\n\t" + evil + "\n"
	killed := run("secret/02", problem.RuntimeError, 3*ms, 1.5, "killed by SIGSEGV")
	killed.Outcome.Signal = syscall.SIGSEGV
	broken := judge.Run{Case: "secret/01", Err: errors.New("accepted/half.py on secret/01: output validator: exit status 0, want 42 or 43\nand " + evil)}
	nan := math.NaN()
	again := run("secret/02", problem.Accepted, 123*ms, 12.34, "")
	again.Outcome.Instructions = 1_234_567_890
	again.Times = append(again.Times, sandbox.Outcome{CPU: 119 * ms}, sandbox.Outcome{CPU: 121 * ms})
	fast := run("sample/1", problem.Accepted, 400*time.Microsecond, 0.9, "")
	fast.Earned = &nan
	half := 0.5
	scored := run("secret/01", problem.Accepted, 98*ms, 12.3, "")
	scored.Earned = &half
	slow := run("secret/01", problem.TimeLimit, 1001*ms, 9, "stopped at 1.001s CPU, limit 1s")

	reports := []*judge.Report{
		{Submission: "accepted/dlx.go", Language: "go", Expected: wantAC, Verdict: problem.Accepted, AsExpected: yes(),
			Compile: build.Compile{Cached: true}, Runs: []judge.Run{fast, scored, again}},
		{Submission: "accepted/fails_late.cpp", Language: "cpp", Expected: wantAC, Verdict: problem.WrongAnswer, AsExpected: no(),
			Broken: "accepted permits AC, secret/02 is WA", BrokenBy: "secret/02", Runs: []judge.Run{fast, scored, long}},
		{Submission: "accepted/crashes.go", Language: "go", Expected: wantAC, Verdict: problem.RuntimeError, AsExpected: no(),
			Broken: "accepted permits AC, secret/01 is RTE", BrokenBy: "secret/01", Runs: []judge.Run{fast, crash}},
		{Submission: "accepted/typo.rs", Language: "rust", Expected: wantAC, Verdict: problem.CompileError, AsExpected: no(),
			Broken: "it does not compile", Compile: build.Compile{Exit: 1, Message: "error[E0425]: cannot find value `x`\n --> typo.rs:1:13\n" + evil}},
		{Submission: "accepted/typo.kt", Language: "kotlin", Expected: wantAC, Skipped: "no kotlinc on the PATH"},
		{Submission: "accepted/half.py", Language: "python3", Expected: wantAC, Runs: []judge.Run{fast, broken}},
		{Submission: "accepted/lost.c", Language: "c", Expected: wantAC, Err: errors.New("gcc: no space left on device")},
		{Submission: "accepted/stopped.py", Language: "python3", Expected: wantAC, Verdict: problem.Accepted, Runs: []judge.Run{fast}},
		{Submission: "accepted/unbegun.py", Language: "python3", Expected: wantAC},
		{Submission: "run_time_error/bounds.c", Language: "c", Expected: wantRTE, Verdict: problem.RuntimeError, AsExpected: yes(),
			Runs: []judge.Run{fast, scored, killed}},
		{Submission: "time_limit_exceeded/fast.go", Language: "go", Expected: wantTLE, Verdict: problem.Accepted, AsExpected: no(),
			Broken: "time_limit_exceeded requires TLE on some case, none is", Runs: []judge.Run{fast, scored, again}},
		{Submission: "time_limit_exceeded/plain.py", Language: "python3", Expected: wantTLE, Verdict: problem.TimeLimit, AsExpected: yes(),
			Runs: []judge.Run{fast, slow}},
		{Submission: "wrong_answer/both.go", Language: "go", Expected: wantWA, Verdict: problem.WrongAnswer, AsExpected: no(),
			Broken: "wrong_answer permits AC, WA, secret/01 is TLE", BrokenBy: "secret/01", Runs: []judge.Run{short, slow}},
		{Submission: "wrong_answer/guess.go", Language: "go", Expected: wantWA, Verdict: problem.WrongAnswer, AsExpected: yes(),
			Runs: []judge.Run{short}},
		{Submission: "wrong_answer/stops.go", Language: "go", Expected: wantWA, Verdict: problem.WrongAnswer, AsExpected: yes(),
			Runs: []judge.Run{fast, early}},
		{Submission: "odd/" + evil, Language: "cpp", AsExpected: yes(), Verdict: problem.WrongAnswer,
			Expected: []problem.Expectation{
				{Cases: "secret/*", Score: []float64{0, 12.5}, Message: evil},
				{Required: []problem.Verdict{problem.TimeLimit, problem.WrongAnswer}},
			},
			Runs: []judge.Run{run("secret/01", problem.WrongAnswer, 2*ms, 1, evil)}},
	}
	for _, r := range reports {
		r.Problem = "poj3074"
	}
	return &record.Document{
		Machine: record.Machine{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 9B14", Cores: 2, Kernel: "6.12.48", Go: "go1.26.8",
			Protection: "process", NotEnforced: []string{"network"}, Pinned: true, FixedAddresses: true},
		Problems: []record.Problem{
			{ID: "hello", Path: "problems/hello", Err: errors.New("problems/hello/problem.yaml:3:1: lisence: unknown key; did you mean license?\nproblems/hello/problem.yaml:7:1: limits: want a map")},
			{ID: "poj3074", Path: "problems/poj3074", Reports: reports, Cases: []string{"sample/1", "secret/01", "secret/02"},
				Limits: problem.Limits{Time: time.Second, Wall: 3 * time.Second, Memory: 64 << 20, Output: 8 << 20}},
			{ID: "empty", Path: "problems/empty"},
		},
		Elapsed: 12345 * ms,
	}
}
