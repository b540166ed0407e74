package judge

import (
	"context"
	"os"
	"path/filepath"

	"crucible/judge/problem"
)

// JudgeFile judges one source file, which need not be in the package, on all
// cases of the problem. The report expects AC. If the problem sets no time limit,
// JudgeFile infers it first. The error is a failure of the judge.
func (j *Judge) JudgeFile(ctx context.Context, p *problem.Problem, name string) (*Report, error) {
	s, err := problem.NewSubmission(p, os.DirFS(filepath.Dir(name)), filepath.Base(name))
	if err != nil {
		return nil, err
	}
	if err := j.Infer(ctx, p); err != nil {
		return nil, err
	}
	r := j.Run(ctx, s, p.Cases)
	return r, r.JudgeError()
}
