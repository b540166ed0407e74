package inputs

import (
	"math"
	"math/big"
	"slices"
)

// values replaces numbers that belong together: those of a line, of a column of several
// lines, or of all of these lines. So it makes inputs of the same form whose numbers are
// related: all negative, equal, sorted, distinct, or at a bound.
func (w *mutation) values() bool {
	from, to, ok := w.part()
	if !ok {
		return false
	}
	name := w.classOf(from, 0)
	shape := valueShapes[w.pickOption(Options("values "+name+" ", valueShapes))]
	mode := valueModes[w.pickOption(Options("values "+name+" ", valueModes))]
	// The numbers of some columns of all these lines, without those that are too long.
	of := func(start, end, longest int) (at []*string) {
		for line := from; line < to; line++ {
			if len(w.d.lines[line].tokens) <= longest {
				at = append(at, w.numbersOf(line, start, end)...)
			}
		}
		return at
	}
	switch shape {
	case "block":
		w.setValues(mode, of(0, math.MaxInt, math.MaxInt), name)
		return true
	case "column":
		column := w.Rand.IntN(max(1, len(w.d.lines[from].tokens)))
		w.setValues(mode, of(column, column+1, math.MaxInt), w.classOf(from, column))
		return true
	case "columns":
		for column := range columnsOf(w.d.lines[from:to]) {
			w.setValues(mode, of(column, column+1, longLine), w.classOf(from, column))
		}
	}
	for line := from; line < to; line++ {
		if n := len(w.d.lines[line].tokens); n > longLine || shape != "columns" {
			start := 0
			if shape == "tails" {
				start = min(1, max(0, n-1))
			}
			w.setValues(mode, w.numbersOf(line, start, n), w.classOf(line, max(0, n-1)))
		}
	}
	return true
}

// valueShapes are the numbers that belong together: those of each column of lines that are
// no lists, and of each line that is one; of one column; of each line, with or without its
// first token, which may be a count; or of all lines.
var valueShapes = []string{"columns", "column", "lines", "tails", "block"}

// valueModes are the ways to choose numbers that belong together.
var valueModes = []string{
	"within", "few", "distinct", "extremes", "wide",
	"equal", "low", "high", "bound", "zero",
	"negate", "negative", "add",
	"shuffle", "ascending", "descending", "reverse", "consecutive", "alternate",
}

// part returns random lines of the region: all, those after the first one, which may have
// counts, or a few.
func (w *mutation) part() (from, to int, ok bool) {
	from, to = w.base, w.end
	if w.Rand.IntN(4) > 0 && to-from > 1 {
		from++
	}
	if w.Rand.IntN(3) == 0 && from < to {
		from += w.Rand.IntN(to - from)
		to = min(to, from+1+w.Rand.IntN(4))
	}
	return from, to, from < to
}

// longLine is the number of tokens above which a line is a list, whose tokens are alike.
const longLine = 8

// columnsOf returns the largest number of tokens of lines that are no lists.
func columnsOf(lines []line) int {
	n := 0
	for _, line := range lines {
		if len(line.tokens) <= longLine {
			n = max(n, len(line.tokens))
		}
	}
	return n
}

// numbersOf returns the numbers among some tokens of a line.
func (w *mutation) numbersOf(line, from, to int) (at []*string) {
	row := w.d.lines[line].tokens
	for i := from; i < min(to, len(row)); i++ {
		if IsNumber(row[i]) {
			at = append(at, &row[i])
		}
	}
	return at
}

// setValues replaces numbers that belong together, of a class.
func (w *mutation) setValues(mode string, at []*string, name string) {
	c := w.class(name)
	if len(at) == 0 || c.low == nil {
		return
	}
	places := c.places
	numbers := make([]*big.Int, len(at))
	for _, token := range at {
		places = max(places, placesOf(*token))
	}
	for i, token := range at {
		numbers[i] = scaled(*token, places)
	}
	if places == c.places {
		w.chooseValues(mode, name, numbers)
	}
	w.arrangeValues(mode, numbers)
	for i, token := range at {
		*token = decimal(numbers[i], places)
	}
}

