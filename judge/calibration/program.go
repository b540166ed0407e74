// Package calibration runs programs of known cost in the sandbox, to measure the
// error of the judge's clocks and of its memory measurement, and what it costs to run
// several programs at once.
package calibration

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// programKey is the environment variable that makes this executable a program of known
// cost. Its value is a kind and an amount: "cpu 100000000".
const programKey = "CRUCIBLE_CALIBRATION"

// A kind is a kind of program of known cost.
type kind string

const (
	cpu     kind = "cpu"     // computes until its own CPU clock has advanced by an amount in nanoseconds
	memory  kind = "memory"  // writes to an amount of memory in bytes
	sleep   kind = "sleep"   // sleeps for an amount of wall-clock time in nanoseconds
	compute kind = "compute" // an amount of steps that use registers only
	walk    kind = "walk"    // an amount of reads at random addresses of 64 MiB
	calls   kind = "calls"   // an amount of system calls
)

// Main runs a program of known cost and exits, if the sandbox started this executable
// for that; otherwise it returns at once. A command that calls [SelfTest] or [Parallel]
// calls Main first.
func Main() {
	value, ok := os.LookupEnv(programKey)
	if !ok {
		return
	}
	name, number, _ := strings.Cut(value, " ")
	amount, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s=%q: expected a kind and an amount\n", programKey, value)
		os.Exit(2)
	}
	run(kind(name), amount)
	os.Exit(0)
}

func run(k kind, amount int64) {
	switch k {
	case cpu:
		for x := uint64(1); processTime() < time.Duration(amount); {
			x = steps(x, 1<<12)
			runtime.KeepAlive(x)
		}
	case memory:
		touch(amount)
	case sleep:
		time.Sleep(time.Duration(amount))
	case compute:
		runtime.KeepAlive(steps(1, amount))
	case walk:
		memory := touch(64 << 20)
		at := uint64(1)
		for range amount {
			at = at*6364136223846793005 + 1442695040888963407 + uint64(memory[at>>38])
		}
		runtime.KeepAlive(at)
	case calls:
		for range amount {
			os.Getppid()
		}
	}
}

// steps computes n steps of a generator of random numbers.
func steps(x uint64, n int64) uint64 {
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// touch returns new memory and writes to each of its pages.
func touch(size int64) []byte {
	memory := newMemory(int(size))
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	return memory
}
