package html

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// band fills the part of a search for a time limit.
func (part *part) band(p *record.Problem) {
	part.Kind = "Time limit"
	part.measured(p)
	b := record.Of[*bench.Band](p)
	m := b.Measurement
	part.doubts("", b.Doubts)
	part.Claims = append(part.Claims, limitClaims(b)...)
	for i := range b.Rows {
		row, name := &b.Rows[i], m.Submissions[i].Name
		flip := sheet.FlipEntries(&row.Flip)[0]
		switch {
		case row.Wrong != "" && m.Submissions[i].Skipped == "": // part.measured has the doubt about a skipped one
			part.doubt(name, row.Wrong)
		case row.Wrong == "" && flip.Mark == report.Doubt && flip.Text != "?":
			part.Claims = append(part.Claims, claim{Mark: report.Doubt, Word: "may change", Number: terminal.Share(row.Flip.P),
				Name: name,
				Text: fmt.Sprintf("chance that another run does not get %s: %s to %s, from %s", row.Verdict,
					terminal.Share(row.Flip.Lo), terminal.Share(row.Flip.Hi), terminal.Count(row.Flip.N, "run"))})
		}
		part.doubts(name, row.Time.Doubts)
	}
	part.Sections = append(part.Sections, bandSection(p), runsSection(m, nil), driftSection(m))
}

// limitClaims returns whether the time limit of the problem separates, and the
// proposed limit.
func limitClaims(b *bench.Band) []claim {
	m := b.Measurement
	var bounds []string
	if s := b.Slowest; s != nil {
		bounds = append(bounds, "slowest required in time: "+boundText(m, s))
	}
	if f := b.Fastest; f != nil {
		bounds = append(bounds, "fastest that must get TLE: "+boundText(m, f))
	}
	text := strings.Join(bounds, "; ")
	if m.Ended == bench.Interrupted {
		text = "interrupted; from the runs until then: " + text
	}
	proposed := claim{Mark: report.Good, Word: "proposed limit", Number: terminal.Exactly(b.Proposed), Text: text}
	if b.None != "" || b.Proposed == 0 {
		proposed = claim{Mark: report.Bad, Word: "no limit separates", Text: text}
		if b.None != "" {
			proposed.Notes = []string{terminal.Clean(b.None)}
		}
	}
	if b.Limit == 0 {
		return []claim{proposed}
	}
	lo, hi := safe(b)
	at := b.Limit.Seconds()
	now := claim{Mark: report.Good, Word: "separates", Number: terminal.Exactly(b.Limit), Text: text}
	if at < lo || hi > 0 && at > hi {
		now.Mark, now.Word = report.Bad, "breaks the rule"
	}
	if b.Proposed == b.Limit {
		now.Notes = append(now.Notes, "The rule proposes this limit.")
		return []claim{now}
	}
	proposed.Text = "" // the claim before it has the text
	if proposed.Mark == report.Good {
		proposed.Mark, proposed.Text = report.Plain, "the smallest limit that obeys the rule"
	}
	return []claim{now, proposed}
}

func boundText(m *bench.Measurement, b *bench.Bound) string {
	text := nameShown(m.Submissions[b.Submission].Name) + ", "
	if b.Stopped {
		text += "stopped at "
	}
	text += terminal.Duration(b.Time)
	if b.Case >= 0 && int(b.Case) < len(m.Cases) {
		text += " on " + nameShown(m.Cases[b.Case].Name)
	}
	return text
}

// safe returns the range of the limits that obey the rule, in seconds; hi is 0 if
// there is no upper bound. If no limit obeys the rule, lo is above hi.
func safe(b *bench.Band) (lo, hi float64) {
	rule := b.Measurement.Timing
	if b.Slowest != nil {
		lo = b.Slowest.Time.Seconds() * max(rule.ACToLimit, 1)
	}
	if b.Fastest != nil {
		hi = b.Fastest.Time.Seconds() / max(rule.LimitToTLE, 1)
	}
	return lo, hi
}

