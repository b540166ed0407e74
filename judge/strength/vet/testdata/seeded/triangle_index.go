package main

import (
	"bufio"
	"fmt"
	"os"
)

type tri struct {
	d []int64
}

func (t *tri) at(i, j int32) *int64 {
	return &t.d[i*(i+1)/2+j] // seeded: overflow
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int32
	fmt.Fscan(in, &n)
	t := &tri{make([]int64, int64(n)*int64(n+1)/2)}
	for i := int32(0); i < n; i++ {
		for j := int32(0); j <= i; j++ {
			fmt.Fscan(in, t.at(i, j))
		}
	}
	for i := n - 2; i >= 0; i-- {
		for j := int32(0); j <= i; j++ {
			*t.at(i, j) += max(*t.at(i+1, j), *t.at(i+1, j+1))
		}
	}
	fmt.Println(*t.at(0, 0))
}
