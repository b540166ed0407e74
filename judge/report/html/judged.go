package html

import (
	"encoding/json"
	"fmt"
	"html/template"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// judged is the part of a problem whose submissions were judged.
func (part *part) judged(p *record.Problem) {
	if part.Bounds != "" {
		part.Bounds += ", "
	}
	part.Bounds += units.Count(len(p.Cases), "case")
	part.Claims = judgedClaims(p)
	if len(p.Reports) == 0 {
		return
	}
	part.Heat = heatOf(p, part.ID)
	part.Sections = append(part.Sections, section{Title: "Submissions", Tables: open(submissionSheets(p)...)})
	if ran(p) == 0 {
		return
	}
	part.Sections = append(part.Sections, judgedTimes(p), judgedCactus(p), judgedMemory(p))
}

// ran counts the runs that there are facts of.
func ran(p *record.Problem) int {
	n := 0
	for _, r := range p.Reports {
		for i := range r.Runs {
			if r.Runs[i].Err == nil {
				n++
			}
		}
	}
	return n
}

// judgedClaims says how many submissions are as expected, and what is wrong
// with those that are not.
func judgedClaims(p *record.Problem) []claim {
	if len(p.Reports) == 0 {
		return []claim{{Mark: sheet.Faint, Word: "nothing judged", Text: "There is no submission here."}}
	}
	words := map[report.Standing]string{report.Unexpected: "not as expected", report.JudgeError: "judge error", report.Broken: "package error", report.Skipped: "skipped", report.Unfinished: "interrupted"}
	marks := map[report.Standing]sheet.Mark{report.Unexpected: sheet.Bad, report.JudgeError: sheet.Bad, report.Broken: sheet.Bad, report.Skipped: sheet.Faint, report.Unfinished: sheet.Doubt}
	standings := map[report.Standing]int{}
	var rest []claim
	for _, r := range p.Reports {
		standing := report.StandingOf(r)
		standings[standing]++
		if standing == report.AsExpected {
			continue
		}
		claim := claim{Mark: marks[standing], Word: words[standing], Who: r.Submission, Text: report.Headline(r), Lines: report.Reasons(r)}
		if claim.Text == claim.Word {
			claim.Text = ""
		}
		if len(claim.Lines) == 1 {
			claim.Notes, claim.Lines = claim.Lines, nil
		}
		rest = append(rest, claim)
	}
	order := []sheet.Mark{sheet.Bad, sheet.Doubt, sheet.Faint}
	slices.SortStableFunc(rest, func(a, b claim) int { return slices.Index(order, a.Mark) - slices.Index(order, b.Mark) })
	all := claim{Mark: sheet.Good, Word: "as expected", Number: fmt.Sprintf("%d of %d", standings[report.AsExpected], len(p.Reports))}
	switch {
	case standings[report.Unexpected]+standings[report.JudgeError]+standings[report.Broken] > 0:
		all.Mark = sheet.Bad
	case len(rest) > 0:
		all.Mark = sheet.Doubt
	}
	var parts []string
	for _, standing := range []report.Standing{report.Unexpected, report.JudgeError, report.Broken, report.Unfinished, report.Skipped} {
		if n := standings[standing]; n > 0 {
			text := strconv.Itoa(n) + " " + words[standing]
			if standing == report.JudgeError || standing == report.Broken {
				text = units.Count(n, words[standing])
			}
			parts = append(parts, text)
		}
	}
	all.Text = strings.Join(parts, ", ")
	return append([]claim{all}, rest...)
}

// An heat is the matrix of verdicts. It is a table, and a picture too: its
// cells are colored, and page.js tells of one what is in the lists.
type heat struct {
	ID     string              `json:"id"`
	CPU    [][]json.RawMessage `json:"cpu"`    // seconds, by row and case; null where nothing ran
	Memory [][]json.RawMessage `json:"memory"` // bytes
	Why    map[string]string   `json:"why"`    // by "row,case"
	Cases  []heatCase          `json:"-"`
	Rows   []heatRow           `json:"-"`
	Keys   []heatKey           `json:"-"`
}

// An heatCase heads a column: the end of its name, and the whole.
type heatCase struct {
	Short, Name string
	Border      bool // it begins a folder
}

// An heatRow is a submission; its cells are ready, because there may be
// many thousands.
type heatRow struct {
	Name    string
	Mark    sheet.Mark
	Verdict string
	Cells   template.HTML
}

// An heatKey is an entry of the legend.
type heatKey struct{ Class, Sign, Text string }

func heatOf(p *record.Problem, part string) *heat {
	h := &heat{ID: part + "-verdicts", Why: map[string]string{}}
	for i, name := range p.Cases {
		border := i > 0 && path.Dir(p.Cases[i-1]) != path.Dir(name)
		h.Cases = append(h.Cases, heatCase{Short: htmlClip(name, 18), Name: nameShown(name), Border: border})
	}
	seen := map[problem.Verdict]bool{}
	for row, r := range p.Reports {
		h.row(p, r, row, seen)
	}
	h.keys(seen, p.Limits.Time)
	return h
}

// row adds a submission to the matrix, and its verdicts to those seen.
func (h *heat) row(p *record.Problem, r *judge.Report, row int, seen map[problem.Verdict]bool) {
	at := make(map[string]*judge.Run, len(r.Runs))
	for i := range r.Runs {
		at[r.Runs[i].Case] = &r.Runs[i]
	}
	var cells strings.Builder
	cpu, memory := make([]json.RawMessage, len(p.Cases)), make([]json.RawMessage, len(p.Cases))
	for i, name := range p.Cases {
		run := at[name]
		class, word := "none", ""
		cpu[i], memory[i] = json.RawMessage("null"), json.RawMessage("null")
		if run != nil {
			v := run.Verdict
			if run.Err != nil {
				v = ""
			} else {
				cpu[i], memory[i] = number(run.Outcome.CPU.Seconds()), number(float64(run.Outcome.Memory))
			}
			seen[v] = true
			class, word = verdictClass(v, run.Outcome.CPU, p.Limits.Time), verdictWord(v)
			if why := report.Why(run); why != "" {
				h.Why[fmt.Sprintf("%d,%d", row, i)] = why
			}
		}
		if h.Cases[i].Border {
			class += " edge"
		}
		// Both are ours: neither needs escaping.
		fmt.Fprintf(&cells, `<td class="%s">%s</td>`, class, word)
	}
	h.CPU, h.Memory = append(h.CPU, cpu), append(h.Memory, memory)
	mark := map[report.Standing]sheet.Mark{report.AsExpected: sheet.Good, report.Unexpected: sheet.Bad, report.JudgeError: sheet.Bad, report.Broken: sheet.Bad, report.Unfinished: sheet.Doubt, report.Skipped: sheet.Faint}[report.StandingOf(r)]
	h.Rows = append(h.Rows, heatRow{Name: r.Submission, Mark: mark, Verdict: map[report.Standing]string{report.AsExpected: "✓ ", report.Unexpected: "✗ "}[report.StandingOf(r)] + string(report.FinalVerdict(r)), Cells: template.HTML(cells.String())})
}

// verdictWord is the verdict as it is shown: JE where the judge failed.
func verdictWord(v problem.Verdict) string {
	if v == "" {
		return string(report.JudgeError)
	}
	return string(v)
}

// verdictClass colors a cell. What is accepted is the darker the more of the
// time limit it took.
func verdictClass(v problem.Verdict, cpu, limit time.Duration) string {
	if v != problem.Accepted {
		return verdictWord(v)
	}
	if limit <= 0 {
		return "AC1"
	}
	for i, share := range []float64{0.1, 0.25, 0.5} {
		if cpu.Seconds() < share*limit.Seconds() {
			return "AC" + strconv.Itoa(i)
		}
	}
	return "AC3"
}

func (h *heat) keys(seen map[problem.Verdict]bool, limit time.Duration) {
	if seen[problem.Accepted] && limit > 0 {
		for i, text := range []string{"below 10 % of the time limit", "below 25 %", "below 50 %", "50 % and more"} {
			h.Keys = append(h.Keys, heatKey{"AC" + strconv.Itoa(i), "AC", text})
		}
	} else if seen[problem.Accepted] {
		h.Keys = append(h.Keys, heatKey{"AC1", "AC", "accepted"})
	}
	for _, k := range verdictKeys(seen) {
		if k.Key != "AC" {
			h.Keys = append(h.Keys, heatKey{k.Key, k.Key, k.Text})
		}
	}
}

// verdictKeys is the legend of the verdicts there are.
func verdictKeys(seen map[problem.Verdict]bool) []legendKey {
	var keys []legendKey
	for _, one := range []struct {
		v    problem.Verdict
		text string
	}{
		{problem.Accepted, "accepted"}, {problem.WrongAnswer, "wrong answer"}, {problem.TimeLimit, "time limit"}, {problem.MemoryLimit, "memory limit"},
		{problem.OutputLimit, "output limit"}, {problem.RuntimeError, "run-time error"}, {problem.CompileError, "compile error"}, {"", "judge error"},
	} {
		if seen[one.v] {
			keys = append(keys, legendKey{Key: verdictWord(one.v), Text: one.text})
		}
	}
	return keys
}

// submissionSheets is the table of submissions, and one of their groups' scores.
func submissionSheets(p *record.Problem) []sheet.Sheet {
	s := sheet.Sheet{Title: "Submissions", Columns: []sheet.Column{{Name: "submission"}, {Name: "language"}, {Name: "expected"}, {Name: "verdict"}, {Name: "score", Number: true},
		{Name: "cases", Number: true}, {Name: "slowest"}, {Name: "CPU", Number: true}, {Name: "wall", Number: true}, {Name: "memory", Number: true}}}
	scored := slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return r.Groups != nil })
	for _, r := range p.Reports {
		slowest, cpu, wall, memory := "", "", "", ""
		if run := r.Slowest(); run != nil {
			o := run.Outcome
			slowest, cpu, wall, memory = run.Case, units.Duration(o.CPU), units.Duration(o.Wall), units.Memory(o.Memory)
		}
		got := map[report.Standing]sheet.Entry{report.AsExpected: {Text: "✓ " + string(report.FinalVerdict(r)), Mark: sheet.Good}, report.Unexpected: {Text: "✗ " + string(report.FinalVerdict(r)), Mark: sheet.Bad}, report.JudgeError: {Text: "judge error", Mark: sheet.Bad}, report.Broken: {Text: "package error", Mark: sheet.Bad}, report.Skipped: {Text: "skipped", Mark: sheet.Faint}, report.Unfinished: {Text: "interrupted", Mark: sheet.Doubt}}[report.StandingOf(r)]
		s.Rows = append(s.Rows, []sheet.Entry{{Text: r.Submission}, {Text: r.Language}, {Text: report.ExpectedText(r.Expected, terminal.Clean)}, got, {Text: units.ScoreOf(r.Score, r.MaxScore)},
			{Text: fmt.Sprintf("%d/%d", report.AcceptedRuns(r), len(p.Cases))}, {Text: slowest}, {Text: cpu}, {Text: wall}, {Text: memory}})
	}
	if !scored {
		s.Columns = slices.Delete(s.Columns, 4, 5)
		for i := range s.Rows {
			s.Rows[i] = slices.Delete(s.Rows[i], 4, 5)
		}
		return []sheet.Sheet{s}
	}
	g := sheet.Sheet{Title: "Scores of groups", Columns: []sheet.Column{{Name: "submission"}, {Name: "group"}, {Name: "verdict"}, {Name: "score", Number: true}}}
	for _, r := range p.Reports {
		for _, one := range judge.ShownGroups(r) {
			word := sheet.Entry{Text: string(one.Verdict)}
			switch {
			case one.Err != nil:
				word = sheet.Entry{Text: "judge error", Mark: sheet.Bad}
			case one.NotRun != "":
				word = sheet.Entry{Text: "not run: " + one.NotRun, Mark: sheet.Faint}
			}
			g.Rows = append(g.Rows, []sheet.Entry{{Text: r.Submission}, {Text: one.Name}, word, {Text: units.ScoreOf(one.Score, one.Max)}})
		}
	}
	if g.Rows == nil {
		return []sheet.Sheet{s}
	}
	return []sheet.Sheet{s, g}
}
