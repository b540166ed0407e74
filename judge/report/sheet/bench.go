package sheet

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/language"
	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// OfComparison returns the tables of a comparison: the claims, the means of all
// other quantities, and the numbers of each case. If no submission has a time, it
// returns the first only.
func OfComparison(c *bench.Comparison) []report.Sheet {
	x := &comparisonSheets{c, c.Measurement, ClockOf(c.Measurement)}
	sheets := append([]report.Sheet{x.answer()}, workerTimes(c.Measurement, c.Workers)...)
	if !x.has(x.clock.of) {
		return sheets
	}
	if len(x.m.Cases) > 1 {
		sheets = append(sheets, x.totals(), x.means())
	}
	sheets = slices.DeleteFunc(sheets, func(s report.Sheet) bool { return len(s.Rows) == 0 })
	return append(sheets, x.byCase())
}

// A comparisonSheets makes the tables of one comparison.
type comparisonSheets struct {
	*bench.Comparison
	m     *bench.Measurement
	clock Clock
}

// A Clock describes the quantity that a measurement compares.
type Clock struct {
	Name  string               // in sentences: "CPU time"
	Short string               // in headings: "CPU"
	Write func(float64) string // formats a value with its unit, if it has one

	fine    func(float64) string            // like Write, for values that may be tiny
	formula string                          // the heading of formulas: "time"
	grows   string                          // what grows with the size: "CPU time"
	same    string                          // what is the same where two programs are equal: "time"
	limits  string                          // what the time limit bounds, if it is not this quantity: " of CPU time"
	of      func(*bench.Cell) *stat.Summary // the summary in a cell
}

// Title returns the name for the start of a sentence.
func (k *Clock) Title() string { return terminal.Capital(k.Name) }

// ClockOf returns the clock of a measurement.
func ClockOf(m *bench.Measurement) Clock {
	if m.Clock == bench.ByInstructions {
		return instructionClock
	}
	return cpuClock
}

var (
	cpuClock = Clock{metricNames[bench.ByCPU], "CPU", terminal.Seconds, fineTime, "time", "CPU time", "time", "", cpuOf}

	instructionClock = Clock{metricNames[bench.ByInstructions], "instructions", terminal.Number, fineNumber,
		"instructions", "the number of instructions", "number of instructions", " of CPU time", instructionsOf}
)

// beside returns the clock that the measurement does not compare.
func (x *comparisonSheets) beside() Clock {
	if x.m.Clock == bench.ByInstructions {
		return cpuClock
	}
	return instructionClock
}

// Order returns the indices of the programs by ascending ratio to the reference,
// whose own is 1. Programs without a ratio come after them, wrong ones last.
func Order(c *bench.Comparison) []int {
	return sorted(len(c.Programs), func(i int) float64 {
		switch p := &c.Programs[i]; {
		case p.Wrong != "":
			return math.Inf(1)
		case i == int(c.Reference):
			return 1
		case p.Overall == nil:
			return math.MaxFloat64
		default:
			return p.Overall.Ratio
		}
	})
}

// sorted returns the numbers below n in ascending order of their keys.
func sorted(n int, key func(int) float64) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	return all
}

// answer returns the table of claims over all cases, or of the time of the only
// submission.
func (x *comparisonSheets) answer() report.Sheet {
	s := report.Sheet{Title: x.clock.Title() + " over all cases", Columns: []report.Column{
		{Name: ""}, {Name: "submission", Names: true}, {Name: x.clock.Short, Number: true}, {Name: "ratio", Number: true},
		{Name: "interval", Number: true}, {Name: "spread", Number: true},
	}}
	if len(x.m.Cases) == 1 {
		s.Title = x.clock.Title() + " on " + x.m.Cases[0].Name
	}
	if x.m.Alone() {
		s.Columns[3].Name = "±"
		s.Rows, s.Notes = [][]report.Entry{x.alone()}, x.notes()
		s.DropEmpty("spread")
		return s
	}
	for _, i := range Order(x.Comparison) {
		p, e := &x.Programs[i], &x.m.Submissions[i]
		word, mark := x.claim(i)
		row := []report.Entry{{Text: word, Mark: mark}, {Text: withLanguage(e)},
			{Text: x.mean(i, x.clock.of, x.clock.Write)}, {}, {}, {Text: x.spread(i)}}
		switch {
		case i == int(x.Reference) && p.Wrong == "":
			row[3] = report.Entry{Text: "1", Mark: report.Faint}
		case p.Overall != nil:
			row[3], row[4] = report.Entry{Text: RatioText(p.Overall), Mark: mark}, report.Entry{Text: Interval(p.Overall)}
		}
		s.Rows = append(s.Rows, row)
	}
	s.Notes = x.notes()
	s.DropEmpty("spread")
	return s
}

