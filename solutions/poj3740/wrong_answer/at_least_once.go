//go:build ignore

// Easy Finding, but a column may be covered more than once.
//
// Idea: if a set of rows has all columns, then so have all rows together; see
// whether they do.
//
// Source: the statement read as set cover.
//
// Time: that of reading. Memory: 1 KB.
//
// Wrong: where rows must overlap to cover everything.
package main

import (
	"bufio"
	"os"
)

type columns [5]uint64

var (
	row [16]columns
	in  = bufio.NewReaderSize(os.Stdin, 1<<16)
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

// possible says whether the rows have all columns: if some do, so do all.
func possible(m int, all columns) bool {
	var union columns
	for r := range m {
		for i := range all {
			union[i] |= row[r][i]
		}
	}
	return union == all
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
