package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/sandbox"
)

func TestCSVTextsAreNoFormulas(t *testing.T) {
	tests := []struct{ name, given, want string }{
		{"a name stays", "accepted/dlx.go", "accepted/dlx.go"},
		{"nothing stays", "", ""},
		{"equals sign", `=HYPERLINK("http://x")`, `'=HYPERLINK("http://x")`},
		{"plus", "+1", "'+1"},
		{"minus", "-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"},
		{"at", "@SUM(A1)", "'@SUM(A1)"},
		{"after spaces", "  =1", "'  =1"},
		{"wide forms", "=1", "'=1"},
		{"a sign within is harmless", "a=1", "a=1"},
		{"a quote differs from the added one", "'=1", "''=1"},
		{"tabs and line breaks are written out", "\t=1\r\n=2", `\t=1\r\n=2`},
		{"bytes that are no text", "\xff=", `\xff=`},
	}
	for _, tt := range tests {
		if got := csvText(tt.given); got != tt.want {
			t.Errorf("%s: csvText(%q) = %q, expected %q", tt.name, tt.given, got, tt.want)
		}
	}
}

// csvRows reads the output of WriteCSV as maps from column names to fields.
func csvRows(t *testing.T, d *record.Document) []map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]string
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, name := range all[0] {
			m[name] = row[i]
		}
		list = append(list, m)
	}
	return list
}

func TestCSVHasARowForEveryTrial(t *testing.T) {
	m := &bench.Measurement{
		Submissions: []bench.Submission{{Name: "accepted/a.go", Language: "go"}, {Name: "=b.py", Language: "python3"}},
		Cases:       []bench.Input{{Name: "n=1000", Size: 1000}},
		Trials: []bench.Trial{
			{Submission: 1, Round: -1, Verdict: problem.Accepted},
			{Submission: 0, Round: 0, At: 5 * time.Millisecond, Verdict: problem.RuntimeError, Why: "exit status 2",
				Outcome: sandbox.Outcome{CPU: 3, User: 2, Sys: 1, Wall: 4, Memory: 5, Instructions: 6, Exit: -1, Signal: 11}},
			{Submission: 1, Round: 0, Verdict: problem.Accepted, Err: "no box"},
		},
	}
	got := csvRows(t, &record.Document{Problems: []record.Problem{{ID: "p", Sections: record.Sections{"measurement": m, "scaling": &bench.Scaling{Measurement: m}}}}})
	if len(got) != 3 {
		t.Fatalf("%d rows, expected 3", len(got))
	}
	want := map[string]string{"problem": "p", "submission": "accepted/a.go", "language": "go", "case": "n=1000", "n": "1000", "round": "0",
		"order": "1", "at_ns": "5000000", "verdict": "RTE", "cpu_ns": "3", "user_ns": "2", "sys_ns": "1", "wall_ns": "4",
		"memory_bytes": "5", "instructions": "6", "exit": "-1", "signal": "SIGSEGV", "why": "exit status 2", "ended": ""}
	for name, value := range want {
		if got[1][name] != value {
			t.Errorf("%s is %q, expected %q", name, got[1][name], value)
		}
	}
	if len(got[1]) != len(want) {
		t.Errorf("%d columns, expected %d", len(got[1]), len(want))
	}
	if got[0]["round"] != "-1" || got[0]["submission"] != "'=b.py" || got[0]["instructions"] != "" {
		t.Errorf("the warm-up is %v", got[0])
	}
	if got[2]["verdict"] != "" || got[2]["why"] != "no box" {
		t.Errorf("what the judge failed at is %v", got[2])
	}
}

func TestCSVHasARowForEveryRepetition(t *testing.T) {
	one := run("secret/01", problem.TimeLimit, 3*ms, 1, "slow")
	one.Times = []sandbox.Outcome{{CPU: 1 * ms}, one.Outcome, {CPU: 2 * ms}}
	var verdicts []string
	for _, row := range csvRows(t, &record.Document{Problems: []record.Problem{{ID: "p", Reports: []*judge.Report{{Submission: "s", Runs: []judge.Run{one}}}}}}) {
		verdicts = append(verdicts, row["round"]+" "+row["cpu_ns"]+" "+row["verdict"]+" "+row["why"])
	}
	if got, want := strings.Join(verdicts, "|"), "0 1000000  |1 3000000 TLE slow|2 2000000  "; got != want {
		t.Errorf("rows are %s, expected %s", got, want)
	}
}
