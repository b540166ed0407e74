// Command judged judges for other machines. Judged serve is the server, and judged worker
// makes the runs; judge run --on asks for them. See judged help.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/measure/calibration"
	"crucible/judge/serve/remote"
)

func main() {
	calibration.Main()
	e := &cli.Env{Stdout: os.Stdout, Stderr: os.Stderr}
	root := &cobra.Command{
		Use:   "judged",
		Short: "judge for other machines",
		Long: `Judge programs for other machines: serve is the server, worker makes the runs.
judge run --on asks for them; see judge help servers.

Exit status: 0 stopped as asked, 2 the command line is wrong, 3 it failed.`,
		Example: `  judged serve                                for this machine only
  judged serve --listen 0.0.0.0:8520          for others, too
  judged worker --server https://judges:8520  another machine that makes runs`,
		SilenceErrors: true, SilenceUsage: true,
		Version: remote.Version(),
	}
	root.SetVersionTemplate("judged {{.Version}}\n")
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(serveCommand(e), workerCommand(e), backupCommand(e), restoreCommand(e), workCommand())
	cli.HelpCommand(root).Short = "show the help of a command"
	root.CompletionOptions.HiddenDefaultCmd = true
	// Never touched, so it takes no memory, but Go lets the heap grow by as much before it
	// collects garbage.
	ballast := make([]byte, 32<<20)
	err := root.ExecuteContext(context.Background())
	runtime.KeepAlive(ballast)
	switch {
	case err == nil:
	case errors.Is(err, cli.ErrInterrupted):
		fmt.Fprintln(os.Stderr, "judged: interrupted")
		os.Exit(cli.StatusInterrupted)
	default:
		fmt.Fprintln(os.Stderr, "judged:", cli.CommandError(root, err))
		os.Exit(cli.StatusOf(err))
	}
}
