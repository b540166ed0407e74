package sheet

import (
	"fmt"

	"crucible/judge/measure/bench"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// madeOn says which workers made the runs of a measurement, and what is not known of them;
// none for this machine.
func madeOn(m *bench.Measurement) []string {
	if m.Workers == nil {
		return nil
	}
	text := "made on worker " + m.WorkersText()
	if n := len(m.Workers); n > 1 {
		text = fmt.Sprintf("made on %d workers, on each the same runs: %s", n, m.WorkersText())
	}
	return []string{text + "; each run was the only one of its worker; the load of the workers by other programs is not " +
		"known"}
}

// ofSlowest says of which worker the times are; none for fewer than two.
func ofSlowest(m *bench.Measurement) []string {
	if len(m.Workers) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("times are those of worker %s, on which all runs together took longest",
		m.Workers[m.Slowest()].Name)}
}

// workerTimes returns the table of the times on each worker; none for fewer than two.
func workerTimes(m *bench.Measurement, times []bench.WorkerTime) []report.Sheet {
	if len(times) == 0 {
		return nil
	}
	what := "CPU: geometric mean of the cases' medians"
	if m.Kind == bench.ForScale {
		what = "CPU: median on the largest input on which the submission is accepted"
	}
	s := report.Sheet{Title: "Each worker", Columns: []report.Column{{Name: "submission", Names: true}, {Name: "worker"},
		{Name: "class"}, {Name: "CPU", Number: true}, {Name: "of the slowest", Number: true}}, Notes: []string{what}}
	classes, longest := make(map[string]string), make(map[bench.SubmissionIndex]float64)
	for _, w := range m.Workers {
		classes[w.Name] = w.Class
	}
	for _, t := range times {
		longest[t.Submission] = max(longest[t.Submission], t.CPU)
	}
	for _, t := range times {
		s.Rows = append(s.Rows, []report.Entry{{Text: m.Submissions[t.Submission].Name}, {Text: t.Worker},
			{Text: classes[t.Worker]}, {Text: terminal.Seconds(t.CPU)},
			{Text: measuredTimes(t.CPU / longest[t.Submission])}})
	}
	s.DropEmpty("class")
	return []report.Sheet{s}
}

// workers returns the table of what each worker shows; none for fewer than two.
func (x *bandSheets) workers() []report.Sheet {
	if len(x.Workers) == 0 {
		return nil
	}
	s := report.Sheet{Title: "Each worker", Columns: []report.Column{{Name: "worker"}, {Name: "class"},
		{Name: "slowest that must pass", Names: true}, {Name: "CPU", Number: true},
		{Name: "fastest that must get TLE", Names: true}, {Name: "CPU", Number: true}, {Name: "limit", Number: true}},
		Notes: []string{"limit: the smallest that obeys the rule by the times of this worker alone; the limit above obeys " +
			"it by the longest times of those that must pass, and the shortest of those that must get TLE"}}
	for i := range x.Workers {
		w := &x.Workers[i]
		row := []report.Entry{{Text: w.Name}, {Text: w.Class}}
		for _, at := range []*bench.Bound{w.Slowest, w.Fastest} {
			if at == nil {
				row = append(row, report.Entry{Text: "none", Mark: report.Faint}, report.Entry{})
				continue
			}
			row = append(row, report.Entry{Text: x.m.Submissions[at.Submission].Name},
				report.Entry{Text: atLeast(at.Time.Seconds(), at.Stopped)})
		}
		limit := report.Entry{Text: "none", Mark: report.Bad}
		if w.Proposed > 0 {
			limit = report.Entry{Text: terminal.Exactly(w.Proposed)}
		}
		s.Rows = append(s.Rows, append(row, limit))
	}
	s.DropEmpty("class")
	return []report.Sheet{s}
}
