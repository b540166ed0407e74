package main

import (
	"bytes"
	"fmt"
)

// The limits of the statement.
const (
	maxRows = 1000
	maxCols = 1000
)

// A matrix has a list of columns for each row, both from 1.
type matrix struct {
	cols int
	rows [][]int // rows[0] is not used
}

// readMatrix takes a matrix of the input.
func readMatrix(in *words) (matrix, error) {
	n, err := in.number("a number of rows", maxRows)
	if err != nil {
		return matrix{}, err
	}
	m, err := in.number("a number of columns", maxCols)
	if err != nil {
		return matrix{}, err
	}
	a := matrix{m, make([][]int, n+1)}
	for i := 1; i <= n; i++ {
		count, err := in.number("a number of ones", m)
		if err != nil {
			return a, err
		}
		a.rows[i] = make([]int, count)
		for j := range a.rows[i] {
			if a.rows[i][j], err = in.number("a column", m); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// readCover takes what an output has for a matrix: NO, or an exact cover. The
// error says what is wrong with it.
func readCover(w *words, a matrix, number int) (found bool, err error) {
	if bytes.EqualFold(w.word, []byte("NO")) {
		w.advance()
		return false, w.err
	}
	start := w.place()
	count, err := w.number(fmt.Sprintf("NO or the number of rows for matrix %d", number), len(a.rows)-1)
	if err != nil {
		return false, err
	}
	by := make([]int, a.cols+1) // the row that covers a column
	for range count {
		at := w.place()
		row, err := w.number(fmt.Sprintf("a row of matrix %d", number), len(a.rows)-1)
		if err != nil {
			return false, err
		}
		for _, c := range a.rows[row] {
			if by[c] != 0 {
				return false, &wrong{at, fmt.Sprintf("row %d has column %d of matrix %d, which row %d has, want one row for each column", row, c, number, by[c])}
			}
			by[c] = row
		}
	}
	for c := 1; c <= a.cols; c++ {
		if by[c] == 0 {
			return false, &wrong{start, fmt.Sprintf("the rows leave out column %d of matrix %d, want one row for each column", c, number)}
		}
	}
	return true, nil
}
