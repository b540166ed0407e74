package check

import "bytes"

// counts are of the beginning of a text.
type counts struct {
	length    int // bytes
	lines     int // line ends
	lineStart int // where the last line starts
	tokens    int // tokens that start there
	inside    bool
}

// add counts what comes next.
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

// place is the line and column, from 1, of the byte that comes next.
func (c *counts) place() (line, column int) {
	return c.lines + 1, c.length - c.lineStart + 1
}
