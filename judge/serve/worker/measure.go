package worker

import (
	"context"

	"crucible/judge"
	"crucible/judge/measure/calibration"
	"crucible/judge/sandbox"
	"crucible/judge/serve/api"
)

// Measure runs the programs of [calibration.Measure] in the sandbox of a judge.
func Measure(ctx context.Context, j *judge.Judge) (*api.Calibration, error) {
	p, err := calibration.Measure(ctx, runner{j})
	if err != nil {
		return nil, err
	}
	return &api.Calibration{Programs: p.Programs, Times: p.Times, Instructions: p.Instructions}, nil
}

// A runner is the sandbox of a judge.
type runner struct{ *judge.Judge }

// Run implements [sandbox.Runner].
func (r runner) Run(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	return r.RunProgram(ctx, cmd)
}
