package sheet

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// OfBand returns the tables of a band of time limits: the proposed limit, the
// certainty of each submission's verdict, the speeds of languages, and
// the limits for machines of other speeds.
func OfBand(b *bench.Band) []report.Sheet {
	x := &bandSheets{b, b.Measurement}
	sheets := append([]report.Sheet{x.answer()}, x.workers()...)
	if len(b.Rows) > 0 {
		sheets = append(sheets, x.verdicts())
	}
	if len(b.Languages) > 0 {
		sheets = append(sheets, x.languages())
	}
	if b.Slowest != nil && !b.Slowest.Stopped {
		sheets = append(sheets, x.machines())
	}
	return sheets
}

// A bandSheets makes the tables of one band.
type bandSheets struct {
	*bench.Band
	m *bench.Measurement
}

// answer returns the table of the proposed limit and its bounds.
func (x *bandSheets) answer() report.Sheet {
	s := report.Sheet{Title: x.title(), Columns: []report.Column{{Name: "bound"}, {Name: "submission", Names: true},
		{Name: "case"}, {Name: "CPU", Number: true}, {Name: "margin", Number: true}, {Name: "required", Number: true}}}
	row := func(what string, at *bench.Bound, margin, wanted float64) {
		if at == nil {
			s.Rows = append(s.Rows, []report.Entry{{Text: what}, {Text: "none", Mark: report.Faint}})
			return
		}
		cells := []report.Entry{{Text: what}, {Text: x.m.Submissions[at.Submission].Name}, {Text: x.m.Cases[at.Case].Name},
			{Text: atLeast(at.Time.Seconds(), at.Stopped)}}
		if x.At > 0 && margin > 0 {
			mark := report.Good
			if margin < wanted*(1-1e-9) {
				mark = report.Bad
			}
			text := atLeastTimes(margin, wanted)
			if at.Stopped {
				text = "≥ " + text
			}
			cells = append(cells, report.Entry{Text: text, Mark: mark}, report.Entry{Text: multiple(wanted), Mark: report.Faint})
		}
		s.Rows = append(s.Rows, cells)
	}
	low, high := 0.0, 0.0
	if x.Slowest != nil && x.Slowest.Time > 0 {
		low = float64(x.At) / float64(x.Slowest.Time)
	}
	if x.Fastest != nil && x.At > 0 {
		high = float64(x.Fastest.Time) / float64(x.At)
	}
	row("slowest that must pass", x.Slowest, low, x.m.Timing.ACToLimit)
	row("fastest that must get TLE", x.Fastest, high, x.m.Timing.LimitToTLE)
	for _, why := range x.Violated {
		s.Notes = append(s.Notes, "the problem's limit breaks the rule: "+why)
	}
	if x.None != "" {
		s.Notes = append(s.Notes, "no limit obeys the rule: "+x.None)
	}
	if x.None == "" {
		s.Notes = append(s.Notes, x.room())
	}
	s.Notes = append(s.Notes, madeOn(x.m)...)
	for _, d := range x.Doubts {
		s.Notes = append(s.Notes, "doubt: "+d.Text)
	}
	return s
}

// title states the proposed limit, and whether the measurement was interrupted.
func (x *bandSheets) title() string {
	if x.m.Ended == bench.Interrupted {
		return "Interrupted; from the runs until then: " + x.proposal()
	}
	return x.proposal()
}

func (x *bandSheets) proposal() string {
	switch {
	case x.Proposed == 0:
		return "No time limit obeys the rule"
	case x.Limit == 0:
		return "Proposed time limit: " + terminal.Exactly(x.Proposed)
	case x.Limit == x.Proposed:
		return "Time limit " + terminal.Exactly(x.Limit) + ": the smallest that obeys the rule"
	case len(x.Violated) > 0:
		return "Time limit " + terminal.Exactly(x.Limit) + " breaks the rule; proposed: " + terminal.Exactly(x.Proposed)
	}
	return "Time limit " + terminal.Exactly(x.Limit) + " obeys the rule; so does " + terminal.Exactly(x.Proposed) +
		", the smallest"
}

