package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/stat"
	"crucible/judge/units"
)

// growthSection shows times against sizes, or memory, and the fits.
func growthSection(p *record.Problem, memory bool) section {
	s := p.Scaling
	m := s.Measurement
	names := entrantNames(m)
	short := labels(names)
	rows, fits := frameOf("x", "y", "lo", "hi", "s", "k"), frameOf("x", "y", "s", "k")
	stops, failures := frameOf("x", "y", "s", "verdict", "k"), frameOf("x", "y", "s", "verdict", "k")
	numbers := sheet.Sheet{Title: "CPU time by size", Columns: []sheet.Column{{Name: "submission"}, {Name: "n", Number: true}, {Name: "median", Number: true}, {Name: "from", Number: true}, {Name: "to", Number: true}, {Name: "by the fit", Number: true}, {Name: "verdict"}}}
	text := units.Seconds
	if memory {
		numbers.Title, text = "Peak memory by size", func(v float64) string { return units.Memory(int64(v)) }
	}
	for i := range s.Curves {
		c := &s.Curves[i]
		fit := &c.Time
		if memory {
			fit = &c.Memory
		}
		key := programKey(i, len(names))
		for _, at := range c.Points {
			one := at.CPU
			if memory {
				one = at.Memory
			}
			row := []sheet.Entry{{Text: names[i]}, {Text: strconv.FormatFloat(at.N, 'f', -1, 64)}, {}, {}, {}, {}, {Text: string(at.Verdict)}}
			stopped := at.Verdict == problem.TimeLimit || at.Verdict == problem.MemoryLimit
			switch {
			case stopped:
				row[6].Mark = sheet.Doubt
			case at.Verdict != problem.Accepted:
				row[6].Mark = sheet.Bad
			}
			switch {
			case one.N == 0 || one.Median <= 0:
			case stopped:
				stops.add(at.N, one.Median, short[i], string(at.Verdict), key)
				row[2].Text = "> " + text(one.Median)
			case at.Verdict != problem.Accepted:
				failures.add(at.N, one.Median, short[i], cmp.Or(string(at.Verdict), string(report.JudgeError)), key)
				row[2].Text = text(one.Median)
			default:
				lo, hi := max(one.Lo, one.Min), min(one.Hi, one.Max)
				rows.add(at.N, one.Median, lo, hi, short[i], key)
				row[2].Text, row[3].Text, row[4].Text = text(one.Median), text(lo), text(hi)
			}
			if fit.Model != "" {
				row[5].Text = text(fit.At(at.N))
			}
			numbers.Rows = append(numbers.Rows, row)
		}
		if n := len(c.Points); n > 1 {
			curve(fits, fit, c.Points[0].N, c.Points[n-1].N, short[i], key)
		}
	}
	if len(rows.rows)+len(stops.rows)+len(failures.rows) == 0 {
		return section{}
	}
	one := &picture{Spec: "growth", Data: map[string]*frame{"rows": rows, "stops": stops, "failures": failures, "fits": fits, "crossings": frameOf("x", "label"), "limit": frameOf("y", "label")}}
	as, what := "time", "CPU time"
	section := section{Title: "Time against size"}
	section.Says = "Medians with intervals on logarithmic axes, where a power of n is a straight line; the lines are the fits."
	if memory {
		one.Spec, as, what = "footprint", "size", "peak memory"
		section.Title = "Memory against size"
		if m.Limits.Memory > 0 {
			one.Data["limit"].add(float64(m.Limits.Memory), "limit "+units.Bytes(m.Limits.Memory))
		}
		section.Tables = folded(numbers)
	} else {
		if m.Limits.Time > 0 {
			one.Data["limit"].add(m.Limits.Time.Seconds(), "limit "+units.Exactly(m.Limits.Time))
		}
		// Of many crossings the table tells: their labels would lie on each other.
		for _, x := range s.Crossings {
			if x.Within && len(s.Crossings) <= 3 {
				one.Data["crossings"].add(x.N, "n = "+sheet.Size(x.N))
			}
		}
		section.Tables = append(open(report.Sheets(p)...), folded(numbers)...)
	}
	one.Hover = []hover{{"s", "", "text"}, {"x", "n", "number"}, {"y", what, as}, {"lo", "from", as}, {"hi", "to", as}, {"verdict", "verdict", "text"}}
	one.Says = fmt.Sprintf("%s of %s against the size of the input. %s", what, units.Count(len(s.Curves), "submission"), section.Says)
	section.Pictures = []*picture{one}
	section.legend(names, true)
	if len(stops.rows) > 0 {
		section.Key = append(section.Key, legendKey{Key: "stopped", Text: "stopped at a limit: it would have taken more"})
	}
	if len(failures.rows) > 0 {
		section.Key = append(section.Key, legendKey{Key: "failed", Text: "crashed or failed otherwise: not part of the fit"})
	}
	return section
}

// curve adds a fit as a line of many points.
func curve(to *frame, f *stat.Fit, from, until float64, name, key string) {
	const points = 60
	if f.Model == "" {
		return
	}
	for i := range points + 1 {
		n := from * math.Pow(until/from, float64(i)/points)
		if v := f.At(n); v > 0 && !math.IsInf(v, 0) {
			to.add(n, v, name, key)
		}
	}
}
