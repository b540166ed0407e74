package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/stat"
	"crucible/judge/units"
)

// counts reports whether a trial's times say anything.
func counts(t *bench.Trial) bool {
	return t.Round >= 0 && t.Err == "" && t.Verdict == problem.Accepted && t.Outcome.CPU > 0
}

// ratioSection shows how many times as long programs take as the reference.
func ratioSection(p *record.Problem) section {
	c := p.Comparison
	m := c.Measurement
	if m.Alone() {
		return section{Title: "How long it takes", Tables: open(report.Sheets(p)...)}
	}
	names, cases := labels(entrantNames(m)), caseLabels(m)
	section := section{Title: "Ratio to the reference", Tables: open(report.Sheets(p)...)}
	section.Says = "CPU time of each program against that of " + nameShown(m.Submissions[c.Reference].Name) + ", with the interval of the true ratio. Left of the line at 1 is faster; an interval that holds 1 allows no claim, and a mark without one has too few runs."
	all := &picture{Spec: "ratios", Title: "Over all cases", Wide: true}
	rows := new(ratioRows)
	order := sheet.Order(c)
	one := len(c.Programs) == 2
	for _, i := range order {
		if r := overall(&c.Programs[i]); i != int(c.Reference) && r != nil && len(m.Cases) > 1 {
			name := names[i]
			if one {
				name = "all cases" // the other rows are cases
			}
			rows.add(name, r, 130)
		}
	}
	if !one {
		section.take(all, rows)
	}
	for _, i := range order {
		if !one {
			rows = new(ratioRows)
		}
		for k := range c.Programs[i].Cells {
			if r := c.Programs[i].Cells[k].Ratio; i != int(c.Reference) && r != nil {
				rows.add(cases[k], r, 70)
			}
		}
		if !one || i != int(c.Reference) {
			section.take(&picture{Spec: "ratios", Title: m.Submissions[i].Name}, rows)
		}
	}
	for _, k := range []legendKey{{Key: "faster", Text: "faster"}, {Key: "slower", Text: "slower"}, {Key: "unclear", Text: "cannot tell"}} {
		if slices.ContainsFunc(section.Pictures, func(p *picture) bool { return p.Data["rows"].has("k", k.Key) }) {
			section.Key = append(section.Key, k)
		}
	}
	return section
}

// take adds a picture of ratios, if there are any.
func (s *section) take(p *picture, rows *ratioRows) {
	if len(rows.list) == 0 {
		return
	}
	p.Data = map[string]*frame{"rows": rows.frame(), "one": frameOf("x")}
	p.Data["one"].add(1.0)
	p.Hover = []hover{{"s", "", "text"}, {"x", "ratio", "ratio"}, {"interval", "interval", "text"}, {"n", "n", "number"}, {"claim", "claim", "text"}}
	p.Says = units.Count(len(rows.list), "ratio") + " of CPU time to the reference with intervals, on a logarithmic axis."
	s.Pictures = append(s.Pictures, p)
}

// ratioRows are ratios that share an axis.
type ratioRows struct {
	list []ratioRow
}

type ratioRow struct {
	label string
	ratio *stat.Ratio
	size  float64 // of the mark
}

func (r *ratioRows) add(label string, ratio *stat.Ratio, size float64) {
	r.list = append(r.list, ratioRow{label, ratio, size})
}

// frame draws no interval where it knows no bounds.
func (r *ratioRows) frame() *frame {
	f := frameOf("s", "x", "lo", "hi", "interval", "n", "claim", "k", "size")
	for _, row := range r.list {
		key := map[stat.Claim]string{stat.Faster: "faster", stat.Slower: "slower"}[row.ratio.Claim]
		if key == "" {
			key = "unclear"
		}
		lo, hi, interval := row.ratio.Ratio, row.ratio.Ratio, any(nil)
		if row.ratio.Bounded() && row.ratio.Lo > 0 {
			lo, hi = row.ratio.Lo, row.ratio.Hi
			interval = sheet.Interval(row.ratio)
		}
		f.add(row.label, row.ratio.Ratio, lo, hi, interval, float64(row.ratio.N), string(row.ratio.Claim), key, row.size)
	}
	return f
}

