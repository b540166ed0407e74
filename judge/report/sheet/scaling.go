package sheet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/stat"
	"crucible/judge/units"
)

// OfScaling are the tables of a scaling: what was fitted, where programs
// cross, and the times that it rests on.
func OfScaling(s *bench.Scaling) []Sheet {
	x := &scaled{s, s.Measurement}
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

// abreast is how many submissions stand beside each other in a table of times.
const abreast = 5

// scaled is a scaling that is being written.
type scaled struct {
	*bench.Scaling
	m *bench.Measurement
}

// growth is the table of the fits of time.
func (x *scaled) growth() Sheet {
	s := Sheet{Title: "How CPU time grows", Columns: []Column{
		{Name: "submission", Names: true}, {Name: "language"}, {Name: "model"}, {Name: "time"}, {Name: "exponent", Number: true}, {Name: "off by", Number: true},
	}}
	limited := LimitsText(x.m.Limits) != ""
	if limited {
		s.Columns = append(s.Columns, Column{Name: "largest n", Number: true}, Column{Name: "by the fit", Number: true})
	}
	for i := range x.Curves {
		c, e := &x.Curves[i], &x.m.Submissions[i]
		row := []Entry{{Text: e.Name}, {e.Language, Faint}}
		row = append(row, x.fitted(c, &c.Time, fineTime)...)
		if limited && c.Wrong == "" {
			row = append(row, Entry{Text: Size(c.Measured)}, LargestEntry(c))
		}
		s.Rows = append(s.Rows, row)
	}
	if growth := x.m.Growth; growth != nil {
		s.Notes = append(s.Notes, madeBy(growth, x.m.Seed))
		s.Notes = append(s.Notes, "inputs may be larger than the problem allows: input validators are not asked")
		if growth.Ended != "" {
			s.Notes = append(s.Notes, "sizes grew no further: "+growth.Ended)
		}
	}
	for _, d := range SharedDoubts(x.Scaling) {
		s.Notes = append(s.Notes, "doubt: "+d.Text)
	}
	if slices.ContainsFunc(x.Curves, func(c bench.Curve) bool { return c.Time.Model != "" && len(c.Time.Doubts) > 0 }) {
		s.Notes = append(s.Notes, "?: the fit is in doubt, for reasons here or under Why, and doubts")
	}
	if limited {
		s.Notes = append(s.Notes, "largest n: within the limits, as measured and by the fit; MLE: it is memory that ends it")
	}
	s.Notes = append(s.Notes, "exponent: that n^k has or would have, with its interval; ln: the natural logarithm",
		"off by: how far a prediction of one size from the others misses")
	return s
}

// madeBy says where the inputs are from.
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

// fitted writes a fit: model, formula, exponent, error.
func (x *scaled) fitted(c *bench.Curve, f *stat.Fit, unit func(float64) string) []Entry {
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

// ModelEntry names the model of one of a curve's fits, and says whether it is in
// doubt: "n log n ?".
func ModelEntry(c *bench.Curve, f *stat.Fit) Entry {
	switch {
	case f.Model == "":
		return Entry{"no fit", Doubt}
	// Memory that does not grow is seldom known to the page, and nobody minds.
	case len(f.Doubts) > 0 && !(f == &c.Memory && f.Model == stat.Constant):
		return Entry{ModelText(f) + " ?", Doubt}
	}
	return Entry{Text: ModelText(f)}
}

// missText writes an error, of which less than a tenth of a percent is none.
func missText(x float64) string {
	if x < 0.0005 {
		return "0 %"
	}
	return units.Share(x)
}

// ModelText names a model with its constant.
func ModelText(f *stat.Fit) string {
	switch f.Model {
	case stat.Power:
		return "n^" + strconv.FormatFloat(f.K, 'f', 2, 64)
	case stat.Exponential:
		return base(f.K, f.K-1) + "^n"
	}
	return string(f.Model)
}

// base writes the base of an exponential function, so that two digits of
// something as large as given can be seen.
func base(k, seen float64) string {
	return strconv.FormatFloat(k, 'f', baseDecimals(seen), 64)
}

func baseDecimals(seen float64) int { return max(1, decimalsFor(seen)) }

// formula writes a fit as a function of n: "1.2 ms + 3.4 ns·n ln n".
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

// Exponent writes the interval of the exponent, or of the base.
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
	// That of n is left out if it is, so that model and interval agree.
	return before + between(f.Of.Outwards(decimals, 1))
}

// LargestEntry writes the largest size within the limits by the fits.
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

// Size writes a size with three digits at most, small ones in full.
func Size(n float64) string {
	if n < 1e5 {
		return strconv.FormatFloat(math.Round(n), 'f', 0, 64)
	}
	return units.Number(n)
}

// SharedDoubts are those that all fits of time have: about the machine, or the
// inputs. They are told once.
func SharedDoubts(s *bench.Scaling) (shared []stat.Doubt) {
	first := true
	for i := range s.Curves {
		c := &s.Curves[i]
		if c.Wrong != "" {
			continue
		}
		if first {
			shared, first = slices.Clone(c.Time.Doubts), false
		}
		shared = slices.DeleteFunc(shared, func(d stat.Doubt) bool { return !slices.Contains(c.Time.Doubts, d) })
	}
	if len(s.Curves) < 2 {
		return nil
	}
	return shared
}

// remarks is the table of why each submission has its model, what is doubtful
// about it, and why it got no further.
func (x *scaled) remarks() Sheet {
	s := Sheet{Title: "Why, and doubts", Grouped: true, Detail: true, Columns: []Column{{Name: "submission", Names: true}, {Name: ""}}}
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
		if c.Time.Model != "" {
			add(Plain, ModelText(&c.Time)+" "+c.Time.Why)
		}
		if LimitStopped(c) {
			add(Faint, c.Stopped)
		} else if c.Stopped != "" {
			add(Bad, c.Stopped)
		}
		for _, d := range c.Time.Doubts {
			if !slices.Contains(shared, d) {
				add(Doubt, "doubt: "+d.Text)
			}
		}
	}
	return s
}

