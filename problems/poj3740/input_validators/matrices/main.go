// Command matrices validates an input of the problem: 1 to 200 matrices, each the
// line "M N" and M lines of N zeros and ones, with at most 120000 entries in all.
// Single spaces are between numbers, every line ends with a single newline, and
// nothing follows the last.
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
	maxMatrices = 200
	maxEntries  = 120000 // of all matrices together
	maxRows     = 16
	maxCols     = 300
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
	entries := 0
	for matrices := 1; matrices == 1 || !in.ended(); matrices++ {
		if matrices > maxMatrices {
			in.fail(1, "matrix number %d, want at most %d", matrices, maxMatrices)
		}
		entries = matrix(in, entries)
	}
	return in.err
}

// matrix takes a matrix and returns the number of entries with its own.
func matrix(in *scanner, entries int) int {
	rows := in.number("the number of rows", 1, maxRows)
	in.space()
	cols := in.number("the number of columns", 1, maxCols)
	if entries += rows * cols; entries > maxEntries {
		in.fail(1, "%d entries so far, want at most %d in all matrices", entries, maxEntries)
	}
	in.newline()
	for range rows {
		for c := range cols {
			if c > 0 {
				in.space()
			}
			in.number("an entry", 0, 1)
		}
		in.newline()
	}
	return entries
}
