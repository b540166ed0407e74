package sheet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// OfScaling returns the tables of a scaling: the fits, their reasons and doubts,
// the sizes at which programs take the same time, and the measured times.
func OfScaling(s *bench.Scaling) []Sheet {
	x := &scalingSheets{s, s.Measurement, ClockOf(s.Measurement)}
	sheets := []Sheet{x.growth()}
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
func (x *scalingSheets) growth() Sheet {
	s := Sheet{Title: "How " + x.clock.grows + " grows", Columns: []Column{
		{Name: "submission", Names: true}, {Name: "language"}, {Name: "model"}, {Name: x.clock.formula},
		{Name: "exponent", Number: true}, {Name: "off by", Number: true},
	}}
	limited := LimitsText(x.m.Limits) != ""
	if limited {
		s.Columns = append(s.Columns, Column{Name: "largest n", Number: true}, Column{Name: "by the fit", Number: true})
	}
	for i := range x.Curves {
		c, e := &x.Curves[i], &x.m.Submissions[i]
		row := []Entry{{Text: e.Name}, {e.Language, Faint}}
		row = append(row, x.fitted(c, c.Growth(), x.clock.fine)...)
		if limited && c.Wrong == "" {
			row = append(row, Entry{Text: Size(c.Measured)}, LargestEntry(c))
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
func (x *scalingSheets) fitted(c *bench.Curve, f *stat.Fit, unit func(float64) string) []Entry {
	switch {
	case strings.HasPrefix(c.Wrong, "skipped: "):
		return []Entry{{"skipped", Faint}}
	case c.Wrong != "":
		return []Entry{{"wrong", Bad}}
	case f.Model == "":
		return []Entry{ModelEntry(c, f), {}, {}, {}}
	}
	return []Entry{ModelEntry(c, f), {Text: formula(f, unit)}, {Text: Exponent(f)}, {Text: missText(f.Error())}}
}

// ModelEntry returns the model of one of the two fits of a curve, with a question
// mark if the fit is in doubt: "n log n ?". f must point into c.
func ModelEntry(c *bench.Curve, f *stat.Fit) Entry {
	switch {
	case f.Model == "":
		return Entry{"no fit", Doubt}
	// Constant memory is seldom measured to the exact page, which does not matter.
	case len(f.Doubts) > 0 && !(f == &c.Memory && f.Model == stat.Constant):
		return Entry{ModelText(f) + " ?", Doubt}
	}
	return Entry{Text: ModelText(f)}
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
func LargestEntry(c *bench.Curve) Entry {
	switch c.Reach() {
	case bench.ReachUnknown:
		return Entry{Text: "-"}
	case bench.ReachDoubtful:
		return Entry{"?", Doubt}
	case bench.ReachAny:
		return Entry{Text: "any"}
	case bench.ReachNone:
		return Entry{Text: "none"}
	}
	if c.Bound == problem.MemoryLimit {
		return Entry{Text: Size(c.Largest) + ", MLE"}
	}
	return Entry{Text: Size(c.Largest)}
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
func (x *scalingSheets) remarks() Sheet {
	s := Sheet{Title: "Reasons and doubts", Grouped: true, Detail: true,
		Columns: []Column{{Name: "submission", Names: true}, {Name: ""}}}
	shared := SharedDoubts(x.Scaling)
	for i := range x.Curves {
		c := &x.Curves[i]
		add := func(mark Mark, text string) {
			s.Rows = append(s.Rows, []Entry{{Text: x.m.Submissions[i].Name}, {text, mark}})
		}
		if c.Wrong != "" {
			add(Bad, c.Wrong)
			continue
		}
		if f := c.Growth(); f.Model != "" {
			add(Plain, ModelText(f)+" "+f.Why)
		}
		if LimitStopped(c) {
			add(Faint, c.Stopped)
		} else if c.Stopped != "" {
			add(Bad, c.Stopped)
		}
		for _, d := range c.Growth().Doubts {
			if !slices.Contains(shared, d) {
				add(Doubt, "doubt: "+d.Text)
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
func (x *scalingSheets) memory() Sheet {
	s := Sheet{Title: "How peak memory grows", Columns: []Column{
		{Name: "submission", Names: true}, {Name: "model"}, {Name: "memory"}, {Name: "exponent", Number: true},
		{Name: "off by", Number: true}, {Name: "at most", Number: true},
	}}
	for i := range x.Curves {
		c := &x.Curves[i]
		row := append([]Entry{{Text: x.m.Submissions[i].Name}}, x.fitted(c, &c.Memory, fineBytes)...)
		most := 0.0
		for _, p := range c.Points {
			most = max(most, p.Memory.Median)
		}
		if c.Wrong == "" && most > 0 {
			row = append(row, Entry{Text: bytesText(most)})
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
func (x *scalingSheets) crossings() Sheet {
	s := Sheet{Title: "Sizes at which submissions take the same " + x.clock.same, Detail: true, Columns: []Column{
		{Name: "n", Number: true}, {Name: "faster below", Names: true}, {Name: "faster above", Names: true},
		{Name: "both take", Number: true}, {Name: ""},
	}}
	outside := false
	for _, c := range x.Crossings {
		last := Entry{"measured", Plain}
		if !c.Within {
			last, outside = Entry{"by the fits", Doubt}, true
		}
		s.Rows = append(s.Rows, []Entry{
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
func (x *scalingSheets) points(from, to int) Sheet {
	s := Sheet{Title: "Median " + x.clock.Name + " by size", Detail: true, Columns: []Column{{Name: "n", Number: true}}}
	var sizes []float64
	for _, c := range x.Curves[from:to] {
		for _, p := range c.Points {
			sizes = append(sizes, p.N)
		}
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	for i := from; i < to; i++ {
		s.Columns = append(s.Columns, Column{Name: x.m.Submissions[i].Name, Number: true, Names: true})
	}
	for _, n := range sizes {
		row := []Entry{{Text: strconv.FormatFloat(n, 'f', -1, 64)}}
		for _, c := range x.Curves[from:to] {
			row = append(row, x.at(&c, n))
		}
		s.Rows = append(s.Rows, row)
	}
	if slices.ContainsFunc(s.Rows, func(row []Entry) bool {
		return slices.ContainsFunc(row, func(e Entry) bool { return strings.HasPrefix(e.Text, ">") })
	}) {
		s.Notes = append(s.Notes, ">: stopped at this time")
	}
	return s
}

// at returns the time of a submission at a size, or its verdict if it has none;
// an empty entry if it was not run at that size.
func (x *scalingSheets) at(c *bench.Curve, n float64) Entry {
	i := slices.IndexFunc(c.Points, func(p bench.Point) bool { return p.N == n })
	if i < 0 {
		return Entry{}
	}
	counts := x.m.Clock == bench.ByInstructions
	switch p := &c.Points[i]; {
	case counts && p.Count != nil:
		return Entry{Text: x.clock.Write(p.Count.Median)}
	case p.Verdict == "", counts && p.Verdict == problem.Accepted:
		return Entry{judgeError, Bad}
	case p.Verdict == problem.MemoryLimit, counts && p.Verdict == problem.TimeLimit: // expected, because the inputs grow
		return Entry{string(p.Verdict), Doubt}
	case p.Verdict == problem.Accepted:
		return Entry{Text: x.clock.Write(p.CPU.Median)}
	case p.Verdict == problem.TimeLimit:
		return Entry{"> " + x.clock.Write(p.CPU.Median), Doubt}
	default:
		return Entry{string(p.Verdict), Bad}
	}
}
