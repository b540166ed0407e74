package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
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
)

// judged fills the part of a problem whose submissions were judged.
func (part *part) judged(p *record.Problem) {
	part.Bounds = report.Bounds(p.Limits, len(p.Cases))
	part.Claims = judgedClaims(p)
	if len(p.Reports) == 0 {
		return
	}
	for _, r := range p.Reports {
		for _, text := range report.Remarks(r) {
			part.doubt(r.Submission, text)
		}
	}
	part.Heat = heatOf(p, part.ID)
	part.Drawn, part.DrawnNote = drawings(p)
	part.Sections = append(part.Sections, section{Title: "Submissions", Tables: open(sheet.Writer.Sheets(p)...)})
	if slices.ContainsFunc(p.Reports, func(r *judge.Report) bool {
		return slices.ContainsFunc(r.Runs, func(run judge.Run) bool { return run.Err == nil })
	}) {
		part.Sections = append(part.Sections, judgedTimes(p), judgedCactus(p), judgedMemory(p))
	}
}

// judgedClaims returns the number of submissions that are as expected, and a claim
// for each of the others.
func judgedClaims(p *record.Problem) []claim {
	if len(p.Reports) == 0 {
		return []claim{{Mark: report.Faint, Word: "nothing judged", Text: "There is no submission."}}
	}
	standings := map[report.Standing]int{}
	var rest []claim
	for _, r := range p.Reports {
		standing := report.StandingOf(r)
		standings[standing]++
		if standing == report.AsExpected {
			continue
		}
		claim := claim{Mark: standing.Mark(), Word: standing.Text(), Name: r.Submission, Text: report.Headline(r),
			Lines: report.Reasons(r)}
		if claim.Text == claim.Word {
			claim.Text = ""
		}
		if len(claim.Lines) == 1 {
			claim.Notes, claim.Lines = claim.Lines, nil
		}
		rest = append(rest, claim)
	}
	byUrgency(rest)
	all := claim{Mark: report.Good, Word: report.AsExpected.Text(),
		Number: fmt.Sprintf("%d of %d", standings[report.AsExpected], len(p.Reports))}
	if len(rest) > 0 {
		all.Mark = cmp.Or(map[report.Mark]report.Mark{report.Bad: report.Bad}[rest[0].Mark], report.Doubt)
	}
	var parts []string
	for _, standing := range []report.Standing{report.Unexpected, report.JudgeError, report.Broken, report.Unfinished,
		report.Skipped} {
		switch n := standings[standing]; {
		case n == 0:
		case standing == report.JudgeError || standing == report.Broken:
			parts = append(parts, terminal.Count(n, standing.Text()))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, standing.Text()))
		}
	}
	all.Text = strings.Join(parts, ", ")
	return append([]claim{all}, rest...)
}

// A heatMap is the matrix of verdicts: a table with coloured cells. page.js shows the
// values of CPU, Memory, Why and Run for a cell.
type heatMap struct {
	ID     string              `json:"id"`
	CPU    [][]json.RawMessage `json:"cpu"`    // seconds, by row and case; null if the case was not run
	Memory [][]json.RawMessage `json:"memory"` // bytes
	Why    map[string]string   `json:"why"`    // by "row,case"
	// By "row,case": that it is a stored one, was made again, or ran beside others.
	Run   map[string]string `json:"run"`
	Cases []heatCase        `json:"-"`
	Rows  []heatRow         `json:"-"`
	Keys  []heatKey         `json:"-"`
}

// A heatCase is the heading of a column.
type heatCase struct {
	Short, Name string // the end of the name, and the name
	Border      bool   // the case before it is in another folder
}

// A heatRow is a submission. Its cells are finished HTML, because a page may have
// many thousands.
type heatRow struct {
	Name  string
	Final report.Entry
	Cells template.HTML
}

// A heatKey is an entry of the legend.
type heatKey struct{ Class, Sign, Text string }

