// Command boards validates an input of the problem: the number of boards, and
// for each its height and width and its rows. Every line ends with a single
// newline, and nothing follows the last.
//
// It reads standard input, exits 42 if all that holds, and else 43 with the line
// and column of the first defect on standard error (problem package format
// 2025-09, "Input validators").
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

const (
	maxBoards = 20
	maxSide   = 20
	maxFree   = 60
	longest   = maxSide // bytes of a line
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

// check returns the first defect of an input, or nil. It reads no further than
// that and keeps one line in memory.
func check(r io.Reader) error {
	in := &lines{r: bufio.NewReader(r)}
	var boards [1]int
	if err := numbers(in, boards[:], []string{"the number of boards"}, maxBoards); err != nil {
		return err
	}
	for range boards[0] {
		var side [2]int
		if err := numbers(in, side[:], []string{"the height of a board", "its width"}, maxSide); err != nil {
			return err
		}
		if err := board(in, side[0], side[1]); err != nil {
			return err
		}
	}
	return in.finished()
}

// numbers reads a line with numbers from 1, a single space between them.
func numbers(in *lines, n []int, what []string, most int) error {
	text, err := in.next(what[0])
	if text == nil && err != nil {
		return err
	}
	end := 0
	for i := range n {
		if i > 0 {
			if end == len(text) {
				return in.at(end+1, "the line ends, want a space and %s", what[i])
			}
			if text[end] != ' ' {
				return in.at(end+1, "%s after %s, want a space", show(text[end]), what[i-1])
			}
			end++
		}
		var bad error
		if n[i], end, bad = in.number(text, end, what[i], 1, most); bad != nil {
			return bad
		}
	}
	if end < len(text) {
		return in.at(end+1, "%s after %s, want the line end", show(text[end]), what[len(n)-1])
	}
	return err
}

// board checks the rows of a board.
func board(in *lines, height, width int) error {
	begin, free := in.n, 0
	for r := range height {
		text, err := in.next(fmt.Sprintf("row %d of %d", r+1, height))
		if text == nil && err != nil {
			return err
		}
		for c, ch := range text {
			switch {
			case c >= width:
				return in.at(c+1, "%s, want the line end after %d characters", show(ch), width)
			case ch != '.' && ch != '#':
				return in.at(c+1, "%s, want a dot or #", show(ch))
			case ch == '.':
				if free++; free > maxFree {
					return in.at(c+1, "free square number %d of the board, want at most %d", free, maxFree)
				}
			}
		}
		if err != nil {
			return err
		}
		if len(text) < width {
			return in.at(len(text)+1, "the line ends after %d characters, want %d", len(text), width)
		}
	}
	if free == 0 {
		in.n = begin
		return in.at(1, "a board without a free square, want at least 1")
	}
	return nil
}
