package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	n := len(os.Args)
	log.Println("n", n)        // want `log.Println writes`
	fmt.Fprintln(os.Stderr, n) // want `writes to standard error`
	println(n, touch())        // want `println writes`
	fmt.Println(n)
}

func touch() int { return 1 }
