package inputs

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
		many := run > 3 || f[0].fixed == 1 && len(f[0].rows) == 1 && len(f[0].rows[0].columns) > 0 &&
			f[0].rows[0].columns[0].kind == words
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
		return a == nil && b == nil || a != nil && b != nil && a.kind == b.kind && !a.counts && !b.counts &&
			a.length == nil && b.length == nil
	}
	if len(r.columns) != len(o.columns) || r.count != nil || o.count != nil || !same(r.tail, o.tail) {
		return false
	}
	return every(r.columns, func(i int) bool { return same(r.columns[i], o.columns[i]) })
}

// every reports whether all indexes of a slice satisfy a condition.
func every[T any](all []T, is func(int) bool) bool {
	for i := range all {
		if !is(i) {
			return false
		}
	}
	return true
}
