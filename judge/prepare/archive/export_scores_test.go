package archive_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"crucible/judge/internal/testproblem"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
	"crucible/judge/result"
)

// scoreOf returns the score of a submission with these verdicts of the cases; 0 if it has
// none.
func scoreOf(p *problem.Problem, verdicts []problem.Verdict) float64 {
	s := result.New(p, nil, true)
	var runs []result.Run
	for i, c := range p.Cases {
		if !s.Needs(c) {
			s.Skip(c)
			continue
		}
		run := result.Run{Case: c.Name, Verdict: verdicts[i]}
		s.Add(c, &run)
		runs = append(runs, run)
	}
	if score := s.End(runs, false, nil).Score; score != nil {
		return *score
	}
	return 0
}

// sameScores compares the scores of two problems with the same cases, for submissions with
// random verdicts.
func sameScores(t *testing.T, what string, p, q *problem.Problem) {
	t.Helper()
	if len(p.Cases) != len(q.Cases) {
		t.Errorf("%s: %d cases became %d", what, len(p.Cases), len(q.Cases))
		return
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(p.Cases))))
	scores := make(map[float64]bool)
	for range 300 {
		accepted := []float64{0, 0.5, 0.9, 0.98, 1}[rng.IntN(5)]
		verdicts := make([]problem.Verdict, len(p.Cases))
		for i, c := range p.Cases {
			if i > 0 && c.Group != p.Cases[i-1].Group {
				accepted = []float64{0, 0.9, 1, 1}[rng.IntN(4)]
			}
			if verdicts[i] = problem.WrongAnswer; rng.Float64() < accepted {
				verdicts[i] = problem.Accepted
			}
		}
		a, b := scoreOf(p, verdicts), scoreOf(q, verdicts)
		if math.Abs(a-b) > 1e-9*max(1, a) {
			t.Errorf("%s: the score %v became %v for the verdicts %v", what, a, b, verdicts)
			return
		}
		scores[a] = true
	}
	if most, ok := p.MaxScore(); ok && most > 0 && len(scores) < 2 {
		t.Errorf("%s: all scores are %v", what, scores)
	}
}

// scoredPackage returns a package with settings of groups, by folder below data/, and two
// cases in each folder that is not "" and not above others.
func scoredPackage(version string, settings map[string]string) fstest.MapFS {
	yaml, group := "problem_format_version: 2025-09\nname: {en: Sum}\nuuid: 7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 1}\n", "test_group.yaml"
	if version == "legacy" {
		yaml, group = "problem_format_version: legacy\nname: Sum\n", "testdata.yaml"
	}
	files := fstest.MapFS{"problem.yaml": {Data: []byte(yaml + "type: scoring\n")}, ".timelimit": {Data: []byte("1\n")}, "submissions/accepted/a.py": {Data: []byte("print(1)\n")}}
	for folder, keys := range settings {
		dir := strings.TrimSuffix("data/"+folder, "/")
		files[dir+"/"+group] = &fstest.MapFile{Data: []byte(keys + "\n")}
		above := false
		for other := range settings {
			above = above || strings.HasPrefix(other, strings.TrimPrefix(folder+"/", "/")) && other != folder
		}
		for i := range 2 {
			if !above {
				files[fmt.Sprintf("%s/%d.in", dir, i+1)] = &fstest.MapFile{Data: fmt.Appendf(nil, "%s %d\n", folder, i)}
				files[fmt.Sprintf("%s/%d.ans", dir, i+1)] = &fstest.MapFile{Data: []byte("1\n")}
			}
		}
	}
	for _, f := range files {
		f.Mode = 0o644
	}
	return files
}

