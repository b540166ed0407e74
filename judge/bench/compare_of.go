package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/stat"
	"crucible/judge/units"
)

// CompareOf compares the submissions of a measurement. If a run on a case is not
// accepted, even a warm-up, the submission has no times on that case and no ratio
// over all cases. Times of the same round are compared.
func CompareOf(m *Measurement) *Comparison {
	t := tabulate(m)
	c := &Comparison{Measurement: m, Reference: t.reference, Programs: make([]Program, len(m.Submissions))}
	levels := levelsOf(m)
	for s := range m.Submissions {
		p := &c.Programs[s]
		p.Cells = make([]Cell, len(m.Cases))
		for k := range m.Cases {
			p.Cells[k] = t.cell(s, k, levels)
		}
		p.Wrong = t.wrong(s)
		switch {
		case s == t.reference || p.Wrong != "":
		case len(m.Cases) == 1:
			p.Overall = p.Cells[0].Ratio
		default:
			p.Overall = t.overall(s, levels.overall)
		}
		if outcomes := m.Submissions[s].Startup; len(outcomes) > 0 {
			var times []float64
			for _, o := range outcomes {
				times = append(times, o.CPU.Seconds())
			}
			startup := stat.Summarize(times, confidence(m))
			p.Startup = &startup
		}
	}
	if m.Alone() {
		c.Alone = t.alone(levels.overall)
	}
	c.Rounds = t.rounds()
	c.Doubts = t.doubts()
	return c
}

// confidence returns the measurement's confidence, or the default.
func confidence(m *Measurement) float64 { return cmp.Or(m.Confidence, 0.95) }

// levels are the confidences of single intervals.
type levels struct {
	plain   float64 // of medians, which make no claims
	overall float64 // of ratios over all cases
	cell    float64 // of ratios on one case
}

// levelsOf divides the error probability: one half for the claims over all cases,
// the other for those on single cases. With one case both are the same claim.
func levelsOf(m *Measurement) levels {
	conf := confidence(m)
	l := levels{plain: conf}
	running := 0
	for _, e := range m.Submissions {
		if e.Skipped == "" {
			running++
		}
	}
	looks, rivals, cases := max(m.Looks, 1), max(running-1, 1), max(len(m.Cases), 1)
	if cases == 1 {
		l.overall = stat.Level(conf, looks, rivals)
		l.cell = l.overall
		return l
	}
	half := 1 - (1-conf)/2
	l.overall = stat.Level(half, looks, rivals)
	l.cell = stat.Level(half, looks, rivals*cases)
	return l
}

// Levels returns the confidences of single intervals: those of ratios over all
// cases, and those of ratios on one case.
func Levels(m *Measurement) (overall, single float64) {
	l := levelsOf(m)
	return l.overall, l.cell
}

// A table contains the trials of a measurement by submission and case.
type table struct {
	m         *Measurement
	marks     [][]mark // by submission and case
	reference int      // the index of the reference
}

// A mark contains the trials of one submission on one case.
type mark struct {
	good  []*Trial // in order of their rounds; nil if there is a fault
	fault *Trial   // the first that was not accepted or had a judge error; nil if none
	right int      // the number accepted before the fault, including warm-ups
}

func tabulate(m *Measurement) *table {
	t := &table{m: m, marks: make([][]mark, len(m.Submissions))}
	for s := range t.marks {
		t.marks[s] = make([]mark, len(m.Cases))
	}
	for i := range m.Trials {
		trial := &m.Trials[i]
		to := &t.marks[trial.Submission][trial.Case]
		switch {
		case to.fault != nil:
		case trial.Err != "" || trial.Verdict != problem.Accepted:
			to.fault, to.good = trial, nil
		default:
			if to.right++; trial.Round >= 0 {
				to.good = append(to.good, trial)
			}
		}
	}
	right := make([]int, len(m.Submissions))
	for s := range t.marks {
		for k := range t.marks[s] {
			if t.marks[s][k].fault == nil && m.Submissions[s].Skipped == "" {
				right[s]++
			}
		}
	}
	t.reference = m.standard(right)
	return t
}

// standard returns the index of the reference, see [Comparison], given the number
// of cases on which each submission is accepted.
func (m *Measurement) standard(right []int) int {
	if m.Reference >= len(right) {
		return 0 // there are no submissions
	}
	best := m.Reference
	for s := range right {
		if right[s] > right[best] {
			best = s
		}
	}
	return best
}

// Alone reports whether there is only one submission, so that nothing is compared.
func (m *Measurement) Alone() bool { return len(m.Submissions) == 1 }

