package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/mutate"
	"crucible/judge/terminal"
)

// OfAdequacy returns the tables of how strong test data is: the answer in short, the kill matrix, the cases,
// the smallest sets, the mutation score and the survivors, and what tests of the validators showed.
func OfAdequacy(r *adequacy.Result) []report.Sheet {
	sheets := []report.Sheet{inShort(r), killMatrix(r), worthOfCases(r), sufficientSets(r)}
	if m := r.Mutation; m != nil {
		sheets = append(sheets, mutationScores(r))
		if r.Improved != nil {
			sheets = append(sheets, improvement(r))
		}
		sheets = append(sheets, operators(m))
		if survivors := survivors(m); len(survivors.Rows) > 0 {
			sheets = append(sheets, survivors, diffs(m))
		}
	}
	if r.Probe != nil {
		sheets = append(sheets, r.Probe.Sheets()...)
	}
	return slices.DeleteFunc(sheets, func(s report.Sheet) bool { return len(s.Rows)+len(s.Notes) == 0 })
}

// inShort returns the answer in one sentence.
func inShort(r *adequacy.Result) report.Sheet {
	var parts, left []string
	wrong := 0
	for i := range r.Submissions {
		if one := &r.Submissions[i]; one.Compiled {
			wrong++
			if one.RejectedBy == 0 {
				left = append(left, one.Name)
			}
		}
	}
	if wrong > 0 {
		parts = append(parts, fmt.Sprintf("the cases reject %d of %s", wrong-len(left),
			terminal.Count(wrong, "wrong submission")))
	}
	smallest := &r.Smallest
	if m := r.Mutation; m != nil && m.Scores.Headline.Of > 0 {
		score := m.Scores.Headline
		text := "kill " + terminal.Share(score.Share.P) + " of the mutants"
		if between := shareRange(score); between != "" {
			text += ", " + between
		}
		if wrong == 0 {
			text = "the cases " + text
		}
		parts, smallest = append(parts, text), &m.Smallest
	}
	if len(parts) == 0 {
		return report.Sheet{}
	}
	notes := []string{strings.Join(parts, ", and ")}
	if n := len(smallest.Cases); n > 0 && n < len(r.Cases) {
		notes[0] += fmt.Sprintf("; %d of the %d cases would do", n, len(r.Cases))
	}
	if len(left) > 0 {
		notes = append(notes, "not rejected: "+some(left, mostNames))
	}
	if m := r.Mutation; m != nil && r.Improved == nil && m.Count(adequacy.Survived) > 0 {
		notes = append(notes, "--improve searches for cases that kill what survives")
	}
	return report.Sheet{Title: "In short", Notes: notes}
}

// VerdictMarks distinguish verdicts by one character. The empty verdict is a case that was
// not run.
var VerdictMarks = map[problem.Verdict]string{
	problem.Accepted: "·", problem.WrongAnswer: "W", problem.TimeLimit: "T", problem.MemoryLimit: "M",
	problem.OutputLimit: "O", problem.RuntimeError: "R", problem.Undecided: " ",
}

// mostMarks is the largest number of cases for which the kill matrix has marks.
const mostMarks = 100

// killMatrix returns the table of the wrong submissions.
func killMatrix(r *adequacy.Result) report.Sheet {
	s := report.Sheet{Title: "Wrong submissions", Columns: []report.Column{{Name: "submission", Names: true},
		{Name: "language"}, {Name: "rejected by", Number: true}, {Name: "alone by"}, {Name: "cases in order"}}}
	for i := range r.Submissions {
		one := &r.Submissions[i]
		row := []report.Entry{{Text: one.Name}, {Text: one.Language, Mark: report.Faint},
			{Text: strconv.Itoa(one.RejectedBy)}, {}, {}}
		switch {
		case !one.Compiled:
			row[2] = report.Entry{Text: string(problem.CompileError), Mark: report.Faint}
		case one.RejectedBy == 0:
			row[2] = report.Entry{Text: "none: survives", Mark: report.Bad}
		}
		for c := range r.Cases {
			if slices.Contains(r.Cases[c].Alone, one.Name) {
				row[3].Text = r.Cases[c].Name
			}
		}
		if len(r.Cases) <= mostMarks && one.Compiled {
			var b strings.Builder
			for _, v := range one.Verdicts {
				b.WriteString(VerdictMarks[v])
			}
			row[4].Text = "▏" + b.String() + "▕"
		}
		s.Rows = append(s.Rows, row)
	}
	s.DropEmpty("alone by", "cases in order")
	if len(r.Submissions) == 0 {
		s.Notes = append(s.Notes, "no submission is expected to be rejected")
	} else if len(r.Cases) <= mostMarks {
		s.Notes = append(s.Notes,
			"cases in order: · accepted, W wrong answer, T time limit, M memory limit, O output limit, R run-time error")
	}
	for _, note := range r.Notes {
		s.Notes = append(s.Notes, "doubt: "+terminal.Clean(note))
	}
	return s
}

