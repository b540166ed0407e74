package main

import (
	"fmt"
	"io"
)

// What is this problem's own in the generator: how its inputs are written, how
// many puzzles they may hold, and kinds that have several solutions (loose.go)
// or are slow to search through a list of the blanks (late.go).

// mostPuzzles is how many puzzles the statement allows in one input.
const mostPuzzles = 500

// ownKinds are the kinds that not every sudoku problem has.
var ownKinds = append(looseKinds, lateKinds...)

// format writes an input: how many there are, then nine lines for each, 0 for
// a blank.
func format(w io.Writer, puzzles []grid) error {
	if _, err := fmt.Fprintln(w, len(puzzles)); err != nil {
		return err
	}
	for _, g := range puzzles {
		var text [90]byte
		for c, d := range g {
			text[c/9*10+c%9] = '0' + d
			text[c/9*10+9] = '\n'
		}
		if _, err := w.Write(text[:]); err != nil {
			return err
		}
	}
	return nil
}
