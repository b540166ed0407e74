package inputs

import (
	"strconv"
	"strings"
)

// A filling is a way to make more elements from existing ones, and to choose those that
// stay if there are fewer.
type filling struct {
	column int  // elements that are added get new values in this column: larger than all others; -1 copies all columns
	all    bool // they get new values in every column
}

// fillings are tried in this order.
var fillings = []filling{{column: -1}, {column: 0}, {column: 1}, {column: -1, all: true}}

func (f filling) fresh(column int) bool { return f.all || f.column == column }

// Limits on inputs that are made.
const (
	maxElements = 1 << 20
	maxTokens   = 1 << 21 // of one list
	maxFresh    = 4       // columns that may get new values
)

// set changes an occurrence to a value, and the list that it counts. It reports false if
// that is not possible.
func (o *occurrence) set(value string, tree []*node, f filling) bool {
	if o.token != nil && o.of.kind != words && !o.of.counts {
		*o.token = value
		return true
	}
	size, err := strconv.Atoi(value)
	if err != nil || size < 0 || size > maxElements {
		return false
	}
	if o.token != nil && o.of.kind == words {
		ok := *o.token != ""
		if ok {
			*o.token = resizeWord(*o.token, size)
		}
		return ok
	}
	old, err := strconv.Atoi(o.value())
	x := listOf(*o, tree)
	n := x.len()
	number := n + size - old
	if err != nil || number < 0 || number > n && (n == 0 || x.tokens() > maxTokens/number*n) {
		return false
	}
	order := make([]int, number)
	for i := range order {
		order[i] = i % n
	}
	if !x.choose(order) {
		return false
	}
	for _, p := range x.parts {
		p.renew(f, n)
	}
	return true
}

// tokens returns the number of tokens in the elements.
func (x *list) tokens() (number int) {
	for _, p := range x.parts {
		if p.node != nil {
			for _, g := range p.node.groups {
				number += g.tokens()
			}
		}
	}
	return number
}

// renew gives new values to elements from the nth on, as a filling says: numbers that are
// larger than all others in their column, or other words.
func (p *part) renew(f filling, n int) {
	next := make([]int64, maxFresh)
	for e := range p.len() {
		for column, t := range p.tokens(e) {
			v, ok := Integer(*t.text)
			switch {
			case column >= maxFresh:
			case e < n || !f.fresh(column) || t.of != nil && t.of.counts:
				if ok {
					next[column] = max(next[column], v)
				}
			case ok:
				next[column]++
				*t.text = strconv.FormatInt(next[column], 10)
			default:
				other := numbered(*t.text, e)
				if t.of != nil && t.of.length != nil {
					other = other[len(other)-len(*t.text):]
				}
				*t.text = other
			}
		}
	}
}

// resizeWord makes a word longer or shorter.
func resizeWord(word string, n int) string {
	if n <= len(word) {
		return word[:n]
	}
	return strings.Repeat(word, n/len(word)+1)[:n]
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// numbered returns another word of the same letters' case, which depends on the number.
func numbered(word string, n int) string {
	if word == "" || strings.Trim(word[:1], letters) != "" {
		return word
	}
	first := byte('a')
	if word[0] <= 'Z' {
		first = 'A'
	}
	b := []byte(word)
	for i := len(b) - 1; n > 0; i-- {
		if i < 0 {
			b = append([]byte{first}, b...)
			i = 0
		}
		b[i] = first + byte(n%26)
		n /= 26
	}
	return string(b)
}
