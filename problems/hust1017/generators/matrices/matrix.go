package main

import (
	"strconv"
	"strings"
)

// A matrix has a list of ones for each row, which are columns from 0.
type matrix struct {
	cols int
	rows [][]int
}

func (a *matrix) add(row ...int) { a.rows = append(a.rows, row) }

// String returns a matrix as the input has it.
func (a matrix) String() string {
	var text strings.Builder
	text.WriteString(strconv.Itoa(len(a.rows)) + " " + strconv.Itoa(a.cols) + "\n")
	for _, row := range a.rows {
		text.WriteString(strconv.Itoa(len(row)))
		for _, c := range row {
			text.WriteString(" " + strconv.Itoa(c+1))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// shuffled returns the rows, the columns and the ones of each row in random order.
func (a matrix) shuffled(r *source) matrix {
	return a.mixed(r, r.order(a.cols))
}

// mixed returns the rows and the ones of each row in random order, and column c
// as column[c].
func (a matrix) mixed(r *source, column []int) matrix {
	b := matrix{a.cols, make([][]int, len(a.rows))}
	for i, at := range r.order(len(a.rows)) {
		row := make([]int, len(a.rows[i]))
		for j, k := range r.order(len(row)) {
			row[j] = column[a.rows[i][k]]
		}
		b.rows[at] = row
	}
	return b
}
