package judge

import (
	"sync"

	"crucible/judge/problem"
)

// measuredRuns has the runs of the last inference of a time limit, until they are
// taken.
type measuredRuns struct {
	mu   sync.Mutex
	runs map[*problem.Submission]map[*problem.Case]*Run
}

// put replaces the runs.
func (m *measuredRuns) put(runs map[*problem.Submission]map[*problem.Case]*Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs = runs
}

// take removes the runs of a submission and returns them.
func (m *measuredRuns) take(s *problem.Submission) map[*problem.Case]*Run {
	m.mu.Lock()
	defer m.mu.Unlock()
	runs := m.runs[s]
	delete(m.runs, s)
	return runs
}
