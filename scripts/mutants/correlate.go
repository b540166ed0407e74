package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"crucible/judge/problem"
	"crucible/judge/strength/adequacy"
)

// subsetSizes are the numbers of cases of the subsets.
var subsetSizes = []int{2, 4, 8}

// A sampled is a package with its subsets.
type sampled struct {
	name    string
	cases   int
	names   []string
	mutants [][]bool  // by mutant and case: whether the case kills it
	weights []float64 // of the mutants
	people  [][]bool  // by wrong submission and case
	bytes   []float64 // of the inputs; nil if they are not known
	subsets []subset
}

// A subset is what a subset of the cases shows.
type subset struct {
	size                 int
	score, people, bytes float64
}

// sampledOf returns the mutants and submissions of a result.
func sampledOf(name string, r *adequacy.Result) *sampled {
	s := &sampled{name: name, cases: len(r.Cases)}
	for _, c := range r.Cases {
		s.names = append(s.names, c.Name)
	}
	row := func(verdicts []problem.Verdict, weak []string) []bool {
		killed := make([]bool, len(verdicts))
		for i, v := range verdicts {
			killed[i] = v != problem.Undecided && v != problem.Accepted && !slices.Contains(weak, s.names[i])
		}
		return killed
	}
	for i := range r.Mutation.Mutants {
		if m := &r.Mutation.Mutants[i]; m.Fate == adequacy.Survived || m.Fate == adequacy.Killed && !m.Partial {
			s.mutants, s.weights = append(s.mutants, row(m.Verdicts, m.Weak)), append(s.weights, m.Weight)
		}
	}
	for i := range r.Submissions {
		if t := &r.Submissions[i]; t.Compiled && t.RejectedBy > 0 {
			s.people = append(s.people, row(t.Verdicts, nil))
		}
	}
	return s
}

// sizes reads the sizes of the inputs from the package.
func (s *sampled) sizes(path string) {
	var bytes []float64
	for _, name := range s.names {
		info, err := os.Stat(filepath.Join(path, "data", filepath.FromSlash(name)+".in"))
		if err != nil {
			return
		}
		bytes = append(bytes, float64(info.Size()))
	}
	s.bytes = bytes
}

// draw draws subsets of each size.
func (s *sampled) draw(random *rand.Rand, n int) {
	for _, size := range subsetSizes {
		for range n {
			if size >= s.cases {
				continue
			}
			chosen := random.Perm(s.cases)[:size]
			one := subset{size: size, score: share(s.mutants, s.weights, chosen), people: share(s.people, nil, chosen)}
			if s.bytes != nil {
				for _, c := range chosen {
					one.bytes += s.bytes[c]
				}
			}
			s.subsets = append(s.subsets, one)
		}
	}
}

// share returns the weighted share of the programs that a chosen case rejects.
func share(programs [][]bool, weights []float64, chosen []int) float64 {
	sum, hits := 0.0, 0.0
	for i, row := range programs {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		sum += w
		if slices.ContainsFunc(chosen, func(c int) bool { return row[c] }) {
			hits += w
		}
	}
	return hits / sum
}

// A predictor is a number of a subset that may predict the share of people's submissions.
type predictor struct {
	name   string
	value  func(*subset) float64
	within bool // for each size, not over all sizes
}

var predictors = []predictor{
	{"mutation score, of each size", func(s *subset) float64 { return s.score }, true},
	{"input bytes, of each size", func(s *subset) float64 { return s.bytes }, true},
	{"mutation score, of all sizes", func(s *subset) float64 { return s.score }, false},
	{"input bytes, of all sizes", func(s *subset) float64 { return s.bytes }, false},
	{"number of cases", func(s *subset) float64 { return float64(s.size) }, false},
}

// correlations returns the rank correlations of a package: one for each size, or one. A
// size for which all subsets reject the same share has none.
func (s *sampled) correlations(p *predictor) (all []float64) {
	sizes := []int{0}
	if p.within {
		sizes = subsetSizes
	}
	for _, size := range sizes {
		var x, y []float64
		for i := range s.subsets {
			if one := &s.subsets[i]; size == 0 || one.size == size {
				x, y = append(x, p.value(one)), append(y, one.people)
			}
		}
		if r, ok := spearman(x, y); ok {
			all = append(all, r)
		}
	}
	return all
}

// spearman returns the rank correlation; 0 if x does not vary, and no value if y does not.
func spearman(x, y []float64) (float64, bool) {
	if len(y) == 0 || slices.Min(y) == slices.Max(y) {
		return 0, false
	}
	if slices.Min(x) == slices.Max(x) {
		return 0, true
	}
	return stat.Correlation(ranks(x), ranks(y), nil), true
}

// ranks returns the ranks; equal values have the mean of theirs.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	r := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			r[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return r
}

// String describes the package in one line.
func (s *sampled) String() string {
	return fmt.Sprintf("%s: %d cases, %d mutants, %d submissions, correlation with the mutation score %.2f, with input "+
		"bytes %.2f", s.name, s.cases, len(s.mutants), len(s.people),
		stat.Mean(s.correlations(&predictors[0]), nil), stat.Mean(s.correlations(&predictors[1]), nil))
}

// resamples is the number of bootstrap samples.
const resamples = 4000

// report prints the mean correlation of each predictor, and of the differences from the
// first with the same subsets.
func report(w io.Writer, all []*sampled, random *rand.Rand) {
	fmt.Fprintf(w, "%d packages\n", len(all))
	pooled := func(p *predictor, from []*sampled) float64 {
		var list []float64
		for _, s := range from {
			list = append(list, s.correlations(p)...)
		}
		return stat.Mean(list, nil)
	}
	print := func(name string, value func([]*sampled) float64) {
		var boot []float64
		for range resamples {
			from := make([]*sampled, len(all))
			for i := range from {
				from[i] = all[random.IntN(len(all))]
			}
			if v := value(from); !math.IsNaN(v) {
				boot = append(boot, v)
			}
		}
		slices.Sort(boot)
		fmt.Fprintf(w, "  %-52s %6.2f  (%.2f to %.2f, 95 %%)\n", name, value(all),
			stat.Quantile(0.025, stat.Empirical, boot, nil), stat.Quantile(0.975, stat.Empirical, boot, nil))
	}
	for i := range predictors {
		p := &predictors[i]
		print(p.name, func(from []*sampled) float64 { return pooled(p, from) })
	}
	for _, pair := range [][2]int{{0, 1}, {2, 3}, {2, 4}} {
		a, b := &predictors[pair[0]], &predictors[pair[1]]
		print(a.name+" less "+b.name, func(from []*sampled) float64 { return pooled(a, from) - pooled(b, from) })
	}
}