// chooseValues sets numbers by the range of their class.
func (w *mutation) chooseValues(mode, name string, numbers []*big.Int) {
	c := w.class(name)
	one := pow10(c.places)
	low, high := c.low, c.high
	switch mode {
	case "few":
		high = minOf(high, new(big.Int).Add(low, big.NewInt(int64(1+w.Rand.IntN(4)))))
	case "wide", "bound":
		high = new(big.Int).Mul(w.bound(name), one)
		low = [...]*big.Int{c.low, new(big.Int), one, new(big.Int).Neg(high)}[w.Rand.IntN(4)]
		if low.Cmp(high) > 0 {
			low, high = high, low
		}
	case "negative":
		high = minOf(high, new(big.Int).Neg(one))
		low = minOf(low, new(big.Int).Neg(c.high))
	}
	constant := map[string]*big.Int{"low": low, "high": high, "bound": high, "zero": new(big.Int),
		"equal": w.between(low, high)}[mode]
	for i := range numbers {
		switch mode {
		case "within", "few", "wide", "negative", "distinct":
			numbers[i] = w.between(low, high)
		case "extremes":
			numbers[i] = [...]*big.Int{low, high}[w.Rand.IntN(2)]
		}
		if constant != nil {
			numbers[i] = constant
		}
	}
}

func minOf(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// arrangeValues changes the order of numbers, or all in the same way.
func (w *mutation) arrangeValues(mode string, numbers []*big.Int) {
	by := big.NewInt(1)
	change := func(of func(i int) *big.Int) {
		for i := range numbers {
			numbers[i] = of(i)
		}
	}
	switch mode {
	case "negate":
		change(func(i int) *big.Int { return new(big.Int).Neg(numbers[i]) })
	case "add":
		by.SetInt64(int64(w.Rand.IntN(7) - 3))
		change(func(i int) *big.Int { return new(big.Int).Add(numbers[i], by) })
	case "consecutive":
		first := numbers[0]
		if w.Rand.IntN(2) == 0 {
			first = big.NewInt(int64(w.Rand.IntN(3)))
		}
		change(func(i int) *big.Int { return new(big.Int).Add(first, big.NewInt(int64(i))) })
	case "alternate":
		two := [2]*big.Int{numbers[0], numbers[len(numbers)-1]}
		change(func(i int) *big.Int { return two[i%2] })
	case "shuffle":
		w.Rand.Shuffle(len(numbers), func(i, k int) { numbers[i], numbers[k] = numbers[k], numbers[i] })
	case "reverse":
		slices.Reverse(numbers)
	case "ascending", "distinct", "descending":
		slices.SortFunc(numbers, (*big.Int).Cmp)
	}
	switch mode {
	case "descending":
		slices.Reverse(numbers)
	case "distinct":
		for i := 1; i < len(numbers); i++ {
			if numbers[i].Cmp(numbers[i-1]) <= 0 {
				numbers[i] = new(big.Int).Add(numbers[i-1], by)
			}
		}
		w.Rand.Shuffle(len(numbers), func(i, k int) { numbers[i], numbers[k] = numbers[k], numbers[i] })
	}
}

// bound returns a number of the dictionary, or its negative. Of a few numbers it learns
// which ones are valid as tokens of a class.
func (w *mutation) bound(class string) *big.Int {
	n := len(w.dictionary)
	if n == 0 {
		return new(big.Int)
	}
	i := w.Rand.IntN(2 * n)
	if n <= fewBounds {
		i = w.pickOption(Options("bound "+class+" ", w.bounds))
	}
	if i >= n {
		return new(big.Int).Neg(w.dictionary[i-n])
	}
	return w.dictionary[i]
}

// fewBounds is the size of a dictionary of which each number is tried often enough to
// learn from the results.
const fewBounds = 24

// boundNames returns the names of the numbers that bound chooses from.
func boundNames(dictionary []*big.Int) []string {
	names := make([]string, 2*len(dictionary))
	for i, n := range dictionary {
		names[i], names[len(dictionary)+i] = n.String(), "-"+n.String()
	}
	return names
}