// stanceKey returns the key of a submission's mark: whether it must be in time, must
// be too slow, or may be either.
func stanceKey(e *bench.Submission) string {
	switch {
	case slices.ContainsFunc(e.Expected, func(x problem.Expectation) bool {
		return x.Timing == problem.TimingUpper || x.Timing == problem.TimingByVerdicts && len(x.Required) == 1 &&
			x.Required[0] == problem.TimeLimit
	}):
		return "never"
	case slices.ContainsFunc(e.Expected, func(x problem.Expectation) bool {
		return x.Timing == problem.TimingLower || x.Timing == problem.TimingByVerdicts && x.Permitted != nil &&
			!slices.Contains(x.Permitted, problem.TimeLimit)
	}):
		return "must"
	}
	return "free"
}

// bandSection shows the times of submissions on their cases nearest to the limit, and
// the range of limits that obey the rule.
func bandSection(p *record.Problem) section {
	b := record.Of[*bench.Band](p)
	m := b.Measurement
	short, cases := labels(entrantNames(m)), labels(caseNames(m))
	rows := frameOf("x", "lo", "hi", "min", "max", "s", "c", "verdict", "flip", "k")
	s := section{Title: "Time limits that separate submissions", Tables: open(sheet.Writer.Sheets(p)...)}
	largest := 0.0
	for i, row := range b.Rows {
		if row.Time.N == 0 || row.Time.Median <= 0 {
			continue
		}
		name, flip := any(nil), any(nil)
		if row.Case >= 0 && int(row.Case) < len(cases) {
			name = cases[row.Case]
		}
		if row.Flip.N > 0 {
			flip = sheet.FlipEntries(&row.Flip)[0].Text
		}
		rows.add(row.Time.Median, max(row.Time.Lo, row.Time.Min), min(row.Time.Hi, row.Time.Max), row.Time.Min, row.Time.Max,
			short[i], name, string(row.Verdict), flip, stanceKey(&m.Submissions[i]))
		largest = max(largest, row.Time.Max)
	}
	if len(rows.rows) == 0 {
		return s
	}
	s.Caption = "Medians of CPU time on the case nearest to the limit, with intervals; a thin line is the range from " +
		"the fastest to the slowest run."
	zones, safeText := limitZones(b, largest)
	s.Pictures = []*picture{{Spec: "band", Caption: s.Caption, Data: map[string]*frame{"rows": rows, "zones": zones,
		"lines": limitLines(b)},
		Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "CPU time", "time"}, {"min", "fastest", "time"},
			{"max", "slowest", "time"}, {"verdict", "verdict", "text"}, {"flip", "chance of another verdict", "text"}}}}
	s.keys(legendKey{Key: "must", Text: "must pass"}, legendKey{Key: "never", Text: "must get TLE"},
		legendKey{Key: "free", Text: "may be either"},
		legendKey{Key: "safe", Text: safeText}, legendKey{Key: "overlap",
			Text: "limits without both margins: no limit obeys the rule"},
		legendKey{Key: "proposed", Text: "proposed limit, " + terminal.Exactly(b.Proposed)})
	return s
}

// limitZones returns the range of limits that obey the rule, or of those without both
// margins, and the text of the first in the legend. largest is the longest time of a
// run.
func limitZones(b *bench.Band, largest float64) (zones *frame, safeText string) {
	zones, safeText = frameOf("lo", "hi", "k"), "limits that obey the rule"
	switch lo, hi := safe(b); {
	case lo > 0 && hi > lo:
		zones.add(lo, hi, "safe")
		if b.None != "" {
			safeText = "limits with both margins, but none obeys the rule"
		}
	case lo > 0 && hi > 0:
		zones.add(hi, lo, "overlap")
	case lo > 0:
		zones.add(lo, max(2*lo, largest, 1.2*b.Limit.Seconds()), "safe")
	}
	return zones, safeText
}

// limitLines returns the lines of the time limit and of the proposed limit.
func limitLines(b *bench.Band) *frame {
	lines := frameOf("x", "label", "k")
	if b.Limit > 0 {
		lines.add(b.Limit.Seconds(), "limit "+terminal.Exactly(b.Limit), "limit")
	}
	if b.Proposed > 0 && b.Proposed != b.Limit {
		text := ""
		if b.Limit == 0 {
			text = "proposed " + terminal.Exactly(b.Proposed)
		}
		lines.add(b.Proposed.Seconds(), text, "proposed")
	}
	return lines
}
