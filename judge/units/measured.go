package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Decimals is how many decimals leave a number three digits or so.
func Decimals(v float64) int {
	switch {
	case v < 9.995:
		return 2
	case v < 99.95:
		return 1
	}
	return 0
}

// Percent writes what was asked for: "95 %", "98.8 %", "0.4 %"; less than all is
// never rounded to all: "99.95 %". What was measured is written by share.
func Percent(x float64) string {
	for n := 3; ; n++ {
		if text := strconv.FormatFloat(100*x, 'g', n, 64); text != "100" || x >= 1 || n > 15 {
			return text + " %"
		}
	}
}

// Number writes a number with three digits: "1.23 G".
func Number(n float64) string {
	unit := 0
	for unit < 4 && n >= 999.5 {
		n /= 1000
		unit++
	}
	return strings.TrimSpace(fmt.Sprintf("%.*f %s", Decimals(n), n, [...]string{"", "k", "M", "G", "T"}[unit]))
}

// Factor writes a factor above 1 with three digits, close to 1 with four.
func Factor(f float64) string {
	switch {
	case f >= 99.95:
		return fmt.Sprintf("%.0fx", f)
	case f >= 9.995:
		return fmt.Sprintf("%.1fx", f)
	case f >= 1.0995:
		return fmt.Sprintf("%.2fx", f)
	}
	return fmt.Sprintf("%.3fx", f)
}

// Ratio writes a ratio with three digits, or four near one: "0.518", "1.002".
func Ratio(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "?"
	}
	return strconv.FormatFloat(v, 'f', DigitsAfter(v), 64)
}

// DigitsAfter is how many of them stand after the point.
func DigitsAfter(v float64) int {
	if v >= 0.8 && v < 1.25 {
		return 3
	}
	return max(0, 2-int(math.Floor(math.Log10(max(v, 1e-9)))))
}

// Seconds writes measured seconds with three digits: "41.2 ms", "1.23 s", "830 µs".
func Seconds(seconds float64) string {
	v, unit := seconds, "s"
	switch {
	case seconds <= 0:
		return "0 ms"
	case seconds < 0.9995e-3:
		v, unit = seconds*1e6, "µs"
	case seconds < 0.9995:
		v, unit = seconds*1e3, "ms"
	}
	switch {
	case v >= 99.95:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 9.995:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.2f %s", v, unit)
}

// Share writes a fraction as percents, two digits of them: "1.2 %", "35 %".
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

// Count writes a number of things: "1 case", "2 cases".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
