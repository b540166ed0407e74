package main

import (
	"bufio"
	"fmt"
	"io"
)

// lines reads lines that end with one newline and are at most longest bytes long,
// so that an input of one endless line costs nothing.
type lines struct {
	r   *bufio.Reader
	n   int // the line last read, from 1
	buf [longest]byte
}

// next returns the next line without its newline, valid until the next call.
// Of a line that is too long it returns the beginning and an error.
func (l *lines) next(want string) ([]byte, error) {
	l.n++
	for i := 0; ; i++ {
		c, err := l.r.ReadByte()
		switch {
		case err == io.EOF && i == 0:
			return nil, l.at(1, "end of file, want %s", want)
		case err == io.EOF:
			return nil, l.at(i+1, "end of file, want a newline")
		case err != nil:
			return nil, l.at(i+1, "%v", err)
		case c == '\n':
			return l.buf[:i], nil
		case i == len(l.buf):
			return l.buf[:], l.at(i+1, "%s, want the line end after at most %d characters", show(c), i)
		}
		l.buf[i] = c
	}
}

// number reads a decimal number that starts at text[from], and returns the
// place behind it.
func (l *lines) number(text []byte, from int, what string, least, most int) (n, end int, err error) {
	for end = from; end < len(text) && '0' <= text[end] && text[end] <= '9'; end++ {
		if n = 10*n + int(text[end]-'0'); n > most {
			return 0, 0, l.at(from+1, "%s is more than %d", what, most)
		}
	}
	switch {
	case end == from && end == len(text):
		return 0, 0, l.at(end+1, "the line ends, want %s from %d to %d", what, least, most)
	case end == from:
		return 0, 0, l.at(end+1, "%s, want %s from %d to %d", show(text[end]), what, least, most)
	case text[from] == '0' && end > from+1:
		return 0, 0, l.at(from+1, "%s begins with 0", what)
	case n < least:
		return 0, 0, l.at(from+1, "%s is %d, want at least %d", what, n, least)
	}
	return n, end, nil
}

// finished reports what follows the line last read, if anything does.
func (l *lines) finished() error {
	c, err := l.r.ReadByte()
	if err == io.EOF {
		return nil
	}
	l.n++
	if err != nil {
		return l.at(1, "%v", err)
	}
	return l.at(1, "%s after the last board, want the end of the file", show(c))
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
	return fmt.Errorf("line %d, column %d: %s", l.n, column, fmt.Sprintf(format, args...))
}
