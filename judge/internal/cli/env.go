package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/report"
	"crucible/judge/terminal"
)

// Exit statuses. If several apply, the judge exits with the highest.
const (
	StatusExpected    = 0   // everything was as expected
	StatusUnexpected  = 1   // something was not as expected; the report contains details
	StatusUsage       = 2   // the command line or a package is wrong
	StatusJudge       = 3   // the judge failed, so a result is missing
	StatusInterrupted = 130 // stopped by Ctrl-C; the status that shells use
	// The reader of standard output closed it, as in judge history | head; the status that
	// shells use.
	StatusUnread = 141
)

// An Env is the part of the process that a command may use.
type Env struct {
	Stdout, Stderr io.Writer
	File           *os.File       // the file behind stdout; nil if it is not a file
	Palette        report.Palette // the colours of stdout
	TTY            bool           // stdout is a terminal that can be redrawn
	Languages      language.Table // as the files languages.yaml and --flag say
	Lab            *Lab           // nil in judge, see [Lab]
}

// isStdout reports whether standard output goes to the file.
func (e *Env) isStdout(info fs.FileInfo) bool {
	if e.File == nil {
		return false
	}
	own, err := e.File.Stat()
	return err == nil && os.SameFile(own, info)
}

// A StatusError is an error with its exit status.
type StatusError struct {
	status int
	Err    error // nil if the error has already been printed
}

func (e *StatusError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.Err.Error()
}

func (e *StatusError) Unwrap() error { return e.Err }

// WithStatus gives an error an exit status. A nil error has been printed already.
func WithStatus(status int, err error) error { return &StatusError{status, err} }

// Ending returns an error that carries the status and prints nothing; nil if
// everything is as expected.
func Ending(status int) error {
	if status == StatusExpected {
		return nil
	}
	return WithStatus(status, nil)
}

// JudgeFailed gives an error the status of a judge failure, unless it is a
// defect of a package or ctx has ended.
func JudgeFailed(ctx context.Context, err error) error {
	var defect *problem.Defect
	if err == nil || ctx.Err() != nil || errors.As(err, &defect) {
		return err
	}
	return WithStatus(StatusJudge, err)
}

// ErrInterrupted is the cause that ends the context of an interrupted call.
var ErrInterrupted = errors.New("interrupted")

// Unread returns the error of writing to standard output if its reader closed
// it, as head does. This is not a failure of the judge.
func (e *Env) Unread() error {
	if out, ok := e.Stdout.(*GuardedWriter); ok && errors.Is(out.Err, syscall.EPIPE) {
		return out.Err
	}
	return nil
}

// leaves returns the errors that err joins, at any depth, or err itself.
func leaves(err error) (all []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case ok:
		for _, one := range joined.Unwrap() {
			all = append(all, leaves(one)...)
		}
	case err != nil:
		all = append(all, err)
	}
	return all
}

// Without returns the errors that err joins, except those that match one.
func Without(err, one error) error {
	return errors.Join(slices.DeleteFunc(leaves(err), func(leaf error) bool { return errors.Is(leaf, one) })...)
}

// Complain prints an error; joined errors get a line each. Errors that have
// already been printed are left out.
func Complain(e *Env, err error) {
	for _, leaf := range leaves(err) {
		var st *StatusError
		if errors.As(leaf, &st) {
			Complain(e, st.Err)
			continue
		}
		text := leaf.Error()
		var at *fs.PathError
		if errors.As(leaf, &at) { // a file name may contain line breaks
			text = strings.ReplaceAll(text, at.Path, terminal.Clean(at.Path))
		}
		PrintLines(e, "judge: ", text)
	}
}

// Warn prints warnings. They do not change the exit status.
func Warn(e *Env, warnings ...error) {
	for _, err := range warnings {
		PrintLines(e, "judge: warning: ", err.Error())
	}
}

// AtMost returns the first most texts and, if there are more, their number.
func AtMost(most int, texts []string) []string {
	if len(texts) <= most {
		return texts
	}
	return append(slices.Clone(texts[:most]), fmt.Sprintf("… and %d more", len(texts)-most))
}

// PrintLines prints text on standard error, cleaned of control characters, with
// prefix before its first line.
func PrintLines(e *Env, prefix, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(e.Stderr, prefix+terminal.Clean(strings.TrimRight(line, "\n")))
		prefix = "  "
	}
}

// A GuardedWriter cancels the work when writing to standard output fails.
type GuardedWriter struct {
	W      io.Writer
	Cancel context.CancelCauseFunc
	files  bool  // reports go to files, so a closed pipe does not cancel the work
	Err    error // the first error; nothing is written after it
}

func (g *GuardedWriter) Write(p []byte) (int, error) {
	if g.Err != nil {
		return 0, g.Err
	}
	n, err := g.W.Write(p)
	if err != nil {
		g.Err = err
		if !g.files || !errors.Is(err, syscall.EPIPE) {
			g.Cancel(err)
		}
	}
	return n, err
}

// StatusOf returns the exit status of an error; the highest one of joined errors.
func StatusOf(err error) int {
	status := StatusExpected
	for _, leaf := range leaves(err) {
		var st *StatusError
		switch {
		case errors.Is(leaf, ErrInterrupted):
			return StatusInterrupted
		case errors.As(leaf, &st):
			status = max(status, st.status)
		case problem.OutOfResources(leaf):
			status = max(status, StatusJudge)
		default:
			status = max(status, StatusUsage)
		}
	}
	return status
}
