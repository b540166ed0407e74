//go:build ignore

// Wrong: the search is right, but the line that traces it was left in, so the
// answers drown. Small inputs get a wrong answer, large ones go over the output
// limit.
//
// Otherwise: one block at a time, like the jury's solution of NWERC 2006.
//
// Time: as long as the output is taken. Memory: constant.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
)

var (
	orders = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	out    = bufio.NewWriter(os.Stdout)
)

// A line is where a band or stack goes, and the order of what is in it.
type line struct {
	to    int
	order [3]int
}

func choices(taken []line) (all []line) {
next:
	for to := range 3 {
		for _, l := range taken {
			if l.to == to {
				continue next
			}
		}
		for _, o := range orders {
			all = append(all, line{to, o})
		}
	}
	return all
}

// place goes through the blocks in reading order.
func place(done, todo string, rows, cols []line, block int, to, from [10]byte) bool {
	if block == 9 {
		return true
	}
	band, stack := block/3, block%3
	if band == len(rows) {
		for _, l := range choices(rows) {
			if place(done, todo, append(rows, l), cols, block, to, from) {
				return true
			}
		}
		return false
	}
	if stack == len(cols) {
		for _, l := range choices(cols) {
			if place(done, todo, rows, append(cols, l), block, to, from) {
				return true
			}
		}
		return false
	}
	fmt.Fprintln(out, "block", block, "of", todo, "in", done)
	for i := range 9 {
		d := todo[27*band+9*(i/3)+3*stack+i%3] - '0'
		if d == 0 {
			continue
		}
		r, c := rows[band], cols[stack]
		e := done[27*r.to+9*r.order[i/3]+3*c.to+c.order[i%3]] - '0'
		if to[d] == 0 && from[e] == 0 {
			to[d], from[e] = e, d
		}
		if to[d] != e {
			return false
		}
	}
	return place(done, todo, rows, cols, block+1, to, from)
}

func main() {
	defer out.Flush()
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	words := bytes.Fields(text)
	digits := bytes.Join(words[1:], nil) // in lines of any length
	for ; len(digits) >= 162; digits = digits[162:] {
		done, todo := string(digits[:81]), string(digits[81:162])
		turned := make([]byte, 81)
		for i := range turned {
			turned[i] = done[i%9*9+8-i/9]
		}
		answer := "No"
		for _, d := range []string{done, string(turned)} {
			if place(d, todo, nil, nil, 0, [10]byte{}, [10]byte{}) {
				answer = "Yes"
				break
			}
		}
		fmt.Fprintln(out, answer)
	}
}
