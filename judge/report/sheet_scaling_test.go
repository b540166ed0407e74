package report

import (
	"bytes"
	"math"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/sandbox"
	"crucible/judge/stat"
)

// scaledDocument is a document of one scaling of made-up trials: of programs
// that take a millisecond to start, and seconds[s] of n.
func scaledDocument() *Document {
	sizes := []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}
	m := &bench.Measurement{
		Kind: bench.ForScale, Problem: "sum", Limits: judge.Limits{Time: time.Second, Memory: 256 << 20}, Seed: 42, Confidence: 0.95, Looks: 1,
		Cores: []int{1}, Budget: time.Minute, Ended: bench.AllRounds,
		Growth: &bench.Growth{Series: "words", Command: "words {n} {seed}", Counts: "words", Ended: "sizes up to 16384 were asked for"},
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
				t := bench.Trial{Submission: s, Case: k, Round: round, Verdict: judge.Accepted}
				took := (0.001 + of(n)) * (1 + 0.01*math.Sin(float64(7*round+3*k+s)))
				switch {
				case math.IsNaN(took):
					t.Verdict, t.Why = judge.WrongAnswer, "line 1: want 3, got 4"
					took = 0.001
				case took > 2:
					continue
				case took > 1:
					t.Verdict, t.Why, took = judge.TimeLimit, "used 1.00 s CPU, limit 1 s", 1
				}
				t.Outcome = sandbox.Outcome{CPU: time.Duration(took * 1e9), Wall: time.Duration(took * 1e9), Memory: 2<<20 + int64(s*8)*int64(n)}
				m.Trials = append(m.Trials, t)
			}
		}
	}
	return &Document{
		Machine:  Machine{OS: "linux", Arch: "amd64", CPU: "Some CPU", Cores: 2, Kernel: "6.1", Pinned: true, Protection: "box"},
		Problems: []Problem{{ID: "sum", Limits: m.Limits, Scaling: bench.ScalingOf(m)}},
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
		{stat.Fit{Model: stat.Power, B: 1e-6, K: 1.5849, Of: stat.Interval{Lo: 1.5, Hi: 1.7}}, "n^1.58", "1.00 µs·n^1.58", "1.50–1.70"},
		{stat.Fit{Model: stat.Exponential, A: 1, B: 2, K: 1.0442, Of: stat.Interval{Lo: 1.04, Hi: 1.05}}, "1.044^n", "1.00 s + 2.00 s·1.044^n", "base 1.040–1.050"},
		{stat.Fit{Model: stat.Exponential, B: 1e-9, K: 2.02, Of: stat.Interval{Lo: 1.9, Hi: 2.2}}, "2.0^n", "1 ns·2.0^n", "base 1.90–2.20"},
	} {
		if model, text, exponent := modelText(&tt.fit), formula(&tt.fit, fineTime), exponent(&tt.fit); model != tt.model || text != tt.formula || exponent != tt.exponent {
			t.Errorf("%+v: %q, %q, %q; want %q, %q, %q", tt.fit, model, text, exponent, tt.model, tt.formula, tt.exponent)
		}
	}
}
