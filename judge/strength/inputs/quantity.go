package inputs

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"crucible/judge/problem"
)

// A quantity is a field with the values that it has in the data.
type quantity struct {
	*field
	size      bool // it is a number of groups or tokens
	low, high extreme
	declared  *Declared // of the statement; nil if none matches
	scale               // its values are counted in
}

// An extreme is the smallest or the largest value in the data.
type extreme struct {
	text  string // as in the input
	value *big.Rat
	of    *problem.Case // the smallest one that has the value
	bytes int
}

// data is what the inputs of a problem have in common.
type data struct {
	structure
	quantities []*quantity // in the order of the input
	cases      []*problem.Case
	sizes      map[*problem.Case]int
	unread     int // cases that are too large to read
}

// Limits on the inputs that are read.
const (
	maxInput   = 32 << 20  // bytes of an input that is read
	maxAll     = 512 << 20 // bytes of all inputs
	maxSample  = 64 << 10  // bytes of an input from which the form is inferred, if there are smaller ones
	maxSamples = 24
)

// readInput reads the input of a case; nil if it is too large.
func Read(c *problem.Case) ([]byte, error) {
	r, err := c.Input()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if len(text) > maxInput {
		return nil, err
	}
	return text, err
}

func sizeOf(c *problem.Case) (int64, error) {
	f, err := c.Open(".in")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// survey infers the form of the inputs and collects the values of their fields.
func survey(cases []*problem.Case) (*data, error) {
	d := &data{sizes: make(map[*problem.Case]int)}
	total := int64(0)
	for _, c := range cases {
		size, err := sizeOf(c)
		if err != nil {
			return nil, err
		}
		if total += size; size > maxInput || total > maxAll {
			d.unread++
			continue
		}
		d.cases, d.sizes[c] = append(d.cases, c), int(size)
	}
	slices.SortStableFunc(d.cases, func(a, b *problem.Case) int { return d.sizes[a] - d.sizes[b] })
	if len(d.cases) == 0 {
		return d, nil
	}
	samples := d.samples()
	for range 4 {
		if err := d.infer(samples); err != nil {
			return nil, err
		}
		other, err := d.observe()
		if err != nil {
			return nil, err
		}
		if other == nil {
			return d, nil
		}
		samples = append(samples, other)
	}
	// No form was found for all inputs.
	d.structure = unknown()
	d.list()
	_, err := d.observe()
	return d, err
}

// samples returns cases of different sizes, from which the form is inferred.
func (d *data) samples() (samples []*problem.Case) {
	small := d.cases
	for len(small) > 3 && d.sizes[small[len(small)-1]] > maxSample {
		small = small[:len(small)-1]
	}
	for i := range min(len(small), maxSamples) {
		samples = append(samples, small[i*len(small)/min(len(small), maxSamples)])
	}
	return samples
}

// infer sets the structure, and lists all fields.
func (d *data) infer(samples []*problem.Case) error {
	var texts [][]byte
	for _, c := range samples {
		text, err := Read(c)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	d.structure, _ = structureOf(texts)
	d.list()
	return nil
}

func (d *data) list() {
	d.quantities = nil
	d.form.each(func(f *field, size bool) {
		d.quantities = append(d.quantities, &quantity{field: f, size: size})
	})
}

// each calls see for the fields of a form, in the order of the input.
func (f form) each(see func(f *field, size bool)) {
	for _, b := range f {
		if b.size != nil {
			see(b.size, true)
		}
		b.parts.each(see)
		for _, r := range b.rows {
			for _, c := range r.columns {
				if c.length == nil {
					see(c, false)
				}
			}
			if r.size != nil {
				see(r.size, true)
			}
			if r.tail != nil {
				see(r.tail, false)
			}
		}
	}
}

// mark sets counts of the fields that others refer to.
func (f form) mark() {
	use := func(r *reference) {
		if r != nil {
			r.of.counts = true
		}
	}
	for _, b := range f {
		use(b.count)
		b.parts.mark()
		for _, r := range b.rows {
			use(r.count)
			for _, c := range r.columns {
				use(c.length)
			}
		}
	}
}

// open parses a case; the tree is nil if the case does not have the form.
func (d *data) open(c *problem.Case) (doc *document, tree []*node, err error) {
	text, err := Read(c)
	if err != nil || text == nil {
		return nil, nil, err
	}
	doc, tree = d.read(text)
	return doc, tree, nil
}

// observe collects the smallest and the largest values of all cases. It returns a case
// that does not have the form, or nil.
func (d *data) observe() (other *problem.Case, err error) {
	of := make(map[*field]*quantity)
	for _, q := range d.quantities {
		of[q.field] = q
	}
	for _, c := range d.cases {
		_, tree, err := d.open(c)
		if err != nil {
			return nil, err
		}
		if tree == nil && !(len(d.form) == 0 && d.sizes[c] == 0) {
			return c, nil
		}
		// Most values repeat or lie between others; compare them without big numbers.
		type span struct{ low, high int64 }
		seen := make(map[*field]*span)
		visit(tree, func(o occurrence) bool {
			text := o.value()
			if o.of.kind == decimals {
				of[o.of].note(text)
			}
			v, isInt := Integer(text)
			s := seen[o.of]
			if isInt && s != nil && s.low <= v && v <= s.high {
				return true
			}
			q := of[o.of]
			value, _ := new(big.Rat).SetString(text)
			if value == nil {
				return true
			}
			if q.low.value == nil || value.Cmp(q.low.value) < 0 {
				q.low = extreme{text, value, c, d.sizes[c]}
			}
			if q.high.value == nil || value.Cmp(q.high.value) > 0 {
				q.high = extreme{text, value, c, d.sizes[c]}
			}
			if isInt && s == nil {
				seen[o.of] = &span{v, v}
			} else if isInt {
				s.low, s.high = min(s.low, v), max(s.high, v)
			}
			return true
		})
	}
	d.quantities = slices.DeleteFunc(d.quantities, func(q *quantity) bool { return q.low.value == nil })
	return nil, nil
}

// locate sets the places of all fields: "line 1, token 2".
func (f form) locate(within string) {
	at := place{number: 1}
	for _, b := range f {
		what := at.line(b, within)
		if b.size != nil {
			b.size.place = "number of " + map[bool]string{true: "sections", false: "lines"}[b.parts != nil] + " from line " +
				at.String() + within
		}
		b.parts.locate(" of each section" + within)
		for i, r := range b.rows {
			where := what
			if len(b.rows) > 1 {
				where = fmt.Sprintf("%s, line %d of %d", what, i+1, len(b.rows))
			}
			r.locate(where)
		}
		at.pass(b)
	}
}

func (r *row) locate(where string) {
	for i, c := range r.columns {
		c.place = fmt.Sprintf("%s, token %d", where, i+1)
		if len(r.columns) == 1 && r.tail == nil {
			c.place = where
		}
		if c.kind == words {
			c.place += ", length"
		}
	}
	from := ""
	if len(r.columns) > 0 {
		from = fmt.Sprintf(" from token %d", len(r.columns)+1)
	}
	if r.size != nil {
		r.size.place = where + ", number of tokens" + from
	}
	if r.tail != nil {
		r.tail.place = where + ", tokens" + from
		if r.tail.kind == words {
			r.tail.place += ", length"
		}
	}
}

// A place is a line number that may depend on fields: 3+n.
type place struct {
	number int
	terms  []string
	later  bool // it depends on a number that has no name
}

func (p *place) String() string {
	switch {
	case p.later:
		return fmt.Sprintf("%d or later", p.number)
	case len(p.terms) > 0 && p.number > 0:
		return strings.Join(p.terms, "+") + fmt.Sprintf("+%d", p.number)
	}
	return fmt.Sprint(p.number)
}

// line describes the lines of a block.
func (p *place) line(b *block, within string) string {
	if b.fixed == 1 {
		return "line " + p.String() + within
	}
	return "each line from " + p.String() + within
}

// pass moves the place behind a block.
func (p *place) pass(b *block) {
	switch {
	case b.fixed > 0:
		p.number += b.fixed
	case b.count != nil && b.parts == nil && b.count.of.name != "" && b.count.factor == 1:
		p.terms, p.number = append(p.terms, b.count.of.name), p.number-b.count.bias
	default:
		p.later = true
	}
}
