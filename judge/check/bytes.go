package check

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
)

// The inner loops process eight bytes at a time as one word. The top bit of each
// byte of a result is set if a property holds for that byte.

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// space is true for the six whitespace bytes of the specification (section "Output
// parsing") and for no other byte: neither Unicode spaces nor NUL.
var space = [256]bool{' ': true, '\f': true, '\n': true, '\r': true, '\t': true, '\v': true}

// Blank reports whether a text has no token: the default output validator then accepts
// an output without any.
func Blank(r io.Reader) (bool, error) {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		switch {
		case tokenStarts(buf[:n], false) > 0:
			return false, nil
		case err == io.EOF:
			return true, nil
		case err != nil:
			return false, err
		}
	}
}

// spaces marks the whitespace in eight bytes.
func spaces(x uint64) uint64 {
	low := x &^ tops
	from9 := low + (0x80-'\t')*ones
	from14 := low + (0x80-'\r'-1)*ones
	not32 := (low ^ ' '*ones) + 0x7f*ones
	return (from9&^from14 | ^not32) &^ x & tops
}

// lower converts the ASCII letters in up to eight bytes to lower case.
func lower(x uint64) uint64 {
	low := x &^ tops
	fromA := low + (0x80-'A')*ones
	pastZ := low + (0x80-'Z'-1)*ones
	return x | (fromA&^pastZ&^x&tops)>>2
}

// tokenStarts counts the bytes of b that are not whitespace and follow whitespace.
// Inside means that the byte before b[0] belongs to a token.
func tokenStarts(b []byte, inside bool) int {
	before := uint64(0x80) // 0x80 if the previous byte is whitespace, else 0
	if inside {
		before = 0
	}
	n := 0
	for len(b) >= 8 {
		// Each byte of sum is a counter, which must not exceed 255.
		var sum uint64
		for k := min(len(b)/8, 255); k > 0; k-- {
			m := spaces(binary.LittleEndian.Uint64(b))
			sum += (m<<8 | before) &^ m >> 7
			before = m >> 56
			b = b[8:]
		}
		const even = 0x00ff00ff00ff00ff
		n += int((sum&even + sum>>8&even) * 0x0001000100010001 >> 48)
	}
	for _, c := range b {
		if space[c] {
			before = 0x80
		} else {
			n += int(before >> 7)
			before = 0
		}
	}
	return n
}

// agree returns the length of the common prefix of a and b. If fold is set, it
// ignores the case of ASCII letters.
func agree(a, b []byte, fold bool) int {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	i := 0
	for {
		// Find near differences here...
		for stop := min(i+64, n-7); i < stop; i += 8 {
			x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
			if x == y {
				continue
			}
			d := x ^ y
			if fold {
				if d = lower(x) ^ lower(y); d == 0 {
					continue
				}
			}
			return i + bits.TrailingZeros64(d)/8
		}
		if n-i < 8 {
			break
		}
		// ...and skip long equal parts in steps of growing size.
		for size := 128; size <= n-i && bytes.Equal(a[i:i+size], b[i:i+size]); size *= 2 {
			i += size
		}
	}
	for i < n && (a[i] == b[i] || fold && lower(uint64(a[i])) == lower(uint64(b[i]))) {
		i++
	}
	return i
}

// agreeLoosely returns the lengths of prefixes of a and b that are equal if all
// whitespace between tokens counts as the same. Inside means that they begin inside
// a token. It stops where a precise comparison is needed, near the end of either
// text, and after a long equal part, where [agree] is faster.
func agreeLoosely(a, b []byte, fold, inside bool) (i, j int) {
	for calm := 0; calm < 64 && i <= len(a)-8 && j <= len(b)-8; calm++ {
		x, y := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[j:])
		d := x ^ y
		if d != 0 && fold {
			d = lower(x) ^ lower(y)
		}
		if d == 0 {
			i += 8
			j += 8
			inside = !space[a[i-1]]
			continue
		}
		calm = 0
		if n := bits.TrailingZeros64(d) / 8; n > 0 {
			i += n
			j += n
			inside = !space[a[i-1]]
		}
		p, q := space[a[i]], space[b[j]]
		if !p && !q || p != q && inside {
			break
		}
		inside = false
		for i < len(a) && space[a[i]] {
			i++
		}
		for j < len(b) && space[b[j]] {
			j++
		}
	}
	return i, j
}
