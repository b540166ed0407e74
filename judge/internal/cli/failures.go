package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"crucible/judge/terminal"
)

// VerboseFlag adds --verbose to a command that runs programs of a package.
func VerboseFlag(c *cobra.Command, verbose *bool) {
	c.Flags().BoolVarP(verbose, "verbose", "v", false,
		"show the complete standard error of each validator or generator that fails or rejects")
}

// Failures collects the standard error of programs of a package. Its methods may
// be called concurrently.
type Failures struct {
	mu  sync.Mutex
	all []failure
}

type failure struct{ program, on, text string }

func (f *Failures) Add(program, on, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, failure{program, on, text})
}

// Print prints the collected texts of one case, or of all if on is "", and drops
// them. Their order does not depend on how many programs ran at once.
func (f *Failures) Print(e *Env, on string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.SortStableFunc(f.all, func(a, b failure) int {
		return cmp.Or(strings.Compare(a.on, b.on), strings.Compare(a.program, b.program))
	})
	f.all = slices.DeleteFunc(f.all, func(one failure) bool {
		if on != "" && one.on != on {
			return false
		}
		fmt.Fprintf(e.Stderr, "        %s on %s, standard error:\n", terminal.Clean(one.program),
			terminal.Clean(cmp.Or(one.on, "data/")))
		for line := range strings.Lines(one.text) {
			fmt.Fprintf(e.Stderr, "        | %s\n",
				terminal.Clean(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")))
		}
		return true
	})
}
