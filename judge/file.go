package judge

import (
	"context"
	"os"
	"path/filepath"

	"crucible/judge/problem"
)

// JudgeFile judges one source file of this machine, which need not be in the
// package, on all cases of the problem. The report expects AC. If the problem sets
// no time limit, JudgeFile infers it first. The error is that of a file that cannot
// be read, a *[problem.Defect], or a failure of the judge; if the report is not nil,
// it has the runs until then. A missing compiler is no error: see Report.Skipped. If
// ctx ends, the report's Verdict is "", and the error may be nil.
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
