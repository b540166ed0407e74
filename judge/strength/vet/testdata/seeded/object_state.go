package main

import (
	"bufio"
	"fmt"
	"os"
)

type Counter struct {
	seen  map[int]bool
	total int
}

func (c *Counter) feed(x int) {
	if !c.seen[x] {
		c.seen[x] = true // seeded: reset
		c.total++        // seeded: reset
	}
}

func main() {
	r := bufio.NewReader(os.Stdin)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var cases int
	fmt.Fscan(r, &cases)
	c := &Counter{seen: map[int]bool{}}
	for i := 0; i < cases; i++ {
		var n int
		fmt.Fscan(r, &n)
		for j := 0; j < n; j++ {
			var x int
			fmt.Fscan(r, &x)
			c.feed(x)
		}
		fmt.Fprintln(w, c.total)
	}
}
