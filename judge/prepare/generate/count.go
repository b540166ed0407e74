package generate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"crucible/judge/internal/lazy"
	"crucible/judge/internal/yaml"
)

// maxCount limits how many cases one entry declares, and the retries of a case.
const maxCount = 100

const countRule = "expected an integer, a list of integers, or a range such as -4..=5"

var rangeForm = lazy.Regexp(`^(-?[0-9]+)\.\.=(-?[0-9]+)$`)

// counts reads the key count of a case: 3 means 1, 2 and 3; "-4..=5" means -4 to 5; a
// list means its items. Without the key there is one case. After an error there are no
// values.
func counts(entry *yaml.Node) ([]int, error) {
	n := entry.Get("count")
	low, high := int64(1), int64(1)
	var err error
	switch {
	case n == nil, n.Kind() == yaml.Null:
	case n.Kind() == yaml.Sequence:
		return countList(n)
	case n.Kind() == yaml.Int:
		if high, err = n.AsInt(); err != nil || high < 1 || high > maxCount {
			return nil, n.Errorf("count %s: expected 1 to %d", n.Text(), maxCount)
		}
	case n.Kind() == yaml.String:
		if low, high, err = countRange(n.Text()); err != nil {
			return nil, n.Errorf("count %q: %v", n.Text(), err)
		}
	default:
		return nil, n.Errorf("count: %s, found %s", countRule, n.Kind())
	}
	var values []int
	for v := low; v <= high; v++ {
		values = append(values, int(v))
	}
	return values, nil
}

// countRange reads a count that is a range.
func countRange(text string) (low, high int64, err error) {
	m := rangeForm().FindStringSubmatch(text)
	if m == nil {
		return 0, 0, errors.New(countRule)
	}
	low, errLow := strconv.ParseInt(m[1], 10, 32)
	high, errHigh := strconv.ParseInt(m[2], 10, 32)
	switch {
	case errLow != nil || errHigh != nil:
		err = errors.New("expected integers of at most 32 bits")
	case low > high:
		err = errors.New("the range is empty")
	case high-low >= maxCount:
		err = fmt.Errorf("expected at most %d", maxCount)
	}
	return low, high, err
}

// countList reads a count that is a list.
func countList(n *yaml.Node) ([]int, error) {
	items := n.Items()
	if len(items) < 1 || len(items) > maxCount {
		return nil, n.Errorf("count: expected a list of 1 to %d integers, found %d", maxCount, len(items))
	}
	var values []int
	for _, item := range items {
		v, err := item.AsInt()
		switch {
		case err != nil:
			return nil, err
		case v != int64(int32(v)):
			return nil, item.Errorf("count %d: expected an integer of at most 32 bits", v)
		case slices.Contains(values, int(v)):
			return nil, item.Errorf("a second count %d", v)
		}
		values = append(values, int(v))
	}
	return values, nil
}

// countNames returns what each count adds to the name of its case: "-07". Consecutive
// numbers are padded with zeros.
func countNames(values []int) []string {
	width := 0
	if slices.Max(values)-slices.Min(values) == len(values)-1 {
		for _, v := range values {
			width = max(width, digits(v))
		}
	}
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprintf("-%0*d", width, v)
	}
	return names
}
