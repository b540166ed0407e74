package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/bench"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/stat"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// measured is what all measurements have in common: under what conditions they
// were made, and what speaks against them.
func (part *part) measured(p *record.Problem) {
	m := p.Measurement
	if b := sheet.LimitsText(m.Limits); b != "" && part.Bounds == "" {
		part.Bounds = b
	}
	if part.Bounds != "" {
		part.Bounds += ", "
	}
	if part.Name == "" {
		part.Name = nameShown(m.Problem)
	}
	part.Bounds += units.Count(len(m.Cases), "case")
	add := func(name, value string) {
		if value != "" {
			part.Facts = append(part.Facts, fact{name, value})
		}
	}
	rounds := 0
	for i := range m.Trials {
		rounds = max(rounds, m.Trials[i].Round+1)
	}
	add("Rounds", strconv.Itoa(rounds))
	add("Runs", strconv.Itoa(len(m.Trials)))
	if m.Confidence > 0 {
		add("Confidence", units.Percent(m.Confidence))
	}
	if m.Precision > 0 {
		add("Precision asked", "±"+units.Percent(m.Precision))
	}
	if m.Budget > 0 {
		add("Time budget", units.Exactly(m.Budget))
	}
	add("Ended", sheet.Endings[m.Ended])
	add("Seed of the order", strconv.FormatUint(m.Seed, 10))
	cores := make([]string, len(m.Cores))
	for i, core := range m.Cores {
		cores[i] = strconv.Itoa(core)
	}
	add("Processor pinned to", strings.Join(cores, ", "))
	for _, doubt := range m.Doubts {
		part.doubt("", doubt)
	}
	for _, s := range m.Submissions {
		if s.Skipped != "" {
			part.doubt(s.Name, "does not take part: "+s.Skipped)
		}
	}
}

// doubt adds a doubt, once for all that it is about; of is a submission, or ""
// for all there is.
func (part *part) doubt(of, text string) {
	i := slices.IndexFunc(part.Doubts, func(d doubt) bool { return d.Text == text })
	if i < 0 {
		i = len(part.Doubts)
		part.Doubts = append(part.Doubts, doubt{Text: text})
	}
	if d := &part.Doubts[i]; of != "" && !slices.Contains(d.Of, of) {
		d.Of = append(d.Of, of)
	}
}

func (part *part) doubts(of string, doubts []stat.Doubt) {
	for _, d := range doubts {
		part.doubt(of, d.Text)
	}
}

// doubtOnce leaves doubts out below tables that stand among the part's own.
func (part *part) doubtOnce() {
	for _, section := range part.Sections {
		for i := range section.Tables {
			t := &section.Tables[i]
			t.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(note string) bool {
				text, is := strings.CutPrefix(note, "doubt: ")
				return is && slices.ContainsFunc(part.Doubts, func(d doubt) bool { return d.String() == text })
			})
		}
	}
}

// An doubt is a doubt and the submissions it is about; none is all.
type doubt struct {
	Text string
	Of   []string
}

// String is one line, which names some of many submissions.
func (d doubt) String() string {
	const most = 3
	var names []string
	for _, name := range d.Of[:min(most, len(d.Of))] {
		names = append(names, nameShown(name))
	}
	text := strings.Join(names, ", ")
	if n := len(d.Of) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if text != "" {
		text += ": "
	}
	return text + d.Text
}

func entrantNames(m *bench.Measurement) []string {
	names := make([]string, len(m.Submissions))
	for i := range m.Submissions {
		names[i] = m.Submissions[i].Name
	}
	return names
}

// compare is the part of a comparison.
func (part *part) compare(p *record.Problem) {
	part.Kind = "Comparison"
	part.measured(p)
	c, m := p.Comparison, p.Comparison.Measurement
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
	part.Sections = append(part.Sections, ratioSection(p))
	part.Sections = append(part.Sections, runsSection(m, c.Programs))
	if len(m.Cases) > 2 {
		part.Sections = append(part.Sections, medianCactus(c))
	}
	part.Sections = append(part.Sections, medianMemory(c), driftSection(m))
	part.drop()
}

