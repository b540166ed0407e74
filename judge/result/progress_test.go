package result

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/problem"
)

// TestCourse checks which cases are run. Each word is the result of a case, in
// brackets if the case is not needed.
func TestCourse(t *testing.T) {
	for _, c := range []struct{ name, groups, runs string }{
		{"a pass-fail group is left after a failure", two, "AC WA [AC] AC AC AC"},
		{"a sum is not", two, "AC AC AC WA WA AC"},
		{"a minimum is left after a failure", "secret sum 9; secret/1 min 5: a b; secret/2 sum 4: a", "WA [AC] AC"},
		{"but not after an accepted case that earns nothing, whose group may yet fail", "secret sum 9; secret/1 min 5: a b; secret/2 sum 4: a", "AC*0 WA AC"},
		{"samples are left after a failure", "sample pass-fail -: a b; secret sum 1: a", "WA [AC] AC"},
		{"a pass-fail secret is left after a failure", "secret pass-fail 9; secret/1 pass-fail 1: a b; secret/2 pass-fail 1: a", "AC WA [AC]"},
		{"a minimum of groups is left when one has nothing", "secret min 9; secret/1 pass-fail 9: a b; secret/2 sum 9: a", "WA [AC] [AC]"},
		{"but not when one has something", "secret min 9; secret/1 sum 9: a b; secret/2 sum 9: a", "WA AC AC"},
		{"a sum that has nothing leaves a minimum nothing", "secret min 9; secret/1 sum 9: a b; secret/2 sum 9: a", "WA WA [AC]"},
		{"a group is not run when what it requires failed", chain, "AC AC WA [AC] [AC] [AC]"},
		{"nor one that requires a group that is not run", chain, "WA [AC] [AC] [AC] [AC] [AC]"},
		{"one of several is enough", chain, "AC AC AC WA [AC] [AC]"},
		{"the judge's failure decides nothing", two, "AC ! AC AC AC AC"},
		{"but a failure after it does", "sample pass-fail -: s; secret sum 100; secret/1 pass-fail 40: a b c; secret/2 sum 60: a", "AC ! WA [AC] AC"},
		{"static validation that fails leaves a pass-fail group", "secret sum 9; secret/1 pass-fail 9 static=pass-fail: a b", "WA [AC] [AC]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkCourse(t, scoredProblem(t, c.groups), c.groups, c.runs)
		})
	}
}

// checkCourse runs a progress over cases with the results in want, and checks
// that it leaves out those in brackets.
func checkCourse(t *testing.T, p *problem.Problem, groups, want string) {
	t.Helper()
	words := strings.NewReplacer("[", "", "]", "").Replace(want)
	runs := testRuns(t, p, words)
	c := treeOf(p).progress()
	var got []string
	for i, word := range strings.Fields(words) {
		k := p.Cases[i]
		if c.needs(k) {
			c.add(k, &runs[i])
			got = append(got, word)
			continue
		}
		c.reach(k)
		got = append(got, "["+word+"]")
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("%s\n got %s\nwant %s", groups, got, want)
	}
}

// TestCourseLosesNothing makes random problems and runs. The cases that a
// progress runs must give the same score, verdict and groups as all cases. A case
// that is not needed must stay so, and a run of such a case must change nothing.
func TestCourseLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	left := 0
	for range 4000 {
		p := randomProblem(t, r)
		tree := treeOf(p)
		words := make([]string, len(p.Cases))
		for i := range words {
			words[i] = []string{"AC", "AC", "AC", "AC", "WA", "TLE", "RTE", "!"}[r.IntN(8-r.IntN(2))]
		}
		all := testRuns(t, p, strings.Join(words, " "))
		whole := tree.fill(all, nil)
		c := tree.progress()
		gone := make(map[*problem.Case]bool)
		var some []Run
		for i, k := range p.Cases {
			for later := range gone {
				if c.needs(later) {
					t.Fatalf("%s is needed again", later.Name)
				}
			}
			for _, later := range p.Cases[i:] {
				if !c.needs(later) {
					gone[later] = true
				}
			}
			if c.needs(k) || c.bar(k) == "" && r.IntN(8) == 0 {
				c.add(k, &all[i])
				some = append(some, all[i])
				continue
			}
			left++
			c.reach(k)
		}
		part := tree.fill(some, nil)
		wantScore, _ := whole.score()
		score, _ := part.score()
		if strings.Contains(strings.Join(words, " "), "!") {
			continue // there are no scores then
		}
		if testkit.Score(wantScore, nil) != testkit.Score(score, nil) || verdictOf(all) != verdictOf(some) && !p.Legacy() {
			t.Fatalf("%s\nall   %s %s\nneeded %s %s", describe(p, words), testkit.Score(wantScore, nil), verdictOf(all), testkit.Score(score, nil), verdictOf(some))
		}
		if p.Legacy() && whole.results[tree.root] != part.results[tree.root] {
			t.Fatalf("%s\nall    %+v\nneeded %+v", describe(p, words), whole.results[tree.root], part.results[tree.root])
		}
	}
	if left < 1000 {
		t.Errorf("only %d cases were left: this tests nothing", left)
	}
}

func describe(p *problem.Problem, words []string) string {
	var b strings.Builder
	for i, k := range p.Cases {
		g := k.Group
		fmt.Fprintf(&b, "%s %s (%s %v %v %v %v)\n", k.Name, words[i], g.Aggregation, g.MaxScore, g.RequirePass, g.OnReject, g.GraderFlags)
	}
	return b.String()
}

// randomProblem returns a problem of 2025-09, or a legacy one with nested groups.
func randomProblem(t *testing.T, r *rand.Rand) *problem.Problem {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	if r.IntN(2) == 0 {
		var lines []string
		for i := range 1 + r.IntN(4) {
			flags := pick("", "", "min", "first_error", "always_accept", "accept_if_any_accepted", "avg max")
			lines = append(lines, fmt.Sprintf("secret/%d %s flags=%s: a b c", i, pick("break", "continue"), strings.ReplaceAll(flags, " ", ",")))
			if r.IntN(2) == 0 {
				lines = append(lines, fmt.Sprintf("secret/%d/x %s flags=%s: d e", i, pick("break", "continue"), pick("min", "accept_if_any_accepted", "")))
			}
		}
		return legacyProblem(t, fmt.Sprintf("data %s flags=%s; sample %s: a b; secret %s flags=%s; %s", pick("break", "continue"), pick("ignore_sample", ""),
			pick("break", "continue"), pick("break", "continue"), pick("accept_if_any_accepted", "always_accept", "first_error"), strings.Join(lines, "; ")))
	}
	lines := []string{"sample pass-fail -: a b"}
	require := pick("", "", " require=sample")
	whole := pick("sum", "sum", "min", "pass-fail")
	if lines = append(lines, "secret "+whole+" 1000"+require); r.IntN(4) == 0 {
		lines[1] += ": a b c d"
		return scoredProblem(t, strings.Join(lines, "; "))
	}
	var passable []string
	for i := range 1 + r.IntN(5) {
		how := pick("pass-fail", "pass-fail", "sum", "min")
		if whole == "pass-fail" {
			how = "pass-fail"
		}
		line := fmt.Sprintf("secret/%d %s %d", i, how, 10*(1+r.IntN(9)))
		if len(passable) > 0 && r.IntN(2) == 0 {
			line += " require=" + pick(passable...)
		}
		if how == "pass-fail" {
			passable = append(passable, fmt.Sprintf("secret/%d", i))
		}
		lines = append(lines, line+": "+pick("a", "a b", "a b c"))
	}
	return scoredProblem(t, strings.Join(lines, "; "))
}
