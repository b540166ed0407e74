package stress

import (
	"slices"
	"strconv"
)

// A count is an integer in a document that may be the number of elements of a part of
// it: of lines, of tokens in lines, or of characters in words.
type count struct {
	line, column int // position of the integer
	kind         countKind
	from, to     int // the lines with the elements
	start        int // of tokens: the column of the first element
	stride       int // of lines: lines per element
	bias         int // the integer minus the number of elements: 1 for the edges of a tree
	elements     int
}

type countKind byte

const (
	ofLines countKind = iota
	ofTokens
	ofChars
)

// maxStride is the largest number of lines of one element.
const maxStride = 3

// form identifies counts of the same kind at corresponding positions, for learning.
func (c *count) form(base int) string {
	line := min(c.line-base, 3)
	return string([]byte{"LTC"[c.kind], byte('0' + line), byte('0' + min(c.column, 9)), byte('0' + min(c.from-c.line, 9)),
		byte('0' + c.stride), byte('0' + c.bias)})
}

// counts returns the possible counts among the integers of a line, whose elements are in
// the lines before end.
func (d *document) counts(line, end int) []count {
	var found []count
	for column, token := range d.lines[line] {
		value, ok := integer(token)
		if !ok || value < 0 || value > 1<<30 || column > 9 {
			continue
		}
		at := count{line: line, column: column}
		found = append(found, d.lineCounts(at, int(value), end)...)
		found = append(found, d.tokenCounts(at, int(value), end)...)
	}
	return found
}

// lineCounts returns the possible counts of lines at a position.
func (d *document) lineCounts(at count, value, end int) (found []count) {
	at.kind = ofLines
	for bias := range 2 {
		for stride := 1; stride <= maxStride; stride++ {
			n := value - bias
			if n < 0 || n == 0 && (stride > 1 || bias > 0) {
				continue
			}
			// After the lines that other counts of the same line describe, or at once.
			for _, from := range d.blocks(at.line+1, end) {
				if from+n*stride > end {
					continue
				}
				c := at
				c.from, c.to, c.stride, c.bias, c.elements = from, from+n*stride, stride, bias, n
				if n == 0 || d.alike(c) {
					found = append(found, c)
				}
			}
		}
	}
	return found
}

// blocks returns the lines in which a block of elements may begin: the next line, and the
// first line after each of a few runs of lines with equally many tokens.
func (d *document) blocks(line, end int) []int {
	starts := []int{line}
	for i := line + 1; i < end && len(starts) < 4; i++ {
		if len(d.lines[i]) != len(d.lines[i-1]) {
			starts = append(starts, i)
		}
	}
	return starts
}

// alike reports whether the elements of a count of lines have equally many tokens, or at
// least end where the lines of equal form end.
func (d *document) alike(c count) bool {
	for i := c.from + c.stride; i < c.to; i++ {
		if len(d.lines[i]) != len(d.lines[i-c.stride]) {
			return c.stride == 1 && c.to == d.end()
		}
	}
	return true
}

// tokenCounts returns the possible counts of tokens and characters at a position: in the
// rest of the line, or in each of the next lines that have as many.
func (d *document) tokenCounts(at count, value, end int) (found []count) {
	for bias := range 2 {
		n := value - bias
		if n < 1 {
			continue
		}
		if line := d.lines[at.line]; len(line)-at.column-1 == n {
			c := at
			c.kind, c.from, c.to, c.start, c.bias, c.elements = ofTokens, at.line, at.line+1, at.column+1, bias, n
			found = append(found, c)
		}
		for _, kind := range []countKind{ofTokens, ofChars} {
			size := d.width
			if kind == ofChars {
				size = d.length
			}
			for _, from := range d.blocks(at.line+1, end) {
				to := from
				for to < end && size(to) == n {
					to++
				}
				if to == from || kind == ofTokens && n == 1 && to > from+1 {
					continue
				}
				c := at
				c.kind, c.from, c.to, c.bias, c.elements = kind, from, to, bias, n
				found = append(found, c)
			}
		}
	}
	return found
}

func (d *document) width(line int) int { return len(d.lines[line]) }

// length returns the length of the only token of a line, or of its last token; -1 if that
// is a number of few digits, which has no elements.
func (d *document) length(line int) int {
	last := d.lines[line][len(d.lines[line])-1]
	if isNumber(last) && len(last) < 2 {
		return -1
	}
	return len(last)
}

