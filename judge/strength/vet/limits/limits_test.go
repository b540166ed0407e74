package limits

import (
	"maps"
	"testing"
)

func TestOf(t *testing.T) {
	for _, test := range []struct {
		comment string
		want    Stated
	}{
		{"1 <= n, m <= 2e5", Stated{Most: 200_000}},
		{"n ≤ 3·10⁵", Stated{Most: 300_000}},
		{"n < 1 << 20", Stated{Most: 1 << 20}},
		{"n is at most 300,000", Stated{Most: 300_000}},
		{"Up to 300 000 customers, one per line", Stated{Most: 300_000}},
		{"at most 4*10^5 happy customers", Stated{Most: 400_000}},
		{"up to 10^5 parcels has the lorry", Stated{Most: 100_000}},
		{"n <= 200k", Stated{Most: 200_000}},
		{"up to 500 x 500 cells", Stated{Most: 250_000}},
		{"n <= 10", Stated{Most: 10, Few: 10}},
		{"t <= 20, n <= 50, w <= 1000", Stated{Most: 50, Few: 1000}},
		{"at most 20 words", Stated{Most: 20, Few: 20}},
		{"n <= 10 and m <= 10^5", Stated{Most: 100_000}},
		// The limit of something else may be that of the input.
		{"n <= 10, |s| <= 10^6", Stated{Most: 10}},
		// Neither a number of queries nor k is the size of the input.
		{"few queries (at most 10)", Stated{}},
		{"at most 10 queries", Stated{Most: 10}},
		{"k <= 10", Stated{Most: 10}},
		{"at most 18 solutions", Stated{Output: 18}},
		{"the sum of n does not exceed 5*10^5", Stated{Most: 500_000}},
		{"t <= 10^4, the sum of n over all test cases is not more than 2*10^5", Stated{Most: 200_000}},
		{"fewer than 300 000 customers", Stated{Most: 300_000}},
		{"no word is longer than 10", Stated{}},
		{"x is less than 10^6", Stated{}},
		{"n <= 10, up to 9^blanks cells", Stated{Most: 10}},
		// Values.
		{"n <= 100, a[i] <= 10^9", Stated{Most: 100, Few: 100}},
		{"x up to 10^6", Stated{}},
		{"modulo 10^9+7", Stated{}},
		{"numbers of up to 2000 digits", Stated{}},
		{"up to 10^6 and weights", Stated{}},
		{"for n = 8 this prints 92", Stated{}},
	} {
		if got := Of([]string{test.comment}); got != test.want {
			t.Errorf("Of(%q) = %+v, expected %+v", test.comment, got, test.want)
		}
	}
}

func TestValues(t *testing.T) {
	got := Values([]string{"1 <= n, m <= 2*10^5", "k <= 10^18; 0 ≤ Step < 1000, x > 5, k <= 7"})
	if want := map[string]float64{"n": 2e5, "m": 2e5, "k": 1e18, "Step": 1000}; !maps.Equal(got, want) {
		t.Errorf("got %v, expected %v", got, want)
	}
}
