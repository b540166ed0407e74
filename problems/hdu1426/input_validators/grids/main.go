// Command grids validates an input of the problem: 1 to 200 grids, each nine
// lines of nine characters with a space between one and the next, a question
// mark for a blank, with exactly one solution; an empty line between one grid
// and the next. Every line ends with a single newline, and nothing follows the
// last.
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

const maxGrids = 200

var spaced = form{blank: '?', gap: 1}

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

// check returns the first defect of an input, or nil. It reads no further than
// that and keeps one grid in memory.
func check(r io.Reader) error {
	in := lines{r: bufio.NewReader(r)}
	for n := 1; ; n++ {
		b, first, err := spaced.grid(&in)
		if err != nil {
			return err
		}
		if err := spaced.unique(b, first); err != nil {
			return err
		}
		if !more(&in) {
			return nil
		}
		if _, err := in.next(0, "an empty line"); err != nil {
			return err
		}
		if !more(&in) {
			return in.at(1, "an empty line behind the last grid, want the end of the file")
		}
		if n == maxGrids {
			return defect(in.n+1, 1, "grid number %d, want at most %d", n+1, maxGrids)
		}
	}
}

// more reports whether anything follows the line last read.
func more(in *lines) bool {
	_, err := in.r.Peek(1)
	return err != io.EOF
}
