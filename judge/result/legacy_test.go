package result

import (
	"errors"
	"math"
	"strings"
	"testing"

	"crucible/judge/problem"
)

// legacyProblem makes a legacy scoring problem from lines such as
//
//	secret/1 continue flags=min,first_error range=0,40 scores=40,0 custom: a b
//
// A group inherits the settings that its line leaves out. "data" is data/.
func legacyProblem(t testing.TB, lines string) *problem.Problem {
	t.Helper()
	p := &problem.Problem{Types: []problem.Type{problem.Scoring}, Format: problem.FormatOf("legacy"), Data: &problem.Group{OnReject: "break", AcceptScore: 1, Range: [2]float64{math.Inf(-1), math.Inf(1)}}}
	for line := range strings.SplitSeq(lines, ";") {
		head, cases, _ := strings.Cut(line, ":")
		words := strings.Fields(head)
		g := p.Data
		if words[0] != "data" {
			above, own := p.Data, &problem.Group{}
			if i := strings.LastIndex(words[0], "/"); i >= 0 {
				above = p.Data.At(words[0][:i])
			}
			*own = problem.Group{Name: words[0], OnReject: above.OnReject, Custom: above.Custom, AcceptScore: above.AcceptScore, RejectScore: above.RejectScore, Range: above.Range}
			above.Groups = append(above.Groups, own)
			g = own
		}
		for _, word := range words[1:] {
			key, value, _ := strings.Cut(word, "=")
			values := strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
			switch key {
			case "flags":
				g.GraderFlags = values
			case "range":
				g.Range = [2]float64{number(t, values[0]), number(t, values[1])}
			case "scores":
				g.AcceptScore, g.RejectScore = number(t, values[0]), number(t, values[1])
			case "custom":
				g.Custom = true
			default:
				g.OnReject = word
			}
		}
		addTestCases(p, g, cases)
	}
	return p
}

const subtasks = "data continue flags=ignore_sample range=0,100; sample: s; secret continue flags=first_error,accept_if_any_accepted; secret/1 break flags=min scores=40,0: a b; secret/2 break flags=min scores=60,0: a b"