func TestScoresAreConverted(t *testing.T) {
	const (
		root  = "on_reject: continue\ngrader_flags: first_error ignore_sample\nrange: 0 100"
		some  = "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\nrange: 0 100"
		whole = "on_reject: break\ngrader_flags: min\nrange: 0 40\naccept_score: 40"
		sums  = "on_reject: continue\ngrader_flags: accept_if_any_accepted sum\nrange: 0 60\naccept_score: 30"
		none  = "accept_score: 0\nrange: 0 0"
	)
	for _, c := range []struct {
		name, version string
		settings      map[string]string
		lost          string // part of a loss that changes scores; "" if there is none
	}{
		{"groups and a sum", "legacy", map[string]string{"": root, "sample": none, "secret": some, "secret/a": whole, "secret/b": sums}, ""},
		{"avg", "legacy", map[string]string{"": root, "sample": none, "secret": some, "secret/a": whole, "secret/b": strings.Replace(sums, "sum", "avg", 1)}, ""},
		{"min of groups", "legacy", map[string]string{"": root, "secret": strings.Replace(some, "any_accepted", "any_accepted min", 1), "secret/a": whole, "secret/b": whole}, ""},
		{"all or nothing", "legacy", map[string]string{"": root, "secret": "on_reject: continue\ngrader_flags: sum\nrange: 0 80", "secret/a": whole, "secret/b": whole}, ""},
		{"each group requires those before", "legacy", map[string]string{"": strings.Replace(root, "100", "120", 1), "secret": "on_reject: break\ngrader_flags: accept_if_any_accepted\nrange: 0 120", "secret/a": whole, "secret/b": whole, "secret/c": whole}, ""},
		{"samples are required", "legacy", map[string]string{"": "on_reject: break\ngrader_flags: sum\nrange: 0 100", "sample": none, "secret": some, "secret/a": whole, "secret/b": sums}, ""},
		{"samples are required, although any suffices", "legacy", map[string]string{"": "on_reject: break\ngrader_flags: accept_if_any_accepted\nrange: 0 100", "sample": none + "\ngrader_flags: sum", "secret": "on_reject: continue\ngrader_flags: sum\nrange: 0 100", "secret/a": whole, "secret/b": whole}, ""},
		{"any sample suffices", "legacy", map[string]string{"": "on_reject: break\ngrader_flags: accept_if_any_accepted\nrange: 0 100", "sample": none, "secret": some, "secret/a": whole}, "requires all samples or none"},
		{"no groups", "legacy", map[string]string{"": root, "sample": none, "secret": sums}, ""},
		{"no groups, all or nothing", "legacy", map[string]string{"": root, "sample": none, "secret": strings.Replace(sums, "accept_if_any_accepted", "", 1)}, ""},
		{"max", "legacy", map[string]string{"": root, "secret": some, "secret/a": strings.Replace(whole, "min", "max", 1)}, "grader flag max"},
		{"score of rejected cases", "legacy", map[string]string{"": root, "secret": some, "secret/a": whole + "\nreject_score: 1"}, "reject_score 1"},
		{"sum that breaks", "legacy", map[string]string{"": root, "secret": some, "secret/a": strings.Replace(sums, "continue", "break", 1)}, "on_reject: break: in the format the sum"},
		{"samples with points", "legacy", map[string]string{"": "on_reject: continue\nrange: 0 101", "sample": "accept_score: 1\nrange: 0 2", "secret": some, "secret/a": whole}, "the scores of samples"},
		{"groups in groups", "legacy", map[string]string{"": root, "secret": some, "secret/a": whole, "secret/a/b": whole}, "groups in groups"},

		{"pass-fail and sum", "2025-09", map[string]string{"sample": "", "secret": "max_score: 70", "secret/a": "max_score: 40\nscore_aggregation: pass-fail", "secret/b": "max_score: 30\nscore_aggregation: sum"}, ""},
		{"chain", "2025-09", map[string]string{"secret": "max_score: 70", "secret/a": "max_score: 40\nscore_aggregation: pass-fail", "secret/b": "max_score: 30\nscore_aggregation: sum\nrequire_pass: secret/a"}, ""},
		{"sample is required", "2025-09", map[string]string{"sample": "", "secret": "max_score: 70\nrequire_pass: sample", "secret/a": "max_score: 40\nscore_aggregation: pass-fail", "secret/b": "max_score: 30\nscore_aggregation: min"}, ""},
		{"min of min", "2025-09", map[string]string{"secret": "max_score: 30\nscore_aggregation: min", "secret/a": "max_score: 40\nscore_aggregation: min", "secret/b": "max_score: 30\nscore_aggregation: pass-fail"}, ""},
		{"pass-fail of pass-fail", "2025-09", map[string]string{"secret": "max_score: 70\nscore_aggregation: pass-fail", "secret/a": "max_score: 40\nscore_aggregation: pass-fail", "secret/b": "max_score: 30\nscore_aggregation: pass-fail"}, ""},
		{"cases in secret", "2025-09", map[string]string{"sample": "", "secret": "max_score: 100\nscore_aggregation: sum"}, ""},
		{"another order", "2025-09", map[string]string{"secret": "max_score: 120", "secret/a": "max_score: 40\nscore_aggregation: pass-fail", "secret/b": "max_score: 40\nscore_aggregation: pass-fail", "secret/c": "max_score: 40\nscore_aggregation: pass-fail\nrequire_pass: secret/a"}, "require_pass"},
		{"sample for one group", "2025-09", map[string]string{"sample": "", "secret": "max_score: 80", "secret/a": "max_score: 40\nscore_aggregation: pass-fail\nrequire_pass: sample", "secret/b": "max_score: 40\nscore_aggregation: pass-fail"}, "require_pass: sample"},
	} {
		t.Run(c.version+" "+c.name, func(t *testing.T) {
			s := testproblem.Located(t, writeFiles(t, scoredPackage(c.version, c.settings)))
			p, err := problem.Open(s)
			if err != nil {
				t.Fatal(err)
			}
			to, home := "kattis", "kattis-legacy"
			if c.version != "legacy" {
				to, home = home, to
			}
			made, there, q := exportTo(t, s, p, to)
			if (len(made.Parts.ChangeVerdicts()) > 0) != (c.lost != "") || c.lost != "" &&
				!strings.Contains(fmt.Sprint(made.Parts.In(foreign.Lost)), c.lost) {
				t.Fatalf("lost %v; expected %q", made.Parts.In(foreign.Lost), c.lost)
			}
			if c.lost != "" {
				return
			}
			sameScores(t, to, p, q)
			back, _, r := exportTo(t, there, q, home)
			if len(back.Parts.ChangeVerdicts()) > 0 {
				t.Fatalf("on the way back: lost %v", back.Parts.In(foreign.Lost))
			}
			sameScores(t, "and back", p, r)
		})
	}
}