// spread returns the largest spread of the counts of a submission on one case; "" if the
// clock is CPU time.
func (x *comparisonSheets) spread(i int) string {
	if x.m.Clock != bench.ByInstructions {
		return ""
	}
	widest, text := -1.0, ""
	for k := range x.Programs[i].Cells {
		if c := &x.Programs[i].Cells[k].Instructions; c.N > 1 && c.Max-c.Min > widest*c.Median {
			widest, text = (c.Max-c.Min)/c.Median, spreadText(c)
		}
	}
	return text
}

// spreadText formats the distance from the smallest to the largest value as a share of the
// median; "" of one value.
func spreadText(s *stat.Summary) string {
	switch {
	case s.N < 2:
		return ""
	case s.Min == s.Max:
		return "0"
	}
	return terminal.Share((s.Max - s.Min) / s.Median)
}

// totals returns the table of the other ways to compare all cases.
func (x *comparisonSheets) totals() report.Sheet {
	s := report.Sheet{Title: "Ratios over all cases", Columns: []report.Column{
		{Name: "submission", Names: true}, {Name: "geometric mean", Number: true},
		{Name: "total " + x.clock.Name, Number: true},
		{Name: "lowest", Number: true}, {Name: "on", Names: true}, {Name: "highest", Number: true}, {Name: "on", Names: true},
	}}
	for _, i := range Order(x.Comparison) {
		p := &x.Programs[i]
		if p.Overall == nil || p.Total == nil || p.Fastest == nil {
			continue
		}
		s.Rows = append(s.Rows, []report.Entry{{Text: x.m.Submissions[i].Name}, {Text: terminal.Ratio(p.Overall.Ratio)},
			{Text: terminal.Ratio(*p.Total)},
			{Text: terminal.Ratio(p.Fastest.Ratio)}, {Text: x.m.Cases[p.Fastest.Case].Name},
			{Text: terminal.Ratio(p.Slowest.Ratio)}, {Text: x.m.Cases[p.Slowest.Case].Name}})
	}
	if len(s.Rows) > 0 {
		s.Notes = []string{"geometric mean: of the ratios of the cases, which all count the same; total: ratio of the " +
			"sums of the cases' medians; lowest, highest: of the ratios of single cases"}
	}
	return s
}

// alone returns the row of the only submission.
func (x *comparisonSheets) alone() []report.Entry {
	word, mark := x.claim(0)
	row := []report.Entry{{Text: word, Mark: mark}, {Text: withLanguage(&x.m.Submissions[0])}}
	if all := x.Single(); all != nil && x.Programs[0].Wrong == "" {
		interval := "too few runs"
		switch {
		case all.Exact():
			interval = "exact"
		case all.Bounded():
			interval = x.clock.Write(all.Lo) + "–" + x.clock.Write(all.Hi)
		}
		row = append(row, report.Entry{Text: x.clock.Write(all.Median)}, report.Entry{Text: plusMinus(all)},
			report.Entry{Text: interval}, report.Entry{Text: x.spread(0)})
	}
	return row
}

// numbered matches the number after a name that several submissions share.
var numbered = lazy.Regexp(` \([0-9]+\)$`)

// withLanguage returns the name of a submission, with its language if the file
// extension does not show it.
func withLanguage(e *bench.Submission) string {
	ext := path.Ext(numbered().ReplaceAllString(e.Name, ""))
	for _, l := range language.Builtin.All() {
		if slices.Contains(l.Exts, ext) && l.Code == e.Language {
			return e.Name
		}
	}
	if e.Language == "" {
		return e.Name
	}
	return e.Name + " (" + e.Language + ")"
}

// claim returns the result of a comparison for one submission in one or two
// words.
func (x *comparisonSheets) claim(i int) (string, report.Mark) {
	p := &x.Programs[i]
	switch {
	case x.m.Submissions[i].Skipped != "":
		return "skipped", report.Faint
	case p.Wrong != "":
		for k := range p.Cells {
			if v := p.Cells[k].Verdict; v != problem.Accepted && (v != "" || p.Cells[k].Why != "") {
				return cmp.Or(string(v), judgeError), report.Bad
			}
		}
		return "-", report.Faint
	case x.m.Alone():
		return "alone", report.Faint
	case i == int(x.Reference):
		return "reference", report.Faint
	}
	return claimText(p.Overall)
}

