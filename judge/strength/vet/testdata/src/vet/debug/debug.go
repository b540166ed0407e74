package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
)

const debug = false
const verbose = true

func trace(args ...any) {
	if debug {
		fmt.Fprintln(os.Stderr, args...)
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	if _, err := fmt.Fscan(in, &n); err != nil {
		fmt.Fprintln(os.Stderr, err) // an error
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, n) // want `writes to standard error`
	println(n)                 // want `println writes to standard error`
	log.Println("n", n)        // want `log.Println writes to standard error`
	if verbose {
		log.Print(n) // want `log.Print writes to standard error`
	}
	trace(n)
	fmt.Printf("%+v\n", n)                    // want `uses the verb %\+v`
	fmt.Printf("%T\n", n)                     // want `uses the verb %T`
	fmt.Println("n =", n)                     // want `prints the name of the variable n`
	fmt.Printf("n: %d\n", n)                  // want `prints the name of the variable n`
	fmt.Println("DEBUG", n)                   // want `prints the text "DEBUG"`
	fmt.Printf("[debug] "+os.Args[0]+"\n", n) // want `prints the text "debug"`
	fmt.Println("here")                       // want `prints the text "here"`
	fmt.Printf("Case #%d: %d\n", n, n)
	fmt.Println("There are", n)
	fmt.Println("YES")
}
