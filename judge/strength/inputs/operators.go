package inputs

import (
	"math/big"
	"slices"
	"strconv"
)

// operators is the table of changes. Each function returns false if it cannot change the
// region.
var operators = []struct {
	name  string
	apply func(*mutation) bool
}{
	{"number", (*mutation).number},
	{"elements", (*mutation).changeElements},
	{"values", (*mutation).values},
	{"words", (*mutation).words},
	{"size", (*mutation).size},
	{"section", (*mutation).otherSection},
	{"lines", (*mutation).changeLines},
	{"tokens", (*mutation).changeTokens},
	{"word", (*mutation).word},
	{"splice", (*mutation).splice},
}

// at returns a random position in the region whose token satisfies ok.
func (w *mutation) at(ok func(string) bool) (line, column int, found bool) {
	for range 20 {
		if w.base >= w.end {
			return 0, 0, false
		}
		line = w.base + w.Rand.IntN(w.end-w.base)
		if w.Rand.IntN(3) == 0 {
			line = w.base // the first line has the sizes
		}
		if n := len(w.d.lines[line].tokens); n > 0 {
			if column = w.Rand.IntN(n); ok(w.d.lines[line].tokens[column]) {
				return line, column, true
			}
		}
	}
	return 0, 0, false
}

// number replaces a number.
func (w *mutation) number() bool {
	line, column, ok := w.at(IsNumber)
	if !ok {
		return false
	}
	token := &w.d.lines[line].tokens[column]
	name := w.classOf(line, column)
	kind := numberKinds[w.pickOption(Options("number "+name+" ", numberKinds))]
	places := placesOf(*token)
	n := w.numberOf(kind, scaled(*token, places), name, places)
	if kind == "neighbour" {
		if row := w.d.lines[w.base+w.Rand.IntN(w.end-w.base)].tokens; column < len(row) && IsNumber(row[column]) {
			*token = row[column]
			return true
		}
	}
	*token = decimal(n, places)
	return true
}

// numberKinds are the ways to choose a number.
var numberKinds = []string{"step", "small", "low", "high", "within", "power", "dictionary", "prime", "negative",
	"neighbour"}

// primes break hash tables whose sizes they are: the sizes of std::unordered_map of
// libstdc++, and of Java's and Python's tables.
var primes = []int64{107897, 126271, 62233, 85229, 1 << 16, 1 << 20, 1000000007, 998244353}

// numberOf returns a number of a kind, for a token of a class. Numbers are multiples of 10^-places.
func (w *mutation) numberOf(kind string, now *big.Int, name string, places int) *big.Int {
	c := w.class(name)
	scale := pow10(places)
	of := func(n *big.Int) *big.Int { return new(big.Int).Mul(n, scale) }
	low, high := now, now
	if c.low != nil && c.places == places {
		low, high = c.low, c.high
	}
	add := func(n *big.Int, k int64) *big.Int { return new(big.Int).Add(n, big.NewInt(k)) }
	switch kind {
	case "step":
		return add(now, int64(w.Rand.IntN(5)-2))
	case "small":
		return of(big.NewInt(int64(w.Rand.IntN(4))))
	case "low":
		return low
	case "high":
		return high
	case "within":
		return w.between(low, high)
	case "power":
		n := new(big.Int).Lsh(big.NewInt(1), uint(w.Rand.IntN(64)))
		return of(add(n, int64(w.Rand.IntN(3)-1)))
	case "dictionary":
		if len(w.dictionary) > 0 {
			return of(add(w.bound(name), int64([]int{0, 0, -1, 1}[w.Rand.IntN(4)])))
		}
	case "prime":
		n := big.NewInt(primes[w.Rand.IntN(len(primes))])
		return of(n.Mul(n, big.NewInt(int64(1+w.Rand.IntN(1000)))))
	case "negative":
		return new(big.Int).Neg(now)
	}
	return w.between(low, high)
}

// between returns a random number from low to high, half of the time near low.
func (w *mutation) between(low, high *big.Int) *big.Int {
	span := new(big.Int).Sub(high, low)
	if span.Sign() < 0 {
		return low
	}
	if near := big.NewInt(int64(1 + w.Rand.IntN(6))); w.Rand.IntN(2) == 0 && near.Cmp(span) < 0 {
		span = near
	}
	span.Add(span, big.NewInt(1))
	n := new(big.Int).SetUint64(w.Rand.Uint64())
	if span.BitLen() > 63 {
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(w.Rand.Uint64()))
	}
	return n.Mod(n, span).Add(n, low)
}

