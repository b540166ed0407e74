package main

import (
	"fmt"
	"io"
	"math"
)

const maxSize = 24

// A board has its squares in rows.
type board []string

// readBoards reads an input that has been validated.
func readBoards(r io.Reader) ([]board, error) {
	in := newWords(r)
	t, err := in.number("a number of boards", 1, 20)
	if err != nil {
		return nil, err
	}
	boards := make([]board, t)
	for i := range boards {
		n, err := in.number("a size", 1, maxSize)
		if err != nil {
			return nil, err
		}
		for range n {
			// A row may be longer than a number.
			row := make([]byte, 0, maxSize)
			for len(row) < n {
				c, err := in.r.ReadByte()
				if err != nil {
					return nil, fmt.Errorf("board %d: %w", i+1, err)
				}
				if !space(c) {
					row = append(row, c)
				}
			}
			boards[i] = append(boards[i], string(row))
		}
	}
	return boards, nil
}

// A count is a number of completions, and where a text has it.
type count struct{ completions, line, col int }

// readAnswer reads the number of completions of a board, and a completion if
// there is one. A defect is of the text; any other error is of the reader.
func readAnswer(w *words, number int, b board) (count, error) {
	completions, err := w.number(fmt.Sprintf("the number of completions of board %d", number), 0, math.MaxInt)
	n := count{completions, w.atLine, w.atCol}
	if err != nil || completions == 0 {
		return n, err
	}
	column := make([]int, len(b))
	for r := range b {
		c, err := w.number(fmt.Sprintf("the column of row %d of board %d", r+1, number), 1, len(b))
		if err != nil {
			return n, err
		}
		c--
		column[r] = c
		if b[r][c] == '#' {
			return n, w.at("a queen on row %d, column %d of board %d, which is blocked", r+1, c+1, number)
		}
		for k, ch := range b[r] {
			if ch == 'Q' && k != c {
				return n, w.at("the queen in row %d of board %d is moved to column %d, want column %d", r+1, number, c+1, k+1)
			}
		}
		for i, d := range column[:r] {
			if d == c || r-i == c-d || r-i == d-c {
				return n, w.at("the queen on row %d, column %d of board %d is attacked from row %d, column %d", r+1, c+1, number, i+1, d+1)
			}
		}
	}
	return n, nil
}
