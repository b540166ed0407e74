package main

import (
	"bufio"
	"fmt"
	"os"
)

func newWriter() *bufio.Writer {
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush() // want `this Flush runs when its function returns the bufio.Writer, before anything is written; defer Flush in main`
	return w
}

func main() {
	out := newWriter()
	for i := range 1000 {
		fmt.Fprintln(out, i)
	}
}
