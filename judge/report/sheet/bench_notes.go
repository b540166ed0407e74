package sheet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// notes explains the table of claims: the meaning of its words, why entries are
// missing, and what makes claims doubtful.
func (x *comparisonSheets) notes() []string {
	notes := x.meaning()
	var wrong, unsure Remarks
	doubts := Remarks{before: "doubt: "}
	for _, i := range Order(x.Comparison) {
		p, name := &x.Programs[i], x.m.Submissions[i].Name
		if p.Wrong != "" {
			wrong.Add(name, p.Wrong)
		}
		if r := p.Overall; r != nil {
			if r.Claim == stat.CannotTell {
				unsure.Add(name, cannotTell(r))
			}
			for _, d := range r.Doubts {
				if d.Kind != "few" || r.Bounded() { // tooFew covers ratios without bounds
					doubts.Add(name, d.Text)
				}
			}
		}
	}
	notes = append(append(notes, wrong.Lines()...), unsure.Lines()...)
	if x.Single() != nil && x.Programs[0].Wrong == "" && len(x.m.Cases) > 1 { // byCase notes the doubts of a single case
		for _, d := range x.Single().Doubts {
			if d.Kind != "few" { // tooFew covers it
				doubts.Add(x.m.Submissions[0].Name, d.Text)
			}
		}
	}
	if len(x.Programs) > 1 && x.wrong(int(x.Reference)) {
		notes = append(notes, "no submission is accepted on every case, so there is no comparison over all cases")
	}
	notes = slices.Concat(notes, x.tooFew(), ofSlowest(x.m), madeOn(x.m))
	for _, d := range x.Doubts {
		notes = append(notes, "doubt: "+d.Text)
	}
	return append(notes, doubts.Lines()...)
}

// wrong reports whether a submission was run on some case and not accepted.
func (x *comparisonSheets) wrong(i int) bool {
	return slices.ContainsFunc(x.Programs[i].Cells, func(c bench.Cell) bool {
		return c.Verdict != problem.Accepted && (c.Verdict != "" || c.Why != "")
	})
}

// tooFew states how many rounds an interval needs, or that the budget ended the
// measurement before its intervals were precise.
func (x *comparisonSheets) tooFew() []string {
	half := x.widest()
	switch {
	case math.IsInf(half, 0):
		overall, _ := bench.Levels(x.m)
		if x.Rounds >= stat.Needed(overall) {
			return nil // more rounds would not help: the doubts name the cause
		}
		text := fmt.Sprintf("%s too few: an interval of %s needs %d",
			terminal.Count(x.Rounds, "round")+map[bool]string{true: " is", false: " are"}[x.Rounds == 1],
			confidenceText(overall), stat.Needed(overall))
		if each := x.roundTime(); each > 0 {
			text += ", which take about " + terminal.Duration(each*time.Duration(stat.Needed(overall)))
		}
		return []string{text}
	case x.m.Ended == bench.OutOfBudget && x.m.Precision > 0 && half > x.m.Precision:
		return []string{fmt.Sprintf("the budget of %s ended the measurement before all intervals were within ±%s: the "+
			"widest is ±%s; --budget sets a larger one",
			terminal.Exactly(x.m.Budget), terminal.Percent(x.m.Precision), terminal.Share(half))}
	}
	return nil
}

// roundTime returns the mean duration of a round; 0 if there was none.
func (x *comparisonSheets) roundTime() time.Duration {
	rounds := 0
	var first, last time.Duration
	for i := range x.m.Trials {
		if t := &x.m.Trials[i]; t.Round >= 0 {
			if rounds == 0 {
				first = t.At
			}
			rounds, last = max(rounds, t.Round+1), t.At+t.Outcome.Wall
		}
	}
	return (last - first) / time.Duration(max(rounds, 1))
}

// Remarks collects texts about submissions, and joins the submissions that share a
// text. The zero value is empty.
type Remarks struct {
	before string // prefix of each line
	texts  []string
	names  map[string][]string // names of submissions by text
}

// Add adds a text about a submission; the name is "" if the text is not about one.
func (r *Remarks) Add(name, text string) {
	if r.names == nil {
		r.names = make(map[string][]string)
	}
	if _, known := r.names[text]; !known {
		r.texts, r.names[text] = append(r.texts, text), nil
	}
	if name != "" && !slices.Contains(r.names[text], name) {
		r.names[text] = append(r.names[text], name)
	}
}

// mostNamed is the maximum number of names in one remark.
const mostNamed = 3

// Lines returns one line for each text: "a.go, b.go: too few runs".
func (r *Remarks) Lines() []string {
	var lines []string
	for _, text := range r.texts {
		if names := r.names[text]; len(names) > 0 {
			text = firstNames(names) + ": " + text
		}
		lines = append(lines, r.before+text)
	}
	return lines
}

