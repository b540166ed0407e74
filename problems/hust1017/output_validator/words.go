package main

import (
	"bufio"
	"fmt"
	"io"
)

// A place is in a file, counted from 1.
type place struct{ line, column int }

// wrong is what an output has where it should have something else.
type wrong struct {
	place
	what string
}

func (w *wrong) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", w.line, w.column, w.what)
}

// maxWord is how much of a word is kept. It is longer than any that is right, so
// that a longer word is wrong by what is kept of it.
const maxWord = 16

// words takes a text apart at white space, one word at a time. However long the
// text or a word is, it keeps no more than maxWord bytes.
type words struct {
	r    *bufio.Reader
	next place  // of the byte that the reader has next
	at   place  // of the word
	word []byte // "" at the end; cut off after maxWord
	cut  bool
	err  error // why the text could not be read further
}

func newWords(r io.Reader) *words {
	w := &words{r: bufio.NewReader(r), next: place{1, 1}}
	w.advance()
	return w
}

func (w *words) ended() bool  { return len(w.word) == 0 }
func (w *words) place() place { return w.at }

// advance goes to the next word.
func (w *words) advance() {
	w.word, w.cut = w.word[:0], false
	for {
		c, err := w.r.ReadByte()
		if err != nil {
			if err != io.EOF {
				w.err = err
			}
			if len(w.word) == 0 {
				w.at = w.next
			}
			return
		}
		space := c == ' ' || '\t' <= c && c <= '\r'
		if !space && len(w.word) == 0 {
			w.at = w.next
		}
		w.next.column++
		if c == '\n' {
			w.next = place{w.next.line + 1, 1}
		}
		switch {
		case space && len(w.word) > 0:
			return
		case space:
		case len(w.word) < maxWord:
			w.word = append(w.word, c)
		default:
			w.cut = true
		}
	}
}

// show quotes the word, which may hold anything.
func (w *words) show() string {
	switch {
	case w.ended():
		return "the end"
	case w.cut:
		return fmt.Sprintf("%q...", w.word)
	}
	return fmt.Sprintf("%q", w.word)
}

// number takes a number from 1 to most, without sign or leading zeros.
func (w *words) number(what string, most int) (int, error) {
	if w.err != nil {
		return 0, w.err // the word may be cut off
	}
	n := 0
	for i, c := range w.word {
		if c < '0' || c > '9' || i == 0 && c == '0' {
			n = 0
			break
		}
		n = min(10*n+int(c-'0'), most+1)
	}
	if n == 0 || n > most {
		return 0, &wrong{w.at, fmt.Sprintf("%s, want %s, 1 to %d", w.show(), what, most)}
	}
	w.advance()
	return n, w.err
}
