package html

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"crucible/judge/measure/bench"
	"crucible/judge/measure/stat"
	"crucible/judge/problem"
	"crucible/judge/record"
	"crucible/judge/report/sheet"
)

// The largest size by a fit, and the doubt about it, are the same in every format.
func TestLargestIsOneTruth(t *testing.T) {
	doubts := []stat.Doubt{{Kind: "few", Text: "five sizes only"}}
	for _, tt := range []struct {
		name                  string
		curve                 bench.Curve
		text, caption, reach_ string // of the tables, of the page, of JSON
	}{
		{"a size", bench.Curve{Largest: 2e6, Bound: problem.TimeLimit}, "2.00 M", "; up to 2.00 M by the fit", "size"},
		{"the memory limit determines it", bench.Curve{Largest: 2e6, Bound: problem.MemoryLimit}, "2.00 M, MLE", "; up to 2.00 M, MLE by the fit", "size"},
		{"far away, by a fit in doubt", bench.Curve{Largest: 9e7, Bound: problem.TimeLimit, Time: stat.Fit{Doubts: doubts}}, "?", "; the fit is in doubt for larger sizes", "doubtful"},
		{"far away, by the fit of memory, which is not in doubt", bench.Curve{Largest: 9e7, Bound: problem.MemoryLimit, Time: stat.Fit{Doubts: doubts}}, "90.0 M, MLE", "; up to 90.0 M, MLE by the fit", "size"},
		{"near, by a fit in doubt", bench.Curve{Largest: 2e6, Bound: problem.TimeLimit, Time: stat.Fit{Doubts: doubts}}, "2.00 M", "; up to 2.00 M by the fit", "size"},
		{"any", bench.Curve{Largest: math.Inf(1)}, "any", "; at any size by the fit", "any"},
		{"any, but it was stopped", bench.Curve{Largest: math.Inf(1), Stopped: "WA on n"}, "-", "as measured", "unknown"},
		{"not known", bench.Curve{Largest: math.NaN()}, "-", "as measured", "unknown"},
		{"none", bench.Curve{Largest: 0.5, Bound: problem.TimeLimit}, "none", "; at no size by the fit", "none"},
	} {
		c := &tt.curve
		c.Measured, c.Time.Model, c.Memory.Model = 1e6, stat.Linear, stat.Linear
		m := &bench.Measurement{Kind: bench.ForScale, Submissions: []bench.Submission{{Name: "a.c"}}, Limits: problem.Limits{Time: time.Second}}
		s := &bench.Scaling{Measurement: m, Curves: []bench.Curve{*c}}
		row := sheet.Writer.Sheets(&record.Problem{Sections: record.Sections{"scaling": s}})[0].Rows[0]
		claim, j := growthClaim("a.c", c, m), storedCurve(t, s)
		if text := row[len(row)-1].Text; text != tt.text || !strings.HasSuffix(claim.Text, tt.caption) || string(j.Reach) != tt.reach_ || (j.Largest != nil) != (tt.reach_ == "size") {
			t.Errorf("%s: table %q, page %q, JSON %v %s", tt.name, text, claim.Text, j.Largest, j.Reach)
		}
		if claim.Number != row[2].Text || claim.Mark != row[2].Mark && c.Stopped == "" {
			t.Errorf("%s: model %q %s, on the page %q %s", tt.name, row[2].Text, row[2].Mark, claim.Number, claim.Mark)
		}
	}
}

// A curveRecord has the fields of a record for the largest size of a curve.
type curveRecord struct {
	Largest *float64
	Reach   bench.Reach
}

func storedCurve(t *testing.T, s *bench.Scaling) curveRecord {
	t.Helper()
	var b bytes.Buffer
	if err := record.Write(&b, &record.Document{Problems: []record.Problem{{Sections: record.Sections{"scaling": s}}}}); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Problems []struct {
			Scaling struct{ Curves []curveRecord }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return d.Problems[0].Scaling.Curves[0]
}
