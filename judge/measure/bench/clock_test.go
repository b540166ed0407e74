package bench

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// exactly returns counts that repeat: a million for a, and ten more for b.
func exactly(submission, _ string, _ int) int64 { return 1_000_000 + 10*int64(submission[0]-'a') }

// varying returns counts that vary by up to 0.6 %.
func varying(submission, kase string, n int) int64 {
	return exactly(submission, kase, n) + int64((n+int(submission[0]))*7919%61)*100
}

func TestRoundsOfCounts(t *testing.T) {
	for _, c := range []struct {
		name        string
		count       func(submission, kase string, n int) int64
		submissions int
		rounds      int
		claim       stat.Claim
	}{
		{"a difference of one in 100 000 is a claim from two rounds", exactly, 2, 2, stat.Slower},
		{"equal counts are equal", func(string, string, int) int64 { return 42 }, 2, 2, stat.Equal},
		{"a single submission", exactly, 1, 2, ""},
		{"counts that vary need as many rounds as times", varying, 2, 10, stat.CannotTell},
		{"and so do those of which one varies", func(s, k string, n int) int64 {
			if s == "b" && k == "2" {
				return varying(s, k, n)
			}
			return exactly(s, k, n)
		}, 2, 10, stat.Slower},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, &script{takes: noisy, count: c.count}, c.submissions, 2, 1, func(t *testing.T, s *Series) {
				m := s.Measurement
				m.Clock = ByInstructions
				if err := (Plan{Warmup: 1, Precision: 0.01}).Run(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				comparison := CompareOf(m)
				if got := roundsOf(m); got != c.rounds || m.Ended != Precise {
					t.Errorf("%d rounds, ended by %q; expected %d, %q", got, m.Ended, c.rounds, Precise)
				}
				if c.submissions == 1 {
					if all := comparison.AloneCount; all == nil || !all.Exact() || math.Abs(all.Median-1_000_000) > 1e-6 || comparison.Alone != nil {
						t.Errorf("%+v and %+v; expected an exact count of 1000000, and no time", all, comparison.Alone)
					}
					return
				}
				// Noisy times of the same runs allow no claim: only the counts can decide.
				r := comparison.Programs[1].Cells[0].Ratio
				if all := comparison.Programs[1].Overall; all.Claim != c.claim && !strings.HasPrefix(c.name, "and so") || r.Claim != c.claim {
					t.Errorf("%+v over all cases, %+v on the first; expected %q", all, r, c.claim)
				}
			})
		})
	}
}

func TestRatiosOverAllCases(t *testing.T) {
	m := made(12, []float64{1, 2, 4}, []float64{2, 2.2, 2})
	for i := range m.Trials {
		m.Trials[i].Outcome.Instructions = int64([][]float64{{100, 200, 400}, {200, 220, 200}}[m.Trials[i].Submission][m.Trials[i].Case])
	}
	m.Clock = ByInstructions
	p := CompareOf(m).Programs[1]
	if got := fmt.Sprintf("%.4f %.4f %v %v", p.Overall.Ratio, *p.Total, *p.Fastest, *p.Slowest); got != "1.0323 0.8857 {2 0.5} {0 2}" {
		t.Errorf("mean, total, fastest and slowest case: %s", got)
	}
	if reference := CompareOf(m).Programs[0]; reference.Total != nil || reference.Slowest != nil {
		t.Errorf("the reference has a ratio: %+v", reference)
	}
	if p := CompareOf(m.change(1, 1, 0, func(t *Trial) { t.Err = "disk full" })).Programs[1]; p.Total != nil || p.Fastest != nil {
		t.Errorf("a submission without times on one case has a ratio of totals: %+v", p)
	}
}

// countedCell returns a cell that has only counts.
func countedCell(counts ...float64) StoredCell {
	c := StoredCell{Case: "1", Values: map[Metric][]float64{ByInstructions: counts}}
	for i := range counts {
		c.Rounds = append(c.Rounds, i)
	}
	return c
}

