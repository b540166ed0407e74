package inputs

import "math/rand/v2"

// A rate counts how often a choice was made, and how often the result was a new input
// that the validators accept.
type rate struct{ tries, useful float64 }

// chance is the expected share of useful inputs, from 0 to 1. Choices that were not made
// yet have one half, so each is tried.
func (r *rate) chance() float64 {
	if r == nil {
		return 0.5
	}
	return (r.useful + 0.5) / (r.tries + 1)
}

// least is the smallest weight of a choice: one that never succeeded is still made now and
// then, because the inputs change.
const least = 0.003

// A Chooser makes random choices among options that have names. The more often results
// with an option were useful, the more often it is chosen.
type Chooser struct {
	Rand  *rand.Rand
	rates map[string]*rate
}

// NewChooser returns a Chooser that has no results yet.
func NewChooser(random *rand.Rand) Chooser { return Chooser{random, make(map[string]*rate)} }

// Choose returns the index of an option.
func (c *Chooser) Choose(options []string) int {
	total := 0.0
	weights := make([]float64, len(options))
	for i, name := range options {
		chance := c.rates[name].chance()
		weights[i] = max(chance*chance, least)
		total += weights[i]
	}
	at := c.Rand.Float64() * total
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(options) - 1
}

// Learn adds a result of some weight to the rates of the options that led to it: useful of
// it, up to all of the weight. Old results count less and less, so that choices follow the
// inputs.
func (c *Chooser) Learn(options []string, weight, useful float64) {
	for _, name := range options {
		r := c.rates[name]
		if r == nil {
			r = new(rate)
			c.rates[name] = r
		}
		if r.tries >= Remembered {
			r.tries, r.useful = r.tries/2, r.useful/2
		}
		r.tries += weight
		r.useful += useful
	}
}

// Remembered is the number of results after which the older ones count half.
const Remembered = 200

// Options returns the names of options with a prefix.
func Options(prefix string, names []string) []string {
	options := make([]string, len(names))
	for i, name := range names {
		options[i] = prefix + name
	}
	return options
}
