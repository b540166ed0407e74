package main

// fingerprint returns a number that is the same for isomorphic puzzles. Puzzles
// with different fingerprints are not isomorphic; that others are is likely, and
// not sure.
//
// Every given begins alike. In each round it takes in what its digit, its box,
// its row with the band and its column with the stack have, as sums, so that
// their order does not matter; nor does it matter which of the two lines is the
// row.
func fingerprint(g grid) uint64 {
	var colour [81]uint64
	for c, d := range g {
		if d != 0 {
			colour[c] = 1 // mix(0) is 0
		}
	}
	for range 4 {
		var row, col, box, digit [9]uint64
		var band, stack [3]uint64
		for c, d := range g {
			if d != 0 {
				v := mix(colour[c])
				row[c/9] += v
				col[c%9] += v
				box[c/27*3+c%9/3] += v
				digit[d-1] += v
			}
		}
		for i := range 9 {
			band[i/3] += mix(row[i])
			stack[i/3] += mix(col[i])
		}
		for c, d := range g {
			if d != 0 {
				lines := mix(row[c/9]^mix(band[c/27])) + mix(col[c%9]^mix(stack[c%9/3]))
				colour[c] = mix(mix(mix(colour[c]+lines)+box[c/27*3+c%9/3]) + digit[d-1])
			}
		}
	}
	var all uint64
	for _, v := range colour {
		all += mix(v)
	}
	return all
}
