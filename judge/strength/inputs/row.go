package inputs

import (
	"slices"
)

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
					n, ok := Integer(these[i][own])
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
		for prefix < min(narrow, 3) && every(these, func(i int) bool { _, ok := Integer(these[i][prefix]); return ok }) {
			prefix++
		}
		if every(these, func(i int) bool {
			return every(these[i], func(k int) bool { _, ok := Integer(these[i][k]); return ok })
		}) {
			prefix = 0
		}
	}
	return f.list(these, owners, scope, prefix, nil)
}

// list returns a structure of some columns and a list.
func (f *fitter) list(these [][]string, owners []*instance, scope []*field, prefix int, count *reference) *row {
	r := &row{columns: f.columns(these, owners, scope, prefix), count: count}
	var rest []string
	for _, line := range these {
		rest = append(rest, line[prefix:]...)
	}
	r.tail = newField(kindOf(rest))
	if count == nil {
		r.size = newField(integers)
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
		c := newField(kindOf(tokens))
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
