package stat

import "math"

// Looks are the numbers of rounds after which to look whether the answer is
// good enough, the last of them most.
func Looks(most int) []int {
	var looks []int
	for n := 10; n < most; n *= 2 {
		looks = append(looks, n)
	}
	return append(looks, most)
}

// Level is the confidence that each of so many claims needs at each of so many
// looks, for all of them to hold together with the confidence given
// (Bonferroni's inequality: it holds whatever the claims have to do with each
// other, and whenever it was decided to stop).
func Level(confidence float64, looks, claims int) float64 {
	return 1 - (1-confidence)/float64(max(looks, 1)*max(claims, 1))
}

// Needed is the smallest number of pairs, or of a sample's values, from which an
// interval of that confidence says anything; 0 if none is enough.
func Needed(confidence float64) int {
	if !(confidence < 1) {
		return 0
	}
	// the interval from the least to the largest of n misses with 2·2^-n
	return max(2, int(math.Ceil(1-math.Log2(1-confidence)-1e-9)))
}
