package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"crucible/judge"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// leastTime is the start of a logarithmic axis of times in seconds, at which a
// program is drawn that used no time.
const leastTime = 1e-4

func submissionNames(p *record.Problem) []string {
	return namesOf(p.Reports, func(r **judge.Report) string { return (*r).Submission })
}

// A resource is CPU time or memory, as a section of judged submissions shows it.
type resource struct {
	title, table            string // titles of the section and of its table
	spec, name, as, caption string // of the picture
	of                      func(*sandbox.Outcome) float64
	text                    func(float64) string // formats a value in the table
	least                   float64              // the start of the axis
	limit                   float64              // 0 if there is none
	limitName, limitText    string
}

func judgedTimes(p *record.Problem) section {
	return judgedRuns(p, &resource{title: "CPU time", table: "CPU time in milliseconds", spec: "times", name: "CPU time",
		as:      "time",
		caption: "CPU time of every run on a logarithmic axis.",
		of:      func(o *sandbox.Outcome) float64 { return o.CPU.Seconds() }, text: millis, least: leastTime,
		limit: p.Limits.Time.Seconds(), limitName: "time limit", limitText: terminal.Exactly(p.Limits.Time)})
}

func judgedMemory(p *record.Problem) section {
	return judgedRuns(p, &resource{title: "Memory", table: "Peak memory in mebibytes", spec: "memory", name: "peak memory",
		as:      "size",
		caption: "Peak memory of every run on a logarithmic axis.",
		of:      func(o *sandbox.Outcome) float64 { return float64(o.Memory) }, text: mebis, least: 4096,
		limit: float64(p.Limits.Memory), limitName: "memory limit", limitText: terminal.Bytes(p.Limits.Memory)})
}

// judgedRuns draws a mark for each run of judged submissions.
func judgedRuns(p *record.Problem, q *resource) section {
	rows, names := frameOf("x", "t", "s", "c", "k"), submissionNames(p)
	numbers, short := report.MatrixSheet(q.table, "submission", names, p.Cases), labels(names)
	for i, r := range p.Reports {
		for k := range r.Runs {
			run := &r.Runs[k]
			if run.Err != nil {
				continue
			}
			v := q.of(&run.Outcome)
			x, exact := max(v, q.least), any(nil)
			if x != v {
				exact = v
			}
			rows.add(x, exact, short[i], nameShown(run.Case), verdictWord(run))
			if at := slices.Index(p.Cases, run.Case); at >= 0 {
				entry := &numbers.Rows[i][1+at]
				if entry.Text = q.text(v); run.Verdict != problem.Accepted {
					entry.Mark = report.Bad
				}
			}
		}
	}
	one := &picture{Spec: q.spec, Hover: []hover{{"s", "", "text"}, {"c", "case", "text"}, {"x", q.name, q.as},
		{"k", "verdict", "text"}},
		Data: map[string]*frame{"rows": rows, "spans": frameOf("x", "lo", "hi", "s")}}
	s := sectionOf(q.title, q.caption, one, numbers)
	s.limit(q.limit, q.limitName, q.limitText)
	s.keys(verdictKeys...)
	return s
}

// millis formats seconds as milliseconds.
func millis(seconds float64) string { return threeDigits(seconds * 1e3) }

// mebis formats bytes as mebibytes.
func mebis(bytes float64) string { return threeDigits(bytes / (1 << 20)) }

func threeDigits(v float64) string { return strconv.FormatFloat(v, 'f', terminal.Decimals(v), 64) }

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

// cactusOf draws the number of cases that each submission solves within a time.
// times are the times of the cases that it solved.
func cactusOf(names []string, times [][]float64, cases int, l problem.Limits) section {
	short := labels(names)
	rows := frameOf("x", "y", "s", "k")
	numbers := report.Sheet{Title: "Cases solved", Columns: []report.Column{{Name: "submission"},
		{Name: "solved", Number: true}, {Name: "half of them within", Number: true},
		{Name: "all of them within", Number: true}, {Name: "CPU times of the cases solved, ms"}}}
	for i, list := range times {
		slices.Sort(list)
		var texts []string
		for k, t := range list {
			rows.add(max(t, leastTime), float64(k+1), short[i], programKey(i, len(names)))
			texts = append(texts, millis(t))
		}
		row := []report.Entry{{Text: names[i]}, {Text: fmt.Sprintf("%d/%d", len(list), cases)}, {}, {},
			{Text: strings.Join(texts, " ")}}
		if n := len(list); n > 0 {
			row[2].Text, row[3].Text = terminal.Seconds(list[(n-1)/2]), terminal.Seconds(list[n-1])
		}
		numbers.Rows = append(numbers.Rows, row)
	}
	one := &picture{Spec: "cactus", Data: map[string]*frame{"rows": rows,
		"limit": limitFrame(l.Time.Seconds(), terminal.Exactly(l.Time))},
		Hover: []hover{{"s", "", "text"}, {"y", "cases solved", "number"}, {"x", "within", "time"}}}
	s := sectionOf("Cases solved within a time",
		"Number of cases that each submission solves within a time. The line of a faster submission is further left.", one,
		numbers)
	s.legend(names, true)
	return s
}
