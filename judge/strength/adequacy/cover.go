package adequacy

import (
	"context"
	"math"
	"slices"
)

// A Cover is a set of cases that rejects every program that is rejected at all.
type Cover struct {
	Cases    []int // in increasing order
	AtLeast  int   // no cover has fewer cases
	Smallest bool  // proved: AtLeast is the number of cases
	Nodes    int   // of the search tree
}

// SmallestCover returns a smallest cover, or the best one that is found before the
// context ends.
//
// It is a branch and bound, which starts with a good cover by local search. Each node
// removes dominated cases and programs, takes cases that alone reject a program, and
// computes the Lagrangian bound of the linear relaxation by subgradient steps (Beasley
// 1987), which also excludes cases that no better cover has. It branches on the program
// with the fewest cases left. At the end each case is replaced by the fastest one that
// can take its place, which makes the cover fast, but not always the fastest of its
// size.
func (m *Matrix) SmallestCover(ctx context.Context) Cover {
	c := &covering{ctx: ctx, sets: m.sets(), rows: m.rows()}
	c.cheap = make([]int64, len(c.sets))
	for i := range c.cheap {
		c.cheap[i] = int64(m.Cases[i].CPU)
	}
	open, allowed := newSet(len(c.rows)), newSet(len(c.sets))
	for p, r := range c.rows {
		if r.count() > 0 {
			open.add(p)
		}
	}
	for i, s := range c.sets {
		if s.count() > 0 {
			allowed.add(i)
		}
	}
	c.best, _ = c.greedy(open, allowed, nil, nil)
	c.root = true
	c.search(open, allowed, nil, make([]float64, len(c.rows)))
	done := ctx.Err() == nil || c.atLeast >= len(c.best)
	if done {
		c.atLeast = len(c.best)
	}
	c.exchange()
	slices.Sort(c.best)
	return Cover{Cases: c.best, AtLeast: c.atLeast, Smallest: done, Nodes: c.nodes}
}

// A covering is the state of the search.
type covering struct {
	ctx     context.Context
	sets    []set // programs that a case rejects
	rows    []set // cases that reject a program
	cheap   []int64
	best    []int
	atLeast int // bound of the root
	root    bool
	nodes   int
}

// search looks for a cover of the open programs by allowed cases that is better
// than the best, given cases that are chosen already. price has the Lagrangian
// multiplier of each program.
func (c *covering) search(open, allowed set, chosen []int, price []float64) {
	if c.ctx.Err() != nil {
		return
	}
	c.nodes++
	root := c.root
	c.root = false
	for {
		var ok bool
		if chosen, ok = c.reduce(open, allowed, chosen); !ok || len(chosen) >= len(c.best) {
			return
		}
		if open.count() == 0 {
			c.best = slices.Clone(chosen)
			return
		}
		steps := 40
		if root {
			steps = 600
			if found, ok := c.greedy(open, allowed, nil, nil); ok {
				c.best = c.better(append(slices.Clone(chosen), c.improved(open, allowed, found)...))
			}
		}
		bound, excluded := c.bound(open, allowed, chosen, price, steps)
		if root {
			c.atLeast = min(len(c.best), len(chosen)+bound)
		}
		if len(chosen)+bound >= len(c.best) {
			return
		}
		if excluded == 0 {
			break
		}
	}
	row, fewest := -1, math.MaxInt
	for p := range open.each {
		if n := c.rows[p].countOf(allowed); n < fewest {
			row, fewest = p, n
		}
	}
	var choices []int
	for s := range c.rows[row].and(allowed).each {
		choices = append(choices, s)
	}
	slices.SortStableFunc(choices, func(a, b int) int {
		return c.sets[b].countOf(open) - c.sets[a].countOf(open)
	})
	for _, s := range choices {
		c.search(open.without(c.sets[s]), allowed.clone(), append(slices.Clone(chosen), s), slices.Clone(price))
		allowed.remove(s) // covers with it have been searched
		if c.ctx.Err() != nil {
			return
		}
	}
}

// better returns the smaller one of a cover and the best.
func (c *covering) better(cover []int) []int {
	if len(cover) < len(c.best) {
		return cover
	}
	return c.best
}

// reduce removes what cannot matter from open and allowed, until nothing changes, and
// returns the chosen cases with those that are needed. It is false if a program can no
// longer be rejected.
func (c *covering) reduce(open, allowed set, chosen []int) ([]int, bool) {
	for {
		changed := false
		for p := range open.clone().each {
			if !open.has(p) {
				continue
			}
			switch left := c.rows[p].and(allowed); left.count() {
			case 0:
				return chosen, false
			case 1:
				for s := range left.each {
					chosen, changed = append(slices.Clip(chosen), s), true
					allowed.remove(s)
					for i, w := range c.sets[s] {
						open[i] &^= w
					}
				}
			}
		}
		if len(chosen) >= len(c.best) {
			return chosen, true
		}
		if c.dominatedCases(open, allowed) || c.dominatedPrograms(open, allowed) {
			changed = true
		}
		if !changed {
			return chosen, true
		}
	}
}

// dominatedCases removes cases that reject no more than another one.
func (c *covering) dominatedCases(open, allowed set) (changed bool) {
	for s := range allowed.clone().each {
		size := c.sets[s].countOf(open)
		if size == 0 {
			allowed.remove(s)
			changed = true
			continue
		}
		for t := range allowed.each {
			if t == s || !c.sets[s].withinOf(c.sets[t], open) {
				continue
			}
			equal := c.sets[t].countOf(open) == size
			if !equal || c.cheap[t] < c.cheap[s] || c.cheap[t] == c.cheap[s] && t < s {
				allowed.remove(s)
				changed = true
				break
			}
		}
	}
	return changed
}

