//go:build ignore

// Exact cover with room for 10000 ones.
//
// Idea: that of accepted/dancing_links.go.
//
// Source: a common slip: 1000 rows with 10 ones each, where 100 are allowed.
//
// Time: as long as reading. Memory: 10000 nodes of 12 bytes.
//
// Crashes: index out of range where a matrix has more ones.
package main

import (
	"bufio"
	"fmt"
	"os"
)

const (
	maxRows  = 1000
	maxCols  = 1000
	maxOnes  = 10000                               // 10 in each row
	maxNodes = 1 + maxCols + maxOnes + 1 + maxRows // with headers and spacers
)

var (
	left, right [maxCols + 1]int32 // the ring of open columns; 0 begins it
	size        [maxCols + 1]int32 // rows left in a column
	up, down    [maxNodes]int32    // rings of columns; of a spacer see add
	col         [maxNodes]int32    // of a spacer: minus the row before it
	last        int32              // the node made last, a spacer
	chosen      []int
	in          = bufio.NewReaderSize(os.Stdin, 1<<16)
)

func reset(cols int) {
	for c := range int32(cols + 1) {
		left[c], right[c] = c-1, c+1
		up[c], down[c], size[c] = c, c, 0
	}
	left[0], right[cols] = int32(cols), 0
	last = int32(cols + 1)
	col[last] = 0
}

// add puts a row's nodes side by side, with a spacer before and after. The
// spacer after leads up to the row's first node, the one before down to its
// last, so that a walk in either direction goes round.
func add(row int, cols []int) {
	first := last + 1
	for _, c := range cols {
		last++
		h := int32(c)
		up[last], down[last], col[last] = up[h], h, h
		down[up[h]], up[h] = last, last
		size[h]++
	}
	down[first-1] = last
	last++
	up[last], col[last] = first, int32(-row)
}

func cover(c int32) {
	left[right[c]], right[left[c]] = left[c], right[c]
	for i := down[c]; i != c; i = down[i] {
		for j := i + 1; j != i; j++ {
			if col[j] <= 0 {
				j = up[j] - 1
				continue
			}
			up[down[j]], down[up[j]] = up[j], down[j]
			size[col[j]]--
		}
	}
}

func uncover(c int32) {
	for i := up[c]; i != c; i = up[i] {
		for j := i - 1; j != i; j-- {
			if col[j] <= 0 {
				j = down[j] + 1
				continue
			}
			size[col[j]]++
			up[down[j]], down[up[j]] = j, j
		}
	}
	left[right[c]], right[left[c]] = c, c
}

func rowOf(n int32) int {
	for col[n] > 0 {
		n++
	}
	return int(-col[n])
}

func coverOthers(n int32) {
	for j := n + 1; j != n; j++ {
		if col[j] <= 0 {
			j = up[j] - 1
			continue
		}
		cover(col[j])
	}
}

func uncoverOthers(n int32) {
	for j := n - 1; j != n; j-- {
		if col[j] <= 0 {
			j = down[j] + 1
			continue
		}
		uncover(col[j])
	}
}

// search says whether the open columns can be covered. If so, chosen has the rows.
func search() bool {
	if right[0] == 0 {
		return true
	}
	best := right[0]
	for c := right[best]; c != 0; c = right[c] {
		if size[c] < size[best] {
			best = c
		}
	}
	cover(best)
	for n := down[best]; n != best; n = down[n] {
		coverOthers(n)
		chosen = append(chosen, rowOf(n))
		if search() {
			return true
		}
		chosen = chosen[:len(chosen)-1]
		uncoverOthers(n)
	}
	uncover(best)
	return false
}

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
	ones := make([]int, 0, 100)
	for {
		n, ok := number()
		if !ok {
			return
		}
		m, _ := number()
		reset(m)
		for row := 1; row <= n; row++ {
			count, _ := number()
			ones = ones[:0]
			for range count {
				c, _ := number()
				ones = append(ones, c)
			}
			add(row, ones)
		}
		chosen = chosen[:0]
		if !search() {
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
