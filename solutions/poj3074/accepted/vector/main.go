// Sudoku in the lanes of vector registers: 16 puzzles at once, one in each.
//
// Idea: a digit may go to nine places in a box, and a word has one bit for each
// of the nine boxes, so a puzzle is 81 words: digit times place. They lie in 16
// bits of a register, and every operation works on as many puzzles as there
// are lanes. What happens inside of boxes needs no shift at all: cells with one
// digit left are a sum over nine words, digits with one place left another.
// Rows and columns are left to one rule of digits and thirds of lines: of the
// nine thirds that the rows of three boxes have, a digit takes three, no two
// of a row or a box. Thirds that are in none of the six ways to do so lose it.
// That is all of locked candidates, and with it a digit whose place in a box
// is known leaves the rest of the row and column by itself. When a pass over
// the whole grid decides no new cell, the puzzle guesses in a cell with two
// digits. Each lane has a stack of its own and takes the next puzzle when it
// has solved one; when there are none left, it takes grids from the stacks of
// others.
//
// Source: the rule for thirds of lines is what tables of bit-parallel solvers
// since JCZSolve hold; that lanes are puzzles and bits are boxes is ours.
//
// Time: exponential at worst. With AVX2 (pass_amd64.s) a pass of 16 puzzles has
// 3200 instructions. A puzzle with 32 givens takes 5 passes, with 17 givens 14
// passes and 0.6 guesses, the hardest known 375 passes and 67 guesses. A file
// of 2000 takes less than its process needs to start. Elsewhere a lane is 16
// bits of a uint64 (portable.go), which takes five times longer.
// Memory: 164 KB of text and up to 350 KB of stacks.
// Weak: it guesses in the first cell it finds, since a pass costs less than to
// look for a better one; others need fewer guesses (bands.go).
package main

import "syscall"

const (
	cells = 81
	line  = cells + 1 // with its newline

	// at once is how many puzzles are read and written together.
	atOnce = 2000
)

// text holds a piece of the input, and its solutions in the same place.
// A kernel may read a few bytes behind a puzzle.
var text [atOnce*line + 16]byte

func main() {
	use := best()
	for n, more := 0, true; more; {
		n, more = fill(text[:atOnce*line], n)
		whole := 0
		for n-whole >= line && text[whole] != 'e' {
			whole += line
		}
		use.solve(text[:whole])
		write(text[:whole])
		n = copy(text[:], text[whole:n])
	}
}

// The package os would take a tenth of the time that a program needs to start.

// fill reads into p, which holds n bytes, until it is full or the input ends.
func fill(p []byte, n int) (now int, more bool) {
	for n < len(p) {
		k, err := syscall.Read(syscall.Stdin, p[n:])
		if err == syscall.EINTR {
			continue
		}
		if k <= 0 || err != nil {
			return n, false
		}
		n += k
	}
	return n, true
}

// write writes all of p.
func write(p []byte) {
	for len(p) > 0 {
		k, err := syscall.Write(syscall.Stdout, p)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			syscall.Exit(1)
		}
		p = p[k:]
	}
}
