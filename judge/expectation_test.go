package judge

import (
	"strings"
	"testing"
)

// TestStanding follows expectations case by case. Each step is a verdict; a
// question mark after it means that the matter is still open then.
func TestStanding(t *testing.T) {
	e := func(folder string) []Expectation {
		x := defaultExpectations[folder]
		x.from = folder
		return []Expectation{x}
	}
	for _, c := range []struct {
		name     string
		expected []Expectation
		runs     string
		broken   string
	}{
		{"accepted needs every case", e("accepted"), "AC? AC? AC", ""},
		{"accepted is broken by the first failure", e("accepted"), "AC? WA", "case1 is WA"},
		{"wrong answer runs on, a later case may be too slow", e("wrong_answer"), "WA? AC? AC", ""},
		{"wrong answer is broken by a time limit", e("wrong_answer"), "WA? TLE", "permits AC, WA"},
		{"wrong answer that never is", e("wrong_answer"), "AC? AC? AC", "requires WA"},
		{"rejected is settled by the first failure", e("rejected"), "AC? TLE", ""},
		{"rejected that is accepted", e("rejected"), "AC? AC? AC", "requires RTE, TLE, WA"},
		{"memory is a crash", e("run_time_error"), "AC? MLE? AC", ""},
		{"output is a wrong answer", e("wrong_answer"), "OLE? AC? AC", ""},
		{"output is a crash", e("run_time_error"), "OLE? AC? AC", ""},
		{"memory is no wrong answer", e("wrong_answer"), "MLE", "case0 is MLE"},
		{"brute force may do both", e("brute_force"), "RTE? TLE? AC", ""},
		{"a rule that asks nothing is settled at once", []Expectation{{}}, "WA", ""},
		{"without rules the verdict is waited for", nil, "AC? WA", ""},
		{"one group only", []Expectation{{Cases: "case1", Permitted: []Verdict{Accepted}}}, "WA? AC", ""},
		{"a requirement on a case that does not exist", []Expectation{{Cases: "case9", Required: []Verdict{Accepted}}}, "AC AC AC", "requires AC"},
		{"two rules hold together", append(e("wrong_answer"), Expectation{Cases: "case0", Permitted: []Verdict{Accepted}, from: "rule"}), "WA", "rule permits AC"},
		{"a message that comes", []Expectation{{Message: "gap"}}, "AC? WA:gap", ""},
		{"a message that does not", []Expectation{{Message: "gap"}}, "AC? WA:hole? AC", `"gap"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cases := []*Case{{Name: "case0"}, {Name: "case1"}, {Name: "case2"}}
			s := newStanding(c.expected, cases)
			for i, step := range strings.Fields(c.runs) {
				word, open := strings.CutSuffix(step, "?")
				verdict, message, _ := strings.Cut(word, ":")
				s.add(&Run{Case: cases[i].Name, Verdict: Verdict(verdict), message: message})
				if s.open() != open {
					t.Errorf("after %s: open = %v, want %v (broken %q)", step, s.open(), open, s.broken)
				}
			}
			got := s.end()
			if (got == "") != (c.broken == "") || !strings.Contains(got, c.broken) {
				t.Errorf("broken = %q, want …%s…", got, c.broken)
			}
		})
	}
}

func TestTimingByVerdicts(t *testing.T) {
	for folder, want := range map[string][2]bool{ // below, above
		"accepted":            {true, false},
		"wrong_answer":        {true, false},
		"run_time_error":      {true, false},
		"time_limit_exceeded": {false, true},
		"rejected":            {false, false},
		"brute_force":         {false, false},
	} {
		e := defaultExpectations[folder]
		if got := [2]bool{e.boundsBelow(), e.boundsAbove()}; got != want {
			t.Errorf("%s bounds the time limit below, above: %v, want %v", folder, got, want)
		}
	}
}
