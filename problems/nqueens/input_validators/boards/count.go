package main

// A board knows for every square how many queens attack it. No solution of the
// package works like this.
type board struct {
	n       int
	blocked [maxSize][maxSize]bool
	attacks [maxSize][maxSize]int // by queens in other rows and columns too
	queens  [][2]int
}

// attacker returns a queen that attacks a square.
func (b *board) attacker(r, c int) ([2]int, bool) {
	for _, q := range b.queens {
		dr, dc := r-q[0], c-q[1]
		if dr == 0 || dc == 0 || dr == dc || dr == -dc {
			return q, true
		}
	}
	return [2]int{}, false
}

// mark adds to the attacks of all squares that a queen would attack, and to her
// own.
func (b *board) mark(r, c, add int) {
	for i := range b.n {
		b.attacks[r][i] += add
		if i == r {
			continue
		}
		b.attacks[i][c] += add
		for _, j := range [2]int{c + i - r, c - i + r} {
			if 0 <= j && j < b.n {
				b.attacks[i][j] += add
			}
		}
	}
}

func (b *board) put(r, c int) {
	b.mark(r, c, 1)
	b.queens = append(b.queens, [2]int{r, c})
}

func (b *board) take() {
	last := b.queens[len(b.queens)-1]
	b.queens = b.queens[:len(b.queens)-1]
	b.mark(last[0], last[1], -1)
}

// completions counts completions, up to most.
func (b *board) completions(most int) (found int) {
	if len(b.queens) == b.n {
		return 1
	}
	// The line, a row or a column, with the fewest squares that are left; lines
	// that have a queen have none and are known by full.
	var squares [2][maxSize]int
	var full [2][maxSize]bool
	for _, q := range b.queens {
		full[0][q[0]], full[1][q[1]] = true, true
	}
	for r := range b.n {
		for c := range b.n {
			if !b.blocked[r][c] && b.attacks[r][c] == 0 {
				squares[0][r]++
				squares[1][c]++
			}
		}
	}
	side, line := 0, -1
	for s := range 2 {
		for i := range b.n {
			if !full[s][i] && (line < 0 || squares[s][i] < squares[side][line]) {
				side, line = s, i
			}
		}
	}
	for i := range b.n {
		r, c := line, i
		if side == 1 {
			r, c = i, line
		}
		if b.blocked[r][c] || b.attacks[r][c] > 0 {
			continue
		}
		b.put(r, c)
		found += b.completions(most - found)
		b.take()
		if found >= most {
			break
		}
	}
	return found
}
