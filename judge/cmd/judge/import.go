package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/archive"
	"crucible/judge/internal/selection"
	"crucible/judge/internal/text"
	"crucible/judge/problem"
	"crucible/judge/terminal"
	"crucible/judge/units"
)

// importFlags are the flags of judge import.
type importFlags struct {
	sample, secret bool
	name           string
	timeLimit      time.Duration
	memory         int64
	tolerances     [3]string // in the order of toleranceFlags
	caseSensitive  bool
	spaceSensitive bool
}

// toleranceFlags lists the arguments of the default validator that take a number.
var toleranceFlags = []struct{ flag, arg, usage string }{
	{"float-tolerance", "float_tolerance", "accept numbers that differ from the answer by at most `X`, absolutely or relatively: 1e-6"},
	{"float-absolute-tolerance", "float_absolute_tolerance", "accept numbers that differ from the answer by at most `X`, absolutely"},
	{"float-relative-tolerance", "float_relative_tolerance", "accept numbers that differ from the answer by at most `X`, relatively"},
}

func importCommand(e *env) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import FOLDER|ZIP ID",
		Short: "make a problem from existing inputs and answers",
		Long: `Make problem ID from the pairs of inputs and answers in a folder or zip, or add
them to the problem if it exists: either all of them or none. Pairs are
recognized by their names, in all subfolders:

  1.in 1.out, 1.in 1.ans      input1.txt output1.txt     in/1.txt out/1.txt
  01 01.a                     abc.in.1 abc.out.1         I.1 O.1

Cases named sample or example become samples; all others are secret. Characters
that the format does not allow are replaced in names, and numbers get leading
zeros that keep the order (1, 2, 10 become 01, 02, 10). The contents do not
change, except as the format requires of text: no byte-order mark, and lines end
with LF.

A new problem has problem.yaml and the cases, so programs can be judged on it at
once; its time limit is 2 s unless --time-limit sets another. judge verify lists
what is missing, such as a statement. For an existing problem, --time-limit
replaces the limit; its memory limit and tolerances must equal the given ones.`,
		Example: `  judge import tests.zip sums --float-tolerance 1e-6 --time-limit 2s
  judge import --sample ~/Downloads/samples sums`,
		Args: arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return importCases(c.Context(), e, f.importing(c), args[0], args[1])
		},
	}
	flags := c.Flags()
	flags.BoolVar(&f.sample, "sample", false, "make all cases samples")
	flags.BoolVar(&f.secret, "secret", false, "make all cases secret")
	flags.StringVar(&f.name, "name", "", "the new problem's name (default: its id)")
	flags.DurationVar(&f.timeLimit, "time-limit", 0, "the time limit: 1.5s, 300ms (default of a new problem: 2s)")
	flags.Int64Var(&f.memory, "memory", 0, "the new problem's memory limit in MiB (default: the format's, 2048)")
	for i, t := range toleranceFlags {
		flags.StringVar(&f.tolerances[i], t.flag, "", t.usage)
	}
	flags.BoolVar(&f.caseSensitive, "case-sensitive", false, "distinguish upper and lower case in outputs")
	flags.BoolVar(&f.spaceSensitive, "space-change-sensitive", false, "require the same white space in outputs as in answers")
	positives(c, "time-limit", "memory")
	c.MarkFlagsMutuallyExclusive("sample", "secret")
	return c
}

// importing returns the import that the flags describe.
func (f *importFlags) importing(c *cobra.Command) archive.Import {
	im := archive.Import{Name: f.name, TimeLimit: f.timeLimit, Memory: f.memory}
	switch {
	case f.sample:
		im.Into = "sample"
	case f.secret:
		im.Into = "secret"
	}
	if f.caseSensitive {
		im.ValidatorArgs = append(im.ValidatorArgs, "case_sensitive")
	}
	if f.spaceSensitive {
		im.ValidatorArgs = append(im.ValidatorArgs, "space_change_sensitive")
	}
	for i, t := range toleranceFlags {
		if c.Flags().Changed(t.flag) {
			im.ValidatorArgs = append(im.ValidatorArgs, t.arg, f.tolerances[i])
		}
	}
	return im
}

func importCases(ctx context.Context, e *env, im archive.Import, from, id string) error {
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

func printImported(e *env, done *archive.Imported, id string) {
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
	for _, line := range atMost(maxPrinted, renamed) {
		fmt.Fprintf(e.stdout, "  %s\n", line)
	}
	for _, change := range done.Changed {
		fmt.Fprintf(e.stdout, "  %s in %s\n", change.What, someOf(change.Files))
	}
	if done.Left != nil {
		warn(e, errors.New("left out, because they belong to no pair: "+someOf(done.Left)))
	}
	verb, next := "added to", "judge verify "+id
	if done.New {
		verb, next = "made", "judge run --problem "+id+" FILE judges a program; judge verify "+id+" lists what is missing"
	}
	folders := strings.Join(text.Map(done.Folders, terminal.Clean), ", ")
	fmt.Fprintf(e.stdout, "%s %s: %s, %d sample and %d secret; next: %s\n", verb, folders, units.Count(len(done.Cases), "case"), samples, len(done.Cases)-samples, next)
}

// someOf returns a list of at most five of the files.
func someOf(files []string) string { return terminal.Clean(strings.Join(atMost(5, files), ", ")) }
