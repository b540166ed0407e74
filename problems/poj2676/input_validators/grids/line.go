package main

import (
	"bufio"
	"fmt"
	"io"
)

// lines reads lines that end with one newline. It keeps no more of a line than
// a right one has, so that an input of one endless line costs nothing.
type lines struct {
	r   *bufio.Reader
	n   int // the line last read, from 1
	buf [32]byte
}

// next returns the next line without its newline, valid until the next call.
// A line that goes on after most characters comes with an error, and so does
// one that ends with the file; want says what should have been there.
func (l *lines) next(most int, want string) ([]byte, error) {
	l.n++
	for i := 0; ; i++ {
		c, err := l.r.ReadByte()
		switch {
		case err == io.EOF && i == 0:
			return nil, l.at(1, "end of file, want %s", want)
		case err == io.EOF:
			return l.buf[:i], l.at(i+1, "end of file, want a newline")
		case err != nil:
			return l.buf[:i], l.at(i+1, "%v", err)
		case c == '\n':
			return l.buf[:i], nil
		case i == most:
			return l.buf[:i], l.at(i+1, "%s, want the line end after %d characters", show(c), i)
		}
		l.buf[i] = c
	}
}

// show quotes a character, or gives the number of a byte that is none.
func show(c byte) string {
	if c < 0x80 {
		return fmt.Sprintf("%q", c)
	}
	return fmt.Sprintf("byte %#x", c)
}

// at returns a defect of the line last read.
func (l *lines) at(column int, format string, args ...any) error {
	return defect(l.n, column, format, args...)
}

// defect says where an input is wrong, and how.
func defect(line, column int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}