// alone summarizes the only submission: the geometric means over all cases, of the
// rounds in which it ran on all of them; nil if there are none.
func (t *table) alone(level float64) *stat.Summary {
	sums, ran := make(map[int]float64), make(map[int]int)
	for k := range t.marks[0] {
		for _, trial := range t.marks[0][k].good {
			sums[trial.Round] += math.Log(cpu(trial)) / float64(len(t.m.Cases))
			ran[trial.Round]++
		}
	}
	var means []float64
	for _, round := range slices.Sorted(maps.Keys(sums)) { // in order, for the detection of drift
		if ran[round] == len(t.m.Cases) {
			means = append(means, math.Exp(sums[round]))
		}
	}
	if means == nil {
		return nil
	}
	s := stat.Summarize(means, level)
	return &s
}

// rounds returns the number of rounds that all accepted submissions have.
func (t *table) rounds() int {
	least := math.MaxInt
	for s := range t.marks {
		for k := range t.marks[s] {
			if x := &t.marks[s][k]; x.fault == nil && t.m.Submissions[s].Skipped == "" {
				least = min(least, len(x.good))
			}
		}
	}
	if least == math.MaxInt {
		return 0
	}
	return least
}

// wrong returns one line that says why times of a submission are missing; "" if
// none are.
func (t *table) wrong(s int) string {
	if why := t.m.Submissions[s].Skipped; why != "" {
		why, _, more := strings.Cut(strings.TrimSpace(why), "\n")
		return "skipped: " + why + map[bool]string{true: " …"}[more]
	}
	ran := false
	for k := range t.m.Cases {
		x := &t.marks[s][k]
		ran = ran || x.good != nil
		switch {
		case x.fault == nil:
		case x.fault.Err != "":
			return fmt.Sprintf("judge error on %s: %s", t.m.Cases[k].Name, x.fault.Err)
		default:
			text := fmt.Sprintf("%s on %s", x.fault.Verdict, t.m.Cases[k].Name)
			if x.right > 0 {
				text += fmt.Sprintf(", where it was accepted %s before", often(x.right))
			}
			if x.fault.Why != "" {
				text += ": " + x.fault.Why
			}
			return text
		}
	}
	if !ran {
		return "not measured"
	}
	return ""
}

func often(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// cell returns the result of one submission on one case.
func (t *table) cell(s, k int, l levels) Cell {
	x := &t.marks[s][k]
	if x.fault != nil {
		why := x.fault.Why
		if x.fault.Err != "" {
			why = x.fault.Err
		}
		return Cell{Verdict: x.fault.Verdict, Why: why}
	}
	if x.good == nil {
		return Cell{}
	}
	c := Cell{Verdict: problem.Accepted}
	summary := func(of func(*Trial) float64) stat.Summary {
		values := make([]float64, len(x.good))
		for i, trial := range x.good {
			values[i] = of(trial)
		}
		return stat.Summarize(values, l.plain)
	}
	c.CPU = summary(cpu)
	c.Wall = summary(func(t *Trial) float64 { return t.Outcome.Wall.Seconds() })
	c.Memory = summary(func(t *Trial) float64 { return float64(t.Outcome.Memory) })
	if !slices.ContainsFunc(x.good, func(t *Trial) bool { return t.Outcome.Instructions == 0 }) {
		c.Instructions = summary(func(t *Trial) float64 { return float64(t.Outcome.Instructions) })
	}
	if s != t.reference {
		if program, reference := t.paired(s, k); len(program) > 0 {
			r := stat.Paired(program, reference, l.cell)
			c.Ratio = &r
		}
	}
	return c
}

func cpu(t *Trial) float64 { return t.Outcome.CPU.Seconds() }

// paired returns the times of a submission and of the reference on a case, for
// the rounds in which both ran.
func (t *table) paired(s, k int) (program, reference []float64) {
	a, b := t.marks[s][k].good, t.marks[t.reference][k].good
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Round < b[0].Round:
			a = a[1:]
		case a[0].Round > b[0].Round:
			b = b[1:]
		default:
			program, reference = append(program, cpu(a[0])), append(reference, cpu(b[0]))
			a, b = a[1:], b[1:]
		}
	}
	return program, reference
}

