package sheet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/sandbox"
)

// Tables of measurements on several workers show each of them, and what is not known of them.
func TestWorkers(t *testing.T) {
	pass := []problem.Expectation{{Permitted: []problem.Verdict{problem.Accepted}}}
	m := &bench.Measurement{Workers: []bench.Worker{{Name: "a", Class: "epyc-1"}, {Name: "b", Class: "epyc-1"}},
		Timing:      problem.TimeRule{ACToLimit: 2, LimitToTLE: 1.5, Resolution: 1},
		Submissions: []bench.Submission{{Name: "x.cpp", Language: "cpp", Expected: pass}}, Cases: []bench.Input{{Name: "secret/1"}}}
	for round := range 3 {
		for w := range 2 {
			o := sandbox.Outcome{CPU: time.Duration(1+w) * 400 * time.Millisecond, Beside: w * round}
			m.Trials = append(m.Trials, bench.Trial{Round: round, Worker: w, Verdict: problem.Accepted, Outcome: o})
		}
	}
	text := func(sheets []report.Sheet) string {
		var b strings.Builder
		for _, s := range sheets {
			b.WriteString(s.Title + "\n")
			for _, row := range s.Rows {
				for _, e := range row {
					b.WriteString(e.Text + "|")
				}
				b.WriteString("\n")
			}
			b.WriteString(strings.Join(s.Notes, "\n") + "\n")
		}
		return b.String()
	}
	const made = "made on 2 workers, on each the same runs: a, b (epyc-1); each run was the only one of its worker; the load of the workers by other programs is not known\n"
	const beside = "doubt: 2 runs of 6 were made beside other programs of their worker\n"
	for name, tt := range map[string]struct {
		got  []report.Sheet
		want []string
	}{
		"limits": {OfBand(bench.BandOf(m)), []string{"Proposed time limit: 2 s\n", "Each worker\na|epyc-1|x.cpp|400 ms|none||1 s|\nb|epyc-1|x.cpp|800 ms|none||2 s|\n", made, beside}},
		"bench":  {OfComparison(bench.CompareOf(m)), []string{"alone|x.cpp|800 ms|", "Each worker\nx.cpp|a|epyc-1|400 ms|0.500x|\nx.cpp|b|epyc-1|800 ms|1x|\n", "times are those of worker b,", made, beside}},
		"scale":  {OfScaling(bench.ScalingOf(m)), []string{"Each worker\nx.cpp|a|epyc-1|400 ms|0.500x|\n", "times are those of worker b,", made}},
	} {
		for _, want := range tt.want {
			if got := text(tt.got); !strings.Contains(got, want) {
				t.Errorf("%s:\n%s\nexpected it to contain\n%s", name, got, want)
			}
		}
	}
	facts := Conditions(m)
	if i := slices.IndexFunc(facts, func(f record.Fact) bool { return f.Name == "runs" }); i < 0 || facts[i].Value != "3" {
		t.Errorf("%v, expected 3 runs", facts)
	}
	one := m.Of(0)
	if got := text(OfBand(bench.BandOf(one))); strings.Contains(got, "Each worker") || !strings.Contains(got, "made on worker a (epyc-1); ") {
		t.Errorf("one worker:\n%s\nexpected no table, and its name", got)
	}
}
