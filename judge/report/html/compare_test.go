package html

import (
	"math"
	"testing"

	"crucible/judge/measure/bench"
)

// If the clock is too coarse, ratios are 0 or infinite and cannot be drawn.
func TestChangesWithoutARatioAreNotDrawn(t *testing.T) {
	a := changes(six, 2).Against.(*bench.RunComparison)
	a.Programs = a.Programs[:3]
	for i, r := range []float64{math.NaN(), 0, math.Inf(1)} {
		p := &a.Programs[i]
		p.Overall.Ratio.Ratio = r
		for k := range p.Cells {
			p.Cells[k].Change.Ratio.Ratio = r
		}
	}
	if got := changesSection(a).Pictures; got != nil {
		t.Errorf("drawn: %+v", got[0].Data["rows"].rows)
	}
	for _, c := range a.Programs[0].Cells {
		if cell := mapCellOf(a, &c); cell.key != "" {
			t.Errorf("in the map: %+v", cell)
		}
	}
}
