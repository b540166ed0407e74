package machine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"
)

// A Measuring runs two fixed loops alternately, so that a disturbance affects
// both. The zero value is ready to use.
type Measuring struct {
	Times   int                 // the number of runs of each loop; 0 is 10
	Length  time.Duration       // the approximate duration of one run; 0 is 0.2 s
	OnTimes func(times, of int) // called after each run of both loops, if not nil
}

// A Measurement describes how well times repeat.
type Measurement struct {
	Arithmetic Spread   // of a loop in registers
	Memory     Spread   // of a random walk through 64 MiB
	Wall       bool     // the times are wall-clock times, because the system has no clock for the CPU time of a thread
	Load       Activity // the load by other programs
}

// A Spread describes the spread of the times of one piece of work.
type Spread struct {
	N      int           // the number of runs
	Median time.Duration // of CPU time
	Half   float64       // half of the distance of the 5th to the 95th percentile, relative to the median: 0.01 is ±1 %
	Range  float64       // the longest time divided by the shortest, minus 1
	Wait   float64       // wall-clock time divided by CPU time, minus 1, the median of all runs: the wait for a processor
}

// A timing is the duration of one run of a loop.
type timing struct{ cpu, wall time.Duration }

// spreadOf computes the spread of timings. Percentiles are interpolated between
// timings.
func spreadOf(timings []timing) Spread {
	s := Spread{N: len(timings)}
	if s.N == 0 {
		return s
	}
	var times, waits []float64
	for _, t := range timings {
		times = append(times, float64(t.cpu))
		if t.cpu > 0 {
			waits = append(waits, float64(t.wall-t.cpu)/float64(t.cpu))
		}
	}
	slices.Sort(times)
	slices.Sort(waits)
	median := quantile(times, 0.5)
	s.Median = time.Duration(median)
	if median > 0 {
		s.Half = (quantile(times, 0.95) - quantile(times, 0.05)) / 2 / median
	}
	if times[0] > 0 {
		s.Range = times[s.N-1]/times[0] - 1
	}
	if len(waits) > 0 {
		s.Wait = quantile(waits, 0.5)
	}
	return s
}

// quantile returns the quantile q of sorted numbers, at least one, by linear
// interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Measure runs the loops. If ctx ends, the measurement has the runs until then.
func (m Measuring) Measure(ctx context.Context) Measurement {
	times, length := cmp.Or(m.Times, 10), cmp.Or(m.Length, 200*time.Millisecond)
	loops := [...]func(steps int){arithmetic, walk}
	var steps [len(loops)]int
	for i, loop := range loops {
		steps[i] = calibrate(ctx, loop, length)
	}
	watch := Observe(nil)
	var timings [len(loops)][]timing
	for done := 1; ctx.Err() == nil && done <= times; done++ {
		for i, loop := range loops {
			timings[i] = append(timings[i], timed(loop, steps[i]))
		}
		if m.OnTimes != nil {
			m.OnTimes(done, times)
		}
	}
	return Measurement{Arithmetic: spreadOf(timings[0]), Memory: spreadOf(timings[1]), Wall: !hasThreadTime,
		Load: watch.Until(0)}
}

// timed runs a loop on its own thread.
func timed(loop func(steps int), steps int) timing {
	done := make(chan timing)
	go func() {
		runtime.LockOSThread()
		wall, cpu := time.Now(), threadTime()
		loop(steps)
		t := timing{threadTime() - cpu, time.Since(wall)}
		if !hasThreadTime {
			t.cpu = t.wall
		}
		done <- t
	}()
	return <-done
}

// calibrate returns the number of steps of a loop that take about the given time,
// including the time before the first step.
func calibrate(ctx context.Context, loop func(steps int), length time.Duration) int {
	before := timed(loop, 0).cpu
	for steps := 1 << 12; ; steps *= 2 {
		if t := timed(loop, steps).cpu - before; t >= length/4 || ctx.Err() != nil {
			return max(1, int(float64(steps)*float64(length-before)/float64(max(t, 1))))
		}
	}
}

// arithmetic is work that uses only registers.
func arithmetic(steps int) {
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x) // otherwise the compiler removes the loop
}

// walkBytes is larger than the caches of most processors.
const walkBytes = 64 << 20

// walk is work that waits for memory: each step reads an address that depends on the
// step before. The memory is new each time, like that of a program, because its
// physical addresses determine the conflicts in the caches.
func walk(steps int) {
	memory, release := newMemory(walkBytes / 8)
	defer release()
	for i := 0; i < len(memory); i += 512 {
		memory[i] = 1 // allocate the page
	}
	x := uint64(88172645463325252)
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407 + memory[x>>41]
	}
	runtime.KeepAlive(x) // otherwise the compiler removes the loop
}

// busyWait is the share of its time for which a loop waits for a processor, from
// which on the machine is busy. A program that has a processor to itself waits only
// for clock interrupts, a few thousandths of its time.
const busyWait = 0.02

// Busy describes the load by other programs during the measurement, as the start of
// a sentence; "" if there was none.
func (m *Measurement) Busy() string {
	busy, wait := m.Load.Busy(), max(m.Arithmetic.Wait, m.Memory.Wait)
	if busy == "" && wait >= busyWait {
		return fmt.Sprintf("the loops waited for a processor for %s of their time", percent(wait))
	}
	return busy
}

// fewest is the smallest number of runs for percentiles.
const fewest = 3

// Verdict describes in one line how reliable times are.
//
// The loop with the larger spread counts, because the judge does not know which
// one a program resembles. If nine of ten times are within h of the median, two
// runs of a program differ by more than √2·h in one case of ten: a smaller
// difference is not significant. The margin for limits is larger, because the worst
// of many cases decides: it is at least 2·h and the largest range that was measured.
func (m *Measurement) Verdict() string {
	if m.Arithmetic.N < fewest || m.Memory.N < fewest {
		return "too few runs to estimate how well times repeat"
	}
	h := max(m.Arithmetic.Half, m.Memory.Half)
	what := "CPU times"
	if m.Wall {
		what = "wall-clock times"
	}
	text := fmt.Sprintf("%s repeat within %s (arithmetic) and %s (memory): differences below %s are not significant; a "+
		"time within %s of a limit may get another verdict",
		what, percent(m.Arithmetic.Half), percent(m.Memory.Half), percent(math.Sqrt2*h),
		percent(max(2*h, m.Arithmetic.Range, m.Memory.Range)))
	if busy := m.Busy(); busy != "" {
		return text + "; but " + busy + " during the measurement: measure again when the machine is idle"
	}
	return text
}

// percent writes a share rounded up, with one decimal below one percent.
func percent(share float64) string {
	// A rounding error must not round up an integer.
	p := 100*share - 1e-9
	if p > 0.9 {
		return fmt.Sprintf("%.0f %%", math.Ceil(p))
	}
	return fmt.Sprintf("%.1f %%", max(0.1, math.Ceil(10*p)/10))
}
