package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"crucible/judge/internal/yaml"
)

// most is how many cases one entry may make.
const most = 100

var rangeForm = regexp.MustCompile(`^(-?[0-9]+)\.\.=(-?[0-9]+)$`)

// counts reads the key count of a case: 3 is 1, 2 and 3; "-4..=5" goes from
// -4 to 5; a list is itself. Without the key there is one case, and given is
// false.
func counts(entry *yaml.Node) (values []int, given bool, err error) {
	n := entry.Get("count")
	if n == nil {
		return []int{1}, false, nil
	}
	switch n.Kind() {
	case yaml.Int:
		c, err := n.AsInt()
		if err != nil || c < 1 || c > most {
			return nil, true, n.Errorf("count %s: want 1 to %d", n.Text(), most)
		}
		return span(1, int(c)), true, nil
	case yaml.String:
		lo, hi, ok := bounds(n.Text())
		switch {
		case !ok:
			return nil, true, n.Errorf("count %q: want an integer, a list of them, or a range such as -4..=5", n.Text())
		case lo > hi:
			return nil, true, n.Errorf("count %q: nothing is in it", n.Text())
		case hi-lo >= most:
			return nil, true, n.Errorf("count %q: want at most %d", n.Text(), most)
		}
		return span(lo, hi), true, nil
	case yaml.Sequence:
		values, err := listed(n)
		return values, true, err
	}
	return nil, true, n.Errorf("count: want an integer, a list of them, or a range such as -4..=5, got %s", n.Kind())
}

func listed(n *yaml.Node) ([]int, error) {
	items := n.Items()
	if len(items) < 1 || len(items) > most {
		return nil, n.Errorf("count: want a list of 1 to %d integers, got %d", most, len(items))
	}
	var values []int
	for _, item := range items {
		v, err := item.AsInt()
		if err != nil {
			return nil, err
		}
		if v != int64(int32(v)) {
			return nil, item.Errorf("count %d: want an integer of at most 32 bits", v)
		}
		if slices.Contains(values, int(v)) {
			return nil, item.Errorf("count %d is given twice", v)
		}
		values = append(values, int(v))
	}
	return values, nil
}

func bounds(s string) (lo, hi int, ok bool) {
	m := rangeForm.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, false
	}
	a, errA := strconv.ParseInt(m[1], 10, 32)
	b, errB := strconv.ParseInt(m[2], 10, 32)
	return int(a), int(b), errA == nil && errB == nil
}

func span(lo, hi int) []int {
	values := make([]int, 0, hi-lo+1)
	for v := lo; v <= hi; v++ {
		values = append(values, v)
	}
	return values
}

// countNames returns what each count adds to the name of its case: "-07". The
// numbers are padded with zeros where none is left out.
func countNames(values []int) []string {
	width := 0
	if slices.Max(values)-slices.Min(values) == len(values)-1 {
		for _, v := range values {
			width = max(width, len(strconv.Itoa(v)))
		}
	}
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprintf("-%0*d", width, v)
	}
	return names
}
