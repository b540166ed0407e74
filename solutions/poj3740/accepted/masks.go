//go:build ignore

// Easy Finding by masks of 16 rows.
//
// Idea: a column is the set of the rows that have a one in it, one word. Rows
// that may still be chosen are a word too, so what is left of a column is an
// intersection, and a chosen row takes away all rows that meet it at once.
// Each step branches on a column with the fewest rows left. Columns with the
// same rows count once.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: at most 3^(16/3), some 350, ends of the search, each after a few walks
// over 300 words; less than reading the matrix. Memory: 1 KB.
//
// Weak: nothing at 16 rows; with more rows than bits in a word a set is
// several words, and a step looks at all of them.
package main

import (
	"bufio"
	"math/bits"
	"os"
	"slices"
)

const maxRows = 16

var (
	columns []uint16        // the rows with a one there, each such set once
	meets   [maxRows]uint16 // the rows that have a column in common with the row
	in      = bufio.NewReaderSize(os.Stdin, 1<<16)
)

// number reads the next number, or says that there is none.
func number() (n int, ok bool) {
	for {
		switch c, err := in.ReadByte(); {
		case err == nil && '0' <= c && c <= '9':
			n, ok = 10*n+int(c-'0'), true
		case ok || err != nil:
			return n, ok
		}
	}
}

// search says whether the columns that no chosen row has can be covered by rows
// that are alive.
func search(chosen, alive uint16) bool {
	var options uint16
	fewest := maxRows + 1
	for _, c := range columns {
		if c&chosen != 0 {
			continue
		}
		if n := bits.OnesCount16(c & alive); n < fewest {
			options, fewest = c&alive, n
		}
	}
	if fewest > maxRows {
		return true
	}
	for ; options != 0; options &= options - 1 {
		row := bits.TrailingZeros16(options)
		if search(chosen|1<<row, alive&^meets[row]) {
			return true
		}
	}
	return false
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		m, ok := number()
		if !ok {
			return
		}
		n, _ := number()
		columns = append(columns[:0], make([]uint16, n)...)
		for row := range m {
			for c := range n {
				if bit, _ := number(); bit == 1 {
					columns[c] |= 1 << row
				}
			}
		}
		slices.Sort(columns)
		columns = slices.Compact(columns)
		clear(meets[:])
		for _, c := range columns {
			for rows := c; rows != 0; rows &= rows - 1 {
				meets[bits.TrailingZeros16(rows)] |= c
			}
		}
		if search(0, 1<<m-1) {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
