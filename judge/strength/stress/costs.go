package stress

import (
	"sync"
	"time"

	"crucible/judge/strength/inputs"
)

// costs decide whether the input validators run before the programs or after them. Where
// validators take much longer than programs, more inputs are tried in the same time if
// validators run only on those on which a submission differs. But only inputs that were
// checked are mutated further, and show which changes are valid: a third of the time is
// spent on these.
type costs struct {
	mu          sync.Mutex
	check, run  average // seconds for the input validators, and for the programs
	valid       average // share of valid inputs
	differ      average // share of inputs that were not checked on which a submission differs
	first, then time.Duration
}

// An average is a mean in which old values count less and less.
type average struct{ n, mean float64 }

func (a *average) add(v float64) {
	a.n = min(a.n+1, inputs.Remembered)
	a.mean += (v - a.mean) / a.n
}

// late reports whether the validators run last on the next input.
func (c *costs) late() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.check.n < 20 || c.run.n < 5 || c.then > 2*c.first {
		return false
	}
	return c.run.mean+c.differ.mean*c.check.mean < c.check.mean+c.valid.mean*c.run.mean
}

// checked adds a run of the input validators.
func (c *costs) checked(spent time.Duration, valid bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first += spent
	c.check.add(spent.Seconds())
	c.valid.add(share(valid))
}

// ran adds a run of the programs.
func (c *costs) ran(late bool, spent time.Duration, differ bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run.add(spent.Seconds())
	if late {
		c.then += spent
		c.differ.add(share(differ))
	} else {
		c.first += spent
	}
}

// share returns 1 for true, and 0 for false.
func share(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
