package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"crucible/judge/internal/osfile"
)

// Main executes the command line of the process, and exits. Lab is nil in judge.
func Main(lab *Lab) {
	ctx, stop := untilInterrupted(context.Background())
	e := &Env{Stdout: os.Stdout, Stderr: os.Stderr, Lab: lab}
	if err := checkCaller(lab); err != nil {
		Complain(e, err)
		os.Exit(StatusUsage)
	}
	status := statusLab
	args := os.Args[1:]
	if lab != nil || !labCompletes(args) {
		status = run(ctx, e, args)
	}
	if status == statusLab {
		err := handOver(ctx, e, args, stop)
		Complain(e, err)
		status = StatusOf(err)
	}
	stop()
	os.Exit(status)
}

// run executes a command line and returns the exit status.
func run(ctx context.Context, e *Env, args []string) int {
	out := &GuardedWriter{W: e.Stdout}
	ctx, out.Cancel = context.WithCancelCause(ctx)
	defer out.Cancel(nil)
	e.File, _ = e.Stdout.(*os.File)
	e.TTY = e.File != nil && term.IsTerminal(int(e.File.Fd())) && os.Getenv("TERM") != "dumb"
	e.Stdout = out

	root := rootCommand(e)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		err = CommandError(root, err)
	}
	if errors.Is(err, errLab) {
		return statusLab
	}
	interrupted := errors.Is(err, ErrInterrupted) || errors.Is(context.Cause(ctx), ErrInterrupted)
	switch {
	case interrupted:
		fmt.Fprintln(e.Stderr, "judge: interrupted")
		return StatusInterrupted
	case e.Unread() != nil:
		if ctx.Err() == nil { // otherwise the closed pipe caused all errors
			Complain(e, Without(err, out.Err))
		}
		return StatusUnread
	case out.Err != nil:
		err = WithStatus(StatusJudge, fmt.Errorf("standard output: %w", out.Err))
	case err == nil:
		return StatusExpected
	}
	Complain(e, err)
	return StatusOf(err)
}

// rootCommand builds the command with its subcommands.
func rootCommand(e *Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "judge",
		Short: "judge programs for competitive programming",
		Long: `Judge programs against problems in the ICPC/Kattis problem package format.

Exit status: 0 everything was as expected, 1 something was not, 2 the command
line or a package is wrong, 3 the judge itself failed, 130 interrupted, 141
standard output was closed by its reader.`,
		Example: `  judge test a.cpp               run a.cpp on the samples in its folder
  judge run sum                  judge the submissions of the problem sum
  judge run --problem sum a.cpp  judge a program on all cases of a problem
  judge new sum                  make a problem; then judge verify sum, judge pack sum`,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // commandError suggests commands
		Version: fmt.Sprintf("%s %s %s/%s", cmp.Or(Version(), "(unknown)"), runtime.Version(), runtime.GOOS,
			runtime.GOARCH),
	}
	root.SetOut(e.Stdout) // before the command completion is made, which keeps it
	root.SetErr(e.Stderr)
	root.SetVersionTemplate("judge {{.Version}}\n")
	color := root.PersistentFlags().String("color", "auto", "`WHEN` to colour the output: auto, always or never")
	var flags []string
	root.PersistentFlags().StringArrayVar(&flags, "flag", nil,
		"add flags to those of a language's compiler: `LANG=FLAGS`, such as cpp=-g or \"rust=-C overflow-checks\"")
	root.PersistentPreRunE = func(*cobra.Command, []string) (err error) {
		switch *color {
		case "always":
			e.Palette.On = true
		case "never":
		case "auto":
			// https://no-color.org: any value but the empty one disables colours.
			e.Palette.On = e.TTY && os.Getenv("NO_COLOR") == ""
		default:
			return fmt.Errorf("--color %q: expected auto, always or never", *color)
		}
		e.Languages, err = customLanguages(osfile.Getwd(), flags)
		return err
	}
	// Flags are wrapped at the width of the help text.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages ", "FlagUsagesWrapped 80 "))
	// --lang may be written out.
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "language" {
			name = "lang"
		}
		return pflag.NormalizedName(name)
	})
	root.SetFlagErrorFunc(FlagError)
	cobra.EnableCommandSorting = false // the table has the order
	var stubs map[string]*StubCommand
	if e.Lab == nil {
		stubs = allStubs()
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, name := range g.commands {
			var c *cobra.Command
			switch create := commands[name]; {
			case create != nil:
				c = create(e)
			case e.Lab != nil:
				c = e.Lab.Commands[name](e)
			default:
				c = stubs[name].command()
			}
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(thisMachine)
	root.SetCompletionCommandGroupID(thisMachine)
	for i := range topics {
		topic := topics[i] // cobra changes it
		root.AddCommand(&topic)
	}
	help := HelpCommand(root)
	help.Short = "show the help of a command or a topic"
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Short = "write a script for a shell, so that it completes arguments"
	completion.RunE = func(c *cobra.Command, _ []string) error { return c.Help() } // so that cobra refuses arguments
	commandsOnly := help.ValidArgsFunction
	help.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		names, directive := commandsOnly(c, args, begun)
		for _, t := range topics {
			if len(args) == 0 && strings.HasPrefix(t.Name(), begun) {
				names = append(names, t.Name()+"\t"+t.Short)
			}
		}
		return names, directive
	}
	return root
}

// thisMachine is the title of the group that has help and completion, too.
const thisMachine = "This machine:"

// untilInterrupted returns a context that ends with cli.ErrInterrupted at Ctrl-C, so
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
				cancel(ErrInterrupted)
			case time.Since(first) > 300*time.Millisecond:
				os.Exit(StatusInterrupted)
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
