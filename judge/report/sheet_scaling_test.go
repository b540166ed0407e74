package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
	"crucible/judge/stat"
)

// scaledDocument is a document of one scaling of made-up trials: of programs
// that take a millisecond to start, and seconds[s] of n.
func scaledDocument() *record.Document {
	sizes := []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}
	m := &bench.Measurement{
		Kind: bench.ForScale, Problem: "sum", Limits: problem.Limits{Time: time.Second, Memory: 256 << 20}, Seed: 42, Confidence: 0.95, Looks: 1,
		Cores: []int{1}, Budget: time.Minute, Ended: bench.AllRounds,
		Growth: &bench.Growth{Series: "words", Command: "words {n} {seed}", Counts: "words", Ended: "sizes up to 16384 were requested"},
		Submissions: []bench.Entrant{
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
		Problems: []record.Problem{{ID: "sum", Limits: m.Limits, Measurement: m, Scaling: bench.ScalingOf(m)}},
		Elapsed:  61 * time.Second,
	}
}

func TestScalingAsText(t *testing.T) {
	d := scaledDocument()
	for name, format := range map[string]func(*bytes.Buffer) error{
		"scaling.txt": func(b *bytes.Buffer) error { return Text{Verbose: true}.Write(b, d) },
		"scaling.md":  func(b *bytes.Buffer) error { return WriteMarkdown(b, d) },
	} {
		var b bytes.Buffer
		if err := format(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

func TestFormulas(t *testing.T) {
	for _, tt := range []struct {
		fit                      stat.Fit
		model, formula, exponent string
	}{
		{stat.Fit{Model: stat.Constant, A: 0.0123}, "constant", "12.3 ms", ""},
		{stat.Fit{Model: stat.Linear, A: 0.0012, B: 3.4e-9, Of: stat.Interval{Lo: 0.98, Hi: 1.03}}, "n", "1.20 ms + 3.4 ns·n", "0.98–1.03"},
		{stat.Fit{Model: stat.Linearithmic, B: 2.5e-13, Of: stat.Interval{Lo: 1, Hi: math.Inf(1)}}, "n log n", "2.5e-13 s·n ln n", "at least 1.00"},
		{stat.Fit{Model: stat.Linear, A: 0.0012, B: 6e-10, Of: stat.Interval{Lo: 0.864, Hi: 0.9993}}, "n", "1.20 ms + 600 ps·n", "0.8640–0.9993"},
		{stat.Fit{Model: stat.Power, B: 1e-6, K: 1.5849, Of: stat.Interval{Lo: 1.5, Hi: 1.7}}, "n^1.58", "1.00 µs·n^1.58", "1.50–1.70"},
		{stat.Fit{Model: stat.Exponential, A: 1, B: 2, K: 1.0442, Of: stat.Interval{Lo: 1.04, Hi: 1.05}}, "1.044^n", "1.00 s + 2.00 s·1.044^n", "base 1.040–1.050"},
		{stat.Fit{Model: stat.Exponential, B: 1e-9, K: 2.02, Of: stat.Interval{Lo: 1.9, Hi: 2.2}}, "2.0^n", "1 ns·2.0^n", "base 1.90–2.20"},
	} {
		if model, text, exponent := modelText(&tt.fit), formula(&tt.fit, fineTime), exponent(&tt.fit); model != tt.model || text != tt.formula || exponent != tt.exponent {
			t.Errorf("%+v: %q, %q, %q; want %q, %q, %q", tt.fit, model, text, exponent, tt.model, tt.formula, tt.exponent)
		}
	}
}

// What a fit says of larger sizes is the same in every format, and so is that it
// is in doubt.
func TestLargestIsOneTruth(t *testing.T) {
	doubts := []stat.Doubt{{Kind: "few", Text: "five sizes only"}}
	for _, tt := range []struct {
		name               string
		curve              bench.Curve
		text, says, reach_ string // of the tables, of the page, of JSON
	}{
		{"a size", bench.Curve{Largest: 2e6, Bound: problem.TimeLimit}, "2.00 M", "; up to 2.00 M by the fit", "size"},
		{"memory ends it", bench.Curve{Largest: 2e6, Bound: problem.MemoryLimit}, "2.00 M, MLE", "; up to 2.00 M, MLE by the fit", "size"},
		{"far away, by a fit in doubt", bench.Curve{Largest: 9e7, Bound: problem.TimeLimit, Time: stat.Fit{Doubts: doubts}}, "?", "; what the fit says of larger sizes is in doubt", "doubtful"},
		{"far away, but it is memory, which is not", bench.Curve{Largest: 9e7, Bound: problem.MemoryLimit, Time: stat.Fit{Doubts: doubts}}, "90.0 M, MLE", "; up to 90.0 M, MLE by the fit", "size"},
		{"near, by a fit in doubt", bench.Curve{Largest: 2e6, Bound: problem.TimeLimit, Time: stat.Fit{Doubts: doubts}}, "2.00 M", "; up to 2.00 M by the fit", "size"},
		{"any", bench.Curve{Largest: math.Inf(1)}, "any", "; at any size by the fit", "any"},
		{"any, but it was stopped", bench.Curve{Largest: math.Inf(1), Stopped: "WA on n"}, "-", "as measured", "unknown"},
		{"not known", bench.Curve{Largest: math.NaN()}, "-", "as measured", "unknown"},
		{"none", bench.Curve{Largest: 0.5, Bound: problem.TimeLimit}, "none", "; at no size by the fit", "none"},
	} {
		c := &tt.curve
		c.Measured, c.Time.Model, c.Memory.Model = 1e6, stat.Linear, stat.Linear
		m := &bench.Measurement{Kind: bench.ForScale, Submissions: []bench.Entrant{{Name: "a.c"}}, Limits: problem.Limits{Time: time.Second}}
		s := &bench.Scaling{Measurement: m, Curves: []bench.Curve{*c}}
		row := Sheets(&record.Problem{Scaling: s})[0].Rows[0]
		claim, j := growthClaim("a.c", c, m), ToJSON(&record.Document{Problems: []record.Problem{{Scaling: s}}}).Problems[0].Scaling.Curves[0]
		if text := row[len(row)-1].Text; text != tt.text || !strings.HasSuffix(claim.Text, tt.says) || string(j.Reach) != tt.reach_ || (j.Largest != nil) != (tt.reach_ == "size") {
			t.Errorf("%s: table %q, page %q, JSON %v %s", tt.name, text, claim.Text, j.Largest, j.Reach)
		}
		if claim.Number != row[2].Text || claim.Mark != row[2].Mark && c.Stopped == "" {
			t.Errorf("%s: model %q %s, on the page %q %s", tt.name, row[2].Text, row[2].Mark, claim.Number, claim.Mark)
		}
	}
}

// A doubt about the machine is told once for all, and whoever compares the run
// with another is told, too.
func TestDoubtsOfAllCurves(t *testing.T) {
	d := scaledDocument()
	m := d.Problems[0].Scaling.Measurement
	m.Load.Stolen = 0.2
	d.Problems[0].Measurement, d.Problems[0].Scaling = m, bench.ScalingOf(m)
	const busy = "the host took 20.0 % of the machine's time"
	var text bytes.Buffer
	if err := (Text{}).Write(&text, d); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), busy); n != 1 {
		t.Errorf("%q is told %d times, want once:\n%s", busy, n, text.String())
	}
	if saved := Saved(d, "it").Doubts; len(saved) != 1 || !strings.HasPrefix(saved[0], busy) {
		t.Errorf("saved with doubts %q, want one of %q", saved, busy)
	}
	if again, err := ReadBenchfmt(bytes.NewReader(benchLines(t, d)), "file"); err != nil || len(again.Doubts) != 1 {
		t.Errorf("benchmark lines are read with doubts %q, %v; want one", again.Doubts, err)
	}
}
