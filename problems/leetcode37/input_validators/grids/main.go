// Command grids validates an input of the problem: one grid of nine lines of
// nine characters, a dot for a blank, with exactly one solution. Every line ends
// with a single newline, and nothing follows the last.
//
// It reads standard input, exits 42 if all that holds, and else 43 with the line
// and column of the first defect on standard error (problem package format
// 2025-09, "Input validators").
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

var dotted = form{blank: '.'}

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "arguments %q: want none\n", os.Args[1:])
		os.Exit(1)
	}
	if err := check(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(43)
	}
	os.Exit(42)
}

// check returns the first defect of an input, or nil.
func check(r io.Reader) error {
	in := lines{r: bufio.NewReader(r)}
	b, first, err := dotted.grid(&in)
	if err != nil {
		return err
	}
	if err := in.finished(); err != nil {
		return err
	}
	return dotted.unique(b, first)
}