// referenceClaim says what is wrong with the reference, or what the only
// submission takes.
func (part *part) referenceClaim(c *bench.Comparison) []claim {
	m, s := c.Measurement, &c.Programs[c.Reference]
	reference := claim{Mark: sheet.Bad, Word: "no reference", Who: m.Submissions[c.Reference].Name, Text: terminal.Clean(s.Wrong)}
	switch {
	case s.Wrong == "" && !m.Alone():
		return nil
	case s.Wrong != "" && m.Alone():
		reference.Word = "no times"
	case s.Wrong == "":
		reference.Mark, reference.Word, reference.Text = sheet.Faint, "measured alone", "There is nothing to compare it with."
		if all := c.Alone; all != nil {
			reference.Number = units.Seconds(all.Median)
			reference.Text = fmt.Sprintf("of CPU time %s: %s, n = %d", overCases(m), interval(all.Interval, units.Seconds), all.N)
			part.doubts(reference.Who, all.Doubts)
		}
	}
	return []claim{reference}
}

// overCases says what a comparison is over.
func overCases(m *bench.Measurement) string {
	if len(m.Cases) == 1 {
		return "on " + nameShown(m.Cases[0].Name)
	}
	return "over " + units.Count(len(m.Cases), "case")
}

// drop leaves out sections that have nothing to show.
func (part *part) drop() {
	part.Sections = slices.DeleteFunc(part.Sections, func(s section) bool { return s.Pictures == nil && s.Tables == nil })
}

// overall is a program's ratio to the reference: over all cases, or of the one
// case there is. It is nil where there is none.
func overall(p *bench.Program) *stat.Ratio {
	if p.Overall == nil && len(p.Cells) == 1 {
		return p.Cells[0].Ratio
	}
	return p.Overall
}

func (part *part) claimOf(c *bench.Comparison, i int) claim {
	m, s := c.Measurement, &c.Programs[i]
	claim := claim{Who: m.Submissions[i].Name}
	r := overall(s)
	switch {
	case s.Wrong != "":
		claim.Mark, claim.Word, claim.Text = sheet.Bad, "no times", terminal.Clean(s.Wrong)
		return claim
	case r == nil:
		claim.Mark, claim.Word, claim.Text = sheet.Faint, "no ratio", "Not every case has times of both programs."
		return claim
	}
	claim.Mark = map[stat.Claim]sheet.Mark{stat.Faster: sheet.Good, stat.Slower: sheet.Bad}[r.Claim]
	if claim.Mark == sheet.Plain {
		claim.Mark = sheet.Doubt
	}
	claim.Word = string(r.Claim)
	switch r.Claim {
	case stat.Faster:
		claim.Number = units.Factor(1 / r.Ratio)
	case stat.Slower:
		claim.Number = units.Factor(r.Ratio)
	}
	claim.Text = fmt.Sprintf("takes %s of the CPU time of %s, %s: %s, n = %d", sheet.RatioText(r), nameShown(m.Submissions[c.Reference].Name), overCases(m), ratioRange(r), r.N)
	if r.Claim == stat.CannotTell && !math.IsInf(r.Least, 0) && r.Least > 0 {
		claim.Text += "; smallest difference this could see: " + units.Share(r.Least)
	}
	part.doubts(m.Submissions[i].Name, r.Doubts)
	return claim
}

// interval writes where the true value is likely to be: "0.51 to 0.53 (95 %)".
func interval(i stat.Interval, write func(float64) string) string {
	if !i.Bounded() || i.Lo == 0 {
		return "no interval from so few runs"
	}
	return fmt.Sprintf("%s to %s (%s)", write(i.Lo), write(i.Hi), units.Percent(i.Confidence))
}

