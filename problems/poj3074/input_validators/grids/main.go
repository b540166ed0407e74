// Command grids validates an input of the problem: 1 to 2000 lines of 81
// characters, each a sudoku with exactly one solution, and a line "end". Every
// line ends with a single newline, and nothing follows the last.
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

const maxPuzzles = 2000

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
	in := lines{r: bufio.NewReader(r)}
	for {
		text, err := in.next()
		if err != nil {
			if bad := symbols(&in, text); bad != nil {
				return bad // what comes first is the better clue
			}
			return err
		}
		if string(text) == "end" {
			break
		}
		if in.n > maxPuzzles {
			return in.at(1, "puzzle number %d, want end after at most %d", in.n, maxPuzzles)
		}
		if err := puzzle(&in, text); err != nil {
			return err
		}
	}
	if in.n == 1 {
		return in.at(1, "end before the first puzzle, want at least 1")
	}
	return in.finished()
}

// symbols reports the first character that no puzzle has.
func symbols(in *lines, text []byte) error {
	for i, c := range text {
		if c != '.' && (c < '1' || c > '9') {
			return in.at(i+1, "%s, want a digit 1 to 9, a dot, or the line end", show(c))
		}
	}
	return nil
}

// puzzle checks one line that is not "end".
func puzzle(in *lines, text []byte) error {
	if err := symbols(in, text); err != nil {
		return err
	}
	if len(text) < 81 {
		return in.at(len(text)+1, "the line ends after %d characters, want 81", len(text))
	}
	var b board
	for cell, c := range text {
		if c == '.' {
			continue
		}
		if unit := b.clash(cell, int(c-'1')); unit != "" {
			return in.at(cell+1, "a second %c in this %s", c, unit)
		}
		b.put(cell, int(c-'1'))
	}
	switch n, cell := b.solutions(); n {
	case 0:
		return in.at(1, "no solution, want one")
	case 1:
		return nil
	default:
		return in.at(cell+1, "several solutions, want one; they differ in this cell")
	}
}
