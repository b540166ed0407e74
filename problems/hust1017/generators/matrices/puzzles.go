package main

// langford places two of each number from 1 to n in a row of 2n so that k others
// are between the two of number k. There is a way if n mod 4 is 0 or 3.
func langford(r *source, arg []int) (matrix, bool) {
	n := arg[0]
	a := matrix{cols: 3 * n}
	for k := range n {
		for at := 0; at+k+2 < 2*n; at++ {
			a.add(k, n+at, n+at+k+2)
		}
	}
	return a.shuffled(r), true
}

// latin completes a Latin square of side n of which some cells are given.
func latin(r *source, arg []int) (matrix, bool) {
	n, givens := arg[0], arg[1]
	if givens > n*n {
		return matrix{}, false
	}
	row, col, digit := r.order(n), r.order(n), r.order(n)
	given := make([]bool, n*n)
	for _, c := range r.order(n * n)[:givens] {
		given[c] = true
	}
	a := matrix{cols: 3 * n * n}
	for i := range n {
		for j := range n {
			for d := range n {
				if !given[n*i+j] || digit[(row[i]+col[j])%n] == d {
					a.add(n*i+j, n*n+n*i+d, 2*n*n+n*j+d)
				}
			}
		}
	}
	return a.shuffled(r), true
}

// queens puts n queens on a board of n by n; a row of one diagonal alone stands
// for no queen on it.
func queens(r *source, arg []int) (matrix, bool) {
	n := arg[0]
	a := matrix{cols: 2*n + 2*(2*n-1)}
	for i := range n {
		for j := range n {
			a.add(i, n+j, 2*n+i+j, 2*n+2*n-1+i-j+n-1)
		}
	}
	for d := 2 * n; d < a.cols; d++ {
		a.add(d)
	}
	return a.shuffled(r), true
}

// dominoes covers a board of n by n without two opposite corners. There is no
// way, because both have the same colour.
func dominoes(r *source, arg []int) (matrix, bool) {
	n := arg[0]
	a := matrix{cols: n*n - 2}
	cell := func(i, j int) int { return n*i + j - 1 } // -1 and cols are the corners
	for i := range n {
		for j := range n {
			for _, other := range []int{cell(i, j+1), cell(i+1, j)} {
				down := other == cell(i+1, j)
				if !down && j == n-1 || down && i == n-1 || cell(i, j) < 0 || other == a.cols {
					continue
				}
				a.add(cell(i, j), other)
			}
		}
	}
	return a.shuffled(r), true
}
