// Package judgetest judges problem packages from go test. Every case of every
// submission is a subtest, and a submission fails if it does not meet the
// expectation of its folder or of submissions.yaml.
//
//	func TestProblems(t *testing.T) {
//		judgetest.RunAll(t, "../problems")
//	}
//
// [Bench] times the accepted submissions from go test -bench.
//
// Subtests are named problem/submission/case, so that
//
//	go test -run 'Problems/poj3074/accepted/dlx.go/secret/03'
//
// judges one case. -short judges only the samples. A submission in a language
// without a toolchain on this machine is skipped, with the reason; it fails if
// the environment variable CRUCIBLE_REQUIRE_LANGUAGES is set, as in CI.
// CRUCIBLE_SANDBOX is the required level of the sandbox, as in judge run
// --sandbox: with "require" the test fails on a machine without a full box.
//
// As in judge run, the files languages.yaml of the user and of the repository around the
// working folder, which is that of the test's package, change the languages.
//
// go test caches a pass as long as the files that the test process read stay the
// same. This package reads every file of the packages that it judges, so a changed
// case, source or checker is always judged again. go test does not notice changed
// toolchains and changed files outside the module of the test: use -count=1 after
// the upgrade of a compiler.
//
// [RunAll] keeps its runs in the cache of the judge, and a run that judge run or an earlier
// test has made is not made again if it would be the same; -v shows which are stored. All
// runs are made with -count, with -race, for coverage, and if CRUCIBLE_FRESH is set.
package judgetest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/language"
	"crucible/judge/measure/machine"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

const (
	requireLanguages = "CRUCIBLE_REQUIRE_LANGUAGES"
	sandboxWord      = "CRUCIBLE_SANDBOX"
	freshRuns        = "CRUCIBLE_FRESH"
)

// newJudge returns a judge that runs at most jobs programs at once (0: one for each
// processor) and is closed when the test ends.
func newJudge(t testing.TB, jobs int) *judge.Judge {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	languages, err := language.ReadFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := sandbox.RangeOf(os.Getenv(sandboxWord))
	if err != nil {
		t.Fatalf("$%s: %v", sandboxWord, err)
	}
	j := &judge.Judge{Languages: languages, Least: l.Least, Most: l.Most, Jobs: jobs}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	// Report an unusable cache once, not for every submission.
	if err := j.Start(); err != nil {
		t.Fatal("judge error: ", err)
	}
	return j
}

// fresh reports whether all runs are to be made. Whoever gives -count asks for it, also with
// the value 1, because it makes go test ignore its own cache. The race detector and coverage
// are about the process of the test, which does less with a stored run.
func fresh() bool {
	count := false
	flag.Visit(func(f *flag.Flag) { count = count || f.Name == "test.count" })
	return count || raced || testing.CoverMode() != "" || os.Getenv(freshRuns) != ""
}

// RunAll judges every submission of every problem below root as subtests of t.
// Root is a repository (with problems/, solutions/ and testdata/), one package,
// or a folder of packages and zips. A package that cannot be opened fails only
// its own subtest.
func RunAll(t *testing.T, root string) {
	t.Helper()
	sources, err := problem.Sources(root)
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, 0)
	if dir, err := j.CacheDir(); err == nil && !fresh() {
		j.Stored = record.OpenStore(filepath.Join(dir, "runs"))
	}
	for _, s := range sources {
		t.Run(s.ID, func(t *testing.T) {
			t.Cleanup(func() { s.Close() })
			runProblem(t, j, s)
		})
	}
}

// runProblem judges every submission of one problem as parallel subtests.
func runProblem(t *testing.T, j *judge.Judge, s *problem.Source) {
	if err := readEverything(s); err != nil {
		t.Fatal(err)
	}
	p, err := problem.Open(s, problem.WithLanguages(j.Languages))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Warnings {
		t.Log("warning:", w)
	}
	if err := j.Infer(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Submissions {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			runSubmission(t, j, s)
		})
	}
}

// casesOf returns the cases of a problem, or with -short the samples.
func casesOf(p *problem.Problem) []*problem.Case {
	if testing.Short() {
		return p.Samples()
	}
	return p.Cases
}

// begin compiles a submission. It skips or ends the test if the submission cannot run.
func begin(t testing.TB, j *judge.Judge, s *problem.Submission) *judge.Session {
	session, r := j.Begin(t.Context(), s)
	switch {
	case session != nil:
	case r.Skipped != "" && os.Getenv(requireLanguages) == "":
		t.Skip(r.Skipped)
	case r.Skipped != "":
		t.Fatal(r.Skipped)
	case r.JudgeError() != nil:
		t.Fatal("judge error: ", r.JudgeError())
	default:
		t.Fatalf("%s: %s\n%s", r.Verdict, terminal.CleanText(r.Compile.Message), r.Broken)
	}
	return session
}

// runSubmission judges a submission case by case. The cases are subtests, which
// -run can select. Expectations about all cases together are checked at the end.
func runSubmission(t *testing.T, j *judge.Judge, s *problem.Submission) {
	session := begin(t, j, s)
	for _, c := range casesOf(s.Problem) {
		if !session.Needs(c) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			run := session.Run(t.Context(), c)
			logRun(t, session, &run)
		})
	}
	r := session.End()
	logScores(t, r)
	switch err := r.JudgeError(); {
	case t.Failed():
	case err != nil:
		t.Error("judge error: ", err)
	case r.AsExpected != nil && !*r.AsExpected:
		t.Error(r.Broken)
	}
}

