package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// measuredSum returns a document of a measurement with every kind of failure.
func measuredSum() *record.Document {
	m := &bench.Measurement{Kind: bench.ForBench, Problem: "sum", Seed: 42, Looks: 3, Doubts: []string{"load from elsewhere\nBenchmarkForged 1 1 cpu-ns/op"},
		Submissions: []bench.Submission{{Name: "accepted/a.go", Language: "go"}, {Name: "accepted/b c.py", Language: "python3"}, {Name: "accepted/none.kt", Skipped: "no kotlinc on the PATH"}},
		Cases:       []bench.Input{{Name: "secret/1"}, {Name: "secret/big-10"}},
	}
	add := func(s, c, round int, v problem.Verdict, why string, cpu time.Duration) {
		m.Trials = append(m.Trials, bench.Trial{Submission: s, Case: c, Round: round, Verdict: v, Why: why,
			Outcome: sandbox.Outcome{CPU: cpu, Wall: cpu + ms, Memory: 1 << 20, Instructions: map[int]int64{0: 12345}[s]}})
	}
	for round := -1; round < 3; round++ {
		jitter := time.Duration(round) * 1234
		add(0, 0, round, problem.Accepted, "", 2*ms+jitter)
		add(1, 0, round, problem.Accepted, "", 3*ms+jitter)
		add(0, 1, round, problem.Accepted, "", 20*ms+jitter)
		if round == 1 {
			add(1, 1, round, problem.WrongAnswer, evil, 30*ms)
		} else {
			add(1, 1, round, problem.Accepted, "", 30*ms+jitter)
		}
	}
	machine := record.Machine{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 9B14", Cores: 2, Kernel: "6.12.48", Go: "go1.26.8", Protection: "box", Pinned: true}
	return &record.Document{Machine: machine, Problems: []record.Problem{{ID: "sum", Limits: problem.Limits{Time: time.Second}, Sections: record.Sections{"measurement": m, "comparison": bench.CompareOf(m)}}}}
}

func benchLines(t *testing.T, d *record.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := sheet.Writer.WriteBenchfmt(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBenchfmtOfAMeasurement(t *testing.T) {
	golden(t, "measured.bench", benchLines(t, measuredSum()))
}

func TestBenchfmtReadsBack(t *testing.T) {
	for name, d := range map[string]*record.Document{"judged": document(), "measured": measuredSum()} {
		t.Run(name, func(t *testing.T) {
			got, err := sheet.ReadBenchfmt(bytes.NewReader(benchLines(t, d)), "file")
			if err != nil {
				t.Fatal(err)
			}
			want := sheet.Saved(d, "file")
			// Benchmark lines have no languages.
			for i := range want.Programs {
				want.Programs[i].Language = ""
			}
			for i := range got.Programs {
				for k := range got.Programs[i].Cells {
					c := &got.Programs[i].Cells[k]
					c.Wrong, c.Unknown = strings.TrimSpace(c.Wrong), strings.TrimSpace(c.Unknown)
				}
			}
			clean := cmp.Transformer("Clean", func(s string) string { return terminal.Clean(s) })
			close := cmpopts.EquateApprox(1e-12, 0)
			byName := cmpopts.SortSlices(func(a, b bench.StoredProgram) bool { return a.Name < b.Name })
			byCase := cmpopts.SortSlices(func(a, b bench.StoredCell) bool { return a.Case < b.Case })
			if diff := cmp.Diff(want.Programs, got.Programs, close, byName, byCase, clean, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("programs, -of the document +of its lines:\n%s", diff)
			}
			if diff := cmp.Diff(want.Machine, got.Machine); diff != "" {
				t.Errorf("machine, -of the document +of its lines:\n%s", diff)
			}
			if want.Looks != got.Looks {
				t.Errorf("%d looks, expected %d", got.Looks, want.Looks)
			}
		})
	}
}

// TestBenchstatGroups reads the written lines as benchstat does.
func TestBenchstatGroups(t *testing.T) {
	var rows benchproc.ProjectionParser
	by, err := rows.Parse("/problem,/sol,/case", nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	lines := benchfmt.NewReader(bytes.NewReader(benchLines(t, measuredSum())), "file")
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(line)
		case *benchfmt.Result:
			counts[by.Project(line).String()]++
			if line.GetConfig("cpu") != "AMD EPYC 9B14" || line.GetConfig("seed") != "" {
				t.Errorf("configuration cpu %q, seed %q; expected the machine, and nothing that keeps two runs apart", line.GetConfig("cpu"), line.GetConfig("seed"))
			}
			if _, ok := line.Value("cpu-sec/op"); !ok {
				t.Errorf("%s: no cpu-ns/op", line.Name)
			}
		}
	}
	want := map[string]int{
		"/problem:sum /sol:accepted:a.go /case:secret:1":       3,
		"/problem:sum /sol:accepted:a.go /case:secret:big-10:": 3,
		`/problem:sum /sol:accepted:b\x20c.py /case:secret:1`:  3,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("lines by /problem /sol /case, -expected +got:\n%s", diff)
	}
}

func TestReadBenchfmt(t *testing.T) {
	tests := []struct {
		name, text string
		want       []bench.StoredProgram
		err        string
	}{
		{"lines of go test", `goos: linux
pkg: example.com/contest
cpu: AMD EPYC
BenchmarkProblems
BenchmarkProblems/problem=sum/sol=accepted:a.go/case=1-2         	       3	   1500000 cpu-ns/op	   2000000 peak-B
BenchmarkProblems/problem=sum/sol=accepted:a.go/case=1-2         	       3	   1600000 cpu-ns/op	   2000000 peak-B
--- FAIL: BenchmarkProblems/problem=sum/sol=accepted:a.go/case=2-2
    judgetest.go:250: WA: line 1, column 1
--- SKIP: BenchmarkProblems/problem=sum/sol=accepted:a.zzz
    judgetest.go:220: no language has the extension
--- FAIL: BenchmarkProblems/problem=sum/sol=accepted:bad.go
    judgetest.go:222: CE: expected operand
--- FAIL: BenchmarkProblems/problem=sum/sol=accepted:a.go/case=3-2
    judgetest.go:250: judge error: no space left on device
BenchmarkOther-2	 100	 12345 ns/op
PASS
`, []bench.StoredProgram{
			{Problem: "sum", Name: "accepted/a.go", Cells: []bench.StoredCell{
				{Case: "1", Rounds: []int{0, 1}, Values: map[bench.Metric][]float64{bench.ByCPU: {0.0015, 0.0016}, bench.ByMemory: {2e6, 2e6}}},
				{Case: "2", Wrong: "WA: line 1, column 1"},
				{Case: "3", Unknown: "judge error: no space left on device"},
			}},
			{Problem: "sum", Name: "accepted/a.zzz", Unknown: "no language has the extension"},
			{Problem: "sum", Name: "accepted/bad.go", Wrong: "CE: expected operand"},
		}, ""},
		{"a value that is not on every line is none", `BenchmarkA/problem=sum/sol=a/case=1 1 5 cpu-ns/op 7 instr/op
BenchmarkA/problem=sum/sol=a/case=1 1 6 cpu-ns/op
`, []bench.StoredProgram{{Problem: "sum", Name: "a", Cells: []bench.StoredCell{{Case: "1", Rounds: []int{0, 1}, Values: map[bench.Metric][]float64{bench.ByCPU: {5e-9, 6e-9}}}}}}, ""},
		{"other benchmarks alone", "BenchmarkSort-8 100 5 ns/op\n", nil, "no benchmark with problem=, sol= and case="},
		{"nothing", "", nil, "no benchmark with problem=, sol= and case="},
		{"a broken line", "BenchmarkA/problem=sum/sol=a/case=1 1 five cpu-ns/op\n", nil, "file:1: parsing measurement"},
		{"no number", "BenchmarkA/problem=sum/sol=a/case=1 1 NaN cpu-ns/op\n", nil, "file:1: NaN cpu-sec/op: expected a number that is 0 or more"},
		{"less than nothing", "BenchmarkA/problem=sum/sol=a/case=1 1 5 cpu-ns/op -1 peak-B\n", nil, "file:1: -1 peak-B: expected a number that is 0 or more"},
		{"for ever", "BenchmarkA/problem=sum/sol=a/case=1 1 +Inf cpu-ns/op\n", nil, "file:1: +Inf cpu-ns/op: expected a number that is 0 or more"},
		{"two machines in one file", "cpu: A\nBenchmarkA/problem=sum/sol=a/case=1 1 5 cpu-ns/op\ncpu: B\nBenchmarkA/problem=sum/sol=a/case=1 1 5 cpu-ns/op\n", nil, "CPU A and B"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := sheet.ReadBenchfmt(strings.NewReader(tt.text), "file")
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, expected one with %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Programs, cmpopts.EquateApprox(1e-12, 0)); diff != "" {
				t.Errorf("-expected +got:\n%s", diff)
			}
		})
	}
}

