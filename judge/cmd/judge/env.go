package main

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

	"crucible/judge/problem"
	"crucible/judge/report"
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
	file           *os.File       // the file behind stdout; nil if it is not a file
	palette        report.Palette // the colours of stdout
	tty            bool           // stdout is a terminal that can be redrawn
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

// without returns the errors that err joins, except those that match one.
func without(err, one error) error {
	return errors.Join(slices.DeleteFunc(leaves(err), func(leaf error) bool { return errors.Is(leaf, one) })...)
}

// complain prints an error; joined errors get a line each. Errors that have
// already been printed are left out.
func complain(e *env, err error) {
	for _, leaf := range leaves(err) {
		var st *statusError
		if errors.As(leaf, &st) {
			complain(e, st.err)
			continue
		}
		text := leaf.Error()
		var at *fs.PathError
		if errors.As(leaf, &at) { // a file name may contain line breaks
			text = strings.ReplaceAll(text, at.Path, terminal.Clean(at.Path))
		}
		printLines(e, "judge: ", text)
	}
}

// warn prints warnings. They do not change the exit status.
func warn(e *env, warnings ...error) {
	for _, err := range warnings {
		printLines(e, "judge: warning: ", err.Error())
	}
}

// atMost returns the first most texts and, if there are more, their number.
func atMost(most int, texts []string) []string {
	if len(texts) <= most {
		return texts
	}
	return append(slices.Clone(texts[:most]), fmt.Sprintf("… and %d more", len(texts)-most))
}

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
	status := statusExpected
	for _, leaf := range leaves(err) {
		var st *statusError
		switch {
		case errors.Is(leaf, errInterrupted):
			return statusInterrupted
		case errors.As(leaf, &st):
			status = max(status, st.status)
		case problem.OutOfResources(leaf):
			status = max(status, statusJudge)
		default:
			status = max(status, statusUsage)
		}
	}
	return status
}
