package main

// lateKinds are puzzles for a search through a list of the blanks, which goes
// along the rows that have fewest.
var lateKinds = []kind{
	{name: "late", args: []string{"millions"}, one: late,
		what: "a search in rows by blanks tries at least so many million digits, one row by row at most 300000"},
}

// late numbers the digits of an isomorph so that the solution has the last of
// them where rows by blanks looks first.
func late(r *source, _ int, arg []int) grid {
	const soon = 300_000
	most := arg[0] * 1_000_000
	base, _ := cited("inkala2012")
	for {
		g := isomorph(base, r)
		_, full := solutions(g, 1)
		var digits [9]byte
		next := byte(9)
		for _, c := range fewestFirst(g) {
			if d := &digits[full[c]-1]; *d == 0 {
				*d = next
				next--
			}
		}
		g = renumber(g, digits)
		if tries(g, rowByRow(g), soon) < soon && tries(g, fewestFirst(g), most) == most {
			return g
		}
	}
}
