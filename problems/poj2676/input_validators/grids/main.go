// Command grids validates an input of the problem: a line with the number of
// grids, 1 to 500, and nine lines of nine digits for each of them, 0 for a
// blank, which have a solution. Every line ends with a single newline, and
// nothing follows the last.
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

const maxGrids = 500

var digits = form{blank: '0'}

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
	n, err := count(&in)
	if err != nil {
		return err
	}
	for range n {
		b, first, err := digits.grid(&in)
		if err != nil {
			return err
		}
		if n, _ := b.solutions(); n == 0 {
			return defect(first, 1, "no solution, want at least one")
		}
	}
	return in.finished()
}

// count reads the number of grids.
func count(in *lines) (int, error) {
	text, err := in.next(3, "the number of grids")
	n := 0
	for i, c := range text {
		if c < '0' || c > '9' || i == 0 && c == '0' {
			return 0, in.at(i+1, "%s, want a number from 1 to %d", show(c), maxGrids)
		}
		n = 10*n + int(c-'0')
	}
	switch {
	case err != nil:
		return 0, err
	case len(text) == 0:
		return 0, in.at(1, "an empty line, want the number of grids")
	case n > maxGrids:
		return 0, in.at(1, "%d grids, want at most %d", n, maxGrids)
	}
	return n, nil
}
