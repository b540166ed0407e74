package page

import (
	"time"

	"crucible/judge/serve/api"
)

// workers shows the workers.
func (s *Site) workers(v *visit) error {
	return s.show(v, "workers", &view{Title: "Workers", Area: "workers", Data: s.Judge.ListWorkers()})
}

// A queueView is the data of the page of the queue.
type queueView struct {
	Running, Waiting []queueItem
}

// A queueItem is a judgement that has not ended.
type queueItem struct {
	api.Judgement
	Since time.Duration
}

// queue shows the judgements that have not ended, those of other clients, too.
func (s *Site) queue(v *visit) error {
	d := new(queueView)
	for _, g := range s.Judge.Live() {
		one := queueItem{g, time.Since(g.Created)}
		if g.State == api.Running {
			d.Running = append(d.Running, one)
		} else {
			d.Waiting = append(d.Waiting, one)
		}
	}
	return s.show(v, "queue", &view{Title: "Queue", Area: "queue", Live: len(d.Running)+len(d.Waiting) > 0, Data: d})
}
