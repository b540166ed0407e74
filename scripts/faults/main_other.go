//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "faults: stops processes and cuts networks as Linux does: expected Linux")
	os.Exit(2)
}
