package inputs

import "testing"

func TestUnitsOfDecimals(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []string
		units  int64
		want   string
	}{
		{"all tokens have two digits", []string{"1.25", "0.50"}, 100, "1.00"},
		{"some tokens have no point", []string{"1.25", "7"}, 100, "1"},
		{"zeros are left out", []string{"1.25", "7"}, 150, "1.5"},
		{"zeros before the point stay", []string{"1.25", "7"}, 10000, "100"},
		{"below zero", []string{"1.25", "0.50"}, -1, "-0.01"},
		{"at least one digit", []string{"1.25", "0.5"}, 200, "2.0"},
	} {
		var s scale
		for _, token := range c.tokens {
			s.note(token)
		}
		if got := s.format(c.units); got != c.want {
			t.Errorf("%s: %d units are %q, expected %q", c.name, c.units, got, c.want)
		}
		if back, ok := s.units(c.want); !ok || back != c.units {
			t.Errorf("%s: %q is %d units (%v), expected %d", c.name, c.want, back, ok, c.units)
		}
	}
}
