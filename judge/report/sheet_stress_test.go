package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/strength/stress"
)

// stressDocument returns a document with every result of a search for inputs. Everything
// that a submission or a generator wrote is hostile.
func stressDocument() *record.Document {
	found := stress.Found{
		Name: "wrong_answer/" + evil + ".c", Found: true, Verdict: problem.WrongAnswer, Why: "line 1, column 1: got \"" + evil + "\", expected \"-1\"", After: 12, Elapsed: 1200 * ms,
		How: "gen.py 5 " + evil, Group: "secret/1", Input: "3\n-1 -2\t-3\n", Shrunk: "1\n-1\n", Answer: "-1\n", ShrunkTo: "-1\n", Output: "0\n" + evil + strings.Repeat("x", 1000) + strings.Repeat("\n0", 100),
		Steps: []string{"without lines 1 to 2", "line 2, token 1: 0 instead of " + evil},
	}
	bytesOnly := stress.Found{Name: "run_time_error/b.c", Found: true, Verdict: problem.RuntimeError, Why: "killed by SIGSEGV", After: 1, Elapsed: 3 * ms, How: "mutation", Group: "secret",
		InputBytes: []byte("\xff\n"), ShrunkBytes: []byte("\xff\n"), Answer: "0\n", ShrunkTo: "0\n"}
	second := bytesOnly
	second.Name, second.Why, second.Input, second.InputBytes = found.Name, "exit status 3", "7\n", nil
	second.Shrunk, second.ShrunkBytes = "7\n", nil
	first := found
	found.All = []stress.Found{first, second}
	for range 40 {
		bytesOnly.Steps = append(bytesOnly.Steps, "line 1, token 1: 1 instead of 2")
	}
	disagree := stress.Found{Name: "accepted/other.c", Found: true, Verdict: problem.WrongAnswer, Why: "line 1, column 1: got \"2\", expected \"3\"", After: 90, Elapsed: 9 * time.Second, How: "", Group: "secret", Input: "9\n", Shrunk: "9\n", Answer: "3\n", ShrunkTo: "3\n"}
	d := document()
	d.Problems = d.Problems[1:2]
	d.Problems[0].Reports, d.Problems[0].Sections = nil, record.Sections{"stress": &stress.Summary{
		Schema: 1, Problem: d.Problems[0].ID, Reference: "accepted/a.c", Seed: 7, Valid: 345, Invalid: 67, Repeated: 8, Unchecked: 9, Elapsed: 30 * time.Second, Slow: 2,
		Disagree: &disagree, Disagrees: 3, Targets: []stress.Found{found, bytesOnly, {Name: "wrong_answer/right.c"}}, Notes: []string{"the generator " + evil + " is not used any more"},
		Command: "judge stress p 'wrong_answer/*' --seed=7",
	}}
	return d
}

func TestStressInEveryFormat(t *testing.T) {
	for _, f := range formats {
		if f.Ext != ".md" && f.Ext != ".json" {
			continue // judge stress does not write them
		}
		var b bytes.Buffer
		if err := f.Write(&b, stressDocument()); err != nil {
			t.Fatal(err)
		}
		golden(t, "stress"+f.Ext, b.Bytes())
		if i := strings.IndexAny(b.String(), "\x1b\x00\u202e"); i >= 0 && f.Ext != ".json" {
			t.Errorf("%s contains a character that a program wrote at byte %d", f.Name, i)
		}
	}
}
