package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
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
		m.Submissions = append(m.Submissions, bench.Entrant{Name: name, Language: "cpp", Expected: []problem.Expectation{e}})
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

func TestBandPicture(t *testing.T) {
	for _, c := range []struct {
		name string
		b    *bench.Band
		want string
	}{
		{"the limit stands between", bandOf(time.Second, "accepted/a.cpp = 10", "accepted/slow.py = 300", "time_limit_exceeded/t.cpp = 3000+"), `
accepted/a.cpp              ──●─                              ┊   │     ┊
accepted/slow.py                                         ●    ┊   │     ┊
time_limit_exceeded/t.cpp                                     ┊   │     ┊   ▶
                           ─┴──────────────────┴──────────────━━━━┿━━━━━━─────
                           10 ms            100 ms               1 s
│ limit 1 s   ┊ margins   ● must pass   ▶ stopped here
`},
		{"no limit separates, and nothing is thick", bandOf(time.Second, "accepted/slow.py = 900", "time_limit_exceeded/t.cpp = 1200"), `
accepted/slow.py                 ┊    ●    │                           ┊
time_limit_exceeded/t.cpp        ┊         │        ■                  ┊
                           ────────────────┼────────────────────────────────┴─
                                          1 s                              2 s
│ limit 1 s   ┊ margins   ● must pass   ■ must get TLE
`},
		{"no runs", bandOf(time.Second), ""},
	} {
		var b strings.Builder
		Text{}.Sheet(&b, &sheet.Sheet{Picture: Sheets(&record.Problem{Band: c.b})[0].Picture})
		var lines []string
		for line := range strings.Lines(b.String()) {
			lines = append(lines, strings.TrimPrefix(line, "  "))
		}
		if got, want := strings.TrimRight(strings.Join(lines, ""), "\n"), strings.Trim(c.want, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestBandPictureFits checks that pictures of all kinds fit 80 columns.
func TestBandPictureFits(t *testing.T) {
	long := strings.Repeat("accepted/\x1b[31m日本", 50) + ".cpp"
	var many []string
	for i := range 60 {
		many = append(many, fmt.Sprintf("accepted/%d.cpp = %d", i, 1+i*i))
	}
	for _, b := range []*bench.Band{
		bandOf(time.Second, long+" = 10", "time_limit_exceeded/"+long+" = 2000+"),
		bandOf(0, "accepted/a = 1"), bandOf(0, "accepted/a = 0"), bandOf(time.Hour, "accepted/a = 1"), bandOf(time.Nanosecond, "accepted/a = 100000"),
		bandOf(time.Second, many...), bandOf(0, "time_limit_exceeded/t = 5"),
	} {
		var text strings.Builder
		for _, s := range Sheets(&record.Problem{Band: b}) {
			only := sheet.Sheet{Picture: s.Picture}
			Text{}.Sheet(&text, &only)
		}
		lines := strings.Split(text.String(), "\n")
		if i := slices.IndexFunc(lines, func(line string) bool { return terminal.Width(line) > 80 || terminal.Clean(line) != line }); i >= 0 {
			t.Errorf("%q takes %d columns, or is not clean", lines[i], terminal.Width(lines[i]))
		}
		if len(lines) > 24+8 {
			t.Errorf("%d lines, expected 24 programs at most", len(lines))
		}
	}
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
		if got := Sheets(&record.Problem{Band: c.b})[0].Title; got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
	}
}

func TestWhyManyAreSkippedIsToldOnce(t *testing.T) {
	m := bandOf(time.Second, "accepted/a.cpp = 100", "time_limit_exceeded/b.cpp = 3000+").Measurement
	for _, name := range []string{"accepted/c.rs", "accepted/d.rs"} {
		m.Submissions = append(m.Submissions, bench.Entrant{Name: name, Language: "rust", Skipped: "no rustc on the PATH"})
	}
	d := &record.Document{Problems: []record.Problem{{ID: "p", Limits: m.Limits, Measurement: m, Band: bench.BandOf(m)}}}
	var b strings.Builder
	if err := (Text{}).Write(&b, d); err != nil {
		t.Fatal(err)
	}
	if strings.Count(b.String(), "no rustc on the PATH") != 1 || !strings.Contains(b.String(), "accepted/c.rs, accepted/d.rs: ") || !strings.Contains(b.String(), "2 submissions measured, 2 not, ") {
		t.Errorf("expected why two are skipped once, and that they were not measured:\n%s", b.String())
	}
}