// medians returns the medians of a quantity of all cases; nil if a case has none.
func (x *comparisonSheets) medians(i int, of func(*bench.Cell) *stat.Summary) (all []float64) {
	for k := range x.Programs[i].Cells {
		s := of(&x.Programs[i].Cells[k])
		if s.N == 0 {
			return nil
		}
		all = append(all, s.Median)
	}
	return all
}

// mean formats the geometric mean of the medians over all cases; "" if a case has
// no median.
func (x *comparisonSheets) mean(i int, of func(*bench.Cell) *stat.Summary, write func(float64) string) string {
	medians := x.medians(i, of)
	if medians == nil {
		return ""
	}
	sum := 0.0
	for _, m := range medians {
		sum += math.Log(m)
	}
	return write(math.Exp(sum / float64(len(medians))))
}

// most formats the largest peak memory of all cases; "" if a case has none.
func (x *comparisonSheets) most(i int) string {
	medians := x.medians(i, memoryOf)
	if medians == nil || slices.Max(medians) == 0 {
		return ""
	}
	return bytesText(slices.Max(medians))
}

func bytesText(n float64) string { return terminal.Memory(int64(n)) }

func cpuOf(c *bench.Cell) *stat.Summary          { return &c.CPU }
func wallOf(c *bench.Cell) *stat.Summary         { return &c.Wall }
func memoryOf(c *bench.Cell) *stat.Summary       { return &c.Memory }
func instructionsOf(c *bench.Cell) *stat.Summary { return &c.Instructions }

// has reports whether any case of a program has a median of a quantity.
func (x *comparisonSheets) has(of func(*bench.Cell) *stat.Summary) bool {
	return slices.ContainsFunc(x.Programs, func(p bench.Program) bool {
		return slices.ContainsFunc(p.Cells, func(c bench.Cell) bool { return of(&c).N > 0 })
	})
}

// means returns the table of all quantities but that of the clock, over all cases.
func (x *comparisonSheets) means() report.Sheet {
	title, ratios := "Means over all cases, and claims by case", "; ratios: by case"
	if x.m.Alone() {
		title, ratios = "Means over all cases", ""
	}
	beside := x.beside()
	s := report.Sheet{Title: title, Columns: []report.Column{
		{Name: "submission", Names: true}, {Name: "wall", Number: true}, {Name: "memory", Number: true},
		{Name: beside.Short, Number: true}, {Name: "start-up", Number: true},
		{Name: "faster", Number: true}, {Name: "slower", Number: true}, {Name: "equal", Number: true},
		{Name: "cannot tell", Number: true}, {Name: "ratios", Number: true},
	}}
	for _, i := range Order(x.Comparison) {
		if x.m.Submissions[i].Skipped != "" {
			continue
		}
		row := []report.Entry{{Text: x.m.Submissions[i].Name}, {Text: x.mean(i, wallOf, terminal.Seconds)}, {Text: x.most(i)},
			{Text: x.mean(i, beside.of, beside.Write)}, {Text: x.startup(i)}}
		s.Rows = append(s.Rows, append(row, x.claims(i)...))
	}
	s.DropEmpty("instructions", "start-up", "faster", "slower", "equal", "cannot tell", "ratios")
	s.Notes = []string{"CPU, wall" + map[bool]string{true: ", instructions"}[x.has(instructionsOf)] +
		": geometric mean of the cases' medians; memory: the largest of them" + ratios}
	s.Notes = append(s.Notes, x.fewForCases()...)
	return s
}

// claims counts the cases by claim, and formats the range of their ratios.
func (x *comparisonSheets) claims(i int) []report.Entry {
	number := map[stat.Claim]int{}
	var ratios []*stat.Ratio
	for k := range x.Programs[i].Cells {
		if r := x.Programs[i].Cells[k].Ratio; r != nil {
			number[r.Claim]++
			ratios = append(ratios, r)
		}
	}
	if ratios == nil {
		return nil
	}
	by := func(a, b *stat.Ratio) int { return cmp.Compare(a.Ratio, b.Ratio) }
	low, high := slices.MinFunc(ratios, by), slices.MaxFunc(ratios, by)
	entry := func(c stat.Claim, m report.Mark) report.Entry {
		if number[c] == 0 {
			m = report.Faint
		}
		return report.Entry{Text: strconv.Itoa(number[c]), Mark: m}
	}
	between := "?"
	if !math.IsNaN(low.Ratio) { // cmp.Compare orders NaN before all numbers
		between = fromTo(low.Ratio, high.Ratio)
	}
	equal := report.Entry{}
	if number[stat.Equal] > 0 {
		equal = entry(stat.Equal, report.Plain)
	}
	return []report.Entry{entry(stat.Faster, report.Good), entry(stat.Slower, report.Bad), equal,
		entry(stat.CannotTell, report.Doubt), {Text: between}}
}

