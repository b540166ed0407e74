package sheet

import (
	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/strength/adequacy"
	"crucible/judge/strength/stress"
)

// Sections are the sections of which this package makes tables.
var Sections = []record.Section{
	bench.Section,
	record.SectionOf[adequacy.Result](AdequacyKey),
	record.SectionOf[stress.Summary](StressKey),
}

// Keys of sections.
const (
	AdequacyKey = "adequacy"
	StressKey   = "stress"
)

// OfMeasured returns the tables of a problem that was measured, or for which inputs were
// searched; nil if it was judged only.
func OfMeasured(p *record.Problem) []report.Sheet {
	for _, v := range p.Sections {
		switch v := v.(type) {
		case *bench.Comparison:
			return OfComparison(v)
		case *bench.Scaling:
			return OfScaling(v)
		case *bench.Band:
			return OfBand(v)
		case *stress.Summary:
			return OfStress(v)
		}
	}
	return nil
}
