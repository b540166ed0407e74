package inputs

import (
	"maps"
	"slices"
)

// An instance is a part of an input that a form must describe: lines up to the end.
type instance struct {
	lines []line
	at    int
	env   map[*field]int64 // values of fields so far
}

func (n *instance) left() int { return len(n.lines) - n.at }

// A fitter infers a form by search.
type fitter struct {
	budget int  // steps that are left
	strict bool // lines of free length are not allowed
	closed bool // lines up to the end are not allowed, except sections
}

// Limits of the inference.
const (
	fitSteps   = 4000
	fitColumns = 6 // lines with more tokens are lists
	fitDepth   = 30
)

// infer returns a form of inputs. It describes the inputs that it was inferred from, and
// may not describe others.
func infer(docs []*document) (found form, strict bool) {
	for level := range 3 {
		var all []*instance
		for _, d := range docs {
			all = append(all, &instance{d.lines, 0, make(map[*field]int64)})
		}
		f := &fitter{fitSteps, level < 2, level < 1}
		if found, ok := f.fit(all, nil, fitDepth); ok {
			found.mark()
			return found.merged(), f.strict
		}
	}
	return form{free()}, false
}

func newField(k kind) *field { return &field{kind: k} }

// free returns a block of lines about which nothing is known.
func free() *block {
	return &block{rows: []*row{{tail: newField(words), size: newField(integers)}}, size: newField(integers)}
}

// advanced returns copies of instances that have read some lines.
func advanced(all []*instance, lines func(*instance) int) []*instance {
	next := make([]*instance, len(all))
	for i, n := range all {
		next[i] = &instance{n.lines, n.at + lines(n), n.env}
	}
	return next
}

// fit finds a form of all instances. Scope has the fields that may be counts, in the order
// of the input.
func (f *fitter) fit(all []*instance, scope []*field, depth int) (form, bool) {
	if !slices.ContainsFunc(all, func(n *instance) bool { return n.left() > 0 }) {
		return nil, true
	}
	if f.budget--; f.budget < 0 || depth == 0 {
		return nil, false
	}
	if found, ok := f.sections(all, scope, true, depth); ok {
		return found, true
	}
	for _, bias := range []int{0, 1} {
		for _, of := range scope {
			for factor := 1; factor <= 3-bias; factor++ {
				if found, ok := f.counted(all, scope, &reference{of, factor, bias}, depth); ok {
					return found, true
				}
			}
		}
	}
	if depth == fitDepth && !counting(all) {
		if found, ok := f.sections(all, scope, false, depth); ok {
			return found, true
		}
	}
	if found, ok := f.single(all, scope, depth); ok {
		return found, true
	}
	if found, ok := f.sections(all, scope, false, depth); ok {
		return found, true
	}
	return f.rest(all, scope)
}

// counting reports whether a number in the first line of each input may be that of all
// lines after it, or of the paragraphs after it, so that it is not one of many sections.
func counting(all []*instance) bool {
	if slices.ContainsFunc(all, func(n *instance) bool { return len(n.lines) == 0 }) {
		return false
	}
	for column := range all[0].lines[0].tokens {
		for _, c := range []reference{{factor: 1}, {factor: 2}, {factor: 3}, {factor: 1, bias: 1}, {factor: 0}} {
			if every(all, func(i int) bool {
				lines := all[i].lines
				if len(lines) < 2 || column >= len(lines[0].tokens) {
					return false
				}
				v, ok := Integer(lines[0].tokens[column])
				if c.factor > 0 {
					return ok && c.value(v) == int64(len(lines)-1)
				}
				gaps := int64(0)
				for _, l := range lines {
					gaps += int64(len(l.gap)) // one line feed each
				}
				return ok && len(lines[0].tokens) == 1 && v == gaps+1 && gaps > 0
			}) {
				return true
			}
		}
	}
	return false
}

// counted tries a block of lines whose number is given.
func (f *fitter) counted(all []*instance, scope []*field, r *reference, depth int) (form, bool) {
	groups := make([][][]string, r.factor) // the lines at each place of a group
	owners := make([][]*instance, r.factor)
	some := false
	for _, n := range all {
		size := r.value(n.env[r.of])
		if size < 0 || size > int64(n.left()) {
			return nil, false
		}
		some = some || size > 0
		for k := range int(size) {
			place := k % r.factor
			groups[place] = append(groups[place], n.lines[n.at+k].tokens)
			owners[place] = append(owners[place], n)
		}
	}
	if !some {
		return nil, false
	}
	b := &block{count: r}
	for place := range groups {
		shape := f.row(groups[place], owners[place], scope)
		if shape == nil || shape.size != nil && r.factor > 1 {
			return nil, false
		}
		b.rows = append(b.rows, shape)
	}
	next := advanced(all, func(n *instance) int { return int(r.value(n.env[r.of])) })
	if rest, ok := f.fit(next, scope, depth-1); ok {
		return append(form{b}, rest...), true
	}
	return nil, false
}

// single tries one line.
func (f *fitter) single(all []*instance, scope []*field, depth int) (form, bool) {
	var these [][]string
	for _, n := range all {
		if n.left() == 0 {
			return nil, false
		}
		these = append(these, n.lines[n.at].tokens)
	}
	shape := f.row(these, all, scope)
	if shape == nil {
		return nil, false
	}
	next := advanced(all, func(*instance) int { return 1 })
	for i, n := range next {
		n.env = maps.Clone(all[i].env)
		for k, c := range shape.columns {
			if c.kind == integers {
				n.env[c], _ = Integer(these[i][k])
			}
		}
	}
	wider := slices.Clone(scope)
	for _, c := range shape.columns {
		if c.kind == integers {
			wider = append(wider, c)
		}
	}
	if rest, ok := f.fit(next, wider, depth-1); ok {
		return append(form{{fixed: 1, rows: []*row{shape}}}, rest...), true
	}
	return nil, false
}

// rest tries lines of one structure up to the end.
func (f *fitter) rest(all []*instance, scope []*field) (form, bool) {
	var these [][]string
	var owners []*instance
	for _, n := range all {
		for _, l := range n.lines[n.at:] {
			these, owners = append(these, l.tokens), append(owners, n)
		}
	}
	shape := f.row(these, owners, scope)
	if shape == nil || f.closed {
		return nil, false
	}
	return form{{rows: []*row{shape}, size: newField(integers)}}, true
}
