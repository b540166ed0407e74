package stress

import (
	"math"
	"slices"
	"strconv"
)

// changeElements changes the elements of a count, and the count with them.
func (w *work) changeElements() bool {
	line, ok := w.header()
	if !ok {
		return false
	}
	groups := groupsOf(w.d.counts(line, w.end), w.base)
	if len(groups) == 0 {
		return false
	}
	options := make([]string, len(groups))
	for i, g := range groups {
		options[i] = "count " + g.form
	}
	g := groups[w.pickOption(options)]
	n := g.counts[0].elements
	change := elementChanges[w.pickOption(optionsOf("change ", elementChanges))]
	order := w.order(change, n)
	if change == "fill" {
		order = w.fill(n, g.counts[0].bias, w.classOf(line, g.counts[0].column))
	}
	if order == nil || len(order) > maxElements {
		return false
	}
	g.keep(w.d, order)
	w.end = min(max(w.end, w.end+len(order)-n), w.d.end())
	switch {
	case len(order) < n:
		w.renumber(renumberings[w.pickOption(optionsOf("renumber "+g.form+" ", renumberings))], line+1, order, n)
	case len(order) > n:
		w.vary(extensions[w.pickOption(optionsOf("extend "+g.form+" ", extensions))], &g, order)
	}
	return true
}

// maxElements bounds the growth of inputs.
const maxElements = 1 << 18

// header returns a line that may have counts: usually the first of the region.
func (w *work) header() (int, bool) {
	if w.base >= w.end {
		return 0, false
	}
	if w.rand.IntN(4) > 0 {
		return w.base, true
	}
	return w.base + w.rand.IntN(min(w.end-w.base, 6)), true
}

// A group is a set of counts that are the same integer: those of lines and tokens of a
// square, or of two lists of the same length.
type group struct {
	counts []count
	form   string
}

// groupsOf returns the counts one by one, and combined with others of the same integer.
func groupsOf(counts []count, base int) (groups []group) {
	for i, a := range counts {
		groups = append(groups, group{[]count{a}, a.form(base)})
		for _, b := range counts[i+1:] {
			if a.column != b.column || a.bias != b.bias || a.line != b.line {
				continue
			}
			// Tokens before lines, so that the lines of both are still where they were.
			first, second := a, b
			if a.kind == ofLines {
				first, second = b, a
			}
			apart := first.to <= second.from || second.to <= first.from
			if first.kind != ofLines && (second.kind != first.kind || apart) && (apart || second.kind == ofLines) {
				groups = append(groups, group{[]count{first, second}, join(first.form(base), second.form(base))})
			}
		}
	}
	return groups
}

// keep applies [document.keep] to all counts of the group.
func (g *group) keep(d *document, order []int) {
	for _, c := range g.counts {
		d.keep(c, order)
	}
}

var elementChanges = []string{"remove one", "remove some", "few", "half", "repeat one", "repeat all", "fill", "same",
	"shuffle", "reverse", "exchange"}

// order returns which of n elements remain, and in which order; nil if the change cannot
// be made.
func (w *work) order(change string, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if n == 0 {
		return nil
	}
	i, k := w.rand.IntN(n), w.rand.IntN(n)
	switch change {
	case "remove one":
		return slices.Delete(all, i, i+1)
	case "remove some":
		return slices.Delete(all, min(i, k), max(i, k))
	case "few":
		return all[:min(n, w.rand.IntN(7))]
	case "half":
		return all[n/2*w.rand.IntN(2):][:n/2]
	case "repeat one":
		return slices.Insert(all, k, i)
	case "repeat all":
		return slices.Concat(all, all)
	case "fill":
		return w.fill(n, 0, "sections")
	case "same":
		for place := range all {
			all[place] = i
		}
	case "shuffle":
		w.rand.Shuffle(n, func(i, k int) { all[i], all[k] = all[k], all[i] })
	case "reverse":
		slices.Reverse(all)
	case "exchange":
		all[i], all[k] = all[k], all[i]
	}
	return all
}

