package sheet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// OfScaling returns the tables of a scaling: the fits, their reasons and doubts,
// the sizes at which programs take the same time, and the measured times.
func OfScaling(s *bench.Scaling) []report.Sheet {
	x := &scalingSheets{s, s.Measurement, ClockOf(s.Measurement)}
	sheets := append([]report.Sheet{x.growth()}, workerTimes(s.Measurement, s.Workers)...)
	if why := x.remarks(); len(why.Rows) > 0 {
		sheets = append(sheets, why)
	}
	sheets = append(sheets, x.memory())
	if len(s.Crossings) > 0 {
		sheets = append(sheets, x.crossings())
	}
	for first := 0; first < len(s.Curves); first += abreast {
		if one := x.points(first, min(first+abreast, len(s.Curves))); len(one.Rows) > 0 {
			sheets = append(sheets, one)
		}
	}
	return sheets
}

// abreast is the maximum number of submissions in one table of times.
const abreast = 5

// A scalingSheets makes the tables of one scaling.
type scalingSheets struct {
	*bench.Scaling
	m     *bench.Measurement
	clock Clock
}

// growth returns the table of the fits by the clock.
func (x *scalingSheets) growth() report.Sheet {
	s := report.Sheet{Title: "How " + x.clock.grows + " grows", Columns: []report.Column{
		{Name: "submission", Names: true}, {Name: "language"}, {Name: "model"}, {Name: x.clock.formula},
		{Name: "exponent", Number: true}, {Name: "off by", Number: true},
	}}
	limited := report.LimitsText(x.m.Limits) != ""
	if limited {
		s.Columns = append(s.Columns, report.Column{Name: "largest n", Number: true},
			report.Column{Name: "by the fit", Number: true})
	}
	for i := range x.Curves {
		c, e := &x.Curves[i], &x.m.Submissions[i]
		row := []report.Entry{{Text: e.Name}, {Text: e.Language, Mark: report.Faint}}
		row = append(row, x.fitted(c, c.Growth(), x.clock.fine)...)
		if limited && c.Wrong == "" {
			row = append(row, report.Entry{Text: Size(c.Measured)}, LargestEntry(c))
		}
		s.Rows = append(s.Rows, row)
	}
	if growth := x.m.Growth; growth != nil {
		s.Notes = append(s.Notes, madeBy(growth, x.m.Seed))
		s.Notes = append(s.Notes, "inputs may be larger than the problem allows: input validators do not check them")
		if growth.Ended != "" {
			s.Notes = append(s.Notes, "no larger sizes: "+growth.Ended)
		}
	}
	s.Notes = slices.Concat(s.Notes, ofSlowest(x.m), madeOn(x.m))
	for _, d := range SharedDoubts(x.Scaling) {
		s.Notes = append(s.Notes, "doubt: "+d.Text)
	}
	if slices.ContainsFunc(x.Curves, func(c bench.Curve) bool {
		return c.Growth().Model != "" &&
			len(c.Growth().Doubts) > 0
	}) {
		s.Notes = append(s.Notes, "?: the fit is in doubt; the reasons are here or in the table Reasons and doubts")
	}
	if limited {
		s.Notes = append(s.Notes, "largest n: largest size within the limits, measured and by the fit"+x.clock.limits+
			"; MLE: the memory limit determines it")
	}
	s.Notes = append(s.Notes, "exponent: interval of k in a fit of n^k; ln: the natural logarithm",
		"off by: error of predicting one size from the others")
	return s
}

// madeBy names the generator of the inputs and the meaning of n.
func madeBy(g *bench.Growth, seed uint64) string {
	text := "n"
	if g.Counts != "" {
		text = "n, " + g.Counts
	}
	text += ": inputs are made by " + g.Command
	if g.Series != "" {
		text += " (series " + g.Series + ")"
	}
	return text + ", seed " + strconv.FormatUint(seed, 10)
}

