package judge

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testkit"
	"crucible/judge/internal/testproblem"
	"crucible/judge/problem"
)

// scriptedGroups returns a problem with groups that have a case for each word, as
// in "max_score: 30 | AC WA", and one submission in the folder.
func scriptedGroups(t *testing.T, folder string, rules string, groups ...string) (*problem.Problem, *problem.Submission) {
	t.Helper()
	testkit.Needs(t, "bash") // the language of the submission
	p, err := problem.Open(scriptedPackage(folder, rules, groups...))
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Submissions[0]
}

func scriptedPackage(folder, rules string, groups ...string) fstest.MapFS {
	m := fstest.MapFS{
		"problem.yaml":                    {Data: []byte("problem_format_version: 2025-09\ntype: scoring\nname: Scored\nuuid: 00000000-0000-4000-8000-000000000000\nlimits: {time_limit: 1}\n")},
		"submissions/" + folder + "/a.sh": {Data: []byte("true\n")},
		"data/secret/test_group.yaml":     {Data: []byte("max_score: 100\n")},
		"submissions/submissions.yaml":    {Data: []byte(rules)},
		"input_validators/v.sh":           {Data: []byte("true\n")},
		"statement/problem.en.md":         {Data: []byte("Say right.\n")},
		"data/sample/1.in":                {Data: []byte("AC\n")},
		"data/sample/1.ans":               {Data: []byte("right\n")},
	}
	for i, g := range groups {
		settings, words, _ := strings.Cut(g, "|")
		dir := fmt.Sprintf("data/secret/%d/", i+1)
		m[dir+"test_group.yaml"] = &fstest.MapFile{Data: []byte(settings + "\n")}
		for k, word := range strings.Fields(words) {
			m[fmt.Sprintf("%s%d.in", dir, k+1)] = &fstest.MapFile{Data: []byte(word + "\n")}
			m[fmt.Sprintf("%s%d.ans", dir, k+1)] = &fstest.MapFile{Data: []byte("right\n")}
		}
	}
	return m
}

func scoredReport(r *Report) string {
	var b strings.Builder
	for _, run := range r.Runs {
		fmt.Fprintf(&b, "%s=%s ", strings.TrimPrefix(run.Case, "secret/"), run.Verdict)
	}
	fmt.Fprintf(&b, "| %s %s", testkit.Score(r.Score, r.MaxScore), string(cmp.Or(r.Verdict, "?")))
	if r.AsExpected != nil && *r.AsExpected {
		b.WriteString(" ok")
	} else {
		b.WriteString(" " + r.Broken)
	}
	return b.String()
}

