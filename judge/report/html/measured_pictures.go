package html

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// counts reports whether the value of a trial by the clock is shown.
func counts(m *bench.Measurement, t *bench.Trial) bool {
	return t.Round >= 0 && t.Err == "" && t.Verdict == problem.Accepted && m.Value(t) > 0
}

// clockFormat returns the format of values of the clock, for [hover].
func clockFormat(m *bench.Measurement) string {
	if m.Clock == bench.ByInstructions {
		return "count"
	}
	return "time"
}

// clockSignals returns the signals of a specification with an axis of the clock.
func clockSignals(m *bench.Measurement) map[string]string {
	return map[string]string{"quantity": sheet.ClockOf(m).Name, "unit": clockFormat(m)}
}

// listed formats a value of the clock for a list of runs: milliseconds, or a count with
// all digits.
func listed(m *bench.Measurement, v float64) string {
	if m.Clock == bench.ByInstructions {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return millis(v)
}

// ratioSection shows the CPU times of programs divided by that of the reference: one
// picture over all cases and one for each program, or one for the only program.
func ratioSection(p *record.Problem) section {
	c := record.Of[*bench.Comparison](p)
	m := c.Measurement
	if m.Alone() {
		clock := sheet.ClockOf(m)
		return section{Title: clock.Title() + " of the submission", Tables: open(sheet.Writer.Sheets(p)...)}
	}
	names, cases := labels(entrantNames(m)), labels(caseNames(m))
	s := section{Title: "Ratio to the reference", Tables: open(sheet.Writer.Sheets(p)...)}
	clock := sheet.ClockOf(m)
	s.Caption = clock.Title() + " of each program divided by that of " + nameShown(m.Submissions[c.Reference].Name) +
		", with an interval. Left of the line at 1 is faster. An interval that contains 1 allows no claim; a mark without " +
		"an interval has too few runs."
	rivals := slices.DeleteFunc(sheet.Order(c), func(i int) bool { return i == int(c.Reference) })
	one := len(rivals) == 1
	all := ratioFrame()
	for _, i := range rivals {
		if r := overall(&c.Programs[i]); r != nil && len(m.Cases) > 1 {
			name := names[i]
			if one {
				name = "all cases" // the other rows are cases
			}
			addRatio(all, name, r, 130)
		}
	}
	if !one {
		s.ratios(&picture{Title: "Over all cases", Wide: true}, all, clock.Name)
	}
	for _, i := range rivals {
		rows := all
		if !one {
			rows = ratioFrame()
		}
		for k := range c.Programs[i].Cells {
			if r := c.Programs[i].Cells[k].Ratio; r != nil {
				addRatio(rows, cases[k], r, 70)
			}
		}
		s.ratios(&picture{Title: m.Submissions[i].Name}, rows, clock.Name)
	}
	s.keys(legendKey{Key: "faster", Text: "faster"}, legendKey{Key: "slower", Text: "slower"},
		legendKey{Key: "unclear", Text: "cannot tell"})
	return s
}

// ratios adds a picture of ratios, if there are any.
func (s *section) ratios(p *picture, rows *frame, of string) {
	if len(rows.rows) == 0 {
		return
	}
	p.Spec, p.Data, p.Set = "ratios", map[string]*frame{"rows": rows, "one": frameOf("x")},
		map[string]string{"quantity": of}
	p.Data["one"].add(1.0)
	p.Hover = []hover{{"s", "", "text"}, {"x", "ratio", "ratio"}, {"interval", "interval", "text"}, {"n", "n", "number"},
		{"claim", "claim", "text"}}
	p.Caption = terminal.Count(len(rows.rows), "ratio") + " of " + of +
		" to the reference with intervals, on a logarithmic axis."
	s.Pictures = append(s.Pictures, p)
}

func ratioFrame() *frame {
	return frameOf("s", "x", "lo", "hi", "interval", "n", "claim", "k", "size")
}

// addRatio adds a ratio to a ratioFrame; size is the size of its mark. A ratio without
// bounds has no interval.
func addRatio(f *frame, label string, r *stat.Ratio, size float64) {
	lo, hi, interval, key := r.Ratio, r.Ratio, any(nil), "unclear"
	if r.Bounded() && r.Lo > 0 {
		lo, hi, interval = r.Lo, r.Hi, sheet.Interval(r)
	}
	if r.Claim == stat.Faster || r.Claim == stat.Slower {
		key = string(r.Claim)
	}
	f.add(label, r.Ratio, lo, hi, interval, float64(r.N), string(r.Claim), key, size)
}

// runsSection has a picture for each case, with a mark for each run. If programs are
// given, it has the median of each program with its interval, too.
func runsSection(m *bench.Measurement, programs []bench.Program) section {
	m = m.OfSlowest()
	names := entrantNames(m)
	short := labels(names)
	clock := sheet.ClockOf(m)
	s := section{Title: "Every run", Caption: clock.Title() + " of every run. Each case has its own axis."}
	if programs != nil {
		s.Caption = clock.Title() +
			" of every run; a vertical stroke is a median, a bar its interval. Each case has its own axis."
	}
	title, least, most, list := "CPU times of all runs", "fastest", "slowest", "CPU times in the order of the runs, ms"
	if m.Clock == bench.ByInstructions {
		title, least, most, list = "Instructions of all runs", "fewest", "most", "instructions in the order of the runs"
	}
	numbers := report.Sheet{Title: title, Columns: []report.Column{{Name: "case"}, {Name: "submission"},
		{Name: "n", Number: true}, {Name: "median", Number: true}, {Name: least, Number: true}, {Name: most, Number: true},
		{Name: list}}}
	for c := range m.Cases {
		rows, spans := frameOf("x", "s", "round", "k"), frameOf("x", "lo", "hi", "s")
		slowest := 0.0
		for i := range names {
			var times []float64
			var texts []string
			for k := range m.Trials {
				if t := &m.Trials[k]; t.Submission == i && t.Case == c && counts(m, t) {
					v := m.Value(t)
					rows.add(v, short[i], float64(t.Round), programKey(i, len(names)))
					times, texts = append(times, v), append(texts, listed(m, v))
				}
			}
			if times == nil {
				continue
			}
			all := stat.Summarize(times, 0.95)
			slowest = max(slowest, all.Max)
			if programs != nil && c < len(programs[i].Cells) && m.Values(&programs[i].Cells[c]).N > 0 {
				one := m.Values(&programs[i].Cells[c])
				spans.add(one.Median, max(one.Lo, all.Min), min(one.Hi, all.Max), short[i])
			}
			numbers.Rows = append(numbers.Rows, []report.Entry{{Text: m.Cases[c].Name}, {Text: names[i]},
				{Text: strconv.Itoa(len(times))}, {Text: clock.Write(all.Median)}, {Text: clock.Write(all.Min)},
				{Text: clock.Write(all.Max)}, {Text: strings.Join(texts, " ")}})
		}
		if len(rows.rows) == 0 {
			continue
		}
		limit := m.Limits.Time.Seconds()
		if limit >= 3*slowest || m.Clock == bench.ByInstructions {
			limit = 0 // an axis up to a far limit would hide the differences; instructions have no limit
		}
		s.Pictures = append(s.Pictures, &picture{Spec: "runs", Title: m.Cases[c].Name,
			Caption: terminal.Count(len(rows.rows), "run") + ".",
			Data: map[string]*frame{"rows": rows, "spans": spans, "limit": limitFrame(limit,
				terminal.Exactly(m.Limits.Time))},
			Hover: []hover{{"s", "", "text"}, {"x", clock.Name, clockFormat(m)}, {"round", "round", "number"}},
			Set:   clockSignals(m)})
	}
	if s.Pictures != nil {
		s.Tables = folded(numbers)
		s.legend(names, false)
	}
	return s
}

// medianCactus counts the cases that each program solves within a time, by medians.
func medianCactus(c *bench.Comparison) section {
	times := make([][]float64, len(c.Programs))
	for i := range c.Programs {
		for _, cell := range c.Programs[i].Cells {
			if cell.Verdict == problem.Accepted && cell.CPU.N > 0 {
				times[i] = append(times[i], cell.CPU.Median)
			}
		}
	}
	if len(slices.Concat(times...)) == 0 {
		return section{}
	}
	return cactusOf(entrantNames(c.Measurement), times, len(c.Measurement.Cases), c.Measurement.Limits)
}

// medianMemory has a mark for each program and case.
func medianMemory(c *bench.Comparison) section {
	m := c.Measurement
	names, cases := entrantNames(m), caseNames(m)
	short, shortCases := labels(names), labels(cases)
	rows := frameOf("x", "s", "c", "k")
	numbers := report.MatrixSheet("Peak memory in mebibytes, medians", "submission", names, cases)
	for i := range c.Programs {
		for k, cell := range c.Programs[i].Cells {
			if cell.Memory.N > 0 && cell.Memory.Median > 0 {
				rows.add(cell.Memory.Median, short[i], shortCases[k], programKey(i, len(names)))
				numbers.Rows[i][1+k].Text = mebis(cell.Memory.Median)
			}
		}
	}
	if len(rows.rows) == 0 {
		return section{}
	}
	s := sectionOf("Memory", "Peak memory of each program on each case, medians over all runs, on a logarithmic axis.",
		&picture{Spec: "memory", Data: map[string]*frame{"rows": rows, "spans": frameOf("x", "lo", "hi", "s")},
			Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "peak memory", "size"}}}, numbers)
	s.limit(float64(m.Limits.Memory), "memory limit", terminal.Bytes(m.Limits.Memory))
	return s
}

