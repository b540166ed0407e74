package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var rows, cols int
	fmt.Fscan(in, &rows, &cols)
	used := make([]bool, rows*cols)
	var k int
	fmt.Fscan(in, &k)
	for ; k > 0; k-- {
		var r, c int
		fmt.Fscan(in, &r, &c)
		id := uint8(r)*uint8(cols) + uint8(c) // seeded: overflow
		used[id] = true
	}
	free := 0
	for _, u := range used {
		if !u {
			free++
		}
	}
	fmt.Println(free)
}
