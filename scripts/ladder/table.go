package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"crucible/judge"
)

// A table is what was measured of one problem.
type table struct {
	sets []string
	rows []row // the base first
}

type row struct {
	name    string
	skipped string
	cells   []cell // by set
	memory  int64  // bytes, the most of any run
}

// A cell is one program on one set.
type cell struct {
	times  []time.Duration // CPU, by round
	why    string          // not accepted, or an error: no further runs
	beyond bool            // stopped at the longest time
}

// once is the CPU time from which one round is enough: what is so much slower
// than the rest is not a matter of percents.
const once = 3 * time.Second

func measure(ctx context.Context, j *judge.Judge, all []*judge.Submission, sets []*judge.Case, rounds int) (*table, error) {
	t := &table{}
	for _, c := range sets {
		t.sets = append(t.sets, setName(c.Name))
	}
	sessions := make([]*judge.Session, len(all))
	for i, s := range all {
		progress("%s: compiling %s", s.Problem.ID, s.Name)
		r := row{name: s.Name, cells: make([]cell, len(sets))}
		session, report := j.Begin(ctx, s)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case session != nil:
			sessions[i] = session
			defer session.End()
		case report.Err != nil:
			return nil, report.Err
		case report.Skipped != "" && i > 0:
			r.skipped = report.Skipped
		default:
			return nil, fmt.Errorf("%s: %s%s", s.Name, report.Skipped, report.Compile.Message)
		}
		t.rows = append(t.rows, r)
	}
	for round := range rounds {
		for k, c := range sets {
			for i, session := range sessions {
				cell := &t.rows[i].cells[k]
				if session == nil || cell.why != "" || round > 0 && cell.times[0] >= once {
					continue
				}
				progress("%s: round %d of %d, %s, %s", all[i].Problem.ID, round+1, rounds, t.sets[k], all[i].Name)
				run := session.Run(ctx, c)
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if run.Err != nil {
					return nil, run.Err
				}
				cell.times = append(cell.times, run.Outcome.CPU)
				t.rows[i].memory = max(t.rows[i].memory, run.Outcome.Memory)
				switch run.Verdict {
				case judge.Accepted:
				case judge.TimeLimit:
					cell.beyond = true
				default:
					cell.why = string(run.Verdict)
					fmt.Fprintf(os.Stderr, "%s on %s: %s: %s\n", all[i].Name, t.sets[k], run.Verdict, run.Why)
				}
			}
		}
	}
	progress("")
	return t, nil
}

// ratio is how many times as fast as the base a cell is, and how far apart the
// rounds' own ratios are, as a fraction of it.
func ratio(base, c *cell) (median, spread float64) {
	var all []float64
	for i := range c.times {
		all = append(all, float64(base.times[min(i, len(base.times)-1)])/float64(c.times[i]))
	}
	slices.Sort(all)
	n := len(all)
	median = (all[(n-1)/2] + all[n/2]) / 2
	return median, (all[n-1] - all[0]) / median
}

// mean is the geometric mean of a row's ratios, by which rows are ordered.
func (t *table) mean(r *row) float64 {
	sum, n := 0.0, 0
	for k := range r.cells {
		if c := &r.cells[k]; len(c.times) > 0 && c.why == "" {
			m, _ := ratio(&t.rows[0].cells[k], c)
			sum += math.Log(m)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}

func (t *table) print(w io.Writer, problem string) {
	base := t.rows[0]
	rows := slices.Clone(t.rows)
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(t.mean(&b), t.mean(&a)) })
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	last := base.name + " takes"
	width := len(last)
	for _, r := range rows {
		width = max(width, len(r.name))
	}
	fmt.Fprintf(tw, "\n%-*s\t%s\tmemory\t\n", width, problem, strings.Join(t.sets, "\t"))
	widest := 0.0
	for _, r := range rows {
		fmt.Fprintf(tw, "%-*s", width, r.name)
		if r.skipped != "" {
			fmt.Fprintf(tw, "\t%s\t\n", r.skipped)
			continue
		}
		for k := range r.cells {
			text, spread := show(&base.cells[k], &r.cells[k])
			widest = max(widest, spread)
			fmt.Fprint(tw, "\t"+text)
		}
		fmt.Fprintf(tw, "\t%s\t\n", judge.Bytes(r.memory))
	}
	fmt.Fprintf(tw, "%-*s", width, last)
	for k := range base.cells {
		times := slices.Sorted(slices.Values(base.cells[k].times))
		fmt.Fprint(tw, "\t"+judge.Duration(times[len(times)/2]))
	}
	fmt.Fprintln(tw, "\t\t")
	tw.Flush()
	fmt.Fprintf(w, "rounds of one figure lie at most %.0f%% apart\n", 100*widest)
}

func show(base, c *cell) (text string, spread float64) {
	if c.why != "" {
		return c.why, 0
	}
	m, spread := ratio(base, c)
	digits := max(0, 2-int(math.Floor(math.Log10(m))))
	text = fmt.Sprintf("%.*fx", min(digits, 2), m)
	if c.beyond {
		text = "<" + text
	}
	return text, spread
}
