package inputs

import (
	"slices"
)

// A cut is how long a section of lines is: fixed lines, and a multiple of a token in its
// first line; or, if it is zero, up to the next gap.
type cut struct{ fixed, column, factor, bias int }

func (c cut) length(rest []line) int {
	if c == (cut{}) {
		n := 1
		for n < len(rest) && rest[n].gap == "" {
			n++
		}
		return n
	}
	if c.column < 0 {
		return c.fixed
	}
	first := rest[0].tokens
	if c.column >= len(first) {
		return -1
	}
	n, ok := Integer(first[c.column])
	if !ok || n < int64(c.bias) || n > 1<<30 {
		return -1
	}
	return c.fixed + c.factor*(int(n)-c.bias)
}

// cuts are the sections that are tried.
var cuts = func() (all []cut) {
	all = append(all, cut{})
	for fixed := 1; fixed <= 3; fixed++ {
		for column := range 3 {
			all = append(all, cut{fixed, column, 1, 0}, cut{fixed, column, 1, 1}, cut{fixed, column, 2, 0})
		}
	}
	for fixed := 2; fixed <= 20; fixed++ {
		all = append(all, cut{fixed, -1, 0, 0})
	}
	return all
}()

// sections tries sections up to the end, each with the same form. Their number is that of
// a field, or not given.
func (f *fitter) sections(all []*instance, scope []*field, counted bool, depth int) (form, bool) {
	from, to := -1, 0
	if counted {
		from, to = 0, len(scope)
	}
	for _, c := range cuts {
		for k := from; k < to; k++ {
			if found, ok := f.cut(all, scope, c, k, depth); ok {
				return found, true
			}
		}
	}
	return nil, false
}

func (f *fitter) cut(all []*instance, scope []*field, c cut, k, depth int) (form, bool) {
	if f.budget--; f.budget < 0 || k < 0 && c.column < 0 && c.fixed > 1 && len(scope) > 0 {
		return nil, false
	}
	var parts []*instance
	several := false
	for _, n := range all {
		number := 0
		for at := n.at; at < len(n.lines); number++ {
			size := c.length(n.lines[at:])
			if size < 1 || at+size > len(n.lines) {
				return nil, false
			}
			parts = append(parts, &instance{n.lines[at : at+size], 0, n.env})
			at += size
		}
		if k >= 0 && int64(number) != n.env[scope[k]] {
			return nil, false
		}
		several = several || number > 1
	}
	if !several {
		return nil, false
	}
	within := scope
	if k >= 0 {
		within = slices.Delete(slices.Clone(scope), k, k+1) // it counts the sections, nothing in them
	}
	inner, ok := f.fit(parts, within, depth-1)
	free := slices.ContainsFunc(inner, func(b *block) bool { return b.size != nil })
	if !ok || free && (len(inner) == 1 || c == (cut{}) && depth == fitDepth) {
		return nil, false
	}
	inner.mark()
	if inner = inner.merged(); k < 0 && c.column < 0 && c.fixed > 0 && len(inner) == 1 {
		return nil, false // lines that are all alike are no sections
	}
	b := &block{parts: inner}
	if k >= 0 {
		b.count = &reference{scope[k], 1, 0}
	} else {
		b.size = newField(integers)
	}
	return form{b}, true
}
