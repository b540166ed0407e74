package stress

import (
	"context"
	"io"

	"crucible/judge/problem"
)

// climb runs the target on an input and returns the value. A larger value than before must
// be seen again, alone: other programs make a program slower. Callers have acquired a job;
// now is nil for inputs of the package.
func (r *running) climb(ctx context.Context, of *problem.Case, input []byte, now *Progress) (float64, error) {
	target := r.Targets[0]
	_, run := r.runNew(ctx, r.sessions[target], of, input, io.Discard)
	value := r.Climb(&run)
	r.believing.Lock()
	defer r.believing.Unlock()
	if run.Err == nil && now != nil && value > max(r.Climb(&r.result.BestRun), r.result.Start) {
		_, run = r.runNew(ctx, r.sessions[target], of, input, io.Discard)
		if value = min(value, r.Climb(&run)); run.Err == nil && value > max(r.Climb(&r.result.BestRun), r.result.Start) {
			c := counterexample(target, of, input, nil, &run, *now)
			r.result.Best, r.result.BestRun = c, run
		}
	}
	return value, run.Err
}
