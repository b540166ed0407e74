package judge

import (
	"cmp"
	"sync"
	"time"

	"crucible/judge/problem"
)

// itemTime is the time that the runs of a work item take, as far as it is known before.
const itemTime = time.Second

// unknownPace is the time of a run on a problem of which none is known.
const unknownPace = 50 * time.Millisecond

// A pace has the average time of the runs of each problem, which is the only thing that
// decides how many cases a work item has.
type pace struct {
	mu    sync.Mutex
	times map[*problem.Problem]time.Duration
}

// mostCases is the most cases of a work item, which has their names.
const mostCases = 256

// cases returns how many cases of a problem take about itemTime.
func (p *pace) cases(of *problem.Problem) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(mostCases, max(1, int(itemTime/max(cmp.Or(p.times[of], unknownPace), time.Millisecond))))
}

// learn adds a run. Later runs count more.
func (p *pace) learn(of *problem.Problem, run *Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times == nil {
		p.times = make(map[*problem.Problem]time.Duration)
	}
	old, known := p.times[of]
	if !known {
		old = run.Outcome.Wall
	}
	p.times[of] = (7*old + run.Outcome.Wall) / 8
}