func TestCountsAgainst(t *testing.T) {
	run := func(counts ...float64) *StoredRun {
		s := savedRun(savedAs("a", countedCell(counts...)))
		s.Counter = "qemu 7"
		return s
	}
	for _, c := range []struct {
		name      string
		old, new  *StoredRun
		threshold float64
		want      string
	}{
		{"one instruction in 100 000 is a regression", run(100_000, 100_000), run(100_001, 100_001), 0, "a 1: regression, slower"},
		{"below the threshold it is held", run(100_000, 100_000), run(100_001, 100_001), 0.001, "a 1: held, slower"},
		{"equal counts are held at any threshold", run(5, 5), run(5, 5), 0, "a 1: held, equal"},
		{"fewer are faster", run(100_001, 100_001), run(100_000, 100_000), 0, "a 1: held, faster"},
		{"a single run may not repeat", run(100_000), run(200_000), 0, "a 1: open, cannot tell"},
		{"counts that vary are not exact", run(100_000, 100_000), run(100_001, 100_002), 0, "a 1: open, cannot tell"},
	} {
		if got := strings.Join(outcomesOf(against(c.old, c.new, Criterion{Threshold: c.threshold})), "; "); got != c.want {
			t.Errorf("%s: %s; expected %s", c.name, got, c.want)
		}
	}
}

func TestClocksAreNeverCompared(t *testing.T) {
	clocks := map[string]*StoredRun{}
	for _, counter := range []string{"", "qemu 7", "qemu 8", "hardware counters of A", "hardware counters of B"} {
		c := countedCell(5, 5)
		c.Values[ByCPU], c.Values[ByWall], c.Values[ByMemory] = []float64{1, 1}, []float64{1, 1}, []float64{1, 1}
		s := savedRun(savedAs("a", c))
		s.Name, s.Counter = "run by "+counter, counter
		clocks[counter] = s
	}
	for a, old := range clocks {
		for b, new := range clocks {
			for _, metric := range append(Metrics, "") {
				for _, reference := range []string{"", "a"} {
					_, err := RunComparisonOf(old, new, Criterion{Metric: metric, Reference: reference})
					if (err == nil) != (a == b) {
						t.Errorf("%q and %q by %q: %v", a, b, metric, err)
					}
					if err != nil && !(strings.Contains(err.Error(), a) && strings.Contains(err.Error(), b) && strings.Contains(err.Error(), old.clock()) && strings.Contains(err.Error(), new.clock())) {
						t.Errorf("%q and %q: the error does not name both: %v", a, b, err)
					}
				}
			}
		}
	}
}

// Counts of linear programs are fitted exactly, whatever their times are.
func TestScalingOfCounts(t *testing.T) {
	m := &Measurement{Kind: ForScale, Clock: ByInstructions, Confidence: 0.95, Submissions: []Submission{{Name: "a"}, {Name: "b"}}}
	for k := range 10 {
		n := 100 << k
		m.Cases = append(m.Cases, Input{Name: fmt.Sprint(n), Size: float64(n)})
		for s, count := range []int64{int64(50_000 + 7*n), int64(10_000 + 20*n)} {
			for round := range 2 {
				m.Trials = append(m.Trials, Trial{Submission: s, Case: k, Round: round, Verdict: problem.Accepted,
					Outcome: sandbox.Outcome{CPU: time.Duration(1+(7*k+3*s+round)%5) * time.Millisecond, Memory: 1 << 20, Instructions: count}})
			}
		}
	}
	scaling := ScalingOf(m)
	for s, want := range [][2]float64{{50_000, 7}, {10_000, 20}} {
		c := &scaling.Curves[s]
		if f := c.Growth(); f != c.Count || f.Model != stat.Linear || math.Abs(f.A/want[0]-1) > 1e-6 || math.Abs(f.B/want[1]-1) > 1e-6 || len(f.Doubts) > 0 {
			t.Errorf("%s: %+v; expected %v + %v n without a doubt", m.Submissions[s].Name, f, want[0], want[1])
		}
		for _, p := range c.Points {
			if p.Count == nil || !p.Count.Exact() {
				t.Errorf("n = %v: %+v; expected an exact count", p.N, p.Count)
			}
		}
	}
	if x := scaling.Crossings; len(x) != 1 || x[0].A != 1 || x[0].B != 0 || math.Abs(x[0].N-40_000/13.) > 1 {
		t.Errorf("%+v; expected that b needs fewer below n = %v", x, 40_000/13.)
	}
	// A point without all of its counts has none.
	m.Trials[0].Outcome.Instructions, m.Trials[0].Err = 0, "not counted"
	if p := ScalingOf(m).Curves[0].Points[0]; p.Count != nil {
		t.Errorf("%+v; expected no count", p)
	}
}
