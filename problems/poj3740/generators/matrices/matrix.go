package main

import (
	"strconv"
	"strings"
)

// A matrix is a list of rows of zeros and ones.
type matrix [][]byte

func zeros(rows, cols int) matrix {
	a := make(matrix, rows)
	for i := range a {
		a[i] = make([]byte, cols)
	}
	return a
}

func (a matrix) rows() int { return len(a) }
func (a matrix) cols() int { return len(a[0]) }

// String returns a matrix as the input has it.
func (a matrix) String() string {
	var text strings.Builder
	text.WriteString(strconv.Itoa(a.rows()) + " " + strconv.Itoa(a.cols()) + "\n")
	for _, row := range a {
		for c, bit := range row {
			if c > 0 {
				text.WriteByte(' ')
			}
			text.WriteByte('0' + bit)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// shuffled returns the rows and columns in random order.
func (a matrix) shuffled(r *source) matrix {
	b := zeros(a.rows(), a.cols())
	row, col := r.order(a.rows()), r.order(a.cols())
	for i := range a {
		for j, bit := range a[i] {
			b[row[i]][col[j]] = bit
		}
	}
	return b
}
