//go:build ignore

// Easy Finding by choices that are never taken back.
//
// Idea: cover the column with the fewest rows left by the first of them,
// strike out what it meets, and go on.
//
// Source: the rule that makes the search short, without the search.
//
// Time: 16 rounds over 300 columns. Memory: 1 KB.
//
// Wrong: wherever the first of two rows is the wrong one.
package main

import (
	"bufio"
	"math/bits"
	"os"
)

var (
	columns [300]uint16 // the rows with a one there
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

// possible covers the first n columns by rows that are alive.
func possible(n int, alive uint16) bool {
	var chosen uint16
	for {
		var options uint16
		fewest := 17
		for _, c := range columns[:n] {
			if left := bits.OnesCount16(c & alive); c&chosen == 0 && left < fewest {
				options, fewest = c&alive, left
			}
		}
		if fewest == 17 {
			return true
		}
		if fewest == 0 {
			return false
		}
		row := options & -options
		chosen |= row
		for _, c := range columns[:n] {
			if c&row != 0 {
				alive &^= c
			}
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
		clear(columns[:])
		for row := range m {
			for c := range n {
				if bit, _ := number(); bit == 1 {
					columns[c] |= 1 << row
				}
			}
		}
		if possible(n, 1<<m-1) {
			out.WriteString("Yes, I found it\n")
		} else {
			out.WriteString("It is impossible\n")
		}
	}
}
