// Package calibration runs programs of known cost in the sandbox, to measure the
// error of the judge's clocks and of its memory measurement, and what it costs to run
// several programs at once.
package calibration

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
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
	random  kind = "random"  // the same of 16 MiB, more than the caches of one core
	calls   kind = "calls"   // an amount of system calls
	sorting kind = "sort"    // sorts an amount of random numbers: branches that cannot be predicted
	stream  kind = "stream"  // an amount of passes over 16 MiB
	start   kind = "start"   // starts an amount of processes that do nothing, one after the other
	output  kind = "output"  // writes an amount of blocks of 4 KiB to standard output
)

// Main runs a program of known cost and exits, if the sandbox started this executable
// for that; otherwise it returns at once. A command that calls [SelfTest], [Parallel] or
// [Measure] calls Main first.
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
	if err := run(kind(name), amount); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(k kind, amount int64) error {
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
		readAtRandom(touch(64<<20), 38, amount)
	case random:
		readAtRandom(touch(16<<20), 40, amount)
	case calls:
		for range amount {
			os.Getppid()
		}
	case sorting:
		numbers := make([]uint32, amount)
		for i, x := 0, uint64(1); i < len(numbers); i++ {
			x = steps(x, 1)
			numbers[i] = uint32(x)
		}
		slices.Sort(numbers)
		runtime.KeepAlive(numbers)
	case stream:
		memory := touch(16 << 20)
		sum := uint64(0)
		for range amount {
			for i := 0; i < len(memory); i += 8 {
				sum += binary.LittleEndian.Uint64(memory[i:])
			}
		}
		runtime.KeepAlive(sum)
	case start:
		return startProcesses(amount)
	case output:
		block := make([]byte, 4096)
		for range amount {
			if _, err := os.Stdout.Write(block); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAtRandom reads a number of times; memory has 1<<(64-shift) bytes.
func readAtRandom(memory []byte, shift uint, times int64) {
	at := uint64(1)
	for range times {
		at = at*6364136223846793005 + 1442695040888963407 + uint64(memory[at>>shift])
	}
	runtime.KeepAlive(at)
}

// startProcesses starts this executable a number of times.
func startProcesses(times int64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Setenv(programKey, string(compute)+" 0"); err != nil {
		return err
	}
	for range times {
		p, err := os.StartProcess(self, []string{self}, new(os.ProcAttr))
		if err != nil {
			return err
		}
		if _, err := p.Wait(); err != nil {
			return err
		}
	}
	return nil
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