// fitted returns the entries of a fit: model, formula, exponent, error.
func (x *scalingSheets) fitted(c *bench.Curve, f *stat.Fit, unit func(float64) string) []report.Entry {
	switch {
	case strings.HasPrefix(c.Wrong, "skipped: "):
		return []report.Entry{{Text: "skipped", Mark: report.Faint}}
	case c.Wrong != "":
		return []report.Entry{{Text: "wrong", Mark: report.Bad}}
	case f.Model == "":
		return []report.Entry{ModelEntry(c, f), {}, {}, {}}
	}
	return []report.Entry{ModelEntry(c, f), {Text: formula(f, unit)}, {Text: Exponent(f)}, {Text: missText(f.Error())}}
}

// ModelEntry returns the model of one of the two fits of a curve, with a question
// mark if the fit is in doubt: "n log n ?". f must point into c.
func ModelEntry(c *bench.Curve, f *stat.Fit) report.Entry {
	switch {
	case f.Model == "":
		return report.Entry{Text: "no fit", Mark: report.Doubt}
	// Constant memory is seldom measured to the exact page, which does not matter.
	case len(f.Doubts) > 0 && !(f == &c.Memory && f.Model == stat.Constant):
		return report.Entry{Text: ModelText(f) + " ?", Mark: report.Doubt}
	}
	return report.Entry{Text: ModelText(f)}
}

// missText formats the error of a fit; below 0.05 % it is "0 %".
func missText(x float64) string {
	if x < 0.0005 {
		return "0 %"
	}
	return terminal.Share(x)
}

// ModelText names the model of a fit with its constant: "n log n", "n^1.52",
// "1.3^n".
func ModelText(f *stat.Fit) string {
	switch f.Model {
	case stat.Power:
		return "n^" + strconv.FormatFloat(f.K, 'f', 2, 64)
	case stat.Exponential:
		return base(f.K, f.K-1) + "^n"
	}
	return string(f.Model)
}

// base formats the base k of an exponential function with enough decimals to show
// two digits of a number as large as seen.
func base(k, seen float64) string {
	return strconv.FormatFloat(k, 'f', baseDecimals(seen), 64)
}

func baseDecimals(seen float64) int { return max(1, decimalsFor(seen)) }

// formula formats a fit as a function of n: "1.2 ms + 3.4 ns·n ln n".
func formula(f *stat.Fit, unit func(float64) string) string {
	var parts []string
	if f.A > 0 || f.B == 0 {
		parts = append(parts, unit(f.A))
	}
	if f.B > 0 {
		grows := map[stat.Model]string{stat.Logarithmic: "ln n", stat.Linear: "n", stat.Linearithmic: "n ln n"}[f.Model]
		if grows == "" {
			grows = ModelText(f)
		}
		parts = append(parts, unit(f.B)+"·"+grows)
	}
	return strings.Join(parts, " + ")
}

// Exponent formats the interval of the exponent, or of the base of an exponential
// model. It returns "any" if the interval excludes nothing, and "" for a constant
// model.
func Exponent(f *stat.Fit) string {
	if f.Model == stat.Constant {
		return ""
	}
	switch {
	case f.Of.Lo <= 0 && !f.Of.Bounded(), f.Model == stat.Exponential && f.Of.Lo <= 1:
		return "any"
	case !f.Of.Bounded():
		shown, decimals := f.Of.Outwards(2)
		return "at least " + strconv.FormatFloat(shown.Lo, 'f', decimals, 64)
	}
	decimals, before := 2, ""
	if f.Model == stat.Exponential {
		decimals, before = baseDecimals(f.Of.Hi-f.Of.Lo), "base "
	}
	// 1 is the exponent of n: the printed interval excludes it if the interval does,
	// so the model and the printed interval agree.
	return before + between(f.Of.Outwards(decimals, 1))
}

// LargestEntry formats the largest size within the limits according to the fits.
func LargestEntry(c *bench.Curve) report.Entry {
	switch c.Reach() {
	case bench.ReachUnknown:
		return report.Entry{Text: "-"}
	case bench.ReachDoubtful:
		return report.Entry{Text: "?", Mark: report.Doubt}
	case bench.ReachAny:
		return report.Entry{Text: "any"}
	case bench.ReachNone:
		return report.Entry{Text: "none"}
	}
	if c.Bound == problem.MemoryLimit {
		return report.Entry{Text: Size(c.Largest) + ", MLE"}
	}
	return report.Entry{Text: Size(c.Largest)}
}

