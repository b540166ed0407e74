package main

import (
	"fmt"
	"io"
	"os"
)

var (
	text []byte
	at   int

	parent, size [1000]int
	best, depth  [100][100]int
	last, when   [100]int
	lowest       [1001]int
	word         []int
)

func init() {
	for i := range lowest {
		lowest[i] = i
	}
	for i := 2; i <= 1000; i++ {
		for j := i; j <= 1000; j += i {
			lowest[j] = min(lowest[j], i) // once for all test cases
		}
	}
	for i := range parent {
		parent[i] = i
		size[i] = 1
	}
}

// number reads from text, which is all of the input.
func number() (n int) {
	for text[at] < '0' {
		at++
	}
	for ; at < len(text) && text[at] >= '0'; at++ {
		n = 10*n + int(text[at]-'0')
	}
	return n
}

func find(v int) int {
	for parent[v] != v {
		v = parent[v]
	}
	return v
}

func cost(l, r int) int {
	if l >= r {
		return 0
	}
	if best[l][r] >= 0 {
		return best[l][r]
	}
	c := cost(l+1, r) + word[l]
	best[l][r] = c // want `best keeps its value`
	return c
}

func main() {
	text, _ = io.ReadAll(os.Stdin)
	for i := range best {
		for j := range best[i] {
			best[i][j] = -1
			depth[i][j] = -1
		}
	}
	for i := range last {
		last[i] = -1
		when[i] = -1
	}
	cas := number()
	for k := 0; k < cas; k++ {
		n, m := number(), number()
		word = make([]int, n)
		for i := range word {
			word[i] = number()
			size[i] = 1
		}
		for range m {
			a, b := find(number()), find(number())
			parent[a] = b // want `parent keeps its value`
			size[b] += size[a]
			last[a] = b // want `last keeps its value`
			if when[b] != k {
				when[b] = k // the number of the test case
			}
		}
		for i := range n {
			for j := range m {
				depth[i][j] = i * j
			}
		}
		fmt.Println(cost(0, n), size[find(0)], last[0], when[1], depth[0][0], lowest[n])
	}
}
