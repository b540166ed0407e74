package main

import (
	"fmt"
	"io"
	"strconv"
)

// A grid holds digits row by row, '0' for a blank.
type grid [81]byte

// givens reads the grids of an input. How many there may be is the input
// validator's to say.
func givens(r io.Reader) ([]grid, error) {
	in := newWords(r)
	first, err := in.next()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(first.text)
	if err != nil || n < 1 {
		return nil, first.at(0, "%q, want the number of grids", first.text)
	}
	var all []grid // grows with what is there, whatever the number says
	for range n {
		var g grid
		for row := range 9 {
			w, err := in.next()
			if err != nil {
				return nil, err
			}
			if len(w.text) != 9 {
				return nil, w.at(0, "%q, want a row of nine digits", w.text)
			}
			copy(g[9*row:], w.text)
		}
		all = append(all, g)
	}
	return all, nil
}

// A defect is what is wrong with an output, by line and column. Other errors
// are of reading it.
type defect struct{ error }

// solve reads a solution for each of the grids and returns the first defect.
func solve(puzzles []grid, r io.Reader) error {
	out := newWords(r)
	for i := range puzzles {
		if err := one(&puzzles[i], i+1, out); err != nil {
			return err
		}
	}
	w, err := out.next()
	if err == nil && w.text != "" {
		return defect{w.at(0, "%q after the last solution, want the end of the output", w.text)}
	}
	return err
}

// one reads nine rows that must solve the puzzle with that number.
func one(puzzle *grid, number int, out *words) error {
	var rows, cols, boxes [9]uint16 // the digits that each has, as bits
	for row := range 9 {
		where := fmt.Sprintf("row %d of sudoku %d", row+1, number)
		w, err := out.next()
		switch {
		case err != nil:
			return err
		case w.text == "":
			return defect{w.at(0, "the output ends, want %s", where)}
		}
		for col := range min(len(w.text), 9) {
			c, given := w.text[col], puzzle[9*row+col]
			bit := uint16(1) << (c & 15)
			box := row/3*3 + col/3
			switch {
			case c < '1' || c > '9':
				return defect{w.at(col, "%s in %s, want a digit from 1 to 9", show(c), where)}
			case given != '0' && c != given:
				return defect{w.at(col, "%c in %s, want the given %c", c, where, given)}
			case rows[row]&bit != 0:
				return defect{w.at(col, "a second %c in %s, want each digit once", c, where)}
			case cols[col]&bit != 0:
				return defect{w.at(col, "a second %c in column %d of sudoku %d, want each digit once", c, col+1, number)}
			case boxes[box]&bit != 0:
				return defect{w.at(col, "a second %c in box %d of sudoku %d, want each digit once", c, box+1, number)}
			}
			rows[row], cols[col], boxes[box] = rows[row]|bit, cols[col]|bit, boxes[box]|bit
		}
		if n := len(w.text); n < 9 {
			return defect{w.at(n, "%s ends after %d digits, want 9", where, n)}
		} else if n > 9 {
			return defect{w.at(9, "%s goes on with %s, want white space after 9 digits", where, show(w.text[9]))}
		}
	}
	return nil
}
