package judge

import (
	"strings"
	"testing"

	"crucible/judge/problem"
)

func TestTimingByVerdicts(t *testing.T) {
	for folder, want := range map[string][2]bool{ // below, above
		"accepted":            {true, false},
		"wrong_answer":        {true, false},
		"run_time_error":      {true, false},
		"time_limit_exceeded": {false, true},
		"rejected":            {false, false},
		"brute_force":         {false, false},
	} {
		e := problem.DefaultExpectations[folder]
		if got := [2]bool{e.Lower(), e.Upper()}; got != want {
			t.Errorf("%s bounds the time limit below, above: %v, want %v", folder, got, want)
		}
	}
}

func TestCompileErrorMeetsOnlyWhatNamesIt(t *testing.T) {
	named, anything := problem.Expectation{Final: []problem.Verdict{problem.CompileError, problem.WrongAnswer}}, problem.Expectation{Final: []problem.Verdict{problem.WrongAnswer, problem.RuntimeError, problem.TimeLimit}}
	for _, c := range []struct {
		name     string
		expected []problem.Expectation
		want     bool
	}{
		{"no rule", nil, false},
		{"a rule that names it", []problem.Expectation{named}, true},
		{"a rule that names all else", []problem.Expectation{anything}, false},
		{"rejected", []problem.Expectation{problem.DefaultExpectations["rejected"]}, false},
		{"a rule that does not name it beside one that does", []problem.Expectation{named, problem.DefaultExpectations["rejected"]}, false},
	} {
		if got := problem.NamesCompileError(c.expected); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestCheckRules opens packages whose rules are about nothing, or contradict each
// other.
func TestCheckRules(t *testing.T) {
	const scored = "{max_score: 50} | AC"
	for _, c := range []struct{ name, rules, err, warning, doubt string }{
		{"all is well", "other: {permitted: [AC], 'secret/*': {score: 50}, sample: {permitted: [AC, WA]}}", "", "", ""},
		{"nothing of that name", "other: {secret/3: {permitted: [AC]}}", "", "", `submissions/submissions.yaml:1:9: "secret/3" matches no case and no group`},
		{"nothing of that name has no score", "other: {secret/3: {score: 1}}", "", "", `submissions/submissions.yaml:1:9: "secret/3" matches no case and no group`},
		{"the score of a case", "other: {secret/1/1: {score: 1}}", `submissions/submissions.yaml:1:9: score: "secret/1/1" matches cases but no group`, "", ""},
		{"the score of samples", "other: {sample: {score: 1}}", `submissions/submissions.yaml:1:9: score: "sample" matches cases but no group`, "", ""},
		{"the score of groups and cases", "other: {'secret/*': {score: 1}}", "", "", ""},
		{"no verdict satisfies both", "{other: {permitted: [AC, WA]}, other/a.sh: {permitted: [TLE]}}", "", "submissions/submissions.yaml:1:32: permits TLE on sample/1 of other/a.sh, but submissions/submissions.yaml:1:2 permits AC, WA: no verdict satisfies both", ""},
		{"one verdict satisfies both", "{other: {permitted: [AC, WA]}, other/a.sh: {permitted: [WA, TLE]}}", "", "", ""},
		{"they speak of different cases", "other: {secret/1: {permitted: [AC]}, secret/2: {permitted: [WA]}}", "", "", ""},
		{"they speak of the same case", "other: {secret: {permitted: [AC]}, secret/2: {permitted: [WA]}}", "", "submissions/submissions.yaml:1:36: permits WA on secret/2/1 of other/a.sh, but submissions/submissions.yaml:1:9 permits AC", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scriptedPackage("other", c.rules, scored, scored)
			p, err := problem.Open(m)
			for _, said := range []struct {
				what, want string
				got        []error
			}{{"error", c.err, []error{err}}, {"warning", c.warning, warningsOf(p)}, {"doubt", c.doubt, doubtsOf(p)}} {
				text := ""
				for _, e := range said.got {
					if e != nil {
						text += e.Error() + "\n"
					}
				}
				if (text == "") != (said.want == "") || !strings.Contains(text, said.want) || strings.Count(text, "\n") > 1 {
					t.Errorf("%s %q, want %q", said.what, text, said.want)
				}
			}
		})
	}
}

func warningsOf(p *problem.Problem) []error {
	if p == nil {
		return nil
	}
	return p.Warnings
}

func doubtsOf(p *problem.Problem) []error {
	if p == nil {
		return nil
	}
	return p.Doubts
}

func TestGlobMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"secret", "secret", true},
		{"secret/", "secret", true},
		{"secret", "secret/1", false},
		{"secret/*", "secret/1", true},
		{"secret/*", "secret", false},
		{"{secret,secret/1}", "secret/1", true},
		{"secret/{1,2}", "secret/3", false},
	} {
		g, err := problem.CompileGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Matches(c.name); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}
