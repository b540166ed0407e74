package inputs

import (
	"slices"
	"strconv"
)

// A list is all that one occurrence of a quantity counts: groups of lines, tokens, or
// characters of words, whose elements belong together if there are several of these.
type list struct {
	count occurrence
	parts []part
}

// A part is one of the parts of a list.
type part struct {
	of    *reference // nil if the quantity is the number of elements itself
	node  *node      // whose groups are the elements; or
	line  *line      // whose tokens are,
	from  int        // from this one on,
	width int        // so many for each element; or
	word  *string    // whose characters are
}

// listOf returns the list that an occurrence counts.
func listOf(o occurrence, tree []*node) *list {
	x := &list{count: o}
	switch {
	case o.node != nil:
		x.parts = []part{{node: o.node}}
		return x
	case o.line != nil:
		x.parts = []part{{line: o.line, from: o.from, width: 1}}
		return x
	}
	active := false // the latest occurrence of the field is o
	var walk func([]*node)
	walk = func(nodes []*node) {
		for _, n := range nodes {
			if c := n.block.count; active && c != nil && c.of == o.of {
				x.parts = append(x.parts, part{of: c, node: n})
			}
			for _, g := range n.groups {
				walk(g.parts)
				for i := range g.rows {
					r, l := n.block.rows[i], &g.rows[i]
					for k, c := range r.columns {
						if c == o.of {
							active = &l.tokens[k] == o.token
						}
						if active && c.length != nil && c.length.of == o.of {
							x.parts = append(x.parts, part{of: c.length, word: &l.tokens[k]})
						}
					}
					if active && r.count != nil && r.count.of == o.of {
						x.parts = append(x.parts, part{of: r.count, line: l, from: len(r.columns), width: r.count.factor})
					}
				}
			}
		}
	}
	walk(tree)
	return x
}

// len returns the number of elements.
func (p *part) len() int {
	switch {
	case p.node != nil:
		return len(p.node.groups)
	case p.line != nil:
		return (len(p.line.tokens) - p.from) / p.width
	}
	return len(*p.word)
}

// len returns the number of elements, 0 if nothing is counted.
func (x *list) len() int {
	if len(x.parts) == 0 {
		return 0
	}
	return x.parts[0].len()
}

// choose makes the elements those of an order, in which an index may occur several times,
// and changes the count. It reports false if that is not possible.
func (x *list) choose(order []int) bool {
	n := x.len()
	orders := make([][]int, len(x.parts))
	for i := range x.parts {
		ok := true
		if orders[i], ok = reduced(order, n, x.parts[i].len()); !ok {
			return false
		}
	}
	if x.count.token != nil {
		v, _ := Integer(*x.count.token)
		*x.count.token = strconv.FormatInt(v+int64(len(order)-n), 10)
	}
	// Tokens before lines, because copies of lines have the tokens.
	for i, p := range slices.Backward(x.parts) {
		if p.node == nil {
			p.choose(orders[i])
		}
	}
	for i, p := range slices.Backward(x.parts) {
		if p.node != nil {
			p.node.choose(orders[i])
		}
	}
	return true
}

// reduced returns the order of m elements that belong to n others, such as the edges of a
// path to its vertices.
func reduced(order []int, n, m int) ([]int, bool) {
	size := len(order) + m - n
	switch {
	case m == n:
		return order, true
	case size < 0 || m == 0 && size > 0:
		return nil, false
	}
	order = slices.DeleteFunc(slices.Clone(order), func(e int) bool { return e >= m })
	for len(order) < size {
		order = append(order, m-1)
	}
	return order[:size], true
}

// choose makes the tokens or characters those of an order.
func (p *part) choose(order []int) {
	if p.word != nil {
		word := make([]byte, len(order))
		for i, e := range order {
			word[i] = (*p.word)[e]
		}
		*p.word = string(word)
		return
	}
	tokens := slices.Clone(p.line.tokens[:p.from])
	for _, e := range order {
		at := p.from + e*p.width
		tokens = append(tokens, p.line.tokens[at:at+p.width]...)
	}
	p.line.tokens = tokens
}

// An elementToken is a token of an element.
type elementToken struct {
	text *string
	of   *field // nil if it is not known
}

// tokens returns the tokens of an element that has no structure of its own.
func (p *part) tokens(element int) (all []elementToken) {
	add := func(l *line, from, to int) {
		for i := from; i < to; i++ {
			all = append(all, elementToken{&l.tokens[i], l.row.field(i)})
		}
	}
	switch {
	case p.node != nil && element < len(p.node.groups):
		rows := p.node.groups[element].rows
		for i := range rows {
			add(&rows[i], 0, len(rows[i].tokens))
		}
	case p.line != nil && p.from+(element+1)*p.width <= len(p.line.tokens):
		add(p.line, p.from+element*p.width, p.from+(element+1)*p.width)
	}
	return all
}