// Size formats a size: below 100000 in full, else with three digits: "1.23 M".
func Size(n float64) string {
	if n < 1e5 {
		return strconv.FormatFloat(math.Round(n), 'f', 0, 64)
	}
	return terminal.Number(n)
}

// SharedDoubts returns the doubts that all fits of time share, such as those about
// the machine or the inputs. Reports list them once. It returns nil if there are
// fewer than two curves.
func SharedDoubts(s *bench.Scaling) (shared []stat.Doubt) {
	first := true
	for i := range s.Curves {
		c := &s.Curves[i]
		if c.Wrong != "" {
			continue
		}
		if first {
			shared, first = slices.Clone(c.Growth().Doubts), false
		}
		shared = slices.DeleteFunc(shared, func(d stat.Doubt) bool { return !slices.Contains(c.Growth().Doubts, d) })
	}
	if len(s.Curves) < 2 {
		return nil
	}
	return shared
}

// remarks returns the table of the reasons for each model, the doubts about it,
// and why a submission was not measured at larger sizes.
func (x *scalingSheets) remarks() report.Sheet {
	s := report.Sheet{Title: "Reasons and doubts", Grouped: true, Detail: true,
		Columns: []report.Column{{Name: "submission", Names: true}, {Name: ""}}}
	shared := SharedDoubts(x.Scaling)
	for i := range x.Curves {
		c := &x.Curves[i]
		add := func(mark report.Mark, text string) {
			s.Rows = append(s.Rows, []report.Entry{{Text: x.m.Submissions[i].Name}, {Text: text, Mark: mark}})
		}
		if c.Wrong != "" {
			add(report.Bad, c.Wrong)
			continue
		}
		if f := c.Growth(); f.Model != "" {
			add(report.Plain, ModelText(f)+" "+f.Why)
		}
		if LimitStopped(c) {
			add(report.Faint, c.Stopped)
		} else if c.Stopped != "" {
			add(report.Bad, c.Stopped)
		}
		for _, d := range c.Growth().Doubts {
			if !slices.Contains(shared, d) {
				add(report.Doubt, "doubt: "+d.Text)
			}
		}
	}
	return s
}

// LimitStopped reports whether a program was not measured at larger sizes because
// it reached the time limit or the memory limit, which is no failure.
func LimitStopped(c *bench.Curve) bool {
	return strings.HasPrefix(c.Stopped, string(problem.TimeLimit)) ||
		strings.HasPrefix(c.Stopped, string(problem.MemoryLimit))
}

// memory returns the table of the fits of memory.
func (x *scalingSheets) memory() report.Sheet {
	s := report.Sheet{Title: "How peak memory grows", Columns: []report.Column{
		{Name: "submission", Names: true}, {Name: "model"}, {Name: "memory"}, {Name: "exponent", Number: true},
		{Name: "off by", Number: true}, {Name: "at most", Number: true},
	}}
	for i := range x.Curves {
		c := &x.Curves[i]
		row := append([]report.Entry{{Text: x.m.Submissions[i].Name}}, x.fitted(c, &c.Memory, fineBytes)...)
		most := 0.0
		for _, p := range c.Points {
			most = max(most, p.Memory.Median)
		}
		if c.Wrong == "" && most > 0 {
			row = append(row, report.Entry{Text: bytesText(most)})
		}
		s.Rows = append(s.Rows, row)
		for _, d := range c.Memory.Doubts {
			if c.Wrong == "" && c.Memory.Model != stat.Constant && !slices.Contains(c.Growth().Doubts, d) {
				s.Notes = append(s.Notes, x.m.Submissions[i].Name+": doubt: "+d.Text)
			}
		}
	}
	return s
}

// fineNumber formats a number like [terminal.Number], and numbers below 100 with decimals.
func fineNumber(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return terminal.Number(v)
}

// fineTime formats seconds like [terminal.Seconds], and times below 1 µs in
// nanoseconds or picoseconds: a fit may have a tiny time for each unit of n.
func fineTime(seconds float64) string {
	switch {
	case seconds <= 0 || seconds >= 0.9995e-6:
		return terminal.Seconds(seconds)
	case seconds >= 0.9995e-9:
		return strconv.FormatFloat(seconds*1e9, 'g', 3, 64) + " ns"
	case seconds >= 0.9995e-12:
		return strconv.FormatFloat(seconds*1e12, 'g', 3, 64) + " ps"
	}
	return strconv.FormatFloat(seconds, 'g', 2, 64) + " s"
}

