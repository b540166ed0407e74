// Package judgetest runs judge data from go test: every case of every
// submission is a subtest, and a submission that does not do as its directory
// or submissions.yaml expects fails.
//
//	func TestProblems(t *testing.T) {
//		judgetest.RunAll(t, "../problems")
//	}
//
// [Bench] times the accepted submissions from go test -bench.
//
// Subtests are named problem/solution/case, so that
//
//	go test -run 'Problems/poj3074/accepted/dlx.go/secret/03'
//
// judges one case. -short judges the samples only. A submission in a language
// that this machine lacks is skipped, with the reason; with the environment
// variable CRUCIBLE_REQUIRE_LANGUAGES set, as in CI, it fails. CRUCIBLE_SANDBOX
// says how programs must be confined, as judge run --sandbox does: with "require"
// the test fails where a full box cannot be had.
//
// go test caches a pass for as long as what the test process itself read stays
// the same. This package reads every file of the packages it judges, so a
// changed case, source or checker is always judged again. What go test cannot
// see is the toolchains: after upgrading a compiler, use -count=1. Nor does it
// watch files outside the module of the test.
package judgetest

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

const (
	requireLanguages = "CRUCIBLE_REQUIRE_LANGUAGES"
	sandboxWord      = "CRUCIBLE_SANDBOX"
)

// newJudge returns a judge of so many jobs that is closed when the test ends.
func newJudge(t testing.TB, jobs int) *judge.Judge {
	t.Helper()
	l, err := sandbox.RangeOf(os.Getenv(sandboxWord))
	if err != nil {
		t.Fatalf("$%s: %v", sandboxWord, err)
	}
	j := &judge.Judge{Least: l.Least, Most: l.Most, Jobs: jobs}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	// Once for all, not once for every submission.
	if err := j.Start(); err != nil {
		t.Fatal("judge error: ", err)
	}
	return j
}

// RunAll judges every submission of every problem below root as subtests of t.
// Root is a repository (it holds problems/, solutions/ and testdata/), one
// package, or a folder of packages and zips. A package that cannot be opened
// fails its own subtest only.
func RunAll(t *testing.T, root string) {
	t.Helper()
	sources, err := problem.Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, 0)
	for _, s := range sources {
		t.Run(s.ID, func(t *testing.T) {
			t.Cleanup(func() { s.Close() })
			runProblem(t, j, s)
		})
	}
}

func runProblem(t *testing.T, j *judge.Judge, s *problem.Source) {
	if err := readEverything(s); err != nil {
		t.Fatal(err)
	}
	p, err := problem.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Warnings {
		t.Log("warning:", w)
	}
	if err := j.Infer(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	cases := p.Cases
	if testing.Short() {
		cases = p.Samples()
	}
	for _, s := range p.Submissions {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			runSubmission(t, j, s, cases)
		})
	}
}

// runSubmission judges a submission case by case. The cases are subtests of
// their own, which -run can choose; what the submission owes over all of them
// together is checked when all have run.
func runSubmission(t *testing.T, j *judge.Judge, s *problem.Submission, cases []*problem.Case) {
	session, r := j.Begin(t.Context(), s)
	if session == nil {
		switch {
		case r.Skipped != "" && os.Getenv(requireLanguages) != "":
			t.Fatal(r.Skipped)
		case r.Skipped != "":
			t.Skip(r.Skipped)
		case r.Err != nil:
			t.Fatal("judge error: ", r.Err)
		default:
			t.Fatalf("%s\n%s", r.Broken, r.Compile.Message)
		}
	}
	for _, c := range cases {
		if !session.Needs(c) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			run := session.Run(t.Context(), c)
			report1(t, session, &run)
		})
	}
	r = session.End()
	logScores(t, r)
	switch err := r.JudgeError(); {
	case t.Failed():
	case err != nil:
		t.Error("judge error: ", err)
	case r.AsExpected != nil && !*r.AsExpected:
		t.Error(r.Broken)
	}
}

// logScores says what a scoring problem comes to, if that is known: with -run it
// may be some of the cases only.
func logScores(t *testing.T, r *judge.Report) {
	for _, line := range report.Scores(r) {
		t.Log(line)
	}
	if r.Score != nil {
		t.Attr("score", units.Score(*r.Score))
	}
}

// report1 says what became of one case.
func report1(t *testing.T, session *judge.Session, run *judge.Run) {
	if run.Err != nil {
		t.Fatal("judge error: ", run.Err)
	}
	said := fmt.Sprintf("%s  %s", run.Verdict, report.Figures(run))
	if why := report.Why(run); why != "" {
		said += "  " + why
	}
	t.Log(said)
	t.Attr("verdict", string(run.Verdict))
	if broken := session.Broken(); broken != "" {
		t.Error(broken)
	}
}

