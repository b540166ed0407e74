package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	start := time.Now()
	defer func() {
		fmt.Fprintf(os.Stderr, "elapsed %v\n", time.Since(start)) // seeded: debug
	}()
	sc := bufio.NewScanner(os.Stdin)
	lines := 0
	for sc.Scan() {
		lines++
	}
	fmt.Println(lines)
}