// fineBytes formats a number of bytes, which may be a fraction of a byte for each
// unit of n.
func fineBytes(n float64) string {
	if n < 100 {
		return strconv.FormatFloat(n, 'g', 3, 64) + " B"
	}
	return bytesText(n)
}

// crossings returns the table of sizes at which two submissions take the same
// time.
func (x *scalingSheets) crossings() report.Sheet {
	s := report.Sheet{Title: "Sizes at which submissions take the same " + x.clock.same, Detail: true,
		Columns: []report.Column{
			{Name: "n", Number: true}, {Name: "faster below", Names: true}, {Name: "faster above", Names: true},
			{Name: "both take", Number: true}, {Name: ""},
		}}
	outside := false
	for _, c := range x.Crossings {
		last := report.Entry{Text: "measured", Mark: report.Plain}
		if !c.Within {
			last, outside = report.Entry{Text: "by the fits", Mark: report.Doubt}, true
		}
		s.Rows = append(s.Rows, []report.Entry{
			{Text: Size(c.N)}, {Text: x.m.Submissions[c.A].Name}, {Text: x.m.Submissions[c.B].Name},
			{Text: x.clock.Write(x.Curves[c.A].Growth().At(c.N))}, last,
		})
	}
	if outside {
		s.Notes = append(s.Notes, "by the fits: beyond the sizes at which both were measured")
	}
	return s
}

// points returns the table of times by size of the submissions from up to, but
// not including, to.
func (x *scalingSheets) points(from, to int) report.Sheet {
	s := report.Sheet{Title: "Median " + x.clock.Name + " by size", Detail: true,
		Columns: []report.Column{{Name: "n", Number: true}}}
	var sizes []float64
	for _, c := range x.Curves[from:to] {
		for _, p := range c.Points {
			sizes = append(sizes, p.N)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	for i := from; i < to; i++ {
		s.Columns = append(s.Columns, report.Column{Name: x.m.Submissions[i].Name, Number: true, Names: true})
	}
	for _, n := range sizes {
		row := []report.Entry{{Text: strconv.FormatFloat(n, 'f', -1, 64)}}
		for _, c := range x.Curves[from:to] {
			row = append(row, x.at(&c, n))
		}
		s.Rows = append(s.Rows, row)
	}
	if slices.ContainsFunc(s.Rows, func(row []report.Entry) bool {
		return slices.ContainsFunc(row, func(e report.Entry) bool { return strings.HasPrefix(e.Text, ">") })
	}) {
		s.Notes = append(s.Notes, ">: stopped at this time")
	}
	return s
}

// at returns the time of a submission at a size, or its verdict if it has none;
// an empty entry if it was not run at that size.
func (x *scalingSheets) at(c *bench.Curve, n float64) report.Entry {
	i := slices.IndexFunc(c.Points, func(p bench.Point) bool { return p.N == n })
	if i < 0 {
		return report.Entry{}
	}
	counts := x.m.Clock == bench.ByInstructions
	switch p := &c.Points[i]; {
	case counts && p.Count != nil:
		return report.Entry{Text: x.clock.Write(p.Count.Median)}
	case p.Verdict == "", counts && p.Verdict == problem.Accepted:
		return report.Entry{Text: judgeError, Mark: report.Bad}
	case p.Verdict == problem.MemoryLimit, counts && p.Verdict == problem.TimeLimit: // expected, because the inputs grow
		return report.Entry{Text: string(p.Verdict), Mark: report.Doubt}
	case p.Verdict == problem.Accepted:
		return report.Entry{Text: x.clock.Write(p.CPU.Median)}
	case p.Verdict == problem.TimeLimit:
		return report.Entry{Text: "> " + x.clock.Write(p.CPU.Median), Mark: report.Doubt}
	default:
		return report.Entry{Text: string(p.Verdict), Mark: report.Bad}
	}
}
