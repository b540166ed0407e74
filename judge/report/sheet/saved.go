package sheet

import (
	"slices"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// Saved returns the document as a stored run of that name, for comparison with
// another. It has no hashes of sources and no toolchains, because a document has
// none.
func Saved(d *record.Document, name string) *bench.StoredRun {
	s := &bench.StoredRun{Name: name, Machine: d.Machine.Facts(), Counter: d.Machine.Counter}
	s.Setting = []record.Fact{{Name: report.JudgesGo, Value: d.Machine.Go}}
	for i := range d.Problems {
		p := &d.Problems[i]
		if p.Limits.Time > 0 {
			s.Setting = append(s.Setting, record.Fact{Name: report.TimeLimitOf + p.ID, Value: terminal.Exactly(p.Limits.Time)})
		}
		s.Programs = append(s.Programs, savedPrograms(p)...)
		if Writer.Interrupted(p) && !slices.Contains(s.Doubts, report.CutShort) {
			s.Doubts = append(s.Doubts, report.CutShort)
		}
		if m := record.Of[*bench.Measurement](p); m != nil {
			s.Looks = max(s.Looks, m.Looks)
			if m.Workers != nil {
				s.Setting = append(s.Setting, record.Fact{Name: "worker of " + p.ID, Value: m.Workers[m.Slowest()].Name})
			}
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
		for i := 0; scaling != nil && i < len(scaling.Curves); i++ {
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

// savedPrograms converts the submissions of a problem, without warm-ups. Each
// repetition of a judged case is a round.
func savedPrograms(p *record.Problem) (all []bench.StoredProgram) {
	programs, runs := Writer.Programs(p)
	for _, r := range programs {
		s := bench.StoredProgram{Problem: r.Problem, Name: r.Name, Language: r.Language, Command: r.Command, Wrong: r.Wrong,
			Unknown: r.Unknown}
		for _, c := range r.Cases {
			s.Cells = append(s.Cells, bench.StoredCell{Case: c.Name, Size: c.Size, Wrong: c.Wrong, Unknown: c.Unknown})
		}
		all = append(all, s)
	}
	for _, r := range runs {
		if r.Round >= 0 {
			addOutcome(&all[r.Program].Cells[r.Test], r.Round, r.Outcome)
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
