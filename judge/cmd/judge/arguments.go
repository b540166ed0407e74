package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What is wrong with a command line is said in the words of its usage, and with
// what was wanted instead.

// flagError says what the value of a flag should have been, which the error of
// whatever reads it does not.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag, value, want := bad.GetFlag(), bad.GetValue(), ""
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("--%s %s: is out of range", flag.Name, value)
	}
	switch flag.Value.Type() {
	case "int", "int64":
		want = "want a whole number"
	case "uint64":
		want = "want a whole number, 0 or more"
	case "float64":
		want = "want a number"
	case "duration":
		want = "want a time with its unit, such as 300ms, 1.5s or 2m"
	case "bool":
		want = "want true or false"
	default: // our own types say it
		return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(bad))
	}
	return fmt.Errorf("--%s %s: %s", flag.Name, cmp.Or(value, `""`), want)
}

// arguments makes sure of the number of arguments, which a command's usage names.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if n := len(args); n < least || n > most {
			_, want, _ := strings.Cut(c.Use, " ")
			got := fmt.Sprintf("%d arguments", n)
			if n == 1 {
				got = "1 argument"
			}
			return fmt.Errorf("%s: want %s, got %s", c.CommandPath(), cmp.Or(want, "none"), got)
		}
		return nil
	}
}
