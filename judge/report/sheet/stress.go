package sheet

import (
	"fmt"
	"strconv"
	"strings"

	"crucible/judge/report"
	"crucible/judge/strength/stress"
	"crucible/judge/terminal"
)

// OfStress returns the tables of a search for inputs on which programs fail: what was
// searched, what was found for each submission, and the counterexamples themselves.
func OfStress(s *stress.Summary) []report.Sheet {
	return append([]report.Sheet{searchedInputs(s), searchedFor(s)}, counterexamples(s)...)
}

// searchedInputs returns the table of the numbers of inputs, with the settings of the
// search as notes.
func searchedInputs(s *stress.Summary) report.Sheet {
	t := report.Sheet{Title: "Inputs", Columns: []report.Column{{Name: "inputs"}, {Name: "number", Number: true}}}
	for _, one := range []struct {
		what string
		n    int
	}{
		{"valid", s.Valid}, {"rejected by an input validator", s.Invalid}, {"made again, not run", s.Repeated},
		{"not validated, because no submission differs", s.Unchecked},
		{"on which the reference failed or exceeded a limit", s.Slow},
		{"on which accepted submissions disagree", s.Disagrees},
	} {
		if one.n > 0 || len(t.Rows) == 0 {
			t.Rows = append(t.Rows, []report.Entry{{Text: one.what}, {Text: strconv.Itoa(one.n)}})
		}
	}
	if s.Reference != "" {
		t.Notes = append(t.Notes, "reference: "+terminal.Clean(s.Reference)+", whose output is the answer")
	}
	t.Notes = append(t.Notes, fmt.Sprintf("seed %d, %s", s.Seed, terminal.Duration(s.Elapsed)))
	if s.Command != "" {
		t.Notes = append(t.Notes, "the same search: "+terminal.Clean(s.Command),
			"the seed decides the random choices; several jobs, and the time that programs take, change the order of inputs")
	}
	for _, note := range s.Notes {
		t.Notes = append(t.Notes, "doubt: "+terminal.Clean(note))
	}
	return t
}

// each returns the counterexamples: all of a search for all, else the first one.
func each(f *stress.Found) []stress.Found {
	if len(f.All) > 0 {
		return f.All
	}
	return []stress.Found{*f}
}

// searchedFor returns the table of the submissions.
func searchedFor(s *stress.Summary) report.Sheet {
	t := report.Sheet{Title: "Submissions", Columns: []report.Column{{Name: "submission", Names: true}, {Name: "found"},
		{Name: "after", Number: true}, {Name: "time", Number: true}, {Name: "input", Number: true},
		{Name: "shrunk", Number: true}, {Name: "steps", Number: true}, {Name: "group"}, {Name: "input made by"},
		{Name: "reason"}}}
	add := func(f *stress.Found, what report.Entry) {
		group := f.Group
		if !strings.Contains(group, "/") { // sample and secret mean nothing for a new input
			group = ""
		}
		t.Rows = append(t.Rows, []report.Entry{{Text: f.Name}, what, {Text: terminal.Count(f.After, "input")},
			{Text: terminal.Duration(f.Elapsed)}, {Text: terminal.Bytes(int64(len(f.InputData())))},
			{Text: terminal.Bytes(int64(len(f.Smallest())))}, {Text: strconv.Itoa(len(f.Steps))}, {Text: terminal.Clean(group)},
			{Text: terminal.Clip(terminal.Clean(f.How), mostShown)}, {Text: terminal.Clip(terminal.Clean(f.Why), mostShown)}})
	}
	if f := s.Disagree; f != nil {
		add(f, report.Entry{Text: "accepted, but " + string(f.Verdict), Mark: report.Bad})
		t.Notes = append(t.Notes,
			"accepted submissions disagree, or the output validator rejects the answer of the reference: one of them is "+
				"wrong, or an input validator accepts too much")
	}
	if f := s.Failure; f != nil {
		add(f, report.Entry{Text: "the reference: " + string(f.Verdict), Mark: report.Doubt})
	}
	for i := range s.Targets {
		target := &s.Targets[i]
		if !target.Found && s.Best == nil {
			t.Rows = append(t.Rows, []report.Entry{{Text: target.Name}, {Text: "none", Mark: report.Faint}})
			continue
		}
		for _, f := range each(target) {
			if f.Found {
				add(&f, report.Entry{Text: string(f.Verdict)})
			}
		}
	}
	if f := s.Best; f != nil {
		add(f, report.Entry{Text: terminal.Duration(s.BestCPU) + ", " + terminal.Memory(s.BestBytes)})
		t.Notes = append(t.Notes, "found: the CPU time and the memory on the input on which most was found")
	}
	t.DropEmpty("group")
	return t
}

