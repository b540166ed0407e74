package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// words reads what is between white space, and knows where it stood. Of a long
// word it keeps the beginning alone, so that no output fills the memory.
type words struct {
	r         *bufio.Reader
	line, col int // of the next byte, from 1
	// Of the word last read:
	text          []byte
	atLine, atCol int
	long          bool
}

// longest is enough for every number of a right answer.
const longest = 20

func newWords(r io.Reader) *words {
	return &words{r: bufio.NewReader(r), line: 1, col: 1}
}

func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// next reads a word; it is false at the end. An error is of the reader.
func (w *words) next() (bool, error) {
	w.text, w.long = w.text[:0], false
	for {
		c, err := w.r.ReadByte()
		if err == io.EOF {
			if len(w.text) == 0 {
				w.atLine, w.atCol = w.line, w.col
			}
			return len(w.text) > 0, nil
		}
		if err != nil {
			return false, err
		}
		if space(c) && len(w.text) > 0 {
			return true, w.r.UnreadByte()
		}
		if !space(c) {
			if len(w.text) == 0 {
				w.atLine, w.atCol = w.line, w.col
			}
			if w.long = w.long || len(w.text) == longest; !w.long {
				w.text = append(w.text, c)
			}
		}
		w.col++
		if c == '\n' {
			w.line, w.col = w.line+1, 1
		}
	}
}

// A defect is what is wrong with a text, in the words of a judge message.
type defect string

func (d defect) Error() string { return string(d) }

// at returns a defect of the word last read, or of the end.
func (w *words) at(format string, args ...any) error {
	return defect(fmt.Sprintf("line %d, column %d: %s", w.atLine, w.atCol, fmt.Sprintf(format, args...)))
}

// number reads a decimal number from least to most.
func (w *words) number(what string, least, most int) (int, error) {
	ok, err := w.next()
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 0, w.at("the end, want %s", what)
	case w.long:
		return 0, w.at("%q..., want %s", w.text, what)
	}
	for _, c := range w.text {
		if c < '0' || '9' < c {
			return 0, w.at("%q, want %s", w.text, what)
		}
	}
	n, err := strconv.Atoi(string(w.text))
	if err != nil || n < least || n > most {
		return 0, w.at("%s, want %s from %d to %d", w.text, what, least, most)
	}
	return n, nil
}

// end checks that nothing follows.
func (w *words) end() error {
	ok, err := w.next()
	if ok {
		return w.at("%q, want the end", w.text)
	}
	return err
}
