package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Exit statuses. If several apply, the judge exits with the highest.
const (
	statusExpected    = 0   // everything was as expected
	statusUnexpected  = 1   // something was not as expected; the report contains details
	statusUsage       = 2   // the command line or a package is wrong
	statusJudge       = 3   // the judge failed, so a result is missing
	statusInterrupted = 130 // stopped by Ctrl-C; the status that shells use
	statusUnread      = 141 // the reader of standard output closed it, as in judge history | head; the status that shells use
)

// An env is the part of the process that a command may use.
type env struct {
	stdout, stderr io.Writer
	file           *os.File // the file behind stdout; nil if it is not a file
	color          bool     // stdout may be coloured
	tty            bool     // stdout is a terminal that can be redrawn
}

// isStdout reports whether standard output goes to the file.
func (e *env) isStdout(info fs.FileInfo) bool {
	if e.file == nil {
		return false
	}
	own, err := e.file.Stat()
	return err == nil && os.SameFile(own, info)
}

// A statusError is an error with its exit status.
type statusError struct {
	status int
	err    error // nil if the error has already been printed
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// ending returns an error that carries the status and prints nothing; nil if
// everything is as expected.
func ending(status int) error {
	if status == statusExpected {
		return nil
	}
	return &statusError{status: status}
}

// judgeFailed gives an error the status of a judge failure, unless it is a
// defect of a package or ctx has ended.
func judgeFailed(ctx context.Context, err error) error {
	var defect *problem.Defect
	if err == nil || ctx.Err() != nil || errors.As(err, &defect) {
		return err
	}
	return &statusError{statusJudge, err}
}

// errInterrupted is the cause that ends the context of an interrupted call.
var errInterrupted = errors.New("interrupted")

// unread returns the error of writing to standard output if its reader closed
// it, as head does. This is not a failure of the judge.
func (e *env) unread() error {
	if out, ok := e.stdout.(*guardedWriter); ok && errors.Is(out.err, syscall.EPIPE) {
		return out.err
	}
	return nil
}

// without returns err, which may join several errors, without the error one.
func without(err, one error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var rest []error
		for _, err := range joined.Unwrap() {
			rest = append(rest, without(err, one))
		}
		return errors.Join(rest...)
	}
	if errors.Is(err, one) {
		return nil
	}
	return err
}

// complain prints an error; joined errors get a line each. Errors that have
// already been printed are left out.
func complain(e *env, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			complain(e, one)
		}
		return
	}
	var st *statusError
	if !errors.As(err, &st) {
		text := err.Error()
		var at *fs.PathError
		if errors.As(err, &at) { // a file name may contain line breaks
			text = strings.ReplaceAll(text, at.Path, terminal.Clean(at.Path))
		}
		printLines(e, "judge: ", text)
	} else if st.err != nil {
		complain(e, st.err)
	}
}

// warn prints a warning. Warnings do not change the exit status.
func warn(e *env, err error) { printLines(e, "judge: warning: ", err.Error()) }

// printLines prints text on standard error, cleaned of control characters, with
// prefix before its first line.
func printLines(e *env, prefix, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(e.stderr, prefix+terminal.Clean(strings.TrimRight(line, "\n")))
		prefix = "  "
	}
}

// A guardedWriter cancels the work when writing to standard output fails.
type guardedWriter struct {
	w      io.Writer
	cancel context.CancelCauseFunc
	files  bool  // reports go to files, so a closed pipe does not cancel the work
	err    error // the first error; nothing is written after it
}

func (g *guardedWriter) Write(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.w.Write(p)
	if err != nil {
		g.err = err
		if !g.files || !errors.Is(err, syscall.EPIPE) {
			g.cancel(err)
		}
	}
	return n, err
}

// statusOf returns the exit status of an error; the highest one of joined errors.
func statusOf(err error) int {
	if err == nil {
		return statusExpected
	}
	if errors.Is(err, errInterrupted) {
		return statusInterrupted
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		status := statusExpected
		for _, one := range joined.Unwrap() {
			status = max(status, statusOf(one))
		}
		return status
	}
	var st *statusError
	if errors.As(err, &st) {
		return st.status
	}
	if problem.OutOfResources(err) {
		return statusJudge
	}
	return statusUsage
}
