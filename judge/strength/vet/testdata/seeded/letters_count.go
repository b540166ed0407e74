package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	sc := bufio.NewScanner(os.Stdin)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var tests int
	sc.Scan()
	fmt.Sscan(sc.Text(), &tests)
	freq := map[rune]int{}
	for tc := 1; tc <= tests; tc++ {
		sc.Scan()
		odd := 0
		for _, c := range sc.Text() {
			freq[c]++ // seeded: reset
		}
		for _, v := range freq {
			odd += v & 1
		}
		fmt.Fprintf(w, "Case #%d: %d\n", tc, odd)
	}
}
