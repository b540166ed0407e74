//go:build ignore

// Easy Finding by backtracking that leaves its marks behind.
//
// Idea: take each row or leave it, as accepted/backtracking.go does.
//
// Source: a common slip: a search that succeeds returns at once, and the marks
// of what it took stay.
//
// Time: at most 2^16 sets of rows. Memory: 40 KB.
//
// Wrong: in matrices after one that could be covered.
package main

import (
	"bufio"
	"os"
)

var (
	ones    [16][]int // the columns of a row
	covered [300]bool
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

// search says whether rows from this one on can cover what is left, the number
// of columns not covered.
func search(rows [][]int, left int) bool {
	if left == 0 {
		return true
	}
	if len(rows) == 0 {
		return false
	}
	if free(rows[0]) {
		mark(rows[0], true)
		if search(rows[1:], left-len(rows[0])) {
			return true
		}
		mark(rows[0], false)
	}
	return search(rows[1:], left)
}

func free(row []int) bool {
	for _, c := range row {
		if covered[c] {
			return false
		}
	}
	return true
}

func mark(row []int, v bool) {
	for _, c := range row {
		covered[c] = v
	}
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
		for r := range m {
			ones[r] = ones[r][:0]
			for c := range n {
				if bit, _ := number(); bit == 1 {
					ones[r] = append(ones[r], c)
				}
			}
		}
		if search(ones[:m], n) {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
