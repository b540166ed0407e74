package inputs

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// A Shrinker makes an input smaller, as long as Accept accepts the result.
type Shrinker struct {
	// Accept reports whether an input is kept. Step says how it was made from the one
	// before: "without lines 2 to 3".
	Accept func(input []byte, step string) bool
	Done   func() bool   // reports whether nothing more is tried
	Budget time.Duration // wall-clock time of all changes; those of numbers get a part

	structure
	d *document
}

// Shrink tries all changes of an input until none is accepted, and returns the smallest
// input. The structure is that of the Mutator or, if the input does not have it, of the
// input alone.
func (m *Mutator) Shrink(input []byte, s Shrinker) []byte {
	m.mu.Lock()
	m.learnStructure()
	s.structure = m.structure
	strict := m.strict
	m.mu.Unlock()
	d, tree := s.read(input)
	if (tree == nil || !strict) && len(input) <= maxSample {
		if own, ok := structureOf([][]byte{input}); ok {
			s.structure = own
			d, _ = own.read(input)
		}
	}
	s.d = d
	for changed := true; changed; {
		changed = false
		for _, pass := range []func() bool{s.elements, s.lines, s.tokens, s.numbers, s.words, s.digits,
			s.pairsOfElements, s.pairsOfCharacters} {
			for pass() {
				changed = true
			}
			if s.Done() {
				return s.d.bytes()
			}
		}
	}
	return s.d.bytes()
}

// try tries a document, and keeps it if it is accepted.
func (s *Shrinker) try(d *document, format string, args ...any) bool {
	if s.Done() || !s.Accept(d.bytes(), fmt.Sprintf(format, args...)) {
		return false
	}
	s.d = d
	return true
}

// ranges calls drop for ranges of n elements: halves first, then smaller ones, and last
// single ones. It returns whether drop succeeded.
func ranges(n int, drop func(from, to int) bool) bool {
	for size := n; size > 0; size /= 2 {
		for from := n - size; from >= 0; from -= size {
			if (from > 0 || size < n) && drop(from, from+size) {
				return true
			}
			if from > 0 && from < size {
				if drop(0, from) {
					return true
				}
			}
		}
	}
	return false
}

// fewPlaces is the number of places of which every pair is tried.
const fewPlaces = 16

// pairs calls drop for pairs of n places: all pairs of few places, or else neighbours and
// those as far from the start as from the end, as in a palindrome. It returns whether drop
// succeeded.
func pairs(n int, drop func(a, b int) bool) bool {
	for a := range n {
		others := []int{a + 1, n - 1 - a}
		if n <= fewPlaces {
			others = without(n, 0, a+1)
		}
		for _, b := range others {
			if a < b && b < n && drop(a, b) {
				return true
			}
		}
	}
	return false
}

// without returns the indexes below n outside of a range.
func without(n, from, to int) []int {
	var rest []int
	for i := range n {
		if i < from || i >= to {
			rest = append(rest, i)
		}
	}
	return rest
}

// mostLists bounds the number of lists whose elements are removed.
const mostLists = 200

// elements removes elements of lists.
func (s *Shrinker) elements() bool {
	return s.lists(func(i, n int) bool {
		return ranges(n, func(from, to int) bool {
			return s.choose(i, n, without(n, from, to), "%d to %d of %d", from+1, to, n)
		})
	})
}

// pairsOfElements removes two elements of a list at once.
func (s *Shrinker) pairsOfElements() bool {
	return s.lists(func(i, n int) bool {
		return n > 2 && pairs(n, func(a, b int) bool {
			kept := slices.Delete(without(n, b, b+1), a, a+1)
			return s.choose(i, n, kept, "%d and %d of %d", a+1, b+1, n)
		})
	})
}

// lists calls change for each list of n elements, by its number, until it succeeds.
func (s *Shrinker) lists(change func(i, n int) bool) bool {
	lists := 0
	visit(s.structure.tree(s.d.clone()), func(o occurrence) bool {
		if o.token == nil || o.of.counts {
			lists++
		}
		return lists < mostLists
	})
	for i := range lists {
		if x, _, _ := s.list(i); change(i, x.len()) {
			return true
		}
	}
	return false
}

// choose keeps some elements of list i, with each way to renumber them.
func (s *Shrinker) choose(i, n int, kept []int, format string, args ...any) bool {
	for _, how := range renumberings {
		x, tree, d := s.list(i)
		if !x.choose(kept) {
			return false
		}
		d.lines = flatten(tree, nil)
		renumber(d.lines[min(x.count.index+1, len(d.lines)):], how, kept, n, func(int) int { return 0 })
		if s.try(d, "%s: without elements "+format, append([]any{x.count.of.place}, args...)...) {
			return true
		}
	}
	return false
}

