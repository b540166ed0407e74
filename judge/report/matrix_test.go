package report

import (
	"fmt"
	"strings"
	"testing"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// rows returns a matrix of n cases, with rows in every state.
func rows(n int) (Matrix, []*MatrixRow) {
	m := Matrix{Title: fmt.Sprintf("poj3074  1 s, 64 MiB, %d cases", n)}
	for i := range n {
		name := fmt.Sprintf("secret/%02d", i-1)
		if i < 2 {
			name = fmt.Sprintf("sample/%d", i+1)
		}
		m.Cases = append(m.Cases, name)
	}
	var all []*MatrixRow
	add := func(name string) *MatrixRow {
		m.Submissions = append(m.Submissions, name)
		r := &MatrixRow{Name: name, Cells: make([]Cell, n)}
		all = append(all, r)
		return r
	}
	// fill adds runs of the first ran cases; the last one has the verdict last.
	fill := func(r *MatrixRow, ran int, last problem.Verdict) []judge.Run {
		var runs []judge.Run
		for i := range ran {
			v := problem.Accepted
			if i == ran-1 {
				v = last
			}
			one := run(m.Cases[i], v, 10*ms, 12.34, "")
			if v != problem.Accepted {
				one.Why = "for some reason"
			}
			runs = append(runs, one)
			r.Cells[i] = Cell{Run: &one}
			r.Slowest = &one
		}
		return runs
	}
	done := func(name string, standing *bool, ran int, last problem.Verdict) {
		r := add(name)
		r.Report = &judge.Report{Submission: name, AsExpected: standing, Verdict: last, Runs: fill(r, ran, last)}
	}
	done("accepted/dancing_links.go", yes(), n, problem.Accepted)
	done("accepted/dlx.cpp", no(), n, problem.TimeLimit)
	done("run_time_error/bounds.c", yes(), 3, problem.RuntimeError)
	done("time_limit_exceeded/plain.py", yes(), n/2, problem.TimeLimit)
	done("wrong_answer/memory.c", yes(), n/2+1, problem.MemoryLimit)
	done("wrong_answer/output.c", yes(), n/2+2, problem.OutputLimit)
	done("wrong_answer/guess.go", yes(), 1, problem.WrongAnswer)
	done("wrong_answer/stopped.go", nil, 4, problem.Accepted)
	refused := add("accepted/typo.rs")
	refused.Report = &judge.Report{Verdict: problem.CompileError, AsExpected: no()}
	skipped := add("accepted/typo.kt")
	skipped.Report = &judge.Report{Skipped: "no kotlinc on the PATH"}
	under := add("accepted/under_way.go")
	under.Mark = "⠋"
	fill(under, n/2, problem.Accepted)
	under.Cells[n/2].Running, under.Cells[n/2+1].Running = true, true
	compiling := add("accepted/compiling.go")
	compiling.Mark, compiling.Doing = "⠋", "compiling"
	add("accepted/waiting.go")
	return m, all
}

func TestMatrixOnTerminalsOfAnyWidth(t *testing.T) {
	var b strings.Builder
	for _, size := range []struct{ columns, cases int }{{140, 14}, {100, 14}, {80, 14}, {60, 14}, {40, 14}, {24, 14}, {120, 100}, {60, 100}} {
		m, all := rows(size.cases)
		g := m.Fit(size.columns)
		fmt.Fprintf(&b, "--- %d columns, %d cases\n%s\n", size.columns, size.cases, g.Head())
		for _, r := range all {
			fmt.Fprintf(&b, "%s\n", g.Row(r))
		}
	}
	golden(t, "matrix.txt", []byte(b.String()))
}

func TestMatrixLinesAreNarrowerThanTheTerminal(t *testing.T) {
	for columns := range 200 {
		for _, cases := range []int{6, 50, 500} {
			m, all := rows(cases)
			g := m.Fit(columns)
			for _, line := range append([]*terminal.Line{g.Head()}, func() (lines []*terminal.Line) {
				for _, r := range all {
					lines = append(lines, g.Row(r))
				}
				return lines
			}()...) {
				if w := terminal.Width(line.String()); w >= max(columns, 1) || w != line.Width() {
					t.Fatalf("%d columns, %d cases: a line of %d, said to be %d: %q", columns, cases, w, line.Width(), line)
				}
			}
		}
	}
}

func TestMarksThatCasesShare(t *testing.T) {
	ac, wa, tle := Cell{Run: &judge.Run{Verdict: problem.Accepted}}, Cell{Run: &judge.Run{Verdict: problem.WrongAnswer}}, Cell{Run: &judge.Run{Verdict: problem.TimeLimit}}
	runs, none := Cell{Running: true}, Cell{}
	tests := []struct {
		fact   string
		cells  []Cell
		judged bool
		want   string
	}{
		{"all accepted", []Cell{ac, ac}, false, "·"},
		{"the first that is not accepted is shown", []Cell{ac, wa, tle}, true, "W"},
		{"also while others run", []Cell{runs, wa}, false, "W"},
		{"one runs", []Cell{ac, runs, none}, false, "▸"},
		{"some are not run yet", []Cell{ac, none}, false, " "},
		{"some never will be", []Cell{ac, none}, true, "·"},
		{"none ever will be", []Cell{none, none}, true, " "},
	}
	for _, tt := range tests {
		if got, _ := markOf(tt.cells, tt.judged); got != tt.want {
			t.Errorf("%s: %q, expected %q", tt.fact, got, tt.want)
		}
	}
}