// firstNames lists at most mostNamed names and the number of the others.
func firstNames(names []string) string {
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if n := len(names) - mostNamed; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// meaning states how the ratios are defined, and their confidence.
func (x *comparisonSheets) meaning() []string {
	if len(x.m.Submissions) == 0 {
		return nil
	}
	overall, single := bench.Levels(x.m)
	if x.m.Alone() {
		what := x.clock.Short + ": median of rounds"
		if len(x.m.Cases) > 1 {
			what += ", of a round's geometric mean over the cases"
		}
		return []string{what + "; interval: " + confidenceText(overall)}
	}
	how := "intervals: " + confidenceText(overall)
	if overall != single {
		how += fmt.Sprintf(" each (%s on single cases), so all claims together hold with a confidence of %s",
			confidenceText(single), confidenceText(cmp.Or(x.m.Confidence, 0.95)))
	}
	notes := []string{"ratio: " + x.clock.Name + " divided by that of " + x.m.Submissions[x.Reference].Name +
		", median of rounds; below 1 is faster", how}
	if x.m.Clock == bench.ByInstructions {
		notes = append(notes, "exact: the count is the same in all rounds; spread: distance from the smallest to the "+
			"largest count, of the case where it is widest")
	}
	return notes
}

// confidenceText formats a confidence with enough decimals that its difference
// from 100 % has three digits: "97.5 %", "99.688 %".
func confidenceText(level float64) string {
	left := 100 * (1 - level)
	digits := 1
	if left > 0 && left < 10 {
		digits = min(2-int(math.Floor(math.Log10(left))), 6)
	}
	text := fmt.Sprintf("%.*f", digits, 100*level)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + " %"
}

// cannotTell states the smallest difference that the runs could have shown.
func cannotTell(r *stat.Ratio) string {
	if math.IsNaN(r.Ratio) {
		return "cannot tell (no pair of times has a ratio)"
	}
	if math.IsInf(r.Least, 0) || math.IsNaN(r.Least) {
		return fmt.Sprintf("cannot tell (at n = %d, too few runs to detect a difference)", r.N)
	}
	return fmt.Sprintf("cannot tell (at n = %d, smallest detectable difference: %s)", r.N, terminal.Share(r.Least))
}

// widest returns the half-width of the widest interval over all cases, as a
// fraction; +Inf if an interval has no bounds.
func (x *comparisonSheets) widest() float64 {
	widest := 0.0
	if all := x.Single(); all != nil {
		return all.Half()
	}
	for i := range x.Programs {
		if r := x.Programs[i].Overall; r != nil {
			widest = max(widest, r.Half())
		}
	}
	return widest
}

// fewForCases notes that there were too few rounds for claims on single cases.
func (x *comparisonSheets) fewForCases() []string {
	_, single := bench.Levels(x.m)
	if needed := stat.Needed(single); x.Rounds < needed && len(x.m.Cases) > 1 && !x.m.Alone() && x.unbounded() {
		return []string{fmt.Sprintf("single cases: an interval of %s needs %s", confidenceText(single),
			terminal.Count(needed, "round"))}
	}
	return nil
}

// unbounded reports whether a ratio on a single case has no bounds.
func (x *comparisonSheets) unbounded() bool {
	return slices.ContainsFunc(x.Programs, func(p bench.Program) bool {
		return slices.ContainsFunc(p.Cells, func(c bench.Cell) bool { return c.Ratio != nil && !c.Ratio.Bounded() })
	})
}

// caseDoubts returns the doubts about single cases: one line for each submission
// and kind of doubt, with the text for the first case and the names of the others.
func (x *comparisonSheets) caseDoubts() []string {
	var lines []string
	for i := range x.Programs {
		var kinds []string
		first, at := make(map[string]string), make(map[string][]string) // by kind: text, cases
		for k := range x.Programs[i].Cells {
			name := x.m.Cases[k].Name
			for _, d := range x.doubtsOf(i, k) {
				if first[d.Kind] == "" {
					first[d.Kind] = d.Text
					kinds = append(kinds, d.Kind)
				}
				if !slices.Contains(at[d.Kind], name) {
					at[d.Kind] = append(at[d.Kind], name)
				}
			}
		}
		for _, kind := range kinds {
			text := "doubt: " + x.m.Submissions[i].Name
			if len(x.m.Cases) > 1 {
				text += " on " + at[kind][0]
			}
			text += ": " + first[kind]
			if more := at[kind][1:]; len(more) > 0 {
				text += "; likewise on " + firstNames(more)
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// doubtsOf returns the doubts about one submission on one case, except the doubt
// of too few runs, which fewForCases notes once.
func (x *comparisonSheets) doubtsOf(i, k int) []stat.Doubt {
	c := &x.Programs[i].Cells[k]
	all := slices.Clone(x.clock.of(c).Doubts)
	if c.Ratio != nil && len(x.m.Cases) > 1 {
		all = append(all, c.Ratio.Doubts...)
	}
	return slices.DeleteFunc(all, func(d stat.Doubt) bool { return d.Kind == "few" })
}
