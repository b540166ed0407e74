package adequacy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"crucible/judge/problem"
)

// matrix returns the matrix of the wrong submissions, of the mutants that ran, or of both,
// in this order.
func (r *Result) matrix(submissions, mutants bool) *Matrix {
	m := &Matrix{}
	for _, c := range r.Cases {
		m.Cases = append(m.Cases, Case{c.Name, c.CPU})
	}
	row := func(verdicts []problem.Verdict, weak []string) {
		kills := make([]Kill, len(r.Cases))
		for i, v := range verdicts {
			kills[i] = Kill{v, slices.Contains(weak, r.Cases[i].Name)}
		}
		m.Kills = append(m.Kills, kills)
	}
	if submissions {
		for i := range r.Submissions {
			s := &r.Submissions[i]
			m.Programs = append(m.Programs, Program{Name: s.Name, CompileError: !s.Compiled})
			row(s.Verdicts, nil)
		}
	}
	if mutants && r.Mutation != nil {
		for _, one := range r.Mutation.judged() {
			m.Programs = append(m.Programs, Program{
				Name: one.ID, CompileError: one.Fate == CompileFailed, Equivalent: one.Equivalent, Partial: one.Partial,
				Weight: one.Weight,
			})
			row(one.Verdicts, one.Weak)
		}
	}
	return m
}

// judged returns the mutants that count in a matrix: those that ran, and compile errors,
// which the scores count apart.
func (m *Mutation) judged() (all []*Mutant) {
	for i := range m.Mutants {
		if one := &m.Mutants[i]; one.Fate == Killed || one.Fate == Survived || one.Fate == OnlyWeak ||
			one.Fate == CompileFailed {
			all = append(all, one)
		}
	}
	return all
}

// conclude computes what follows from the verdicts.
func (x *assessing) conclude(ctx context.Context) {
	r := x.r
	for i, c := range r.Cases {
		r.Cases[i] = CaseWorth{Name: c.Name, CPU: c.CPU, Added: c.Added}
	}
	bySubmissions := r.matrix(true, false)
	r.contributions(bySubmissions, func(c *CaseWorth, killed int, alone []int, within string) {
		c.Rejects, c.Within = killed, within
		for _, p := range alone {
			c.Alone = append(c.Alone, bySubmissions.Programs[p].Name)
		}
	})
	r.Smallest = sufficient(ctx, bySubmissions)
	mark(r, r.Smallest.Cases, func(c *CaseWorth) { c.Kept = true })
	r.Order = soonest(bySubmissions)
	if r.Mutation == nil {
		return
	}
	byMutants := r.matrix(false, true)
	r.contributions(byMutants, func(c *CaseWorth, killed int, alone []int, _ string) {
		c.Kills, c.KillsOnly = killed,
			len(alone)
	})
	both := r.matrix(true, true)
	r.contributions(both, func(c *CaseWorth, _ int, _ []int, within string) { c.WithinAll = within })
	r.Mutation.Smallest = sufficient(ctx, both)
	mark(r, r.Mutation.Smallest.Cases, func(c *CaseWorth) { c.KeptAll = true })
	if r.Order.Rejected == 0 {
		r.Order = soonest(byMutants)
		r.Order.Mutants = true
	}
	r.Mutation.conclude(byMutants)
}

// contributions calls set for each case with the number of programs that it rejects,
// those that it alone rejects, and a case that rejects all of these.
func (r *Result) contributions(m *Matrix, set func(c *CaseWorth, killed int, alone []int, within string)) {
	alone, within, sets := m.Alone(), m.NothingNew(), m.sets()
	for i := range r.Cases {
		name := ""
		if within[i] >= 0 && within[i] != i {
			name = m.Cases[within[i]].Name
		}
		set(&r.Cases[i], sets[i].count(), alone[i], name)
	}
}

// sufficient returns the smallest set of cases, or the best one found in coverTime.
func sufficient(ctx context.Context, m *Matrix) Sufficient {
	limit := coverTime
	if ctx.Err() != nil {
		limit = time.Second
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	cover := m.SmallestCover(ctx)
	return Sufficient{Cases: m.names(cover.Cases), AtLeast: cover.AtLeast, Proved: cover.Smallest,
		CPU: m.Time(cover.Cases), CPUAll: m.Time(m.inOrder())}
}

func soonest(m *Matrix) Soonest {
	order := m.SoonestOrder()
	mean, rejected := m.TimeToReject(order)
	now, _ := m.TimeToReject(m.inOrder())
	return Soonest{Cases: m.names(order), Rejected: rejected, Mean: mean, MeanNow: now}
}

// inOrder returns all cases in their order.
func (m *Matrix) inOrder() []int {
	all := make([]int, len(m.Cases))
	for i := range all {
		all[i] = i
	}
	return all
}

func (m *Matrix) names(cases []int) []string {
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i] = m.Cases[c].Name
	}
	return names
}

func mark(r *Result, cases []string, set func(*CaseWorth)) {
	for i := range r.Cases {
		if slices.Contains(cases, r.Cases[i].Name) {
			set(&r.Cases[i])
		}
	}
}

// conclude computes the scores.
func (m *Mutation) conclude(x *Matrix) {
	judged := m.judged()
	m.Scores = x.Scores(len(m.Mutants) < m.Possible, confidence)
	m.Subsuming, m.Duplicates = 0, 0
	for _, one := range judged {
		one.Hard = false
	}
	for _, p := range x.Subsuming() {
		judged[p].Hard = true
		m.Subsuming++
	}
	for _, group := range x.Duplicates() {
		m.Duplicates += len(group) - 1
	}
	for _, one := range judged {
		if one.Nearest = nil; one.Fate == Survived {
			one.Nearest = m.nearest(one, judged, x)
		}
	}
}

// mostNearest is the number of cases that are shown for a survivor.
const mostNearest = 3

// nearest returns the cases that kill the mutants nearest to a survivor: they run the code
// that it changes, so a small change of one may kill it. A mutant counts the less the more
// lines away it is, and the more cases kill it.
func (m *Mutation) nearest(survivor *Mutant, judged []*Mutant, x *Matrix) []string {
	worth := make([]float64, len(x.Cases))
	for p, one := range judged {
		if one.Of != survivor.Of || one.File != survivor.File {
			continue
		}
		by := x.Killers(p)
		for _, c := range by {
			worth[c] += 1 / float64(1+abs(one.Line-survivor.Line)*abs(one.Line-survivor.Line)) / float64(len(by))
		}
	}
	order := slices.DeleteFunc(x.inOrder(), func(c int) bool { return worth[c] == 0 })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return x.names(order[:min(len(order), mostNearest)])
}

func abs(n int) int { return max(n, -n) }
