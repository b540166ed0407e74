package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
	"crucible/judge/terminal"
)

// nextPass is the file with which a validator requests another pass.
const nextPass = "nextpass.in"

// executePasses runs the program as long as the validator accepts and leaves the
// input of another pass (2025-09, "Multi-pass validation"). The limits apply to
// each pass separately. The program sees no files of earlier passes; the
// validator sees its feedback.
func (a *attempt) executePasses(ctx context.Context) error {
	for {
		if err := a.execute(ctx); err != nil {
			return fmt.Errorf("pass %d: %w", a.passes, err)
		}
		again, err := a.output.takeNextPass(&a.run, a.passes)
		if err != nil {
			return fmt.Errorf("pass %d: %w", a.passes, err)
		}
		if !again {
			if a.passes > 1 && a.run.Why != "" {
				a.run.Why = fmt.Sprintf("pass %d: %s", a.passes, a.run.Why)
			}
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// add adds the outcome of a pass to the run. In a multi-pass problem the run has the
// exit status, signal and exceeded limit of its last pass, and the maximum usage of
// all passes, because a limit applies to each pass.
func (r *Run) add(o sandbox.Outcome, multi bool) {
	if !multi {
		r.Outcome = o
		return
	}
	if p := &r.Outcome; r.Passes > 0 {
		if p.CPU > o.CPU {
			o.CPU, o.User, o.Sys = p.CPU, p.User, p.Sys
		}
		if p.Wall > o.Wall {
			o.Wall, o.Waited = p.Wall, p.Waited
		}
		o.Memory, o.Instructions = max(o.Memory, p.Memory), max(o.Instructions, p.Instructions)
		if p.Output > o.Output {
			o.Output, o.Stderr = p.Output, p.Stderr
		}
		o.Beside = max(o.Beside, p.Beside)
		o.Written, o.Files = max(o.Written, p.Written), max(o.Files, p.Files)
	}
	r.Outcome = o
	r.Passes++
}

// takeNextPass reports whether there is another pass, and moves its input out of
// the feedback folder. The input becomes that of the program or, in an
// interaction, of the validator only. In both cases it becomes the validator's
// input_file: this is "given on standard input to the program whose results are
// being validated" (2025-09, "Invocation"), and validators for BAPCtools and
// DOMjudge rely on it. The format exempts only visualizers: their file is the case's.
func (e *validation) takeNextPass(run *Run, passes int) (bool, error) {
	if run.Verdict != problem.Accepted && run.Verdict != problem.WrongAnswer || len(e.validators) == 0 {
		return false, nil
	}
	x := e.validators[0]
	file := filepath.Join(x.feedback, nextPass)
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case run.Verdict != problem.Accepted:
		return false, x.errorf("rejects, and leaves %s, too; expected one or the other", nextPass)
	case !info.Mode().IsRegular():
		return false, x.errorf("leaves %s, which is no regular file", nextPass)
	case info.Size() > e.p.Checking.Output:
		return false, x.errorf("leaves %s of %s, expected at most %s", nextPass, terminal.Bytes(info.Size()),
			terminal.Bytes(e.p.Checking.Output))
	case passes >= e.p.Passes:
		return false, x.errorf("asks for pass %d, and there are %d at most (validation_passes)", passes+1, e.p.Passes)
	}
	data, ok, err := osfile.ReadBack(x.feedback, nextPass, e.p.Checking.Output)
	if err == nil && !ok {
		err = x.errorf("leaves %s, which is no regular file", nextPass)
	}
	if err == nil {
		err = os.Remove(file)
	}
	if err != nil {
		return false, err
	}
	if err := x.share(); err != nil {
		return false, err
	}
	x.before = message(x.feedback, judgeMessage)
	e.input = filepath.Join(e.dir, fmt.Sprintf("pass-%d.in", passes+1))
	if err := os.WriteFile(e.input, data, osfile.Perm); err != nil {
		return false, err
	}
	e.passInput = true
	return true, osfile.Unmask(e.input, osfile.Perm)
}

// openInput opens the input of the program in this pass.
func (e *validation) openInput() (io.ReadCloser, error) {
	if e.passInput {
		return os.Open(e.input)
	}
	return e.c.Input()
}
