package page

import (
	"net/http"
	"strings"

	"crucible/judge/measure/bench"
	"crucible/judge/record"
	"crucible/judge/report"
	"crucible/judge/report/sheet"
	"crucible/judge/serve/blob"
)

// threshold is the smallest slowdown that counts when calls are compared, as in judge
// compare.
const threshold = 0.05

// A callPair is the data of the page that compares two calls of the history.
type callPair struct {
	A, B    string // the older and the newer one
	Summary string
	Names   [2]string
	Machine []bench.Difference // the calls are of different machines
	Across  bool               // they are compared nevertheless
	Sheets  []report.Sheet
	Left    int // parts that are not compared, without any that is
}

// compareCalls compares two calls of the history as judge compare does.
func (s *Site) compareCalls(v *visit) error {
	if err := v.mustJudge(); err != nil {
		return err
	}
	d := &callPair{A: v.FormValue("a"), B: v.FormValue("b"), Across: v.FormValue("across") != ""}
	var saved [2]*bench.StoredRun
	for i, id := range []string{d.A, d.B} {
		if s.History == "" || !record.IsID(id) {
			return blob.NewProblem(http.StatusNotFound, "call %.60q: found none of that id", id)
		}
		e, err := record.FindCall(s.History, id)
		if err != nil {
			return blob.NewProblem(http.StatusNotFound, "%v", err)
		}
		c, err := e.Read()
		if err != nil {
			return err
		}
		if saved[i], err = sheet.SavedCall(c, id); err != nil {
			return err
		}
		if len(saved[i].Programs) == 0 {
			return blob.NewProblem(http.StatusUnprocessableEntity,
				"call %s has no run of a submission: expected one of judge run, bench or limits", id)
		}
		saved[i].Name = strings.TrimPrefix(saved[i].Name, id+", ")
		d.Names[i] = saved[i].Name
	}
	if d.A == d.B {
		return blob.NewProblem(http.StatusUnprocessableEntity, "call %s against itself: expected two calls", d.A)
	}
	a, err := bench.RunComparisonOf(saved[0], saved[1], bench.Criterion{Threshold: threshold})
	if err != nil {
		return blob.NewProblem(http.StatusUnprocessableEntity, "%v", err)
	}
	d.Machine, d.Left = a.Machine, len(a.Left)
	if len(a.Programs) > 0 && (len(a.Machine) == 0 || d.Across) {
		d.Summary, d.Sheets = sheet.RunComparisonSummary(a), sheet.OfRunComparison(a)
	}
	return s.show(v, "calls", &view{Title: "Compare calls", Area: "runs", Data: d})
}
