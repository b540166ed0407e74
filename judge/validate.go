package judge

import (
	"fmt"
	"slices"

	"crucible/judge/internal/text"
	"crucible/judge/sandbox"
)

// crashed returns an error unless the validator ended by itself with one of the
// statuses.
func crashed(o sandbox.Outcome, statuses ...int) error {
	switch {
	case o.Exceeded != "":
		return beyondLimit(o)
	case o.Signal != 0:
		return fmt.Errorf("was killed by %s", text.SignalName(o.Signal))
	case !slices.Contains(statuses, o.Exit):
		return fmt.Errorf("exit status %d, expected %d to accept or %d to reject", o.Exit, validatorAccepts, validatorRejects)
	}
	return nil
}

// beyondLimit returns an error that names the limit that a program of the package
// exceeded. For the format, everything that a program writes is output.
func beyondLimit(o sandbox.Outcome) error {
	what := o.Exceeded
	if what == sandbox.Written || what == sandbox.FileSize || what == sandbox.Files {
		what = sandbox.Output
	}
	return fmt.Errorf("went beyond its %s limit", what)
}