func heatOf(p *record.Problem, part string) *heatMap {
	h := &heatMap{ID: part + "-verdicts", Why: map[string]string{}, Run: map[string]string{}}
	for i, name := range p.Cases {
		border := i > 0 && path.Dir(p.Cases[i-1]) != path.Dir(name)
		h.Cases = append(h.Cases, heatCase{Short: clipName(name, 18), Name: nameShown(name), Border: border})
	}
	seen := map[string]bool{} // the words of verdicts
	for _, r := range p.Reports {
		h.row(p, r, seen)
	}
	for _, k := range verdictKeys {
		switch {
		case !seen[k.Key]:
		case k.Key == string(problem.Accepted) && p.Limits.Time > 0:
			for i, text := range []string{"below 10 % of the time limit", "below 25 %", "below 50 %", "50 % and more"} {
				h.Keys = append(h.Keys, heatKey{"AC" + strconv.Itoa(i), "AC", text})
			}
		case k.Key == string(problem.Accepted):
			h.Keys = append(h.Keys, heatKey{"AC1", "AC", k.Text})
		default:
			h.Keys = append(h.Keys, heatKey{k.Key, k.Key, k.Text})
		}
	}
	return h
}

// row adds a submission to the matrix, and the words of its verdicts to seen.
func (h *heatMap) row(p *record.Problem, r *judge.Report, seen map[string]bool) {
	runs := make(map[string]*judge.Run, len(r.Runs))
	for i := range r.Runs {
		runs[r.Runs[i].Case] = &r.Runs[i]
	}
	var cells strings.Builder
	cpu, memory := make([]json.RawMessage, len(p.Cases)), make([]json.RawMessage, len(p.Cases))
	for i, name := range p.Cases {
		class, word, run := "none", "", runs[name]
		cpu[i], memory[i] = number(math.NaN()), number(math.NaN())
		if run != nil {
			if run.Err == nil {
				cpu[i], memory[i] = number(run.Outcome.CPU.Seconds()), number(float64(run.Outcome.Memory))
			}
			word = verdictWord(run)
			class, seen[word] = VerdictClass(word, run.Outcome.CPU, p.Limits.Time), true
			cell := fmt.Sprintf("%d,%d", len(h.Rows), i)
			if why := report.Why(run); why != "" {
				h.Why[cell] = why
			}
			about := slices.DeleteFunc([]string{report.BesideText(run), report.StoredText(run)},
				func(s string) bool { return s == "" })
			if len(about) > 0 {
				h.Run[cell] = strings.Join(about, "; ")
			}
		}
		if h.Cases[i].Border {
			class += " edge"
		}
		// Class and word are not from a submission, so they need no escape.
		fmt.Fprintf(&cells, `<td class="%s">%s</td>`, class, word)
	}
	h.CPU, h.Memory = append(h.CPU, cpu), append(h.Memory, memory)
	h.Rows = append(h.Rows, heatRow{Name: r.Submission, Final: report.VerdictEntry(r),
		Cells: template.HTML(cells.String())})
}

// verdictWord returns the verdict of a run as it is shown: JE if the judge failed.
func verdictWord(run *judge.Run) string {
	if run.Err != nil {
		return string(report.JudgeError)
	}
	return cmp.Or(string(run.Verdict), string(report.JudgeError))
}

// VerdictText returns the meaning of a verdict, or of JE: "wrong answer".
func VerdictText(word string) string {
	for _, k := range verdictKeys {
		if k.Key == word {
			return k.Text
		}
	}
	return word
}

// VerdictClass returns the class of a cell in the style sheet, by its verdict, or JE.
// There are several for accepted runs: a run that uses a larger share of the time limit is
// darker.
func VerdictClass(word string, cpu, limit time.Duration) string {
	if word != string(problem.Accepted) {
		return word
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

// verdictKeys explain the words of verdicts.
var verdictKeys = []legendKey{
	{Key: "AC", Text: "accepted"}, {Key: "WA", Text: "wrong answer"}, {Key: "TLE", Text: "time limit"},
	{Key: "MLE", Text: "memory limit"},
	{Key: "OLE", Text: "output limit"}, {Key: "RTE", Text: "run-time error"}, {Key: "CE", Text: "compile error"},
	{Key: "JE", Text: "judge error"},
}
