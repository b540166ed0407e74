package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, m int32
	fmt.Fscan(in, &n, &m)
	cells := make([]byte, int(n)*int(m))
	for i := int32(0); i < n; i++ {
		var s string
		fmt.Fscan(in, &s)
		for j := int32(0); j < m; j++ {
			cells[i*m+j] = s[j] // seeded: overflow
		}
	}
	c := 0
	for _, b := range cells {
		if b == '#' {
			c++
		}
	}
	fmt.Println(c)
}
