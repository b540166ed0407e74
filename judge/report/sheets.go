package report

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge"
	"crucible/judge/record"
	"crucible/judge/terminal"
)

// Sheets returns the tables of a problem: of its measurement, of a search for inputs, or of
// the submissions that were judged and their groups. It returns nil if there is neither.
func (w Writer) Sheets(p *record.Problem) []Sheet {
	part := w.part(p)
	return part.sheets(p)
}

func (part *Part) sheets(p *record.Problem) []Sheet {
	sheets := made(part.Sheets)
	if sheets != nil || len(p.Reports) == 0 {
		return sheets
	}
	sheets = append(made(part.Strength), submissions(p))
	if g := groups(p); len(g.Columns) > 1 {
		sheets = append(sheets, g)
	}
	return sheets
}

// made returns the tables that a function makes; nil if there is none.
func made(sheets func() []Sheet) []Sheet {
	if sheets == nil {
		return nil
	}
	return sheets()
}

// submissions returns the table of judged submissions.
func submissions(p *record.Problem) Sheet {
	s := Sheet{Title: "Submissions", Columns: []Column{{Name: "submission"}, {Name: "language"},
		{Name: "expected"}, {Name: "verdict"}, {Name: "score", Number: true},
		{Name: "cases", Number: true}, {Name: "slowest"}, {Name: "CPU", Number: true}, {Name: "wall", Number: true},
		{Name: "memory", Number: true}, {Name: "instructions", Number: true}, {Name: "run"}}}
	for _, r := range p.Reports {
		row := []Entry{{Text: r.Submission}, {Text: r.Language}, {Text: ExpectedText(r.Expected, terminal.Clean)},
			VerdictEntry(r), {Text: terminal.ScoreOf(r.Score, r.MaxScore)}, {}}
		if r.Skipped == "" {
			row[5].Text = fmt.Sprintf("%d/%d", AcceptedRuns(r), len(p.Cases))
		}
		if run := r.Slowest(); run != nil {
			o, instructions := &run.Outcome, ""
			if o.Instructions > 0 {
				instructions = terminal.Number(float64(o.Instructions))
			}
			row = append(row, Entry{Text: run.Case}, Entry{Text: terminal.Duration(o.CPU)},
				Entry{Text: terminal.Duration(o.Wall)}, Entry{Text: terminal.Memory(o.Memory)},
				Entry{Text: instructions}, Entry{Text: StoredText(run)})
		}
		s.Rows = append(s.Rows, row)
	}
	s.DropEmpty("score", "instructions", "run")
	return s
}

// VerdictEntry returns the verdict of a submission with a mark that shows whether it
// is expected, or the standing of a submission without a verdict.
func VerdictEntry(r *judge.Report) Entry {
	standing := StandingOf(r)
	text := standing.Text()
	if sign := map[Standing]string{AsExpected: "✓ ", Unexpected: "✗ "}[standing]; sign != "" {
		text = sign + string(FinalVerdict(r))
	}
	return Entry{Text: text, Mark: standing.Mark()}
}

// groups returns the table of the groups of judged submissions. It has no columns
// of groups if no group has a score.
func groups(p *record.Problem) Sheet {
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
	s := MatrixSheet("Scores of groups", "submission", scored, names)
	for i, r := range reports {
		for _, g := range judge.ShownGroups(r) {
			e := Entry{Text: strings.TrimSpace(string(g.Verdict) + " " + terminal.ScoreOf(g.Score, g.Max))}
			switch {
			case g.Err != nil:
				e = Entry{Text: JudgeError.Text(), Mark: Bad}
			case g.NotRun != "":
				e = Entry{Text: "not run: " + g.NotRun, Mark: Faint}
			}
			s.Rows[i][1+slices.Index(names, g.Name)] = e
		}
	}
	return s
}
