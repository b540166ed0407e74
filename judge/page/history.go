package page

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"crucible/judge/api"
	"crucible/judge/blob"
	"crucible/judge/history"
	"crucible/judge/record"
	"crucible/judge/report/html"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// maxCalls is how many calls of the history are looked at for scores of test data.
const maxCalls = 300

// A callItem is a call of the judge in a list.
type callItem struct {
	ID, Command, Took string
	Problems          []string
	Time              time.Time
	State             string
	Status            int
	Runs              int
}

// calls returns the calls in the history of this machine, the newest first.
func (s *Site) calls(most int) (all []callItem) {
	if s.History == "" {
		return nil
	}
	entries, err := history.List(s.History)
	if err != nil {
		s.Log.Warn("the history cannot be read", "error", err)
	}
	for _, e := range entries[:min(len(entries), most)] {
		g, err := e.Glance()
		if err != nil {
			continue // it is damaged, or of another version
		}
		one := callItem{ID: e.ID, Time: g.Head.Time, State: string(g.State), Status: g.End.Status, Runs: g.End.Runs}
		one.Command = terminal.Clip(terminal.Clean("judge "+strings.Join(slices.Concat([]string{g.Head.Command}, g.Head.Args, g.Head.Flags), " ")), 100)
		if g.State == history.Ended {
			one.Took = units.Duration(g.End.Elapsed)
		}
		for _, p := range g.Head.Problems {
			one.Problems = append(one.Problems, p.ID)
		}
		all = append(all, one)
	}
	return all
}

// A memory has the newest mutation score of each problem, from the calls that were read.
type memory struct {
	sync.Mutex
	seen   map[string]bool   // calls
	scores map[string]string // by id of the problem
	times  map[string]time.Time
	looked time.Time
}

// scoreOf returns the newest mutation score of the test data of a problem in the history;
// "" if it was not measured.
func (s *Site) scoreOf(id string) string {
	m := &s.sheets
	m.Lock()
	defer m.Unlock()
	if s.History != "" && time.Since(m.looked) > 10*time.Second {
		m.looked = time.Now()
		m.look(s.History)
	}
	return m.scores[id]
}

func (m *memory) look(folder string) {
	if m.seen == nil {
		m.seen, m.scores, m.times = make(map[string]bool), make(map[string]string), make(map[string]time.Time)
	}
	entries, _ := history.List(folder) // without a history there are no scores
	for _, e := range entries[:min(len(entries), maxCalls)] {
		if m.seen[e.ID] {
			continue
		}
		g, err := e.Glance()
		if err != nil || g.State == history.GoingOn {
			continue
		}
		m.seen[e.ID] = true
		if g.Head.Command != "adequacy" {
			continue
		}
		c, err := e.Read()
		if err != nil {
			continue
		}
		for i, p := range g.Head.Problems {
			a := c.Adequacy(i)
			if a == nil || a.Mutation == nil || a.Mutation.Scores.Headline.Of == 0 || g.Head.Time.Before(m.times[p.ID]) {
				continue
			}
			x := a.Mutation.Scores.Headline
			m.times[p.ID], m.scores[p.ID] = g.Head.Time, fmt.Sprintf("%s, %d of %d mutants killed", units.Percent(float64(x.Killed)/float64(x.Of)), x.Killed, x.Of)
		}
	}
}

// history shows the calls of the judge on this machine.
func (s *Site) history(v *visit) error {
	return s.show(v, "history", &view{Title: "History", Area: "history", Data: s.calls(maxList)})
}

// call shows a call as the HTML report. The report has a policy of its own, which names
// the hashes of its scripts; this one keeps it from the pages of the server.
func (s *Site) call(v *visit) error {
	if s.History == "" || !history.IsID(v.PathValue("call")) {
		return blob.NewProblem(http.StatusNotFound, "call %.60q: found none of that id", v.PathValue("call"))
	}
	e, err := history.Find(s.History, v.PathValue("call"))
	if err != nil {
		return blob.NewProblem(http.StatusNotFound, "%v", err)
	}
	c, err := e.Read()
	if err != nil {
		return err
	}
	d, err := c.Document()
	if err != nil {
		return err
	}
	return writeReport(v, d)
}

// report shows a run as the HTML report.
func (s *Site) report(v *visit) error {
	r, err := s.readRun(v.PathValue("run"))
	if err != nil {
		return err
	}
	d, err := s.documentOf(r, func(int) bool { return true })
	if err != nil {
		return err
	}
	return writeReport(v, d)
}

// documentOf returns the judgements of rows of a run that have ended as a document.
func (s *Site) documentOf(r *run, is func(row int) bool) (*record.Document, error) {
	d := new(record.Document)
	all := record.Problem{ID: r.Problem, Cases: r.Cases}
	for i := range r.Rows {
		if !is(i) || r.Rows[i].Judgement == "" {
			continue
		}
		g, _, _, err := s.Judge.Look(r.Rows[i].Judgement, 0)
		if err != nil || g.Ended == nil || g.State != api.Ended || g.Record == nil {
			continue
		}
		var p record.Problem
		if err := record.Parse(g.Record, &p); err != nil {
			return nil, err
		}
		all.ID, all.Path, all.Limits = p.ID, p.Path, p.Limits
		for _, one := range p.Reports {
			one.Submission = cmp.Or(r.Rows[i].Name, one.Submission)
			all.Reports = append(all.Reports, one)
		}
	}
	if len(all.Reports) == 0 {
		return nil, blob.NewProblem(http.StatusNotFound, "run %s has no judgement that has ended", r.ID)
	}
	d.Problems = []record.Problem{all}
	return d, nil
}

// writeReport writes the HTML report, in a sandbox of its own origin.
func writeReport(v *visit, d *record.Document) error {
	v.w.Header().Set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'none'")
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Cache-Control", "private, no-cache")
	return html.Write(v.w, d)
}
