package sheet

import (
	"fmt"
	"slices"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report"
)

// interrupted is the exit status of a call that a signal ended.
const interrupted = 130

// SavedCall returns a stored call as a run for comparison with another, with what only the
// history contains: hashes and toolchains.
func SavedCall(c *record.Call, name string) (*bench.StoredRun, error) {
	doc, err := c.Document(Sections...)
	if err != nil {
		return nil, err
	}
	if id := c.ID; id != "" && !strings.HasPrefix(id, name) {
		name = id + ", " + name
	}
	s := Saved(doc, fmt.Sprintf("%s, judge %s %s, %s", name, c.Head.Command,
		strings.Join(append(slices.Clone(c.Head.Flags), c.Head.Args...), " "),
		c.Head.Time.Local().Format("2 Jan 2006 15:04")))
	s.Setting = append(s.Setting, record.Fact{Name: "host", Value: c.Head.Host},
		record.Fact{Name: "judge", Value: c.Head.Judge})
	for _, t := range c.Toolchains {
		s.Setting = append(s.Setting, record.Fact{Name: bench.ToolchainOf + t.Language, Value: t.Version})
	}
	// The history states it more precisely.
	s.Doubts = slices.DeleteFunc(s.Doubts, func(d string) bool { return d == report.CutShort })
	switch {
	case c.State != record.Ended:
		s.Doubts = append(s.Doubts, "it has not ended ("+string(c.State)+"), so it may lack runs")
	case c.End.Status == interrupted:
		s.Doubts = append(s.Doubts, report.CutShort)
	}
	addHashes(s, c.Head.Problems)
	return s, nil
}

func addHashes(s *bench.StoredRun, problems []record.ProblemHead) {
	sources, data := make(map[[2]string]string), make(map[[2]string]string)
	for _, p := range problems {
		for _, one := range p.Submissions {
			sources[[2]string{p.ID, one.Name}] = one.Source
		}
		for _, c := range p.Cases {
			data[[2]string{p.ID, c.Name}] = c.Data
		}
	}
	for i := range s.Programs {
		p := &s.Programs[i]
		p.Source = sources[[2]string{p.Problem, p.Name}]
		for k := range p.Cells {
			p.Cells[k].Data = data[[2]string{p.Problem, p.Cells[k].Case}]
		}
	}
}
