package mutate

import "math/bits"

// A stream computes the hash of a program's tokens after an edit from hashes of the
// tokens before and after it, so that thousands of mutants are compared in the time
// of reading the program once.
type stream struct {
	tokens []lexeme // comments left out; each operator sign by itself
	prefix []uint64 // prefix[i]: hash of the first i tokens
	powers []uint64 // powers[i]: base to the i
}

// The hash is a polynomial modulo the prime 2^61 - 1: of a million mutants, two
// with different tokens have the same hash with a probability below 10^-3.
const (
	modulus = 1<<61 - 1
	base    = 0x1b873593cc9e2d51 % modulus
)

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return reduce((lo & modulus) + (lo>>61 | hi<<3))
}

func reduce(a uint64) uint64 {
	a = a&modulus + a>>61
	if a >= modulus {
		a -= modulus
	}
	return a
}

// hashOf returns the hash of one token.
func hashOf(text string) uint64 {
	h := uint64(len(text)) + 1
	for i := range len(text) {
		h = reduce(times(h, base) + uint64(text[i]) + 1)
	}
	return h
}

func newStream(tokens []lexeme) *stream {
	s := &stream{tokens: tokens, prefix: []uint64{0}, powers: []uint64{1}}
	for i, t := range tokens {
		s.prefix = append(s.prefix, reduce(times(s.prefix[i], base)+hashOf(t.text)))
		s.powers = append(s.powers, times(s.powers[i], base))
	}
	return s
}

func (s *stream) original() uint64 { return s.prefix[len(s.tokens)] }

// mutated returns the hash of the tokens after the edits, which are sorted and begin
// and end between tokens.
func (s *stream) mutated(edits []edit) uint64 {
	h, at := uint64(0), 0
	keep := func(to int) { // append the tokens of the original from at up to to
		part := reduce(s.prefix[to] + modulus - times(s.prefix[at], s.powers[to-at]))
		h, at = reduce(times(h, s.powers[to-at])+part), to
	}
	for _, e := range edits {
		keep(max(at, firstAt(s.tokens, e.from)))
		for _, t := range fineTokens(e.text, 0) {
			h = reduce(times(h, base) + hashOf(t.text))
		}
		at = max(at, firstAt(s.tokens, e.to))
	}
	keep(len(s.tokens))
	return h
}

// firstAt returns the index of the first token that starts at the offset or after it.
func firstAt(tokens []lexeme, at int) int {
	lo, hi := 0, len(tokens)
	for lo < hi {
		if mid := (lo + hi) / 2; tokens[mid].from < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
