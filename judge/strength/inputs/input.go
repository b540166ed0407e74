package inputs

import (
	"slices"
	"strconv"
	"strings"
)

// An input is what an input of a case consists of: lines of tokens.
type input struct {
	lines   []line
	trailer []string // the tokens of a last line that is the same in all inputs; nil if there is none
	exact   bool     // format restores the file, so that changes of it may be valid
}

// A line has tokens with single spaces between them.
type line struct {
	tokens []string
	gap    bool // an empty line stands before it, and is not one of the lines
}

// parseInput splits an input into lines of tokens. If gaps is set, empty lines only
// separate others.
func parseInput(data []byte, gaps bool) *input {
	text := string(data)
	n := &input{}
	gap := false
	for text := range strings.Lines(text) {
		l := line{strings.Fields(text), gap}
		if gap = gaps && len(l.tokens) == 0 && !gap; !gap {
			n.lines = append(n.lines, l)
		}
	}
	n.exact = string(n.format()) == text
	return n
}

// format returns the input as a file.
func (n *input) format() []byte {
	var b []byte
	for _, l := range n.lines {
		if l.gap {
			b = append(b, '\n')
		}
		b = append(b, strings.Join(l.tokens, " ")...)
		b = append(b, '\n')
	}
	if n.trailer != nil {
		b = append(b, strings.Join(n.trailer, " ")...)
		b = append(b, '\n')
	}
	return b
}

// endsAlike separates the last line of all inputs if it is the same in each and has no
// data: a word, or zeros.
func endsAlike(all []*input) {
	var last []string
	for _, n := range all {
		if len(n.lines) < 2 || last != nil && !slices.Equal(last, n.lines[len(n.lines)-1].tokens) {
			return
		}
		last = n.lines[len(n.lines)-1].tokens
	}
	for _, token := range last {
		if v, ok := Integer(token); ok && v != 0 {
			return
		}
	}
	if len(all) < 3 || len(last) == 0 { // two may end alike by chance
		return
	}
	for _, n := range all {
		body := n.lines[:len(n.lines)-1]
		if slices.ContainsFunc(body, func(l line) bool { return slices.Equal(l.tokens, last) }) {
			return
		}
	}
	for _, n := range all {
		n.lines, n.trailer = n.lines[:len(n.lines)-1], last
	}
}

// Integer returns the value of an integer in its usual form.
func Integer(token string) (int64, bool) {
	n, err := strconv.ParseInt(token, 10, 64)
	return n, err == nil && (token[0] != '0' || len(token) == 1) && token[0] != '+'
}

// kindOf returns the kind of tokens: strings unless all are numbers in the usual form.
func kindOf(tokens []string) kind {
	k := integers
	for _, t := range tokens {
		if _, ok := Integer(t); ok {
			continue
		}
		if !IsNumber(t) {
			return words
		}
		k = decimals
	}
	return k
}

// IsNumber reports whether a token is a number, with digits on both sides of a point, or
// an integer of any size.
func IsNumber(token string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(token, "-"), ".")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return digits(whole) && (len(whole) == 1 || whole[0] != '0') && (!point || digits(fraction))
}
