package vet

import (
	"testing"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		comment string
		want    statedLimits
	}{
		{"1 <= n, m <= 2e5", statedLimits{Most: 200_000}},
		{"n ≤ 3·10⁵", statedLimits{Most: 300_000}},
		{"n < 1 << 20", statedLimits{Most: 1 << 20}},
		{"n is at most 300,000", statedLimits{Most: 300_000}},
		{"Up to 300 000 customers, one per line", statedLimits{Most: 300_000}},
		{"at most 4*10^5 happy customers", statedLimits{Most: 400_000}},
		{"up to 10^5 parcels has the lorry", statedLimits{Most: 100_000}},
		{"n <= 200k", statedLimits{Most: 200_000}},
		{"up to 500 x 500 cells", statedLimits{Most: 250_000}},
		{"n <= 10", statedLimits{Most: 10, Few: 10}},
		{"t <= 20, n <= 50, w <= 1000", statedLimits{Most: 50, Few: 1000}},
		{"at most 20 words", statedLimits{Most: 20, Few: 20}},
		{"n <= 10 and m <= 10^5", statedLimits{Most: 100_000}},
		// The limit of something else may be that of the input.
		{"n <= 10, |s| <= 10^6", statedLimits{Most: 10}},
		// Neither a number of queries nor k is the size of the input.
		{"few queries (at most 10)", statedLimits{}},
		{"at most 10 queries", statedLimits{Most: 10}},
		{"k <= 10", statedLimits{Most: 10}},
		{"at most 18 solutions", statedLimits{Output: 18}},
		{"the sum of n does not exceed 5*10^5", statedLimits{Most: 500_000}},
		{"t <= 10^4, the sum of n over all test cases is not more than 2*10^5", statedLimits{Most: 200_000}},
		{"fewer than 300 000 customers", statedLimits{Most: 300_000}},
		{"no word is longer than 10", statedLimits{}},
		{"x is less than 10^6", statedLimits{}},
		{"n <= 10, up to 9^blanks cells", statedLimits{Most: 10}},
		// Values.
		{"n <= 100, a[i] <= 10^9", statedLimits{Most: 100, Few: 100}},
		{"x up to 10^6", statedLimits{}},
		{"modulo 10^9+7", statedLimits{}},
		{"numbers of up to 2000 digits", statedLimits{}},
		{"up to 10^6 and weights", statedLimits{}},
		{"for n = 8 this prints 92", statedLimits{}},
	} {
		if got := limitsOf([]string{test.comment}); got != test.want {
			t.Errorf("Of(%q) = %+v, expected %+v", test.comment, got, test.want)
		}
	}
}
