package report_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
)

// scaledDocument returns a document of one scaling with synthetic trials of
// programs that take a millisecond to start, and seconds[s](n) to run.
func scaledDocument() *record.Document {
	sizes := []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}
	m := &bench.Measurement{
		Kind: bench.ForScale, Problem: "sum", Limits: problem.Limits{Time: time.Second, Memory: 256 << 20}, Seed: 42, Confidence: 0.95, Looks: 1,
		Cores: []int{1}, Budget: time.Minute, Ended: bench.AllRounds,
		Growth: &bench.Growth{Series: "words", Command: "words {n} {seed}", Counts: "words", Ended: "sizes up to 16384 were requested"},
		Submissions: []bench.Submission{
			{Name: "accepted/sorted.cpp", Language: "cpp"}, {Name: "accepted/pairs.cpp", Language: "cpp"}, {Name: "accepted/table.cpp", Language: "cpp"},
			{Name: "accepted/subsets.py", Language: "python3"}, {Name: "accepted/absent.rs", Language: "rust", Skipped: "rustc is not installed"}, {Name: "wrong_answer/hasty.c", Language: "c"},
		},
	}
	seconds := []func(n float64) float64{
		func(n float64) float64 { return 3e-6 * n * math.Log(n) },
		func(n float64) float64 { return 5e-8 * n * n },
		func(n float64) float64 { return 0.02 },
		func(n float64) float64 { return 1e-7 * math.Exp2(n/16) },
		nil,
		func(n float64) float64 { return math.NaN() },
	}
	for _, n := range sizes {
		m.Cases = append(m.Cases, bench.Input{Name: "secret/n", Size: n})
	}
	for round := range 5 {
		for k, n := range sizes {
			for s, of := range seconds {
				if of == nil {
					continue
				}
				t := bench.Trial{Submission: s, Case: k, Round: round, Verdict: problem.Accepted}
				took := (0.001 + of(n)) * (1 + 0.01*math.Sin(float64(7*round+3*k+s)))
				switch {
				case math.IsNaN(took):
					t.Verdict, t.Why = problem.WrongAnswer, "line 1: want 3, got 4"
					took = 0.001
				case took > 2:
					continue
				case took > 1:
					t.Verdict, t.Why, took = problem.TimeLimit, "used 1.00 s CPU, limit 1 s", 1
				}
				t.Outcome = sandbox.Outcome{CPU: time.Duration(took * 1e9), Wall: time.Duration(took * 1e9), Memory: 2<<20 + int64(s*8)*int64(n)}
				m.Trials = append(m.Trials, t)
			}
		}
	}
	return &record.Document{
		Machine:  record.Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Kernel: "6.1", Pinned: true, Protection: "box"},
		Problems: []record.Problem{{ID: "sum", Limits: m.Limits, Sections: record.Sections{"measurement": m, "scaling": bench.ScalingOf(m)}}},
		Elapsed:  61 * time.Second,
	}
}

func TestScalingAsText(t *testing.T) {
	d := scaledDocument()
	for name, format := range map[string]func(*bytes.Buffer) error{
		"scaling.txt": func(b *bytes.Buffer) error { return report.Text{Writer: sheet.Writer, Verbose: true}.Write(b, d) },
		"scaling.md":  func(b *bytes.Buffer) error { return sheet.Writer.WriteMarkdown(b, d) },
	} {
		var b bytes.Buffer
		if err := format(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

// A doubt about the machine is listed once for all submissions, also in a
// comparison of the run with another.
func TestDoubtsOfAllCurves(t *testing.T) {
	d := scaledDocument()
	m := record.Of[*bench.Scaling](&d.Problems[0]).Measurement
	m.Load.Stolen = 0.2
	d.Problems[0].Sections["scaling"] = bench.ScalingOf(m)
	const busy = "the host took 20.0 % of the machine's time"
	var text bytes.Buffer
	if err := (report.Text{Writer: sheet.Writer}).Write(&text, d); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), busy); n != 1 {
		t.Errorf("%q is shown %d times, expected once:\n%s", busy, n, text.String())
	}
	if saved := sheet.Saved(d, "it").Doubts; len(saved) != 1 || !strings.HasPrefix(saved[0], busy) {
		t.Errorf("saved with doubts %q, expected one of %q", saved, busy)
	}
	if again, err := sheet.ReadBenchfmt(bytes.NewReader(benchLines(t, d)), "file"); err != nil || len(again.Doubts) != 1 {
		t.Errorf("benchmark lines are read with doubts %q, %v; expected one", again.Doubts, err)
	}
}
