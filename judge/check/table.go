package check

import (
	"fmt"
	"strings"
)

// checkers is the one list of checkers that can be asked for by name. A new
// checker is a function and a row here.
var checkers = []struct {
	name string
	make func(args []string) (Checker, error)
}{
	{"default", Default},
}

// Names lists the checkers that [Named] knows.
func Names() []string {
	names := make([]string, len(checkers))
	for i, c := range checkers {
		names[i] = c.name
	}
	return names
}

// Named returns the checker of that name for these arguments.
func Named(name string, args []string) (Checker, error) {
	for _, c := range checkers {
		if c.name == name {
			return c.make(args)
		}
	}
	return nil, fmt.Errorf("checker %s: unknown; want one of %s", Clip(name), strings.Join(Names(), ", "))
}
