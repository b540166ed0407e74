package check

import "strconv"

// ParseFloat reads a number by the grammar of the format (2025-09, "General
// requirements"), which is decimal: no hex, no inf, no nan. It is false for what
// is no such number, and for one beyond what a float64 holds.
func ParseFloat(text string) (float64, bool) {
	if _, ok := parseDecimal(text); !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}
