package stat

import "math"

// Looks returns the numbers of rounds after which to check whether the answer is
// precise enough, in increasing order. The last is most.
func Looks(most int) []int {
	var looks []int
	for n := 10; n < most; n *= 2 {
		looks = append(looks, n)
	}
	return append(looks, most)
}

// Level returns the confidence that each claim needs at each look, so that all
// claims are true together with the given confidence. It uses Bonferroni's
// inequality, which needs no independence of the claims and allows any stopping
// rule.
func Level(confidence float64, looks, claims int) float64 {
	return 1 - (1-confidence)/float64(max(looks, 1)*max(claims, 1))
}

// Needed returns the smallest number of pairs, or of values in a sample, that gives
// a bounded interval of that confidence; 0 if no number does.
func Needed(confidence float64) int {
	if !(confidence < 1) {
		return 0
	}
	// the interval from the least to the largest of n misses with 2·2^-n
	return max(2, int(math.Ceil(1-math.Log2(1-confidence)-1e-9)))
}
