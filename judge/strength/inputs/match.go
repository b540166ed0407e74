package inputs

import "math/big"

// match gives the quantities the names and bounds of the statement. A name and a quantity
// match if they do in every best assignment that keeps the order of both and puts no value
// of the data outside its bounds. It returns the bounds that match nothing.
func match(s *statement, quantities []*quantity) (unmatched []Declared) {
	if s == nil {
		return nil
	}
	names := s.sequence
	rows, columns := len(names)+1, len(quantities)+1
	// before[i][k] is the best weight of the first i names and k quantities, after[i][k]
	// that of all others.
	table := func() [][]int {
		t := make([][]int, rows)
		for i := range t {
			t[i] = make([]int, columns)
		}
		return t
	}
	before, after := table(), table()
	for i := 1; i < rows; i++ {
		for k := 1; k < columns; k++ {
			before[i][k] = max(before[i-1][k], before[i][k-1], before[i-1][k-1]+weight(&names[i-1], quantities[k-1]))
		}
	}
	for i := rows - 2; i >= 0; i-- {
		for k := columns - 2; k >= 0; k-- {
			after[i][k] = max(after[i+1][k], after[i][k+1], after[i+1][k+1]+weight(&names[i], quantities[k]))
		}
	}
	best := after[0][0]
	for i := range names {
		n := &names[i]
		found, ambiguous := -1, false
		for k := range quantities {
			if w := weight(n, quantities[k]); w > 0 && before[i][k]+w+after[i+1][k+1] == best {
				ambiguous = ambiguous || found >= 0
				found = k
			}
		}
		for k := range columns {
			ambiguous = ambiguous || before[i][k]+after[i+1][k] == best // the name may be left out
		}
		switch {
		case found >= 0 && !ambiguous:
			quantities[found].name = n.Name
			if n.Low != nil || n.High != nil {
				quantities[found].declared = n
			}
		case n.Low != nil || n.High != nil:
			unmatched = append(unmatched, *n)
		}
	}
	return append(unmatched, s.others...)
}

// weight returns how well a name and a quantity agree: 0 if they cannot match.
func weight(d *Declared, q *quantity) int {
	bounded := d.Low != nil || d.High != nil
	isString := q.kind == words && !q.size
	switch {
	case q.size && d.Name != "":
		return 0 // the input does not contain the number
	case isString && bounded && !d.Length && d.Name != "":
		return 0
	case bounded && !d.includes(q):
		return 0
	case d.Name == "":
		return 1
	}
	return 4
}

// includes reports whether all values in the data are within the bounds.
func (d *Declared) includes(q *quantity) bool {
	low, high := d.limits(q)
	return (low == nil || q.low.value.Cmp(low) >= 0) && (high == nil || q.high.value.Cmp(high) <= 0)
}

// limits returns the bounds for the values of a quantity; nil where there is none.
// Exclusive bounds of integers become inclusive.
func (d *Declared) limits(q *quantity) (low, high *big.Rat) {
	low, high = d.Low, d.High
	one := big.NewRat(1, 1)
	if q.kind != decimals {
		if low != nil && d.Above && low.IsInt() {
			low = new(big.Rat).Add(low, one)
		}
		if high != nil && d.Below && high.IsInt() {
			high = new(big.Rat).Sub(high, one)
		}
	}
	if d.Length && q.kind != words && high != nil && (low == nil || low.Sign() >= 0) {
		low = new(big.Rat).Neg(high)
	}
	return low, high
}
