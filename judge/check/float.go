package check

import "strconv"

// ParseFloat parses a number by the grammar of the package format (2025-09, section
// "General requirements"), which is decimal: no hexadecimal numbers, no inf, no
// nan. The result is false if the text is not such a number or if a float64 cannot
// represent it.
func ParseFloat(text string) (float64, bool) {
	if _, ok := parseDecimal(text); !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
