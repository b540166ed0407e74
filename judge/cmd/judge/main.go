// Command judge judges programs against problems in the ICPC/Kattis problem
// package format. See judge help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"crucible/judge/problem"
	"crucible/judge/terminal"
)

// Exit statuses. If several apply, the judge exits with the highest.
const (
	statusExpected    = 0   // everything was as expected
	statusUnexpected  = 1   // something was not as expected; the report says what
	statusUsage       = 2   // the command line or a package is wrong
	statusJudge       = 3   // the judge failed, so a result is missing
	statusInterrupted = 130 // stopped by Ctrl-C; the status that shells use
	statusUnread      = 141 // the reader of standard output closed it, as in judge history | head; the status that shells use
)

func main() {
	ctx, stop := untilInterrupted(context.Background())
	status := run(ctx, &env{stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:])
	stop()
	os.Exit(status)
}

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

var errInterrupted = errors.New("interrupted")

// run executes the command line args and returns the exit status.
func run(ctx context.Context, e *env, args []string) int {
	out := &guardedWriter{w: e.stdout}
	ctx, out.cancel = context.WithCancelCause(ctx)
	defer out.cancel(nil)
	e.file, _ = e.stdout.(*os.File)
	e.tty = e.file != nil && term.IsTerminal(int(e.file.Fd())) && os.Getenv("TERM") != "dumb"
	e.stdout = out

	root := rootCommand(e)
	root.SetArgs(args)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	err := root.ExecuteContext(ctx)
	if err != nil {
		err = commandError(root, err)
	}
	interrupted := errors.Is(err, errInterrupted) || errors.Is(context.Cause(ctx), errInterrupted)
	switch {
	case interrupted:
		fmt.Fprintln(e.stderr, "judge: interrupted")
		return statusInterrupted
	case e.unread() != nil:
		if ctx.Err() == nil { // otherwise the closed pipe caused all errors
			complain(e, without(err, out.err))
		}
		return statusUnread
	case out.err != nil:
		err = &statusError{statusJudge, fmt.Errorf("standard output: %w", out.err)}
	case err == nil:
		return statusExpected
	}
	complain(e, err)
	return statusOf(err)
}

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

// rootCommand builds the command from the table of subcommands.
func rootCommand(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "judge",
		Short: "judge programs for competitive programming",
		Long: `Judge programs against problems in the ICPC/Kattis problem package format.

Exit status: 0 everything was as expected, 1 something was not, 2 the command
line or a package is wrong, 3 the judge itself failed, 130 interrupted, 141 the
reader of standard output has closed it.`,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // commandError suggests commands
		Version:            fmt.Sprintf("%s %s %s/%s", cmp.Or(version(), "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH),
	}
	root.SetVersionTemplate("judge {{.Version}}\n")
	color := root.PersistentFlags().String("color", "auto", "`WHEN` to colour the output: auto, always or never")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		switch *color {
		case "always":
			e.color = true
		case "never":
		case "auto":
			// https://no-color.org: any value but the empty one disables colours.
			e.color = e.tty && os.Getenv("NO_COLOR") == ""
		default:
			return fmt.Errorf("--color %q: expected auto, always or never", *color)
		}
		return nil
	}
	// Flags are wrapped at the width of the help text.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages ", "FlagUsagesWrapped 80 "))
	root.SetFlagErrorFunc(flagError)
	for _, c := range commands {
		root.AddCommand(c(e))
	}
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		_, rest, err := root.Find(args)
		if err == nil && len(rest) > 0 {
			err = fmt.Errorf("help %s: no such command", strings.Join(args, " "))
		}
		return err
	}
	return root
}

// commands is the table of subcommands, in the order of the help.
var commands = []func(*env) *cobra.Command{
	runCommand,
	testCommand,
	verifyCommand,
	benchCommand,
	scaleCommand,
	limitsCommand,
	compareCommand,
	historyCommand,
	reportCommand,
	genCommand,
	newCommand,
	importCommand,
	packCommand,
	unpackCommand,
	langCommand,
	doctorCommand,
}

// untilInterrupted returns a context that ends with errInterrupted at Ctrl-C, so
// that the commands clean up and return. A second Ctrl-C ends the process at
// once, unless it comes within 300 ms: go tool forwards the first one again.
func untilInterrupted(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ignorePipe()
	go func() {
		var first time.Time
		for range signals {
			switch {
			case first.IsZero():
				first = time.Now()
				cancel(errInterrupted)
			case time.Since(first) > 300*time.Millisecond:
				os.Exit(statusInterrupted)
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// A guardedWriter cancels the work when writing to standard output fails.
type guardedWriter struct {
	w      io.Writer
	cancel context.CancelCauseFunc
	files  bool // reports go to files, so a closed pipe does not cancel the work
	err    error
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