// counts returns an occurrence of each quantity that counts something, at random among
// those of the same quantity.
func (w *mutation) counts() (all []occurrence) {
	at, number := make(map[*field]int), make(map[*field]int)
	visit(w.tree, func(o occurrence) bool {
		if o.token != nil && !o.of.counts {
			return true
		}
		number[o.of]++
		if i, known := at[o.of]; !known {
			at[o.of], all = len(all), append(all, o)
		} else if w.Rand.IntN(number[o.of]) == 0 {
			all[i] = o
		}
		return true
	})
	return all
}

// changeElements changes which elements a list has, and the count with them.
func (w *mutation) changeElements() bool {
	counts := w.counts()
	if len(counts) == 0 {
		return false
	}
	names := make([]string, len(counts))
	for i, o := range counts {
		names[i] = "count " + o.of.place
	}
	pick := w.pickOption(names)
	x := listOf(counts[pick], w.tree)
	n := x.len()
	w.enclose(x.count.index)
	change := elementChanges[w.pickOption(Options(names[pick]+" ", elementChanges))]
	order := w.order(change, n)
	if change == "fill" {
		order = w.fill(n, x)
	}
	if order == nil || len(order) > mostElements || !x.choose(order) {
		return false
	}
	how := ""
	if len(order) > n {
		w.vary(extensions[w.pickOption(Options("extend "+names[pick]+" ", extensions))], x, order, n)
	} else if len(order) < n {
		how = renumberings[w.pickOption(Options("renumber "+names[pick]+" ", renumberings))]
	}
	before := len(w.d.lines)
	w.d.lines = flatten(w.tree, nil)
	// The list may lie outside of the section that has its count.
	w.end = min(max(w.end+len(w.d.lines)-before, w.base), len(w.d.lines))
	renumber(w.d.lines[min(x.count.index+1, w.end):w.end], how, order, n, w.Rand.IntN)
	return true
}

// mostElements bounds the growth of inputs.
const mostElements = 1 << 18

// header returns a line that may have counts: usually the first of the region.
func (w *mutation) header() (int, bool) {
	if w.base >= w.end {
		return 0, false
	}
	line := w.base
	if w.Rand.IntN(4) == 0 {
		line += w.Rand.IntN(min(w.end-w.base, 6))
	}
	return line, len(w.d.lines[line].tokens) > 0
}

var elementChanges = []string{"remove one", "remove some", "few", "half", "repeat one", "repeat all", "fill", "same",
	"shuffle", "reverse", "exchange"}

// order returns which of n elements remain, and in which order; nil if the change cannot
// be made.
func (w *mutation) order(change string, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n == 0 {
		return nil
	}
	i, k := w.Rand.IntN(n), w.Rand.IntN(n)
	switch change {
	case "remove one":
		return slices.Delete(all, i, i+1)
	case "remove some":
		return slices.Delete(all, min(i, k), max(i, k))
	case "few":
		return all[:min(n, w.Rand.IntN(7))]
	case "half":
		return all[n/2*w.Rand.IntN(2):][:n/2]
	case "repeat one":
		return slices.Insert(all, k, i)
	case "repeat all":
		return slices.Concat(all, all)
	case "same":
		for place := range all {
			all[place] = i
		}
	case "shuffle":
		w.Rand.Shuffle(n, func(i, k int) { all[i], all[k] = all[k], all[i] })
	case "reverse":
		slices.Reverse(all)
	case "exchange":
		all[i], all[k] = all[k], all[i]
	}
	return all
}

// fill returns n elements of a list and more after them, which repeat these: up to a size
// that the validators name, such as the largest one, or a few more.
func (w *mutation) fill(n int, x *list) []int {
	if n == 0 {
		return nil
	}
	room := min(mostElements, maxFilled/(1+w.seed.size/n)) // elements have about the same size
	size := n + 1 + w.Rand.IntN(10)
	switch w.Rand.IntN(4) {
	case 0, 1:
		bias := 0
		if of := x.parts[0].of; of != nil {
			bias = of.bias
		}
		if bound := w.bound("count " + x.count.of.place); bound.IsInt64() && bound.Int64()-int64(bias) > int64(n) &&
			bound.Int64() <= int64(room) {
			size = int(bound.Int64()) - bias
		}
	case 2:
		size = n * (2 + w.Rand.IntN(6))
	}
	if size > room || size <= n {
		return nil
	}
	order := make([]int, size)
	first, one := w.Rand.IntN(n), w.Rand.IntN(2) == 0
	for i := range order {
		switch {
		case i < n:
			order[i] = i
		case one:
			order[i] = first
		default:
			order[i] = w.Rand.IntN(n)
		}
	}
	return order
}

// maxFilled is about the largest size in bytes of an input that is filled up: larger ones
// take long to check.
const maxFilled = 256 << 10

// renumberings are what happens to integers that may be indexes of removed elements: they
// stay; or elements are numbered from 1 or 0, and those after a removed element move up;
// or indexes that are too large are replaced.
var renumberings = []string{"none", "from 1", "from 0", "largest from 1", "largest from 0"}

