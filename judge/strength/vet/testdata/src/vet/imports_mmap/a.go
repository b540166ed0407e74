package main

import (
	"os"
	sys "syscall" // want `a judge forbids import "syscall": programs may only read, write and exit, so syscall.Mmap fails`
)

func main() {
	text, err := sys.Mmap(0, 0, 4096, sys.PROT_READ, sys.MAP_PRIVATE)
	if err != nil {
		sys.Exit(1)
	}
	os.Stdout.Write(text)
}
