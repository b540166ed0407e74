package main

import (
	"bufio"
	"fmt"
	"os"
)

func ask(in *bufio.Reader, i int) (answer string) {
	fmt.Println("?", i)
	fmt.Fscan(in, &answer)
	return answer
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	low, high := 1, 1_000_000
	for low < high {
		middle := (low + high) / 2
		if ask(in, middle) == "<" {
			high = middle
		} else {
			low = middle + 1
		}
	}
	for {
		fmt.Fprintln(out, low)
		out.Flush()
		var more bool
		if fmt.Fscan(in, &more); !more {
			break
		}
	}
}