// word changes a token that is not a number.
func (w *mutation) word() bool {
	line, column, ok := w.at(isWord)
	if !ok {
		return false
	}
	token := &w.d.lines[line].tokens[column]
	name := w.classOf(line, column)
	modes := []string{"other", "character", "swap", "same", "reverse", "part", "twice"}
	mode := modes[w.pickOption(Options("word "+name+" ", modes))]
	c := w.class(name)
	word := []byte(*token)
	i, k := w.Rand.IntN(len(word)), w.Rand.IntN(len(word))
	switch mode {
	case "other":
		if len(c.words) > 0 {
			word = []byte(c.words[w.Rand.IntN(len(c.words))])
		}
	case "character":
		from := *token
		if len(c.words) > 0 {
			from = c.words[w.Rand.IntN(len(c.words))]
		}
		switch {
		case from == "":
		case i < len(from) && w.Rand.IntN(2) == 0:
			word[i] = from[i] // a sign, or a digit of the same place
		default:
			word[i] = from[w.Rand.IntN(len(from))]
		}
	case "swap":
		word[i], word[k] = word[k], word[i]
	case "same":
		for at := min(i, k); at < max(i, k)+1; at++ {
			word[at] = word[i]
		}
	case "reverse":
		slices.Reverse(word)
	case "part":
		word = word[min(i, k) : max(i, k)+1]
	case "twice":
		word = append(word, word[min(i, k):max(i, k)+1]...)
	}
	*token = string(word)
	return true
}

// isWord reports whether the characters of a token may be changed.
func isWord(token string) bool { return token != "" && (!IsNumber(token) || len(token) > 3) }

// changeLines removes, repeats or exchanges lines of an input without counts, or whose
// counts are elsewhere.
func (w *mutation) changeLines() bool {
	if w.end-w.base < 2 {
		return false
	}
	i, k := w.base+w.Rand.IntN(w.end-w.base), w.base+w.Rand.IntN(w.end-w.base)
	switch []string{"remove", "repeat", "exchange",
		"copy"}[w.pickOption(Options("lines "+strconv.Itoa(min(i-w.base, 3))+" ",
		[]string{"remove", "repeat", "exchange", "copy"}))] {
	case "remove":
		w.d.lines = slices.Delete(w.d.lines, i, i+1)
	case "repeat":
		w.d.lines = slices.Insert(w.d.lines, k, w.copies(i)...)
	case "exchange":
		w.d.lines[i], w.d.lines[k] = w.d.lines[k], w.d.lines[i]
	case "copy":
		w.d.lines[k] = w.copies(i)[0]
	}
	return true
}

// copies returns a copy of a line.
func (w *mutation) copies(i int) []line { return cloneLines(w.d.lines[i : i+1]) }

// changeTokens removes, repeats or exchanges tokens of a line.
func (w *mutation) changeTokens() bool {
	line, i, ok := w.at(func(string) bool { return true })
	if !ok {
		return false
	}
	row := w.d.lines[line].tokens
	k := w.Rand.IntN(len(row))
	modes := []string{"remove", "repeat", "exchange", "copy"}
	switch modes[w.pickOption(Options("tokens "+w.classOf(line, 0)+" ", modes))] {
	case "remove":
		if len(row) == 1 {
			return false
		}
		w.d.lines[line].tokens = slices.Delete(row, i, i+1)
	case "repeat":
		w.d.lines[line].tokens = slices.Insert(row, k, row[i])
	case "exchange":
		row[i], row[k] = row[k], row[i]
	case "copy":
		row[k] = row[i]
	}
	return true
}

// splice takes lines from another input: one of the same number of tokens, or all from a
// line on.
func (w *mutation) splice() bool {
	other := w.pool[w.Rand.IntN(len(w.pool))].d
	if w.base >= w.end || len(other.lines) == 0 {
		return false
	}
	i, k := w.base+w.Rand.IntN(w.end-w.base), w.Rand.IntN(len(other.lines))
	if w.Rand.IntN(3) > 0 {
		if i >= len(other.lines) {
			return false
		}
		k = i // corresponding lines
	}
	switch w.pickOption([]string{"splice line", "splice rest"}) {
	case 0:
		if len(w.d.lines[i].tokens) != len(other.lines[k].tokens) {
			return false
		}
		w.d.lines[i] = cloneLines(other.lines[k : k+1])[0]
	case 1:
		w.d.lines = append(w.d.lines[:i:i], cloneLines(other.lines[k:])...)
	}
	return true
}
