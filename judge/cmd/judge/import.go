package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"crucible/judge/archive"
	"crucible/judge/internal/command"
	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// validatorFlags lists the flags that are arguments of the default output validator,
// which have the same names with _ instead of -. Those with a value take a number.
var validatorFlags = []struct {
	name, usage string
	value       bool
}{
	{"float-tolerance", "accept numbers that differ from the answer by at most `X`, absolutely or relatively: 1e-6", true},
	{"float-absolute-tolerance", "accept numbers that differ from the answer by at most `X`, absolutely", true},
	{"float-relative-tolerance", "accept numbers that differ from the answer by at most `X`, relatively", true},
	{"case-sensitive", "distinguish upper and lower case in outputs", false},
	{"space-change-sensitive", "require the same white space in outputs as in answers", false},
}

func importCommand(e *command.Env) *cobra.Command {
	var im archive.Import
	var sample, secret bool
	c := &cobra.Command{
		Use:   "import FOLDER|ZIP ID",
		Short: "make a problem from existing inputs and answers",
		Long:  helpText("import"),
		Example: `  judge import tests.zip sums --float-tolerance 1e-6 --time-limit 2s
  judge import --sample ~/Downloads/samples sums`,
		Args: command.Arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case sample:
				im.Into = "sample"
			case secret:
				im.Into = "secret"
			}
			im.ValidatorArgs = validatorArgs(c)
			return importCases(c.Context(), e, im, args[0], args[1])
		},
	}
	flags := c.Flags()
	flags.BoolVar(&sample, "sample", false, "make all cases samples")
	flags.BoolVar(&secret, "secret", false, "make all cases secret")
	flags.StringVar(&im.Name, "name", "", "the new problem's `NAME` (default: its id)")
	flags.DurationVar(&im.TimeLimit, "time-limit", 0, "the time limit: 1.5s, 300ms (default of a new problem: 2s)")
	flags.Int64Var(&im.Memory, "memory", 0, "the new problem's memory limit in `MiB` (default: the format's, 2048)")
	for _, f := range validatorFlags {
		if f.value {
			flags.String(f.name, "", f.usage)
		} else {
			flags.Bool(f.name, false, f.usage)
		}
	}
	command.Positives(c, "time-limit", "memory")
	c.MarkFlagsMutuallyExclusive("sample", "secret")
	return c
}

// validatorArgs returns the arguments of the output validator that the flags set.
func validatorArgs(c *cobra.Command) (args []string) {
	for _, f := range validatorFlags {
		given, value := c.Flags().Changed(f.name), c.Flags().Lookup(f.name).Value.String()
		if given && (f.value || value == "true") {
			args = append(args, strings.ReplaceAll(f.name, "-", "_"))
			if f.value {
				args = append(args, value)
			}
		}
	}
	return args
}

func importCases(ctx context.Context, e *command.Env, im archive.Import, from, id string) error {
	have, closeAll := selection.Existing(id)
	defer closeAll()
	files, err := selection.Locate(from)
	if err != nil {
		return err
	}
	defer files.Close()
	if have == nil && im.TimeLimit == 0 {
		im.TimeLimit = looseTime
	}
	root := selection.Repository()
	done, err := im.Import(ctx, files, root, id, !problem.IsRepository(root), have)
	if err != nil {
		return err
	}
	printImported(e, done, id)
	return nil
}

// maxPrinted is the maximum number of printed renamed cases.
const maxPrinted = 20

func printImported(e *command.Env, done *archive.Imported, id string) {
	samples := 0
	var renamed []string
	for _, c := range done.Cases {
		if strings.HasPrefix(c.Name, "sample/") {
			samples++
		}
		if c.Renamed {
			renamed = append(renamed, terminal.Clean(fmt.Sprintf("%s is %s with %s", c.Name, c.Input, c.Answer)))
		}
	}
	for _, line := range command.AtMost(maxPrinted, renamed) {
		fmt.Fprintf(e.Stdout, "  %s\n", line)
	}
	for _, change := range done.Changed {
		fmt.Fprintf(e.Stdout, "  %s in %s\n", change.What, someOf(change.Files))
	}
	if done.Left != nil {
		command.Warn(e, errors.New("left out, because they belong to no pair: "+someOf(done.Left)))
	}
	verb, next := "added to", "judge verify "+id
	if done.New {
		verb, next = "made", "judge run --problem "+id+" FILE judges a program; judge verify "+id+" lists what is missing"
	}
	folders := strings.Join(text.Map(done.Folders, terminal.Clean), ", ")
	fmt.Fprintf(e.Stdout, "%s %s: %s, %d sample and %d secret; next: %s\n", verb, folders, units.Count(len(done.Cases), "case"), samples, len(done.Cases)-samples, next)
}

// someOf returns a list of at most five of the files.
func someOf(files []string) string {
	return terminal.Clean(strings.Join(command.AtMost(5, files), ", "))
}
