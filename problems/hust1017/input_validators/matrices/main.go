// Command matrices validates an input of the problem: 1 to 100 matrices, each the
// line "N M" and N lines "C c1 ... cC" of 1 to 100 different columns, with at
// most 100000 ones in all. Single spaces are between numbers, every line ends
// with a single newline, and nothing follows the last.
//
// It reads standard input, exits 42 if all that holds, and else 43 with the line
// and column of the first defect on standard error (problem package format
// 2025-09, "Input validators").
package main

import (
	"fmt"
	"io"
	"os"
)

const (
	maxMatrices = 100
	maxOnes     = 100000 // of all matrices together
	maxRows     = 1000
	maxCols     = 1000
	maxInRow    = 100
)

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
	in := scan(r)
	ones := 0
	for matrices := 1; matrices == 1 || !in.ended(); matrices++ {
		if matrices > maxMatrices {
			in.fail(1, "matrix number %d, want at most %d", matrices, maxMatrices)
		}
		rows := in.number("the number of rows", 1, maxRows)
		in.space()
		cols := in.number("the number of columns", 1, maxCols)
		in.newline()
		for range rows {
			ones += row(in, cols)
			if ones > maxOnes {
				in.fail(1, "%d ones so far, want at most %d in all matrices", ones, maxOnes)
			}
			in.newline()
		}
	}
	return in.err
}

// row takes a row but for the end of its line, and returns the number of its ones.
func row(in *scanner, cols int) int {
	count := in.number("the number of ones", 1, min(maxInRow, cols))
	var seen [maxCols + 1]bool
	for range count {
		in.space()
		at := in.column
		c := in.number("a column", 1, cols)
		if in.err == nil && seen[c] {
			in.fail(at, "column %d a second time, want different columns", c)
		}
		seen[c] = true
	}
	return count
}