// worthOfCases returns the table of the cases.
func worthOfCases(r *adequacy.Result) report.Sheet {
	s := report.Sheet{Title: "Cases", Detail: true, Columns: []report.Column{{Name: "case", Names: true},
		{Name: "CPU", Number: true}, {Name: "rejects", Number: true}, {Name: "alone", Number: true}}}
	mutants := r.Mutation != nil
	if mutants {
		s.Columns = append(s.Columns, report.Column{Name: "kills mutants", Number: true},
			report.Column{Name: "kills alone", Number: true})
	}
	s.Columns = append(s.Columns, report.Column{Name: "contributes"})
	for i := range r.Cases {
		c := &r.Cases[i]
		row := []report.Entry{{Text: c.Name}, {Text: known(c.CPU)}, count(c.Rejects), count(len(c.Alone))}
		within, kept, none := c.Within, c.Kept, c.Rejects == 0
		if mutants {
			row = append(row, count(c.Kills), count(c.KillsOnly))
			within, kept, none = c.WithinAll, c.KeptAll, none && c.Kills == 0
		}
		last := report.Entry{}
		switch {
		case none:
			last = report.Entry{Text: "rejects nothing", Mark: report.Faint}
		case kept:
			last = report.Entry{Text: "in the smallest set", Mark: report.Good}
		case within != "":
			last = report.Entry{Text: "nothing new: " + within + " rejects the same and maybe more", Mark: report.Faint}
		}
		s.Rows = append(s.Rows, append(row, last))
	}
	s.Notes = append(s.Notes, "alone: those that no other case rejects; CPU: median of the accepted submissions")
	return s
}

func count(n int) report.Entry {
	if n == 0 {
		return report.Entry{Text: "0", Mark: report.Faint}
	}
	return report.Entry{Text: strconv.Itoa(n)}
}

// known formats a CPU time; 0 is not known.
func known(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return terminal.Duration(d)
}

// sufficientSets returns the table of the smallest sets, and the order.
func sufficientSets(r *adequacy.Result) report.Sheet {
	s := report.Sheet{Title: "Smallest sets of cases that reject the same programs",
		Columns: []report.Column{{Name: "programs"}, {Name: "cases", Number: true}, {Name: ""}, {Name: "CPU", Number: true},
			{Name: "all cases", Number: true}, {Name: "names"}}}
	row := func(programs string, x *adequacy.Sufficient) {
		proof := report.Entry{Text: "proved", Mark: report.Good}
		if !x.Proved {
			proof = report.Entry{Text: fmt.Sprintf("at least %d", x.AtLeast), Mark: report.Doubt}
		}
		s.Rows = append(s.Rows, []report.Entry{{Text: programs},
			{Text: fmt.Sprintf("%d of %d", len(x.Cases), len(r.Cases))}, proof,
			{Text: terminal.Duration(x.CPU)}, {Text: terminal.Duration(x.CPUAll)}, {Text: some(x.Cases, mostNames)}})
	}
	if len(r.Smallest.Cases) > 0 {
		row("wrong submissions", &r.Smallest)
	}
	if r.Mutation != nil && len(r.Mutation.Smallest.Cases) > 0 {
		row("with mutants", &r.Mutation.Smallest)
	}
	if o := &r.Order; o.Rejected > 0 {
		who := "a wrong submission"
		if o.Mutants {
			who = "a mutant"
		}
		s.Notes = append(s.Notes, fmt.Sprintf("order that rejects soonest: %s", some(o.Cases, mostNames)),
			fmt.Sprintf("in this order %s is rejected after %s of CPU time on average, instead of %s in the order of the "+
				"package", who, terminal.Duration(o.Mean), terminal.Duration(o.MeanNow)))
	}
	return s
}

// mostNames is the largest number of cases that a table names in one place. JSON has all.
const mostNames = 12

