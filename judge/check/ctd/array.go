package ctd

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
)

// A variable has a value for each list of indices that was assigned, including the
// empty list. Indices from 0 without a gap are the usual case.
type variable struct {
	plain  value
	dense  []value
	sparse map[string]value // by the indices, joined with commas
	held   map[key]int      // number of occurrences of a value; nil before the first INARRAY
	bytes  int              // approximate share of the check's memory
}

// Approximate bytes of a value in an array and in a map.
const (
	cellBytes  = 48
	entryBytes = 192
)

func (v *variable) count() int {
	n := len(v.dense) + len(v.sparse)
	if v.plain.kind != isUnset {
		n++
	}
	return n
}

// at returns the place of an index, or the key of a sparse one.
func (v *variable) at(index []value) (place *value, key string) {
	if len(index) == 0 {
		return &v.plain, ""
	}
	if i := index[0]; len(index) == 1 && i.p == nil && i.n >= 0 && i.n < int64(len(v.dense)) {
		return &v.dense[i.n], ""
	}
	var b []byte
	for i, x := range index {
		if i > 0 {
			b = append(b, ',')
		}
		if x.p == nil {
			b = strconv.AppendInt(b, x.n, 10)
		} else {
			b = x.big().Append(b, 10)
		}
	}
	return nil, string(b)
}

func (m *machine) assign(n *node, x value) {
	v := &m.vars[n.slot]
	index := m.indices(n)
	var before value
	if next := len(index) == 1 && index[0].p == nil && index[0].n == int64(len(v.dense)); next && len(v.sparse) == 0 {
		m.take(n, cellBytes)
		v.dense = append(v.dense, x)
	} else if place, name := v.at(index); place != nil {
		before, *place = *place, x
	} else {
		before = v.sparse[name]
		if before.kind == isUnset {
			m.work(entryBytes / 8)
			m.take(n, entryBytes+len(name))
		}
		if v.sparse == nil {
			v.sparse = make(map[string]value)
		}
		v.sparse[name] = x
	}
	m.take(n, x.bytes()-before.bytes())
	if v.held != nil {
		if before.kind != isUnset {
			k := m.keyOf(before)
			if v.held[k]--; v.held[k] == 0 {
				delete(v.held, k)
				m.take(n, -(entryBytes + len(k.s)))
			}
		}
		m.hold(n, v, x)
	}
}

func (m *machine) hold(n *node, v *variable, x value) {
	k := m.keyOf(x)
	if v.held[k]++; v.held[k] == 1 {
		m.take(n, entryBytes+len(k.s))
	}
}

// take charges memory to a variable.
func (m *machine) take(n *node, bytes int) {
	m.vars[n.slot].bytes += bytes
	m.need(n.off, bytes)
}

// indices evaluates the indices of a variable. They are valid until the next call.
func (m *machine) indices(n *node) []value {
	mark := len(m.stack)
	for _, a := range n.args {
		x := m.integer(a)
		if b := x.bits(); b > 64 {
			m.work(square(b))
		}
		m.stack = append(m.stack, x)
	}
	index := m.stack[mark:]
	m.stack = m.stack[:mark]
	return index
}

// lookup returns the value of a variable at its indices.
func (m *machine) lookup(n *node) value {
	v := &m.vars[n.slot]
	place, key := v.at(m.indices(n))
	if place != nil {
		return *place
	}
	return v.sparse[key]
}

// unset removes all values of its variables.
func (m *machine) unset(c *command) {
	for _, n := range c.vars {
		v := &m.vars[n.slot]
		m.memory += v.bytes
		var room []value
		if cap(v.dense) <= 1<<12 {
			clear(v.dense)
			room = v.dense[:0]
		}
		*v = variable{dense: room}
	}
}

// inArray reports whether a variable has a value at any index.
func (m *machine) inArray(n *node) bool {
	array := n.args[1]
	x, v := m.eval(n.args[0]), &m.vars[array.slot]
	if v.held == nil {
		v.held = make(map[key]int)
		for _, x := range v.all() {
			m.hold(array, v, x)
		}
	}
	return v.held[m.keyOf(x)] > 0
}

// all iterates over the indices of a variable, joined with commas, and its values, in
// a fixed order.
func (v *variable) all() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if v.plain.kind != isUnset && !yield("", v.plain) {
			return
		}
		for i, x := range v.dense {
			if !yield(strconv.Itoa(i), x) {
				return
			}
		}
		for _, k := range slices.Sorted(maps.Keys(v.sparse)) {
			if !yield(k, v.sparse[k]) {
				return
			}
		}
	}
}

// unique reports whether the tuples of values with equal indices are all different,
// and the variables have the same indices. If not, it sets m.why.
func (m *machine) unique(n *node) bool {
	first := &m.vars[n.args[0].slot]
	total := first.count()
	for _, a := range n.args[1:] {
		if got := m.vars[a.slot].count(); got != total {
			m.why = fmt.Sprintf("%d values of %s and %d of %s", total, m.name(n.args[0]), got, m.name(a))
			return false
		}
	}
	m.work(4 * total * len(n.args))
	m.need(n.off, entryBytes*total)
	defer func() { m.memory += entryBytes * total }()
	if len(n.args) == 1 && first.differentWords() {
		return true
	}
	seen := make(map[string]string, total)
	for index, x := range first.all() {
		tuple, ok := m.tuple(n, index)
		if !ok {
			return false
		}
		before, twice := seen[tuple]
		switch {
		case !twice:
			seen[tuple] = index
			continue
		case len(n.args) == 1:
			m.why = fmt.Sprintf("%s and %s, both %s", m.element(n.args[0], before), m.element(n.args[0], index), x)
		default:
			m.why = fmt.Sprintf("the same values at [%s] and [%s]", clip(before), clip(index))
		}
		return false
	}
	return true
}

// differentWords reports whether the indices start at 0 without a gap, and the values
// are different integers of 64 bits. This is the usual case of UNIQUE, and a fast one.
func (v *variable) differentWords() bool {
	seen := make(map[int64]struct{}, len(v.dense))
	for _, x := range v.dense {
		if x.kind != isInteger || x.p != nil {
			return false
		}
		seen[x.n] = struct{}{}
	}
	return len(seen) == v.count()
}

// tuple encodes the values at an index as one string, such that different values
// have different strings.
func (m *machine) tuple(n *node, index string) (string, bool) {
	var b []byte
	for _, a := range n.args {
		x := m.vars[a.slot].byName(index)
		if x.kind == isUnset {
			m.why = fmt.Sprintf("%s, but no %s", m.element(n.args[0], index), m.element(a, index))
			return "", false
		}
		k := m.keyOf(x)
		for _, number := range []int64{int64(k.kind), k.n, int64(len(k.s))} {
			b = append(strconv.AppendInt(b, number, 10), ' ')
		}
		b = append(b, k.s...)
	}
	m.work(len(b))
	return string(b), true
}

// byName returns a value by its indices, in the form that all uses.
func (v *variable) byName(index string) value {
	if index == "" {
		return v.plain
	}
	if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(v.dense) {
		return v.dense[i]
	}
	return v.sparse[index]
}

func (m *machine) name(n *node) string { return clip(m.g.names[n.slot]) }

func (m *machine) element(n *node, index string) string {
	if index == "" {
		return m.name(n)
	}
	return m.name(n) + "[" + clip(index) + "]"
}