// ratioRange writes where the true ratio is likely to be: "0.51–0.53 (95 %)".
func ratioRange(r *stat.Ratio) string {
	if !r.Bounded() || r.Lo == 0 || math.IsNaN(r.Ratio) {
		return "no interval from so few runs"
	}
	return sheet.Interval(r) + " (" + units.Percent(r.Confidence) + ")"
}

// scale is the part of a scaling.
func (part *part) scale(p *record.Problem) {
	part.Kind = "Scaling"
	part.measured(p)
	s, m := p.Scaling, p.Scaling.Measurement
	shared := sheet.SharedDoubts(s)
	part.doubts("", shared)
	for i := range s.Curves {
		c, name := &s.Curves[i], m.Submissions[i].Name
		if why, skipped := strings.CutPrefix(c.Wrong, "skipped: "); skipped {
			part.Claims = append(part.Claims, claim{Mark: sheet.Faint, Word: "skipped", Who: name, Text: terminal.Clean(why)})
			continue
		}
		if c.Wrong != "" {
			part.Claims = append(part.Claims, claim{Mark: sheet.Bad, Word: "no times", Who: name, Text: terminal.Clean(c.Wrong)})
			continue
		}
		part.Claims = append(part.Claims, growthClaim(name, c, m))
		own := func(d stat.Doubt) bool { return !slices.Contains(m.Doubts, d.Text) && !slices.Contains(shared, d) }
		for _, d := range c.Time.Doubts {
			if own(d) {
				part.doubt(name, d.Text)
			}
		}
		for _, d := range c.Memory.Doubts {
			// Nobody minds that of memory little is known that does not grow.
			if own(d) && c.Memory.Model != stat.Constant && !slices.Contains(c.Time.Doubts, d) {
				part.doubt(name, "memory: "+d.Text)
			}
		}
	}
	for _, x := range s.Crossings {
		claim := claim{Word: "they cross", Number: "n = " + sheet.Size(x.N),
			Text: fmt.Sprintf("%s is faster below, %s above", nameShown(m.Submissions[x.A].Name), nameShown(m.Submissions[x.B].Name))}
		if !x.Within {
			claim.Mark = sheet.Doubt
			claim.Text += ", by the fits, beyond what was measured"
		}
		part.Claims = append(part.Claims, claim)
	}
	part.Sections = append(part.Sections, growthSection(p, false), growthSection(p, true), runsSection(m, nil), driftSection(m))
	part.drop()
}

// growthClaim says of one submission what its rows of the tables do.
func growthClaim(name string, c *bench.Curve, m *bench.Measurement) claim {
	model := sheet.ModelEntry(c, &c.Time)
	claim := claim{Who: name, Number: model.Text, Word: "in time", Mark: model.Mark}
	if c.Time.Model == "" {
		claim.Number, claim.Word = "", "no fit"
	}
	var parts []string
	if text := sheet.Exponent(&c.Time); c.Time.Model != "" && text != "" {
		parts = append(parts, "exponent "+text+" ("+units.Percent(c.Time.Of.Confidence)+")")
	}
	switch {
	case c.Memory.Model == stat.Constant:
		parts = append(parts, "memory does not grow")
	case c.Memory.Model != "":
		parts = append(parts, "memory grows as "+sheet.ModelEntry(c, &c.Memory).Text)
	default:
		parts = append(parts, "no fit of memory")
	}
	if bounds := sheet.LimitsText(m.Limits); bounds != "" {
		if c.Measured > 0 {
			parts = append(parts, "within "+bounds+" up to n = "+sheet.Size(c.Measured)+" as measured")
		}
		switch text := sheet.LargestEntry(c).Text; c.Reach() {
		case bench.ReachDoubtful:
			parts = append(parts, "what the fit says of larger sizes is in doubt")
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
			claim.Mark = sheet.Bad
		}
		claim.Notes = append(claim.Notes, terminal.Clean(c.Stopped))
	}
	if c.Time.Why != "" {
		claim.Notes = append(claim.Notes, terminal.Clean(sheet.ModelText(&c.Time)+" "+c.Time.Why))
	}
	return claim
}