// some joins the first names, with the number of the others.
func some(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// mutationScores returns the table of the scores.
func mutationScores(r *adequacy.Result) report.Sheet {
	m := r.Mutation
	s := report.Sheet{Title: "Mutation score", Columns: []report.Column{{Name: "mutants"}, {Name: "killed", Number: true},
		{Name: "of", Number: true}, {Name: "score", Number: true}, {Name: "interval", Number: true}}}
	row := func(what string, x adequacy.Score) {
		entries := []report.Entry{{Text: what}, {Text: strconv.Itoa(x.Killed)}, {Text: strconv.Itoa(x.Of)},
			{Text: "?", Mark: report.Doubt}, {}}
		if x.Of > 0 {
			entries[3], entries[4].Text = report.Entry{Text: terminal.Share(x.Share.P)}, shareRange(x)
		}
		s.Rows = append(s.Rows, entries)
	}
	row("all", m.Scores.Headline)
	if m.Scores.Equivalent > 0 {
		row("without likely equivalent", m.Scores.Without)
	}
	row("subsuming, and survivors", m.Scores.Subsuming)
	s.Notes = append(s.Notes,
		fmt.Sprintf("%d of %s of %s, seed %d; the score is that of all possible mutants, and each one here counts for "+
			"those of its operator", len(m.Mutants), terminal.Count(m.Possible, "possible mutant"),
			terminal.Count(len(m.Sources), "submission"), r.Seed))
	var apart []string
	for _, f := range adequacy.Fates {
		if n := m.Count(f); n > 0 && f != adequacy.Killed && f != adequacy.Survived {
			apart = append(apart, fmt.Sprintf("%d %s", n,
				f)+map[adequacy.Fate]string{adequacy.OnlyWeak: " (TLE below twice the limit)",
				adequacy.SameCode: " as the original or another mutant"}[f])
		}
	}
	if len(apart) > 0 {
		s.Notes = append(s.Notes, "counted apart: "+strings.Join(apart, ", "))
	}
	if m.Subsuming > 0 {
		s.Notes = append(s.Notes,
			fmt.Sprintf("subsuming: test data that kills these %d kills all that are killed; duplicates, which the same "+
				"cases kill as another: %d", m.Subsuming, m.Duplicates))
	}
	if r.Cut != "" {
		partial := 0
		for i := range m.Mutants {
			if m.Mutants[i].Partial {
				partial++
			}
		}
		s.Notes = append(s.Notes, fmt.Sprintf("doubt: %s: %s did not run; killed before they ran on all cases: %d",
			r.Cut, terminal.Count(m.Count(adequacy.NotRun), "mutant"), partial))
	}
	return s
}

// improvement returns the table of the cases that were added.
func improvement(r *adequacy.Result) report.Sheet {
	x := r.Improved
	s := report.Sheet{Title: "Improvement", Columns: []report.Column{{Name: "new case", Names: true},
		{Name: "bytes", Number: true}, {Name: "kills", Number: true}, {Name: "mutants that survived"}}}
	for _, a := range x.Added {
		s.Rows = append(s.Rows, []report.Entry{{Text: a.Case, Mark: report.Good}, {Text: strconv.Itoa(a.Bytes)},
			{Text: strconv.Itoa(len(a.Kills))}, {Text: some(a.Kills, 3), Mark: report.Faint}})
	}
	if len(x.Added) == 0 {
		s.Notes = append(s.Notes, "no case was added")
	}
	before, after := x.Before.Headline, x.After.Headline
	s.Notes = append(s.Notes,
		fmt.Sprintf("score before: %s, %d of %d; after: %s, %d of %d; without likely equivalent ones: %s",
			terminal.Share(before.Share.P), before.Killed, before.Of,
			terminal.Share(after.Share.P), after.Killed, after.Of, terminal.Share(x.After.Without.Share.P)),
		fmt.Sprintf("%s tried in %s; %s likely equivalent", terminal.Count(x.Inputs, "input"), terminal.Duration(x.Took),
			terminal.Count(x.After.Equivalent, "survivor")))
	return s
}

// shareRange formats the interval of a score; "" if all mutants were run.
func shareRange(x adequacy.Score) string {
	if x.Share.Lo == x.Share.Hi {
		return ""
	}
	return fmt.Sprintf("%s to %s (%s)", terminal.Share(x.Share.Lo), terminal.Share(x.Share.Hi),
		terminal.Percent(x.Share.Confidence))
}

// operators returns the table of the operators.
func operators(m *adequacy.Mutation) report.Sheet {
	s := report.Sheet{Title: "Mutants by operator", Detail: true, Columns: []report.Column{{Name: "operator"},
		{Name: "killed", Number: true}, {Name: "survived", Number: true}, {Name: "imitates"}}}
	for _, op := range mutate.Operators {
		killed, survived := 0, 0
		for i := range m.Mutants {
			switch one := &m.Mutants[i]; {
			case one.Operator != op.Name:
			case one.Fate == adequacy.Killed:
				killed++
			case one.Fate == adequacy.Survived:
				survived++
			}
		}
		if killed+survived > 0 {
			left := count(survived)
			if survived > 0 {
				left.Mark = report.Doubt
			}
			s.Rows = append(s.Rows, []report.Entry{{Text: op.Name}, count(killed), left, {Text: op.Bug, Mark: report.Faint}})
		}
	}
	return s
}

// mostCode is the width of a line of a program in the table of survivors.
const mostCode = 44

// survivors returns the table of the survivors, first those that are not likely to be
// equivalent.
func survivors(m *adequacy.Mutation) report.Sheet {
	s := report.Sheet{Title: "Survivors", Columns: []report.Column{{Name: "mutant", Names: true}, {Name: "original"},
		{Name: "mutant"}, {Name: "nearest cases"}}}
	for _, equivalent := range []bool{false, true} {
		for i := range m.Mutants {
			one := &m.Mutants[i]
			if one.Fate != adequacy.Survived || one.Equivalent != equivalent {
				continue
			}
			old, changed := aroundChange(changedLines(one.Diff))
			row := []report.Entry{{Text: one.Name(), Mark: report.Doubt}, {Text: old}, {Text: changed},
				{Text: strings.Join(one.Nearest, ", "), Mark: report.Faint}}
			if equivalent {
				row[0].Mark, row[3] = report.Faint, report.Entry{Text: "likely equivalent", Mark: report.Faint}
			}
			s.Rows = append(s.Rows, row)
		}
	}
	s.Notes = append(s.Notes,
		"a survivor is a bug that no case finds, or is equivalent to the original: --improve searches for such a case; "+
			"nearest cases kill the mutants nearest to it")
	return s
}

// changedLines returns the removed and the added lines of a diff, each on one line.
func changedLines(diff string) (old, changed string) {
	var lines [2][]string
	for i, line := range strings.Split(diff, "\n") {
		switch text := strings.TrimSpace(strings.TrimLeft(line, "+-")); {
		case i < 2: // the names of the file
		case strings.HasPrefix(line, "-"):
			lines[0] = append(lines[0], text)
		case strings.HasPrefix(line, "+"):
			lines[1] = append(lines[1], text)
		}
	}
	return terminal.Clean(strings.Join(lines[0], " ")), terminal.Clean(strings.Join(lines[1], " "))
}

// aroundChange clips two lines to mostCode. What both begin with is cut if the change
// would not be seen otherwise.
func aroundChange(old, changed string) (string, string) {
	const before = 12 // characters that are kept before the change
	a, b := []rune(old), []rune(changed)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	if cut := same - before; cut > 0 && max(len(a), len(b)) > mostCode {
		old, changed = "…"+string(a[cut:]), "…"+string(b[cut:])
	}
	return terminal.Clip(old, mostCode), terminal.Clip(changed, mostCode)
}

// diffs returns the complete diffs of the survivors.
func diffs(m *adequacy.Mutation) report.Sheet {
	s := report.Sheet{Title: "Survivors as diffs", Detail: true, Grouped: true,
		Columns: []report.Column{{Name: "mutant", Names: true}, {Name: ""}}}
	for i := range m.Mutants {
		one := &m.Mutants[i]
		if one.Fate != adequacy.Survived {
			continue
		}
		for n, line := range strings.Split(strings.TrimRight(one.Diff, "\n"), "\n") {
			if n < 2 {
				continue
			}
			mark := report.Plain
			switch {
			case strings.HasPrefix(line, "-"):
				mark = report.Bad
			case strings.HasPrefix(line, "+"):
				mark = report.Good
			case strings.HasPrefix(line, "@"):
				mark = report.Faint
			}
			s.Rows = append(s.Rows, []report.Entry{{Text: one.Name()},
				{Text: terminal.Clean(strings.ReplaceAll(line, "\t", "    ")), Mark: mark}})
		}
	}
	return s
}