// startup formats the time of the language's empty program beside the mean of the
// submission: "1.02 ms of 41.2 ms".
func (x *comparisonSheets) startup(i int) string {
	p := &x.Programs[i]
	if p.Startup == nil {
		return ""
	}
	text := terminal.Seconds(p.Startup.Median)
	if whole := x.mean(i, cpuOf, terminal.Seconds); whole != "" {
		text += " of " + whole
	}
	return text
}

// byCase returns the table of all quantities for each case and submission.
func (x *comparisonSheets) byCase() report.Sheet {
	s := report.Sheet{Title: "By case", Grouped: true, Detail: len(x.m.Cases) > 1, Columns: []report.Column{
		{Name: "case", Names: true}, {Name: "submission", Names: true}, {Name: x.clock.Short, Number: true},
		{Name: "±", Number: true}, {Name: "spread", Number: true}, {Name: "wall", Number: true},
		{Name: "memory", Number: true},
		{Name: x.beside().Short, Number: true}, {Name: "start-up", Number: true}, {Name: "ratio", Number: true},
		{Name: "interval", Number: true}, {Name: "claim"},
	}}
	if len(x.m.Cases) == 1 {
		s.Title = "Measurements"
	}
	for k := range x.m.Cases {
		for _, i := range Order(x.Comparison) {
			if c := &x.Programs[i].Cells[k]; x.m.Submissions[i].Skipped == "" {
				s.Rows = append(s.Rows, x.row(i, k, c))
			}
		}
	}
	if slices.ContainsFunc(s.Rows, func(row []report.Entry) bool { return len(row) > 3 && row[3].Text != "" }) {
		s.Notes = append(s.Notes, "±: maximum distance of the true median from the measured one, with a confidence of "+
			confidenceText(cmp.Or(x.m.Confidence, 0.95)))
	}
	if slices.ContainsFunc(s.Rows, func(row []report.Entry) bool { return strings.HasSuffix(row[len(row)-1].Text, ")") }) {
		s.Notes = append(s.Notes, "cannot tell: in brackets the smallest detectable difference")
	}
	s.Notes = append(s.Notes, x.caseDoubts()...)
	s.DropEmpty("spread", "instructions", "start-up", "ratio", "interval", "claim")
	return s
}

// row returns the row of one submission on one case.
func (x *comparisonSheets) row(i, k int, c *bench.Cell) []report.Entry {
	row := []report.Entry{{Text: x.m.Cases[k].Name}, {Text: x.m.Submissions[i].Name}}
	own := x.clock.of(c)
	if own.N == 0 {
		word := cmp.Or(string(c.Verdict), "-")
		if c.Verdict == "" && c.Why != "" {
			word = judgeError
		}
		return append(row, report.Entry{Text: word, Mark: report.Bad})
	}
	beside, startup, spread := "", "", ""
	if of := x.beside(); of.of(c).N > 0 {
		beside = of.Write(of.of(c).Median)
	}
	if x.m.Clock == bench.ByInstructions {
		spread = spreadText(own)
	}
	single := len(x.m.Cases) == 1
	if single {
		startup = x.startup(i)
	}
	row = append(row, report.Entry{Text: x.clock.Write(own.Median)},
		report.Entry{Text: plusMinus(own), Mark: report.Faint}, report.Entry{Text: spread, Mark: report.Faint},
		report.Entry{Text: terminal.Seconds(c.Wall.Median)}, report.Entry{Text: bytesText(c.Memory.Median)},
		report.Entry{Text: beside}, report.Entry{Text: startup})
	switch {
	case single || x.m.Alone():
		return row
	case c.Ratio == nil && i == int(x.Reference):
		return append(row, report.Entry{Text: "1", Mark: report.Faint})
	case c.Ratio == nil:
		return row
	}
	word, mark := claimText(c.Ratio)
	if c.Ratio.Claim == stat.CannotTell && !math.IsInf(c.Ratio.Least, 0) {
		word += " (" + terminal.Share(c.Ratio.Least) + ")"
	}
	return append(row, report.Entry{Text: RatioText(c.Ratio), Mark: mark}, report.Entry{Text: Interval(c.Ratio)},
		report.Entry{Text: word, Mark: mark})
}

// plusMinus formats the distance from the measured median to the farther end of
// its interval, as a share of the median; "" if there is no interval.
func plusMinus(s *stat.Summary) string {
	switch {
	case !s.Bounded() || s.Median == 0:
		return ""
	case s.Exact():
		return "exact"
	}
	return terminal.Share(max(s.Hi-s.Median, s.Median-s.Lo) / s.Median)
}