func caseLabels(m *bench.Measurement) []string {
	names := make([]string, len(m.Cases))
	for i := range m.Cases {
		names[i] = m.Cases[i].Name
	}
	return labels(names)
}

// runsSection has a picture a case: a mark for every run, and the median with
// its interval if programs are given.
func runsSection(m *bench.Measurement, programs []bench.Program) section {
	names := entrantNames(m)
	short := labels(names)
	section := section{Title: "Every run"}
	section.Says = "CPU time of every run, a mark each"
	if programs != nil {
		section.Says += "; the upright stroke is the median, the bar its interval"
	}
	section.Says += ". Each case has an axis of its own."
	numbers := sheet.Sheet{Title: "CPU times of all runs", Columns: []sheet.Column{{Name: "case"}, {Name: "submission"}, {Name: "n", Number: true}, {Name: "median", Number: true}, {Name: "fastest", Number: true}, {Name: "slowest", Number: true}, {Name: "CPU times in the order they ran, ms"}}}
	for c := range m.Cases {
		rows, spans := frameOf("x", "s", "round", "k"), frameOf("x", "lo", "hi", "s")
		slowest := 0.0
		for s := range m.Submissions {
			var times []float64
			var texts []string
			for i := range m.Trials {
				if t := &m.Trials[i]; t.Submission == s && t.Case == c && counts(t) {
					v := t.Outcome.CPU.Seconds()
					rows.add(v, short[s], float64(t.Round), programKey(s, len(names)))
					times, texts = append(times, v), append(texts, millis(v))
					slowest = max(slowest, v)
				}
			}
			if times == nil {
				continue
			}
			all := stat.Summarize(times, 0.95)
			if programs != nil && c < len(programs[s].Cells) && programs[s].Cells[c].CPU.N > 0 {
				one := programs[s].Cells[c].CPU
				spans.add(one.Median, max(one.Lo, all.Min), min(one.Hi, all.Max), short[s])
			}
			numbers.Rows = append(numbers.Rows, []sheet.Entry{{Text: m.Cases[c].Name}, {Text: names[s]}, {Text: strconv.Itoa(len(times))}, {Text: units.Seconds(all.Median)}, {Text: units.Seconds(all.Min)}, {Text: units.Seconds(all.Max)}, {Text: strings.Join(texts, " ")}})
		}
		if len(rows.rows) == 0 {
			continue
		}
		one := &picture{Spec: "runs", Title: m.Cases[c].Name, Data: map[string]*frame{"rows": rows, "spans": spans, "limit": frameOf("x", "label")},
			Hover: []hover{{"s", "", "text"}, {"x", "CPU time", "time"}, {"round", "round", "number"}}}
		one.Says = units.Count(len(rows.rows), "run") + "."
		// A limit far away would leave no room for what differs.
		if limit := m.Limits.Time.Seconds(); limit > 0 && limit < 3*slowest {
			one.Data["limit"] = limitFrame(limit, "limit "+units.Exactly(m.Limits.Time))
		}
		section.Pictures = append(section.Pictures, one)
	}
	if section.Pictures != nil {
		section.Tables = folded(numbers)
		section.legend(names, false)
	}
	return section
}

// medianCactus counts the cases that each program solves within a time, by the
// medians.
func medianCactus(c *bench.Comparison) section {
	times := make([][]float64, len(c.Programs))
	solved := 0
	for i := range c.Programs {
		for _, cell := range c.Programs[i].Cells {
			if cell.Verdict == problem.Accepted && cell.CPU.N > 0 {
				times[i] = append(times[i], cell.CPU.Median)
				solved++
			}
		}
	}
	if solved == 0 {
		return section{}
	}
	return cactusOf(entrantNames(c.Measurement), times, len(c.Measurement.Cases), c.Measurement.Limits)
}