// overall compares a submission with the reference over all cases, for the rounds
// in which both ran on all of them; nil if there are none.
func (t *table) overall(s int, level float64) *stat.Ratio {
	rounds := make(map[int]int) // the number of cases on which both ran, by round
	for k := range t.m.Cases {
		of := make(map[int]bool)
		for _, trial := range t.marks[t.reference][k].good {
			of[trial.Round] = true
		}
		for _, trial := range t.marks[s][k].good {
			if of[trial.Round] {
				rounds[trial.Round]++
			}
		}
	}
	whole := func(all []*Trial) (times []float64) {
		for _, trial := range all {
			if rounds[trial.Round] == len(t.m.Cases) {
				times = append(times, cpu(trial))
			}
		}
		return times
	}
	var program, reference [][]float64
	for k := range t.m.Cases {
		program = append(program, whole(t.marks[s][k].good))
		reference = append(reference, whole(t.marks[t.reference][k].good))
	}
	if len(program) == 0 || len(program[0]) == 0 {
		return nil
	}
	r := stat.Together(program, reference, level)
	return &r
}

// doubts returns the doubts about the measurement, which do not depend on the
// values of the times.
func (t *table) doubts() []stat.Doubt {
	var all []stat.Doubt
	add := func(kind, text string) { all = append(all, stat.Doubt{Kind: kind, Text: text}) }
	if t.reference != t.m.Reference {
		name := func(s int) string { return t.m.Submissions[s].Name }
		where := "on every case"
		if slices.ContainsFunc(t.marks[t.reference], func(x mark) bool { return x.fault != nil }) {
			where = "on most cases"
		}
		add(OtherReference, fmt.Sprintf("the reference %s is not accepted: ratios are relative to %s, the first that is accepted %s", name(t.m.Reference), name(t.reference), where))
	}
	busy := t.m.Load.Busy()
	if busy != "" {
		add("load", busy+" during the measurement, which makes some times longer")
	}
	share := t.waited()
	if share >= muchWaiting {
		add("load", fmt.Sprintf("some runs waited for a processor or a disk and other runs of the same program did not: %.0f %% of all wall-clock time", 100*share))
	}
	for _, text := range t.m.Doubts {
		add("load", text)
	}
	if busy != "" || share >= muchWaiting {
		return all // on a busy machine all programs wait
	}
	for s := range t.marks {
		if wait, used := t.waits(s); wait >= longWait && wait > used {
			add("wait", fmt.Sprintf("%s waits at least %s in each run, which the ratios of CPU times ignore: it uses %s", t.m.Submissions[s].Name, units.Duration(wait), units.Duration(used)))
		}
	}
	return all
}

// OtherReference is the kind of the doubt that another submission than the
// requested one is the reference.
const OtherReference = "reference"

// longWait is longer than the usual wait for a processor or for the start.
const longWait = 50 * time.Millisecond

// waits returns how long a submission waits in every run, on average over the
// cases, and the CPU time it uses. The wait that all submissions have in common is
// subtracted: it may be interaction with a validator.
func (t *table) waits(s int) (wait, used time.Duration) {
	cases := 0
	for k := range t.m.Cases {
		all, best := time.Duration(math.MaxInt64), (*Trial)(nil)
		for other := range t.marks {
			for _, trial := range t.marks[other][k].good {
				all = min(all, ownWait(trial))
				if other == s && (best == nil || ownWait(trial) < ownWait(best)) {
					best = trial
				}
			}
		}
		if best != nil {
			wait += ownWait(best) - all
			used += best.Outcome.CPU
			cases++
		}
	}
	return wait / time.Duration(max(cases, 1)), used / time.Duration(max(cases, 1))
}

// Programs may wait in all their runs, for input or a validator. If they wait in
// some runs only, the cause is outside. Below a millisecond it is the judge's own
// work between the runs.
//
// A program that shares its processor for a tenth of the time waits for a tenth
// of it. Package machine has measured the effect on CPU times: up to 5 % for
// programs that need the caches.
const (
	muchWaiting  = 0.1
	leastWaiting = time.Millisecond
)

// idle returns how long a run did not use a processor; 0 for runs with more CPU
// time than wall-clock time.
func idle(t *Trial) time.Duration { return max(0, t.Outcome.Wall-t.Outcome.CPU) }

// ownWait returns idle without the known wait for a processor.
func ownWait(t *Trial) time.Duration { return max(0, idle(t)-t.Outcome.Waited) }

// waited returns the share of wall-clock time for which runs waited longer than
// the run of the same submission and case with the shortest wait.
func (t *table) waited() float64 {
	var extra, wall time.Duration
	runs := 0
	for s := range t.marks {
		for k := range t.marks[s] {
			good := t.marks[s][k].good
			if len(good) < 2 {
				continue
			}
			least := time.Duration(math.MaxInt64)
			for _, trial := range good {
				least = min(least, idle(trial))
			}
			for _, trial := range good {
				extra += idle(trial) - least
				wall += trial.Outcome.Wall
				runs++
			}
		}
	}
	if runs == 0 || wall <= 0 || extra/time.Duration(runs) < leastWaiting {
		return 0
	}
	return float64(extra) / float64(wall)
}
