package lab

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"crucible/judge/internal/cli"
	"crucible/judge/prepare/archive"
	"crucible/judge/prepare/archive/foreign"
	"crucible/judge/problem"
	"crucible/judge/terminal"
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

// pairsTime is the time limit of a new problem of inputs and answers, if none is given.
const pairsTime = 2 * time.Second

// Import returns the command that makes a problem of a package of another judge, or of
// inputs and answers.
func Import(e *cli.Env) *cobra.Command {
	var im archive.Import
	var sample, secret, asJSON bool
	var testlib string
	c := &cobra.Command{
		Use:   "import FOLDER|ZIP ID",
		Short: "make a problem from a package of another format, or from inputs and answers",
		Long:  helpText("import"),
		Example: `  judge import tests.zip sums --float-tolerance 1e-6 --time-limit 2s
  judge import --sample ~/Downloads/samples sums
  judge import watermelon-12$linux.zip watermelon --testlib ~/testlib`,
		Args: cli.Arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case sample:
				im.Into = "sample"
			case secret:
				im.Into = "secret"
			}
			im.ValidatorArgs = validatorArgs(c)
			done, err := importFiles(c, e, im, args[0], args[1], testlib)
			if done != nil && asJSON {
				err = errors.Join(err, cli.PrintJSON(e, done))
			} else if err == nil {
				done.print(e)
			}
			return err
		},
	}
	flags := c.Flags()
	flags.BoolVar(&asJSON, "json", false, "print a JSON object")
	flags.BoolVar(&sample, "sample", false, "make all cases samples")
	flags.BoolVar(&secret, "secret", false, "make all cases secret")
	flags.StringVar(&im.Name, "name", "", "the new problem's `NAME` (default: its id)")
	flags.DurationVar(&im.TimeLimit, "time-limit", 0, "the time limit: 1.5s, 300ms (default of a new problem: 2s)")
	flags.Int64Var(&im.Memory, "memory", 0, "the new problem's memory limit in `MiB` (default: the format's, 2048)")
	flags.BoolVar(&im.AcceptLosses, "accept-losses", false,
		"of a package: import it even if submissions can get other verdicts or scores")
	flags.StringVar(&testlib, "testlib", "",
		"of a package: use testlib.h at this `PATH`, the file or its folder (default: the package's own, or that of "+
			"/usr/include)")
	for _, f := range validatorFlags {
		if f.value {
			flags.String(f.name, "", f.usage)
		} else {
			flags.Bool(f.name, false, f.usage)
		}
	}
	cli.Positives(c, "time-limit", "memory")
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

func importFiles(c *cobra.Command, e *cli.Env, im archive.Import, from, id, testlib string) (*importResult, error) {
	have, closeAll := cli.Existing(id)
	defer closeAll()
	files, err := cli.Locate(from)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	cli.Warn(e, files.Departures()...)
	root := cli.Repository()
	whole := !problem.IsRepository(root)
	if format, _ := foreign.Detect(files); format != nil {
		if err := onlyForPairs(c, files); err != nil {
			return nil, err
		}
		if have != nil {
			return nil, fmt.Errorf("%s: already exists: a package becomes a new problem", have.Path)
		}
		done, err := foreign.Convert(c.Context(), im, files, root, id, whole, testlib)
		if done == nil {
			return nil, err
		}
		warnLost(e, done.Parts)
		return resultOfPackage(done, id), err
	}
	if im.AcceptLosses {
		return nil, fmt.Errorf("--accept-losses: only for packages of other formats, and %s is none", files.Path)
	}
	if testlib != "" {
		return nil, fmt.Errorf("--testlib: only for packages of other formats, and %s is none", files.Path)
	}
	if have == nil && im.TimeLimit == 0 {
		im.TimeLimit = pairsTime
	}
	done, err := im.Import(c.Context(), files, root, id, whole, have)
	if err != nil {
		return nil, err
	}
	for _, unused := range cli.AtMost(maxPrinted, terminal.Texts(done.Unused, error.Error)) {
		cli.Warn(e, errors.New(unused))
	}
	if done.Left != nil {
		cli.Warn(e, errors.New("left out, because they belong to no pair: "+someOf(done.Left)))
	}
	return resultOfPairs(done, id), nil
}

// onlyForPairs returns an error if a flag is given that does not apply to packages.
func onlyForPairs(c *cobra.Command, files *problem.Source) error {
	names := []string{"sample", "secret"}
	for _, f := range validatorFlags {
		names = append(names, f.name)
	}
	for _, name := range names {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s: %s is a package, which has this setting itself: change it in the new problem", name,
				files.Path)
		}
	}
	return nil
}
