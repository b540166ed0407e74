package main

import "fmt"

var seed, state int32 = 1, 1

// pick returns a random index.
func pick(n int) int {
	seed = seed*1664525 + 1013904223
	return int(seed) % n // want `seed may overflow and be negative`
}

func pickUnsigned(n int) int {
	state = state*1664525 + 1013904223
	return int(uint32(state)) % n
}

type place struct{ row, column int32 }

func (p place) number() int64 {
	before := p.row * (p.row + 1) / 2 // want `the result may overflow int32 before it is converted`
	return int64(before + p.column)
}

func (p place) sum() int64 {
	both := p.row + p.column
	return int64(both) * int64(p.row)
}

func main() {
	var n int
	fmt.Scan(&n)
	values := make([]int, n)
	for range n {
		values[pick(n)]++
		values[pickUnsigned(n)]++
	}
	var p place
	fmt.Scan(&p.row, &p.column)
	fmt.Println(values, p.number(), p.sum())
}
