package main

import (
	"fmt"
	"os"
)

// There is no fix: os.Exit would lose the buffer.
func main() {
	for i := range 1000 {
		fmt.Println(i) // want `fmt.Println in a loop`
	}
	os.Exit(0)
}
