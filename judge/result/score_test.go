package result

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// scoredProblem makes a problem of 2025-09 from lines such as
//
//	secret/1 pass-fail 40 require=sample static=5: a b c
//
// a group, its aggregation, its max_score ("-" is unbounded), and its cases.
// Groups are in the order of the cases.
func scoredProblem(t testing.TB, lines string) *problem.Problem {
	t.Helper()
	p := &problem.Problem{Types: []problem.Type{problem.Scoring}, Format: problem.FormatOf("2025-09"), Data: &problem.Group{}}
	for line := range strings.SplitSeq(lines, ";") {
		head, cases, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		g := newTestGroup(p, words[0])
		g.Aggregation, g.MaxScore = problem.Aggregation(words[1]), math.Inf(1)
		if words[2] != "-" {
			g.MaxScore = number(t, words[2])
		}
		for _, word := range words[3:] {
			switch key, value, _ := strings.Cut(word, "="); key {
			case "require":
				g.RequirePass = strings.Split(value, ",")
			case "static":
				g.Static = &problem.Case{Name: g.Name + "/static_validation", Group: g, Static: &problem.Static{PassFail: value == "pass-fail"}}
				if !g.Static.Static.PassFail {
					g.Static.Static.MaxScore = number(t, value)
				}
				g.Cases = append(g.Cases, g.Static)
			}
		}
		addTestCases(p, g, cases)
	}
	return p
}

func newTestGroup(p *problem.Problem, name string) *problem.Group {
	g := &problem.Group{Name: name}
	above := p.Data
	if i := strings.LastIndex(name, "/"); i >= 0 {
		above = p.Data.At(name[:i])
	}
	if name == "" {
		return p.Data
	}
	above.Groups = append(above.Groups, g)
	return g
}

