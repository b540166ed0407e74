package main

import (
	"fmt"
	"io"
)

// What is this problem's own in the generator: how its inputs are written, how
// many puzzles they may hold, and a kind that is slow to search through a list of
// the blanks (late.go).

// mostPuzzles is how many puzzles the statement allows in one input.
const mostPuzzles = 200

// ownKinds are the kinds that not every sudoku problem has.
var ownKinds = lateKinds

// format writes an input: nine lines for each puzzle, a space between one cell
// and the next, a question mark for a blank, and an empty line between one
// puzzle and the next.
func format(w io.Writer, puzzles []grid) error {
	for i, g := range puzzles {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		var text [162]byte
		for c, d := range g {
			text[2*c], text[2*c+1] = '0'+d, ' '
			if d == 0 {
				text[2*c] = '?'
			}
			if c%9 == 8 {
				text[2*c+1] = '\n'
			}
		}
		if _, err := w.Write(text[:]); err != nil {
			return err
		}
	}
	return nil
}
