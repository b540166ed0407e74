package main

import "fmt"

var (
	adj   [][]int
	seen  []bool
	cells [][]byte
	n     int
	memo  []int
	board [9][9]int
	queen []int
	bits  []int
	tree  []int
)

type node struct {
	next        *node
	left, right *node
}

type list struct{ next *list }

func visit(v int) {
	seen[v] = true
	for _, w := range adj[v] {
		if !seen[w] {
			visit(w) // want `visit calls itself once for each vertex`
		}
	}
}

func depth(v, parent int) (d int) {
	for _, w := range adj[v] {
		if w != parent {
			d = max(d, 1+depth(w, v)) // want `depth calls itself once for each vertex`
		}
	}
	return d
}

func fill(x, y int) {
	if x < 0 || x >= n || y < 0 || y >= n || cells[x][y] != '.' {
		return
	}
	cells[x][y] = '#'
	fill(x+1, y) // want `fill calls itself once for each vertex`
	fill(x-1, y)
	fill(x, y+1)
	fill(x, y-1)
}

func count(i int) int {
	if i == n {
		return 0
	}
	return 1 + count(i+1) // want `count calls itself once for each step`
}

func steps(i int) int {
	if i < 2 {
		return 1
	}
	if memo[i] != 0 {
		return memo[i]
	}
	memo[i] = steps(i-1) + steps(i-2) // want `steps calls itself once for each step`
	return memo[i]
}

func sum(a []int) int {
	if len(a) == 0 {
		return 0
	}
	return a[0] + sum(a[1:]) // want `sum calls itself once for each step`
}

func length(l *list) int {
	if l == nil {
		return 0
	}
	return 1 + length(l.next) // want `length calls itself once for each element of a list`
}

// Not as deep as the input:

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

func power(x, k int) int {
	if k == 0 {
		return 1
	}
	if k%2 == 1 {
		return x * power(x, k-1)
	}
	return power(x*x, k/2)
}

func sort(a []int) {
	if len(a) < 2 {
		return
	}
	sort(a[:len(a)/2])
	sort(a[len(a)/2:])
}

func sudoku(at int) bool {
	if at == 81 {
		return true
	}
	for d := 1; d <= 9; d++ {
		if board[at/9][at%9] == 0 {
			board[at/9][at%9] = d
			if sudoku(at + 1) {
				return true
			}
			board[at/9][at%9] = 0
		}
	}
	return false
}

func place(row int) bool {
	if row == n {
		return true
	}
	for c := range n {
		queen[row] = c
		if place(row + 1) {
			return true
		}
	}
	return false
}

func choose(i, set int) int {
	if i == n {
		return 0
	}
	if memo[set] != 0 {
		return memo[set]
	}
	for b := range n {
		if set>>b&1 == 0 {
			memo[set] = max(memo[set], choose(i+1, set|1<<b))
		}
	}
	return memo[set]
}

func update(i, x int) {
	if i > n {
		return
	}
	tree[i] += x
	update(i+(i&-i), x)
}

func size(t *node) int {
	if t == nil {
		return 0
	}
	return 1 + size(t.left) + size(t.right)
}

func main() {
	fmt.Scan(&n)
	visit(0)
	depth(0, -1)
	fill(0, 0)
	count(0)
	steps(n)
	sum(make([]int, n))
	length(nil)
	gcd(n, 2)
	power(2, n)
	sort(nil)
	sudoku(0)
	place(0)
	choose(0, 0)
	update(1, 1)
	size(nil)
}
