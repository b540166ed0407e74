//go:build ignore

// Exact cover by sets of rows and of columns in words.
//
// Idea: rows that may still be chosen are a set of bits, and so are the rows
// of a column; what a column has left is an intersection. A chosen row takes
// away all rows that meet it, a set known beforehand. Each step branches on a
// column with the fewest rows left. Nothing is linked and nothing has to be
// undone.
//
// Source: the minimum remaining values rule of S. W. Golomb and L. D. Baumert,
// "Backtrack programming", JACM 12 (1965), on words.
//
// Time: exponential at worst; for most matrices as long as reading them. A
// step looks at all words of all open columns. Memory: 400 KB for the sets of
// all rows and columns.
//
// Weak: many rows of which few are left, as each step looks at the words of
// all.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

const (
	maxRows = 1000
	maxCols = 1000
)

type (
	rowSet [(maxRows + 63) / 64]uint64
	colSet [(maxCols + 63) / 64]uint64
)

var (
	has    [maxCols]rowSet // the rows with a one in the column
	covers [maxRows]colSet // the columns of the row
	meets  [maxRows]rowSet // the rows that have a column in common with the row
	words  int             // of a rowSet in use
	chosen []int
	in     = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// search says whether the open columns can be covered by rows that are alive. If
// so, chosen has the rows.
func search(alive rowSet, open colSet) bool {
	best, fewest := -1, maxRows+1
	for w, word := range open {
		for ; word != 0; word &= word - 1 {
			c := 64*w + bits.TrailingZeros64(word)
			n := 0
			for i, rows := range has[c][:words] {
				n += bits.OnesCount64(rows & alive[i])
			}
			if n == 0 {
				return false
			}
			if n < fewest {
				best, fewest = c, n
			}
		}
	}
	if best < 0 {
		return true
	}
	for w, rows := range has[best][:words] {
		for options := rows & alive[w]; options != 0; options &= options - 1 {
			row := 64*w + bits.TrailingZeros64(options)
			less, rest := alive, open
			for i, rows := range meets[row][:words] {
				less[i] &^= rows
			}
			for i, columns := range covers[row] {
				rest[i] &^= columns
			}
			chosen = append(chosen, row+1)
			if search(less, rest) {
				return true
			}
			chosen = chosen[:len(chosen)-1]
		}
	}
	return false
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		n, ok := number()
		if !ok {
			return
		}
		m, _ := number()
		clear(has[:])
		var alive rowSet
		var open colSet
		for c := range m {
			open[c/64] |= 1 << (c % 64)
		}
		for row := range n {
			alive[row/64] |= 1 << (row % 64)
			covers[row] = colSet{}
			count, _ := number()
			for range count {
				c, _ := number()
				has[c-1][row/64] |= 1 << (row % 64)
				covers[row][(c-1)/64] |= 1 << ((c - 1) % 64)
			}
		}
		words = (n + 63) / 64
		for row := range n {
			meets[row] = rowSet{}
			for w, columns := range covers[row] {
				for ; columns != 0; columns &= columns - 1 {
					for i, rows := range has[64*w+bits.TrailingZeros64(columns)][:words] {
						meets[row][i] |= rows
					}
				}
			}
		}
		chosen = chosen[:0]
		if !search(alive, open) {
			out.WriteString("NO\n")
			continue
		}
		fmt.Fprint(out, len(chosen))
		for _, row := range chosen {
			fmt.Fprint(out, " ", row)
		}
		out.WriteByte('\n')
	}
}
