package main

import "fmt"

type search struct {
	least int
	taken []bool
	sizes []int
}

func (s *search) take(i int, taken bool) { s.taken[i] = taken }

// cover takes its choices back by a function, and keeps the best of all.
func (s *search) cover(chosen, left int) {
	if chosen >= s.least {
		return
	}
	if left <= 0 {
		s.least = chosen
		return
	}
	for i := range s.sizes {
		if !s.taken[i] {
			s.take(i, true)
			s.cover(chosen+1, left-s.sizes[i])
			s.take(i, false)
		}
	}
}

func main() {
	var n int
	fmt.Scan(&n)
	s := &search{least: n + 1, taken: make([]bool, n), sizes: make([]int, n)}
	s.cover(0, n)
	fmt.Println(s.least)
}
