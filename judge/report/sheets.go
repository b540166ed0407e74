package report

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/strength/adequacy"
	"crucible/judge/terminal"
)

// Sheets returns the tables of a problem: of its measurement, of a search for inputs, or of
// the submissions that were judged and their groups. It returns nil if there is neither.
func Sheets(p *record.Problem) []sheet.Sheet {
	if measured := sheet.OfMeasured(p); measured != nil || len(p.Reports) == 0 {
		return measured
	}
	sheets := []sheet.Sheet{submissions(p)}
	if g := groups(p); len(g.Columns) > 1 {
		sheets = append(sheets, g)
	}
	if a := record.Of[*adequacy.Result](p); a != nil {
		sheets = append(sheet.OfAdequacy(a), sheets...)
	}
	return sheets
}

// submissions returns the table of judged submissions.
func submissions(p *record.Problem) sheet.Sheet {
	s := sheet.Sheet{Title: "Submissions", Columns: []sheet.Column{{Name: "submission"}, {Name: "language"},
		{Name: "expected"}, {Name: "verdict"}, {Name: "score", Number: true},
		{Name: "cases", Number: true}, {Name: "slowest"}, {Name: "CPU", Number: true}, {Name: "wall", Number: true},
		{Name: "memory", Number: true}, {Name: "instructions", Number: true}, {Name: "run"}}}
	for _, r := range p.Reports {
		row := []sheet.Entry{{Text: r.Submission}, {Text: r.Language}, {Text: ExpectedText(r.Expected, terminal.Clean)},
			VerdictEntry(r), {Text: terminal.ScoreOf(r.Score, r.MaxScore)}, {}}
		if r.Skipped == "" {
			row[5].Text = fmt.Sprintf("%d/%d", AcceptedRuns(r), len(p.Cases))
		}
		if run := r.Slowest(); run != nil {
			o, instructions := &run.Outcome, ""
			if o.Instructions > 0 {
				instructions = terminal.Number(float64(o.Instructions))
			}
			row = append(row, sheet.Entry{Text: run.Case}, sheet.Entry{Text: terminal.Duration(o.CPU)},
				sheet.Entry{Text: terminal.Duration(o.Wall)}, sheet.Entry{Text: terminal.Memory(o.Memory)},
				sheet.Entry{Text: instructions}, sheet.Entry{Text: StoredText(run)})
		}
		s.Rows = append(s.Rows, row)
	}
	s.DropEmpty("score", "instructions", "run")
	return s
}

// VerdictEntry returns the verdict of a submission with a mark that shows whether it
// is expected, or the standing of a submission without a verdict.
func VerdictEntry(r *judge.Report) sheet.Entry {
	standing := StandingOf(r)
	text := standing.Text()
	if sign := map[Standing]string{AsExpected: "✓ ", Unexpected: "✗ "}[standing]; sign != "" {
		text = sign + string(FinalVerdict(r))
	}
	return sheet.Entry{Text: text, Mark: standing.Mark()}
}

// groups returns the table of the groups of judged submissions. It has no columns
// of groups if no group has a score.
func groups(p *record.Problem) sheet.Sheet {
	var names, scored []string
	reports := slices.DeleteFunc(slices.Clone(p.Reports), func(r *judge.Report) bool { return r.Groups == nil })
	for _, r := range reports {
		scored = append(scored, r.Submission)
		for _, g := range judge.ShownGroups(r) {
			names = append(names, g.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	s := sheet.Matrix("Scores of groups", "submission", scored, names)
	for i, r := range reports {
		for _, g := range judge.ShownGroups(r) {
			e := sheet.Entry{Text: strings.TrimSpace(string(g.Verdict) + " " + terminal.ScoreOf(g.Score, g.Max))}
			switch {
			case g.Err != nil:
				e = sheet.Entry{Text: JudgeError.Text(), Mark: sheet.Bad}
			case g.NotRun != "":
				e = sheet.Entry{Text: "not run: " + g.NotRun, Mark: sheet.Faint}
			}
			s.Rows[i][1+slices.Index(names, g.Name)] = e
		}
	}
	return s
}
