package terminal

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
	switch unit {
	case 0:
		return fmt.Sprintf("%.0f %s", v, name)
	case 2:
		return fmt.Sprintf("%.*f %s", min(Decimals(v), 1), v, name)
	}
	return three(v) + " " + name
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
	if n < 1000 {
		return Count(int(n), "instruction")
	}
	return Number(float64(n)) + " instructions"
}
