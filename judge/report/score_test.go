package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
)

// scores returns a scoring problem with every result of a group.
func scores() *record.Document {
	v := func(v float64) *float64 { return &v }
	earned := func(r judge.Run, score float64) judge.Run {
		r.Earned = &score
		return r
	}
	ac := func(name string) judge.Run { return run(name, problem.Accepted, 3*ms, 1, "") }
	wa := func(name string) judge.Run { return run(name, problem.WrongAnswer, 3*ms, 1, "off by one") }
	reports := []*judge.Report{
		{Submission: "accepted/all.go", Language: "go", Expected: wantAC, Verdict: problem.Accepted, AsExpected: yes(), Score: v(100), MaxScore: v(100),
			Groups: []judge.GroupResult{
				{Name: "sample", Verdict: problem.Accepted},
				{Name: "secret", Verdict: problem.Accepted, Score: v(100), Max: v(100)},
				{Name: "secret/1-small", Verdict: problem.Accepted, Score: v(40), Max: v(40)},
				{Name: "secret/2-large", Verdict: problem.Accepted, Score: v(60), Max: v(60)},
			},
			Runs: []judge.Run{ac("sample/1"), ac("secret/1-small/1"), earned(ac("secret/2-large/1"), 20), earned(ac("secret/2-large/2"), 20), earned(ac("secret/2-large/3"), 20)}},
		{Submission: "partial/third.go", Language: "go", Expected: []problem.Expectation{{Score: []float64{33.333333}}, {Cases: "secret/1*", Score: []float64{0, 12}}}, Verdict: problem.WrongAnswer, AsExpected: no(), Score: v(100.0 / 3), MaxScore: v(100),
			Broken: "submissions.yaml:2:1 wants the score 60, it is 33.333333",
			Groups: []judge.GroupResult{
				{Name: "sample", Verdict: problem.Accepted},
				{Name: "secret", Verdict: problem.WrongAnswer, Score: v(100.0 / 3), Max: v(100)},
				{Name: "secret/1-small", Verdict: problem.WrongAnswer, Score: v(0), Max: v(40)},
				{Name: "secret/2-large", Verdict: problem.Accepted, Score: v(100.0 / 3), Max: v(60)},
			},
			Runs: []judge.Run{ac("sample/1"), wa("secret/1-small/1"), earned(ac("secret/2-large/1"), 100.0/9), earned(ac("secret/2-large/2"), 100.0/9), earned(ac("secret/2-large/3"), 100.0/9)}},
		{Submission: "partial/none.go", Language: "go", Expected: []problem.Expectation{{Final: []problem.Verdict{problem.WrongAnswer}}}, Verdict: problem.WrongAnswer, AsExpected: yes(), Score: v(0), MaxScore: v(100),
			Groups: []judge.GroupResult{
				{Name: "sample", Verdict: problem.WrongAnswer},
				{Name: "secret", NotRun: "requires sample, which is WA", Score: v(0), Max: v(100)},
				{Name: "secret/1-small", NotRun: "requires sample, which is WA", Score: v(0), Max: v(40)},
				{Name: "secret/2-large", NotRun: "requires sample, which is WA", Score: v(0), Max: v(60)},
			},
			Runs: []judge.Run{wa("sample/1")}},
		{Submission: "partial/broken.go", Language: "go", Expected: []problem.Expectation{{Partial: true}}, MaxScore: v(100),
			Groups: []judge.GroupResult{
				{Name: "sample", Verdict: problem.Accepted},
				{Name: "secret", Max: v(100)},
				{Name: "secret/1-small", Err: errors.New("data/secret/1-small: the score 41 is more than its max_score 40" + evil), Max: v(40)},
				{Name: "secret/2-large", Verdict: problem.Accepted, Score: v(60), Max: v(60)},
			},
			Runs: []judge.Run{ac("sample/1"), ac("secret/1-small/1")}},
		{Submission: "partial/some.go", Language: "go", Expected: wantAC, Verdict: problem.Accepted, AsExpected: yes(), MaxScore: v(100),
			Groups: []judge.GroupResult{{Name: "secret", Max: v(100)}, {Name: "secret/1-small", Max: v(40)}}, Runs: []judge.Run{ac("sample/1")}},
		{Submission: "accepted/typo.go", Language: "go", Expected: wantAC, Verdict: problem.CompileError, AsExpected: no(), Broken: "it does not compile"},
	}
	return &record.Document{
		Problems: []record.Problem{{ID: "steps", Path: "problems/steps", Reports: reports,
			Cases:  []string{"sample/1", "secret/1-small/1", "secret/2-large/1", "secret/2-large/2", "secret/2-large/3"},
			Limits: problem.Limits{Time: time.Second, Memory: 64 << 20}}},
		Elapsed: 123 * ms,
	}
}

func TestScoresInEveryFormat(t *testing.T) {
	for _, f := range formats {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Write(&b, scores()); err != nil {
				t.Fatal(err)
			}
			golden(t, "scores"+f.Ext, b.Bytes())
		})
	}
}

func TestScoresInTheMatrix(t *testing.T) {
	p := scores().Problems[0]
	lines := linesOf(&p)
	m := Matrix{Title: lines.Title, Submissions: lines.Submissions, Cases: lines.Cases, Score: lines.Score}
	var b strings.Builder
	for _, columns := range []int{100, 60, 30} {
		g := m.Fit(columns)
		b.WriteString(g.Head().String() + "\n")
		for _, r := range p.Reports {
			row := MatrixRow{Name: r.Submission, Cells: make([]Cell, len(p.Cases)), Report: r, Slowest: r.Slowest()}
			for i, name := range p.Cases {
				for k := range r.Runs {
					if r.Runs[k].Case == name {
						row.Cells[i].Run = &r.Runs[k]
					}
				}
			}
			line := g.Row(&row)
			if line.Width() > columns {
				t.Errorf("%d columns wide, expected at most %d: %s", line.Width(), columns, line)
			}
			b.WriteString(line.String() + "\n")
		}
		b.WriteString("\n")
	}
	golden(t, "matrix_scores.txt", []byte(b.String()))
}
