// Command format accepts exactly the inputs that the statement allows: the number
// of pairs, then for each pair nine lines of the completed grid and nine of the
// incomplete one, and a blank line between pairs.
// It reads standard input and exits with 42 for a valid input, and with 43 and
// the line and column of the first defect for any other.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
)

const (
	maxPairs = 20
	// maxBytes is more than the longest valid input; what is longer is read no further.
	maxBytes = 1 << 16
)

// The exit statuses of the problem package format.
const (
	valid   = 42
	invalid = 43
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "unknown argument %q: want none\n", os.Args[1])
		os.Exit(2)
	}
	text, err := io.ReadAll(io.LimitReader(os.Stdin, maxBytes))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := check(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(invalid)
	}
	os.Exit(valid)
}

// A defect is what is wrong at one byte of the input. Line and column count
// from 1, the column in bytes.
type defect struct {
	line, column int
	what         string
}

func (d *defect) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", d.line, d.column, d.what)
}

// check returns the first defect of the input, or nil.
func check(text []byte) error {
	in := &lines{rest: text}
	pairs, err := in.count()
	if err != nil {
		return err
	}
	for i := range pairs {
		if i > 0 {
			if err := in.blank(); err != nil {
				return err
			}
		}
		if err := in.grid('1'); err != nil {
			return err
		}
		if err := in.grid('0'); err != nil {
			return err
		}
	}
	if len(in.rest) > 0 {
		return &defect{in.number + 1, 1, fmt.Sprintf("more input after %d pairs: want the end", pairs)}
	}
	return nil
}

// quote shows a byte of the input; one beyond ASCII is part of a character, or none.
func quote(b byte) string {
	if b < 0x80 {
		return fmt.Sprintf("%q", b)
	}
	return fmt.Sprintf("byte 0x%02x", b)
}

// lines takes an input apart; number is that of the last line taken.
type lines struct {
	rest   []byte
	number int
}

// next takes the next line, without its newline; nil at the end of the input. A
// line without a newline comes with an error, but what is wrong with the line
// itself is the better clue.
func (l *lines) next(want string) ([]byte, error) {
	l.number++
	if len(l.rest) == 0 {
		return nil, &defect{l.number, 1, "end of input: want " + want}
	}
	line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
	if !ended {
		return line, &defect{l.number, len(line) + 1, "end of input: want a newline"}
	}
	l.rest = rest
	return line, nil
}

// count takes the line with the number of pairs.
func (l *lines) count() (int, error) {
	want := fmt.Sprintf("a number from 1 to %d", maxPairs)
	line, err := l.next(want)
	for i, b := range line {
		if b < '0' || b > '9' {
			return 0, &defect{l.number, i + 1, quote(b) + ": want " + want + " and nothing else"}
		}
	}
	n, bad := strconv.Atoi(string(line))
	if line != nil && (bad != nil || n < 1 || n > maxPairs || line[0] == '0') {
		return 0, &defect{l.number, 1, fmt.Sprintf("%.20q: want %s without leading zeros", line, want)}
	}
	return n, err
}

// blank takes the line between two pairs.
func (l *lines) blank() error {
	const want = "a blank line between pairs"
	line, err := l.next(want)
	if len(line) > 0 {
		return &defect{l.number, 1, quote(line[0]) + ": want " + want}
	}
	return err
}

// grid takes nine rows of nine digits from least to 9. Digits that stand twice
// in a row, a column or a block are reported once all rows are read.
func (l *lines) grid(least byte) error {
	var grid [81]byte
	top := l.number + 1
	for r := range 9 {
		row, err := l.row(least)
		if err != nil {
			return err
		}
		copy(grid[9*r:], row)
	}
	return conflict(grid, top)
}

// row takes a line of nine digits from least to 9.
func (l *lines) row(least byte) ([]byte, error) {
	want := fmt.Sprintf("9 digits from %c to 9", least)
	line, err := l.next(want)
	for i, b := range line {
		if i == 9 {
			return nil, &defect{l.number, 10, quote(b) + ": want a newline after 9 digits"}
		}
		if b < least || b > '9' {
			return nil, &defect{l.number, i + 1, quote(b) + ": want " + want}
		}
	}
	if err != nil {
		return nil, err
	}
	if len(line) < 9 {
		return nil, &defect{l.number, len(line) + 1, fmt.Sprintf("end of line after %d digits: want %s", len(line), want)}
	}
	return line, nil
}

// conflict returns the first cell of a grid whose digit stands before it in the
// same row, column or block. The grid's first row is line top of the input.
func conflict(grid [81]byte, top int) error {
	const blank = '0'
	for i, d := range grid {
		if d == blank {
			continue
		}
		for j := range i {
			if grid[j] != d {
				continue
			}
			var where string
			switch {
			case i/9 == j/9:
				where = "row"
			case i%9 == j%9:
				where = "column"
			case i/27 == j/27 && i%9/3 == j%9/3:
				where = "block"
			default:
				continue
			}
			return &defect{top + i/9, i%9 + 1, fmt.Sprintf("second %c in a %s, the first is in line %d, column %d: want digits that differ", d, where, top+j/9, j%9+1)}
		}
	}
	return nil
}
