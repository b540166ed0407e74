//go:build ignore

// Exact cover by plain backtracking over the columns in their order.
//
// Idea: cover the first column that is not covered by each of its rows that
// meets no chosen one, in turn.
//
// Source: folklore.
//
// Time: exponential, and already where a better order of columns leaves no
// choice. Memory: 2 MB.
//
// Weak: a last column that cannot be covered, which is found again for every
// way to cover the others.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	ones    [1000][]int // the columns of a row
	has     [1000][]int // the rows of a column
	covered [1000]bool
	chosen  []int
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

// search says whether columns from c on can be covered, those before it being
// covered. If so, chosen has the rows.
func search(c, m int) bool {
	for c < m && covered[c] {
		c++
	}
	if c == m {
		return true
	}
	for _, row := range has[c] {
		if !free(ones[row]) {
			continue
		}
		mark(ones[row], true)
		chosen = append(chosen, row+1)
		if search(c+1, m) {
			return true
		}
		chosen = chosen[:len(chosen)-1]
		mark(ones[row], false)
	}
	return false
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
		n, ok := number()
		if !ok {
			return
		}
		m, _ := number()
		for c := range m {
			has[c] = has[c][:0]
		}
		clear(covered[:])
		for row := range n {
			count, _ := number()
			ones[row] = ones[row][:0]
			for range count {
				c, _ := number()
				ones[row] = append(ones[row], c-1)
				has[c-1] = append(has[c-1], row)
			}
		}
		chosen = chosen[:0]
		if !search(0, m) {
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
