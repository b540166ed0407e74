package main

import (
	"bufio"
	"fmt"
	"os"
)

var out = bufio.NewWriter(os.Stdout)

func main() {
	for i := range 1000 {
		fmt.Fprint(out, i, " ")
	}
	out.Flush()
	fmt.Fprintln(out) // want `no Flush comes after the last output here, so that output is lost; defer Flush in main`
}