// room states which limits have both margins.
func (x *bandSheets) room() string {
	switch {
	case x.Fastest == nil:
		return fmt.Sprintf("limits from %s have the margin; there is no upper bound", terminal.Seconds(x.Least.Seconds()))
	case x.Fastest.Stopped:
		return fmt.Sprintf("limits from %s to %s have both margins, and larger ones may: the submission that sets the "+
			"upper bound was stopped", terminal.Seconds(x.Least.Seconds()), terminal.Seconds(x.Most.Seconds()))
	}
	return fmt.Sprintf("limits from %s to %s have both margins", terminal.Seconds(x.Least.Seconds()),
		terminal.Seconds(x.Most.Seconds()))
}

// atLeast formats a time in seconds, as a lower bound if the program was stopped.
func atLeast(seconds float64, stopped bool) string {
	if stopped {
		return "≥ " + terminal.Seconds(seconds)
	}
	return terminal.Seconds(seconds)
}

// multiple formats a configured factor: "2x", "1.53x".
func multiple(f float64) string {
	if f >= 999.5 {
		return terminal.Factor(f)
	}
	return strconv.FormatFloat(f, 'g', 3, 64) + "x"
}

// measuredTimes formats a measured factor: "12.9x". It is "1x" for the time that
// all others are divided by.
func measuredTimes(f float64) string {
	if f == 1 {
		return "1x"
	}
	return terminal.Ratio(f) + "x"
}

// atLeastTimes formats a measured factor, rounded down, with enough digits that a
// factor below wanted is printed below it.
func atLeastTimes(f, wanted float64) string {
	shown, decimals := stat.Interval{Lo: f, Hi: f}.Outwards(terminal.DigitsAfter(f), wanted)
	return strconv.FormatFloat(shown.Lo, 'f', decimals, 64) + "x"
}

// order returns the indices of the submissions by ascending time, those without
// a time last.
func (x *bandSheets) order() []int {
	return sorted(len(x.Rows), func(i int) float64 {
		if x.Rows[i].Case < 0 {
			return math.Inf(1)
		}
		return x.Rows[i].Time.Median
	})
}

// verdicts returns the table of the certainty of verdicts.
func (x *bandSheets) verdicts() report.Sheet {
	s := report.Sheet{Title: "Certainty of verdicts", Columns: []report.Column{
		{Name: ""}, {Name: "submission", Names: true}, {Name: "language"}, {Name: "nearest case", Names: true},
		{Name: "CPU", Number: true}, {Name: "of limit", Number: true}, {Name: "runs", Number: true},
		{Name: "flips", Number: true}, {Name: "at most", Number: true},
	}}
	if x.At > 0 {
		s.Title += " at " + terminal.Exactly(x.At)
	}
	var wrong Remarks
	for _, i := range x.order() {
		row, e := &x.Rows[i], &x.m.Submissions[i]
		if row.Wrong != "" {
			s.Rows = append(s.Rows, []report.Entry{{Text: "-", Mark: report.Faint}, {Text: e.Name},
				{Text: e.Language, Mark: report.Faint}})
			wrong.Add(e.Name, row.Wrong)
			continue
		}
		word, mark := x.verdict(row)
		cells := []report.Entry{{Text: word, Mark: mark}, {Text: e.Name}, {Text: e.Language, Mark: report.Faint},
			{Text: x.m.Cases[row.Case].Name}, {Text: atLeast(row.Time.Median, row.Stopped)}}
		if x.At > 0 {
			of := ofLimit(row.Time.Median / x.At.Seconds())
			if row.Stopped {
				of = "≥ " + of
			}
			cells = append(cells, report.Entry{Text: of}, report.Entry{Text: strconv.Itoa(row.Flip.N), Mark: report.Faint})
			cells = append(cells, FlipEntries(&row.Flip)...)
		}
		s.Rows = append(s.Rows, cells)
	}
	s.Notes = wrong.Lines()
	if x.At > 0 {
		s.Notes = append(s.Notes,
			"flips: probability that another run of the submission is on the other side of the limit: the share of such runs "+
				"or, if there are none, an estimate from the distance to the limit and the variation of times",
			"at most: upper bound of this probability from the number of runs alone, with a confidence of "+
				confidenceText(cmp.Or(x.m.Confidence, 0.95)))
	}
	return s
}

// ofLimit formats a time divided by the limit. A quotient close to 1 has enough
// digits to show on which side of the limit the time is.
func ofLimit(x float64) string {
	if x < 0.1 {
		return strconv.FormatFloat(x, 'g', 1, 64)
	}
	for decimals := 2; ; decimals++ {
		if text := strconv.FormatFloat(x, 'f', decimals, 64); x == 1 || decimals == stat.MostDecimals ||
			strings.Trim(text, "0") != "1." {
			return text
		}
	}
}

