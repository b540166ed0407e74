package probe

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
		if v, ok := isInteger(token); ok && v != 0 {
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

// A form is the structure of all inputs of a problem, inferred from them: a sequence of
// blocks.
type form []*block

// A block is a number of groups of lines, each with the same form: the number is that of a
// field, or it is one, or the block extends to the end.
type block struct {
	count *reference // nil if the number is not given before
	fixed int        // the number of groups if it is always the same; else 0
	rows  []*row     // the lines of a group; or
	parts form       // a group has a form of its own
	size  *field     // the number of groups if count is nil and fixed is 0
}

// A row is the structure of a line: some columns, and then a list of any length.
type row struct {
	columns []*field
	tail    *field     // of each token in the rest of the line; nil if there is no rest
	count   *reference // the number of tokens in the rest; nil if it is free, or own is set
	size    *field     // the number of tokens in the rest if it is free
}

// A field is a quantity of the input: a token, or a number of tokens or lines.
type field struct {
	kind   kind
	place  string
	length *reference // of a word: its length is that of another field; else nil
	counts bool       // other parts of the input depend on it
	name   string     // in the statement; "" if it has none
}

// A kind is what the tokens of a field are.
type kind byte

const (
	integers kind = iota
	decimals
	words
)

// A reference is a number that follows from a field.
type reference struct {
	of     *field
	factor int // 1 to 3
	bias   int // 0, or 1 if it is one less
}

func (r *reference) value(value int64) int64 { return (value - int64(r.bias)) * int64(r.factor) }

// isInteger returns the value of an integer in its usual form.
func isInteger(token string) (int64, bool) {
	n, err := strconv.ParseInt(token, 10, 64)
	return n, err == nil && (token[0] != '0' || len(token) == 1) && token[0] != '+'
}

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
}

// Limits of the inference.
const (
	fitSteps   = 4000
	fitColumns = 6 // lines with more tokens are lists
	fitDepth   = 30
)

// infer returns a form of inputs. It describes the inputs that it was inferred from, and
// may not describe others.
func infer(inputs []*input) (found form, strict bool) {
	for _, strict := range []bool{true, false} {
		var all []*instance
		for _, n := range inputs {
			all = append(all, &instance{n.lines, 0, make(map[*field]int64)})
		}
		f := &fitter{fitSteps, strict}
		if found, ok := f.fit(all, nil, fitDepth); ok {
			found.mark()
			return found.merged(), strict
		}
	}
	return form{(&fitter{}).free()}, false
}

func (f *fitter) field(k kind) *field { return &field{kind: k} }

