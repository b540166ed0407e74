//go:build ignore

// Idea: fix where all nine columns come from (6 orders of the stacks times 6^3
// orders within them), then the rows, one band at a time: a band of the
// incomplete grid takes an unused band of the completed one with its rows in
// one of six orders, if the digits seen so far can still be renumbered. The
// completed grid is tried as it is and turned by 90 degrees; a half turn is
// made of row and column moves. The band with the most givens goes first.
//
// Source: a published accepted program for NWERC 2006 whose author measured
// 250 ms, written anew. That program lets two digits become the same one; here
// the renumbering is one-to-one.
//
// Time: at most 2 * 1296 * (18 + 18*12 + 18*12*6) bands compared, and 2 * 1296 * 18
// at least when the answer is No. Memory: constant.
//
// Weak where few givens refuse nothing before the third band, and always a
// little slow on No: the columns are chosen blindly.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// A cell of the incomplete grid that is not blank. Its row counts in its band.
type cell struct {
	row, col, digit uint8
}

type problem struct {
	done [81]uint8
	todo [3][]cell
	col  [9]int // the column of done that each column of todo comes from
}

var threes = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// rows places band b and those after it. The bits of used are bands of done
// that are taken; name[d] is the digit of done for d, and the bits of named
// are the digits of done that have one.
func (p *problem) rows(b int, used uint, name [10]uint8, named uint) bool {
	if b == 3 {
		return true
	}
	for from := range 3 {
		if used>>from&1 == 1 {
			continue
		}
		for _, order := range threes {
			n, nd := name, named
			if p.band(p.todo[b], from, order, &n, &nd) && p.rows(b+1, used|1<<from, n, nd) {
				return true
			}
		}
	}
	return false
}

// band renumbers the cells of one band as their places in done say, and
// reports whether that can be done.
func (p *problem) band(cells []cell, from int, order [3]int, name *[10]uint8, named *uint) bool {
	for _, c := range cells {
		d := p.done[27*from+9*order[c.row]+p.col[c.col]]
		switch {
		case name[c.digit] == d:
		case name[c.digit] == 0 && *named>>d&1 == 0:
			name[c.digit] = d
			*named |= 1 << d
		default:
			return false
		}
	}
	return true
}

func (p *problem) columns() bool {
	for _, s := range threes {
		for _, x := range threes {
			for _, y := range threes {
				for _, z := range threes {
					for i := range 3 {
						p.col[i] = 3*s[0] + x[i]
						p.col[3+i] = 3*s[1] + y[i]
						p.col[6+i] = 3*s[2] + z[i]
					}
					if p.rows(0, 0, [10]uint8{}, 0) {
						return true
					}
				}
			}
		}
	}
	return false
}

func (p *problem) solve() bool {
	sort.Slice(p.todo[:], func(i, j int) bool { return len(p.todo[i]) > len(p.todo[j]) })
	if p.columns() {
		return true
	}
	old := p.done
	for i := range 81 {
		p.done[i] = old[i%9*9+8-i/9]
	}
	return p.columns()
}

func main() {
	text, err := io.ReadAll(bufio.NewReader(os.Stdin))
	if err != nil {
		panic(err)
	}
	words := strings.Fields(string(text))
	digits := strings.Join(words[1:], "")
	var out strings.Builder
	for ; len(digits) >= 162; digits = digits[162:] {
		var p problem
		for i := range 81 {
			p.done[i] = digits[i] - '0'
			if d := digits[81+i] - '0'; d > 0 {
				p.todo[i/27] = append(p.todo[i/27], cell{uint8(i / 9 % 3), uint8(i % 9), d})
			}
		}
		if p.solve() {
			out.WriteString("Yes\n")
		} else {
			out.WriteString("No\n")
		}
	}
	fmt.Print(out.String())
}
