package main

import (
	"bufio"
	"fmt"
	"io"
)

// A scanner takes an input apart and knows where it is. After a defect it reads
// no further, and every method returns zero. It keeps one number in memory.
type scanner struct {
	r            *bufio.Reader
	line, column int   // of the byte that comes next, from 1
	err          error // the first defect
}

func scan(r io.Reader) *scanner {
	return &scanner{r: bufio.NewReader(r), line: 1, column: 1}
}

// fail notes a defect of the line that is being read.
func (s *scanner) fail(column int, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("line %d, column %d: %s", s.line, column, fmt.Sprintf(format, args...))
	}
}

// peek returns the byte that comes next. There is none at the end and after a defect.
func (s *scanner) peek() (c byte, ok bool) {
	if s.err != nil {
		return 0, false
	}
	b, err := s.r.Peek(1)
	if err != nil {
		if err != io.EOF {
			s.fail(s.column, "%v", err)
		}
		return 0, false
	}
	return b[0], true
}

// skip goes past the byte that peek returned.
func (s *scanner) skip() {
	// Peek has shown that the byte is there.
	_, _ = s.r.Discard(1)
	s.column++
}

// ended says whether nothing more is to be read.
func (s *scanner) ended() bool {
	_, ok := s.peek()
	return !ok
}

// number takes a number from least to most, without sign or leading zeros.
func (s *scanner) number(what string, least, most int) int {
	want := fmt.Sprintf("want %s, %d to %d", what, least, most)
	column, n, digits := s.column, 0, 0
	for {
		c, ok := s.peek()
		if !ok || c < '0' || c > '9' {
			break
		}
		if digits > 0 && n == 0 {
			s.fail(column, "a leading zero, %s", want)
			return 0
		}
		n = 10*n + int(c-'0')
		digits++
		if n > most {
			s.fail(column, "%d%s, %s", n, s.rest(), want)
			return 0
		}
		s.skip()
	}
	switch {
	case digits == 0:
		s.fail(column, "%s, %s", s.here(), want)
	case n < least:
		s.fail(column, "%d, %s", n, want)
	}
	if s.err != nil {
		return 0
	}
	return n
}

// rest tells of the digits after the one that made a number too large.
func (s *scanner) rest() string {
	s.skip()
	if c, ok := s.peek(); ok && c >= '0' && c <= '9' {
		return "..."
	}
	return ""
}

// space takes the single space between two numbers.
func (s *scanner) space() { s.only(' ', "a space") }

// newline takes the end of a line.
func (s *scanner) newline() {
	s.only('\n', "the end of the line")
	if s.err == nil {
		s.line, s.column = s.line+1, 1
	}
}

func (s *scanner) only(want byte, name string) {
	if c, ok := s.peek(); !ok || c != want {
		s.fail(s.column, "%s, want %s", s.here(), name)
		return
	}
	s.skip()
}

// here describes what comes next.
func (s *scanner) here() string {
	c, ok := s.peek()
	switch {
	case !ok:
		return "the end of the file"
	case c == '\n':
		return "the end of the line"
	case c < 0x80:
		return fmt.Sprintf("%q", c)
	}
	return fmt.Sprintf("byte %#x", c)
}
