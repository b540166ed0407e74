package bench

import (
	"math"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/machine"
	"crucible/judge/measure/stat"
	"crucible/judge/prepare/generate"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// grown returns a measurement of simulated trials, in which submission s takes
// seconds[s](n) on size n. A run over the limit of 1 s is stopped, and a submission
// does not run on sizes that take more than twice the limit.
func grown(sizes []float64, seconds ...func(n float64) float64) *Measurement {
	m := &Measurement{Kind: ForScale, Confidence: 0.95, Limits: problem.Limits{Time: time.Second}, Growth: &Growth{Command: "gen {n}"}}
	for s := range seconds {
		m.Submissions = append(m.Submissions, Submission{Name: string(rune('a' + s)), Language: "c"})
	}
	for _, n := range sizes {
		m.Cases = append(m.Cases, Input{Name: "secret/n", Size: n})
	}
	noise := []float64{1, 1.004, 0.997, 1.002, 0.995}
	for round := -1; round < len(noise); round++ {
		for k, n := range sizes {
			for s, of := range seconds {
				t := Trial{Submission: s, Case: k, Round: round, Verdict: problem.Accepted}
				factor := 100. // the warm-up does not count
				if round >= 0 {
					factor = noise[(round+k)%len(noise)]
				}
				took := of(n) * factor
				if took > 1 {
					took, t.Verdict, t.Why = 1, problem.TimeLimit, "used 1.00 s CPU, limit 1 s"
				}
				if of(n) > 2 {
					continue // no runs on such sizes
				}
				t.Outcome = sandbox.Outcome{CPU: time.Duration(took * 1e9), Wall: time.Second, Memory: 1<<20 + int64(n)*100}
				m.Trials = append(m.Trials, t)
			}
		}
	}
	return m
}

var doubled = []float64{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192}

func linear(n float64) float64 { return 0.05 + 1e-4*n } // 0.95 s at 9000
func square(n float64) float64 { return 0.001 + 1e-6*n*n }
func nothing(float64) float64  { return math.Inf(1) }

func TestScalingOfGrowth(t *testing.T) {
	s := ScalingOf(grown(doubled, linear, square))
	a, b := &s.Curves[0], &s.Curves[1]
	if a.Time.Model != stat.Linear || !a.Time.Of.Holds(1) || len(a.Points) != 10 || a.Measured != 8192 || math.Abs(a.Largest/9500-1) > 0.02 || a.Stopped != "" {
		t.Errorf("linear: %+v", a)
	}
	if b.Time.Model != stat.Power || !b.Time.Of.Holds(2) || b.Measured != 512 || math.Abs(b.Largest/999.5-1) > 0.05 {
		t.Errorf("square: %+v", b)
	}
	if last := b.Points[len(b.Points)-1]; len(b.Points) != 7 || last.N != 1024 || last.Verdict != problem.TimeLimit || last.CPU.Median != 1 {
		t.Errorf("square: it has %d points, the last %+v; expected the one that was stopped", len(b.Points), last)
	}
	if want := "TLE on secret/n: used 1.00 s CPU, limit 1 s"; b.Stopped != want {
		t.Errorf("square was stopped by %q, expected %q", b.Stopped, want)
	}
	if b.Memory.Model != stat.Linear || math.Abs(b.Memory.B-100) > 5 {
		t.Errorf("memory: %+v; expected 100 B for each", b.Memory)
	}
	// 0.05 + 1e-4·n = 0.001 + 1e-6·n²
	if want := 50 + math.Sqrt(2500+49000); len(s.Crossings) != 1 || math.Abs(s.Crossings[0].N/want-1) > 0.02 {
		t.Fatalf("crossings %+v, expected one at %.0f", s.Crossings, want)
	}
	if c := s.Crossings[0]; c.A != 1 || c.B != 0 || !c.Within {
		t.Errorf("%+v: expected the square to be faster below, as measured", c)
	}
}

func TestCrossingsBeyondWhatWasMeasured(t *testing.T) {
	steep := func(n float64) float64 { return 0.001 + 1e-3*n } // the square is slower from 1000 on
	s := ScalingOf(grown(doubled[:6], steep, square))
	if len(s.Crossings) != 1 || s.Crossings[0].Within || math.Abs(s.Crossings[0].N/1000-1) > 0.05 {
		t.Errorf("%+v; expected one at 1000, which is not within the sizes", s.Crossings)
	}
	if s := ScalingOf(grown(doubled[:5], linear, square)); s.Crossings != nil || s.Curves[0].Time.Doubts == nil {
		t.Errorf("%+v, doubts %v; expected none of a fit that is doubtful beyond its sizes", s.Crossings, s.Curves[0].Time.Doubts)
	}
	twice := func(n float64) float64 { return 2 * linear(n) }
	if s := ScalingOf(grown(doubled, linear, twice, linear)); s.Crossings != nil {
		t.Errorf("%+v; expected none where one is always faster, or they are the same", s.Crossings)
	}
}

// remembering sets the memory of the first submission to bytes(n), and stops runs
// that need more than the limit.
func remembering(m *Measurement, limit int64, bytes func(n float64) float64) *Measurement {
	m.Limits.Memory = limit
	for i := range m.Trials {
		t := &m.Trials[i]
		if t.Submission == 0 {
			t.Outcome.Memory = int64(bytes(m.Cases[t.Case].Size))
			if t.Verdict == problem.Accepted && t.Outcome.Memory > limit {
				t.Outcome.Memory, t.Verdict = limit, problem.MemoryLimit
			}
		}
	}
	return m
}

// TestSizesWithinTheLimits checks that the largest size satisfies the limits of
// time and memory, is at least the largest measured size, and is less than the
// smallest size at which a run was stopped.
func TestSizesWithinTheLimits(t *testing.T) {
	flat := func(float64) float64 { return 1 << 20 }
	slight := func(float64) float64 { return 0.0007 }
	large := []float64{1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22, 1 << 25, 1 << 28}
	for _, tt := range []struct {
		name        string
		m           *Measurement
		measured    float64
		least, most float64 // bounds of the largest size; 0 means that it is not known
		bound       problem.Verdict
	}{
		{"time", remembering(grown(doubled, linear), 1<<30, flat), 8192, 9300, 9700, problem.TimeLimit},
		{"memory", remembering(grown(doubled, linear), 900_000, func(n float64) float64 { return 100 * n }), 8192, 8900, 9100, problem.MemoryLimit},
		{"memory that was stopped", remembering(grown(doubled, linear), 500_000, func(n float64) float64 { return 100 * n }), 4096, 4900, 5100, problem.MemoryLimit},
		{"memory that begins to grow", remembering(grown(doubled, slight), 1<<27, func(n float64) float64 { return map[bool]float64{false: 1 << 18, true: 1 << 28}[n > 2000] }), 1024, 0, 0, ""},
		{"never below what was measured", remembering(grown(doubled, func(n float64) float64 { return min(linear(n), 0.80) }), 1<<30, flat), 8192, 8192, 1e6, problem.TimeLimit},
		{"below what was stopped", remembering(grown([]float64{100, 200, 300, 400, 500, 600, 700}, func(n float64) float64 { return map[bool]float64{false: 1.3e-3 * n, true: 1.1}[n > 650] }), 1<<30, flat), 600, 600, 699, problem.TimeLimit},
		{"a fit that what was stopped contradicts", remembering(grown(doubled, func(n float64) float64 { return map[bool]float64{false: 1e-5 * n, true: 1.5}[n > 5000] }), 1<<30, flat), 4096, 0, 0, ""},
		{"too small sizes for constants", remembering(grown(doubled, slight), 1<<30, flat), 8192, 0, 0, ""},
		{"large ones", remembering(grown(large, slight), 1<<30, flat), 1 << 28, math.Inf(1), math.Inf(1), ""},
	} {
		c := ScalingOf(tt.m).Curves[0]
		if known := !math.IsNaN(c.Largest); c.Measured != tt.measured || known != (tt.most > 0) || known && !(tt.least <= c.Largest && c.Largest <= tt.most) || known && c.Bound != tt.bound {
			t.Errorf("%s: %v measured, %v by the fits, %q; expected %v, %v to %v, %q\n%+v\n%+v", tt.name, c.Measured, c.Largest, c.Bound, tt.measured, tt.least, tt.most, tt.bound, c.Time, c.Memory)
		}
	}
}

// TestDoubtsOfCurves checks that a constant fit has a doubt with the growth that it
// may hide, and that load of the machine and equal inputs cast doubt on all fits.
func TestDoubtsOfCurves(t *testing.T) {
	slight := func(float64) float64 { return 0.0014 }
	c := ScalingOf(remembering(grown(doubled, slight), 1<<30, func(float64) float64 { return 1 << 20 })).Curves[0]
	if c.Time.Model != stat.Constant || len(c.Time.Doubts) != 1 || c.Time.Doubts[0].Kind != "start-up" || !strings.HasPrefix(c.Time.Doubts[0].Text, "growth by up to 2.08 ns for each n would be hidden") {
		t.Errorf("time: %s, %v", c.Time.Model, c.Time.Doubts)
	}
	if c.Memory.Model != stat.Constant || len(c.Memory.Doubts) != 1 || !strings.HasPrefix(c.Memory.Doubts[0].Text, "growth by up to 33 B for each n would be hidden") {
		t.Errorf("memory: %s, %v", c.Memory.Model, c.Memory.Doubts)
	}
	m := grown(doubled, linear)
	if c := ScalingOf(m).Curves[0]; c.Time.Doubts != nil {
		t.Errorf("on a quiet machine: %v", c.Time.Doubts)
	}
	m.Load, m.Doubts = machine.Activity{Others: 1.7}, []string{"all sizes from 1 to 4 have the same input"}
	if c := ScalingOf(m).Curves[0]; kinds(c.Time) != "load inputs" || kinds(c.Memory) != "start-up inputs" {
		t.Errorf("time %v, memory %v; expected what others did, and what inputs are like", c.Time.Doubts, c.Memory.Doubts)
	}
}

func kinds(f stat.Fit) string {
	var all []string
	for _, d := range f.Doubts {
		all = append(all, d.Kind)
	}
	return strings.Join(all, " ")
}

func TestCurvesThatAreNotWhole(t *testing.T) {
	m := grown(doubled, linear, square, nothing)
	m.Submissions[2].Skipped = "no compiler"
	for _, tt := range []struct {
		name             string
		at               float64 // size of the changed trial
		change           func(*Trial)
		wrong, stopped   string
		points, measured float64
	}{
		{"one wrong answer among right ones", 256, func(t *Trial) { t.Verdict, t.Why = problem.WrongAnswer, "line 1" }, "", "WA on secret/n: line 1", 10, 8192},
		{"wrong from the first", 16, func(t *Trial) { t.Verdict, t.Why = problem.RuntimeError, "exit status 1" }, "", "RTE on secret/n: exit status 1", 10, 8192},
		{"the judge failed", 8192, func(t *Trial) { t.Verdict, t.Err = "", "the disk is full" }, "", "judge error on secret/n: the disk is full", 9, 4096},
		{"one run of five was too slow", 8192, func(t *Trial) { t.Verdict = problem.TimeLimit }, "", "", 10, 8192},
	} {
		m := grown(doubled, linear)
		for i := range m.Trials {
			if x := &m.Trials[i]; x.Round == 2 && m.Cases[x.Case].Size == tt.at {
				tt.change(x)
			}
		}
		c := ScalingOf(m).Curves[0]
		if c.Wrong != tt.wrong || c.Stopped != tt.stopped || float64(len(c.Points)) != tt.points || c.Measured != tt.measured || c.Time.Model != stat.Linear {
			t.Errorf("%s: wrong %q, stopped %q, %d points, measured %v, %s; expected %+v", tt.name, c.Wrong, c.Stopped, len(c.Points), c.Measured, c.Time.Model, tt)
		}
		for _, p := range c.Points {
			if p.N == tt.at && (p.Verdict == problem.WrongAnswer || p.Verdict == problem.RuntimeError) && p.CPU.N > 0 {
				t.Errorf("%s: %+v: a wrong answer has no time", tt.name, p)
			}
		}
	}
	if c := ScalingOf(m).Curves[2]; c.Wrong != "skipped: no compiler" || c.Points != nil {
		t.Errorf("skipped: %+v", c)
	}
	never := grown(doubled[:1], linear)
	for i := range never.Trials {
		never.Trials[i].Verdict = problem.WrongAnswer
	}
	if c := ScalingOf(never).Curves[0]; c.Wrong != "WA on secret/n" || c.Points != nil {
		t.Errorf("never right: %+v", c)
	}
	if s := ScalingOf(&Measurement{Kind: ForScale}); s.Curves != nil || s.Crossings != nil {
		t.Errorf("nothing: %+v", s)
	}
}

func TestGapsBetweenSizes(t *testing.T) {
	gap := func(m *Measurement) (int64, []int) {
		c := &growthRun{m: m, out: make([]bool, len(m.Submissions))}
		return c.gap()
	}
	steep := func(n float64) float64 { return 0.001 * math.Pow(2, n) }
	for _, tt := range []struct {
		name  string
		m     *Measurement
		n     int64
		whose []int
	}{
		{"smooth, and no limit", grown(doubled, linear), 0, nil},
		{"where the limit lies", grown(doubled, linear, square), 724, []int{1}},
		{"a time that jumps before it", grown([]float64{1, 2, 8, 9, 10}, steep), 4, []int{0}},
		{"sizes with none in between", grown([]float64{1, 2}, func(n float64) float64 { return 0.002 * math.Pow(20, n) }), 0, nil},
		{"a limit that is close enough", grown([]float64{512, 900, 1001}, square), 0, nil},
		{"a wrong answer is no limit", func() *Measurement {
			m := grown(doubled, linear)
			for i := range m.Trials {
				m.Trials[i].Verdict = problem.WrongAnswer
			}
			return m
		}(), 0, nil},
	} {
		n, whose := gap(tt.m)
		if n != tt.n || len(whose) != len(tt.whose) || len(whose) > 0 && whose[0] != tt.whose[0] {
			t.Errorf("%s: %d for %v, expected %d for %v", tt.name, n, whose, tt.n, tt.whose)
		}
	}
}

func TestSizesGrow(t *testing.T) {
	for _, tt := range []struct {
		from, to int64
		factor   float64
		want     int64
	}{
		{16, 0, 2, 32}, {16, 0, 1.5, 24}, {3, 0, 1.01, 4}, {128, 200, 2, 200}, {200, 200, 2, 400}, {generate.MaxSize, 0, 1e300, 2 * generate.MaxSize},
	} {
		c := &growthRun{GrowthPlan: GrowthPlan{Growth: generate.Growth{To: tt.to, Factor: tt.factor}}}
		if got := c.next(tt.from); got != tt.want {
			t.Errorf("after %d, up to %d by %v: %d, expected %d", tt.from, tt.to, tt.factor, got, tt.want)
		}
	}
}
