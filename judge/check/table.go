package check

import (
	"fmt"
	"strings"
)

// checkers is the table of checkers that have a name. A new checker is a function
// and a row here.
var checkers = []struct {
	name string
	make func(args []string) (Checker, error)
}{
	{"default", Default},
}

// Names returns the names of the checkers that [Named] knows.
func Names() []string {
	names := make([]string, len(checkers))
	for i, c := range checkers {
		names[i] = c.name
	}
	return names
}

// Named returns the checker with that name for these arguments, or an error if the
// name is unknown or the arguments are invalid.
func Named(name string, args []string) (Checker, error) {
	for _, c := range checkers {
		if c.name == name {
			return c.make(args)
		}
	}
	return nil, fmt.Errorf("checker %s: unknown, expected one of %s", Clip(name), strings.Join(Names(), ", "))
}
