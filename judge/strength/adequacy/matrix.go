// Package adequacy measures how strong test data is: which cases reject which wrong
// programs, how many cases are enough, and which share of mutants is killed.
package adequacy

import (
	"fmt"
	"slices"
	"time"

	"crucible/judge/problem"
)

// A Case is a test case as a column of a matrix.
type Case struct {
	Name string
	CPU  time.Duration // typical CPU time of a program on it; 0 if it is unknown
}

// A Program is a wrong submission or a mutant as a row of a matrix.
type Program struct {
	Name         string
	CompileError bool    // it does not compile, so no case can reject it
	Equivalent   bool    // a survivor that is likely to be correct
	Partial      bool    // it is killed, and some cases were not run after that
	Weight       float64 // number of mutants for which a sampled one stands; 0 counts as 1
}

// A Kill is the result of a program on a case.
type Kill struct {
	Verdict problem.Verdict // AC and no verdict are no kill
	Weak    bool            // no evidence of a bug: a judge error, or a TLE below twice the limit
}

// A Matrix has the result of each program on each case. Weak kills and compile
// errors count only where they are named.
type Matrix struct {
	Cases    []Case
	Programs []Program
	Kills    [][]Kill // Kills[p][c] is the result of program p on case c
}

// Killed reports whether a case rejects a program.
func (m *Matrix) Killed(p, c int) bool {
	k := m.Kills[p][c]
	return k.Verdict != problem.Undecided && k.Verdict != problem.Accepted && !k.Weak && !m.Programs[p].CompileError
}

// Killers returns the cases that reject a program.
func (m *Matrix) Killers(p int) []int {
	var all []int
	for c := range m.Cases {
		if m.Killed(p, c) {
			all = append(all, c)
		}
	}
	return all
}

// Verdicts returns how many programs a case rejects with each verdict.
func (m *Matrix) Verdicts(c int) map[problem.Verdict]int {
	n := make(map[problem.Verdict]int)
	for p := range m.Programs {
		if m.Killed(p, c) {
			n[m.Kills[p][c].Verdict]++
		}
	}
	return n
}

// Survivors returns the programs that no case rejects and that compile. Some may have
// only weak kills.
func (m *Matrix) Survivors() []int {
	var all []int
	for p := range m.Programs {
		if !m.Programs[p].CompileError && len(m.Killers(p)) == 0 {
			all = append(all, p)
		}
	}
	return all
}

// Alone returns for each case the programs that it alone rejects.
func (m *Matrix) Alone() [][]int {
	alone := make([][]int, len(m.Cases))
	for p := range m.Programs {
		if by := m.Killers(p); len(by) == 1 {
			alone[by[0]] = append(alone[by[0]], p)
		}
	}
	return alone
}

// NothingNew returns for each case a case that rejects all programs that it rejects,
// and -1 if there is none. Of cases that reject the same programs the first is kept. A
// case that rejects no program has itself.
func (m *Matrix) NothingNew() []int {
	sets := m.sets()
	by := make([]int, len(sets))
	for c, s := range sets {
		by[c] = -1
		if s.count() == 0 {
			by[c] = c
			continue
		}
		for d, t := range sets {
			if d != c && s.within(t) && (d < c || !t.within(s)) {
				by[c] = d
				break
			}
		}
	}
	return by
}

// Duplicates returns the groups of two or more killed programs that the same cases
// reject, each in order.
func (m *Matrix) Duplicates() [][]int {
	var groups [][]int
	for _, g := range m.patterns() {
		if len(g) > 1 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Subsuming returns a smallest set of killed programs such that test data that kills
// these kills all that are killed now. A program subsumes another if it is killed
// and every case that kills it kills the other too; the set has one program of each
// group of duplicates that no program outside the group subsumes. A program that is
// Partial may be killed by more cases than is known, so the set has none of these.
//
// Easy mutants are subsumed by hard ones, so the share of these that further data
// kills is not inflated by them (Ammann, Delamaro and Offutt 2014).
func (m *Matrix) Subsuming() []int {
	groups := slices.DeleteFunc(m.patterns(), func(g []int) bool { return m.Programs[g[0]].Partial })
	rows := m.rows()
	var all []int
	for i, g := range groups {
		hard := !slices.ContainsFunc(groups, func(other []int) bool {
			return other[0] != groups[i][0] && rows[other[0]].within(rows[g[0]])
		})
		if hard {
			all = append(all, g[0])
		}
	}
	return all
}

// patterns groups the killed programs by the cases that reject them, in the order of
// the first of each group.
func (m *Matrix) patterns() [][]int {
	rows := m.rows()
	at := make(map[string]int)
	var groups [][]int
	for p, r := range rows {
		if r.count() == 0 {
			continue
		}
		key := fmt.Sprint(m.Programs[p].Partial, r.key())
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// rows returns for each program the set of cases that reject it.
func (m *Matrix) rows() []set { return setsOf(len(m.Programs), len(m.Cases), m.Killed) }

// sets returns for each case the set of programs that it rejects.
func (m *Matrix) sets() []set {
	return setsOf(len(m.Cases), len(m.Programs), func(c, p int) bool { return m.Killed(p, c) })
}

// setsOf returns n sets of numbers below size.
func setsOf(n, size int, has func(i, k int) bool) []set {
	sets := make([]set, n)
	for i := range sets {
		sets[i] = newSet(size)
		for k := range size {
			if has(i, k) {
				sets[i].add(k)
			}
		}
	}
	return sets
}
