package cli

import (
	"slices"
	"testing"

	"crucible/judge/measure/machine"
)

func TestPlace(t *testing.T) {
	all := []machine.Processor{{ID: 0, Siblings: []int{0, 2}}, {ID: 1, Siblings: []int{1, 3}}, {ID: 2, Siblings: []int{0, 2}}, {ID: 3, Siblings: []int{1, 3}}}
	for _, c := range []struct {
		fact    string
		flags   RunFlags
		allowed []int
		jobs    int
		cores   []int
		wrong   string
		claimed bool // other judges have claimed all cores
		rest    []int
	}{
		{"nothing asked", RunFlags{}, []int{0, 1, 2, 3}, 0, nil, "", false, nil},
		{"a core for each job", RunFlags{Jobs: 2}, []int{0, 1, 2, 3}, 2, []int{1, 0}, "", false, nil},
		{"the rest is for the judge", RunFlags{Jobs: 1}, []int{0, 1, 2, 3}, 1, []int{1}, "", false, []int{0, 2}},
		{"the rest of those allowed", RunFlags{Jobs: 1}, []int{0, 1, 3}, 1, []int{1}, "", false, []int{0}},
		{"no rest", RunFlags{Jobs: 1}, []int{1, 3}, 1, []int{1}, "", false, nil},
		{"more jobs than cores", RunFlags{Jobs: 3}, []int{0, 1, 2, 3}, 3, nil, "", false, nil},
		{"cores of other judges", RunFlags{Jobs: 1}, []int{0, 1, 2, 3}, 1, nil, "", true, nil},
		{"jobs where the system does not pin", RunFlags{Jobs: 1}, nil, 1, nil, "", false, nil},
		{"a core each, none shared", RunFlags{Pin: true}, []int{0, 1, 2, 3}, 2, []int{1, 0}, "", false, nil},
		{"as few as are asked for", RunFlags{Pin: true, Jobs: 1}, []int{0, 1, 2, 3}, 1, []int{1}, "", false, nil},
		{"shared where that is asked for", RunFlags{Pin: true, Jobs: 3}, []int{0, 1, 2, 3}, 3, []int{1, 0, 2}, "", false, nil},
		{"not what others have", RunFlags{Pin: true}, []int{2}, 1, []int{2}, "", false, nil},
		{"more than there are", RunFlags{Pin: true, Jobs: 3}, []int{1, 2}, 3, nil, "--pin --jobs 3: expected at most 2, one per core", false, nil},
		{"a system that does not pin", RunFlags{Pin: true}, nil, 0, nil, "--pin: not supported on this system", false, nil},
	} {
		wrong := ""
		claim := func(order []int, n int) []int {
			if c.claimed {
				return nil
			}
			return order[:n]
		}
		rest, err := c.flags.place(all, c.allowed, claim)
		if err != nil {
			wrong = err.Error()
		}
		if !slices.Equal(rest, c.rest) {
			t.Errorf("%s: %v are left for the judge, expected %v", c.fact, rest, c.rest)
		}
		if wrong != c.wrong || c.flags.Jobs != c.jobs || !slices.Equal(c.flags.Cores, c.cores) {
			t.Errorf("%s: place gives %d jobs on %v, error %q; expected %d on %v, %q", c.fact, c.flags.Jobs, c.flags.Cores, wrong, c.jobs, c.cores, c.wrong)
		}
	}
}