// logScores logs the scores of a scoring problem. They are not known if -run selects
// only some of the cases.
func logScores(t *testing.T, r *judge.Report) {
	if r.Score == nil {
		return
	}
	t.Log("score " + terminal.ScoreOf(r.Score, r.MaxScore))
	for _, g := range judge.ShownGroups(r) {
		line := terminal.Clean(g.Name) + "  " + string(g.Verdict)
		if g.NotRun != "" {
			line += terminal.Clean("not run: " + g.NotRun)
		}
		t.Log(line + "  " + terminal.ScoreOf(g.Score, g.Max))
	}
	t.Attr("score", terminal.Score(*r.Score))
}

// logRun logs one run, and reports an expectation that it breaks.
func logRun(t *testing.T, session *judge.Session, run *judge.Run) {
	if run.Err != nil {
		t.Fatal("judge error: ", run.Err)
	}
	o, stored := &run.Outcome, ""
	if run.StoredAt != nil {
		stored = "stored " + terminal.Age(run.StoredAge) + " ago  "
	}
	t.Logf("%s  %7s  %7s  %8s  %s%s", run.Verdict, terminal.Duration(o.CPU), terminal.Duration(o.Wall),
		terminal.Memory(o.Memory), stored, terminal.Clean(run.Why))
	t.Attr("verdict", string(run.Verdict))
	if broken := session.Broken(); broken != "" {
		t.Error(broken)
	}
}

// readEverything reads a byte of every file of the package in this process, so
// that go test knows that the result depends on the files.
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
		if _, err = f.Read(make([]byte, 1)); err == io.EOF {
			return nil
		}
		return err
	})
}

// Bench measures every submission below accepted/ of every problem in root on its
// cases, or with -short on the samples, one program at a time. Each measurement
// is a sub-benchmark that benchstat can group by:
//
//	BenchmarkProblems/problem=sum/sol=accepted:a.go/case=secret:1-8
//	     100  1500000 cpu-ns/op  1720000 wall-ns/op  2662400 peak-B
//
// The times are means over the runs, of the program alone. ns/op is left out
// because it includes the time of the judge. peak-B is the maximum peak memory of
// all runs, but at least 1 MiB. instr/op counts instructions in user space, and
// is left out if the machine does not count them. [terminal.BenchName] describes how
// names are written. Properties of the machine that go test does not print are
// printed once, as configuration: the cores, the kernel, the sandbox level, and
// whether programs were pinned.
//
// -bench selects with one expression for each part between slashes. Submissions
// that are not selected are not compiled:
//
//	go test -run '^$' -bench 'Problems/problem=poj3074/sol=.*cpp/case=secret' -benchtime 1x -count 20
//
// With -benchtime 1x a line is one run, so that benchstat and judge compare have a
// sample of runs. go test runs all lines of a case one after the other. Submissions
// take turns in judge bench, which therefore compares two submissions better.
//
// The benchmark of a submission that is not accepted on a case fails.
func Bench(b *testing.B, root string) {
	b.Helper()
	sources, err := problem.Sources(root)
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge(b, 1)
	printConfig(j)
	for _, s := range sources {
		p, err := problem.Open(s, problem.WithLanguages(j.Languages))
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
				b.Run(terminal.BenchName{Problem: p.ID, Submission: s.Name}.String(),
					func(b *testing.B) { benchSubmission(b, j, p, s) })
			}
		}
	}
}

// printConfig prints the configuration that go test does not print itself.
func printConfig(j *judge.Judge) {
	_, kernel := machine.Name(os.DirFS("/"))
	for _, c := range [][2]string{
		{terminal.Cores, strconv.Itoa(runtime.NumCPU())}, {terminal.Kernel, kernel},
		{terminal.Protection, j.Protection().Level.String()},
		{terminal.Pinned, "false"}, {terminal.FixedAddresses, "false"},
	} {
		if c[1] != "" {
			fmt.Println(terminal.BenchConfig(c[0], c[1]))
		}
	}
}

// benchSubmission compiles a submission and measures it on each case.
func benchSubmission(b *testing.B, j *judge.Judge, p *problem.Problem, s *problem.Submission) {
	session := begin(b, j, s)
	defer session.End()
	submission := terminal.BenchName{Problem: p.ID, Submission: s.Name}
	for _, c := range casesOf(p) {
		line := submission
		line.Case = c.Name
		name := strings.TrimPrefix(line.String(), submission.String()+"/")
		b.Run(name, func(b *testing.B) { benchCase(b.Context(), b, session, c) })
	}
}

// benchCase measures one case and reports the means.
func benchCase(ctx context.Context, b *testing.B, session *judge.Session, c *problem.Case) {
	var cpu, wall, peak, instructions float64
	counted := true
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
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(cpu/n, "cpu-ns/op")
	b.ReportMetric(wall/n, "wall-ns/op")
	b.ReportMetric(float64(terminal.PeakBytes(int64(peak))), "peak-B")
	if counted {
		b.ReportMetric(instructions/n, "instr/op")
	}
}
