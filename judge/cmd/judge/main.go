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
	"crucible/judge/report"
)

// Exit statuses. When several hold, the highest is given.
const (
	statusExpected    = 0   // everything was as expected
	statusUnexpected  = 1   // something was not; the report says which
	statusUsage       = 2   // the command line or a package is wrong
	statusJudge       = 3   // the judge failed; nothing was learned where it did
	statusInterrupted = 130 // stopped by Ctrl-C, as shells count it
	statusUnread      = 141 // nobody reads standard output any more, as in judge history | head; as shells count it, too
)

func main() {
	ctx, stop := untilInterrupted(context.Background())
	status := run(ctx, &env{stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:])
	stop()
	os.Exit(status)
}

// An env is what a command may touch of the process.
type env struct {
	stdout, stderr io.Writer
	file           *os.File // that stdout goes to, if it does
	color          bool     // stdout may be coloured
	tty            bool     // stdout is a terminal that can be redrawn
}

// isStdout reports whether a file is what standard output goes to.
func (e *env) isStdout(info fs.FileInfo) bool {
	if e.file == nil {
		return false
	}
	own, err := e.file.Stat()
	return err == nil && os.SameFile(own, info)
}

// A statusError carries the exit status that an error deserves.
type statusError struct {
	status int
	err    error // nil when all has been said
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// ending is the error of which all has been said; nil if all is as expected.
func ending(status int) error {
	if status == statusExpected {
		return nil
	}
	return &statusError{status: status}
}

// judgeFailed gives an error the status of a judge's failure, unless it is a
// package's, or the work was ended.
func judgeFailed(ctx context.Context, err error) error {
	var defect *problem.Defect
	if err == nil || ctx.Err() != nil || errors.As(err, &defect) {
		return err
	}
	return &statusError{statusJudge, err}
}

var errInterrupted = errors.New("interrupted")

// run is main without the process: arguments in, exit status out.
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
		if ctx.Err() == nil { // else all that went wrong comes of that
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

// unread is the error of writing to standard output if nobody reads that any
// more, which is no failure: whoever pipes it to head has seen enough.
func (e *env) unread() error {
	if out, ok := e.stdout.(*guardedWriter); ok && errors.Is(out.err, syscall.EPIPE) {
		return out.err
	}
	return nil
}

// without leaves one out of several joined errors.
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

// complain writes an error, each of several joined ones on a line of its own,
// but for those of which all has been said.
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
		if errors.As(err, &at) { // a name is one line, whatever is in it
			text = strings.ReplaceAll(text, at.Path, report.Clean(at.Path))
		}
		tell(e, "judge: ", text)
	} else if st.err != nil {
		complain(e, st.err)
	}
}

// warn writes a doubt that does not change the exit status.
func warn(e *env, err error) { tell(e, "judge: warning: ", err.Error()) }

// tell writes lines that may hold what a package or submission wrote.
func tell(e *env, prefix, text string) {
	for line := range strings.Lines(text) {
		fmt.Fprintln(e.stderr, prefix+report.Clean(strings.TrimRight(line, "\n")))
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
		DisableSuggestions: true, // commandError makes them
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
			// https://no-color.org: set to anything but nothing.
			e.color = e.tty && os.Getenv("NO_COLOR") == ""
		default:
			return fmt.Errorf("--color %q: expected auto, always or never", *color)
		}
		return nil
	}
	// As wide as what stands above them.
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

// untilInterrupted returns a context that ends with errInterrupted at Ctrl-C,
// so that everything is cleaned up on the way out. A second Ctrl-C gives up at
// once; one within 300 ms is the first again, which go tool hands on.
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

// guardedWriter ends the work when nobody reads the results any more.
type guardedWriter struct {
	w      io.Writer
	cancel context.CancelCauseFunc
	files  bool // there are reports to files, for which the work goes on
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