// TestReadBenchfmtOfAPanic: a run of go test that timed out has no lines for the
// benchmarks after the timeout.
func TestReadBenchfmtOfAPanic(t *testing.T) {
	s, err := sheet.ReadBenchfmt(strings.NewReader("BenchmarkA/problem=sum/sol=a/case=1 1 5 cpu-ns/op\npanic: test timed out after 10m0s\n\ngoroutine 1:\nFAIL\tx\t600s\n"), "file")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"it ended in a panic (test timed out after 10m0s), so it may lack runs"}
	if diff := cmp.Diff(want, s.Doubts); diff != "" {
		t.Errorf("doubts, -expected +got:\n%s", diff)
	}
}

// When inputs grow until a limit is reached, reaching it is no failure. A
// comparison of two runs still uses the verdict.
func TestBenchfmtOfLimitsThatWereReached(t *testing.T) {
	m := record.Of[*bench.Scaling](&scaledDocument().Problems[0]).Measurement
	m.Trials = append(m.Trials, bench.Trial{Submission: 1, Case: 9, Verdict: problem.TimeLimit, Why: "used 1.00 s CPU, limit 1 s"})
	lines := string(benchLines(t, &record.Document{Problems: []record.Problem{{ID: "sum", Sections: record.Sections{"measurement": m, "scaling": bench.ScalingOf(m)}}}}))
	for _, want := range []string{
		"--- SKIP: BenchmarkJudge/problem=sum/sol=accepted:pairs.cpp/case=secret:n/n=8192\n    TLE: used 1.00 s CPU",
		"--- FAIL: BenchmarkJudge/problem=sum/sol=wrong_answer:hasty.c/case=secret:n/n=16\n    WA: line 1",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("there is no %q", want)
		}
	}
	again, err := sheet.ReadBenchfmt(strings.NewReader(lines), "file")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(again.Programs, func(p bench.StoredProgram) bool { return p.Name == "accepted/pairs.cpp" })
	if !slices.ContainsFunc(again.Programs[at].Cells, func(c bench.StoredCell) bool {
		return c.Size == 8192 && strings.HasPrefix(c.Wrong, "TLE: ") && c.Unknown == ""
	}) {
		t.Errorf("a stopped run is read as %+v, expected TLE", again.Programs[at].Cells)
	}
}

func TestSmallPeaksAreNoDifference(t *testing.T) {
	r := &judge.Report{Submission: "a.c", Verdict: problem.Accepted}
	for _, peak := range []int64{256 << 10, 512 << 10, 1 << 20, 3 << 20, 0} {
		r.Runs = append(r.Runs, judge.Run{Case: "1", Verdict: problem.Accepted, Outcome: sandbox.Outcome{Memory: peak}})
	}
	var b strings.Builder
	if err := sheet.Writer.WriteBenchfmt(&b, &record.Document{Problems: []record.Problem{{ID: "p", Reports: []*judge.Report{r}}}}); err != nil {
		t.Fatal(err)
	}
	var peaks []string
	for _, line := range strings.Split(b.String(), "\n") {
		if fields := strings.Fields(line); strings.HasPrefix(line, "Benchmark") {
			peaks = append(peaks, fields[slices.Index(fields, "peak-B")-1])
		}
	}
	if diff := cmp.Diff([]string{"1048576", "1048576", "1048576", "3145728", "0"}, peaks); diff != "" {
		t.Errorf("peak-B of 256 KiB, 512 KiB, 1 MiB, 3 MiB and an unknown peak (-expected +got):\n%s", diff)
	}
}
