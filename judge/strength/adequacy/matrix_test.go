package adequacy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"crucible/judge/problem"
)

func TestMatrix(t *testing.T) {
	m := matrixOf(
		"xx..", // 0
		"xx..", // 1: as 0
		".xt.", // 2
		".x..", // 3: subsumes 0, 1 and 2
		"...?", // 4: survives
		"...w", // 5: only a weak kill
		"xxxx", // 6: does not compile
	)
	m.Programs[6].CompileError = true
	for _, test := range []struct {
		name      string
		got, want any
	}{
		{"cases that reject program 2", m.Killers(2), []int{1, 2}},
		{"survivors", m.Survivors(), []int{4, 5}},
		{"rejected by one case alone", m.Alone(), [][]int{nil, {3}, nil, nil}},
		{"nothing new", m.NothingNew(), []int{1, -1, 1, 3}},
		{"duplicates", m.Duplicates(), [][]int{{0, 1}}},
		{"subsuming", m.Subsuming(), []int{3}},
		{"verdicts of case 2", m.Verdicts(2), map[problem.Verdict]int{problem.TimeLimit: 1}},
		{"nothing new of equal cases", matrixOf("xx", "xx").NothingNew(), []int{-1, 0}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-expected +got):\n%s", test.name, diff)
		}
	}
}

// TestSubsumingIsEnough checks what the subsuming set promises: data that kills it
// kills all, and no part of it is enough.
func TestSubsumingIsEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		m := random(r, 1+r.IntN(10), 1+r.IntN(8), 0.4)
		hard := m.Subsuming()
		kills := func(cases uint64, programs []int) bool {
			for _, p := range programs {
				if row := m.rows()[p]; row[0]&cases == 0 {
					return false
				}
			}
			return true
		}
		var killed []int
		for p := range m.Programs {
			if len(m.Killers(p)) > 0 {
				killed = append(killed, p)
			}
		}
		for cases := range uint64(1) << len(m.Cases) {
			if kills(cases, hard) != kills(cases, killed) {
				t.Fatalf("cases %b kill %d: %v, but %d: %v", cases, hard, kills(cases, hard), killed, kills(cases, killed))
			}
		}
		for i := range hard {
			part := slices.Delete(slices.Clone(hard), i, i+1)
			enough := true
			for cases := range uint64(1) << len(m.Cases) {
				enough = enough && kills(cases, part) == kills(cases, killed)
			}
			if enough {
				t.Fatalf("%d without %d is enough", hard, hard[i])
			}
		}
	}
}

func TestSoonestOrder(t *testing.T) {
	m := matrixOf("x..", "x..", "x.x", ".x.")
	m.Cases[0].CPU, m.Cases[1].CPU, m.Cases[2].CPU = 10*time.Second, time.Second, time.Second
	order := m.SoonestOrder()
	if !slices.Equal(order, []int{1, 2, 0}) {
		t.Errorf("order %d, expected the fast cases first", order)
	}
	mean, rejected := m.TimeToReject(order)
	if want := (12 + 12 + 2 + 1) * time.Second / 4; mean != want || rejected != 4 {
		t.Errorf("%v for %d programs, expected %v for 4", mean, rejected, want)
	}
	if mean, rejected := m.TimeToReject([]int{1}); mean != time.Second || rejected != 1 {
		t.Errorf("%v for %d programs, expected 1s for 1", mean, rejected)
	}
	if got := m.Time([]int{0, 1}); got != 11*time.Second {
		t.Errorf("%v, expected 11s", got)
	}
}

// TestSoonestOrderIsNearTheBest compares the order with the best of all orders. The
// greedy one takes at most four times as long.
func TestSoonestOrderIsNearTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worst, sum := 0.0, 0.0
	const rounds = 100
	for range rounds {
		m := random(r, 8, 5, 0.3)
		for c := range m.Cases {
			m.Cases[c].CPU = time.Duration(1+r.IntN(100)) * time.Millisecond
		}
		best := time.Duration(math.MaxInt64)
		permute([]int{0, 1, 2, 3, 4}, 0, func(order []int) {
			if mean, _ := m.TimeToReject(order); mean < best {
				best = mean
			}
		})
		if mean, _ := m.TimeToReject(m.SoonestOrder()); best > 0 {
			worst, sum = max(worst, float64(mean)/float64(best)), sum+float64(mean)/float64(best)
		} else {
			sum++
		}
	}
	if worst > 4 || worst < 1 {
		t.Errorf("at worst %.2f times the best order, expected 1 to 4", worst)
	}
	t.Logf("%.3f times the best order on average, %.3f at worst", sum/rounds, worst)
}

func permute(list []int, from int, each func([]int)) {
	if from == len(list) {
		each(list)
		return
	}
	for i := from; i < len(list); i++ {
		list[from], list[i] = list[i], list[from]
		permute(list, from+1, each)
		list[from], list[i] = list[i], list[from]
	}
}

func TestScores(t *testing.T) {
	m := matrixOf("x.", "xx", "xx", "..", "..", ".w", "xx")
	m.Programs[4].Equivalent = true
	m.Programs[6].CompileError = true
	s := m.Scores(false, 0.95)
	type counts struct{ Headline, HeadlineOf, Without, WithoutOf, Subsuming, SubsumingOf, Equivalent, CompileErrors, OnlyWeak int }
	got := counts{s.Headline.Killed, s.Headline.Of, s.Without.Killed, s.Without.Of, s.Subsuming.Killed, s.Subsuming.Of, s.Equivalent, s.CompileErrors, s.OnlyWeak}
	if want := (counts{3, 5, 3, 4, 1, 3, 1, 1, 1}); got != want {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if c := s.Headline.Share; c.P != 0.6 || c.Lo != 0.6 || c.Hi != 0.6 {
		t.Errorf("all mutants: %+v, expected no interval", c)
	}
	if c := m.Scores(true, 0.95).Headline.Share; c.P != 0.6 || c.Lo > 0.3 || c.Hi < 0.9 {
		t.Errorf("a sample: %+v, expected an interval", c)
	}
	m.Programs[0].Weight = 5
	if c := m.Scores(true, 0.95).Headline.Share; math.Abs(c.P-7.0/9) > 1e-9 {
		t.Errorf("weights 5, 1, 1 of 9 are killed: %+v", c)
	}
	if s := (&Matrix{}).Scores(true, 0.95); s.Headline.Of != 0 || s.Headline.Share.Lo != 0 || s.Headline.Share.Hi != 1 {
		t.Errorf("no mutants: %+v", s)
	}
}
