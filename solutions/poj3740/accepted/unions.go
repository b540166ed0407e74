//go:build ignore

// Easy Finding by the unions of all sets of rows.
//
// Idea: number the 2^16 sets of rows by their bits. The union of a set is that
// of the set without its lowest row, and that row; its rows are apart if those
// of the smaller set are and the row meets none of them. Each set costs one
// look at five words, and nothing is searched.
//
// Source: dynamic programming over subsets, folklore.
//
// Time: 2^rows times 5 words, 0.3 ms for 16 rows. Memory: 65536 unions of 40
// bytes.
//
// Weak: the same time for every matrix of 16 rows whose answer is no, however
// plain.
package main

import (
	"bufio"
	"math/bits"
	"os"
)

type columns [5]uint64

var (
	row   [16]columns
	union [1 << 16]columns // of the rows of a set, if they are apart
	apart [1 << 16]bool    // whether no two rows of a set meet
	in    = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// possible says whether the first m rows have a set that is apart and has all.
func possible(m int, all columns) bool {
	apart[0] = true
	for set := 1; set < 1<<m; set++ {
		rest := set & (set - 1)
		apart[set] = apart[rest]
		if !apart[rest] {
			continue
		}
		more := &row[bits.TrailingZeros(uint(set))]
		for i := range all {
			if union[rest][i]&more[i] != 0 {
				apart[set] = false
			}
			union[set][i] = union[rest][i] | more[i]
		}
		if apart[set] && union[set] == all {
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
		var all columns
		for c := range n {
			all[c/64] |= 1 << (c % 64)
		}
		for r := range m {
			row[r] = columns{}
			for c := range n {
				if bit, _ := number(); bit == 1 {
					row[r][c/64] |= 1 << (c % 64)
				}
			}
		}
		if possible(m, all) {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
