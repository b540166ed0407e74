package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout) // want `nothing calls Flush`
	fmt.Fprintln(out, 1)
	log := bufio.NewWriter(os.Stderr) // not the output
	fmt.Fprintln(log, 1)
}
