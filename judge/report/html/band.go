package html

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// band is the part of a band of time limits.
func (part *part) band(p *record.Problem) {
	part.Kind = "Time limit"
	part.measured(p)
	b, m := p.Band, p.Band.Measurement
	part.doubts("", b.Doubts)
	part.Claims = append(part.Claims, limitClaims(b)...)
	for i, row := range b.Rows {
		name := m.Submissions[i].Name
		switch {
		case row.Wrong != "":
			if m.Submissions[i].Skipped == "" { // which is told of all measurements
				part.doubt(name, row.Wrong)
			}
		case sheet.FlipEntries(&row.Flip)[0].Mark == sheet.Doubt && sheet.FlipEntries(&row.Flip)[0].Text != "?":
			part.Claims = append(part.Claims, claim{Mark: sheet.Doubt, Word: "may flip", Number: units.Share(row.Flip.P), Who: name,
				Text: fmt.Sprintf("the chance that another run ends in another verdict than %s: %s to %s, from %s", row.Verdict, units.Share(row.Flip.Lo), units.Share(row.Flip.Hi), units.Count(row.Flip.N, "run"))})
		}
		part.doubts(name, row.Time.Doubts)
	}
	part.Sections = append(part.Sections, bandSection(p), runsSection(m, nil), driftSection(m))
	part.drop()
}

// limitClaims says whether the problem's limit separates, and which one is
// proposed.
func limitClaims(b *bench.Band) []claim {
	m := b.Measurement
	var bounds []string
	if s := b.Slowest; s != nil {
		bounds = append(bounds, "slowest that must pass: "+boundText(m, s))
	}
	if f := b.Fastest; f != nil {
		bounds = append(bounds, "fastest that must not: "+boundText(m, f))
	}
	text := strings.Join(bounds, "; ")
	if m.Ended == bench.Interrupted {
		text = "interrupted, so of what was measured until then: " + text
	}
	proposed := claim{Mark: sheet.Good, Word: "proposed limit", Number: units.Exactly(b.Proposed), Text: text}
	if b.None != "" || b.Proposed == 0 {
		proposed = claim{Mark: sheet.Bad, Word: "no limit separates", Text: text}
		if b.None != "" {
			proposed.Notes = []string{terminal.Clean(b.None)}
		}
	}
	if b.Limit == 0 {
		return []claim{proposed}
	}
	lo, hi := safe(b)
	at := b.Limit.Seconds()
	now := claim{Mark: sheet.Good, Word: "separates", Number: units.Exactly(b.Limit), Text: text}
	if at < lo || hi > 0 && at > hi {
		now.Mark, now.Word = sheet.Bad, "does not separate as the rule asks"
	}
	if b.Proposed == b.Limit {
		now.Notes = append(now.Notes, "It is the limit that the rule proposes.")
		return []claim{now}
	}
	proposed.Text = "" // said above
	if proposed.Mark == sheet.Good {
		proposed.Mark, proposed.Text = sheet.Plain, "what the rule gives for these times"
	}
	return []claim{now, proposed}
}

func boundText(m *bench.Measurement, b *bench.Bound) string {
	text := nameShown(m.Submissions[b.Submission].Name) + ", "
	if b.Stopped {
		text += "stopped at "
	}
	text += units.Duration(b.Time)
	if b.Case >= 0 && int(b.Case) < len(m.Cases) {
		text += " on " + nameShown(m.Cases[b.Case].Name)
	}
	return text
}

// safe is where a limit obeys the rule, in seconds; hi is 0 if nothing bounds it
// from above. If none does, lo is above hi.
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

