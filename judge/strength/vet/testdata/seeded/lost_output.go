package main

import (
	"bufio"
	"fmt"
	"os"
)

var (
	rd = bufio.NewReaderSize(os.Stdin, 1<<20)
	wr = bufio.NewWriterSize(os.Stdout, 1<<20) // seeded: flush
)

func ni() (x int) {
	c, _ := rd.ReadByte()
	for c == ' ' || c == '\n' || c == '\r' {
		c, _ = rd.ReadByte()
	}
	for c >= '0' && c <= '9' {
		x = x*10 + int(c-'0')
		c, _ = rd.ReadByte()
	}
	return
}

func main() {
	n := ni()
	s := 0
	for i := 0; i < n; i++ {
		s += ni()
		fmt.Fprintln(wr, s)
	}
}
