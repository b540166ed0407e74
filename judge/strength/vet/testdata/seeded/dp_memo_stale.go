package main

import (
	"bufio"
	"fmt"
	"os"
)

var w, v []int
var memo = make(map[[2]int]int)

func knap(i, c int) int {
	if i == len(w) {
		return 0
	}
	key := [2]int{i, c}
	if r, ok := memo[key]; ok {
		return r
	}
	r := knap(i+1, c)
	if w[i] <= c {
		if t := v[i] + knap(i+1, c-w[i]); t > r {
			r = t
		}
	}
	memo[key] = r
	return r
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var t int
	fmt.Fscan(in, &t)
	res := []int{}
	for ; t > 0; t-- {
		var n, c int
		fmt.Fscan(in, &n, &c)
		w = make([]int, n)
		v = make([]int, n)
		for i := range w {
			fmt.Fscan(in, &w[i], &v[i])
		}
		res = append(res, knap(0, c))
	}
	for _, x := range res {
		fmt.Println(x) // seeded: unbuffered
	}
}
