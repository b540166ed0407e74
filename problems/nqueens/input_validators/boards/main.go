// Command boards validates an input of the problem: the number of boards, and
// for each its size and its rows. Every line ends with a single newline, and
// nothing follows the last.
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
	maxBoards      = 20
	maxSize        = 24
	maxCompletions = 20_000
	longest        = maxSize // bytes of a line
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
// that and keeps one board in memory.
func check(r io.Reader) error {
	in := &lines{r: bufio.NewReader(r)}
	boards, err := alone(in, "the number of boards", maxBoards)
	if err != nil {
		return err
	}
	for range boards {
		n, err := alone(in, "the size of a board", maxSize)
		if err != nil {
			return err
		}
		if err := one(in, n); err != nil {
			return err
		}
	}
	return in.finished()
}

// alone reads a line with one number from 1.
func alone(in *lines, what string, most int) (int, error) {
	text, err := in.next(what)
	if text == nil && err != nil {
		return 0, err
	}
	n, end, bad := in.number(text, 0, what, 1, most)
	switch {
	case bad != nil:
		return 0, bad
	case end < len(text):
		return 0, in.at(end+1, "%s after %s, want the line end", show(text[end]), what)
	}
	return n, err
}

// one checks the rows of a board.
func one(in *lines, n int) error {
	begin := in.n
	b := board{n: n}
	for r := range n {
		text, err := in.next(fmt.Sprintf("row %d of %d", r+1, n))
		if text == nil && err != nil {
			return err
		}
		for c, ch := range text {
			switch {
			case c >= n:
				return in.at(c+1, "%s, want the line end after %d characters", show(ch), n)
			case ch == '#':
				b.blocked[r][c] = true
			case ch == 'Q':
				if q, ok := b.attacker(r, c); ok {
					return in.at(c+1, "a queen that is attacked from row %d, column %d", q[0]+1, q[1]+1)
				}
				b.put(r, c)
			case ch != '.':
				return in.at(c+1, "%s, want a dot, Q or #", show(ch))
			}
		}
		if err != nil {
			return err
		}
		if len(text) < n {
			return in.at(len(text)+1, "the line ends after %d characters, want %d", len(text), n)
		}
	}
	if k := b.completions(maxCompletions + 1); k > maxCompletions {
		in.n = begin
		return in.at(1, "a board with more than %d completions", maxCompletions)
	}
	return nil
}
