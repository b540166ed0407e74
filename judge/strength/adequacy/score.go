package adequacy

import (
	"slices"

	"crucible/judge/measure/stat"
	"crucible/judge/problem"
)

// A Score is a mutation score: the share of mutants that the cases kill.
type Score struct {
	Killed int         `json:"killed"` // mutants, without those that are counted apart
	Of     int         `json:"of"`     // killed ones and survivors
	Share  stat.Chance `json:"share"`  // of all mutants; if all were run, the interval has no width
}

// Scores are the mutation scores of the programs of a matrix.
type Scores struct {
	Headline   Score `json:"headline"`           // likely equivalent mutants are survivors
	Without    Score `json:"without_equivalent"` // they are left out
	Subsuming  Score `json:"subsuming"`          // of the subsuming set and the survivors: easy mutants do not inflate it
	Equivalent int   `json:"likely_equivalent"`  // survivors that are likely to be equivalent

	CompileErrors int `json:"compile_errors"` // mutants that do not compile: neither killed nor survivors
	OnlyWeak      int `json:"only_weak"`      // mutants that only weak kills reject: neither killed nor survivors
}

// Scores returns the mutation scores. If sampled is true, the programs are a sample,
// and the intervals are those of the score of all mutants, with the confidence.
func (m *Matrix) Scores(sampled bool, confidence float64) Scores {
	var s Scores
	var all, without, hard part
	subsuming := m.Subsuming()
	for p, program := range m.Programs {
		killed := len(m.Killers(p)) > 0
		switch {
		case program.CompileError:
			s.CompileErrors++
			continue
		case !killed && m.onlyWeak(p):
			s.OnlyWeak++
			continue
		}
		all.add(killed, program.Weight)
		if killed || !program.Equivalent {
			without.add(killed, program.Weight)
		} else {
			s.Equivalent++
		}
		if !killed || slices.Contains(subsuming, p) {
			hard.add(killed, program.Weight)
		}
	}
	s.Headline, s.Without = all.score(sampled, confidence), without.score(sampled, confidence)
	s.Subsuming = hard.score(sampled, confidence)
	return s
}

// onlyWeak reports whether a program has a kill, though a weak one.
func (m *Matrix) onlyWeak(p int) bool {
	return slices.ContainsFunc(m.Kills[p], func(k Kill) bool {
		return k.Weak && k.Verdict != problem.Undecided && k.Verdict != problem.Accepted
	})
}

// A part is a list of mutants.
type part struct {
	killed  []bool
	weights []float64
}

func (p *part) add(killed bool, weight float64) {
	if weight == 0 {
		weight = 1
	}
	p.killed, p.weights = append(p.killed, killed), append(p.weights, weight)
}

func (p *part) score(sampled bool, confidence float64) Score {
	s := Score{Of: len(p.killed), Share: stat.ShareOf(p.killed, p.weights, confidence)}
	for _, k := range p.killed {
		if k {
			s.Killed++
		}
	}
	if !sampled && s.Of > 0 {
		s.Share.Interval = stat.Interval{Lo: s.Share.P, Hi: s.Share.P, Confidence: 1}
	}
	return s
}