// LimitStopped reports whether a program got no further because it came to a
// limit, as it is bound to.
func LimitStopped(c *bench.Curve) bool {
	return strings.HasPrefix(c.Stopped, string(problem.TimeLimit)) || strings.HasPrefix(c.Stopped, string(problem.MemoryLimit))
}

// memory is the table of the fits of memory.
func (x *scaled) memory() Sheet {
	s := Sheet{Title: "How peak memory grows", Columns: []Column{
		{Name: "submission", Names: true}, {Name: "model"}, {Name: "memory"}, {Name: "exponent", Number: true}, {Name: "off by", Number: true}, {Name: "at most", Number: true},
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
			if c.Wrong == "" && c.Memory.Model != stat.Constant && !slices.Contains(c.Time.Doubts, d) {
				s.Notes = append(s.Notes, x.m.Submissions[i].Name+": doubt: "+d.Text)
			}
		}
	}
	return s
}

// fineTime writes seconds of which there may be a tiny fraction for each n.
func fineTime(seconds float64) string {
	switch {
	case seconds <= 0 || seconds >= 0.9995e-6:
		return units.Seconds(seconds)
	case seconds >= 0.9995e-9:
		return strconv.FormatFloat(seconds*1e9, 'g', 3, 64) + " ns"
	case seconds >= 0.9995e-12:
		return strconv.FormatFloat(seconds*1e12, 'g', 3, 64) + " ps"
	}
	return strconv.FormatFloat(seconds, 'g', 2, 64) + " s"
}

// fineBytes writes bytes of which there may be a fraction for each n.
func fineBytes(n float64) string {
	if n < 100 {
		return strconv.FormatFloat(n, 'g', 3, 64) + " B"
	}
	return bytesText(n)
}

// crossings is the table of who overtakes whom.
func (x *scaled) crossings() Sheet {
	s := Sheet{Title: "Where submissions take the same time", Detail: true, Columns: []Column{
		{Name: "n", Number: true}, {Name: "faster below", Names: true}, {Name: "faster above", Names: true}, {Name: "both take", Number: true}, {Name: ""},
	}}
	outside := false
	for _, c := range x.Crossings {
		last := Entry{"measured", Plain}
		if !c.Within {
			last, outside = Entry{"by the fits", Doubt}, true
		}
		s.Rows = append(s.Rows, []Entry{
			{Text: Size(c.N)}, {Text: x.m.Submissions[c.A].Name}, {Text: x.m.Submissions[c.B].Name}, {Text: units.Seconds(x.Curves[c.A].Time.At(c.N))}, last,
		})
	}
	if outside {
		s.Notes = append(s.Notes, "by the fits: beyond the sizes that both were measured at")
	}
	return s
}

// points is the table of times of some submissions by size.
func (x *scaled) points(from, to int) Sheet {
	s := Sheet{Title: "Median CPU time by size", Detail: true, Columns: []Column{{Name: "n", Number: true}}}
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
			row = append(row, at(&c, n))
		}
		s.Rows = append(s.Rows, row)
	}
	if slices.ContainsFunc(s.Rows, func(row []Entry) bool {
		return slices.ContainsFunc(row, func(e Entry) bool { return strings.HasPrefix(e.Text, ">") })
	}) {
		s.Notes = append(s.Notes, "> was stopped then")
	}
	return s
}

// at is a submission's time at a size.
func at(c *bench.Curve, n float64) Entry {
	i := slices.IndexFunc(c.Points, func(p bench.Point) bool { return p.N == n })
	if i < 0 {
		return Entry{}
	}
	switch p := &c.Points[i]; {
	case p.Verdict == problem.Accepted:
		return Entry{Text: units.Seconds(p.CPU.Median)}
	case p.Verdict == problem.TimeLimit:
		return Entry{"> " + units.Seconds(p.CPU.Median), Doubt}
	case p.Verdict == "":
		return Entry{judgeError, Bad}
	case p.Verdict == problem.MemoryLimit: // as growing input is bound to come to
		return Entry{string(p.Verdict), Doubt}
	default:
		return Entry{string(p.Verdict), Bad}
	}
}
