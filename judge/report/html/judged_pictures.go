package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/units"
)

// leastTime is where a logarithmic axis of times begins: a program that used no
// time is drawn there.
const leastTime = 1e-4 // seconds

func submissionNames(p *record.Problem) []string {
	names := make([]string, len(p.Reports))
	for i, r := range p.Reports {
		names[i] = r.Submission
	}
	return names
}

// limitFrame is the line of a limit, if there is one.
func limitFrame(at float64, label string) *frame {
	f := frameOf("x", "label")
	if at > 0 {
		f.add(at, label)
	}
	return f
}

// runsPicture has a mark for every run of the submissions, at what of tells.
func runsPicture(p *record.Problem, spec string, of func(*judge.Run) float64, least float64) (*picture, map[problem.Verdict]bool) {
	rows, seen := frameOf("x", "t", "s", "c", "k"), map[problem.Verdict]bool{}
	names := labels(submissionNames(p))
	for i, r := range p.Reports {
		for k := range r.Runs {
			run := &r.Runs[k]
			if run.Err != nil {
				continue
			}
			seen[run.Verdict] = true
			v := of(run)
			at, told := max(v, least), any(nil)
			if at != v {
				told = v
			}
			rows.add(at, told, names[i], nameShown(run.Case), verdictWord(run.Verdict))
		}
	}
	return &picture{Spec: spec, Data: map[string]*frame{"rows": rows, "spans": frameOf("x", "lo", "hi", "s")}}, seen
}

// cellSheet is a table of submissions and cases, of what entry tells of a run.
func cellSheet(p *record.Problem, title string, entry func(*judge.Run) string) sheet.Sheet {
	s := sheet.Sheet{Title: title, Columns: []sheet.Column{{Name: "submission"}}}
	for _, name := range p.Cases {
		s.Columns = append(s.Columns, sheet.Column{Name: name, Number: true})
	}
	for _, r := range p.Reports {
		row := make([]sheet.Entry, 1+len(p.Cases))
		row[0].Text = r.Submission
		for i := range r.Runs {
			if run := &r.Runs[i]; run.Err == nil {
				if at := slices.Index(p.Cases, run.Case); at >= 0 {
					row[1+at].Text = entry(run)
					if run.Verdict != problem.Accepted {
						row[1+at].Mark = sheet.Bad
					}
				}
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func millis(seconds float64) string {
	return strconv.FormatFloat(seconds*1e3, 'f', units.Decimals(seconds*1e3), 64)
}

func judgedTimes(p *record.Problem) section {
	one, seen := runsPicture(p, "times", func(run *judge.Run) float64 { return run.Outcome.CPU.Seconds() }, leastTime)
	one.Hover = []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "CPU time", "time"}, {"k", "verdict", "text"}}
	one.Data["limit"] = limitFrame(p.Limits.Time.Seconds(), "limit "+units.Exactly(p.Limits.Time))
	says := "CPU time of every run, a mark each, on a logarithmic axis."
	if p.Limits.Time > 0 {
		says += " The dashed line is the time limit, " + units.Exactly(p.Limits.Time) + "."
	}
	one.Says = says
	return section{Title: "CPU time", Says: says, Key: verdictKeys(seen), Pictures: []*picture{one},
		Tables: folded(cellSheet(p, "CPU time in milliseconds", func(run *judge.Run) string { return millis(run.Outcome.CPU.Seconds()) }))}
}

func judgedMemory(p *record.Problem) section {
	one, seen := runsPicture(p, "memory", func(run *judge.Run) float64 { return float64(run.Outcome.Memory) }, 4096)
	one.Hover = []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", "peak memory", "size"}, {"k", "verdict", "text"}}
	one.Data["limit"] = limitFrame(float64(p.Limits.Memory), "limit "+units.Bytes(p.Limits.Memory))
	says := "The most memory that every run held, a mark each, on a logarithmic axis."
	if p.Limits.Memory > 0 {
		says += " The dashed line is the memory limit, " + units.Bytes(p.Limits.Memory) + "."
	}
	one.Says = says
	return section{Title: "Memory", Says: says, Key: verdictKeys(seen), Pictures: []*picture{one},
		Tables: folded(cellSheet(p, "Peak memory in mebibytes", func(run *judge.Run) string {
			v := float64(run.Outcome.Memory) / (1 << 20)
			return strconv.FormatFloat(v, 'f', units.Decimals(v), 64)
		}))}
}

// judgedCactus counts the cases that each submission solves within a time.
func judgedCactus(p *record.Problem) section {
	times := make([][]float64, len(p.Reports))
	for i, r := range p.Reports {
		for k := range r.Runs {
			if run := &r.Runs[k]; run.Err == nil && run.Verdict == problem.Accepted {
				times[i] = append(times[i], run.Outcome.CPU.Seconds())
			}
		}
	}
	return cactusOf(submissionNames(p), times, len(p.Cases), p.Limits)
}

// cactusOf draws, for each submission, how many cases it solves within a time;
// times are those of the cases it solved.
func cactusOf(names []string, times [][]float64, cases int, l problem.Limits) section {
	short := labels(names)
	rows := frameOf("x", "y", "s", "k")
	numbers := sheet.Sheet{Title: "Cases solved", Columns: []sheet.Column{{Name: "submission"}, {Name: "solved", Number: true}, {Name: "half of them within", Number: true}, {Name: "all of them within", Number: true}, {Name: "CPU times of the cases solved, ms"}}}
	for i, list := range times {
		slices.Sort(list)
		var texts []string
		for k, t := range list {
			rows.add(max(t, leastTime), float64(k+1), short[i], programKey(i, len(names)))
			texts = append(texts, millis(t))
		}
		row := []sheet.Entry{{Text: names[i]}, {Text: fmt.Sprintf("%d/%d", len(list), cases)}, {}, {}, {Text: strings.Join(texts, " ")}}
		if n := len(list); n > 0 {
			row[2].Text, row[3].Text = units.Seconds(list[(n-1)/2]), units.Seconds(list[n-1])
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	one := &picture{Spec: "cactus", Data: map[string]*frame{"rows": rows, "limit": limitFrame(l.Time.Seconds(), "limit "+units.Exactly(l.Time))},
		Hover: []hover{{"s", "", "text"}, {"y", "cases solved", "number"}, {"x", "within", "time"}}}
	one.Says = "How many cases each submission solves within a time. The higher and the further left a line runs, the faster the submission."
	section := section{Title: "Cases solved within a time", Says: one.Says, Pictures: []*picture{one}, Tables: folded(numbers)}
	section.legend(names, true)
	return section
}
