package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"crucible/judge/terminal"
)

// FlagError returns an error that suggests a known flag for an unknown one, or that
// names the values that the flag accepts.
func FlagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Errorf("%s: no such flag of %s%s", name, c.CommandPath(), terminal.DidYouMean(name, names))
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag, value := bad.GetFlag(), bad.GetValue()
	if low := notPositive(""); errors.As(err, &low) {
		return fmt.Errorf("--%s %s: %w", flag.Name, flag.Value, low)
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("--%s %s: out of range", flag.Name, value)
	}
	if expected, ok := expectedBy[flag.Value.Type()]; ok {
		return fmt.Errorf("--%s %s: expected %s", flag.Name, cmp.Or(value, `""`), expected)
	}
	return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(bad)) // the error of Set names the accepted values
}

// expectedBy describes the values that flags of each type accept.
var expectedBy = map[string]string{
	"int":      "an integer",
	"int64":    "an integer",
	"uint64":   "an integer of 0 or more",
	"float64":  "a number",
	"duration": "a time with a unit, such as 300ms, 1.5s or 2m",
	"bool":     "true or false",
}

// A notPositive is the error of a [positive] value; its text describes the expected
// value.
type notPositive string

func (e notPositive) Error() string { return string(e) }

// A positive is the value of a flag that accepts only numbers above 0.
type positive struct{ pflag.Value }

// Positives makes flags accept only numbers above 0. The defaults may be 0.
func Positives(c *cobra.Command, names ...string) {
	for _, name := range names {
		f := c.Flags().Lookup(name)
		f.Value = positive{f.Value}
		if f.DefValue == "0s" {
			f.DefValue = "0" // the help does not show it
		}
	}
}

func (p positive) Set(s string) error {
	err := p.Value.Set(s)
	if now := p.String(); err == nil && (now[0] == '-' || strings.Trim(now, "0s") == "") {
		if p.Type() == "int" {
			return notPositive("expected 1 or more")
		}
		return notPositive("expected more than 0")
	}
	return err
}

// CommandError suggests a known command for an unknown one. It returns other
// errors unchanged.
func CommandError(root *cobra.Command, err error) error {
	var name string
	if n, _ := fmt.Sscanf(err.Error(), "unknown command %q for", &name); n != 1 {
		return err
	}
	names := terminal.Texts(root.Commands(), (*cobra.Command).Name)
	return fmt.Errorf("%s: no such command%s; %s help lists them", name, terminal.DidYouMean(name, names), root.Name())
}

// HelpCommand gives a program its command help, which refuses what is no command.
func HelpCommand(root *cobra.Command) *cobra.Command {
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		_, rest, err := root.Find(args)
		if err == nil && len(rest) > 0 {
			err = fmt.Errorf("help %s: no such command", strings.Join(args, " "))
		}
		return err
	}
	return help
}

// Arguments checks that a command has between least and most arguments.
func Arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			_, expected, _ := strings.Cut(c.Use, " ")
			got := terminal.Count(n, "argument")
			if n == 0 {
				got = "none"
			}
			_, path, _ := strings.Cut(c.CommandPath(), " ")
			return fmt.Errorf("%s: expected %s, got %s", path, cmp.Or(expected, "no arguments"), got)
		}
		return nil
	}
}

// hideDefault is for a flag that the environment can set too: its help must not change with
// the environment.
func hideDefault(flags *pflag.FlagSet, name string) {
	f := flags.Lookup(name)
	if f.Value.Type() == "bool" {
		f.DefValue = "false"
	} else {
		f.DefValue = ""
	}
}