// readEverything opens every file of the package in this process, which is
// how go test learns that the result depends on them.
func readEverything(s *problem.Source) error {
	return fs.WalkDir(s, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !e.Type().IsRegular() {
			return err
		}
		f, err := s.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.CopyN(io.Discard, f, 1)
		if err == io.EOF {
			err = nil
		}
		return err
	})
}

// Bench measures every submission below accepted/ of every problem in root on
// its cases, with -short on the samples, one program at a time. Each is a
// sub-benchmark that benchstat can group by:
//
//	BenchmarkProblems/problem=sum/sol=accepted:a.go/case=secret:1-8  100  1500000 cpu-ns/op  1720000 wall-ns/op  2662400 peak-B
//
// The times are means over the runs, of the program alone; ns/op, which would be
// the judge's part as well, is left out. peak-B is the most memory of any run, or
// 1 MiB if that is less. instr/op, of instructions in user space, is there where
// the machine counts them. A slash in a name is written ":"; [report.BenchName] tells the rest.
// What go test does not tell of the machine is printed once, as configuration:
// the kernel, the protection, whether programs were pinned.
//
// -bench chooses by an expression for each part between slashes, and what it
// does not choose is not compiled:
//
//	go test -run '^$' -bench 'Problems/problem=poj3074/sol=.*cpp/case=secret' -benchtime 1x -count 20
//
// With -benchtime 1x a line is a run, of which benchstat and judge compare then
// have a sample. go test runs all lines of a case one after the other; judge
// bench takes turns, and so is the better comparison of two submissions.
//
// A submission that is not accepted on a case fails its benchmark: a wrong answer
// has no speed.
func Bench(b *testing.B, root string) {
	b.Helper()
	sources, err := problem.Sources(root)
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge(b, 1)
	m := record.ThisMachine()
	m.Protection = j.Protection().Level.String()
	for _, line := range report.BenchConfig(m) {
		fmt.Println(line)
	}
	for _, s := range sources {
		p, err := problem.Open(s)
		if err != nil {
			b.Error(err)
			continue
		}
		if err := j.Infer(b.Context(), p); err != nil {
			b.Error(err)
			continue
		}
		for _, s := range p.Submissions {
			if strings.HasPrefix(s.Name, "accepted/") {
				b.Run(report.BenchName{Problem: p.ID, Submission: s.Name}.String(), func(b *testing.B) { benchSubmission(b, j, p, s) })
			}
		}
	}
}

func benchSubmission(b *testing.B, j *judge.Judge, p *problem.Problem, s *problem.Submission) {
	session, r := j.Begin(b.Context(), s)
	if session == nil {
		switch err := r.JudgeError(); {
		case r.Skipped != "" && os.Getenv(requireLanguages) == "":
			b.Skip(r.Skipped)
		case r.Skipped != "":
			b.Fatal(r.Skipped)
		case err != nil:
			b.Fatal("judge error: ", err)
		default:
			b.Fatalf("%s: %s", r.Verdict, terminal.Clean(r.Compile.Message))
		}
	}
	defer session.End()
	cases := p.Cases
	if testing.Short() {
		cases = p.Samples()
	}
	for _, c := range cases {
		name := strings.TrimPrefix(report.BenchName{Problem: p.ID, Submission: s.Name, Case: c.Name}.String(), report.BenchName{Problem: p.ID, Submission: s.Name}.String()+"/")
		b.Run(name, func(b *testing.B) { benchCase(b.Context(), b, session, c) })
	}
}

func benchCase(ctx context.Context, b *testing.B, session *judge.Session, c *problem.Case) {
	var cpu, wall, peak, instructions float64
	counted, n := true, 0
	for b.Loop() {
		run := session.Run(ctx, c)
		if run.Err != nil {
			b.Fatal("judge error: ", run.Err)
		}
		if run.Verdict != problem.Accepted {
			b.Fatalf("%s: %s", run.Verdict, terminal.Clean(run.Why))
		}
		o := &run.Outcome
		cpu += float64(o.CPU.Nanoseconds())
		wall += float64(o.Wall.Nanoseconds())
		peak = max(peak, float64(o.Memory))
		instructions += float64(o.Instructions)
		counted = counted && o.Instructions > 0
		n++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(cpu/float64(n), "cpu-ns/op")
	b.ReportMetric(wall/float64(n), "wall-ns/op")
	b.ReportMetric(float64(units.PeakBytes(int64(peak))), "peak-B")
	if counted {
		b.ReportMetric(instructions/float64(n), "instr/op")
	}
}
