package inputs

import (
	"slices"
	"strconv"
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
				before := len(lines)
				g.parts, lines, ok = b.parts.read(lines, e)
				if !ok || number < 0 && len(lines) == before { // sections without lines would never end
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
					g.rows[i].row = r
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
	index int     // of its line; of a number of groups, that of their first line
	token *string // the token, or the word whose length is the value; nil for a number of groups or tokens
	node  *node   // whose groups are counted; or
	line  *line   // whose tokens are counted,
	from  int     // from this one on
}

// value returns the value as text.
func (o *occurrence) value() string {
	switch {
	case o.node != nil:
		return strconv.Itoa(len(o.node.groups))
	case o.line != nil:
		return strconv.Itoa(len(o.line.tokens) - o.from)
	case o.of.kind == words:
		return strconv.Itoa(len(*o.token))
	}
	return *o.token
}

// visit calls see for every occurrence, until it returns false.
func visit(nodes []*node, see func(occurrence) bool) bool {
	index := 0
	return visitFrom(nodes, &index, see)
}

func visitFrom(nodes []*node, index *int, see func(occurrence) bool) bool {
	for _, n := range nodes {
		if n.block.size != nil && !see(occurrence{of: n.block.size, index: *index, node: n}) {
			return false
		}
		for _, g := range n.groups {
			if !visitFrom(g.parts, index, see) {
				return false
			}
			for i := range g.rows {
				if !n.block.rows[i].visit(&g.rows[i], *index, see) {
					return false
				}
				*index++
			}
		}
	}
	return true
}

func (r *row) visit(l *line, index int, see func(occurrence) bool) bool {
	for i, c := range r.columns {
		if c.length == nil && !see(occurrence{of: c, index: index, token: &l.tokens[i]}) {
			return false
		}
	}
	if r.size != nil && !see(occurrence{of: r.size, index: index, line: l, from: len(r.columns)}) {
		return false
	}
	if r.tail != nil {
		for i := len(r.columns); i < len(l.tokens); i++ {
			if !see(occurrence{of: r.tail, index: index, token: &l.tokens[i]}) {
				return false
			}
		}
	}
	return true
}

// choose makes the groups those whose indexes are given. An index may occur several times.
func (n *node) choose(order []int) {
	var gaps [2]string // before the first group, and before others
	for i := range min(2, len(n.groups)) {
		gaps[i] = n.groups[i].gap()
	}
	known := len(n.groups) > 1 // after a single group, a gap is unknown
	groups, used := make([]group, len(order)), make([]bool, len(n.groups))
	for i, e := range order {
		if groups[i] = n.groups[e]; used[e] {
			groups[i] = groups[i].clone()
		}
		used[e] = true
		if first := groups[i].first(); first != nil && (i == 0 || known) {
			first.gap = gaps[min(i, 1)]
		}
	}
	n.groups = groups
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
	g.each(func(l *line) { number += len(l.tokens) })
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

// gap returns the empty line before the group; "" if there is none.
func (g group) gap() string {
	if l := g.first(); l != nil {
		return l.gap
	}
	return ""
}

// sections returns the lines of the groups that have parts, of all blocks that are not
// parts themselves: the first line of each, and the line after it.
func sections(nodes []*node) (all [][2]int) {
	at := 0
	for _, n := range nodes {
		for _, g := range n.groups {
			from := at
			if g.each(func(*line) { at++ }); n.block.parts != nil {
				all = append(all, [2]int{from, at})
			}
		}
	}
	return all
}

// each calls see for the lines of a group.
func (g group) each(see func(*line)) {
	for i := range g.rows {
		see(&g.rows[i])
	}
	for _, n := range g.parts {
		for _, inner := range n.groups {
			inner.each(see)
		}
	}
}

// field returns the field of a token; nil if it has none.
func (r *row) field(column int) *field {
	switch {
	case r == nil:
		return nil
	case column < len(r.columns):
		return r.columns[column]
	}
	return r.tail
}
