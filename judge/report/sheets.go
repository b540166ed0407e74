package report

import (
	"crucible/judge/record"
	"crucible/judge/report/sheet"
)

// Sheets returns the tables of a measurement; nil if the problem was not measured.
func Sheets(p *record.Problem) []sheet.Sheet {
	switch {
	case p.Comparison != nil:
		return sheet.OfComparison(p.Comparison)
	case p.Scaling != nil:
		return sheet.OfScaling(p.Scaling)
	case p.Band != nil:
		return sheet.OfBand(p.Band)
	}
	return nil
}
