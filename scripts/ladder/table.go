package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"crucible/judge"
	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// A table has the measurements of one problem.
type table struct {
	sets    []string
	rows    []row    // the base first
	remarks []string // a line for each program that was wrong or had no verdict
}

type row struct {
	name    string
	skipped string
	cells   []cell // one for each set
	memory  int64  // bytes, the maximum over all runs
}

// A cell is one program on one set.
type cell struct {
	times  []time.Duration // CPU time of each round
	why    string          // verdict if the program was wrong, "?" if there is none; then no further runs and no figure
	beyond bool            // stopped after the CPU time longest
}

// once is the CPU time from which a program other than the base runs in the
// first round only. Differences of a few percent do not matter at that speed.
const once = 3 * time.Second

// seed makes the order of the programs in each round the same in every call.
const seed = 1

func measure(ctx context.Context, j *judge.Judge, all []*problem.Submission, sets []*problem.Case,
	rounds int) (*table, error) {
	p := all[0].Problem.ID
	s, err := bench.Begin(ctx, bench.Here(j), bench.ForBench, all, seed,
		func(one *problem.Submission) { progress("%s: compiling %s", p, one.Name) })
	if err != nil {
		return nil, err
	}
	defer s.Close()
	t := &table{}
	for _, c := range sets {
		s.Add(c, 0)
		t.sets = append(t.sets, setName(c.Name))
	}
	for i, e := range s.Measurement.Submissions {
		if e.Skipped != "" && (i == 0 || e.Refused()) {
			return nil, fmt.Errorf("%s: %s", e.Name, e.Skipped)
		}
		t.rows = append(t.rows, row{name: e.Name, skipped: e.Skipped, cells: make([]cell, len(sets))})
	}
	s.OnTrial = func(trial bench.Trial) { t.add(&trial) }
	s.OnStart = func(trial bench.Trial) {
		progress("%s: round %d of %d, %s, %s", p, trial.Round+1, rounds, t.sets[trial.Case], t.rows[trial.Submission].name)
	}
	for round := range rounds {
		if err := s.Round(ctx, round, t.again()); err != nil {
			return nil, err
		}
	}
	progress("")
	return t, nil
}

// again lists the pairs of submission and case that need another run.
func (t *table) again() (pairs []bench.Pair) {
	for i := range t.rows {
		for k := range t.rows[i].cells {
			if t.rows[i].again(k, i == 0) {
				pairs = append(pairs, bench.Pair{Submission: i, Case: k})
			}
		}
	}
	return pairs
}

// add adds a trial to the table. A program gets at most one remark.
func (t *table) add(trial *bench.Trial) {
	r := &t.rows[trial.Submission]
	well := r.well()
	if why := r.add(trial); why != "" && well {
		t.remarks = append(t.remarks, fmt.Sprintf("%s on %s: %s", r.name, t.sets[trial.Case], why))
	}
}

// well reports whether the program was right in all runs so far.
func (r *row) well() bool {
	return !slices.ContainsFunc(r.cells, func(c cell) bool { return c.why != "" })
}

// again reports whether the program needs another run on set k: it was right, it
// was not stopped, and it is the base or took less than once.
func (r *row) again(k int, base bool) bool {
	c := &r.cells[k]
	return c.why == "" && !c.beyond && (base || len(c.times) == 0 || c.times[0] < once)
}

// add adds a trial to the row. It returns "" if the program was right or was
// stopped at the time limit, and otherwise the verdict or error and its reason.
func (r *row) add(trial *bench.Trial) (why string) {
	c := &r.cells[trial.Case]
	c.times = append(c.times, trial.Outcome.CPU)
	r.memory = max(r.memory, trial.Outcome.Memory)
	switch {
	case trial.Err != "":
		c.why = "?"
		return trial.Err
	case trial.Verdict == problem.TimeLimit:
		c.beyond = true
	case trial.Verdict != problem.Accepted:
		c.why = string(trial.Verdict)
		return c.why + ": " + trial.Why
	}
	return ""
}

// ratio returns the median over the rounds of the base's time divided by the
// cell's, and the range of these ratios as a fraction of the median. Only rounds
// in which both ran count; a base that was stopped has one round.
func ratio(base, c *cell) (median, spread float64) {
	var all []float64
	for i := range min(len(base.times), len(c.times)) {
		all = append(all, float64(base.times[i])/float64(c.times[i]))
	}
	slices.Sort(all)
	median = middle(all)
	return median, (all[len(all)-1] - all[0]) / median
}

// middle returns the median of sorted numbers, of which there must be at least
// one.
func middle[T float64 | time.Duration](sorted []T) T {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// mean returns the geometric mean of a row's ratios, by which rows are ordered.
// It is 0 for a row that has no ratio on some set; such rows come last.
func (t *table) mean(r *row) float64 {
	sum := 0.0
	for k := range r.cells {
		base, c := &t.rows[0].cells[k], &r.cells[k]
		if !comparable(base, c) {
			return 0
		}
		m, _ := ratio(base, c)
		sum += math.Log(m)
	}
	return math.Exp(sum / float64(len(r.cells)))
}

// comparable reports whether two cells have a ratio or a bound of one.
func comparable(base, c *cell) bool {
	return base.why == "" && c.why == "" && len(c.times) > 0 && !(base.beyond && c.beyond)
}

func (t *table) print(w io.Writer, problem string) {
	base := &t.rows[0]
	last := base.name + " takes"
	width := len(last)
	rows := make([]*row, len(t.rows))
	for i := range t.rows {
		rows[i] = &t.rows[i]
		width = max(width, len(rows[i].name))
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(t.mean(b), t.mean(a)) })
	var text strings.Builder
	tw := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "\n%-*s\t%s\tmemory\t\n", width, problem, strings.Join(t.sets, "\t"))
	widest, remarks := 0.0, t.remarks
	for _, r := range rows {
		if r.skipped != "" {
			remarks = append(remarks, r.name+": skipped: "+r.skipped)
			continue
		}
		fmt.Fprintf(tw, "%-*s", width, r.name)
		for k := range r.cells {
			text, spread := show(&base.cells[k], &r.cells[k])
			widest = max(widest, spread)
			fmt.Fprint(tw, "\t"+text)
		}
		fmt.Fprintf(tw, "\t%s\t\n", terminal.Bytes(r.memory))
	}
	fmt.Fprintf(tw, "%-*s", width, last)
	for k := range base.cells {
		fmt.Fprint(tw, "\t"+terminal.Duration(middle(slices.Sorted(slices.Values(base.cells[k].times)))))
	}
	fmt.Fprintln(tw, "\t\t")
	tw.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	if widest > 0 {
		fmt.Fprintf(w, "rounds of one figure lie at most %.0f%% apart\n", 100*widest)
	}
	for _, r := range remarks {
		fmt.Fprintln(w, r)
	}
}

// show returns the text of a cell and the spread of its ratio. The text is the
// ratio, a bound of it if one of the two programs was stopped, or the reason why
// there is none.
func show(base, c *cell) (text string, spread float64) {
	switch {
	case c.why != "":
		return c.why, 0
	case !comparable(base, c):
		return "-", 0
	}
	m, spread := ratio(base, c)
	digits := max(0, 2-int(math.Floor(math.Log10(m))))
	text = fmt.Sprintf("%.*fx", min(digits, 2), m)
	switch {
	case c.beyond:
		text = "<" + text
	case base.beyond:
		text = ">" + text
	}
	return text, spread
}
