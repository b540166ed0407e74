package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// A growthQuantity is a quantity that may grow with the size of the input.
type growthQuantity struct {
	title, table   string // titles of the section and of its table
	spec, name, as string // of the picture
	text           func(float64) string
	of             func(*bench.Point) *stat.Summary // nil if the point has none
	fit            func(*bench.Curve) *stat.Fit
	counted        bool    // a run that exceeded a limit has no value, not a lower bound
	limit          float64 // 0 if there is none
	limitText      string
}

// growingTime returns the quantity of the clock.
func growthOfTime(m *bench.Measurement) *growthQuantity {
	clock := sheet.ClockOf(m)
	g := &growthQuantity{title: "Time by size", table: clock.Title() + " by size", spec: "growth", name: clock.Name,
		as: clockFormat(m), text: clock.Write,
		of: func(p *bench.Point) *stat.Summary { return &p.CPU }, fit: (*bench.Curve).Growth, limit: m.Limits.Time.Seconds(),
		limitText: terminal.Exactly(m.Limits.Time)}
	if m.Clock == bench.ByInstructions { // which have no limit
		g.title, g.of, g.counted, g.limit = g.table, func(p *bench.Point) *stat.Summary { return p.Count }, true, 0
	}
	return g
}

func growthOfMemory(m *bench.Measurement) *growthQuantity {
	return &growthQuantity{title: "Memory by size", table: "Peak memory by size", spec: "footprint", name: "peak memory",
		as:   "size",
		text: func(v float64) string { return terminal.Memory(int64(v)) },
		of:   func(p *bench.Point) *stat.Summary { return &p.Memory },
		fit:  func(c *bench.Curve) *stat.Fit { return &c.Memory }, limit: float64(m.Limits.Memory),
		limitText: terminal.Bytes(m.Limits.Memory)}
}

// growthSection shows the values of a quantity by size, and the fits.
func growthSection(c *bench.Scaling, q *growthQuantity, tables []table) section {
	m := c.Measurement
	names := entrantNames(m)
	numbers := report.Sheet{Title: q.table, Columns: []report.Column{{Name: "submission"}, {Name: "n", Number: true},
		{Name: "median", Number: true}, {Name: "from", Number: true}, {Name: "to", Number: true},
		{Name: "by the fit", Number: true}, {Name: "verdict"}}}
	data, rows := growthData(c, names, q)
	if len(data["rows"].rows)+len(data["stops"].rows)+len(data["failures"].rows) == 0 {
		return section{}
	}
	numbers.Rows = rows
	s := section{Title: q.title, Tables: append(tables, folded(numbers)...)}
	s.Caption = "Medians with intervals on logarithmic axes, on which a power of n is a straight line; the lines are " +
		"the fits."
	one := &picture{Spec: q.spec, Data: data, Caption: fmt.Sprintf("%s of %s by the size of the input. %s", q.name,
		terminal.Count(len(c.Curves), "submission"), s.Caption),
		Hover: []hover{{"s", "", "text"}, {"x", "n", "number"}, {"y", q.name, q.as}, {"lo", "from", q.as}, {"hi", "to", q.as},
			{"verdict", "verdict", "text"}}}
	if q.spec == "growth" {
		one.Set = clockSignals(m)
	}
	if q.spec == "growth" && len(c.Crossings) <= 3 { // the labels of more would overlap; the table has them
		for _, x := range c.Crossings {
			if x.Within {
				data["crossings"].add(x.N, "n = "+sheet.Size(x.N))
			}
		}
	}
	if q.limit > 0 {
		data["limit"].add(q.limit, "limit "+q.limitText)
	}
	s.Pictures = []*picture{one}
	s.legend(names, true)
	if len(data["stops"].rows) > 0 {
		s.Key = append(s.Key, legendKey{Key: "stopped", Text: "stopped at a limit: the true value is larger"})
	}
	if len(data["failures"].rows) > 0 {
		s.Key = append(s.Key, legendKey{Key: "failed", Text: "crashed or failed otherwise: not part of the fit"})
	}
	return s
}

// growthData returns the frames of the picture and the rows of the table.
func growthData(c *bench.Scaling, names []string, q *growthQuantity) (data map[string]*frame, rows [][]report.Entry) {
	data = map[string]*frame{"rows": frameOf("x", "y", "lo", "hi", "s", "k"),
		"stops": frameOf("x", "y", "s", "verdict", "k"), "failures": frameOf("x", "y", "s", "verdict", "k"),
		"fits": frameOf("x", "y", "s", "k"), "crossings": frameOf("x", "label"), "limit": frameOf("y", "label")}
	short := labels(names)
	for i := range c.Curves {
		points, fit, key := c.Curves[i].Points, q.fit(&c.Curves[i]), programKey(i, len(names))
		for _, at := range points {
			row := growthPoint(data, &at, q, short[i], key)
			row[0].Text = names[i]
			if fit.Model != "" {
				row[5].Text = q.text(fit.At(at.N))
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
func growthPoint(data map[string]*frame, at *bench.Point, q *growthQuantity, name, key string) []report.Entry {
	one, text := cmp.Or(q.of(at), new(stat.Summary)), q.text
	row := []report.Entry{{}, {Text: strconv.FormatFloat(at.N, 'f', -1, 64)}, {}, {}, {}, {}, {Text: string(at.Verdict)}}
	measured := one.N > 0 && one.Median > 0
	switch limited := at.Verdict == problem.TimeLimit || at.Verdict == problem.MemoryLimit; {
	case at.Verdict == problem.Accepted, limited && q.counted:
		if limited {
			row[6].Mark = report.Doubt
		}
		if measured {
			lo, hi := max(one.Lo, one.Min), min(one.Hi, one.Max)
			data["rows"].add(at.N, one.Median, lo, hi, name, key)
			row[2].Text, row[3].Text, row[4].Text = text(one.Median), text(lo), text(hi)
		}
	case limited:
		row[6].Mark = report.Doubt
		if measured {
			data["stops"].add(at.N, one.Median, name, string(at.Verdict), key)
			row[2].Text = "> " + text(one.Median)
		}
	default:
		row[6].Mark = report.Bad
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
