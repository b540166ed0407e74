package bench

import (
	"fmt"
	"slices"

	"crucible/judge/stat"
)

// relativeTo returns the run with the values of one metric divided by those of the
// reference on the same problem, case and round. This removes effects of the
// machine on both. Rounds that the reference does not have are omitted. The
// reference has no values in the result.
func (s *Saved) relativeTo(reference string, m Metric) *Saved {
	r := *s
	r.Programs = slices.Clone(s.Programs)
	for i := range r.Programs {
		p := &r.Programs[i]
		by := s.program(p.Problem, reference)
		p.Cells = slices.Clone(p.Cells)
		for k := range p.Cells {
			var unit *SavedCell
			if by != nil && p.Name != reference {
				unit = by.cell(p.Cells[k].Case, p.Cells[k].Size)
			}
			p.Cells[k] = p.Cells[k].over(unit, m)
		}
	}
	return &r
}

// over returns the cell with the values of one metric divided by those of another
// cell, for the rounds that both have; without values if there are none.
func (c SavedCell) over(unit *SavedCell, m Metric) SavedCell {
	var mine, units []float64
	if mine = c.values(m); unit != nil {
		units = unit.values(m)
	}
	r := SavedCell{Case: c.Case, Size: c.Size, Data: c.Data, Wrong: c.Wrong, Unknown: c.Unknown}
	if mine == nil || units == nil {
		return r
	}
	of := make(map[int]float64, len(units))
	for i, round := range unit.Rounds {
		of[round] = units[i]
	}
	var kept []int
	ratios := r.list(m)
	for i, round := range c.Rounds {
		if u, ok := of[round]; ok && u > 0 {
			kept, r.Rounds, *ratios = append(kept, i), append(r.Rounds, round), append(*ratios, mine[i]/u)
		}
	}
	for _, other := range Metrics {
		if all := *c.list(other); other != m && all != nil {
			for _, i := range kept {
				*r.list(other) = append(*r.list(other), all[i])
			}
		}
	}
	return r
}

// doubtReference adds a doubt if the reference itself has changed.
func (a *Against) doubtReference() {
	if a.Reference == "" {
		return
	}
	for i := range a.New.Programs {
		after := &a.New.Programs[i]
		if after.Name != a.Reference {
			continue
		}
		before := a.Old.program(after.Problem, after.Name)
		if before != nil && before.Source != "" && after.Source != "" && before.Source != after.Source {
			a.Doubts = append(a.Doubts, stat.Doubt{Kind: "apart", Text: fmt.Sprintf(
				"the source of %s has changed: its own change affects the ratios of the others", a.Reference)})
		}
	}
}
