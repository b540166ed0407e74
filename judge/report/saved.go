package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// CutShort is the text of the doubt about a stored run that was interrupted.
const CutShort = "it was interrupted, so it may lack runs"

// Saved returns the document as a stored run of that name, for comparison with
// another. It has no hashes of sources and no toolchains, because a document has
// none.
func Saved(d *record.Document, name string) *bench.StoredRun {
	s := &bench.StoredRun{Name: name, Machine: facts(d.Machine), Counter: d.Machine.Counter}
	s.Setting = []bench.Fact{{Name: judgesGo, Value: d.Machine.Go}}
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Limits.Time > 0 {
			s.Setting = append(s.Setting, bench.Fact{Name: timeLimitOf + p.ID, Value: terminal.Exactly(p.Limits.Time)})
		}
		s.Programs = append(s.Programs, savedPrograms(p)...)
		if wasCutShort(p) && !slices.Contains(s.Doubts, CutShort) {
			s.Doubts = append(s.Doubts, CutShort)
		}
		if m := record.Of[*bench.Measurement](p); m != nil {
			s.Looks = max(s.Looks, m.Looks)
			s.Doubts = append(s.Doubts, doubtsOf(p)...)
		}
	}
	return s
}

// doubtsOf returns the doubts about a measurement, not about single submissions.
func doubtsOf(p *record.Problem) (texts []string) {
	comparison, band := record.Of[*bench.Comparison](p), record.Of[*bench.Band](p)
	var doubts []stat.Doubt
	switch {
	case comparison != nil:
		doubts = comparison.Doubts
	case band != nil:
		doubts = band.Doubts
	default:
		texts = slices.Clone(record.Of[*bench.Measurement](p).Doubts)
		scaling := record.Of[*bench.Scaling](p)
		for i := range scaling.Curves {
			for _, d := range scaling.Curves[i].Time.Doubts {
				if d.Kind == "load" && !slices.Contains(texts, d.Text) {
					texts = append(texts, d.Text)
				}
			}
		}
		return texts
	}
	for _, d := range doubts {
		if d.Kind != bench.OtherReference { // the comparison of two runs does not use their ratios
			texts = append(texts, d.Text)
		}
	}
	return texts
}

// place formats the facts of a machine, what counted instructions, and more.
func place(m record.Machine, more ...bench.Fact) string {
	return sheet.Place(append(append(facts(m), bench.Fact{Name: countedBy, Value: m.Counter}), more...))
}

// countedBy is the name of the fact that names what counted instructions.
const countedBy = "instructions counted by"

// facts returns the facts of a machine that affect times, always the same names in
// the same order; an unknown value is "".
func facts(m record.Machine) []bench.Fact {
	cores := ""
	if m.Cores > 0 {
		cores = strconv.Itoa(m.Cores)
	}
	known := func(b bool) string {
		if m.Protection == "" {
			return "" // nothing ran, or the document does not have it
		}
		return strconv.FormatBool(b)
	}
	return []bench.Fact{
		{Name: "system", Value: m.OS}, {Name: "architecture", Value: m.Arch}, {Name: "CPU", Value: m.CPU},
		{Name: "cores", Value: cores},
		{Name: "kernel", Value: m.Kernel}, {Name: "protection", Value: m.Protection},
		{Name: "pinned", Value: known(m.Pinned)}, {Name: "fixed addresses", Value: known(m.FixedAddresses)},
	}
}

// savedPrograms converts the submissions of a problem, without warm-ups. Each
// repetition of a judged case is a round.
func savedPrograms(p *record.Problem) (all []bench.StoredProgram) {
	for _, r := range p.Reports {
		s := bench.StoredProgram{Problem: p.ID, Name: r.Submission, Language: r.Language, Command: r.Compile.Command,
			Cells: make([]bench.StoredCell, len(r.Runs))}
		switch {
		case r.Skipped != "":
			s.Unknown = "skipped: " + firstLine(r.Skipped)
		case r.Err != nil:
			s.Unknown = "judge error: " + firstLine(r.Err.Error())
		case r.Verdict == problem.CompileError:
			s.Wrong = because(problem.CompileError, r.Compile.Message)
		case len(r.Runs) == 0:
			s.Unknown = "not run"
		}
		all = append(all, s)
	}
	if m := record.Of[*bench.Measurement](p); m != nil {
		for _, e := range m.Submissions {
			s := bench.StoredProgram{Problem: m.Problem, Name: e.Name, Language: e.Language, Command: e.Command,
				Cells: make([]bench.StoredCell, len(m.Cases))}
			switch {
			case e.Refused():
				s.Wrong = because(problem.CompileError, e.Skipped)
			case e.Skipped != "":
				s.Unknown = "skipped: " + firstLine(e.Skipped)
			}
			all = append(all, s)
		}
	}
	for _, r := range results(p) {
		c := &all[r.submission].Cells[r.test]
		c.Case, c.Size = r.input.Name, r.input.Size
		bad, unknown := wrong(r.verdict, r.why, r.err)
		c.Wrong, c.Unknown = cmp.Or(c.Wrong, bad), cmp.Or(c.Unknown, unknown)
		if r.round >= 0 {
			addOutcome(c, r.round, r.outcome)
		}
	}
	for i := range all {
		var ran []bench.StoredCell
		for _, c := range all[i].Cells {
			if c.Wrong+c.Unknown != "" || len(c.Rounds) > 0 {
				ran = append(ran, finished(c))
			}
		}
		all[i].Cells = ran
	}
	return all
}

// wrong returns why the times of a run do not count: the failure of the submission,
// or why there is no verdict. Both are "" for an accepted run.
func wrong(v problem.Verdict, why, err string) (wrong, unknown string) {
	switch {
	case err != "":
		return "", "judge error: " + firstLine(err)
	case v == "":
		return "", "no verdict"
	case v == problem.Accepted:
		return "", ""
	}
	return because(v, why), ""
}

// because joins a verdict and its reason: "WA: line 1, column 1".
func because(v problem.Verdict, why string) string {
	if why = firstLine(why); why != "" {
		return string(v) + ": " + why
	}
	return string(v)
}

// firstLine returns the first line that is not blank. It skips lines that begin
// with "# ", which the Go compiler writes before its messages.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "# ") {
			return line
		}
	}
	return ""
}

func addOutcome(c *bench.StoredCell, round int, o sandbox.Outcome) {
	c.Add(round, map[bench.Metric]float64{
		bench.ByCPU: o.CPU.Seconds(), bench.ByWall: o.Wall.Seconds(),
		bench.ByMemory: float64(terminal.PeakBytes(o.Memory)), bench.ByInstructions: float64(o.Instructions),
	})
}

// finished removes quantities that were not measured, and all times of a cell that
// is wrong or unknown.
func finished(c bench.StoredCell) bench.StoredCell {
	if c.Wrong+c.Unknown != "" {
		return bench.StoredCell{Case: c.Case, Size: c.Size, Wrong: c.Wrong, Unknown: c.Unknown}
	}
	// A zero means not measured.
	for _, m := range []bench.Metric{bench.ByMemory, bench.ByInstructions} {
		if slices.Contains(c.Values[m], 0) {
			delete(c.Values, m)
		}
	}
	return c
}