// keep makes the elements of a count those whose indexes are given, in that order; an
// index may occur several times. It changes the integer, unless it belongs to several
// counts and is changed with another one.
func (d *document) keep(c count, order []int) {
	switch c.kind {
	case ofLines:
		var block [][]string
		for _, e := range order {
			for _, line := range d.lines[c.from+e*c.stride : c.from+(e+1)*c.stride] {
				block = append(block, slices.Clone(line))
			}
		}
		d.lines = slices.Concat(d.lines[:c.from], block, d.lines[c.to:])
	case ofTokens:
		for i := c.from; i < c.to; i++ {
			line := slices.Clone(d.lines[i][:c.start])
			for _, e := range order {
				line = append(line, d.lines[i][c.start+e])
			}
			if len(line) == 0 {
				line = []string{""}
			}
			d.lines[i] = line
		}
	case ofChars:
		for i := c.from; i < c.to; i++ {
			last := &d.lines[i][len(d.lines[i])-1]
			word := make([]byte, 0, len(order))
			for _, e := range order {
				word = append(word, (*last)[e])
			}
			*last = string(word)
		}
	}
	d.lines[c.line][c.column] = strconv.Itoa(len(order) + c.bias)
}

// sections divides lines into sections of the same form: each begins with a line of
// integers from which its length follows. The first line has the number of sections, or
// the last one ends them.
type sections struct {
	counted bool  // the first line is their number
	gap     bool  // an empty line separates them
	starts  []int // the first line of each, and the line after the last one, or after the gap that might follow
}

// bounds returns the lines of a section: from the first to before the last.
func (s *sections) bounds(i int) (from, to int) {
	if s.gap {
		return s.starts[i], s.starts[i+1] - 1
	}
	return s.starts[i], s.starts[i+1]
}

// sections returns the possible divisions of the document.
func (d *document) sections() (found []sections) {
	end := d.end()
	if end < 2 {
		return nil
	}
	number := int64(-1)
	if len(d.lines[0]) == 1 {
		if n, ok := integer(d.lines[0][0]); ok {
			number = n
		}
	}
	found = d.separated(end)
	if n := end - 1; number >= 1 && n%int(number) == 0 && n/int(number) > 3 {
		starts := walk(1, end, func(int) int { return n / int(number) })
		found = append(found, sections{counted: true, starts: starts})
	}
	for fixed := 1; fixed <= 3; fixed++ {
		for column := -1; column < 3; column++ {
			for _, form := range [][2]int{{1, 0}, {1, -1}, {2, 0}, {3, 0}} {
				if column < 0 && form != [2]int{1, 0} {
					continue
				}
				length := func(i int) int {
					if column < 0 {
						return fixed
					}
					if column >= len(d.lines[i]) {
						return -1
					}
					n, ok := integer(d.lines[i][column])
					if !ok || n < 0 || n > int64(end) {
						return -1
					}
					return fixed + form[0]*int(n) + form[1]
				}
				if number >= 1 {
					if starts := walk(1, end, length); int64(len(starts)-1) == number {
						found = append(found, sections{counted: true, starts: starts})
					}
				}
				if column >= 0 && d.isZero(end-1) {
					if starts := walk(0, end-1, length); len(starts) > 1 {
						found = append(found, sections{starts: starts})
					}
				}
			}
		}
	}
	return found
}

// separated returns the division into parts of equal length with an empty line between
// them, if that is the form of the document. The first line may be their number.
func (d *document) separated(end int) []sections {
	isEmpty := func(i int) bool { return len(d.lines[i]) == 1 && d.lines[i][0] == "" }
	gap := slices.IndexFunc(d.lines[:end], func(line []string) bool { return len(line) == 1 && line[0] == "" })
	if gap < 1 {
		return nil
	}
	for _, first := range []int{1, 0} {
		length := gap - first + 1
		starts := []int{first}
		for at := first + length; at <= end+1 && (at == end+1 || isEmpty(at-1)); at += length {
			starts = append(starts, at)
		}
		counted := first == 1 && len(d.lines[0]) == 1 && d.lines[0][0] == strconv.Itoa(len(starts)-1)
		if len(starts) > 2 && starts[len(starts)-1] == end+1 && (counted || first == 0) {
			return []sections{{counted, true, starts}}
		}
	}
	return nil
}

// walk returns the starts of sections from a line to end; nil if they do not end there.
func walk(line, end int, length func(int) int) []int {
	starts := []int{line}
	for line < end {
		n := length(line)
		if n < 1 || line+n > end {
			return nil
		}
		line += n
		starts = append(starts, line)
	}
	return starts
}

// isZero reports whether all tokens of a line are 0.
func (d *document) isZero(line int) bool {
	return !slices.ContainsFunc(d.lines[line], func(token string) bool { return token != "0" })
}

// choose makes the sections those whose indexes are given.
func (d *document) choose(s sections, order []int) {
	var lines [][]string
	for i, e := range order {
		if s.gap && i > 0 {
			lines = append(lines, []string{""})
		}
		from, to := s.bounds(e)
		for _, line := range d.lines[from:to] {
			lines = append(lines, slices.Clone(line))
		}
	}
	last := s.starts[len(s.starts)-1]
	if s.gap {
		last--
	}
	d.lines = slices.Concat(d.lines[:s.starts[0]], lines, d.lines[last:])
	if s.counted {
		d.lines[0][0] = strconv.Itoa(len(order))
	}
}
