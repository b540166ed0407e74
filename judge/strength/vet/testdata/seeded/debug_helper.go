package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
)

const verbose = true

func debug(args ...interface{}) {
	if verbose {
		log.Println(args...) // seeded: debug
	}
}

type edge struct{ u, v, w int }

func main() {
	in := bufio.NewReader(os.Stdin)
	var n int
	fmt.Fscan(in, &n)
	es := make([]edge, n)
	for i := range es {
		fmt.Fscan(in, &es[i].u, &es[i].v, &es[i].w)
		debug("edge", i, es[i])
	}
	fmt.Printf("%+v\n", es) // seeded: debug
	sum := 0
	for _, e := range es {
		sum += e.w
	}
	fmt.Println("DEBUG: done") // seeded: debug
	fmt.Println(sum)
}
