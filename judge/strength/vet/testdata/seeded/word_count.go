package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	sc := bufio.NewScanner(os.Stdin)
	sc.Split(bufio.ScanWords)
	m := make(map[string]int)
	for sc.Scan() {
		m[sc.Text()]++
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for w, c := range m {
		fmt.Fprintf(out, "%s %d\n", w, c) // seeded: maporder
	}
}
