package check

import "bytes"

// counts describes a prefix of a text.
type counts struct {
	length    int  // bytes
	lines     int  // number of line ends
	lineStart int  // offset of the start of the last line
	tokens    int  // number of tokens that start in the prefix
	inside    bool // the last byte belongs to a token
}

// add extends the prefix by b.
func (c *counts) add(text []byte) {
	if len(text) == 0 {
		return
	}
	c.tokens += tokenStarts(text, c.inside)
	c.inside = !space[text[len(text)-1]]
	if k := bytes.LastIndexByte(text, '\n'); k >= 0 {
		c.lines += bytes.Count(text, []byte{'\n'})
		c.lineStart = c.length + k + 1
	}
	c.length += len(text)
}

// place returns the line and column, from 1, of the next byte.
func (c *counts) place() (line, column int) {
	return c.lines + 1, c.length - c.lineStart + 1
}
