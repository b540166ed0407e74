package terminal

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Bytes formats a configured number of bytes: "64 MiB", "1.5 MiB", "12 KiB". A whole
// number of MiB is not rounded: "1.5 GiB", but "1500 MiB". [Memory] formats a measured
// one.
func Bytes(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
	case n%(1<<20) == 0 && n%(1<<29) != 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n < 1<<30:
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.4g GiB", float64(n)/(1<<30))
}

// Duration formats a measured time with at most three digits, in milliseconds
// below one second: "0.4 ms", "123 ms", "1.02 s"; "0 ms" for 0 and less.
func Duration(d time.Duration) string {
	switch ms, s := float64(d)/float64(time.Millisecond), d.Seconds(); {
	case d <= 0:
		return "0 ms"
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0f ms", ms)
	default:
		return three(s) + " s"
	}
}

// Exactly formats a configured time without rounding: "1 s", "1.5 s", "750 ms".
func Exactly(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " s"
}

// Score formats a score with at most six decimals: "33.333333", "100".
func Score(v float64) string {
	if rounded := math.Round(v*1e6) / 1e6; !math.IsInf(rounded, 0) {
		v = rounded
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Age returns a time in its largest unit, rounded down: "45 s", "3 min", "5 h", "12 days".
func Age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(d, 0)/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}
