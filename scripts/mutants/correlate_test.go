package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"crucible/judge/problem"
	"crucible/judge/strength/adequacy"
)

func TestSpearman(t *testing.T) {
	for _, test := range []struct {
		x, y []float64
		want float64
		ok   bool
	}{
		{[]float64{1, 2, 3}, []float64{1, 4, 9}, 1, true},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1, true},
		{[]float64{1, 1, 2, 2}, []float64{1, 2, 1, 2}, 0, true},
		{[]float64{5, 5, 5}, []float64{1, 2, 3}, 0, true},
		{[]float64{1, 2, 3}, []float64{1, 1, 1}, 0, false},
		{[]float64{106, 86, 100, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 0, 27, 50, 28, 29, 20, 12, 6, 17}, -29.0 / 165, true},
	} {
		if got, ok := spearman(test.x, test.y); math.Abs(got-test.want) > 1e-9 || ok != test.ok {
			t.Errorf("spearman(%v, %v) = %v, %v, expected %v, %v", test.x, test.y, got, ok, test.want, test.ok)
		}
	}
}

// Mutants that are killed by the same cases as people's submissions predict them; the
// sizes of inputs that are drawn at random do not.
func TestPredictors(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	r := &adequacy.Result{Mutation: &adequacy.Mutation{}}
	const cases = 20
	for range cases {
		r.Cases = append(r.Cases, adequacy.CaseWorth{Name: string(rune('a' + len(r.Cases)))})
	}
	for i := range 12 {
		verdicts := make([]problem.Verdict, cases)
		for c := range verdicts {
			if verdicts[c] = problem.Accepted; random.IntN(6) == 0 {
				verdicts[c] = problem.WrongAnswer
			}
		}
		verdicts[i] = problem.WrongAnswer
		r.Submissions = append(r.Submissions, adequacy.Tried{Compiled: true, RejectedBy: 1, Verdicts: verdicts})
		r.Mutation.Mutants = append(r.Mutation.Mutants, adequacy.Mutant{Fate: adequacy.Killed, Verdicts: verdicts, Weight: 1})
	}
	r.Mutation.Mutants = append(r.Mutation.Mutants, adequacy.Mutant{Fate: adequacy.Killed, Verdicts: r.Submissions[0].Verdicts, Weight: 1, Partial: true}, adequacy.Mutant{Fate: adequacy.CompileFailed})
	s := sampledOf("x", r)
	if len(s.mutants) != 12 || len(s.people) != 12 {
		t.Fatalf("%d mutants and %d submissions, expected 12 each", len(s.mutants), len(s.people))
	}
	for range cases {
		s.bytes = append(s.bytes, random.Float64())
	}
	s.draw(random, 200)
	for _, c := range s.correlations(&predictors[0]) {
		if c < 0.999 {
			t.Errorf("correlation with the same matrix: %.3f, expected 1", c)
		}
	}
	for _, c := range s.correlations(&predictors[1]) {
		if math.Abs(c) > 0.4 {
			t.Errorf("correlation with random bytes: %.3f, expected about 0", c)
		}
	}
	if got := s.correlations(&predictors[4]); len(got) != 1 || got[0] < 0.5 {
		t.Errorf("correlation with the number of cases: %v, expected more cases to reject more", got)
	}
	if got := ranks([]float64{3, 1, 3}); !slices.Equal(got, []float64{1.5, 0, 1.5}) {
		t.Errorf("ranks %v", got)
	}
}
