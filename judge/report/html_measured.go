package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/bench"
	"crucible/judge/stat"
)

// measured is what all measurements have in common: under what conditions they
// were made, and what speaks against them.
func (part *htmlPart) measured(p *Problem) {
	m := p.measurement()
	if b := limits(m.Limits); b != "" && part.Bounds == "" {
		part.Bounds = b
	}
	if part.Bounds != "" {
		part.Bounds += ", "
	}
	if part.Name == "" {
		part.Name = nameShown(m.Problem)
	}
	part.Bounds += count(len(m.Cases), "case")
	add := func(name, value string) {
		if value != "" {
			part.Facts = append(part.Facts, htmlFact{name, value})
		}
	}
	rounds := 0
	for i := range m.Trials {
		rounds = max(rounds, m.Trials[i].Round+1)
	}
	add("Rounds", strconv.Itoa(rounds))
	add("Runs", strconv.Itoa(len(m.Trials)))
	if m.Confidence > 0 {
		add("Confidence", percent(m.Confidence))
	}
	if m.Precision > 0 {
		add("Precision asked", "±"+percent(m.Precision))
	}
	if m.Budget > 0 {
		add("Time budget", judge.Exactly(m.Budget))
	}
	add("Ended", endings[m.Ended])
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
func (part *htmlPart) doubt(of, text string) {
	i := slices.IndexFunc(part.Doubts, func(d htmlDoubt) bool { return d.Text == text })
	if i < 0 {
		i = len(part.Doubts)
		part.Doubts = append(part.Doubts, htmlDoubt{Text: text})
	}
	if d := &part.Doubts[i]; of != "" && !slices.Contains(d.Of, of) {
		d.Of = append(d.Of, of)
	}
}

func (part *htmlPart) doubts(of string, doubts []stat.Doubt) {
	for _, d := range doubts {
		part.doubt(of, d.Text)
	}
}

// doubtOnce leaves doubts out below tables that stand among the part's own.
func (part *htmlPart) doubtOnce() {
	for _, section := range part.Sections {
		for i := range section.Tables {
			t := &section.Tables[i]
			t.Notes = slices.DeleteFunc(slices.Clone(t.Notes), func(note string) bool {
				text, doubt := strings.CutPrefix(note, "doubt: ")
				return doubt && slices.ContainsFunc(part.Doubts, func(d htmlDoubt) bool { return d.String() == text })
			})
		}
	}
}

// An htmlDoubt is a doubt and the submissions it is about; none is all.
type htmlDoubt struct {
	Text string
	Of   []string
}

// String is one line, which names some of many submissions.
func (d htmlDoubt) String() string {
	const most = 3
	var names []string
	for _, name := range d.Of[:min(most, len(d.Of))] {
		names = append(names, nameShown(name))
	}
	text := strings.Join(names, ", ")
	if n := len(d.Of) - most; n > 0 {
		text += " and " + count(n, "other")
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
func (part *htmlPart) compare(p *Problem) {
	part.Kind = "Comparison"
	part.measured(p)
	c, m := p.Comparison, p.Comparison.Measurement
	part.doubts("", c.Doubts)
	for _, i := range (&compared{c, m}).order() {
		if i != c.Reference {
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
func (part *htmlPart) referenceClaim(c *bench.Comparison) []htmlClaim {
	m, s := c.Measurement, &c.Programs[c.Reference]
	claim := htmlClaim{Mark: Bad, Word: "no reference", Who: m.Submissions[c.Reference].Name, Text: Clean(s.Wrong)}
	switch {
	case s.Wrong == "" && !m.Alone():
		return nil
	case s.Wrong != "" && m.Alone():
		claim.Word = "no times"
	case s.Wrong == "":
		claim.Mark, claim.Word, claim.Text = Faint, "measured alone", "There is nothing to compare it with."
		if all := c.Alone; all != nil {
			claim.Number = shown(all.Median)
			claim.Text = fmt.Sprintf("of CPU time %s: %s, n = %d", overCases(m), interval(all.Interval, shown), all.N)
			part.doubts(claim.Who, all.Doubts)
		}
	}
	return []htmlClaim{claim}
}

// overCases says what a comparison is over.
func overCases(m *bench.Measurement) string {
	if len(m.Cases) == 1 {
		return "on " + nameShown(m.Cases[0].Name)
	}
	return "over " + count(len(m.Cases), "case")
}

// drop leaves out sections that have nothing to show.
func (part *htmlPart) drop() {
	part.Sections = slices.DeleteFunc(part.Sections, func(s htmlSection) bool { return s.Pictures == nil && s.Tables == nil })
}

// overall is a program's ratio to the reference: over all cases, or of the one
// case there is. It is nil where there is none.
func overall(p *bench.Program) *stat.Ratio {
	if p.Overall == nil && len(p.Cells) == 1 {
		return p.Cells[0].Ratio
	}
	return p.Overall
}

func (part *htmlPart) claimOf(c *bench.Comparison, i int) htmlClaim {
	m, s := c.Measurement, &c.Programs[i]
	claim := htmlClaim{Who: m.Submissions[i].Name}
	r := overall(s)
	switch {
	case s.Wrong != "":
		claim.Mark, claim.Word, claim.Text = Bad, "no times", Clean(s.Wrong)
		return claim
	case r == nil:
		claim.Mark, claim.Word, claim.Text = Faint, "no ratio", "Not every case has times of both programs."
		return claim
	}
	claim.Mark = map[stat.Claim]Mark{stat.Faster: Good, stat.Slower: Bad}[r.Claim]
	if claim.Mark == Plain {
		claim.Mark = Doubt
	}
	claim.Word = string(r.Claim)
	switch r.Claim {
	case stat.Faster:
		claim.Number = times(1 / r.Ratio)
	case stat.Slower:
		claim.Number = times(r.Ratio)
	}
	claim.Text = fmt.Sprintf("takes %s of the CPU time of %s, %s: %s, n = %d", digits(r.Ratio), nameShown(m.Submissions[c.Reference].Name), overCases(m), interval(r.Interval, digits), r.N)
	if r.Claim == stat.CannotTell && !math.IsInf(r.Least, 0) && r.Least > 0 {
		claim.Text += "; smallest difference this could see: " + percent(r.Least)
	}
	part.doubts(m.Submissions[i].Name, r.Doubts)
	return claim
}

// interval writes where the true value is likely to be: "0.51 to 0.53 (95 %)".
func interval(i stat.Interval, write func(float64) string) string {
	if !i.Bounded() || i.Lo == 0 {
		return "no interval from so few runs"
	}
	return fmt.Sprintf("%s to %s (%s)", write(i.Lo), write(i.Hi), percent(i.Confidence))
}

// digits writes a ratio with three digits, or four near one: "0.518", "1.002".
func digits(v float64) string {
	switch {
	case math.IsInf(v, 0) || math.IsNaN(v):
		return "?"
	case v >= 0.8 && v < 1.25:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', max(0, 2-int(math.Floor(math.Log10(max(v, 1e-9))))), 64)
}

// percent writes a share: "95 %", "98.8 %", "0.4 %"; less than all is never
// rounded to all: "99.95 %".
func percent(x float64) string {
	for n := 3; ; n++ {
		if text := strconv.FormatFloat(100*x, 'g', n, 64); text != "100" || x >= 1 || n > 15 {
			return text + " %"
		}
	}
}

// size writes n: "2100000" as "2.1 million".
func size(n float64) string {
	switch {
	case math.IsInf(n, 1):
		return "any size"
	case n >= 1e15:
		return strconv.FormatFloat(n, 'e', 2, 64)
	case n >= 1e9:
		return strconv.FormatFloat(n/1e9, 'g', 3, 64) + " billion"
	case n >= 1e6:
		return strconv.FormatFloat(n/1e6, 'g', 3, 64) + " million"
	}
	return strconv.FormatFloat(math.Floor(n), 'f', -1, 64)
}

// scale is the part of a scaling.
func (part *htmlPart) scale(p *Problem) {
	part.Kind = "Scaling"
	part.measured(p)
	s, m := p.Scaling, p.Scaling.Measurement
	for i := range s.Curves {
		c, name := &s.Curves[i], m.Submissions[i].Name
		if c.Wrong != "" {
			part.Claims = append(part.Claims, htmlClaim{Mark: Bad, Word: "no times", Who: name, Text: Clean(c.Wrong)})
			continue
		}
		part.Claims = append(part.Claims, growthClaim(name, c, m))
		part.doubts(name, c.Time.Doubts)
		for _, d := range c.Memory.Doubts {
			part.doubt(name, "memory: "+d.Text)
		}
	}
	for _, x := range s.Crossings {
		where := ""
		if !x.Within {
			where = ", beyond what was measured"
		}
		part.Claims = append(part.Claims, htmlClaim{Mark: Plain, Word: "they cross", Number: "n = " + size(x.N),
			Text: fmt.Sprintf("%s is faster below, %s above%s", nameShown(m.Submissions[x.A].Name), nameShown(m.Submissions[x.B].Name), where)})
	}
	part.Sections = append(part.Sections, growthSection(p, false), growthSection(p, true), runsSection(m, nil), driftSection(m))
	part.drop()
}

func growthClaim(name string, c *bench.Curve, m *bench.Measurement) htmlClaim {
	claim := htmlClaim{Who: name, Number: growth(&c.Time), Word: "in time"}
	if c.Time.Model == "" {
		claim.Number, claim.Word, claim.Mark = "", "no fit", Doubt
	}
	var parts []string
	if k := c.Time.Of; c.Time.Model != "" && c.Time.Model != stat.Exponential && k.Bounded() {
		parts = append(parts, "exponent "+interval(k, digits))
	}
	if c.Memory.Model != "" {
		parts = append(parts, memoryGrowth(&c.Memory))
	}
	if m.Limits.Time > 0 {
		if c.Measured > 0 {
			parts = append(parts, fmt.Sprintf("within %s up to n = %s as measured", judge.Exactly(m.Limits.Time), size(c.Measured)))
		}
		if c.Largest > 0 {
			parts = append(parts, "up to "+size(c.Largest)+" by the fit")
		}
	}
	claim.Text = strings.Join(parts, "; ")
	if c.Stopped != "" {
		claim.Notes = append(claim.Notes, Clip(Clean(c.Stopped), whyColumns))
	}
	if c.Time.Why != "" {
		claim.Notes = append(claim.Notes, Clip(Clean(c.Time.Why), whyColumns))
	}
	return claim
}

func memoryGrowth(f *stat.Fit) string {
	if f.Model == stat.Constant {
		return "memory does not grow"
	}
	return "memory grows as " + growth(f)
}

// growth writes a model with its parameter: "n log n", "n^2.31", "1.9^n".
func growth(f *stat.Fit) string {
	switch f.Model {
	case stat.Power:
		return "n^" + digits(f.K)
	case stat.Exponential:
		return digits(f.K) + "^n"
	}
	return string(f.Model)
}
