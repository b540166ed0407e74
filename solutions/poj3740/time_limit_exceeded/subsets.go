//go:build ignore

// Easy Finding by adding up the rows of every set.
//
// Idea: for each of the 2^m sets of rows add its rows column by column, then
// see whether every sum is one.
//
// Source: the first idea that one has at 16 rows.
//
// Time: 2^m·m·n/2 additions, 0.1 s for one matrix of 16 by 300 that cannot be
// covered. Memory: 5 KB.
//
// Weak: files with twenty such matrices.
package main

import (
	"bufio"
	"os"
)

var (
	matrix [16][300]byte
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

// possible says whether some set of rows sums to ones.
func possible(m, n int) bool {
	for set := 1; set < 1<<m; set++ {
		var sum [300]byte
		for r := range m {
			if set>>r&1 != 0 {
				for c := range n {
					sum[c] += matrix[r][c]
				}
			}
		}
		good := true
		for c := range n {
			good = good && sum[c] == 1
		}
		if good {
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
		for r := range m {
			for c := range n {
				bit, _ := number()
				matrix[r][c] = byte(bit)
			}
		}
		if possible(m, n) {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