// dominatedPrograms removes programs that every case rejects that rejects another one.
func (c *covering) dominatedPrograms(open, allowed set) (changed bool) {
	for p := range open.clone().each {
		size := c.rows[p].countOf(allowed)
		for q := range open.each {
			if q == p || !c.rows[q].withinOf(c.rows[p], allowed) {
				continue
			}
			if c.rows[q].countOf(allowed) < size || q < p {
				open.remove(p)
				changed = true
				break
			}
		}
	}
	return changed
}

// bound returns a lower bound of the number of further cases, and removes cases from
// allowed that are in no better cover than the best.
func (c *covering) bound(open, allowed set, chosen []int, price []float64, steps int) (bound, excluded int) {
	var programs, cases []int
	for p := range open.each {
		programs = append(programs, p)
	}
	for s := range allowed.each {
		cases = append(cases, s)
	}
	members := make([][]int, len(cases))
	for i, s := range cases {
		for p := range c.sets[s].and(open).each {
			members[i] = append(members[i], p)
		}
	}
	c.startPrices(programs, allowed, price)
	missing := len(c.best) - len(chosen) // a better cover has fewer further cases
	const eps = 1e-7
	highest, pace, since := math.Inf(-1), 1.0, 0
	reduced := make([]float64, len(cases))
	kept := slices.Clone(price)
	covered := make([]int, len(c.rows))
	for step := 0; step < steps && c.ctx.Err() == nil; step++ {
		value := 0.0
		for _, p := range programs {
			value += price[p]
			covered[p] = 0
		}
		for i := range cases {
			reduced[i] = 1
			for _, p := range members[i] {
				reduced[i] -= price[p]
			}
			if reduced[i] < 0 {
				value += reduced[i]
				for _, p := range members[i] {
					covered[p]++
				}
			}
		}
		if since++; value > highest+1e-4 {
			highest, since = value, 0
			copy(kept, price)
		} else if since > 10 {
			pace, since = pace/2, 0
		}
		if math.Ceil(value-eps) >= float64(missing) || pace < 0.005 {
			break
		}
		if step%50 == 20 {
			// The multipliers show which programs are hard to reject.
			if found, ok := c.greedy(open, allowed, chosen, price); ok {
				c.best = c.better(found)
				missing = len(c.best) - len(chosen)
			}
		}
		norm := 0.0
		for _, p := range programs {
			norm += float64((1 - covered[p]) * (1 - covered[p]))
		}
		if norm == 0 {
			break
		}
		size := pace * (float64(missing)*1.02 - value) / norm
		for _, p := range programs {
			price[p] = max(0, price[p]+size*float64(1-covered[p]))
		}
	}
	copy(price, kept)
	for i, s := range cases {
		left := 1.0
		for _, p := range members[i] {
			left -= price[p]
		}
		if left > 0 && math.Ceil(highest+left-eps) >= float64(missing) {
			allowed.remove(s)
			excluded++
		}
	}
	return max(1, int(math.Ceil(highest-eps))), excluded
}

// startPrices sets multipliers that are still 0 to a solution of the dual, so that no
// case costs more than its programs pay.
func (c *covering) startPrices(programs []int, allowed set, price []float64) {
	if slices.ContainsFunc(programs, func(p int) bool { return price[p] > 0 }) {
		return
	}
	for _, p := range programs {
		most := 1
		for s := range c.rows[p].and(allowed).each {
			most = max(most, c.sets[s].count())
		}
		price[p] = 1 / float64(most)
	}
}

// greedy returns a cover that always takes the case with the most open programs, or
// with the highest sum of their prices, without cases that later ones make superfluous.
// It is false if a program remains.
func (c *covering) greedy(open, allowed set, chosen []int, price []float64) ([]int, bool) {
	open, found := open.clone(), slices.Clone(chosen)
	for open.count() > 0 {
		best, most := -1, 0.0
		for s := range allowed.each {
			worth := 0.0
			if price == nil {
				worth = float64(c.sets[s].countOf(open))
			} else {
				for p := range c.sets[s].and(open).each {
					worth += price[p] + 1e-6
				}
			}
			if worth > most {
				best, most = s, worth
			}
		}
		if best < 0 {
			return nil, false
		}
		found = append(found, best)
		open = open.without(c.sets[best])
	}
	return c.thinned(found), true
}

// exchange replaces each case of the best cover by the fastest one that rejects the
// programs that no other case of the cover rejects.
func (c *covering) exchange() {
	for i, s := range c.best {
		needed := c.sets[s].clone()
		for j, t := range c.best {
			if j != i {
				needed = needed.without(c.sets[t])
			}
		}
		for t := range c.sets {
			if c.cheap[t] < c.cheap[c.best[i]] && needed.within(c.sets[t]) {
				c.best[i] = t
			}
		}
	}
}

// thinned returns a cover without the cases that the others make superfluous.
func (c *covering) thinned(cover []int) []int {
	times := make([]int, len(c.rows))
	for _, s := range cover {
		for p := range c.sets[s].each {
			times[p]++
		}
	}
	return slices.DeleteFunc(cover, func(s int) bool {
		for p := range c.sets[s].each {
			if times[p] == 1 {
				return false
			}
		}
		for p := range c.sets[s].each {
			times[p]--
		}
		return true
	})
}
