package main

import "fmt"

// A grid is a sudoku row by row: 0 for a blank, else its digit.
type grid [81]byte

// parse reads 81 characters, a dot for a blank.
func parse(s string) (grid, error) {
	var g grid
	if len(s) != 81 {
		return g, fmt.Errorf("grid %q: %d characters, want 81", s, len(s))
	}
	for i := range g {
		switch c := s[i]; {
		case c == '.':
		case '1' <= c && c <= '9':
			g[i] = c - '0'
		default:
			return g, fmt.Errorf("grid %q: character %d is %q, want 1 to 9 or a dot", s, i+1, c)
		}
	}
	return g, nil
}

func (g grid) String() string {
	var b [81]byte
	for i, d := range g {
		b[i] = '0' + d
		if d == 0 {
			b[i] = '.'
		}
	}
	return string(b[:])
}

// givens counts the cells that are not blank.
func (g grid) givens() int {
	n := 0
	for _, d := range g {
		if d != 0 {
			n++
		}
	}
	return n
}
