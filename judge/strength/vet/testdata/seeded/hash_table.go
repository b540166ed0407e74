package main

import (
	"bufio"
	"fmt"
	"os"
)

const size = 100003

var table [size][]string

func insert(s string) bool {
	h := 0
	for i := 0; i < len(s); i++ {
		h = h*131 + int(s[i])
	}
	slot := h % size // seeded: overflow
	for _, x := range table[slot] {
		if x == s {
			return false
		}
	}
	table[slot] = append(table[slot], s)
	return true
}

func main() {
	sc := bufio.NewScanner(os.Stdin)
	n := 0
	for sc.Scan() {
		if insert(sc.Text()) {
			n++
		}
	}
	fmt.Println(n)
}
