// Command maps validates an input of the problem: the number of maps, 1 to 50,
// and then each map, the line "n m p" and p lines "x1 y1 x2 y2", with at most
// 5000 rectangles in all. Single spaces are between numbers, every line ends with
// a single newline, and nothing follows the last.
//
// It reads standard input, exits 42 if all that holds, and else 43 with the line
// and column of the first defect on standard error (problem package format
// 2025-09, "Input validators").
package main

import (
	"fmt"
	"io"
	"os"
)

const (
	maxMaps  = 50
	maxSide  = 30
	maxRects = 500
	maxAll   = 5000 // rectangles of all maps together
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "arguments %q: want none\n", os.Args[1:])
		os.Exit(1)
	}
	if err := check(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(43)
	}
	os.Exit(42)
}

// check returns the first defect of an input, or nil.
func check(r io.Reader) error {
	in := scan(r)
	maps := in.number("the number of maps", 1, maxMaps)
	in.newline()
	rects := 0
	for range maps {
		n := in.number("the width", 1, maxSide)
		in.space()
		m := in.number("the height", 1, maxSide)
		in.space()
		p := in.number("the number of rectangles", 1, maxRects)
		if rects += p; rects > maxAll {
			in.fail(1, "%d rectangles so far, want at most %d on all maps", rects, maxAll)
		}
		in.newline()
		for range p {
			rectangle(in, n, m)
		}
	}
	if in.err == nil && !in.ended() {
		in.fail(1, "%s, want the end of the file after the last map", in.here())
	}
	return in.err
}

// rectangle takes a line with the corners of a rectangle that is not empty.
func rectangle(in *scanner, n, m int) {
	x1 := in.number("x1", 0, n-1)
	in.space()
	y1 := in.number("y1", 0, m-1)
	in.space()
	in.number("x2", x1+1, n)
	in.space()
	in.number("y2", y1+1, m)
	in.newline()
}