// list returns a list of a copy of the document, by its number.
func (s *Shrinker) list(number int) (x *list, tree []*node, d *document) {
	d = s.d.clone()
	tree = s.structure.tree(d)
	visit(tree, func(o occurrence) bool {
		if o.token == nil || o.of.counts {
			if number--; number < 0 {
				x = listOf(o, tree)
			}
		}
		return x == nil
	})
	return x, tree, d
}

func (s *Shrinker) lines() bool {
	return ranges(len(s.d.lines), func(from, to int) bool {
		d := s.d.clone()
		d.lines = slices.Delete(d.lines, from, to)
		return s.try(d, "without lines %d to %d", from+1, to)
	})
}

func (s *Shrinker) tokens() bool {
	for i := range min(len(s.d.lines), 1000) {
		n := len(s.d.lines[i].tokens)
		if n > 1 && ranges(n, func(from, to int) bool {
			d := s.d.clone()
			d.lines[i].tokens = slices.Delete(d.lines[i].tokens, from, to)
			return s.try(d, "line %d: without tokens %d to %d", i+1, from+1, to)
		}) {
			return true
		}
	}
	return false
}

// numbers moves numbers towards zero.
func (s *Shrinker) numbers() (changed bool) {
	until := time.Now().Add(s.Budget / 3)
	for i := 0; i < len(s.d.lines); i++ {
		for column := 0; column < len(s.d.lines[i].tokens); column++ {
			token := s.d.lines[i].tokens[column]
			if !IsNumber(token) || token == "0" || time.Now().After(until) {
				continue
			}
			places := placesOf(token)
			for _, smaller := range TowardsZero(scaled(token, places)) {
				d := s.d.clone()
				d.lines[i].tokens[column] = decimal(smaller, places)
				if s.try(d, "line %d, token %d: %s instead of %s", i+1, column+1, decimal(smaller, places), token) {
					changed = true
					break
				}
			}
		}
	}
	return changed
}

// digits makes characters of long tokens 0 or, in a token with dots, a dot: these often
// stand for nothing.
func (s *Shrinker) digits() (changed bool) {
	until := time.Now().Add(s.Budget / 3)
	for i := 0; i < len(s.d.lines); i++ {
		for column, token := range s.d.lines[i].tokens {
			blank := byte('0')
			if strings.Contains(token, ".") {
				blank = '.'
			}
			for at := range len(token) {
				if len(token) < 4 || token[at] == blank || !allDigits(token[at:at+1]) || time.Now().After(until) {
					continue
				}
				d := s.d.clone()
				now := d.lines[i].tokens[column]
				d.lines[i].tokens[column] = now[:at] + string(blank) + now[at+1:]
				changed = s.try(d, "line %d, token %d: %c at %d", i+1, column+1, blank, at+1) || changed
			}
		}
	}
	return changed
}

// TowardsZero returns numbers that are simpler than n, the simplest first.
func TowardsZero(n *big.Int) (simpler []*big.Int) {
	add := func(k *big.Int) {
		if k.CmpAbs(n) < 0 && !slices.ContainsFunc(simpler, func(one *big.Int) bool { return one.Cmp(k) == 0 }) {
			simpler = append(simpler, k)
		}
	}
	for _, small := range []int64{0, 1, 2, -1} {
		add(big.NewInt(small))
	}
	add(new(big.Int).Quo(n, big.NewInt(10)))
	add(new(big.Int).Quo(n, big.NewInt(2)))
	add(new(big.Int).Sub(n, big.NewInt(int64(n.Sign()))))
	return simpler
}

// words shortens tokens that are not numbers.
func (s *Shrinker) words() bool {
	return s.shorten(func(i, column int, token string) bool {
		return ranges(len(token), func(from, to int) bool {
			return s.replace(i, column, token[:from]+token[to:], "without characters %d to %d", from+1, to)
		})
	})
}

// pairsOfCharacters removes two characters of a token at once.
func (s *Shrinker) pairsOfCharacters() bool {
	return s.shorten(func(i, column int, token string) bool {
		return len(token) > 2 && pairs(len(token), func(a, b int) bool {
			return s.replace(i, column, token[:a]+token[a+1:b]+token[b+1:], "without characters %d and %d", a+1, b+1)
		})
	})
}

// shorten calls change for each token that is no number, until it succeeds.
func (s *Shrinker) shorten(change func(i, column int, token string) bool) bool {
	for i := range min(len(s.d.lines), 1000) {
		for column, token := range s.d.lines[i].tokens {
			if len(token) >= 2 && (!IsNumber(token) || len(token) >= 20) && change(i, column, token) {
				return true
			}
		}
	}
	return false
}

// replace tries another token in place of one.
func (s *Shrinker) replace(i, column int, token, format string, args ...any) bool {
	d := s.d.clone()
	d.lines[i].tokens[column] = token
	return s.try(d, "line %d, token %d: "+format, append([]any{i + 1, column + 1}, args...)...)
}
