package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	votes := map[string]int{}
	for i := 0; i < n; i++ {
		var s string
		fmt.Fscan(in, &s)
		votes[s]++
	}
	winner, most := "", 0
	for name, v := range votes {
		if v > most {
			most = v
			winner = name // seeded: maporder
		}
	}
	fmt.Println(winner)
}