// TestDefaultGrader follows legacy, "Graders" and "Test Data Groups".
func TestDefaultGrader(t *testing.T) {
	for _, c := range []struct{ name, groups, runs, want string }{
		{"all accepted is accepted", "secret: a b", "AC AC", "2 AC"},
		{"scores are summed by default", "secret scores=2.5,0: a b c", "AC AC AC", "7.5 AC"},
		{"samples count by default", "sample: s; secret: a b", "AC AC AC", "3 AC"},
		{"ignore_sample: secret alone counts", "data flags=ignore_sample; sample: s; secret: a b", "AC AC AC", "2 AC"},
		{"ignore_sample: for the verdict, too", "data flags=ignore_sample; sample: s; secret: a b", "WA AC AC", "2 AC"},
		{"without samples there is nothing to ignore", "data flags=ignore_sample; secret: a b", "AC AC", "2 AC"},
		{"ignore_sample inherited means nothing", "data flags=ignore_sample; sample flags=ignore_sample: s; secret flags=ignore_sample: a", "WA AC", "1 AC"},
		{"what is not accepted has no score", "secret: a b", "AC WA", "? WA"},
		{"worst_error by default: a crash before a time limit", "data continue; secret: a b c", "WA TLE RTE", "? RTE"},
		{"worst_error: memory before time", "data continue; secret: a b", "TLE MLE", "? MLE"},
		{"worst_error: time before output", "data continue; secret: a b", "OLE TLE", "? TLE"},
		{"worst_error: output before a wrong answer", "data continue; secret: a b c", "AC WA OLE", "? OLE"},
		{"first_error", "data continue flags=first_error; secret flags=first_error: a b c", "AC TLE RTE", "? TLE"},
		{"on_reject: break grades what there is", "secret: a b c", "AC TLE RTE", "? TLE"},
		{"break is the default", "secret: a b c", "WA AC AC", "? WA"},
		{"always_accept", "data continue flags=always_accept; secret flags=always_accept: a b c", "AC WA AC", "2 AC"},
		{"always_accept with break scores what was judged", "data flags=always_accept; secret flags=always_accept: a b c", "AC WA AC", "1 AC"},
		{"reject_score", "data continue flags=always_accept; secret flags=always_accept scores=10,-1: a b c", "AC WA AC", "19 AC"},
		{"accept_if_any_accepted", "data continue; secret flags=accept_if_any_accepted: a b", "WA AC", "1 AC"},
		{"accept_if_any_accepted when none is", "data continue; secret flags=accept_if_any_accepted,first_error: a b", "WA TLE", "? WA"},
		{"avg", "secret flags=avg scores=10,0: a b", "AC=5 AC", "7.5 AC"},
		{"min", "secret flags=min: a b", "AC=5 AC=3", "3 AC"},
		{"max", "secret flags=max: a b", "AC=5 AC=3", "5 AC"},
		{"the last of two modes counts", "secret flags=min,max: a b", "AC=5 AC=3", "5 AC"},
		{"the last of two verdict modes counts", "data continue; secret flags=first_error,worst_error: a b", "WA TLE", "? TLE"},
		{"an unknown flag has no effect", "secret flags=best: a b", "AC AC", "2 AC"},
		{"no_errors is worst_error", "data continue; secret flags=first_error,no_errors: a b", "WA TLE", "? TLE"},
		{"score.txt is the score", "secret scores=10,0: a b", "AC=2.5 AC", "12.5 AC"},
		{"score.txt of what is rejected is its score", "data continue flags=always_accept; secret flags=always_accept: a b", "WA=0.5 AC", "1.5 AC"},
		{"groups in groups", "data; secret; secret/1 flags=min scores=5,0: a b; secret/1/x scores=2,0: c d", "AC AC AC AC", "4 AC; secret/1 AC 4; secret/1/x AC 4"},
		{"a group counts as one case above", "data continue; secret flags=avg; secret/1 scores=3,0: a b; secret/2 scores=4,0: a", "AC AC AC", "5 AC; secret/1 AC 6; secret/2 AC 4"},
		{"on_reject: break leaves the groups that follow", "secret; secret/1: a; secret/2: a", "WA AC", "? WA; secret/1 WA 0; secret/2 not run: follows secret/1, which is WA"},
		{"on_reject: continue does not", "data continue; secret; secret/1: a; secret/2: a", "WA AC", "? WA; secret/1 WA 0; secret/2 AC 1"},
		{"subtasks: all", subtasks, "AC AC AC AC AC", "100/100 AC; secret/1 AC 40/100; secret/2 AC 60/100"},
		{"subtasks: one", subtasks, "WA AC WA AC AC", "60/100 AC; secret/1 WA 0/100; secret/2 AC 60/100"},
		{"subtasks: none", subtasks, "AC WA AC TLE AC", "?/100 WA; secret/1 WA 0/100; secret/2 TLE 0/100"},
		{"a score above the range", "secret range=0,5: a b", "AC=3 AC=3", "? ?; data/secret: the score 6 of secret lies outside of its range 0 to 5"},
		{"a score below the range", "secret range=0,5: a", "AC=-1", "? ?; data/secret: the score -1 of secret lies outside of its range 0 to 5"},
		{"a sum beyond all numbers", "secret: a b", "AC=1e308 AC=1e308", "? ?; data/secret: the scores of secret have a sum beyond all numbers"},
		{"the ends of the range are in it", "secret range=0,6: a b", "AC=3 AC=3", "6 AC"},
		{"thirds are in their range", "secret range=0,1 scores=0.1,0: a b c d e f g h i j", "AC AC AC AC AC AC AC AC AC AC", "1 AC"},
		{"what is rejected has no score to be outside", "secret range=1,5: a", "WA", "? WA"},
		{"the judge's failure is nobody's verdict", "data continue; secret: a b", "! WA", "? ?"},
		{"a custom grader is asked", "secret custom: a b", "AC=2 WA", "20 AC"},
		{"a custom grader that fails", "secret custom: a b", "AC=2 AC=13", "? ?; the grader broke"},
		{"a custom grader does not know the flags of the default one", "secret custom flags=best: a", "AC=2", "20 AC"},
		{"cases that were not run are no cases, and the score is not known", "data continue; secret: a b", "AC -", "? AC"},
		{"groups without cases are no groups", "data; sample; secret flags=avg; secret/1; secret/2 scores=7,0: a", "AC", "7 AC; secret/2 AC 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			custom := func(g *problem.Group, results []Graded) (problem.Verdict, float64, error) {
				if results[len(results)-1].Score == 13 {
					return problem.Undecided, 0, errors.New("the grader broke")
				}
				return problem.Accepted, 10 * results[0].Score, nil
			}
			checkOutcome(t, legacyProblem(t, c.groups), custom, c.groups, c.runs, c.want)
		})
	}
}

// TestLegacyCourse is TestCourse for on_reject.
func TestLegacyCourse(t *testing.T) {
	for _, c := range []struct{ name, groups, runs string }{
		{"break leaves the group", "data continue; secret; secret/1 break: a b; secret/2: a", "WA [AC] AC"},
		{"a failed group breaks the one above", "secret; secret/1: a b; secret/2: a", "WA [AC] [AC]"},
		{"after all its cases if it continues", "secret; secret/1 continue: a b; secret/2: a", "WA AC [AC]"},
		{"one that is always accepted does not", "secret; secret/1 flags=always_accept: a b; secret/2: a", "WA [AC] AC"},
		{"one with something accepted does not", "secret; secret/1 flags=accept_if_any_accepted: a b; secret/2: a", "AC WA AC"},
		{"failed samples break data/", "sample: s; secret: a", "WA [AC]"},
		{"but not if they are ignored", "data flags=ignore_sample; sample: s t; secret: a", "WA [AC] AC"},
		{"what a custom grader says is not foreseen", "secret; secret/1 custom: a b; secret/2: a", "WA [AC] AC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkCourse(t, legacyProblem(t, c.groups), c.groups, c.runs)
		})
	}
}
