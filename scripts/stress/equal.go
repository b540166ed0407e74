package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"crucible/judge"
	"crucible/judge/strength/stress"
)

// A state is what a long search must not make larger.
type state struct {
	heap      uint64 // bytes in use after a collection
	processes int    // below this process
	files     int    // open in this process
	temporary int    // entries of the folder for temporary files
}

func (s state) String() string {
	return fmt.Sprintf("heap %.1f MB, %d processes, %d open files, %d temporary files", float64(s.heap)/1e6, s.processes,
		s.files, s.temporary)
}

// equal searches for a difference of two equal programs, by mutation and generators, and
// prints the state every tenth of the time. It reports whether nothing was found and
// nothing grew in the second half.
func equal(ctx context.Context, j *judge.Judge, s stress.Search, long time.Duration) (bool, error) {
	s.Generated, s.Inputs, s.Budget = false, 0, long
	var states []state
	next := time.Duration(0)
	s.OnEvent = func(p stress.Progress) {
		if p.Elapsed >= next {
			next += long / 10
			states = append(states, now())
			fmt.Printf("%s: %d valid inputs, %d not checked, %d repeated, %v\n", p.Elapsed.Round(time.Second), p.Valid,
				p.Unchecked, p.Repeated, states[len(states)-1])
		}
	}
	r, err := s.Run(ctx, j)
	if err != nil {
		return false, err
	}
	last := now()
	fmt.Printf("end: %d valid inputs and %d not checked in %s, %d differences, %v\n", r.Valid, r.Unchecked,
		r.Elapsed.Round(time.Second), len(r.Counterexamples), last)
	if len(states) < 3 {
		return false, fmt.Errorf("too few inputs to see growth: expected a longer time")
	}
	first := states[len(states)/2] // programs start when they are first needed
	// Hashes of inputs are kept, so that none runs twice: about 50 bytes for each.
	allowed := first.heap + uint64(r.Valid+r.Invalid+r.Unchecked)*100 + 16<<20
	return len(r.Counterexamples) == 0 && r.Disagreement == nil && last.processes <= first.processes &&
		last.files <= first.files && last.temporary <= first.temporary && last.heap <= allowed, nil
}

// family returns the fields after the name in the /proc/PID/stat of this process and of
// its children.
func family() (all [][]string) {
	own := strconv.Itoa(os.Getpid())
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name)
		// The name of the program is in parentheses; the parent is the second field after it.
		if i := strings.LastIndexByte(string(data), ')'); i >= 0 {
			if fields := strings.Fields(string(data[i+1:])); len(fields) > 15 &&
				(fields[1] == own || filepath.Base(filepath.Dir(name)) == own) {
				all = append(all, fields)
			}
		}
	}
	return all
}

// work returns the CPU time of this process, of its children, and of theirs that have
// ended.
func work() (sum time.Duration) {
	for _, fields := range family() {
		for _, ticks := range fields[11:15] {
			n, _ := strconv.Atoi(ticks)
			sum += time.Duration(n) * time.Second / 100
		}
	}
	return sum
}

// now measures the state of this process and its children.
func now() (s state) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.heap = m.HeapAlloc
	s.processes = len(family()) - 1
	open, _ := os.ReadDir("/proc/self/fd")
	temporary, _ := os.ReadDir(os.TempDir())
	s.files, s.temporary = len(open), len(temporary)
	return s
}
