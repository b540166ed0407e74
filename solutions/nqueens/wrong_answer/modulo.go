//go:build ignore

// Queens by masks on a board whose diagonals go on at the opposite edge.
//
// Idea: as in accepted/masks.go, but diagonals are numbered modulo n, as if the
// board were a torus.
//
// Source: a common slip: r-c may be negative, and "+n) % n" is what comes to mind.
//
// Time: shorter than right, as there are fewer ways. Memory: 96 bytes a level.
// Wrong: for every board with a completion but that of size 1.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

const maxSize = 24

var (
	n             int
	count         int
	column, first [maxSize]int
)

// put returns what a queen at r, c leaves of the rows; hers becomes empty.
func put(rows [maxSize]uint32, r, c int) (rest [maxSize]uint32) {
	for i := range n {
		if i != r {
			d := (i - r + n) % n
			rest[i] = rows[i] &^ (1<<c | 1<<((c+d)%n) | 1<<((c-d+n)%n))
		}
	}
	column[r] = c
	return rest
}

// search counts the ways to put queens into these rows and columns.
func search(rows [maxSize]uint32, openRows, openColumns uint32) {
	if openRows == 0 {
		if count == 0 {
			first = column
		}
		count++
		return
	}
	var once, twice uint32
	best, fewest := 0, maxSize+1
	for open := openRows; open != 0; open &= open - 1 {
		r := bits.TrailingZeros32(open)
		twice |= once & rows[r]
		once |= rows[r]
		if k := bits.OnesCount32(rows[r]); k < fewest {
			best, fewest = r, k
		}
	}
	if once != openColumns || fewest == 0 {
		return
	}
	squares := rows[best]
	if single := once &^ twice; fewest > 1 && single != 0 {
		squares = single & -single
		for open := openRows; rows[best]&squares == 0; open &= open - 1 {
			best = bits.TrailingZeros32(open)
		}
	}
	for ; squares != 0; squares &= squares - 1 {
		rest := put(rows, best, bits.TrailingZeros32(squares))
		search(rest, openRows&^(1<<best), openColumns&^(squares&-squares))
	}
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var boards int
	fmt.Fscan(in, &boards)
	for range boards {
		fmt.Fscan(in, &n)
		var rows [maxSize]uint32
		var given [][2]int
		for r := range n {
			var line string
			fmt.Fscan(in, &line)
			for c, ch := range line {
				switch ch {
				case '.':
					rows[r] |= 1 << c
				case 'Q':
					given = append(given, [2]int{r, c})
				}
			}
		}
		openRows, openColumns := uint32(1)<<n-1, uint32(1)<<n-1
		for _, q := range given {
			rows = put(rows, q[0], q[1])
			openRows &^= 1 << q[0]
			openColumns &^= 1 << q[1]
		}
		count = 0
		search(rows, openRows, openColumns)
		fmt.Fprintln(out, count)
		if count > 0 {
			for r := range n {
				fmt.Fprint(out, 1+first[r], " ")
			}
			fmt.Fprintln(out)
		}
	}
}
