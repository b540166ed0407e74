package main

import (
	"bufio"
	"fmt"
	"io"
)

// words reads what stands between white space, which may be of any kind and
// length. Of each word it keeps one character more than a row has, so that a
// hostile output costs time but no memory.
type words struct {
	r            *bufio.Reader
	line, column int // of the byte to be read next, from 1
}

func newWords(r io.Reader) *words { return &words{r: bufio.NewReader(r), line: 1, column: 1} }

// A word knows where it began.
type word struct {
	text         string // at most most+1 bytes of it
	line, column int
}

// most is how many characters a right word has at most.
const most = 9

// next returns the next word. At the end of the file the text is empty.
func (w *words) next() (word, error) {
	var text [most + 1]byte
	found := word{line: w.line, column: w.column}
	n := 0
	for {
		c, err := w.r.ReadByte()
		switch {
		case err == io.EOF:
			found.text = string(text[:n])
			return found, nil
		case err != nil:
			return found, err
		case c == ' ' || '\t' <= c && c <= '\r':
			if n > 0 {
				found.text = string(text[:n])
				// The end of the line belongs to the next word.
				return found, w.r.UnreadByte()
			}
			w.column++
			if c == '\n' {
				w.line++
				w.column = 1
			}
			found.line, found.column = w.line, w.column
			continue
		}
		w.column++
		if n < len(text) {
			text[n] = c
			n++
		}
	}
}

// at returns a defect of a word, columns to the right of where it begins.
func (w word) at(columns int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: %s", w.line, w.column+columns, fmt.Sprintf(format, args...))
}

// show quotes a character, or gives the number of a byte that is none.
func show(c byte) string {
	if c < 0x80 {
		return fmt.Sprintf("%q", c)
	}
	return fmt.Sprintf("byte %#x", c)
}
