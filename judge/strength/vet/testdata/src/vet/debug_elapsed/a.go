package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"time"
)

func main() {
	start := time.Now()
	rng := rand.New(rand.NewSource(start.UnixNano()))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	best := 0
	for time.Since(start) < 1500*time.Millisecond {
		best = max(best, rng.Intn(1000))
	}
	fmt.Fprintln(out, best, rng.Intn(2))
	fmt.Fprintln(out, "took", time.Since(start)) // want `prints the time that has elapsed`
	spent := time.Now().Sub(start)
	fmt.Fprintf(out, "%.2f\n", spent.Seconds()) // want `prints the time that has elapsed`
	milliseconds := spent.Milliseconds()
	fmt.Fprintln(out, milliseconds) // want `prints the time that has elapsed`

	// Dates of the input are no clock.
	from, _ := time.Parse("2006-01-02", "2026-01-01")
	to, _ := time.Parse("2006-01-02", "2026-11-23")
	fmt.Fprintln(out, int(to.Sub(from).Hours())/24)
}
