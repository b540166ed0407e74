package main

import (
	"bufio"
	"os"
)

var out = bufio.NewWriter(os.Stdout) // want `nothing calls Flush`

func main() {
	out.WriteString("1\n")
}
