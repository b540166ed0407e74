//go:build ignore

// Wrong: each digit of the incomplete grid gets one image, but two digits may
// get the same one. Both programs published for NWERC 2006 do this; it shows where
// a few givens of the incomplete grid could be merged into one digit, as in about
// a third of random incomplete grids with 17 givens.
//
// Otherwise: columns first, then one band at a time, the fullest first.
//
// Time: at most 2 * 1296 * 1530 bands compared. Memory: constant.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sort"
)

var orders = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

type given struct{ row, col, digit byte }

func fits(done *[9][9]byte, col *[9]int, bands [][]given, free []int, image [10]byte) bool {
	if len(bands) == 0 {
		return true
	}
	for i, to := range free {
		rest := append(append(make([]int, 0, 2), free[:i]...), free[i+1:]...)
	order:
		for _, o := range orders {
			next := image
			for _, g := range bands[0] {
				d := done[3*to+o[g.row]][col[g.col]]
				if next[g.digit] != 0 && next[g.digit] != d {
					continue order
				}
				next[g.digit] = d
			}
			if fits(done, col, bands[1:], rest, next) {
				return true
			}
		}
	}
	return false
}

func anyColumns(done *[9][9]byte, bands [][]given) bool {
	var col [9]int
	for _, s := range orders {
		for n := range 216 {
			for i, p := range []int{n / 36, n / 6 % 6, n % 6} {
				for j := range 3 {
					col[3*i+j] = 3*s[i] + orders[p][j]
				}
			}
			if fits(done, &col, bands, []int{0, 1, 2}, [10]byte{}) {
				return true
			}
		}
	}
	return false
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	words := bytes.Fields(text)
	digits := bytes.Join(words[1:], nil) // in lines of any length
	for ; len(digits) >= 162; digits = digits[162:] {
		a, b := digits[:81], digits[81:162]
		var done, turned [9][9]byte
		bands := make([][]given, 3)
		for i := range 81 {
			done[i/9][i%9] = a[i] - '0'
			turned[i%9][8-i/9] = a[i] - '0'
			if b[i] != '0' {
				bands[i/27] = append(bands[i/27], given{byte(i / 9 % 3), byte(i % 9), b[i] - '0'})
			}
		}
		sort.Slice(bands, func(i, j int) bool { return len(bands[i]) > len(bands[j]) })
		if anyColumns(&done, bands) || anyColumns(&turned, bands) {
			fmt.Println("Yes")
		} else {
			fmt.Println("No")
		}
	}
}
