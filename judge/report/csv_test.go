package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"crucible/judge"
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
func csvRows(t *testing.T, w Writer, d *record.Document) []map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := w.WriteCSV(&b, d); err != nil {
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

func TestCSVHasARowForEveryRepetition(t *testing.T) {
	one := run("secret/01", problem.TimeLimit, 3*ms, 1, "slow")
	one.Times = []sandbox.Outcome{{CPU: 1 * ms}, one.Outcome, {CPU: 2 * ms}}
	var verdicts []string
	for _, row := range csvRows(t, Writer{}, &record.Document{Problems: []record.Problem{{ID: "p", Reports: []*judge.Report{{Submission: "s", Runs: []judge.Run{one}}}}}}) {
		verdicts = append(verdicts, row["round"]+" "+row["cpu_ns"]+" "+row["verdict"]+" "+row["why"])
	}
	if got, want := strings.Join(verdicts, "|"), "0 1000000  |1 3000000 TLE slow|2 2000000  "; got != want {
		t.Errorf("rows are %s, expected %s", got, want)
	}
}