// verdict returns the verdict of most runs, "?" if it is not known, and marks
// whether it is as expected.
func (x *bandSheets) verdict(row *bench.LimitVerdict) (string, report.Mark) {
	word := cmp.Or(string(row.Verdict), "?")
	slow := row.Verdict == problem.TimeLimit
	switch {
	case row.Verdict == "":
		return word, report.Doubt
	case row.Bounds == bench.Above && slow, row.Bounds == bench.Below && !slow:
		return word, report.Bad
	case row.Bounds == bench.Neither:
		return word, report.Faint
	}
	return word, report.Good
}

// fewestShares is the smallest number of runs from which a share of 0 or 1 is
// printed as an estimate.
const fewestShares = 3

// FlipEntries returns two entries: the estimated probability, and the upper bound
// that follows from the number of runs alone. Without runs they are "?" and "".
func FlipEntries(c *stat.Chance) []report.Entry {
	if c.N == 0 {
		return []report.Entry{{Text: "?", Mark: report.Doubt}, {}}
	}
	mark, text := report.Plain, terminal.Share(c.P)
	switch {
	case c.By == stat.ByRuns && c.N < fewestShares && (c.P == 0 || c.P == 1):
		text, mark = "?", report.Doubt
	case c.P == 0 && c.By == stat.ByRuns:
		text = "none"
	case c.P < 0.0005:
		text = "< 0.1 %"
	case c.P >= 0.01:
		mark = report.Doubt
	}
	return []report.Entry{{Text: text, Mark: mark}, {Text: terminal.Share(c.Hi), Mark: report.Faint}}
}

// languages returns the table of the speeds of the languages.
func (x *bandSheets) languages() report.Sheet {
	s := report.Sheet{Title: "Languages", Columns: []report.Column{{Name: "language"},
		{Name: "fastest accepted", Names: true},
		{Name: "CPU", Number: true}, {Name: "of the fastest", Number: true}, {Name: "slowest accepted", Names: true},
		{Name: "would need", Number: true}}}
	for _, l := range x.Languages {
		needs := report.Entry{}
		switch {
		case l.Needs > 1:
			needs = report.Entry{Text: measuredTimes(l.Needs), Mark: report.Bad}
		case l.Needs > 0:
			needs = report.Entry{Text: "1x", Mark: report.Faint}
		}
		s.Rows = append(s.Rows, []report.Entry{{Text: l.Language}, {Text: x.m.Submissions[l.Submission].Name},
			{Text: terminal.Seconds(l.Time.Seconds())}, {Text: measuredTimes(l.Factor)},
			{Text: x.m.Submissions[l.Slowest].Name}, needs})
	}
	s.Notes = []string{"times are those of the slowest case; would need: factor of the time limit with which the " +
		"slowest accepted submission has its margin"}
	return s
}

// machines returns the table of the limits for machines of other speeds.
func (x *bandSheets) machines() report.Sheet {
	s := report.Sheet{Title: "Machines of another speed", Columns: []report.Column{{Name: "machine"},
		{Name: "limit", Number: true}},
		Notes: []string{"limit: the smallest that obeys the rule if all programs take so much more or less time"}}
	this := "this one"
	if x.m.Workers != nil {
		this = "the workers"
	}
	speed := func(slower float64) string {
		switch {
		case slower < 1:
			return fmt.Sprintf("%.3gx faster", 1/slower)
		case slower > 1:
			return fmt.Sprintf("%.3gx slower", slower)
		}
		return this
	}
	add := func(slower float64, limit time.Duration, why string, unknown bool) {
		cell := report.Entry{Text: terminal.Exactly(limit)}
		switch {
		case limit == 0 && unknown:
			cell = report.Entry{Text: "?", Mark: report.Doubt}
		case limit == 0:
			cell = report.Entry{Text: "none", Mark: report.Bad}
		}
		if limit == 0 && slower != 1 {
			s.Notes = append(s.Notes, speed(slower)+": "+why)
		}
		s.Rows = append(s.Rows, []report.Entry{{Text: speed(slower)}, cell})
	}
	own := false
	for _, m := range x.Machines {
		if m.Slower > 1 && !own {
			own = true
			add(1, x.Proposed, x.None, false)
		}
		add(m.Slower, m.Limit, m.Why, m.Unknown)
	}
	return s
}
