// limits: memory=256M processes=64
// least: process
// want: exit=0 exceeded=none memory<=200M
// Makes garbage in many goroutines, so that the collector and its threads work.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

type node struct {
	left, right *node
	data        [32]byte
}

func tree(depth int) *node {
	if depth == 0 {
		return new(node)
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

func main() {
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 20 {
				tree(11)
			}
		})
	}
	wg.Wait()
	runtime.GC()
	out, err := exec.Command("/bin/echo", "hello").Output()
	if err != nil || string(out) != "hello\n" {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