func TestScoredRuns(t *testing.T) {
	one, two, third := "max_score: 40 | AC %s AC", "{max_score: 40, require_pass: secret/1} | AC AC", "{max_score: 20, score_aggregation: sum} | AC WA"
	for _, c := range []struct {
		name, folder, rules, first string
		all                        bool
		want                       string
	}{
		{"all but a sum", "other", "", "AC", false, "sample/1=AC 1/1=AC 1/2=AC 1/3=AC 2/1=AC 2/2=AC 3/1=AC 3/2=WA | 90/100 WA ok"},
		{"what cannot change the score is left", "other", "", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"a broken expectation leaves the score to be known", "accepted", "", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA accepted permits AC, secret/1/2 is WA"},
		{"an expectation of every case is held to every case that may be run", "wrong_answer", "", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 1/3=AC 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"all cases are those that may be run", "other", "", "WA", true, "sample/1=AC 1/1=AC 1/2=WA 1/3=AC 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"a score", "other", "other: {score: 10}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"a score that is another", "other", "other: {score: 10}", "AC", false, "sample/1=AC 1/1=AC 1/2=AC 1/3=AC 2/1=AC 2/2=AC 3/1=AC 3/2=WA | 90/100 WA submissions/submissions.yaml:1:1 wants the score 10, it is 90"},
		{"a range includes its ends", "other", "other: {score: [90, 95]}", "AC", false, "sample/1=AC 1/1=AC 1/2=AC 1/3=AC 2/1=AC 2/2=AC 3/1=AC 3/2=WA | 90/100 WA ok"},
		{"the score of a group", "other", "other: {secret/3: {score: 10}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"groups by a glob", "other", "other: {'secret/*': {score: [10, 40]}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA submissions/submissions.yaml:1:9 wants the score 10 to 40 for secret/1, it is 0"},
		{"secret is the submission", "other", "other: {secret: {score: 11}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA submissions/submissions.yaml:1:9 wants the score 11 for secret, it is 10"},
		{"cases of a group that is not run are not accepted", "other", "other: {secret/2: {permitted: [AC]}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA submissions/submissions.yaml:1:9 permits AC, secret/2/1 is not run: its group requires secret/1, which is WA"},
		{"in a way that nobody knows", "other", "other: {secret/2: {required: [TLE]}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA submissions/submissions.yaml:1:9 requires TLE on some case, none is"},
		{"but fail they do", "other", "other: {secret/2: {required: [WA, TLE, RTE]}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 3/1=AC 3/2=WA | 10/100 WA ok"},
		{"a required verdict is looked for in a group that is lost", "other", "other: {secret/1: {required: [TLE]}}", "WA", false, "sample/1=AC 1/1=AC 1/2=WA 1/3=AC 3/1=AC 3/2=WA | 10/100 WA submissions/submissions.yaml:1:9 requires TLE on some case, none is"},
	} {
		for _, jobs := range []int{1, 5} {
			t.Run(fmt.Sprintf("%s, %d jobs", c.name, jobs), func(t *testing.T) {
				p, s := scriptedGroups(t, c.folder, c.rules, fmt.Sprintf(one, c.first), two, third)
				j := &Judge{Settings: Settings{All: c.all}, Runner: &testproblem.Scripted{Delay: jobs > 1}, Jobs: jobs, Cache: t.TempDir()}
				defer j.Close()
				r := j.Run(t.Context(), s, p.Cases)
				if err := r.JudgeError(); err != nil {
					t.Fatal(err)
				}
				if got := scoredReport(r); got != c.want {
					t.Errorf("\n got %s\nwant %s", got, c.want)
				}
			})
		}
	}
}

// TestScoresDoNotDependOnJobs is TestReportDoesNotDependOnJobs with groups.
func TestScoresDoNotDependOnJobs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"AC", "AC", "AC", "AC", "AC", "WA", "TLE", "RTE", "broken"}
	for range 20 {
		var groups []string
		for i := range 6 {
			g := "max_score: 10, score_aggregation: " + []string{"pass-fail", "sum", "min"}[r.IntN(3)]
			if i == 0 {
				g = "max_score: 10"
			} else if r.IntN(2) == 0 {
				g += ", require_pass: " + []string{"sample", "secret/1"}[r.IntN(2)]
			}
			g = "{" + g + "} |"
			for range 10 {
				g += " " + words[r.IntN(len(words)-r.IntN(2))]
			}
			groups = append(groups, g)
		}
		p, s := scriptedGroups(t, []string{"accepted", "wrong_answer", "brute_force", "rejected", "other"}[r.IntN(5)], "", groups...)
		sameWithManyJobs(t, p, s, groups)
	}
}

// TestScoreOfSomeCases checks that some of the cases give no score that needs all
// of them.
func TestScoreOfSomeCases(t *testing.T) {
	p, s := scriptedGroups(t, "accepted", "", "max_score: 40 | AC AC", "max_score: 60 | AC AC")
	j := &Judge{Runner: &testproblem.Scripted{}, Jobs: 2, Cache: t.TempDir()}
	defer j.Close()
	r := j.Run(t.Context(), s, p.Data.At("secret/2").Cases)
	if got, want := scoredReport(r), "2/1=AC 2/2=AC | ?/100 AC ok"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, g := range r.Groups {
		if known := g.Score != nil; known != (g.Name == "secret/2") {
			t.Errorf("%s has the score %s", g.Name, testkit.Score(g.Score, g.Max))
		}
	}
}
