// Package lazy has values that are made when they are first used. The commands have 150
// regular expressions; a start of judge, or of a launcher of its sandbox, uses few of them, and
// compiling all takes a third of its time.
package lazy

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// inTest makes tests fail at their start if an expression is wrong.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// Regexp returns a function that returns the compiled expression. It panics if the expression
// is wrong, in tests at once, otherwise at the first call.
func Regexp(expression string) func() *regexp.Regexp {
	compile := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	if inTest {
		compile()
	}
	return compile
}