// medianMemory has a mark for each program and case.
func medianMemory(c *bench.Comparison) section {
	m := c.Measurement
	names, cases := labels(entrantNames(m)), caseLabels(m)
	rows := frameOf("x", "s", "c", "k")
	numbers := sheet.Sheet{Title: "Peak memory in mebibytes, medians", Columns: []sheet.Column{{Name: "submission"}}}
	for i := range m.Cases {
		numbers.Columns = append(numbers.Columns, sheet.Column{Name: m.Cases[i].Name, Number: true})
	}
	for i := range c.Programs {
		row := make([]sheet.Entry, 1+len(m.Cases))
		row[0].Text = m.Submissions[i].Name
		for k, cell := range c.Programs[i].Cells {
			if cell.Memory.N > 0 && cell.Memory.Median > 0 {
				rows.add(cell.Memory.Median, names[i], cases[k], programKey(i, len(names)))
				v := cell.Memory.Median / (1 << 20)
				row[1+k].Text = strconv.FormatFloat(v, 'f', units.Decimals(v), 64)
			}
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	if len(rows.rows) == 0 {
		return section{}
	}
	one := &picture{Spec: "memory", Data: map[string]*frame{"rows": rows, "spans": frameOf("x", "lo", "hi", "s"), "limit": limitFrame(float64(m.Limits.Memory), "limit "+units.Bytes(m.Limits.Memory))},
		Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "peak memory", "size"}}}
	one.Says = "The most memory that each program held on each case, medians over all runs, on a logarithmic axis."
	if m.Limits.Memory > 0 {
		one.Says += " The dashed line is the memory limit, " + units.Bytes(m.Limits.Memory) + "."
	}
	return section{Title: "Memory", Says: one.Says, Pictures: []*picture{one}, Tables: folded(numbers)}
}

// driftSection shows times in the order of the runs: what changes with it is
// the machine's doing and not the programs'.
func driftSection(m *bench.Measurement) section {
	names := entrantNames(m)
	short, cases := labels(names), caseLabels(m)
	type pair struct{ s, c int }
	times := map[pair][]float64{}
	rounds := 0
	for i := range m.Trials {
		if t := &m.Trials[i]; counts(t) {
			at := pair{t.Submission, t.Case}
			times[at] = append(times[at], t.Outcome.CPU.Seconds())
			rounds = max(rounds, t.Round+1)
		}
	}
	if rounds < 2 {
		return section{}
	}
	medians := map[pair]float64{}
	for at, list := range times {
		medians[at], _ = stat.Median(list, 0.95)
	}
	rows, lines := frameOf("x", "y", "s", "c", "t", "k"), frameOf("x", "y", "s", "k")
	type mean struct{ x, y, n float64 }
	means := map[pair]mean{} // by submission and round
	for i := range m.Trials {
		t := &m.Trials[i]
		if !counts(t) {
			continue
		}
		y := t.Outcome.CPU.Seconds() / medians[pair{t.Submission, t.Case}]
		rows.add(float64(i), y, short[t.Submission], cases[t.Case], t.Outcome.CPU.Seconds(), programKey(t.Submission, len(names)))
		at := pair{t.Submission, t.Round}
		v := means[at]
		means[at] = mean{v.x + float64(i), v.y + math.Log(y), v.n + 1}
	}
	numbers := sheet.Sheet{Title: "CPU time by round, against each program's median", Columns: []sheet.Column{{Name: "round"}}}
	for _, name := range names {
		numbers.Columns = append(numbers.Columns, sheet.Column{Name: name, Number: true})
	}
	for round := range rounds {
		row := make([]sheet.Entry, 1+len(names))
		row[0].Text = strconv.Itoa(round)
		for s := range names {
			if v := means[pair{s, round}]; v.n > 0 {
				y := math.Exp(v.y / v.n)
				lines.add(v.x/v.n, y, short[s], programKey(s, len(names)))
				row[1+s].Text = strconv.FormatFloat(y, 'f', 3, 64)
			}
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	one := &picture{Spec: "drift", Data: map[string]*frame{"rows": rows, "rounds": lines, "one": frameOf("y")},
		Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"t", "CPU time", "time"}, {"y", "against its median", "ratio"}, {"x", "run", "number"}}}
	one.Data["one"].add(1.0)
	one.Says = "CPU time of every run against its program's median on the case, in the order of the runs; the lines are the rounds' means. Where all go up or down together, the machine did it."
	section := section{Title: "Drift over the run order", Says: one.Says, Pictures: []*picture{one}, Tables: folded(numbers)}
	section.legend(names, true)
	return section
}