// A pair is a submission, and a case or a round.
type pair struct{ submission, at int }

// trialMedians returns the median of each submission on each case by the clock, and the
// numbers of the rounds.
func trialMedians(m *bench.Measurement) (medians map[pair]float64, rounds []string) {
	times := map[pair][]float64{}
	for i := range m.Trials {
		if t := &m.Trials[i]; counts(m, t) {
			of := pair{t.Submission, t.Case}
			times[of] = append(times[of], m.Value(t))
			for len(rounds) <= t.Round {
				rounds = append(rounds, strconv.Itoa(len(rounds)))
			}
		}
	}
	medians = map[pair]float64{}
	for of, list := range times {
		medians[of], _ = stat.Median(list, 0.95)
	}
	return medians, rounds
}

// driftSection shows the values of the clock in the order of the runs. If those of all
// programs change together, the machine is the cause.
func driftSection(m *bench.Measurement) section {
	m = m.OfSlowest()
	names, clock := entrantNames(m), sheet.ClockOf(m)
	short, cases := labels(names), labels(caseNames(m))
	medians, rounds := trialMedians(m)
	if len(rounds) < 2 {
		return section{}
	}
	type mean struct{ x, y, n float64 } // sums
	means := map[pair]mean{}
	rows, lines := frameOf("x", "y", "s", "c", "t", "k"), frameOf("x", "y", "s", "k")
	for i := range m.Trials {
		t := &m.Trials[i]
		if !counts(m, t) {
			continue
		}
		y := m.Value(t) / medians[pair{t.Submission, t.Case}]
		rows.add(float64(i), y, short[t.Submission], cases[t.Case], m.Value(t), programKey(t.Submission, len(names)))
		of := pair{t.Submission, t.Round}
		v := means[of]
		means[of] = mean{v.x + float64(i), v.y + math.Log(y), v.n + 1}
	}
	numbers := report.MatrixSheet(clock.Title()+" by round, divided by the median of the program", "round", rounds, names)
	for round := range rounds {
		for i := range names {
			if v := means[pair{i, round}]; v.n > 0 {
				y := math.Exp(v.y / v.n)
				lines.add(v.x/v.n, y, short[i], programKey(i, len(names)))
				numbers.Rows[round][1+i].Text = strconv.FormatFloat(y, 'f', 3, 64)
			}
		}
	}
	one := &picture{Spec: "drift", Data: map[string]*frame{"rows": rows, "rounds": lines, "one": frameOf("y")},
		Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"t", clock.Name, clockFormat(m)},
			{"y", "divided by its median", "ratio"}, {"x", "run", "number"}}}
	one.Data["one"].add(1.0)
	s := sectionOf("Drift over the run order", clock.Title()+
		" of every run divided by the median of its program on the case, in the order of the runs; the lines are the "+
		"means of rounds. If all lines rise or fall together, the machine is the cause.", one, numbers)
	s.legend(names, true)
	return s
}
