package main

var (
	rowsBound = bound{"rows", 1, 1000}
	colsBound = bound{"columns", 1, 1000}
	onesBound = bound{"ones", 1, 100} // the most in a row
)

// most is how many matrices an input may have.
const most = 100

// kinds lists all kinds.
var kinds = []kind{
	{"tiny", nil, "up to 6 by 6, with and without a cover", tiny},
	{"random", []bound{rowsBound, colsBound, onesBound}, "1 to ones in each row", random},
	{"cover", []bound{rowsBound, colsBound, onesBound, {"steps", 1, 1 << 30}},
		"the columns are cut into rows, which stand among others like them; at most so many steps by fewest rows", planted},
	{"misleading", []bound{rowsBound, colsBound, onesBound, {"steps", 1, 1 << 30}}, "as cover, but the choice by fewest rows is wrong at first", misleading},
	{"empty", []bound{rowsBound, {"columns", 2, 1000}, onesBound}, "as cover, but the last column has no row", empty},
	{"odd", []bound{rowsBound, colsBound}, "2 or 4 ones in each row and an odd number of columns", odd},
	{"copies", []bound{rowsBound, colsBound, onesBound, {"copies", 1, 1000}}, "as cover, and each row is there several times", copies},
	{"long", []bound{rowsBound, colsBound, onesBound}, "as cover, with so many ones in each row, but one of the cover has what is left", long},
	{"forced", []bound{rowsBound, {"columns", 2, 1000}, onesBound}, "as long, but one column is in a row of the cover only, so the search begins there", forced},
	{"single", []bound{{"side", 1, 1000}}, "a row for each column alone", single},
	{"late", []bound{rowsBound, {"columns", 4, 1000}, onesBound},
		"as cover, but the last three columns are in rows of two of them only: no cover, and seen late by who goes column by column", late},
	{"order", []bound{rowsBound, colsBound, onesBound, {"least", 1, 1 << 30}, {"most", 1, 1 << 30}},
		"a cover that takes at least so many steps column by column, and at most so many by fewest rows", order},
	{"hard", []bound{rowsBound, colsBound, {"climbs", 0, 100000}}, "3 ones in each row, no cover, and many steps by fewest rows", hard},
	{"langford", []bound{{"numbers", 1, 22}}, "Langford's problem; no cover if the numbers mod 4 are 1 or 2", langford},
	{"latin", []bound{{"side", 1, 10}, {"givens", 0, 100}}, "a Latin square with givens", latin},
	{"queens", []bound{{"side", 1, 30}}, "queens on a board", queens},
	{"dominoes", []bound{{"side", 2, 22}}, "a board without two opposite corners; no cover if the side is even", dominoes},
}

// pick returns count different columns of n in random order.
func pick(r *source, n, count int) []int { return r.order(n)[:min(n, count)] }

func random(r *source, arg []int) (matrix, bool) {
	a := matrix{cols: arg[1]}
	for range arg[0] {
		a.add(pick(r, a.cols, r.between(1, arg[2]))...)
	}
	return a, true
}

func tiny(r *source, _ []int) (matrix, bool) {
	n := r.between(1, 6)
	return random(r, []int{r.between(1, 6), n, r.between(1, n)})
}

// plant cuts the columns into rows of 1 to ones columns, the last ones only as
// they come, and adds random rows of as many as those have. It is false if
// there are not enough rows.
func plant(r *source, rows, cols, ones int) (matrix, bool) {
	a := matrix{cols: cols}
	for rest := r.order(cols); len(rest) > 0; {
		n := min(len(rest), r.between((ones+1)/2, ones))
		a.add(rest[:n]...)
		rest = rest[n:]
	}
	parts := len(a.rows)
	if parts > rows {
		return a, false
	}
	for len(a.rows) < rows {
		a.add(pick(r, cols, len(a.rows[r.below(parts)]))...)
	}
	return a, true
}

func long(r *source, arg []int) (matrix, bool) { return full(r, arg, arg[1]) }

func forced(r *source, arg []int) (matrix, bool) { return full(r, arg, arg[1]-1) }

