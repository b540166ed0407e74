package terminal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Decimals returns the number of decimals, from 0 to 2, with which v has about
// three significant digits; v must be 0 or more.
func Decimals(v float64) int {
	switch {
	case v < 9.995:
		return 2
	case v < 99.95:
		return 1
	}
	return 0
}

// three formats v, which must be 0 or more, with three significant digits.
func three(v float64) string { return fmt.Sprintf("%.*f", Decimals(v), v) }

// Percent formats a configured fraction: "95 %", "98.8 %", "0.4 %". It adds
// digits until a fraction below 1 is not rounded to 100 %: "99.95 %". [Share]
// formats measured fractions.
func Percent(x float64) string {
	for n := 3; ; n++ {
		if text := strconv.FormatFloat(100*x, 'g', n, 64); text != "100" || x >= 1 || n > 15 {
			return text + " %"
		}
	}
}

// Number formats n, which must be 0 or more, with three digits and a decimal
// prefix: "1.23 G".
func Number(n float64) string {
	unit := 0
	for unit < 4 && n >= 999.5 {
		n /= 1000
		unit++
	}
	return strings.TrimSpace(three(n) + " " + [...]string{"", "k", "M", "G", "T"}[unit])
}

// Factor formats a factor of 1 or more with three digits, or with four below
// 1.1: "12.3x", "1.023x".
func Factor(f float64) string {
	if f < 1.0995 {
		return fmt.Sprintf("%.3fx", f)
	}
	return three(f) + "x"
}

// Ratio formats a ratio with three digits, or with four near 1: "0.518",
// "1.002". It returns "?" for an infinity or NaN.
func Ratio(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "?"
	}
	return strconv.FormatFloat(v, 'f', DigitsAfter(v), 64)
}

// DigitsAfter returns the number of digits that [Ratio] writes after the decimal
// point.
func DigitsAfter(v float64) int {
	if v >= 0.8 && v < 1.25 {
		return 3
	}
	return max(0, 2-int(math.Floor(math.Log10(max(v, 1e-9)))))
}

// Seconds formats a measured time in seconds with three digits: "41.2 ms",
// "1.23 s", "830 µs", "3.40 ns"; "0 ms" for 0 and less.
func Seconds(seconds float64) string {
	switch {
	case seconds <= 0:
		return "0 ms"
	case seconds < 0.9995e-6:
		return three(seconds*1e9) + " ns"
	case seconds < 0.9995e-3:
		return three(seconds*1e6) + " µs"
	case seconds < 0.9995:
		return three(seconds*1e3) + " ms"
	}
	return three(seconds) + " s"
}

// Share formats a measured fraction as a percentage of about two digits: "1.2 %",
// "35 %".
func Share(x float64) string {
	switch p := 100 * x; {
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.095:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.2g %%", p)
	}
}

// Count formats a number of things: "1 case", "2 cases". thing is a singular noun
// whose plural ends in s.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
