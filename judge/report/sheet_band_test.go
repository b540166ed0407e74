package report_test

import (
	"fmt"
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

// bandOf returns a band of one case under a limit of 1 s. Each submission takes the
// given number of milliseconds in each of five runs; "+" means that it was stopped.
func bandOf(limit time.Duration, submissions ...string) *bench.Band {
	m := &bench.Measurement{Kind: bench.ForLimits, Confidence: 0.95, Timing: problem.TimeRule{Resolution: 1, ACToLimit: 2, LimitToTLE: 1.5}}
	m.Limits.Time = limit
	m.Cases = []bench.Input{{Name: "secret/1"}}
	for s, line := range submissions {
		name, ms, _ := strings.Cut(line, " = ")
		e := problem.Expectation{Permitted: []problem.Verdict{problem.Accepted}}
		if strings.HasPrefix(name, "time_limit_exceeded/") {
			e = problem.Expectation{Required: []problem.Verdict{problem.TimeLimit}}
		}
		m.Submissions = append(m.Submissions, bench.Submission{Name: name, Language: "cpp", Expected: []problem.Expectation{e}})
		for round := range 5 {
			var n int
			fmt.Sscan(ms, &n)
			took := time.Duration(n)*time.Millisecond + time.Duration(round)*time.Millisecond
			t := bench.Trial{Submission: s, Round: round, Verdict: problem.Accepted, Outcome: sandbox.Outcome{CPU: took, Wall: took}}
			if strings.HasSuffix(ms, "+") {
				t.Verdict, t.Outcome.Exceeded, t.Outcome.Limits.CPU = problem.TimeLimit, sandbox.CPU, took
			}
			m.Trials = append(m.Trials, t)
		}
	}
	return bench.BandOf(m)
}

func TestBandTitles(t *testing.T) {
	interrupted := bandOf(2*time.Second, "accepted/a = 600")
	interrupted.Measurement.Ended = bench.Interrupted
	for _, c := range []struct {
		b    *bench.Band
		want string
	}{
		{interrupted, "Interrupted; from the runs until then: Time limit 2 s: the smallest that obeys the rule"},
		{bandOf(0, "accepted/a = 600"), "Proposed time limit: 2 s"},
		{bandOf(2*time.Second, "accepted/a = 600"), "Time limit 2 s: the smallest that obeys the rule"},
		{bandOf(3*time.Second, "accepted/a = 600"), "Time limit 3 s obeys the rule; so does 2 s, the smallest"},
		{bandOf(time.Second, "accepted/a = 600"), "Time limit 1 s breaks the rule; proposed: 2 s"},
		{bandOf(time.Second, "accepted/a = 600", "time_limit_exceeded/t = 700"), "No time limit obeys the rule"},
	} {
		if got := sheet.Writer.Sheets(&record.Problem{Sections: record.Sections{"band": c.b}})[0].Title; got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

func TestWhyManyAreSkippedIsToldOnce(t *testing.T) {
	m := bandOf(time.Second, "accepted/a.cpp = 100", "time_limit_exceeded/b.cpp = 3000+").Measurement
	for _, name := range []string{"accepted/c.rs", "accepted/d.rs"} {
		m.Submissions = append(m.Submissions, bench.Submission{Name: name, Language: "rust", Skipped: "no rustc on the PATH"})
	}
	d := &record.Document{Problems: []record.Problem{{ID: "p", Limits: m.Limits, Sections: record.Sections{"measurement": m, "band": bench.BandOf(m)}}}}
	var b strings.Builder
	if err := (report.Text{Writer: sheet.Writer}).Write(&b, d); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "no rustc on the PATH") != 1 || !strings.Contains(b.String(), "accepted/c.rs, accepted/d.rs: ") || !strings.Contains(b.String(), "2 submissions measured, 2 not, ") {
		t.Errorf("expected why two are skipped once, and that they were not measured:\n%s", b.String())
	}
}
