package page

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/blob"
	"crucible/judge/serve/server"
	"crucible/judge/terminal"
)

// workers shows the workers.
func (s *Site) workers(v *visit) error {
	if !v.seesWorkers() {
		return blob.NewProblem(http.StatusForbidden, "the token of %s does not permit to see workers", v.token.Name)
	}
	return s.show(v, "workers", &view{Title: "Workers", Area: "workers", Data: s.Judge.ListWorkers(v.token)})
}

// maxQueue is how many judgements the page of the queue shows, those that began first.
const maxQueue = 200

// A queueView is the data of the page of the queue.
type queueView struct {
	Busy, Slots int // of the workers that are alive; 0 slots are not known
	All         []queueItem
	More        int // judgements that are not shown
}

// A queueItem is a judgement that has not ended.
type queueItem struct {
	api.Judgement
	Name    string // of the problem
	Program string // its name, if it was submitted on a page, with the address of its result
	Address string
	Since   time.Duration
	Doing   string // how far it is, or what it waits for
	Own     bool   // the visitor may cancel it
}

// queue shows the judgements that have not ended, those of other clients as far as the
// visitor sees them.
func (s *Site) queue(v *visit) error {
	d, workers := new(queueView), s.Judge.ListWorkers(v.token)
	for _, w := range workers {
		if w.Alive {
			d.Busy, d.Slots = d.Busy+w.Busy, d.Slots+w.Slots
		}
	}
	live := slices.DeleteFunc(s.Judge.Live(), func(g api.Judgement) bool {
		return s.Judge.ViewOf(v.token, g.By, g.Problem) == api.Hidden
	})
	last, err := s.list(v, "", "")
	if err != nil {
		return err
	}
	programs := make(map[string]choice) // their names and addresses by the judgements
	for _, l := range last {
		if l.Run == nil || l.Run.Counts.Live == 0 {
			continue
		}
		at := "/runs/" + l.Run.ID
		for i := range l.Run.Rows {
			programs[l.Run.Rows[i].Judgement] = choice{l.Run.Rows[i].Name, fmt.Sprintf("%s/%d", at, i)}
		}
		if l.Run.Call != "" {
			d.All = append(d.All, queueItem{Judgement: api.Judgement{By: l.Run.By}, Name: l.Run.Name, Program: l.Run.Title,
				Address: at, Since: time.Since(l.Run.Created), Doing: terminal.Count(l.Run.Counts.Runs, "test") + " done"})
		}
	}
	d.More = max(0, len(live)-maxQueue)
	for _, g := range live[:len(live)-d.More] {
		one := queueItem{Judgement: g, Program: programs[g.ID].Value, Address: programs[g.ID].Text,
			Since: time.Since(g.Created), Own: v.token.Permits(server.Admin) || v.submits() && g.By == v.token.Name}
		one.Name, _ = s.problemName(v, g.Problem)
		_, runs, _, err := s.Judge.Look(api.Whole, g.ID, 0) // to count them
		switch {
		case err != nil:
			continue // it has ended
		case len(runs) > 0:
			one.Doing = terminal.Count(len(runs), "test") + " done"
		case g.State == api.Queued:
			one.Doing = fmt.Sprintf("waits for other judgements of %s", g.By)
		case len(workers) > 0 && d.Slots == 0:
			one.Doing = "waits for a worker: none is connected"
		case d.Slots > 0 && d.Busy >= d.Slots:
			one.Doing = "no result yet: all slots are busy"
		default:
			one.Doing = "no result yet"
		}
		d.All = append(d.All, one)
	}
	return s.show(v, "queue", &view{Title: "Queue", Area: "queue", Live: len(d.All) > 0, Data: d})
}

// dequeue cancels a judgement of the visitor.
func (s *Site) dequeue(v *visit) error {
	if err := v.mustSubmit(); err != nil {
		return err
	}
	if err := s.Judge.Cancel(v.token, v.PathValue("judgement")); err != nil {
		return err
	}
	http.Redirect(v.w, v.Request, "/queue", http.StatusSeeOther)
	return nil
}