// fill returns n elements and more after them, which repeat these: up to a size that the
// validators name, such as the largest one, or a few more.
func (w *work) fill(n, bias int, class string) []int {
	if n == 0 {
		return nil
	}
	room := min(maxElements, maxFilled/(1+w.seed.size/n)) // elements have about the same size
	size := n + 1 + w.rand.IntN(10)
	switch w.rand.IntN(4) {
	case 0, 1:
		if bound := w.bound(class); bound.IsInt64() && bound.Int64()-int64(bias) > int64(n) && bound.Int64() <= int64(room) {
			size = int(bound.Int64()) - bias
		}
	case 2:
		size = n * (2 + w.rand.IntN(6))
	}
	if size > room || size <= n {
		return nil
	}
	order := make([]int, size)
	first, one := w.rand.IntN(n), w.rand.IntN(2) == 0
	for i := range order {
		switch {
		case i < n:
			order[i] = i
		case one:
			order[i] = first
		default:
			order[i] = w.rand.IntN(n)
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
func (w *work) renumber(how string, from int, order []int, n int) {
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
	for line := from; line < w.end; line++ {
		for column, token := range w.d.lines[line] {
			v, ok := integer(token)
			if !ok || v < int64(first) || v >= int64(n+first) {
				continue
			}
			to, kept := place[int(v)-first]
			switch {
			case how == "from 1" || how == "from 0":
				if !kept && len(order) > 0 {
					to = w.rand.IntN(len(order))
				}
			case int(v)-first < len(order):
				continue
			case len(order) > 0:
				to = w.rand.IntN(len(order))
			}
			w.d.lines[line][column] = strconv.Itoa(to + first)
		}
	}
}

// extensions are what happens to new elements, which are copies of others: they stay; or
// one integer of each becomes the next index, from 1 or 0, as for a new vertex of a tree
// or a longer permutation; two become the last index and the next one, as in a path; or
// their numbers become random.
var extensions = []string{"none", "next from 1", "next from 0", "path from 1", "path from 0", "random"}

// vary changes the elements of order that repeat an earlier one.
func (w *work) vary(how string, g *group, order []int) {
	if how == "none" {
		return
	}
	seen := make(map[int]bool, len(order))
	next := int64(g.counts[0].elements + g.counts[0].bias)
	if how == "next from 1" || how == "path from 1" {
		next++
	}
	star := w.rand.IntN(2) == 0 // the same integer of all new elements
	pick := w.rand.IntN(1 << 20)
	for place, e := range order {
		if !seen[e] {
			seen[e] = true
			continue
		}
		for _, c := range g.counts {
			at := w.tokensOf(c, place)
			if !star {
				pick = w.rand.IntN(1 << 20)
			}
			switch {
			case len(at) == 0:
			case how == "random":
				w.setValues("within", at, w.classOf(c.from, c.start))
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

// tokensOf returns the numbers in an element of a count.
func (w *work) tokensOf(c count, place int) (at []*string) {
	from, to, start, width := c.from, c.to, c.start+place, 1
	switch c.kind {
	case ofLines:
		from, to, start, width = c.from+place*c.stride, c.from+(place+1)*c.stride, 0, math.MaxInt
	case ofChars:
		return nil
	}
	// Another count of the group may have changed the lines of this one.
	for line := from; line < min(to, len(w.d.lines)); line++ {
		row := w.d.lines[line]
		for i := start; i < len(row) && i-start < width; i++ {
			if isNumber(row[i]) {
				at = append(at, &row[i])
			}
		}
	}
	return at
}

// size changes an integer of the first line, and the integers after it that would be
// above it.
func (w *work) size() bool {
	line, ok := w.header()
	if !ok {
		return false
	}
	column := w.rand.IntN(min(len(w.d.lines[line]), 6))
	old, ok := integer(w.d.lines[line][column])
	if !ok || old < 1 {
		return false
	}
	options := []string{"stay", "from 1", "from 0"}
	how := options[w.pickOption(optionsOf("size "+w.classOf(line, column)+" ", options))]
	n := 1 + w.rand.Int64N(old)
	switch w.rand.IntN(4) {
	case 0:
		n = min(old, 1+w.rand.Int64N(6))
	case 1:
		if c := w.class(w.classOf(line, column)); c.high != nil && c.places == 0 && c.high.IsInt64() {
			n = c.high.Int64()
		}
	case 2:
		if bound := w.bound(w.classOf(line, column)); bound.IsInt64() {
			n = bound.Int64()
		}
	}
	n = max(n, 1)
	w.d.lines[line][column] = strconv.FormatInt(n, 10)
	if how == "stay" {
		return true
	}
	for i := line + 1; i < w.end; i++ {
		for k, token := range w.d.lines[i] {
			v, ok := integer(token)
			switch {
			case !ok || v > old:
			case how == "from 1" && v > n:
				w.d.lines[i][k] = strconv.FormatInt(1+w.rand.Int64N(n), 10)
			case how == "from 0" && v >= n:
				w.d.lines[i][k] = strconv.FormatInt(w.rand.Int64N(n), 10)
			}
		}
	}
	return true
}

// changeSections changes which sections the document has.
func (w *work) changeSections() bool {
	all := w.d.sections()
	if len(all) == 0 {
		return false
	}
	s := all[w.rand.IntN(len(all))]
	n := len(s.starts) - 1
	if n > maxElements {
		return false
	}
	changes := append([]string{"other"}, elementChanges...)
	change := changes[w.pickOption(optionsOf("sections ", changes))]
	if change == "other" {
		return w.otherSection(s)
	}
	order := w.order(change, n)
	if len(order) == 0 || len(order) > maxElements {
		return false
	}
	w.d.choose(s, order)
	w.base, w.end = 0, w.d.end()
	return true
}

// otherSection replaces a section by one of another input.
func (w *work) otherSection(s sections) bool {
	from := w.pool[w.rand.IntN(len(w.pool))]
	if len(from.sections) == 0 {
		return false
	}
	o := from.sections[0]
	i, k := w.rand.IntN(len(s.starts)-1), w.rand.IntN(len(o.starts)-1)
	var lines [][]string
	begin, end := o.bounds(k)
	for _, line := range from.d.lines[begin:end] {
		lines = append(lines, slices.Clone(line))
	}
	begin, end = s.bounds(i)
	w.d.lines = slices.Concat(w.d.lines[:begin], lines, w.d.lines[end:])
	w.base, w.end = 0, w.d.end()
	return true
}
