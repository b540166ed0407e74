package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
)

// measured sets the conditions and the doubts, which every kind of measurement has.
func (part *part) measured(p *record.Problem) {
	m := record.Of[*bench.Measurement](p)
	limits := p.Limits
	if report.LimitsText(limits) == "" {
		limits = m.Limits
	}
	part.Bounds = report.Bounds(limits, len(m.Cases))
	if part.Name == "" {
		part.Name = nameShown(m.Problem)
	}
	part.Facts = sheet.Conditions(m)
	for _, doubt := range m.Doubts {
		part.doubt("", doubt)
	}
	for _, s := range m.Submissions {
		if s.Skipped != "" {
			part.doubt(s.Name, "does not take part: "+s.Skipped)
		}
	}
}

// doubt adds a doubt about a submission; the name is "" if the doubt is about all of
// them.
func (part *part) doubt(name, text string) {
	if name != "" {
		name = nameShown(name)
	}
	part.Doubts.Add(name, text)
}

func (part *part) doubts(name string, doubts []stat.Doubt) {
	for _, d := range doubts {
		part.doubt(name, d.Text)
	}
}

// namesOf returns the names of the elements of a list.
func namesOf[T any](list []T, name func(*T) string) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = name(&list[i])
	}
	return names
}

func entrantNames(m *bench.Measurement) []string {
	return namesOf(m.Submissions, func(e *bench.Submission) string { return e.Name })
}

func caseNames(m *bench.Measurement) []string {
	return namesOf(m.Cases, func(c *bench.Input) string { return c.Name })
}

// compare fills the part of a comparison.
func (part *part) compare(p *record.Problem) {
	part.Kind = "Comparison"
	part.measured(p)
	c := record.Of[*bench.Comparison](p)
	m := c.Measurement
	if m.Alone() {
		part.Kind = "Times"
	}
	part.doubts("", c.Doubts)
	for _, i := range sheet.Order(c) {
		if i != int(c.Reference) {
			part.Claims = append(part.Claims, part.claimOf(c, i))
		}
	}
	if len(c.Programs) > 0 {
		part.Claims = append(part.Claims, part.referenceClaim(c)...)
	}
	part.Sections = append(part.Sections, ratioSection(p), runsSection(m, c.Programs))
	if len(m.Cases) > 2 {
		part.Sections = append(part.Sections, medianCactus(c))
	}
	part.Sections = append(part.Sections, medianMemory(c), driftSection(m))
}

// referenceClaim returns a claim if the reference failed, or if there is no other
// submission; else nil.
func (part *part) referenceClaim(c *bench.Comparison) []claim {
	m, s := c.Measurement, &c.Programs[c.Reference]
	reference := claim{Mark: report.Bad, Word: "no reference", Name: m.Submissions[c.Reference].Name,
		Text: terminal.Clean(s.Wrong)}
	switch {
	case s.Wrong == "" && !m.Alone():
		return nil
	case s.Wrong != "" && m.Alone():
		reference.Word = "no times"
	case s.Wrong == "":
		reference.Mark, reference.Word, reference.Text = report.Faint, "measured alone",
			"There is nothing to compare it with."
		if all, clock := c.Single(), sheet.ClockOf(m); all != nil {
			reference.Number = clock.Write(all.Median)
			interval := "too few runs for an interval"
			switch {
			case all.Exact():
				interval = "exact"
			case all.Bounded() && all.Lo > 0:
				interval = fmt.Sprintf("%s to %s (%s)", clock.Write(all.Lo), clock.Write(all.Hi), terminal.Percent(all.Confidence))
			}
			reference.Text = fmt.Sprintf("of %s %s: %s, n = %d", clock.Name, overCases(m), interval, all.N)
			part.doubts(reference.Name, all.Doubts)
		}
	}
	return []claim{reference}
}

// overCases names the cases of a comparison: "over 3 cases".
func overCases(m *bench.Measurement) string {
	if len(m.Cases) == 1 {
		return "on " + nameShown(m.Cases[0].Name)
	}
	return "over " + terminal.Count(len(m.Cases), "case")
}

// overall returns the ratio of a program to the reference over all cases, or on
// the only case; nil if it has none.
func overall(p *bench.Program) *stat.Ratio {
	if p.Overall == nil && len(p.Cells) == 1 {
		return p.Cells[0].Ratio
	}
	return p.Overall
}

// claimOf returns the claim about program i, and adds its doubts.
func (part *part) claimOf(c *bench.Comparison, i int) claim {
	m, s := c.Measurement, &c.Programs[i]
	claim := claim{Name: m.Submissions[i].Name}
	r := overall(s)
	switch {
	case s.Wrong != "":
		claim.Mark, claim.Word, claim.Text = report.Bad, "no times", terminal.Clean(s.Wrong)
		return claim
	case r == nil:
		claim.Mark, claim.Word, claim.Text = report.Faint, "no ratio", "Not every case has times of both programs."
		return claim
	}
	claim.Mark, claim.Word = report.Doubt, string(r.Claim)
	switch r.Claim {
	case stat.Faster:
		claim.Mark, claim.Number = report.Good, sheet.FactorText(r)
	case stat.Slower:
		claim.Mark, claim.Number = report.Bad, sheet.FactorText(r)
	case stat.Equal:
		claim.Mark = report.Faint
	}
	clock := sheet.ClockOf(m)
	claim.Text = fmt.Sprintf("takes %s of the %s of %s, %s: %s, n = %d", sheet.RatioText(r), clock.Name,
		nameShown(m.Submissions[c.Reference].Name), overCases(m), ratioRange(r), r.N)
	if r.Claim == stat.CannotTell && !math.IsInf(r.Least, 0) && r.Least > 0 {
		claim.Text += "; smallest detectable difference: " + terminal.Share(r.Least)
	}
	if s.Total != nil && s.Fastest != nil {
		claim.Notes = append(claim.Notes,
			fmt.Sprintf("this is the geometric mean over cases; ratio of the total %s: %s; from %s on %s to %s on %s",
				clock.Name,
				terminal.Ratio(*s.Total), terminal.Ratio(s.Fastest.Ratio), terminal.Clean(m.Cases[s.Fastest.Case].Name),
				terminal.Ratio(s.Slowest.Ratio), terminal.Clean(m.Cases[s.Slowest.Case].Name)))
	}
	part.doubts(m.Submissions[i].Name, r.Doubts)
	return claim
}

