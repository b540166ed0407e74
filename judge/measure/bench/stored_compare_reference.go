package bench

import (
	"slices"
)

// relativeTo returns the run with the values of one metric divided by those of the
// reference on the same problem, case and round. This removes effects of the
// machine on both. Rounds that the reference does not have are omitted. The
// reference has no values in the result.
func (s *StoredRun) relativeTo(reference string, m Metric) *StoredRun {
	r := *s
	r.Programs = slices.Clone(s.Programs)
	for i := range r.Programs {
		p := &r.Programs[i]
		by := s.program(p.Problem, reference)
		p.Cells = slices.Clone(p.Cells)
		for k := range p.Cells {
			var unit *StoredCell
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
func (c StoredCell) over(unit *StoredCell, m Metric) StoredCell {
	r := StoredCell{Case: c.Case, Size: c.Size, Data: c.Data, Wrong: c.Wrong, Unknown: c.Unknown}
	if c.values(m) == nil || unit == nil {
		return r
	}
	units := make(map[int]float64) // by round
	for i, u := range unit.values(m) {
		units[unit.Rounds[i]] = u
	}
	for i, round := range c.Rounds {
		u := units[round]
		if !(u > 0) {
			continue
		}
		values := make(map[Metric]float64)
		for metric, all := range c.Values {
			values[metric] = all[i]
		}
		values[m] /= u
		r.Add(round, values)
	}
	return r
}