// The parts of a counterexample that its table shows.
const (
	mostShown = 120 // columns of one line
	mostLines = 20  // lines of one input, answer or output
	mostSteps = 10  // steps that made an input smaller
)

// counterexamples returns a table for each counterexample.
func counterexamples(s *stress.Summary) (sheets []report.Sheet) {
	for _, f := range []*stress.Found{s.Disagree, s.Failure, s.Best} {
		if f != nil {
			sheets = append(sheets, counterexample(f))
		}
	}
	for i := range s.Targets {
		for _, f := range each(&s.Targets[i]) {
			if f.Found {
				sheets = append(sheets, counterexample(&f))
			}
		}
	}
	return sheets
}

// counterexample returns the table of one counterexample, with a row for each line of its
// input, answer and output.
func counterexample(f *stress.Found) report.Sheet {
	s := report.Sheet{Title: f.Name + ": " + string(f.Verdict), Columns: []report.Column{{Name: "part"}, {Name: "text"}}}
	add := func(part, text string, mark report.Mark) {
		s.Rows = append(s.Rows, []report.Entry{{Text: part, Mark: report.Faint},
			{Text: terminal.Clip(terminal.Clean(strings.ReplaceAll(text, "\t", "    ")), mostShown), Mark: mark}})
	}
	lines := func(part, text string, mark report.Mark) {
		all := strings.Split(strings.TrimRight(text, "\n"), "\n")
		for i, line := range all {
			if i == mostLines && len(all) > mostLines+1 {
				add("", "… "+terminal.Count(len(all)-i, "more line"), report.Faint)
				break
			}
			add(part, strings.TrimSuffix(line, "\r"), mark)
			part = ""
		}
	}
	add("reason", f.Why, report.Plain)
	if f.How != "" {
		add("made by", f.How, report.Plain)
	}
	lines("input", string(f.Smallest()), report.Plain)
	switch {
	case f.Output != "":
		lines("expected output", f.ShrunkTo, report.Good)
		lines("output", f.Output, report.Bad)
	case f.ShrunkTo != "": // of an interactive problem, where it is only a file of the case
		lines("answer", f.ShrunkTo, report.Plain)
	}
	if len(f.Steps) == 0 {
		return s
	}
	lines("input as found", string(f.InputData()), report.Plain)
	for i, step := range f.Steps {
		if i == mostSteps && len(f.Steps) > mostSteps+1 {
			add("", "… "+terminal.Count(len(f.Steps)-i, "more step"), report.Faint)
			break
		}
		part := ""
		if i == 0 {
			part = "made smaller"
		}
		add(part, step, report.Faint)
	}
	return s
}

// stressSummary summarizes a search for inputs: "inputs found for 2 of 3 submissions, 450
// valid inputs".
func stressSummary(s *stress.Summary) string {
	found := 0
	for i := range s.Targets {
		if s.Targets[i].Found {
			found++
		}
	}
	text := fmt.Sprintf("inputs found for %d of %s", found, terminal.Count(len(s.Targets), "submission"))
	if s.Best != nil {
		text = "an input that takes more was found"
	}
	return text + ", " + terminal.Count(s.Valid, "valid input")
}
