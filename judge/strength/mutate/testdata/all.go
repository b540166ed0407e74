package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"sort"
)

const maxN = 1000

var memo [maxN]int

// a < b
func fib(n int) int {
	if memo[n] != 0 {
		return memo[n]
	}
	if n < 2 {
		return n
	}
	memo[n] = (fib(n-1) + fib(n-2)) % 1000000007
	return memo[n]
}

func unused(a int) int { return a - 1 }

func less(a, b int) bool { return a < b }

func abs(x int) int {
	if x < 0 {
		x = -x
	}
	return x
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, m int
	fmt.Fscan(in, &n, &m)
	best := math.MaxInt
	list := []int{}
	for i := 0; i < n; i++ {
		var x int
		fmt.Fscan(in, &x)
		count := 0
		if x < 0 || x >= m {
			continue
		}
		if x < best {
			best = x
		} else {
			count++
		}
		for {
			count++
			if count > 5 {
				break
			}
		}
		list = append(list, count)
	}
	var grid [3][3]int
	for i := range 3 {
		for j := range 3 {
			grid[i][j] = abs(i - j)
		}
	}
	sort.Slice(list, func(a, b int) bool { return less(list[a], list[b]) })
	if n > 1 && m > 1 {
		best = min(best, int(int64(n)*int64(m)))
	}
	fmt.Println("a < b"+"c", (n+m-1)/m, best, fib(n), grid)
	os.Exit(0)
	best--
}