// free returns a block of lines about which nothing is known.
func (f *fitter) free() *block {
	return &block{rows: []*row{{tail: f.field(words), size: f.field(integers)}}, size: f.field(integers)}
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
	if depth == fitDepth {
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
	return f.rest(all, scope, depth)
}

// counted tries a block of lines whose number is given.
func (f *fitter) counted(all []*instance, scope []*field, r *reference, depth int) (form, bool) {
	groups := make([][][]string, r.factor) // the lines at each place of a group
	var owners [][]*instance
	some := false
	owners = make([][]*instance, r.factor)
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
		n.env = make(map[*field]int64)
		for key, value := range all[i].env {
			n.env[key] = value
		}
		for k, c := range shape.columns {
			if c.kind == integers {
				n.env[c], _ = isInteger(these[i][k])
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
func (f *fitter) rest(all []*instance, scope []*field, _ int) (form, bool) {
	var these [][]string
	var owners []*instance
	for _, n := range all {
		for _, l := range n.lines[n.at:] {
			these, owners = append(these, l.tokens), append(owners, n)
		}
	}
	shape := f.row(these, owners, scope)
	if shape == nil {
		return nil, false
	}
	return form{{rows: []*row{shape}, size: f.field(integers)}}, true
}

// merged joins lines that seem to be rows of one table: of words, or many.
func (f form) merged() (joined form) {
	for _, b := range f {
		b.parts = b.parts.merged()
	}
	for len(f) > 0 {
		run := 1
		for run < len(f) && f[0].fixed == 1 && f[run].fixed == 1 && f[0].alike(f[run]) {
			run++
		}
		next := f[0]
		many := run > 3 || f[0].fixed == 1 && len(f[0].rows) == 1 && len(f[0].rows[0].columns) > 0 && f[0].rows[0].columns[0].kind == words
		if run < len(f) && f[run].size != nil && f[0].fixed == 1 && f[0].alike(f[run]) {
			next = f[run]
			run++
		} else if many && run > 1 {
			next.fixed = run
		} else {
			run = 1
		}
		joined, f = append(joined, next), f[run:]
	}
	return joined
}

// alike reports whether the rows of two blocks have the same structure, and no other part
// of the form depends on them.
func (b *block) alike(other *block) bool {
	if b.parts != nil || other.parts != nil || len(b.rows) != 1 || len(other.rows) != 1 {
		return false
	}
	r, o := b.rows[0], other.rows[0]
	same := func(a, b *field) bool {
		return a == nil && b == nil || a != nil && b != nil && a.kind == b.kind && !a.counts && !b.counts && a.length == nil && b.length == nil
	}
	if len(r.columns) != len(o.columns) || r.count != nil || o.count != nil || !same(r.tail, o.tail) {
		return false
	}
	return every(r.columns, func(i int) bool { return same(r.columns[i], o.columns[i]) })
}

// A cut is how long a section of lines is: fixed lines, and a multiple of a token in its
// first line; or, if it is zero, up to the next gap.
type cut struct{ fixed, column, factor, bias int }

func (c cut) length(rest []line) int {
	if c == (cut{}) {
		n := 1
		for n < len(rest) && !rest[n].gap {
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
	n, ok := isInteger(first[c.column])
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
		b.size = f.field(integers)
	}
	return form{b}, true
}

// row returns a structure of all these lines, or nil if they seem to have none in common.
// Owners are the instances that contain them.
func (f *fitter) row(these [][]string, owners []*instance, scope []*field) *row {
	if len(these) == 0 {
		return nil
	}
	narrow, wide := len(these[0]), len(these[0])
	for _, line := range these {
		narrow, wide = min(narrow, len(line)), max(wide, len(line))
	}
	if narrow == wide && wide <= fitColumns {
		// One token that is as long as another field is a list of characters.
		r := &row{columns: f.columns(these, owners, scope, wide)}
		if wide > 2 && !r.mixed() {
			if list := f.listed(these, owners, scope, wide); list != nil && list.count != nil {
				return list
			}
		}
		return r
	}
	return f.listed(these, owners, scope, narrow)
}

// mixed reports whether columns differ in kind.
func (r *row) mixed() bool {
	return slices.ContainsFunc(r.columns, func(c *field) bool { return c.kind != r.columns[0].kind })
}

// listed returns a structure with a list at the end.
func (f *fitter) listed(these [][]string, owners []*instance, scope []*field, narrow int) *row {
	for prefix := 0; prefix <= min(narrow, 3); prefix++ {
		for _, bias := range []int{0, 1} {
			for _, of := range slices.Backward(scope) {
				for factor := 1; factor <= 3-bias; factor++ {
					r := &reference{of, factor, bias}
					if every(these, func(i int) bool { return int64(len(these[i])-prefix) == r.value(owners[i].env[of]) }) {
						return f.list(these, owners, scope, prefix, r)
					}
				}
			}
		}
		for own := range prefix {
			for factor := 1; factor <= 2; factor++ {
				if every(these, func(i int) bool {
					n, ok := isInteger(these[i][own])
					return ok && int64(len(these[i])-prefix) == n*int64(factor)
				}) {
					r := f.list(these, owners, scope, prefix, nil)
					r.count, r.size = &reference{r.columns[own], factor, 0}, nil
					return r
				}
			}
		}
	}
	same := every(these, func(i int) bool { return len(these[i]) == len(these[0]) })
	if f.strict && !same {
		return nil
	}
	prefix := 0
	if !same {
		for prefix < min(narrow, 3) && every(these, func(i int) bool { _, ok := isInteger(these[i][prefix]); return ok }) {
			prefix++
		}
		if every(these, func(i int) bool {
			return every(these[i], func(k int) bool { _, ok := isInteger(these[i][k]); return ok })
		}) {
			prefix = 0
		}
	}
	return f.list(these, owners, scope, prefix, nil)
}

func every[T any](all []T, is func(int) bool) bool {
	for i := range all {
		if !is(i) {
			return false
		}
	}
	return true
}

// list returns a structure of some columns and a list.
func (f *fitter) list(these [][]string, owners []*instance, scope []*field, prefix int, count *reference) *row {
	r := &row{columns: f.columns(these, owners, scope, prefix), count: count}
	var rest []string
	for _, line := range these {
		rest = append(rest, line[prefix:]...)
	}
	r.tail = f.field(kindOf(rest))
	if count == nil {
		r.size = f.field(integers)
	}
	return r
}

// columns returns the fields of the first tokens of lines.
func (f *fitter) columns(these [][]string, owners []*instance, scope []*field, number int) (columns []*field) {
	tokens := make([]string, len(these))
	for k := range number {
		for i, line := range these {
			tokens[i] = line[k]
		}
		c := f.field(kindOf(tokens))
		if c.kind != decimals {
			c.length = lengthOf(tokens, owners, scope, c.kind)
			if c.length != nil {
				c.kind = words
			}
		}
		columns = append(columns, c)
	}
	return columns
}

// lengthOf returns the field that is the length of all tokens, or nil. Integers are taken
// for strings only if they are long, and some begin with a zero.
func lengthOf(tokens []string, owners []*instance, scope []*field, k kind) *reference {
	if k == integers {
		return nil
	}
	for _, of := range slices.Backward(scope) {
		if every(tokens, func(i int) bool { return int64(len(tokens[i])) == owners[i].env[of] }) {
			return &reference{of, 1, 0}
		}
	}
	return nil
}

// kindOf returns the kind of tokens: strings unless all are numbers in the usual form.
func kindOf(tokens []string) kind {
	k := integers
	for _, t := range tokens {
		if _, ok := isInteger(t); ok {
			continue
		}
		if !isDecimal(t) {
			return words
		}
		k = decimals
	}
	return k
}

// isDecimal reports whether a token is a number, with digits on both sides of a point, or
// an integer of any size.
func isDecimal(token string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(token, "-"), ".")
	digits := func(s string) bool {
		return s != "" && strings.Trim(s, "0123456789") == ""
	}
	return digits(whole) && (len(whole) == 1 || whole[0] != '0') && (!point || digits(fraction))
}
