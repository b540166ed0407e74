package result

import (
	"strings"
	"testing"

	"crucible/judge/problem"
)

// TestExpectations adds runs to expectations, case by case. Each step is a
// verdict; a question mark after it means that later cases can still change the
// result.
func TestExpectations(t *testing.T) {
	e := func(folder string) []problem.Expectation {
		x := problem.DefaultExpectations[folder]
		x = x.From(folder)
		return []problem.Expectation{x}
	}
	for _, c := range []struct {
		name     string
		expected []problem.Expectation
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
		{"a rule that asks nothing is settled at once", []problem.Expectation{{}}, "WA", ""},
		{"without rules the verdict is waited for", nil, "AC? WA", ""},
		{"one group only", []problem.Expectation{{Cases: "case1", Permitted: []problem.Verdict{problem.Accepted}}}, "WA? AC", ""},
		{"a requirement on a case that does not exist", []problem.Expectation{{Cases: "case9", Required: []problem.Verdict{problem.Accepted}}}, "AC AC AC", "requires AC"},
		{"two rules hold together", append(e("wrong_answer"), problem.Expectation{Cases: "case0", Permitted: []problem.Verdict{problem.Accepted}}.From("rule")), "WA", "rule permits AC"},
		{"a message that comes", []problem.Expectation{{Message: "gap"}}, "AC? WA:gap", ""},
		{"a message that does not", []problem.Expectation{{Message: "gap"}}, "AC? WA:hole? AC", `"gap"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cases := []*problem.Case{{Name: "case0"}, {Name: "case1"}, {Name: "case2"}}
			s := newExpectations(c.expected, cases)
			for i, step := range strings.Fields(c.runs) {
				word, open := strings.CutSuffix(step, "?")
				verdict, message, _ := strings.Cut(word, ":")
				s.add(&Run{Case: cases[i].Name, Verdict: problem.Verdict(verdict), Message: message})
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

// TestConclude compares rules about the verdict and the scores with results.
func TestConclude(t *testing.T) {
	v := func(v float64) *float64 { return &v }
	groups := []Group{{Name: "secret", Score: v(60)}, {Name: "secret/1", Score: v(0)}, {Name: "secret/2", Score: v(60)}, {Name: "secret/3"}}
	for _, c := range []struct {
		name   string
		rule   problem.Expectation
		of     outcome
		broken string
	}{
		{"the verdict is one of those", problem.Expectation{Final: []problem.Verdict{problem.WrongAnswer, problem.TimeLimit}}, outcome{verdict: problem.TimeLimit}, ""},
		{"the verdict is another", problem.Expectation{Final: []problem.Verdict{problem.WrongAnswer}}, outcome{verdict: problem.TimeLimit}, "wants the verdict WA, it is TLE"},
		{"accepted is another", problem.Expectation{Final: []problem.Verdict{problem.WrongAnswer}}, outcome{verdict: problem.Accepted}, "wants the verdict WA, it is AC"},
		{"memory by its own name", problem.Expectation{Final: []problem.Verdict{problem.MemoryLimit}}, outcome{verdict: problem.MemoryLimit}, ""},
		{"memory as a crash", problem.Expectation{Final: []problem.Verdict{problem.RuntimeError}}, outcome{verdict: problem.MemoryLimit}, ""},
		{"a crash is not memory", problem.Expectation{Final: []problem.Verdict{problem.MemoryLimit}}, outcome{verdict: problem.RuntimeError}, "wants the verdict MLE"},
		{"output by its own name", problem.Expectation{Final: []problem.Verdict{problem.OutputLimit}}, outcome{verdict: problem.OutputLimit}, ""},
		{"a verdict that is not known breaks nothing", problem.Expectation{Final: []problem.Verdict{problem.WrongAnswer}}, outcome{}, ""},
		{"partially accepted", problem.Expectation{Partial: true}, outcome{verdict: problem.Accepted, score: v(60), best: 100, bounded: true}, ""},
		{"partially accepted with the best score", problem.Expectation{Partial: true}, outcome{verdict: problem.Accepted, score: v(100), best: 100, bounded: true}, "less than the best score, it is the best: 100"},
		{"partially accepted with almost the best score", problem.Expectation{Partial: true}, outcome{verdict: problem.Accepted, score: v(99.99), best: 100, bounded: true}, ""},
		{"partially accepted and rejected", problem.Expectation{Partial: true}, outcome{verdict: problem.WrongAnswer, best: 100, bounded: true}, "wants the verdict AC with less than the best score, it is WA"},
		{"partially accepted where no score is the best", problem.Expectation{Partial: true}, outcome{verdict: problem.Accepted, score: v(100)}, ""},
		{"the score", problem.Expectation{Score: []float64{60}}, outcome{score: v(60)}, ""},
		{"the score in thirds", problem.Expectation{Score: []float64{0.3}}, outcome{score: v(0.1 + 0.2)}, ""},
		{"another score", problem.Expectation{Score: []float64{59}}, outcome{score: v(60)}, "wants the score 59, it is 60"},
		{"a score in a range", problem.Expectation{Score: []float64{0, 60}}, outcome{score: v(60)}, ""},
		{"a score out of a range", problem.Expectation{Score: []float64{0, 40.5}}, outcome{score: v(60)}, "wants the score 0 to 40.5, it is 60"},
		{"a score that is not known", problem.Expectation{Score: []float64{0}}, outcome{}, ""},
		{"a group's score", problem.Expectation{Cases: "secret/2", Score: []float64{60}}, outcome{groups: groups}, ""},
		{"a group's other score", problem.Expectation{Cases: "secret/2", Score: []float64{6}}, outcome{groups: groups}, "wants the score 6 for secret/2, it is 60"},
		{"a name is not those below it", problem.Expectation{Cases: "secret", Score: []float64{60}}, outcome{groups: groups}, ""},
		{"a glob is each of them", problem.Expectation{Cases: "secret/{1,2}", Score: []float64{60}}, outcome{groups: groups}, "wants the score 60 for secret/1, it is 0"},
		{"a group's score that is not known", problem.Expectation{Cases: "secret/3", Score: []float64{60}}, outcome{groups: groups}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newExpectations([]problem.Expectation{c.rule}, nil)
			s.conclude(c.of)
			if (s.broken == "") != (c.broken == "") || !strings.Contains(s.broken, c.broken) {
				t.Errorf("broken = %q, want …%s…", s.broken, c.broken)
			}
		})
	}
}

// TestFinalIsWaitedFor checks that a rule about the submission's verdict stays
// open until the first case that is not accepted.
func TestFinalIsWaitedFor(t *testing.T) {
	cases := []*problem.Case{{Name: "case0"}, {Name: "case1"}, {Name: "case2"}}
	s := newExpectations([]problem.Expectation{{Final: []problem.Verdict{problem.WrongAnswer}}}, cases)
	for i, v := range []problem.Verdict{problem.Accepted, problem.TimeLimit} {
		if !s.open() {
			t.Fatalf("closed before %s", cases[i].Name)
		}
		s.add(&Run{Case: cases[i].Name, Verdict: v})
	}
	if s.open() {
		t.Error("open after the verdict is known")
	}
}

func TestDecided(t *testing.T) {
	cases := []*problem.Case{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for _, c := range []struct {
		name, runs string
		want       problem.Verdict
	}{
		{"all accepted", "a=AC b=AC c=AC", problem.Accepted},
		{"one to come", "a=AC b=AC", ""},
		{"none", "", ""},
		{"the first failure decides", "a=AC b=WA", problem.WrongAnswer},
		{"not if one before it was not run", "b=WA c=AC", ""},
		{"nor if the judge failed before it", "a=! b=WA", ""},
	} {
		var runs []Run
		for word := range strings.FieldsSeq(c.runs) {
			name, v, _ := strings.Cut(word, "=")
			run := Run{Case: name, Verdict: problem.Verdict(v)}
			if v == "!" {
				run.Failed = true
			}
			runs = append(runs, run)
		}
		if got := decided(cases, runs); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
