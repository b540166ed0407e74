package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"crucible/judge/machine"
)

// On a terminal, each progress line overwrites the one before, and the last is erased.
func TestDoctorShowsProgress(t *testing.T) {
	for _, tty := range []bool{true, false} {
		var b bytes.Buffer
		(&sayer{w: &b}).measure(t.Context(), tty, 1)
		before, after, erased := strings.Cut(b.String(), "\r\x1b[K")
		if erased != tty || strings.HasSuffix(before, "\rtimes         measuring, 0 of 1\rtimes         measuring, 1 of 1") != tty {
			t.Errorf("terminal %v: %q, want progress on a terminal only, and erased", tty, b.String())
		}
		if last := strings.TrimPrefix(before+after, before); tty && !strings.HasPrefix(last, "times         too few runs") {
			t.Errorf("then %q, want the verdict", last)
		}
	}
}

func TestPlace(t *testing.T) {
	all := []machine.Processor{{ID: 0, Siblings: []int{0, 2}}, {ID: 1, Siblings: []int{1, 3}}, {ID: 2, Siblings: []int{0, 2}}, {ID: 3, Siblings: []int{1, 3}}}
	for _, c := range []struct {
		fact    string
		flags   runFlags
		allowed []int
		jobs    int
		cores   []int
		wrong   string
	}{
		{"nothing asked", runFlags{jobs: 9}, []int{0, 1, 2, 3}, 9, nil, ""},
		{"a core each, none shared", runFlags{pin: true}, []int{0, 1, 2, 3}, 2, []int{1, 0}, ""},
		{"as few as are asked for", runFlags{pin: true, jobs: 1}, []int{0, 1, 2, 3}, 1, []int{1}, ""},
		{"shared where that is asked for", runFlags{pin: true, jobs: 3}, []int{0, 1, 2, 3}, 3, []int{1, 0, 2}, ""},
		{"not what others have", runFlags{pin: true}, []int{2}, 1, []int{2}, ""},
		{"more than there are", runFlags{pin: true, jobs: 3}, []int{1, 2}, 3, nil, "--pin --jobs 3: expected at most 2, one per core"},
		{"a system that does not pin", runFlags{pin: true}, nil, 0, nil, "--pin: not supported on this system"},
	} {
		wrong := ""
		if err := c.flags.place(all, c.allowed); err != nil {
			wrong = err.Error()
		}
		if wrong != c.wrong || c.flags.jobs != c.jobs || !slices.Equal(c.flags.cores, c.cores) {
			t.Errorf("%s: place gives %d jobs on %v, error %q; want %d on %v, %q", c.fact, c.flags.jobs, c.flags.cores, wrong, c.jobs, c.cores, c.wrong)
		}
	}
}
