package stress

import (
	"context"
	"io"

	"crucible/judge/problem"
)

// maximize runs the target on an input and returns the value. A larger value than before must
// be seen again, alone: other programs make a program slower. Callers have acquired a job;
// now is nil for inputs of the package.
func (r *search) maximize(ctx context.Context, of *problem.Case, input []byte, now *Progress) (float64, error) {
	target := r.Targets[0]
	_, run := r.runNew(ctx, r.sessions[target], of, input, io.Discard)
	value := r.Maximize(&run)
	r.confirming.Lock()
	defer r.confirming.Unlock()
	if run.Err == nil && now != nil && value > max(r.Maximize(&r.result.BestRun), r.result.Start) {
		_, run = r.runNew(ctx, r.sessions[target], of, input, io.Discard)
		value = min(value, r.Maximize(&run))
		if run.Err == nil && value > max(r.Maximize(&r.result.BestRun), r.result.Start) {
			c := counterexample(target, of, input, nil, &run, *now)
			r.result.Best, r.result.BestRun = c, run
		}
	}
	return value, run.Err
}
