package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

const mod = 1000000007

type solver struct {
	r io.Reader
	w io.Writer
}

func (s *solver) solve() {
	var n int
	fmt.Fscan(s.r, &n)
	grid := make([]string, n)
	for i := 0; i < n; i++ {
		fmt.Fscan(s.r, &grid[i])
	}
	dp := make([][]int, n+1)
	for i := range dp {
		dp[i] = make([]int, n+1)
	}
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			if grid[i-1][j-1] == '*' {
				continue
			}
			if i == 1 && j == 1 {
				dp[i][j] = 1
				continue
			}
			dp[i][j] = (dp[i-1][j] + dp[i][j-1]) % mod
		}
	}
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			fmt.Fprintf(s.w, "%d ", dp[i][j]) // seeded: unbuffered
		}
		fmt.Fprintln(s.w) // seeded: unbuffered
	}
}

func main() {
	s := &solver{r: bufio.NewReader(os.Stdin), w: os.Stdout}
	s.solve()
}
