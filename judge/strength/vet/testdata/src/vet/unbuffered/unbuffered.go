package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
)

var stdout io.Writer = os.Stdout

func print(w io.Writer, x int) {
	fmt.Fprintln(w, x) // want `fmt.Fprintln in a loop writes to os.Stdout`
}

func word() string {
	var s string
	fmt.Fscan(os.Stdin, &s) // want `fmt.Fscan in a loop reads os.Stdin byte by byte`
	return s
}

func once() { fmt.Println("called outside of loops") }

func unused() {
	for {
		fmt.Println("never called")
	}
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var n int
	fmt.Fscan(in, &n)
	for i := 0; i < n; i++ {
		fmt.Println(i)                  // want `fmt.Println in a loop`
		os.Stdout.WriteString("x")      // want `WriteString in a loop`
		fmt.Fprintln(stdout, i)         // want `fmt.Fprintln in a loop`
		io.WriteString(os.Stdout, "x")  // want `io.WriteString in a loop`
		fmt.Fprintln(out, i)            // buffered
		r := bufio.NewScanner(os.Stdin) // want `bufio.NewScanner\(os.Stdin\) in a loop`
		w := bufio.NewReader(strings.NewReader("not the input"))
		_, _ = r, w
		print(os.Stdout, i)
	}
	for {
		out.Flush() // want `Flush in a loop`
		if n--; n < 0 {
			break
		}
		if out.Buffered() > 1000 {
			out.Flush() // when it is full
		}
	}
	for i := range 9 {
		fmt.Println(i) // few
	}
	for i := 0; i < n; i++ {
		if i*i == n {
			fmt.Println(i) // the loop ends
			return
		}
	}
	for n > 0 {
		fmt.Print(n % 10) // one for each digit
		n /= 10
	}
	for range n {
		_ = word()
	}
	once()
}
