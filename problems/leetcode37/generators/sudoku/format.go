package main

import (
	"fmt"
	"io"
)

// What is this problem's own in the generator: how its inputs are written, how
// many puzzles they may hold, and a kind that is slow to search through a list of
// the blanks (late.go).

// mostPuzzles is how many puzzles the statement allows in one input.
const mostPuzzles = 1

// ownKinds are the kinds that not every sudoku problem has.
var ownKinds = lateKinds

// format writes an input: nine lines of nine characters, a dot for a blank. With
// -any, puzzles follow each other, for programs that were made to read several.
func format(w io.Writer, puzzles []grid) error {
	for _, g := range puzzles {
		text := g.String()
		for row := range 9 {
			if _, err := fmt.Fprintln(w, text[9*row:9*row+9]); err != nil {
				return err
			}
		}
	}
	return nil
}
