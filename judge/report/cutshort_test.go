package report_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
)

// cutShort returns the same document twice, complete and interrupted.
func cutShort(measured bool) (whole, cut *record.Document) {
	if measured {
		whole, cut = measuredSum(), measuredSum()
		record.Of[*bench.Comparison](&cut.Problems[0]).Measurement.Ended = bench.Interrupted
		return whole, cut
	}
	made := func(stopped bool) *record.Document {
		done := &judge.Report{Submission: "accepted/a.go", Language: "go", Verdict: problem.Accepted, AsExpected: yes(), Runs: []judge.Run{run("1", problem.Accepted, ms, 1, "")}}
		other := *done
		other.Submission = "accepted/b.go"
		if stopped {
			other.AsExpected = nil
		}
		return &record.Document{Problems: []record.Problem{{ID: "sum", Cases: []string{"1"}, Reports: []*judge.Report{done, &other}}}}
	}
	return made(false), made(true)
}

func TestEveryFormatTellsOfAnInterruption(t *testing.T) {
	for _, measured := range []bool{false, true} {
		whole, cut := cutShort(measured)
		for _, f := range formats {
			if f.Name == "json" && !measured {
				continue // JSON has as_expected: null instead
			}
			for d, want := range map[*record.Document]bool{whole: false, cut: true} {
				var b bytes.Buffer
				if err := f.Write(&b, d); err != nil {
					t.Fatal(err)
				}
				if got := strings.Contains(b.String(), "interrupted"); got != want {
					t.Errorf("%s, measured %v: shown as interrupted: %v, expected %v", f.Name, measured, got, want)
				}
			}
		}
	}
}

// An interrupted run that is read for a comparison has a doubt.
func TestSavedRunsThatWereInterrupted(t *testing.T) {
	for _, measured := range []bool{false, true} {
		whole, cut := cutShort(measured)
		for d, want := range map[*record.Document]bool{whole: false, cut: true} {
			again := reread(t, d, sheet.Sections...)
			lines, err := sheet.ReadBenchfmt(bytes.NewReader(benchLines(t, d)), "file")
			if err != nil {
				t.Fatal(err)
			}
			for from, s := range map[string]*bench.StoredRun{"JSON": sheet.Saved(again, "file"), "benchmark lines": lines} {
				if got := slices.Contains(s.Doubts, report.CutShort); got != want {
					t.Errorf("measured %v, from %s: doubts %q", measured, from, s.Doubts)
				}
			}
		}
	}
}

// Benchstat separates configurations: a complete problem after an interrupted one
// is not marked as interrupted.
func TestBenchstatTellsWhatWasInterrupted(t *testing.T) {
	whole, cut := cutShort(true)
	whole.Problems[0].ID, record.Of[*bench.Comparison](&whole.Problems[0]).Measurement.Problem = "whole", "whole"
	cut.Problems = append(cut.Problems, whole.Problems...)
	lines, seen := benchfmt.NewReader(bytes.NewReader(benchLines(t, cut)), "file"), 0
	for lines.Scan() {
		line, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		seen++
		want := "interrupted"
		if strings.Contains(string(line.Name), "problem=whole") {
			want = ""
		}
		if got := line.GetConfig("ended"); got != want {
			t.Errorf("%s is configured as ended: %q, expected %q", line.Name, got, want)
		}
	}
	if seen == 0 {
		t.Error("no lines")
	}
}
