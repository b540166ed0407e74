package units

import (
	"fmt"
)

// leastMemory is the smallest meaningful peak of memory, in bytes: the kernel
// charges memory to a program in steps of 256 KiB for each of its processors.
const leastMemory = 1 << 20

// Memory formats a measured peak of memory in bytes, with its meaningful digits
// only: "<1 MiB", "3.2 MiB", "123 MiB".
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

// PeakBytes returns a peak of memory, in bytes, for benchmark lines and
// comparisons. It raises a peak below 1 MiB to 1 MiB, so that two accounting
// steps of the kernel do not look like twice the memory of one; 0 stays 0.
func PeakBytes(n int64) int64 {
	if 0 < n && n < leastMemory {
		return leastMemory
	}
	return n
}

// Instructions formats a number of executed instructions: "12.3 G instructions".
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
