package terminal

import (
	"testing"
)

func TestPoints(t *testing.T) {
	v := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		score, most *float64
		want        string
	}{
		{nil, nil, ""},
		{nil, v(100), ""},
		{v(0), v(100), "0/100"},
		{v(100.0 / 3), v(100), "33.33/100"},
		{v(12.5), nil, "12.5"},
		{v(1e15 / 3), nil, "333333333333333.3"},
		{v(99.999), v(100), "99.99/100"},
		{v(0.1 + 0.2), nil, "0.3"},
		{v(0.29), nil, "0.29"},
	} {
		if got := ScoreOf(c.score, c.most); got != c.want {
			t.Errorf("%v of %v is written %q, expected %q", c.score, c.most, got, c.want)
		}
	}
}
