package inputs

import (
	"slices"
	"strconv"
	"strings"
)

// A node is a block of an input.
type node struct {
	block  *block
	groups []group
}

// A group is one of the equal parts of a block.
type group struct {
	rows  []line  // if the block has rows
	parts []*node // if it has parts
}

// An env has the values of the fields that other parts depend on.
type env map[*field]int64

// parse returns the tree of lines. It reports false if they do not have the form.
func (f form) parse(lines []line, e env) ([]*node, bool) {
	nodes, rest, ok := f.read(lines, e)
	return nodes, ok && len(rest) == 0
}

func (f form) read(lines []line, e env) (nodes []*node, rest []line, ok bool) {
	for _, b := range f {
		n := &node{block: b}
		number := int64(-1) // to the end
		switch {
		case b.fixed > 0:
			number = int64(b.fixed)
		case b.count != nil:
			if number = b.count.value(e[b.count.of]) / int64(len(b.rows)+min(1, len(b.parts))); number < 0 ||
				number > int64(len(lines)) {
				return nil, nil, false
			}
			if b.parts == nil && b.count.value(e[b.count.of])%int64(len(b.rows)) != 0 {
				return nil, nil, false
			}
		}
		for int64(len(n.groups)) != number && (number >= 0 || len(lines) > 0) {
			var g group
			if b.parts != nil {
				if g.parts, lines, ok = b.parts.read(lines, e); !ok {
					return nil, nil, false
				}
			} else {
				if len(lines) < len(b.rows) {
					return nil, nil, false
				}
				g.rows, lines = lines[:len(b.rows):len(b.rows)], lines[len(b.rows):]
				for i, r := range b.rows {
					if !r.describes(g.rows[i].tokens, e) {
						return nil, nil, false
					}
				}
			}
			n.groups = append(n.groups, g)
		}
		nodes = append(nodes, n)
	}
	return nodes, lines, true
}

// describes reports whether a line has the structure, and stores its integers.
func (r *row) describes(tokens []string, e env) bool {
	if len(tokens) < len(r.columns) || r.tail == nil && len(tokens) > len(r.columns) {
		return false
	}
	for i, c := range r.columns {
		if !c.kind.includes(tokens[i]) {
			return false
		}
		if c.kind == integers && c.counts {
			e[c], _ = Integer(tokens[i])
		}
		if c.length != nil && int64(len(tokens[i])) != c.length.value(e[c.length.of]) {
			return false
		}
	}
	rest := tokens[len(r.columns):]
	if r.count != nil && int64(len(rest)) != r.count.value(e[r.count.of]) {
		return false
	}
	return r.tail == nil || every(rest, func(i int) bool { return r.tail.kind.includes(rest[i]) })
}

// includes reports whether a token is of a kind.
func (k kind) includes(token string) bool {
	switch k {
	case integers:
		_, ok := Integer(token)
		return ok
	case decimals:
		return IsNumber(token)
	}
	return true
}

// lines is the inverse of parse.
func flatten(nodes []*node, all []line) []line {
	for _, n := range nodes {
		for _, g := range n.groups {
			all = flatten(g.parts, append(all, g.rows...))
		}
	}
	return all
}

// An occurrence is a place where a field has a value: a token, or the number of groups or
// tokens.
type occurrence struct {
	of    *field
	token *string   // the token, or the word whose length is the value; nil for a number of groups or tokens
	node  *node     // whose groups are counted; or
	list  *[]string // the line whose tokens are counted,
	from  int       // from this one on
}

// value returns the value as text.
func (o *occurrence) value() string {
	switch {
	case o.node != nil:
		return strconv.Itoa(len(o.node.groups))
	case o.list != nil:
		return strconv.Itoa(len(*o.list) - o.from)
	case o.of.kind == words:
		return strconv.Itoa(len(*o.token))
	}
	return *o.token
}

// visit calls see for every occurrence, until it returns false.
func visit(nodes []*node, see func(*occurrence) bool) bool {
	for _, n := range nodes {
		if n.block.size != nil && !see(&occurrence{of: n.block.size, node: n}) {
			return false
		}
		for _, g := range n.groups {
			if !visit(g.parts, see) {
				return false
			}
			for i := range g.rows {
				if !n.block.rows[i].visit(&g.rows[i], see) {
					return false
				}
			}
		}
	}
	return true
}

func (r *row) visit(l *line, see func(*occurrence) bool) bool {
	for i, c := range r.columns {
		if c.length == nil && !see(&occurrence{of: c, token: &l.tokens[i]}) {
			return false
		}
	}
	if r.size != nil && !see(&occurrence{of: r.size, list: &l.tokens, from: len(r.columns)}) {
		return false
	}
	if r.tail != nil {
		for i := len(r.columns); i < len(l.tokens); i++ {
			if !see(&occurrence{of: r.tail, token: &l.tokens[i]}) {
				return false
			}
		}
	}
	return true
}

// A filling is a way to make more elements from existing ones, and to choose those that
// stay if there are fewer.
type filling struct {
	column int  // elements that are added get new values in this column: larger than all others; -1 copies all columns
	all    bool // they get new values in every column
}

// fillings are tried in this order.
var fillings = []filling{{column: -1}, {column: 0}, {column: 1}, {column: -1, all: true}}

func (f filling) fresh(column int) bool { return f.all || f.column == column }

// set changes an occurrence to a value, and all parts of the tree that depend on it. It
// reports false if that is not possible.
func (o *occurrence) set(value string, tree []*node, f filling) bool {
	switch {
	case o.node != nil:
		n, ok := sizeIn(value)
		if !ok || !o.node.resize(n, f) {
			return false
		}
	case o.list != nil:
		n, ok := sizeIn(value)
		if !ok {
			return false
		}
		rest, ok := resizeTokens((*o.list)[o.from:], n, f.fresh(0))
		if !ok {
			return false
		}
		*o.list = append((*o.list)[:o.from:o.from], rest...)
	case o.of.kind == words:
		n, ok := sizeIn(value)
		if !ok || *o.token == "" {
			return false
		}
		*o.token = resizeWord(*o.token, n)
	default:
		*o.token = value
	}
	return !o.of.counts || repair(tree, make(env), f)
}

