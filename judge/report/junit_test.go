package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// suites writes a document and reads it with Go's strict parser of XML 1.0.
func suites(t *testing.T, w Writer, d *record.Document) junitSuites {
	t.Helper()
	var b bytes.Buffer
	if err := w.WriteJUnit(&b, d); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	decoder := xml.NewDecoder(&b)
	if err := decoder.Decode(&got); err != nil {
		t.Fatal(err)
	}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return got
		}
		if text, ok := token.(xml.CharData); err != nil || !ok || strings.TrimSpace(string(text)) != "" {
			t.Fatalf("after the document: %v, error %v", token, err)
		}
	}
}

func TestJUnitOfOneSubmission(t *testing.T) {
	ran := func(verdicts ...problem.Verdict) (runs []judge.Run) {
		for i, v := range verdicts {
			runs = append(runs, run(fmt.Sprintf("secret/%d", i+1), v, 10*ms, 1, ""))
		}
		return runs
	}
	const ac, wa, tle = problem.Accepted, problem.WrongAnswer, problem.TimeLimit
	tests := []struct {
		fact   string
		report judge.Report
		want   string // name:result of each test case
	}{
		{"accepted runs pass", judge.Report{Verdict: ac, AsExpected: yes(), Runs: ran(ac, ac)}, "secret/1:pass secret/2:pass"},
		{"a wrong answer that is expected passes", judge.Report{Verdict: wa, AsExpected: yes(), Runs: ran(ac, wa)}, "secret/1:pass secret/2:pass"},
		{"the run that breaks the expectation fails", judge.Report{Verdict: wa, AsExpected: no(), Broken: "wrong_answer permits AC, WA, secret/2 is TLE", BrokenBy: "secret/2", Runs: ran(wa, tle)}, "secret/1:pass secret/2:fail"},
		{"secret/1 is not blamed for secret/11", judge.Report{Verdict: tle, AsExpected: no(), Broken: "accepted permits AC, secret/11 is TLE", BrokenBy: "secret/11",
			Runs: append(ran(tle), run("secret/11", tle, ms, 1, ""))}, "secret/1:pass secret/11:fail"},
		{"a requirement that no run met fails by itself", judge.Report{Verdict: ac, AsExpected: no(), Broken: "wrong_answer requires WA on some case, none is", Runs: ran(ac)}, "secret/1:pass expectation:fail"},
		{"source that does not compile fails by itself", judge.Report{Verdict: problem.CompileError, AsExpected: no(), Broken: "it does not compile"}, "expectation:fail"},
		{"a skipped submission is skipped", judge.Report{Skipped: "no gcc"}, "expectation:skip"},
		{"the judge's failure on a run is an error there", judge.Report{Runs: append(ran(ac), judge.Run{Case: "secret/2", Err: errors.New("checker")})}, "secret/1:pass secret/2:error"},
		{"the judge's failure with all is an error", judge.Report{Err: errors.New("disk full")}, "expectation:error"},
		{"an interrupted submission is skipped", judge.Report{Runs: ran(ac)}, "secret/1:pass expectation:skip"},
		{"a submission without runs is still a test", judge.Report{AsExpected: yes()}, "expectation:pass"},
	}
	for _, tt := range tests {
		t.Run(tt.fact, func(t *testing.T) {
			tt.report.Submission = "accepted/a.go"
			got := suites(t, Writer{}, &record.Document{Problems: []record.Problem{{ID: "p", Reports: []*judge.Report{&tt.report}}}})
			if len(got.Suites) != 1 {
				t.Fatalf("%d suites, expected 1", len(got.Suites))
			}
			var results []string
			counts := map[string]int{}
			for _, c := range got.Suites[0].Cases {
				result := "pass"
				switch {
				case c.Failure != nil:
					result = "fail"
				case c.Error != nil:
					result = "error"
				case c.Skipped != nil:
					result = "skip"
				}
				counts[result]++
				results = append(results, c.Name+":"+result)
				if c.Class != "p/accepted/a.go" {
					t.Errorf("class %q", c.Class)
				}
			}
			if text := strings.Join(results, " "); text != tt.want {
				t.Errorf("got  %s\nwant %s", text, tt.want)
			}
			type numbers struct{ tests, failures, errors, skipped int }
			want := numbers{len(results), counts["fail"], counts["error"], counts["skip"]}
			suite := got.Suites[0]
			for _, n := range []numbers{{got.Tests, got.Failures, got.Errors, got.Skipped}, {suite.Tests, suite.Failures, suite.Errors, suite.Skipped}} {
				if n != want {
					t.Errorf("counted %+v, expected %+v", n, want)
				}
			}
		})
	}
}

func TestJUnitHasNoCharacterThatXMLForbids(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	hostile := string(all) + "]]></failure>\ufffe\uffff\ud7ff"
	r := &judge.Report{
		Submission: hostile, Language: hostile, Verdict: problem.RuntimeError, AsExpected: no(),
		Broken:   hostile + ", " + hostile + " is RTE",
		BrokenBy: hostile,
		Expected: []problem.Expectation{{Cases: hostile, Message: hostile}},
		Runs:     []judge.Run{{Case: hostile, Verdict: problem.RuntimeError, Why: hostile, Stderr: hostile}},
	}
	d := &record.Document{Problems: []record.Problem{
		{ID: hostile, Reports: []*judge.Report{
			r,
			{Submission: hostile, Err: errors.New(hostile)},
			{Submission: hostile, Skipped: hostile},
			{Submission: hostile, Runs: []judge.Run{{Case: hostile, Err: errors.New(hostile)}}},
		}},
		{ID: hostile, Err: errors.New(hostile)},
	}}
	got := suites(t, Writer{}, d)
	if diff := cmp.Diff([]int{5, 1, 3, 1}, []int{got.Tests, got.Failures, got.Errors, got.Skipped}); diff != "" {
		t.Errorf("tests, failures, errors, skipped (-expected +got):\n%s", diff)
	}
}
