package stress

import "math/rand/v2"

// A tally counts how often a choice was made, and how often the result was a new input
// that the validators accept.
type tally struct{ tries, useful float64 }

// chance is the expected share of useful inputs, from 0 to 1. Choices that were not made
// yet have one half, so each is tried.
func (t *tally) chance() float64 {
	if t == nil {
		return 0.5
	}
	return (t.useful + 0.5) / (t.tries + 1)
}

// least is the smallest weight of a choice: one that never succeeded is still made now and
// then, because the inputs change.
const least = 0.003

// A learner makes random choices among options that have names. The more often results
// with an option were useful, the more often it is chosen.
type learner struct {
	rand    *rand.Rand
	tallies map[string]*tally
}

// choose returns the index of an option.
func (l *learner) choose(options []string) int {
	total := 0.0
	weights := make([]float64, len(options))
	for i, name := range options {
		chance := l.tallies[name].chance()
		weights[i] = max(chance*chance, least)
		total += weights[i]
	}
	at := l.rand.Float64() * total
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(options) - 1
}

// learn adds a result of some weight to the tallies of the options that led to it. Old
// results count less and less, so that the learner follows the pool of inputs.
func (l *learner) learn(options []string, weight, useful float64) {
	for _, name := range options {
		t := l.tallies[name]
		if t == nil {
			t = new(tally)
			l.tallies[name] = t
		}
		if t.tries >= remembered {
			t.tries, t.useful = t.tries/2, t.useful/2
		}
		t.tries += weight
		t.useful += useful
	}
}

// remembered is the number of results after which the older ones count half.
const remembered = 200
