package units

import (
	"fmt"
)

// leastMemory is the least that a peak of memory can tell: the kernel charges
// memory to a program in steps of 256 KiB for each processor that it runs on.
const leastMemory = 1 << 20

// Memory writes a measured peak of memory with the digits that it can tell:
// "<1 MiB", "3.2 MiB", "123 MiB".
func Memory(n int64) string {
	if 0 < n && n < leastMemory {
		return "<1 MiB"
	}
	v, unit := float64(n), 0
	for unit < 4 && (v >= 999.5 || unit < 2 && n > 0) {
		v /= 1024
		unit++
	}
	name := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit]
	switch {
	case unit == 0 || v >= 99.95:
		return fmt.Sprintf("%.0f %s", v, name)
	case v >= 9.995 || unit == 2:
		return fmt.Sprintf("%.1f %s", v, name)
	}
	return fmt.Sprintf("%.2f %s", v, name)
}

// PeakBytes is a peak of memory as benchmark lines and comparisons have it. What
// is less than 1 MiB is 1 MiB, so that two steps of the kernel do not look like
// twice as much.
func PeakBytes(n int64) int64 {
	if 0 < n && n < leastMemory {
		return leastMemory
	}
	return n
}

// Instructions writes how many were executed: "12.3 G instructions".
func Instructions(n int64) string {
	v, unit := float64(n), 0
	for unit < 4 && v >= 999.5 {
		v /= 1000
		unit++
	}
	name := [...]string{"", " k", " M", " G", " T"}[unit]
	switch {
	case unit == 0:
		return Count(int(n), "instruction")
	case v >= 99.95:
		return fmt.Sprintf("%.0f%s instructions", v, name)
	case v >= 9.995:
		return fmt.Sprintf("%.1f%s instructions", v, name)
	}
	return fmt.Sprintf("%.2f%s instructions", v, name)
}
