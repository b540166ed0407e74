package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/stat"
	"crucible/judge/units"
)

// growthSection shows times or memory by size, and the fits.
func growthSection(p *record.Problem, memory bool) section {
	c, m := p.Scaling, p.Scaling.Measurement
	names := entrantNames(m)
	numbers := sheet.Sheet{Title: "CPU time by size", Columns: []sheet.Column{{Name: "submission"}, {Name: "n", Number: true}, {Name: "median", Number: true}, {Name: "from", Number: true}, {Name: "to", Number: true}, {Name: "by the fit", Number: true}, {Name: "verdict"}}}
	text := units.Seconds
	if memory {
		numbers.Title, text = "Peak memory by size", func(v float64) string { return units.Memory(int64(v)) }
	}
	data, rows := growthData(c, names, memory, text)
	if len(data["rows"].rows)+len(data["stops"].rows)+len(data["failures"].rows) == 0 {
		return section{}
	}
	numbers.Rows = rows
	s := section{Title: "Time by size", Tables: append(open(report.Sheets(p)...), folded(numbers)...)}
	s.Caption = "Medians with intervals on logarithmic axes, on which a power of n is a straight line; the lines are the fits."
	spec, as, what, limit, limitText := "growth", "time", "CPU time", m.Limits.Time.Seconds(), units.Exactly(m.Limits.Time)
	if memory {
		spec, as, what, limit, limitText = "footprint", "size", "peak memory", float64(m.Limits.Memory), units.Bytes(m.Limits.Memory)
		s.Title, s.Tables = "Memory by size", folded(numbers)
	} else if len(c.Crossings) <= 3 && m.Clock != bench.ByInstructions { // the labels of more would overlap; the table has them
		for _, x := range c.Crossings {
			if x.Within {
				data["crossings"].add(x.N, "n = "+sheet.Size(x.N))
			}
		}
	}
	if limit > 0 {
		data["limit"].add(limit, "limit "+limitText)
	}
	s.Pictures = []*picture{{Spec: spec, Data: data, Caption: fmt.Sprintf("%s of %s by the size of the input. %s", what, units.Count(len(c.Curves), "submission"), s.Caption),
		Hover: []hover{{"s", "", "text"}, {"x", "n", "number"}, {"y", what, as}, {"lo", "from", as}, {"hi", "to", as}, {"verdict", "verdict", "text"}}}}
	s.legend(names, true)
	if len(data["stops"].rows) > 0 {
		s.Key = append(s.Key, legendKey{Key: "stopped", Text: "stopped at a limit: the true value is larger"})
	}
	if len(data["failures"].rows) > 0 {
		s.Key = append(s.Key, legendKey{Key: "failed", Text: "crashed or failed otherwise: not part of the fit"})
	}
	return s
}

// growthData returns the frames of the picture and the rows of the table. text formats
// a time or an amount of memory.
func growthData(c *bench.Scaling, names []string, memory bool, text func(float64) string) (data map[string]*frame, rows [][]sheet.Entry) {
	data = map[string]*frame{"rows": frameOf("x", "y", "lo", "hi", "s", "k"), "stops": frameOf("x", "y", "s", "verdict", "k"), "failures": frameOf("x", "y", "s", "verdict", "k"),
		"fits": frameOf("x", "y", "s", "k"), "crossings": frameOf("x", "label"), "limit": frameOf("y", "label")}
	short := labels(names)
	for i := range c.Curves {
		points, fit, key := c.Curves[i].Points, &c.Curves[i].Time, programKey(i, len(names))
		if memory {
			fit = &c.Curves[i].Memory
		}
		for _, at := range points {
			one := &at.CPU
			if memory {
				one = &at.Memory
			}
			row := growthPoint(data, &at, one, short[i], key, text)
			row[0].Text = names[i]
			if fit.Model != "" {
				row[5].Text = text(fit.At(at.N))
			}
			rows = append(rows, row)
		}
		if n := len(points); n > 1 {
			addCurve(data["fits"], fit, points[0].N, points[n-1].N, short[i], key)
		}
	}
	return data, rows
}

// growthPoint adds a measured point to the frame for its verdict, and returns its row
// of the table without the name and the fit.
func growthPoint(data map[string]*frame, at *bench.Point, one *stat.Summary, name, key string, text func(float64) string) []sheet.Entry {
	row := []sheet.Entry{{}, {Text: strconv.FormatFloat(at.N, 'f', -1, 64)}, {}, {}, {}, {}, {Text: string(at.Verdict)}}
	measured := one.N > 0 && one.Median > 0
	switch at.Verdict {
	case problem.Accepted:
		if measured {
			lo, hi := max(one.Lo, one.Min), min(one.Hi, one.Max)
			data["rows"].add(at.N, one.Median, lo, hi, name, key)
			row[2].Text, row[3].Text, row[4].Text = text(one.Median), text(lo), text(hi)
		}
	case problem.TimeLimit, problem.MemoryLimit:
		row[6].Mark = sheet.Doubt
		if measured {
			data["stops"].add(at.N, one.Median, name, string(at.Verdict), key)
			row[2].Text = "> " + text(one.Median)
		}
	default:
		row[6].Mark = sheet.Bad
		if measured {
			data["failures"].add(at.N, one.Median, name, cmp.Or(string(at.Verdict), string(report.JudgeError)), key)
			row[2].Text = text(one.Median)
		}
	}
	return row
}

// addCurve adds a fit as a line of many points.
func addCurve(f *frame, fit *stat.Fit, from, to float64, name, key string) {
	const points = 60
	if fit.Model == "" {
		return
	}
	for i := range points + 1 {
		n := from * math.Pow(to/from, float64(i)/points)
		if v := fit.At(n); v > 0 && !math.IsInf(v, 0) {
			f.add(n, v, name, key)
		}
	}
}