// full makes a matrix of long; rows that are not of the cover have ones in the
// first of its columns only.
func full(r *source, arg []int, first int) (matrix, bool) {
	a := matrix{cols: arg[1]}
	for rest := r.order(a.cols); len(rest) > 0; {
		n := min(len(rest), arg[2])
		a.add(rest[:n]...)
		rest = rest[n:]
	}
	if len(a.rows) > arg[0] {
		return a, false
	}
	for len(a.rows) < arg[0] {
		a.add(pick(r, first, arg[2])...)
	}
	return a.shuffled(r), true
}

func planted(r *source, arg []int) (matrix, bool) {
	a, ok := plant(r, arg[0], arg[1], arg[2])
	if !ok {
		return a, false
	}
	a = a.shuffled(r)
	size, _ := search(a, fewestFirst, arg[3])
	return a, size >= 0
}

func misleading(r *source, arg []int) (matrix, bool) {
	a, ok := plant(r, arg[0], arg[1], arg[2])
	if !ok {
		return a, false
	}
	a = a.shuffled(r)
	size, steps := search(a, fewestFirst, arg[3])
	return a, size >= 0 && steps > size+1
}

func empty(r *source, arg []int) (matrix, bool) {
	a, ok := plant(r, arg[0], arg[1]-1, arg[2])
	if !ok {
		return a, false
	}
	a = a.shuffled(r)
	a.cols++
	return a, true
}

func odd(r *source, arg []int) (matrix, bool) {
	a := matrix{cols: arg[1] | 1}
	if a.cols < 5 || a.cols > 1000 {
		return a, false
	}
	for range arg[0] {
		a.add(pick(r, a.cols, 2+2*r.below(2))...)
	}
	return a, true
}

func copies(r *source, arg []int) (matrix, bool) {
	distinct := arg[0] / arg[3]
	a, ok := plant(r, distinct, arg[1], arg[2])
	if !ok {
		return a, false
	}
	for len(a.rows) < arg[0] {
		a.add(a.rows[len(a.rows)-distinct]...)
	}
	return a.shuffled(r), true
}

func single(r *source, arg []int) (matrix, bool) {
	a := matrix{cols: arg[0]}
	for c := range a.cols {
		a.add(c)
	}
	return a.shuffled(r), true
}

func late(r *source, arg []int) (matrix, bool) {
	n := arg[1]
	a, ok := plant(r, arg[0]-3, n-3, arg[2])
	if !ok {
		return a, false
	}
	a.cols = n
	for i := range 3 {
		a.add(n-3+i, n-3+(i+1)%3)
	}
	column := r.order(n - 3)
	return a.mixed(r, append(column, n-3, n-2, n-1)), true
}

func order(r *source, arg []int) (matrix, bool) {
	a, ok := plant(r, arg[0], arg[1], arg[2])
	if !ok {
		return a, false
	}
	// Columns with many rows come first, which is the wrong order.
	count := make([]int, a.cols)
	for _, row := range a.rows {
		for _, c := range row {
			count[c]++
		}
	}
	column := r.order(a.cols)
	place := make([]int, a.cols)
	for c := range column {
		for d := range column {
			if count[d] > count[c] || count[d] == count[c] && column[d] < column[c] {
				place[c]++
			}
		}
	}
	a = a.mixed(r, place)
	if size, _ := search(a, fewestFirst, arg[4]); size < 0 {
		return a, false
	}
	_, steps := search(a, inOrder, arg[3])
	return a, steps > arg[3]
}

// hard climbs: it moves a one and keeps the change unless steps become fewer or
// a cover appears.
func hard(r *source, arg []int) (matrix, bool) {
	a := matrix{cols: arg[1]}
	if a.cols < 4 {
		return a, false
	}
	for range arg[0] {
		a.add(pick(r, a.cols, 3)...)
	}
	const limit = 1 << 30
	size, best := search(a, fewestFirst, limit)
	if size >= 0 {
		return a, false
	}
	for range arg[2] {
		row := a.rows[r.below(len(a.rows))]
		i, c := r.below(len(row)), r.below(a.cols)
		was := row[i]
		if row[0] == c || row[1] == c || row[2] == c {
			continue
		}
		row[i] = c
		size, steps := search(a, fewestFirst, limit)
		if size >= 0 || steps < best {
			row[i] = was
			continue
		}
		best = steps
	}
	return a, true
}
