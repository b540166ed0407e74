package adequacy

import (
	"math/bits"
	"slices"
)

// A set has numbers from 0 to a size that its creator knows.
type set []uint64

func newSet(size int) set       { return make(set, (size+63)/64) }
func (s set) add(i int)         { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)      { s[i/64] &^= 1 << (i % 64) }
func (s set) has(i int) bool    { return s[i/64]>>(i%64)&1 != 0 }
func (s set) key() string       { return string(s.bytes()) }
func (s set) clone() set        { return slices.Clone(s) }
func (s set) without(t set) set { return s.merged(t, func(a, b uint64) uint64 { return a &^ b }) }
func (s set) and(t set) set     { return s.merged(t, func(a, b uint64) uint64 { return a & b }) }
func (s set) within(t set) bool { return s.withinOf(t, nil) }

func (s set) merged(t set, f func(a, b uint64) uint64) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = f(s[i], t[i])
	}
	return out
}

// withinOf reports whether all of s that are in of are in t. nil stands for all.
func (s set) withinOf(t, of set) bool {
	for i, w := range s {
		if of != nil {
			w &= of[i]
		}
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// countOf returns how many of s are in of.
func (s set) countOf(of set) int {
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & of[i])
	}
	return n
}

// each yields the numbers in increasing order.
func (s set) each(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(64*i + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

func (s set) bytes() []byte {
	out := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for range 8 {
			out = append(out, byte(w))
			w >>= 8
		}
	}
	return out
}
