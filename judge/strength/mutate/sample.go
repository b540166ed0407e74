package mutate

import (
	"math/rand/v2"
	"slices"
)

// Sample returns n of the mutants, or all if there are fewer, in their order. Each
// operator gets the same number of places, as far as it has mutants: operators in an
// order drawn by the seed take turns, and each takes one of its mutants at random. So
// an operator that fits everywhere does not crowd out those of rare bugs. Equal
// arguments give equal samples.
//
// A share of the sample is therefore no estimate of the share of all mutants. It
// estimates the mean of the operators' shares, as long as no operator is used up;
// [Weights] has the number of mutants for which each one of the sample stands.
func Sample(mutants []*Mutant, n int, seed uint64) []*Mutant {
	if n >= len(mutants) {
		return mutants
	}
	random := rand.New(rand.NewPCG(seed, 0))
	groups := make([][]int, 0, len(Operators)) // indexes of mutants
	for _, op := range Operators {
		var of []int
		for i, m := range mutants {
			if m.Operator == op.Name {
				of = append(of, i)
			}
		}
		random.Shuffle(len(of), func(a, b int) { of[a], of[b] = of[b], of[a] })
		groups = append(groups, of)
	}
	random.Shuffle(len(groups), func(a, b int) { groups[a], groups[b] = groups[b], groups[a] })
	var chosen []int
	for turn := 0; len(chosen) < n; turn++ {
		for _, of := range groups {
			if turn < len(of) && len(chosen) < n {
				chosen = append(chosen, of[turn])
			}
		}
	}
	slices.Sort(chosen)
	sample := make([]*Mutant, len(chosen))
	for i, at := range chosen {
		sample[i] = mutants[at]
	}
	return sample
}

// Weights returns for each mutant of a sample the number of mutants of the same
// operator for which it stands: 1 or more.
func Weights(all, sample []*Mutant) []float64 {
	count := func(list []*Mutant) map[string]float64 {
		n := make(map[string]float64)
		for _, m := range list {
			n[m.Operator]++
		}
		return n
	}
	of, in := count(all), count(sample)
	weights := make([]float64, len(sample))
	for i, m := range sample {
		weights[i] = of[m.Operator] / in[m.Operator]
	}
	return weights
}
