package report

import (
	"fmt"
	"math"

	"crucible/judge"
	"crucible/judge/stat"
)

// growthSection shows times against sizes, or memory, and the fits.
func growthSection(p *Problem, memory bool) htmlSection {
	s := p.Scaling
	m := s.Measurement
	names := entrantNames(m)
	short := labels(names)
	rows, fits := frameOf("x", "y", "lo", "hi", "s", "k"), frameOf("x", "y", "s", "k")
	sheet := Sheet{Title: "CPU time by size", Columns: []Column{{Name: "submission"}, {Name: "n", Number: true}, {Name: "median", Number: true}, {Name: "from", Number: true}, {Name: "to", Number: true}, {Name: "by the fit", Number: true}, {Name: "verdict"}}}
	text := shown
	if memory {
		sheet.Title, text = "Peak memory by size", func(v float64) string { return Memory(int64(v)) }
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
			row := []Entry{{Text: names[i]}, {Text: size(at.N)}, {}, {}, {}, {}, {Text: string(at.Verdict)}}
			if at.Verdict != judge.Accepted {
				row[6].Mark = Bad
			}
			if one.N > 0 && one.Median > 0 {
				lo, hi := max(one.Lo, one.Min), min(one.Hi, one.Max)
				rows.add(at.N, one.Median, lo, hi, short[i], key)
				row[2].Text, row[3].Text, row[4].Text = text(one.Median), text(lo), text(hi)
			}
			if v := predicted(fit, at.N); v > 0 {
				row[5].Text = text(v)
			}
			sheet.Rows = append(sheet.Rows, row)
		}
		if n := len(c.Points); n > 1 {
			curve(fits, fit, c.Points[0].N, c.Points[n-1].N, short[i], key)
		}
	}
	if len(rows.rows) == 0 {
		return htmlSection{}
	}
	one := &picture{Spec: "growth", Data: map[string]*frame{"rows": rows, "fits": fits, "crossings": frameOf("x", "label"), "limit": frameOf("y", "label")}}
	as, what := "time", "CPU time"
	section := htmlSection{Title: "Time against size"}
	section.Says = "Medians with intervals on logarithmic axes, where a power of n is a straight line; the lines are the fits."
	if memory {
		one.Spec, as, what = "footprint", "size", "peak memory"
		section.Title = "Memory against size"
		if m.Limits.Memory > 0 {
			one.Data["limit"].add(float64(m.Limits.Memory), "limit "+judge.Bytes(m.Limits.Memory))
		}
		section.Tables = folded(sheet)
	} else {
		if m.Limits.Time > 0 {
			one.Data["limit"].add(m.Limits.Time.Seconds(), "limit "+judge.Exactly(m.Limits.Time))
		}
		// Of many crossings the table tells: their labels would lie on each other.
		for _, x := range s.Crossings {
			if x.Within && len(s.Crossings) <= 3 {
				one.Data["crossings"].add(x.N, "n = "+size(x.N))
			}
		}
		section.Tables = append(open(Sheets(p)...), folded(sheet)...)
	}
	one.Hover = []htmlHover{{"s", "", "text"}, {"x", "n", "number"}, {"y", what, as}, {"lo", "from", as}, {"hi", "to", as}}
	one.Says = fmt.Sprintf("%s of %s against the size of the input. %s", what, count(len(s.Curves), "submission"), section.Says)
	section.Pictures = []*picture{one}
	section.legend(names, true)
	return section
}

// predicted is what a fit says of a size; 0 if there is no fit.
func predicted(f *stat.Fit, n float64) float64 {
	switch f.Model {
	case stat.Constant:
		return f.A + f.B
	case stat.Logarithmic:
		return f.A + f.B*math.Log(n)
	case stat.Linear:
		return f.A + f.B*n
	case stat.Linearithmic:
		return f.A + f.B*n*math.Log(n)
	case stat.Power:
		return f.A + f.B*math.Pow(n, f.K)
	case stat.Exponential:
		return f.A + f.B*math.Pow(f.K, n)
	}
	return 0
}

// curve adds a fit as a line of many points.
func curve(to *frame, f *stat.Fit, from, until float64, name, key string) {
	const points = 60
	for i := range points + 1 {
		n := from * math.Pow(until/from, float64(i)/points)
		if v := predicted(f, n); v > 0 && !math.IsInf(v, 0) {
			to.add(n, v, name, key)
		}
	}
}
