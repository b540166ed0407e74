package main

import (
	"fmt"
	"io"
)

// All other files of this folder are the same for every sudoku problem. What
// belongs to this one is here: how its inputs are written, how many puzzles they
// may hold, and what kinds of puzzles it has beside the common ones.

// mostPuzzles is how many puzzles the statement allows in one input.
const mostPuzzles = 2000

// ownKinds are the kinds that not every sudoku problem has.
var ownKinds = lateKinds

// format writes an input: a puzzle a line, a dot for a blank, and then "end".
func format(w io.Writer, puzzles []grid) error {
	for _, g := range puzzles {
		if _, err := fmt.Fprintln(w, g); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "end")
	return err
}
