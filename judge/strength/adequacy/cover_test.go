package adequacy

import (
	"context"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"crucible/judge/problem"
)

// matrixOf returns a matrix in which each line is a program and each x a kill.
func matrixOf(lines ...string) *Matrix {
	m := &Matrix{}
	for p, line := range lines {
		m.Programs = append(m.Programs, Program{Name: fmt.Sprint("p", p)})
		row := make([]Kill, len(line))
		for c, r := range line {
			if p == 0 {
				m.Cases = append(m.Cases, Case{Name: fmt.Sprint("c", c)})
			}
			row[c].Verdict = map[rune]problem.Verdict{'x': problem.WrongAnswer, 't': problem.TimeLimit, '.': problem.Accepted, '?': problem.Undecided, 'w': problem.TimeLimit}[r]
			row[c].Weak = r == 'w'
		}
		m.Kills = append(m.Kills, row)
	}
	return m
}

// random returns a matrix in which each kill has the probability density.
func random(r *rand.Rand, programs, cases int, density float64) *Matrix {
	m := &Matrix{Cases: make([]Case, cases), Programs: make([]Program, programs), Kills: make([][]Kill, programs)}
	for p := range programs {
		m.Kills[p] = make([]Kill, cases)
		for c := range cases {
			if r.Float64() < density {
				m.Kills[p][c].Verdict = problem.WrongAnswer
			}
		}
	}
	return m
}

// covers reports whether the cases reject all programs that any case rejects.
func (m *Matrix) covers(cases []int) bool {
	for p := range m.Programs {
		by := m.Killers(p)
		if len(by) > 0 && !slices.ContainsFunc(by, func(c int) bool { return slices.Contains(cases, c) }) {
			return false
		}
	}
	return true
}

// bruteForce returns the size of the smallest cover by trying all sets of cases.
func (m *Matrix) bruteForce() int {
	least := len(m.Cases)
	rows := m.rows()
	for chosen := range uint64(1) << len(m.Cases) {
		if bits.OnesCount64(chosen) >= least {
			continue
		}
		ok := true
		for _, r := range rows {
			ok = ok && (r.count() == 0 || r[0]&chosen != 0)
		}
		if ok {
			least = bits.OnesCount64(chosen)
		}
	}
	return least
}

func TestSmallestCoverIsThatOfBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		m := random(r, 1+r.IntN(14), 1+r.IntN(12), []float64{0.1, 0.2, 0.3, 0.5}[r.IntN(4)])
		got := m.SmallestCover(context.Background())
		if want := m.bruteForce(); len(got.Cases) != want || !got.Smallest || got.AtLeast != want || !m.covers(got.Cases) {
			t.Fatalf("%+v, expected %d cases, of\n%v", got, want, m.rows())
		}
	}
}

func TestSmallestCoverOfKnownMatrices(t *testing.T) {
	for _, test := range []struct {
		name string
		m    *Matrix
		want []int
	}{
		{"no program", &Matrix{Cases: make([]Case, 2)}, nil},
		{"no case", &Matrix{Programs: make([]Program, 2), Kills: make([][]Kill, 2)}, nil},
		{"only survivors", matrixOf("..", ".?"), nil},
		{"two needed cases", matrixOf("x..", "..x"), []int{0, 2}},
		{"the greedy choice is wrong", matrixOf("xx.", "xx.", "x.x", "x.x", ".x.", "..x"), []int{1, 2}},
		{"weak kills do not count", matrixOf("wx", "w."), []int{1}},
	} {
		got := test.m.SmallestCover(context.Background())
		if !slices.Equal(got.Cases, test.want) || !got.Smallest || got.AtLeast != len(test.want) {
			t.Errorf("%s: %+v, expected %d", test.name, got, test.want)
		}
	}
	// Of equal cases the faster one is taken.
	m := matrixOf("xxx", "xxx")
	m.Cases[0].CPU, m.Cases[1].CPU, m.Cases[2].CPU = 3, 1, 2
	if got := m.SmallestCover(context.Background()); !slices.Equal(got.Cases, []int{1}) {
		t.Errorf("%d, expected the fastest case 1", got.Cases)
	}
}

func TestCoverWithoutTime(t *testing.T) {
	m := random(rand.New(rand.NewPCG(3, 4)), 200, 200, 0.05)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got := m.SmallestCover(ctx)
	if !m.covers(got.Cases) || got.Smallest || got.AtLeast < 0 || got.AtLeast > len(got.Cases) {
		t.Errorf("%+v, expected a cover without proof", got)
	}
}

var large = flag.Duration("large", 0, "time for each cover of 500 cases and 300 programs; 0 leaves them out")

// realistic returns a matrix in which each program has one of 60 bugs or two, and a
// case rejects those whose bugs it reveals. Noise is the share of other results.
func realistic(r *rand.Rand, programs, cases int, noise float64) *Matrix {
	m := random(r, programs, cases, 0)
	const bugs = 60
	reveals := random(r, cases, bugs, 0.06)
	for p := range programs {
		one, two := r.IntN(bugs), r.IntN(bugs)
		if r.IntN(2) == 0 {
			two = one
		}
		for c := range cases {
			if (reveals.Killed(c, one) || reveals.Killed(c, two)) != (r.Float64() < noise) {
				m.Kills[p][c].Verdict = problem.WrongAnswer
			}
		}
	}
	return m
}

func TestLargeCovers(t *testing.T) {
	if *large == 0 {
		t.Skip("no -large")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, kind := range []string{"bugs", "bugs with noise", "0.005", "0.01", "0.02", "0.05", "0.1", "0.3"} {
		m := (*Matrix)(nil)
		density := 0.0
		if _, err := fmt.Sscan(kind, &density); err == nil {
			m = random(r, 300, 500, density)
		} else {
			noise := 0.0
			if kind == "bugs with noise" {
				noise = 0.005
			}
			m = realistic(r, 300, 500, noise)
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), *large)
		got := m.SmallestCover(ctx)
		cancel()
		if !m.covers(got.Cases) {
			t.Errorf("%s: no cover", kind)
		}
		t.Logf("%-16s %3d cases, at least %3d, smallest: %-5v %6d nodes, %6.2f s", kind, len(got.Cases), got.AtLeast, got.Smallest, got.Nodes, time.Since(start).Seconds())
	}
}
