package adequacy

import (
	"math/rand/v2"
	"slices"
)

// improved returns a cover that is at most as large as the given one, by the local
// search of Gao, Weise and Li (2015) with row weights: it removes a case from a cover,
// then exchanges cases until all programs are rejected again, and prefers programs that
// were often not rejected. Its number of steps depends on the matrix alone, so its
// result can be repeated.
func (c *covering) improved(open, allowed set, cover []int) []int {
	l := &local{covering: c, open: open, in: newSet(len(c.sets)), times: make([]int, len(c.rows)),
		weight: make([]int, len(c.rows)), score: make([]int, len(c.sets)), moved: make([]int, len(c.sets)),
		fresh: make([]bool, len(c.sets))}
	size := 1
	for p := range open.each {
		l.weight[p] = 1
		l.missing = append(l.missing, p)
		for s := range c.rows[p].each {
			l.score[s]++
		}
		size += c.rows[p].count()
	}
	for s := range allowed.each {
		l.members = append(l.members, s)
		l.fresh[s] = true
	}
	for _, s := range cover {
		l.flip(s)
	}
	random := rand.New(rand.NewPCG(1, uint64(size)))
	// One step costs the cases of the programs of a case.
	most := min(100_000, 500*len(l.members), 2_000*1_000_000/(1+size*size/max(1, len(l.members))))
	last := -1
	for step := 1; step <= most && c.ctx.Err() == nil; step++ {
		for len(l.missing) == 0 {
			cover = cover[:0:0]
			for s := range l.in.each {
				cover = append(cover, s)
			}
			l.flip(l.cheapest(-1))
		}
		out := l.cheapest(last)
		if out < 0 {
			break
		}
		l.flip(out)
		l.fresh[out], l.moved[out] = false, step
		p := l.missing[random.IntN(len(l.missing))]
		into := -1
		for s := range c.rows[p].and(allowed).each {
			if l.fresh[s] && (into < 0 || l.score[s] > l.score[into] || l.score[s] == l.score[into] &&
				l.moved[s] < l.moved[into]) {
				into = s
			}
		}
		if into < 0 {
			into = out
		}
		l.flip(into)
		l.moved[into], last = step, into
		for _, q := range l.missing {
			l.weight[q]++
			for s := range c.rows[q].each {
				l.score[s]++
			}
		}
	}
	return cover
}

// A local is the state of the local search.
type local struct {
	*covering
	open    set
	in      set    // the chosen cases
	members []int  // the allowed cases
	times   []int  // how many chosen cases reject a program
	weight  []int  // of a program
	score   []int  // of a case: weights of the programs that only it rejects, or would reject
	missing []int  // programs that no chosen case rejects
	moved   []int  // step of a case's last change
	fresh   []bool // a neighbour of the case has changed since it was removed
}

// cheapest returns the chosen case without which the smallest weight is lost, and not
// the one that was added last.
func (l *local) cheapest(last int) int {
	best := -1
	for s := range l.in.each {
		if s != last && (best < 0 || l.score[s] < l.score[best] || l.score[s] == l.score[best] &&
			l.moved[s] < l.moved[best]) {
			best = s
		}
	}
	return best
}

// flip chooses a case or removes it. Its own score stays: what it alone rejects is
// what it would reject if it were chosen again.
func (l *local) flip(s int) {
	adding := !l.in.has(s)
	step := -1
	if adding {
		step = 1
		l.in.add(s)
	} else {
		l.in.remove(s)
	}
	for p := range l.sets[s].and(l.open).each {
		before := l.times[p]
		l.times[p] += step
		for t := range l.rows[p].each {
			if t != s {
				l.fresh[t] = true
				l.score[t] += l.weight[p] * change(l.in.has(t), before, before+step)
			}
		}
		switch {
		case l.times[p] == 0:
			l.missing = append(l.missing, p)
		case before == 0:
			i := slices.Index(l.missing, p)
			l.missing[i] = l.missing[len(l.missing)-1]
			l.missing = l.missing[:len(l.missing)-1]
		}
	}
}

// change returns by how often a case's score has to change by the weight of a program
// that it rejects, when the number of chosen cases that reject the program changes.
func change(chosen bool, before, after int) int {
	counts := func(n int) int {
		if chosen && n == 1 || !chosen && n == 0 {
			return 1
		}
		return 0
	}
	return counts(after) - counts(before)
}
