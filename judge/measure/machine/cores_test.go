package machine

import (
	"slices"
	"testing"
)

func TestSpare(t *testing.T) {
	threads := []Processor{{ID: 0, Siblings: []int{0, 2}}, {ID: 1, Siblings: []int{1, 3}}, {ID: 2, Siblings: []int{0, 2}}, {ID: 3, Siblings: []int{1, 3}}}
	for _, c := range []struct {
		fact          string
		all           []Processor
		allowed, used []int
		want          []int
	}{
		{"the other core", threads, []int{0, 1, 2, 3}, []int{1}, []int{0, 2}},
		{"as far as it is allowed", threads, []int{1, 2, 3}, []int{3}, []int{2}},
		{"no core is left", threads, []int{0, 1, 2, 3}, []int{0, 1}, nil},
		{"too few for the judge's work", nil, []int{0, 1, 2, 3}, []int{0, 1, 2}, nil},
		{"half as many are enough", nil, []int{0, 1, 2}, []int{1, 2}, []int{0}},
	} {
		if got := Spare(c.all, c.allowed, c.used); !slices.Equal(got, c.want) {
			t.Errorf("%s: Spare(%v, %v) = %v, expected %v", c.fact, c.allowed, c.used, got, c.want)
		}
	}
}