// ratioRange formats the interval of a ratio: "0.51–0.53 (95 %)".
func ratioRange(r *stat.Ratio) string {
	if !r.Bounded() || r.Lo == 0 || math.IsNaN(r.Ratio) {
		return "too few runs for an interval"
	}
	if r.Exact() {
		return "exact"
	}
	return sheet.Interval(r) + " (" + terminal.Percent(r.Confidence) + ")"
}

// scale fills the part of a scaling.
func (part *part) scale(p *record.Problem) {
	part.Kind = "Scaling"
	part.measured(p)
	s := record.Of[*bench.Scaling](p)
	m := s.Measurement
	shared := sheet.SharedDoubts(s)
	part.doubts("", shared)
	for i := range s.Curves {
		c, name := &s.Curves[i], m.Submissions[i].Name
		if c.Wrong != "" {
			wrong := claim{Mark: report.Bad, Word: "no times", Name: name, Text: terminal.Clean(c.Wrong)}
			if why, skipped := strings.CutPrefix(wrong.Text, "skipped: "); skipped {
				wrong.Mark, wrong.Word, wrong.Text = report.Faint, "skipped", why
			}
			part.Claims = append(part.Claims, wrong)
			continue
		}
		part.Claims = append(part.Claims, growthClaim(name, c, m))
		own := func(d stat.Doubt) bool { return !slices.Contains(m.Doubts, d.Text) && !slices.Contains(shared, d) }
		for _, d := range c.Growth().Doubts {
			if own(d) {
				part.doubt(name, d.Text)
			}
		}
		for _, d := range c.Memory.Doubts {
			// Doubts about memory that does not grow do not matter.
			if own(d) && c.Memory.Model != stat.Constant && !slices.Contains(c.Growth().Doubts, d) {
				part.doubt(name, "memory: "+d.Text)
			}
		}
	}
	for _, x := range s.Crossings {
		claim := claim{Word: "they cross", Number: "n = " + sheet.Size(x.N),
			Text: fmt.Sprintf("%s is faster below, %s above", nameShown(m.Submissions[x.A].Name),
				nameShown(m.Submissions[x.B].Name))}
		if !x.Within {
			claim.Mark = report.Doubt
			claim.Text += ", by the fits, beyond the measured sizes"
		}
		part.Claims = append(part.Claims, claim)
	}
	part.Sections = append(part.Sections, growthSection(s, growthOfTime(m), open(sheet.Writer.Sheets(p)...)),
		growthSection(s, growthOfMemory(m), nil), runsSection(m, nil), driftSection(m))
}

// growthClaim returns the claim about one submission, with the facts of its rows in
// the tables.
func growthClaim(name string, c *bench.Curve, m *bench.Measurement) claim {
	model := sheet.ModelEntry(c, c.Growth())
	claim := claim{Name: name, Number: model.Text, Word: "in time", Mark: model.Mark}
	if m.Clock == bench.ByInstructions {
		claim.Word = "in instructions"
	}
	if c.Growth().Model == "" {
		claim.Number, claim.Word = "", "no fit"
	}
	var parts []string
	if f := c.Growth(); f.Model != "" && sheet.Exponent(f) != "" {
		parts = append(parts, "exponent "+sheet.Exponent(f)+" ("+terminal.Percent(f.Of.Confidence)+")")
	}
	switch {
	case c.Memory.Model == stat.Constant:
		parts = append(parts, "memory does not grow")
	case c.Memory.Model != "":
		parts = append(parts, "memory grows as "+sheet.ModelEntry(c, &c.Memory).Text)
	default:
		parts = append(parts, "no fit of memory")
	}
	if bounds := report.LimitsText(m.Limits); bounds != "" {
		if c.Measured > 0 {
			parts = append(parts, "within "+bounds+" up to n = "+sheet.Size(c.Measured)+" as measured")
		}
		switch text := sheet.LargestEntry(c).Text; c.Reach() {
		case bench.ReachDoubtful:
			parts = append(parts, "the fit is in doubt for larger sizes")
		case bench.ReachAny:
			parts = append(parts, "at any size by the fit")
		case bench.ReachNone:
			parts = append(parts, "at no size by the fit")
		case bench.ReachSize:
			parts = append(parts, "up to "+text+" by the fit")
		}
	}
	claim.Text = strings.Join(parts, "; ")
	if c.Stopped != "" {
		if !sheet.LimitStopped(c) {
			claim.Mark = report.Bad
		}
		claim.Notes = append(claim.Notes, terminal.Clean(c.Stopped))
	}
	if f := c.Growth(); f.Why != "" {
		claim.Notes = append(claim.Notes, terminal.Clean(sheet.ModelText(f)+" "+f.Why))
	}
	return claim
}
