package main

var (
	rowsBound = bound{"rows", 1, 16}
	colsBound = bound{"columns", 1, 300}
)

// most is how many matrices an input may have.
const most = 200

// kinds lists all kinds.
var kinds = []kind{
	{"random", []bound{rowsBound, colsBound, {"percent", 0, 100}}, "each entry is a one with so many percent", random},
	{"tiny", nil, "up to 5 by 6, as above", tiny},
	{"cover", []bound{rowsBound, colsBound}, "the columns are cut into rows, which stand among others like them", planted},
	{"moved", []bound{rowsBound, colsBound}, "as cover, but a one of a row has moved; impossible, also where counts of ones are right", moved},
	{"twice", []bound{{"rows", 2, 16}, colsBound}, "as cover or moved, but each row is there twice", twice},
	{"zero", []bound{rowsBound, colsBound}, "as cover, with a row of zeros or a column of zeros", zero},
	{"last", []bound{rowsBound, {"columns", 2, 300}}, "as cover, but no row has the last column: impossible", last},
	{"apart", []bound{rowsBound, {"columns", 2, 300}}, "all rows are apart and a column is all zeros: impossible, and seen late by who goes row by row", apart},
	{"misleading", []bound{rowsBound, colsBound}, "as cover, where the choice by fewest rows is wrong at first", misleading},
	{"hard", []bound{rowsBound, colsBound, {"climbs", 0, 100000}}, "impossible, with many steps for a search by fewest rows", hard},
}

func random(r *source, arg []int) (matrix, bool) {
	a := zeros(arg[0], arg[1])
	for _, row := range a {
		for c := range row {
			if r.below(100) < arg[2] {
				row[c] = 1
			}
		}
	}
	return a, true
}

func tiny(r *source, _ []int) (matrix, bool) {
	return random(r, []int{r.between(1, 5), r.between(1, 6), 10 + r.below(60)})
}

// planted has a cover of 1 row or more; the other rows have as many ones as one
// of the cover has, so that they do not stand out.
func planted(r *source, arg []int) (matrix, bool) {
	m, n := arg[0], arg[1]
	a := zeros(m, n)
	parts := r.between(1, min(m, n))
	if m > 3 {
		parts = min(n, r.between(2, 2+m/2))
	}
	for i, c := range r.order(n) {
		part := r.below(parts)
		if i < parts {
			part = i // none is empty
		}
		a[part][c] = 1
	}
	for i := parts; i < m; i++ {
		like := a[r.below(parts)]
		for c, at := range r.order(n) {
			a[i][at] = like[c]
		}
	}
	return a.shuffled(r), true
}

// moved keeps the number of ones of each row, and no column becomes empty.
func moved(r *source, arg []int) (matrix, bool) {
	a, _ := planted(r, arg)
	i := r.below(a.rows())
	from, to := r.below(a.cols()), r.below(a.cols())
	if a[i][from] == 0 || a[i][to] == 1 {
		return nil, false
	}
	a[i][from], a[i][to] = 0, 1
	for c := range a.cols() {
		ones := byte(0)
		for _, row := range a {
			ones |= row[c]
		}
		if ones == 0 {
			return nil, false
		}
	}
	size, _ := search(a)
	return a, size < 0
}

func twice(r *source, arg []int) (matrix, bool) {
	half := []int{arg[0] / 2, arg[1]}
	one := planted
	if r.below(2) == 0 {
		one = moved
	}
	a, ok := one(r, half)
	if !ok {
		return nil, false
	}
	a = append(a, a...)
	if arg[0]%2 != 0 {
		a = append(a, zeros(1, arg[1])...)
	}
	return a.shuffled(r), true
}

func zero(r *source, arg []int) (matrix, bool) {
	a, _ := planted(r, arg)
	if r.below(2) == 0 {
		clear(a[r.below(a.rows())]) // perhaps of the cover
		return a, true
	}
	c := r.below(a.cols())
	for _, row := range a {
		row[c] = 0
	}
	return a, true
}

func last(r *source, arg []int) (matrix, bool) {
	a, _ := planted(r, []int{arg[0], arg[1] - 1})
	for i := range a {
		a[i] = append(a[i], 0)
	}
	return a, true
}

func apart(r *source, arg []int) (matrix, bool) {
	m, n := arg[0], arg[1]
	a := zeros(m, n)
	for c := range n - 1 {
		a[c%m][c] = 1
	}
	return a.shuffled(r), true
}

// misleading tries until a search takes more steps than its cover has rows, so
// that some of its choices were wrong.
func misleading(r *source, arg []int) (matrix, bool) {
	a, _ := planted(r, arg)
	size, steps := search(a)
	return a, size >= 0 && steps > size+1
}

// hard climbs on a matrix of at most 12 columns with 3 ones each: it moves a one
// and keeps the change unless steps become fewer or a cover appears. Further
// columns are copies: more of different ones would only make the search shorter.
// The order of columns stays, since the steps are those of a search that takes
// the first of equals.
func hard(r *source, arg []int) (matrix, bool) {
	m, n := arg[0], min(arg[1], 12)
	a := zeros(m, n)
	for c := range n {
		for _, i := range r.order(m)[:min(m, 3)] {
			a[i][c] = 1
		}
	}
	size, best := search(a)
	if size >= 0 {
		return nil, false
	}
	for range arg[2] {
		i, j, c := r.below(m), r.below(m), r.below(n)
		a[i][c], a[j][c] = a[j][c], a[i][c]
		size, steps := search(a)
		if size >= 0 || steps < best {
			a[i][c], a[j][c] = a[j][c], a[i][c]
			continue
		}
		best = steps
	}
	for i := range a {
		for c := n; c < arg[1]; c++ {
			a[i] = append(a[i], a[i][c%n])
		}
	}
	return a, true
}
