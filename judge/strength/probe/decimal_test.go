package probe

import (
	"fmt"
	"strings"
	"testing"
)

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

// ratio is a package with decimals.
const ratio = `-- statement/problem.en.md --
## Input

The only line has a decimal number $x$, $0.5 \le x < 10$.
-- input_validators/format.sh --
read -r x || exit 43
[[ $x =~ ^-?(0|[1-9][0-9]?)\.[0-9][0-9]$ ]] || exit 43
n=${x/./}
n=$((10#${n#-})); [[ $x == -* ]] && n=-$n
((LOW <= n && n <= HIGH)) || exit 43
IFS= read -r rest && exit 43
[[ -z $rest ]] || exit 43
exit 42
-- submissions/accepted/a.sh --
read -r x; echo ${x/./}; echo even
-- submissions/accepted/b.sh --
IFS=. read -r a b; echo $a$b; echo even
-- data/sample/1.in --
1.25
-- data/sample/1.ans --
125
even
-- data/secret/1.in --
0.50
-- data/secret/1.ans --
050
even
-- data/secret/2.in --
9.99
-- data/secret/2.ans --
999
even
`

func TestBoundsOfDecimals(t *testing.T) {
	for _, c := range []struct {
		name, low, high, lowest, want, bounds string
	}{
		{"exact", "50", "999", "0.50", "", "0.5..10 (0.49..10.00)"},
		{"the validator accepts the excluded bound", "50", "1000", "0.50", "x (line 1): the statement's maximum excludes 10, and an input with 10.00 is accepted", "0.5..10 (0.49..10.01)"},
		{"the validator accepts too small a number", "49", "999", "0.50", "x (line 1): the statement's minimum is 0.5, and an input with 0.49 is accepted", "0.5..10 (0.48..10.00)"},
		{"no case has the smallest number", "50", "999", "0.51", "x (line 1): the statement's minimum is 0.5, and the smallest value of all cases is 0.51", "0.5..10 (0.49..10.00)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := strings.NewReplacer("LOW", c.low, "HIGH", c.high, "\n0.50\n", "\n"+c.lowest+"\n", "\n050\n", "\n"+strings.Replace(c.lowest, ".", "", 1)+"\n").Replace(ratio)
			f, _ := found(t, files, Options{Seed: 1})
			var reasons []string
			for _, one := range f.Findings {
				reasons = append(reasons, one.Reason)
			}
			if got := strings.Join(reasons, "; "); got != c.want {
				t.Errorf("found %q, expected %q", got, c.want)
			}
			b := f.Bounds[0]
			if got := fmt.Sprintf("%s..%s (%s..%s)", b.Low.Declared, b.High.Declared, b.Low.Rejected, b.High.Rejected); got != c.bounds {
				t.Errorf("bounds %s, expected %s", got, c.bounds)
			}
		})
	}
}
