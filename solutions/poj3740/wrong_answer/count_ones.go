//go:build ignore

// Easy Finding by counting.
//
// Idea: rows that cover every column once have n ones together. See whether
// the ones of some rows sum to n, and whether no column is empty.
//
// Source: a necessary condition taken for a sufficient one.
//
// Time: 16·300 steps. Memory: 1 KB.
//
// Wrong: where some rows have n ones together but overlap.
package main

import (
	"bufio"
	"os"
)

var in = bufio.NewReaderSize(os.Stdin, 1<<16)

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

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		m, ok := number()
		if !ok {
			return
		}
		n, _ := number()
		var seen [300]bool
		var sums [16*300 + 1]bool // what some rows have together
		sums[0] = true
		for range m {
			count := 0
			for c := range n {
				if bit, _ := number(); bit == 1 {
					seen[c] = true
					count++
				}
			}
			for s := len(sums) - 1; s >= count; s-- {
				sums[s] = sums[s] || sums[s-count]
			}
		}
		good := sums[n]
		for _, s := range seen[:n] {
			good = good && s
		}
		if good {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
