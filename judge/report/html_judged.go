package report

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
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// judged is the part of a problem whose submissions were judged.
func (part *htmlPart) judged(p *record.Problem) {
	if part.Bounds != "" {
		part.Bounds += ", "
	}
	part.Bounds += Count(len(p.Cases), "case")
	part.Claims = judgedClaims(p)
	if len(p.Reports) == 0 {
		return
	}
	part.Heat = heatOf(p, part.ID)
	part.Sections = append(part.Sections, htmlSection{Title: "Submissions", Tables: open(submissionSheets(p)...)})
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
func judgedClaims(p *record.Problem) []htmlClaim {
	if len(p.Reports) == 0 {
		return []htmlClaim{{Mark: Faint, Word: "nothing judged", Text: "There is no submission here."}}
	}
	words := map[Standing]string{Unexpected: "not as expected", JudgeError: "judge error", Broken: "package error", Skipped: "skipped", Unfinished: "interrupted"}
	marks := map[Standing]Mark{Unexpected: Bad, JudgeError: Bad, Broken: Bad, Skipped: Faint, Unfinished: Doubt}
	standings := map[Standing]int{}
	var rest []htmlClaim
	for _, r := range p.Reports {
		standing := StandingOf(r)
		standings[standing]++
		if standing == AsExpected {
			continue
		}
		claim := htmlClaim{Mark: marks[standing], Word: words[standing], Who: r.Submission, Text: Headline(r), Lines: Reasons(r)}
		if claim.Text == claim.Word {
			claim.Text = ""
		}
		if len(claim.Lines) == 1 {
			claim.Notes, claim.Lines = claim.Lines, nil
		}
		rest = append(rest, claim)
	}
	order := []Mark{Bad, Doubt, Faint}
	slices.SortStableFunc(rest, func(a, b htmlClaim) int { return slices.Index(order, a.Mark) - slices.Index(order, b.Mark) })
	all := htmlClaim{Mark: Good, Word: "as expected", Number: fmt.Sprintf("%d of %d", standings[AsExpected], len(p.Reports))}
	switch {
	case standings[Unexpected]+standings[JudgeError]+standings[Broken] > 0:
		all.Mark = Bad
	case len(rest) > 0:
		all.Mark = Doubt
	}
	var parts []string
	for _, standing := range []Standing{Unexpected, JudgeError, Broken, Unfinished, Skipped} {
		if n := standings[standing]; n > 0 {
			text := strconv.Itoa(n) + " " + words[standing]
			if standing == JudgeError || standing == Broken {
				text = Count(n, words[standing])
			}
			parts = append(parts, text)
		}
	}
	all.Text = strings.Join(parts, ", ")
	return append([]htmlClaim{all}, rest...)
}

// An htmlHeat is the matrix of verdicts. It is a table, and a picture too: its
// cells are colored, and page.js tells of one what is in the lists.
type htmlHeat struct {
	ID     string              `json:"id"`
	CPU    [][]json.RawMessage `json:"cpu"`    // seconds, by row and case; null where nothing ran
	Memory [][]json.RawMessage `json:"memory"` // bytes
	Why    map[string]string   `json:"why"`    // by "row,case"
	Cases  []htmlCase          `json:"-"`
	Rows   []htmlHeatRow       `json:"-"`
	Keys   []htmlHeatKey       `json:"-"`
}

// An htmlCase heads a column: the end of its name, and the whole.
type htmlCase struct {
	Short, Name string
	Border      bool // it begins a folder
}

// An htmlHeatRow is a submission; its cells are ready, because there may be
// many thousands.
type htmlHeatRow struct {
	Name    string
	Mark    Mark
	Verdict string
	Cells   template.HTML
}

// An htmlHeatKey is an entry of the legend.
type htmlHeatKey struct{ Class, Sign, Text string }

func heatOf(p *record.Problem, part string) *htmlHeat {
	h := &htmlHeat{ID: part + "-verdicts", Why: map[string]string{}}
	for i, name := range p.Cases {
		border := i > 0 && path.Dir(p.Cases[i-1]) != path.Dir(name)
		h.Cases = append(h.Cases, htmlCase{Short: htmlClip(name, 18), Name: nameShown(name), Border: border})
	}
	seen := map[problem.Verdict]bool{}
	for row, r := range p.Reports {
		h.row(p, r, row, seen)
	}
	h.keys(seen, p.Limits.Time)
	return h
}

// row adds a submission to the matrix, and its verdicts to those seen.
func (h *htmlHeat) row(p *record.Problem, r *judge.Report, row int, seen map[problem.Verdict]bool) {
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
			if why := Why(run); why != "" {
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
	mark := map[Standing]Mark{AsExpected: Good, Unexpected: Bad, JudgeError: Bad, Broken: Bad, Unfinished: Doubt, Skipped: Faint}[StandingOf(r)]
	h.Rows = append(h.Rows, htmlHeatRow{Name: r.Submission, Mark: mark, Verdict: map[Standing]string{AsExpected: "✓ ", Unexpected: "✗ "}[StandingOf(r)] + string(verdict(r)), Cells: template.HTML(cells.String())})
}

// verdictWord is the verdict as it is shown: JE where the judge failed.
func verdictWord(v problem.Verdict) string {
	if v == "" {
		return string(JudgeError)
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

func (h *htmlHeat) keys(seen map[problem.Verdict]bool, limit time.Duration) {
	if seen[problem.Accepted] && limit > 0 {
		for i, text := range []string{"below 10 % of the time limit", "below 25 %", "below 50 %", "50 % and more"} {
			h.Keys = append(h.Keys, htmlHeatKey{"AC" + strconv.Itoa(i), "AC", text})
		}
	} else if seen[problem.Accepted] {
		h.Keys = append(h.Keys, htmlHeatKey{"AC1", "AC", "accepted"})
	}
	for _, k := range verdictKeys(seen) {
		if k.Key != "AC" {
			h.Keys = append(h.Keys, htmlHeatKey{k.Key, k.Key, k.Text})
		}
	}
}

// verdictKeys is the legend of the verdicts there are.
func verdictKeys(seen map[problem.Verdict]bool) []htmlKey {
	var keys []htmlKey
	for _, one := range []struct {
		v    problem.Verdict
		text string
	}{
		{problem.Accepted, "accepted"}, {problem.WrongAnswer, "wrong answer"}, {problem.TimeLimit, "time limit"}, {problem.MemoryLimit, "memory limit"},
		{problem.OutputLimit, "output limit"}, {problem.RuntimeError, "run-time error"}, {problem.CompileError, "compile error"}, {"", "judge error"},
	} {
		if seen[one.v] {
			keys = append(keys, htmlKey{Key: verdictWord(one.v), Text: one.text})
		}
	}
	return keys
}

// submissionSheets is the table of submissions, and one of their groups' scores.
func submissionSheets(p *record.Problem) []Sheet {
	s := Sheet{Title: "Submissions", Columns: []Column{{Name: "submission"}, {Name: "language"}, {Name: "expected"}, {Name: "verdict"}, {Name: "score", Number: true},
		{Name: "cases", Number: true}, {Name: "slowest"}, {Name: "CPU", Number: true}, {Name: "wall", Number: true}, {Name: "memory", Number: true}}}
	scored := slices.ContainsFunc(p.Reports, func(r *judge.Report) bool { return r.Groups != nil })
	for _, r := range p.Reports {
		slowest, cpu, wall, memory := "", "", "", ""
		if run := r.Slowest(); run != nil {
			o := run.Outcome
			slowest, cpu, wall, memory = run.Case, units.Duration(o.CPU), units.Duration(o.Wall), Memory(o.Memory)
		}
		got := map[Standing]Entry{AsExpected: {"✓ " + string(verdict(r)), Good}, Unexpected: {"✗ " + string(verdict(r)), Bad}, JudgeError: {"judge error", Bad}, Broken: {"package error", Bad}, Skipped: {"skipped", Faint}, Unfinished: {"interrupted", Doubt}}[StandingOf(r)]
		s.Rows = append(s.Rows, []Entry{{Text: r.Submission}, {Text: r.Language}, {Text: expectedVerdicts(r.Expected, terminal.Clean)}, got, {Text: points(r.Score, r.MaxScore)},
			{Text: fmt.Sprintf("%d/%d", accepted(r), len(p.Cases))}, {Text: slowest}, {Text: cpu}, {Text: wall}, {Text: memory}})
	}
	if !scored {
		s.Columns = slices.Delete(s.Columns, 4, 5)
		for i := range s.Rows {
			s.Rows[i] = slices.Delete(s.Rows[i], 4, 5)
		}
		return []Sheet{s}
	}
	g := Sheet{Title: "Scores of groups", Columns: []Column{{Name: "submission"}, {Name: "group"}, {Name: "verdict"}, {Name: "score", Number: true}}}
	for _, r := range p.Reports {
		for _, one := range groups(r) {
			word := Entry{Text: string(one.Verdict)}
			switch {
			case one.Err != nil:
				word = Entry{Text: "judge error", Mark: Bad}
			case one.NotRun != "":
				word = Entry{Text: "not run: " + one.NotRun, Mark: Faint}
			}
			g.Rows = append(g.Rows, []Entry{{Text: r.Submission}, {Text: one.Name}, word, {Text: points(one.Score, one.Max)}})
		}
	}
	if g.Rows == nil {
		return []Sheet{s}
	}
	return []Sheet{s, g}
}
