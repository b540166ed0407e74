package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	in    = bufio.NewReader(os.Stdin)
	adj   [1000][]int
	seen  [1000]bool
	sum   int
	best  int
	count = map[string]int{}
	total int
	order []int
	stamp [1000]int
	now   int
	fib   = map[int]int{}
	ways  = map[int]int{}
	n     int

	sorted, fine = true, true
)

func visit(v int) {
	if seen[v] {
		return
	}
	seen[v] = true // want `seen keeps its value`
	order = append(order, v)
	for _, w := range adj[v] {
		visit(w)
	}
}

// fibonacci keeps what is true for all test cases.
func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	if f, ok := fib[n]; ok {
		return f
	}
	fib[n] = fibonacci(n-1) + fibonacci(n-2)
	return fib[n]
}

// walks depends on adj, which is that of a test case.
func walks(v int) int {
	if w, ok := ways[v]; ok {
		return w
	}
	w := 1
	for _, u := range adj[v] {
		w += walks(u)
	}
	ways[v] = w // want `ways keeps its value`
	return w
}

func solve() {
	order = order[:0]
	fmt.Fscan(in, &n)
	fine = true
	for range n {
		if n > 3 {
			sorted = false // want `sorted keeps its value`
		}
		if n > 5 {
			fine = false
		}
		var u, v int
		fmt.Fscan(in, &u, &v)
		adj[u] = append(adj[u], v) // want `adj keeps its value`
		sum += v                   // want `sum keeps its value`
		best = max(best, v)        // want `best keeps its value`
		total += v
	}
	visit(0)
	now++
	for i := range n {
		if stamp[i] != now {
			stamp[i] = now
		}
	}
	var s string
	fmt.Fscan(in, &s)
	count[s]++ // want `count keeps its value`
	fmt.Println(sorted, fine, sum, best, len(order), count[s], fibonacci(n), walks(0))
}

func main() {
	var t int
	fmt.Fscan(in, &t)
	for range t {
		solve()
	}
	fmt.Println(total)
}