func addTestCases(p *problem.Problem, g *problem.Group, names string) {
	for name := range strings.FieldsSeq(names) {
		g.Cases = append(g.Cases, &problem.Case{Name: g.Name + "/" + name, Group: g})
	}
	p.Cases = append(p.Cases, g.Cases...)
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// testRuns makes runs from words for the cases in order: a verdict, then "=3" for
// score.txt and "*0.5" for score_multiplier.txt. "-" means not run; "!" means a
// judge error.
func testRuns(t testing.TB, p *problem.Problem, words string) []Run {
	t.Helper()
	list := strings.Fields(words)
	if len(list) != len(p.Cases) {
		t.Fatalf("%d runs for %d cases", len(list), len(p.Cases))
	}
	var runs []Run
	for i, word := range list {
		run := Run{Case: p.Cases[i].Name}
		if rest, v, ok := strings.Cut(word, "*"); ok {
			m := number(t, v)
			word, run.Multiplier = rest, &m
		}
		if rest, v, ok := strings.Cut(word, "="); ok {
			m := number(t, v)
			word, run.Score = rest, &m
		}
		if run.Verdict = problem.Verdict(word); word == "!" {
			run.Verdict, run.Failed = problem.Undecided, true
		}
		if word != "-" {
			runs = append(runs, run)
		}
	}
	return runs
}

// written writes the results of runs: "60/100 WA; secret/1 AC 40/40; secret/2 WA
// 20/60". "?" means not known.
func written(t *tree, runs []Run, grade Grader) string {
	var b strings.Builder
	c := t.progress()
	for i := range runs {
		if runs[i].Failed {
			continue
		}
		for _, k := range t.p.Cases {
			if k.Name != runs[i].Case {
				continue
			}
			if _, err := c.earned(k, &runs[i]); err != nil {
				fmt.Fprintf(&b, "%s: %v; ", k.Name, err)
			}
		}
	}
	s := t.fill(runs, grade)
	score, most := s.score()
	verdict := verdictOf(runs)
	if t.p.Legacy() {
		verdict = s.results[t.root].verdict
	}
	b.WriteString(testkit.Score(score, most) + " " + string(cmp.Or(verdict, "?")))
	for _, g := range s.groups {
		switch {
		case g.Err != nil:
			fmt.Fprintf(&b, "; %s", g.Err)
		case !strings.Contains(g.Name, "/"):
		case g.NotRun != "":
			fmt.Fprintf(&b, "; %s not run: %s", g.Name, g.NotRun)
		default:
			fmt.Fprintf(&b, "; %s %s %s", g.Name, string(cmp.Or(g.Verdict, "?")), testkit.Score(g.Score, g.Max))
		}
	}
	return b.String()
}

// checkOutcome compares the results of a problem's runs with want. Groups are the
// text from which the problem was made.
func checkOutcome(t *testing.T, p *problem.Problem, grade Grader, groups, runs, want string) {
	t.Helper()
	if got := written(treeOf(p), testRuns(t, p, runs), grade); got != want {
		t.Errorf("%s\nwith %s\n got %s\nwant %s", groups, runs, got, want)
	}
}

const (
	loose  = "secret sum 100: a b c d"
	two    = "sample pass-fail -: s; secret sum 100; secret/1 pass-fail 40: a b; secret/2 sum 60: a b c"
	chain  = "sample pass-fail -: s; secret sum 100; secret/1 pass-fail 30 require=sample: a b; secret/2 pass-fail 30 require=secret/1: a; secret/3 sum 40 require=secret/1,secret/2: a b"
	open_  = "secret sum -; secret/1 sum -: a b; secret/2 sum 10: a b"
	static = "secret sum 100; secret/1 sum 100 static=10: a b c"
)

// TestScoring follows the sentences of 2025-09, "Result aggregation".
func TestScoring(t *testing.T) {
	for _, c := range []struct{ name, groups, runs, want string }{
		// Scoring problems.
		{"the score of secret is the submission's", loose, "AC AC AC AC", "100/100 AC"},
		{"secret sums by default", loose, "AC WA AC TLE", "50/100 WA"},
		{"a case of a sum has its share of the maximum", loose, "AC WA WA WA", "25/100 WA"},
		{"shares that are no decimals make up the maximum", "secret sum 100: a b c", "AC AC AC", "100/100 AC"},
		{"sevenths make up the maximum", "secret sum 1: a b c d e f g", "AC AC AC AC AC AC AC", "1/1 AC"},
		{"a case of a minimum has the maximum of its group", "secret min 100: a b", "AC AC", "100/100 AC"},
		{"a maximum of 0 is a maximum", "secret sum 0: a b", "AC AC", "0/0 AC"},
		{"no score below 0", loose, "WA TLE RTE MLE", "0/100 WA"},
		{"the verdict beside the score is the first that is not accepted", two, "AC AC TLE AC WA AC", "40/100 TLE; secret/1 TLE 0/40; secret/2 WA 40/60"},
		{"samples do not count", two, "WA AC AC AC AC AC", "100/100 WA; secret/1 AC 40/40; secret/2 AC 60/60"},
		{"score.txt of a sample is ignored", two, "AC=7 AC AC AC AC AC", "100/100 AC; secret/1 AC 40/40; secret/2 AC 60/60"},
		{"so is score_multiplier.txt of a sample", two, "WA*3 AC AC AC AC AC", "100/100 WA; secret/1 AC 40/40; secret/2 AC 60/60"},

		// Scoring test cases.
		{"a failed case has 0", "secret min 100: a b", "AC RTE", "0/100 RTE"},
		{"a multiplier is of the case's maximum in a sum", loose, "AC*0.5 AC AC AC", "87.5/100 AC"},
		{"a multiplier is of the group's maximum in a minimum", "secret min 80: a b", "AC*0.5 AC", "40/80 AC"},
		{"a multiplier of 0", loose, "AC*0 AC AC AC", "75/100 AC"},
		{"a multiplier of 1", loose, "AC*1 AC AC AC", "100/100 AC"},
		{"a multiplier above 1", loose, "AC*1.5 AC AC AC", "secret/a: score_multiplier.txt has 1.5: expected a number from 0 to 1; ?/100 AC"},
		{"a multiplier below 0", loose, "AC*-1 AC AC AC", "secret/a: score_multiplier.txt has -1: expected a number from 0 to 1; ?/100 AC"},
		{"a multiplier that is no number", loose, "AC*NaN AC AC AC", "secret/a: score_multiplier.txt has NaN: expected a number from 0 to 1; ?/100 AC"},
		{"score.txt is the score", loose, "AC=3 AC=25 AC AC", "78/100 AC"},
		{"score.txt of 0 is a score", loose, "AC=0 AC AC AC", "75/100 AC"},
		{"score.txt in a minimum", "secret min 100: a b", "AC=33 AC=12.5", "12.5/100 AC"},
		{"score.txt below 0", loose, "AC=-1 AC AC AC", "secret/a: score.txt has -1: expected a number that is not negative; ?/100 AC"},
		{"score.txt that is no number", loose, "AC=NaN AC AC AC", "secret/a: score.txt has NaN: expected a number that is not negative; ?/100 AC"},
		{"score.txt without end", "secret sum -: a", "AC=Inf", "secret/a: score.txt has +Inf: expected a number that is not negative; ? AC"},
		{"no file is the maximum", loose, "AC AC=1 AC AC", "76/100 AC"},
		{"an unbounded case has what score.txt says", "secret sum -: a b", "AC=1000 AC=0.5", "1000.5 AC"},
		{"a sum beyond all numbers", "secret sum -: a b", "AC=1e308 AC=1e308", "? AC; data/secret: the scores of secret have a sum beyond all numbers"},
		{"an unbounded minimum", "secret min -: a b", "AC=1000 AC=7", "7 AC"},
		{"a failed case needs no score.txt in an unbounded group", "secret sum -: a b", "WA AC=7", "7 WA"},

		// Judge errors.
		{"accepted in an unbounded group without score.txt", "secret sum -: a b", "AC AC=1", "secret/a: accepted without score.txt, which group secret requires because it is unbounded; ? AC"},
		{"score.txt of what is rejected", loose, "WA=3 AC AC AC", "secret/a: score.txt with a verdict that is not accepted: expected none; ?/100 WA"},
		{"score_multiplier.txt of what is rejected", loose, "WA*1 AC AC AC", "secret/a: score_multiplier.txt with a verdict that is not accepted: expected none; ?/100 WA"},
		{"score.txt of what is rejected in a pass-fail group", two, "AC WA=1 AC AC AC AC", "secret/1/a: score.txt with a verdict that is not accepted: expected none; ?/100 WA; secret/1 ? ?/40; secret/2 AC 60/60"},
		{"the validator knows nothing of a time limit", loose, "TLE=3 AC AC AC", "75/100 TLE"},
		{"score_multiplier.txt in an unbounded group", "secret sum -: a b", "AC*1 AC=1", "secret/a: score_multiplier.txt in group secret, which is unbounded: expected score.txt; ? AC"},
		{"both files", loose, "AC=1*1 AC AC AC", "secret/a: both score.txt and score_multiplier.txt: expected one of them at most; ?/100 AC"},
		{"score.txt in a pass-fail group", two, "AC AC=40 AC AC AC AC", "secret/1/a: score.txt in group secret/1, which is pass-fail: expected none; ?/100 AC; secret/1 ? ?/40; secret/2 AC 60/60"},
		{"score_multiplier.txt in a pass-fail group", two, "AC AC*1 AC AC AC AC", "secret/1/a: score_multiplier.txt in group secret/1, which is pass-fail: expected none; ?/100 AC; secret/1 ? ?/40; secret/2 AC 60/60"},
		{"score.txt above the case's share", loose, "AC=26 AC AC AC", "secret/a: score.txt has 26, which is more than the case's maximum 25; ?/100 AC"},
		{"score.txt above a minimum's maximum", "secret min 10: a", "AC=10.5", "secret/a: score.txt has 10.5, which is more than the case's maximum 10; ?/10 AC"},
		{"a third in decimals is not above a third", "secret sum 100: a b c", "AC=33.3333333334 AC AC", "100/100 AC"},
		{"more than rounding is above", "secret sum 100: a b c", "AC=33.334 AC AC", "secret/a: score.txt has 33.334, which is more than the case's maximum 33.333333; ?/100 AC"},
		{"the judge's failure leaves no score", loose, "! AC AC AC", "?/100 ?"},
		{"the judge's failure in one group leaves the others theirs", two, "AC ! AC AC AC AC", "?/100 ?; secret/1 ? ?/40; secret/2 AC 60/60"},

		// Scoring test data groups.
		{"pass-fail is all", two, "AC AC AC WA WA WA", "40/100 WA; secret/1 AC 40/40; secret/2 WA 0/60"},
		{"or nothing", two, "AC AC WA AC AC AC", "60/100 WA; secret/1 WA 0/40; secret/2 AC 60/60"},
		{"a group's verdict is the first that is not accepted", two, "AC TLE WA AC AC AC", "60/100 TLE; secret/1 TLE 0/40; secret/2 AC 60/60"},
		{"a pass-fail group without a maximum", "secret sum -; secret/1 pass-fail -: a", "AC", "? AC; data/secret/1: a pass-fail group has a bounded max_score: expected a number"},
		{"a minimum of groups", "secret min 50; secret/1 pass-fail 50: a; secret/2 sum 60: a b", "AC AC WA", "30/50 WA; secret/1 AC 50/50; secret/2 WA 30/60"},
		{"a sum of minima", "secret sum 100; secret/1 min 40: a b; secret/2 min 60: a b", "AC*0.5 AC AC WA", "20/100 WA; secret/1 AC 20/40; secret/2 WA 0/60"},
		{"secret is pass-fail over its cases", "secret pass-fail 100: a b", "AC AC", "100/100 AC"},
		{"and one failure is one too many", "secret pass-fail 100: a b", "AC WA", "0/100 WA"},
		{"secret is pass-fail over its groups", "secret pass-fail 100; secret/1 pass-fail 10: a; secret/2 pass-fail 10: a", "AC AC", "100/100 AC; secret/1 AC 10/10; secret/2 AC 10/10"},
		{"and one group is one too many", "secret pass-fail 100; secret/1 pass-fail 10: a; secret/2 pass-fail 10: a", "AC WA", "0/100 WA; secret/1 AC 10/10; secret/2 WA 0/10"},
		{"unbounded secret of bounded and unbounded groups", open_, "AC=3 AC=4 AC WA", "12 WA; secret/1 AC 7; secret/2 WA 5/10"},
		{"a group above its max_score", "secret sum 100; secret/1 sum 10 static=10: a b", "AC AC=1 AC", "secret/1/a: score.txt has 1, which is more than the case's maximum 0; ?/100 AC; secret/1 ? ?/10"},
		{"groups that are more than secret together", "secret sum 50; secret/1 sum 30: a; secret/2 sum 30: a", "AC AC", "?/50 AC; data/secret: the score 60 of secret is more than its max_score 50; secret/1 AC 30/30; secret/2 AC 30/30"},
		{"but not if they are not reached", "secret sum 50; secret/1 sum 30: a; secret/2 sum 30: a", "AC WA", "30/50 WA; secret/1 AC 30/30; secret/2 WA 0/30"},
		{"a minimum above secret's maximum", "secret min 50; secret/1 sum 60: a; secret/2 sum 70: a", "AC AC", "?/50 AC; data/secret: the score 60 of secret is more than its max_score 50; secret/1 AC 60/60; secret/2 AC 70/70"},

		// Static validation.
		{"static validation takes its score off the cases' shares", static, "AC AC WA WA", "40/100 WA; secret/1 WA 40/100"},
		{"all is all with static validation, too", static, "AC AC AC AC", "100/100 AC; secret/1 AC 100/100"},
		{"static validation that fails", static, "WA AC AC AC", "90/100 WA; secret/1 WA 90/100"},
		{"static validation has a multiplier of its own maximum", static, "AC*0.5 AC AC AC", "95/100 AC; secret/1 AC 95/100"},
		{"static validation above its own maximum", static, "AC=11 AC AC AC", "secret/1/static_validation: score.txt has 11, which is more than the case's maximum 10; ?/100 AC; secret/1 ? ?/100"},
		{"static validation alone", "secret sum 5; secret/1 sum 5 static=5:", "AC", "5/5 AC; secret/1 AC 5/5"},
		{"static validation in a minimum", "secret min 100 static=10: a", "AC AC", "10/100 AC"},
		{"static validation that passes or fails", "secret sum 9; secret/1 pass-fail 9 static=pass-fail: a", "WA AC", "0/9 WA; secret/1 WA 0/9"},

		// Group dependencies.
		{"what is required has no cases", "sample pass-fail -:; secret sum 100; secret/1 pass-fail 100 require=sample: a", "AC", "100/100 AC; secret/1 AC 100/100"},
		{"what is required is passed", chain, "AC AC AC AC AC AC", "100/100 AC; secret/1 AC 30/30; secret/2 AC 30/30; secret/3 AC 40/40"},
		{"samples can be required", chain, "WA - - - - -", "0/100 WA; secret/1 not run: requires sample, which is WA; secret/2 not run: requires secret/1, which is not run; secret/3 not run: requires secret/1, which is not run"},
		{"what requires a failed group is not run", chain, "AC AC TLE - - -", "0/100 TLE; secret/1 TLE 0/30; secret/2 not run: requires secret/1, which is TLE; secret/3 not run: requires secret/1, which is TLE"},
		{"one of several is enough", chain, "AC AC AC WA - -", "30/100 WA; secret/1 AC 30/30; secret/2 WA 0/30; secret/3 not run: requires secret/2, which is WA"},
		{"what is run all the same does not count", chain, "AC AC AC WA AC AC", "30/100 WA; secret/1 AC 30/30; secret/2 WA 0/30; secret/3 not run: requires secret/2, which is WA"},
		{"secret can require samples", "sample pass-fail -: s; secret sum 100 require=sample: a b", "RTE - -", "0/100 RTE"},
		{"and then none of its groups is run", "sample pass-fail -: s; secret sum 9 require=sample; secret/1 sum 9: a", "RTE -", "0/9 RTE; secret/1 not run: requires sample, which is RTE"},
		{"a group that is not run fails a pass-fail secret", "secret pass-fail 9; secret/1 pass-fail 1: a; secret/2 pass-fail 1 require=secret/1: a", "WA -", "0/9 WA; secret/1 WA 0/1; secret/2 not run: requires secret/1, which is WA"},

		// Cases that were not run.
		{"a pass-fail group is lost before all cases are run", two, "AC WA - AC AC AC", "60/100 WA; secret/1 WA 0/40; secret/2 AC 60/60"},
		{"a minimum, too", "secret min 100: a b c", "AC WA -", "0/100 WA"},
		{"a sum is not known", loose, "AC WA - -", "?/100 WA"},
		{"nor is what may still pass", two, "AC AC - AC AC AC", "?/100 AC; secret/1 ? ?/40; secret/2 AC 60/60"},
		{"nor a group that requires it", chain, "AC - AC AC AC AC", "?/100 AC; secret/1 ? ?/30; secret/2 AC ?/30; secret/3 AC ?/40"},
		{"but 0 stays 0", chain, "AC - AC WA WA WA", "?/100 WA; secret/1 ? ?/30; secret/2 WA 0/30; secret/3 not run: requires secret/2, which is WA"},
		{"nothing run is nothing known", loose, "- - - -", "?/100 ?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkOutcome(t, scoredProblem(t, c.groups), nil, c.groups, c.runs, c.want)
		})
	}
}
