package judge

import "context"

func checkGenerated(ctx context.Context, j *Judge, p *Problem, promise *Promise, v *Verification) error {
	return nil
}