// Limits on inputs that are made.
const (
	maxElements = 1 << 20
	maxTokens   = 1 << 21 // of one block
)

func sizeIn(value string) (int, bool) {
	n, err := strconv.Atoi(value)
	return n, err == nil && n >= 0 && n <= maxElements
}

// repair makes all numbers of elements what the fields before them require.
func repair(nodes []*node, e env, f filling) bool {
	for _, n := range nodes {
		if c := n.block.count; c != nil {
			want := c.value(e[c.of]) / int64(max(1, len(n.block.rows)))
			if want < 0 || want > maxElements || !n.resize(int(want), f) {
				return false
			}
		}
		for _, g := range n.groups {
			if !repair(g.parts, e, f) {
				return false
			}
			for i := range g.rows {
				if !n.block.rows[i].repair(&g.rows[i], e, f) {
					return false
				}
			}
		}
	}
	return true
}

func (r *row) repair(l *line, e env, f filling) bool {
	if !slices.ContainsFunc(r.columns, func(c *field) bool { return c.counts || c.length != nil }) && r.count == nil {
		return true
	}
	tokens := slices.Clone(l.tokens)
	for i, c := range r.columns {
		if c.length != nil {
			want := c.length.value(e[c.length.of])
			if want < 1 || want > maxElements || tokens[i] == "" {
				return false
			}
			tokens[i] = resizeWord(tokens[i], int(want))
		}
		if c.counts {
			v, ok := Integer(tokens[i])
			if !ok {
				return false
			}
			e[c] = v
		}
	}
	if r.count != nil {
		want := r.count.value(e[r.count.of])
		if want < 0 || want > maxElements {
			return false
		}
		rest, ok := resizeTokens(tokens[len(r.columns):], int(want), f.fresh(0))
		if !ok {
			return false
		}
		tokens = append(tokens[:len(r.columns)], rest...)
	}
	l.tokens = tokens
	return true
}

// resize makes the number of groups n. Added groups are copies.
func (n *node) resize(number int, f filling) bool {
	old := len(n.groups)
	if number <= old {
		n.groups = n.groups[:number]
		return true
	}
	if old == 0 || n.groups[0].tokens() > maxTokens/number {
		return false
	}
	next := make([]int64, maxFresh)
	for i := range next {
		next[i] = n.largest(i)
	}
	for e := old; e < number; e++ {
		g := n.groups[e%old].clone()
		// After a single group, a gap is unknown; among several, all but the first have it.
		if old > 1 && e%old == 0 {
			g.gapLike(n.groups[1])
		}
		for r := range g.rows {
			tokens := g.rows[r].tokens
			for column := range tokens[:min(len(tokens), maxFresh)] {
				if !f.fresh(column) {
					continue
				}
				if _, ok := Integer(tokens[column]); ok {
					next[column]++
					tokens[column] = strconv.FormatInt(next[column], 10)
				} else {
					tokens[column] = numbered(tokens[column], e)
				}
			}
		}
		n.groups = append(n.groups, g)
	}
	return true
}

// maxFresh is the number of columns that may get new values.
const maxFresh = 4

// largest returns the largest integer in a column of the groups' rows.
func (n *node) largest(column int) (most int64) {
	for _, g := range n.groups {
		for _, l := range g.rows {
			if column < len(l.tokens) {
				if v, ok := Integer(l.tokens[column]); ok {
					most = max(most, v)
				}
			}
		}
	}
	return most
}

func (g group) clone() group {
	c := group{rows: slices.Clone(g.rows), parts: slices.Clone(g.parts)}
	for i := range c.rows {
		c.rows[i].tokens = slices.Clone(c.rows[i].tokens)
	}
	for i, n := range c.parts {
		p := &node{n.block, slices.Clone(n.groups)}
		for k := range p.groups {
			p.groups[k] = p.groups[k].clone()
		}
		c.parts[i] = p
	}
	return c
}

// tokens counts the tokens of a group.
func (g group) tokens() (number int) {
	for _, l := range g.rows {
		number += len(l.tokens)
	}
	for _, n := range g.parts {
		for _, inner := range n.groups {
			number += inner.tokens()
		}
	}
	return number
}

// first returns the first line of a group; nil if it has none.
func (g group) first() *line {
	if len(g.rows) > 0 {
		return &g.rows[0]
	}
	for _, n := range g.parts {
		for _, inner := range n.groups {
			if l := inner.first(); l != nil {
				return l
			}
		}
	}
	return nil
}

func (g group) gapLike(other group) {
	if a, b := g.first(), other.first(); a != nil && b != nil {
		a.gap = b.gap
	}
}

// resizeTokens makes a list longer or shorter.
func resizeTokens(tokens []string, number int, fresh bool) ([]string, bool) {
	if number <= len(tokens) {
		return tokens[:number], true
	}
	if len(tokens) == 0 {
		return nil, false
	}
	old, next := len(tokens), int64(0)
	all := slices.Clone(tokens)
	for _, t := range tokens {
		if v, ok := Integer(t); ok {
			next = max(next, v)
		}
	}
	for e := old; e < number; e++ {
		token := all[e%old]
		if _, ok := Integer(token); ok && fresh {
			next++
			token = strconv.FormatInt(next, 10)
		} else if fresh {
			token = numbered(token, e)
		}
		all = append(all, token)
	}
	return all, true
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
