//go:build ignore

// Exact cover by choices that are never taken back.
//
// Idea: cover the column with the fewest rows left by the first of them,
// strike out what it meets, and go on; if a column has no row left, say NO.
//
// Source: the rule that makes the search short, without the search.
//
// Time: as long as reading, and 1000 rounds over 1000 columns. Memory: 2 MB.
//
// Wrong: wherever the first of two rows is the wrong one.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	ones    [1000][]int // the columns of a row
	has     [1000][]int // the rows of a column
	left    [1000]int   // how many of them are not struck out
	covered [1000]bool
	struck  [1000]bool
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

// cover says whether it came to an end, with the rows in chosen.
func cover(m int) bool {
	for {
		best := -1
		for c := range m {
			if !covered[c] && (best < 0 || left[c] < left[best]) {
				best = c
			}
		}
		if best < 0 {
			return true
		}
		if left[best] == 0 {
			return false
		}
		for _, row := range has[best] {
			if !struck[row] {
				choose(row)
				break
			}
		}
	}
}

// choose covers a row's columns and strikes out all rows that meet it.
func choose(row int) {
	chosen = append(chosen, row+1)
	for _, c := range ones[row] {
		covered[c] = true
		for _, other := range has[c] {
			if struck[other] {
				continue
			}
			struck[other] = true
			for _, d := range ones[other] {
				left[d]--
			}
		}
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
		clear(left[:])
		clear(covered[:])
		clear(struck[:])
		for row := range n {
			count, _ := number()
			ones[row] = ones[row][:0]
			for range count {
				c, _ := number()
				ones[row] = append(ones[row], c-1)
				has[c-1] = append(has[c-1], row)
				left[c-1]++
			}
		}
		chosen = chosen[:0]
		if !cover(m) {
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
