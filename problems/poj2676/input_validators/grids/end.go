package main

import "io"

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
	return l.at(1, "%s, want the end of the file", show(c))
}