// renumber changes the integers of lines after n elements became those of order.
func renumber(lines []line, how string, order []int, n int, random func(int) int) {
	if how == "" || how == "none" {
		return
	}
	first := 1
	if how == "from 0" || how == "largest from 0" {
		first = 0
	}
	place := make(map[int]int, len(order)) // new place of an old element
	for i, e := range order {
		place[e] = i
	}
	for _, l := range lines {
		for column, token := range l.tokens {
			v, ok := Integer(token)
			if !ok || v < int64(first) || v >= int64(n+first) {
				continue
			}
			to, kept := place[int(v)-first]
			switch {
			case how == "from 1" || how == "from 0":
				if !kept && len(order) > 0 {
					to = random(len(order))
				}
			case int(v)-first < len(order):
				continue
			case len(order) > 0:
				to = random(len(order))
			}
			l.tokens[column] = strconv.Itoa(to + first)
		}
	}
}

// extensions are what happens to new elements, which are copies of others: they stay; or
// one integer of each becomes the next index, from 1 or 0, as for a new vertex of a tree
// or a longer permutation; two become the last index and the next one, as in a path; or
// their numbers become random.
var extensions = []string{"none", "next from 1", "next from 0", "path from 1", "path from 0", "random"}

// vary changes the elements of order that repeat an earlier one. The list had n elements.
func (w *mutation) vary(how string, x *list, order []int, n int) {
	if how == "none" {
		return
	}
	seen := make(map[int]bool, len(order))
	next := int64(n)
	if of := x.parts[0].of; of != nil {
		next += int64(of.bias)
	}
	if how == "next from 1" || how == "path from 1" {
		next++
	}
	star := w.Rand.IntN(2) == 0 // the same integer of all new elements
	pick := w.Rand.IntN(1 << 20)
	for place, e := range order {
		if !seen[e] {
			seen[e] = true
			continue
		}
		for _, p := range x.parts {
			var at []*string
			class := ""
			for _, t := range p.tokens(place) {
				if IsNumber(*t.text) {
					at = append(at, t.text)
				}
				if t.of != nil && class == "" {
					class = t.of.place
				}
			}
			if !star {
				pick = w.Rand.IntN(1 << 20)
			}
			switch {
			case len(at) == 0:
			case how == "random":
				w.setValues("within", at, class)
			case how == "path from 1" || how == "path from 0":
				*at[0] = strconv.FormatInt(next-1, 10)
				*at[min(1, len(at)-1)] = strconv.FormatInt(next, 10)
			default:
				*at[pick%len(at)] = strconv.FormatInt(next, 10)
			}
		}
		next++
	}
}

// size changes an integer of the first line, and the integers after it that would be
// above it.
func (w *mutation) size() bool {
	line, ok := w.header()
	if !ok {
		return false
	}
	column := w.Rand.IntN(min(len(w.d.lines[line].tokens), 6))
	token := &w.d.lines[line].tokens[column]
	old, ok := Integer(*token)
	if !ok || old < 1 {
		return false
	}
	options := []string{"stay", "from 1", "from 0"}
	name := w.classOf(line, column)
	how := options[w.pickOption(Options("size "+name+" ", options))]
	n := 1 + w.Rand.Int64N(old)
	switch w.Rand.IntN(4) {
	case 0:
		n = min(old, 1+w.Rand.Int64N(6))
	case 1:
		if c := w.class(name); c.high != nil && c.places == 0 && c.high.IsInt64() {
			n = c.high.Int64()
		}
	case 2:
		if bound := w.bound(name); bound.IsInt64() {
			n = bound.Int64()
		}
	}
	n = max(n, 1)
	*token = strconv.FormatInt(n, 10)
	if how == "stay" {
		return true
	}
	for i := line + 1; i < w.end; i++ {
		for k, token := range w.d.lines[i].tokens {
			v, ok := Integer(token)
			switch {
			case !ok || v > old:
			case how == "from 1" && v > n:
				w.d.lines[i].tokens[k] = strconv.FormatInt(1+w.Rand.Int64N(n), 10)
			case how == "from 0" && v >= n:
				w.d.lines[i].tokens[k] = strconv.FormatInt(w.Rand.Int64N(n), 10)
			}
		}
	}
	return true
}

// otherSection replaces a section by one of another input.
func (w *mutation) otherSection() bool {
	other := w.pool[w.Rand.IntN(len(w.pool))]
	if len(w.sections) == 0 || len(other.sections) == 0 {
		return false
	}
	from, to := w.sections[w.Rand.IntN(len(w.sections))], other.sections[w.Rand.IntN(len(other.sections))]
	lines := cloneLines(other.d.lines[to[0]:to[1]])
	if len(lines) > 0 && from[0] < from[1] {
		lines[0].gap = w.d.lines[from[0]].gap
	}
	w.d.lines = slices.Concat(w.d.lines[:from[0]], lines, w.d.lines[from[1]:])
	return true
}