// stanceKey says on which side of a limit a submission belongs.
func stanceKey(e *bench.Entrant) string {
	for i := range e.Expected {
		x := &e.Expected[i]
		if x.Timing == problem.TimingUpper || x.Timing == problem.TimingByVerdicts && len(x.Required) == 1 && x.Required[0] == problem.TimeLimit {
			return "never"
		}
	}
	for i := range e.Expected {
		x := &e.Expected[i]
		if x.Timing == problem.TimingLower || x.Timing == problem.TimingByVerdicts && x.Permitted != nil && !slices.Contains(x.Permitted, problem.TimeLimit) {
			return "must"
		}
	}
	return "free"
}

// bandSection shows the submissions' times on their cases nearest to the limit,
// and between which times a limit obeys the rule.
func bandSection(p *record.Problem) section {
	b := p.Band
	m := b.Measurement
	names := entrantNames(m)
	short, cases := labels(names), caseLabels(m)
	rows, zones, lines := frameOf("x", "lo", "hi", "min", "max", "s", "c", "verdict", "flip", "k"), frameOf("lo", "hi", "k"), frameOf("x", "label", "k")
	section := section{Title: "Between the slowest that must pass and the fastest that must not", Tables: open(report.Sheets(p)...)}
	largest := 0.0
	seen := map[string]bool{}
	for i, row := range b.Rows {
		if row.Time.N == 0 || row.Time.Median <= 0 {
			continue
		}
		name := any(nil)
		if row.Case >= 0 && int(row.Case) < len(cases) {
			name = cases[row.Case]
		}
		flip := any(nil)
		if row.Flip.N > 0 {
			flip = sheet.FlipEntries(&row.Flip)[0].Text
		}
		key := stanceKey(&m.Submissions[i])
		seen[key] = true
		rows.add(row.Time.Median, max(row.Time.Lo, row.Time.Min), min(row.Time.Hi, row.Time.Max), row.Time.Min, row.Time.Max, short[i], name, string(row.Verdict), flip, key)
		largest = max(largest, row.Time.Max)
	}
	if len(rows.rows) == 0 {
		return section
	}
	for _, k := range []legendKey{{Key: "must", Text: "must stay within the limit"}, {Key: "never", Text: "must not"}, {Key: "free", Text: "may do either"}} {
		if seen[k.Key] {
			section.Key = append(section.Key, k)
		}
	}
	section.Says = "Medians of CPU time on the case nearest to the limit, with intervals; thin lines reach from the fastest to the slowest run."
	switch lo, hi := safe(b); {
	case lo > 0 && hi > lo:
		zones.add(lo, hi, "safe")
		text := "limits that obey the rule"
		if b.None != "" {
			text = "both margins hold here, yet no limit obeys the rule"
		}
		section.Key = append(section.Key, legendKey{Key: "safe", Text: text})
	case lo > 0 && hi > 0:
		zones.add(hi, lo, "overlap")
		section.Key = append(section.Key, legendKey{Key: "overlap", Text: "too slow for one side, too fast for the other: no limit obeys the rule"})
	case lo > 0:
		zones.add(lo, max(2*lo, largest, 1.2*b.Limit.Seconds()), "safe")
		section.Key = append(section.Key, legendKey{Key: "safe", Text: "limits that obey the rule"})
	}
	if b.Limit > 0 {
		lines.add(b.Limit.Seconds(), "limit "+units.Exactly(b.Limit), "limit")
	}
	if b.Proposed > 0 && b.Proposed != b.Limit {
		text := ""
		if b.Limit == 0 {
			text = "proposed " + units.Exactly(b.Proposed)
		}
		lines.add(b.Proposed.Seconds(), text, "proposed")
		section.Key = append(section.Key, legendKey{Key: "proposed", Text: "proposed limit, " + units.Exactly(b.Proposed)})
	}
	one := &picture{Spec: "band", Says: section.Says, Data: map[string]*frame{"rows": rows, "zones": zones, "lines": lines},
		Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "CPU time", "time"}, {"min", "fastest", "time"}, {"max", "slowest", "time"}, {"verdict", "verdict", "text"}, {"flip", "chance of another verdict", "text"}}}
	section.Pictures = []*picture{one}
	return section
}
