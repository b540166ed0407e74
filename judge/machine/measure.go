package machine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"time"
)

// A Measuring runs two loops of fixed work alternately, so that what disturbs
// one disturbs the other. The zero value is ready.
type Measuring struct {
	Times   int                 // how often each loop is run; 0 means 10
	Length  time.Duration       // of one run, about; 0 means 0.2 s
	OnTimes func(times, of int) // told after each time, if not nil
}

// A Measurement says how well times repeat.
type Measurement struct {
	Arithmetic Spread  // of a loop that stays in registers
	Memory     Spread  // of a random walk through 64 MiB
	Wall       bool    // the system has no clock for the CPU time of a thread, and real time stands for it
	Others     float64 // processors that others kept busy meanwhile, on average; 0 where that is not told
	Stolen     float64 // share of the time that the host took away
}

// A Spread describes how far apart the times of one piece of work are.
type Spread struct {
	N      int
	Median time.Duration // of CPU time
	Half   float64       // half of what lies between the 5th and the 95th percentile, over the median: 0.01 is ±1 %
	Range  float64       // the longest over the shortest, less 1
	Wait   float64       // real time over CPU time, less 1, the median of all: what the program waited for a processor
}

// SpreadOf describes timings. Percentiles lie between two timings in
// proportion, so of few timings the longest and shortest count little.
func SpreadOf(timings []Timing) Spread {
	s := Spread{N: len(timings)}
	if s.N == 0 {
		return s
	}
	var times, waits []float64
	for _, t := range timings {
		times = append(times, float64(t.CPU))
		if t.CPU > 0 {
			waits = append(waits, float64(t.Wall-t.CPU)/float64(t.CPU))
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

// quantile of sorted numbers, at least one.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Measure runs the loops. When ctx ends it returns what it has until then.
func (m Measuring) Measure(ctx context.Context) Measurement {
	times, length := cmp.Or(m.Times, 10), cmp.Or(m.Length, 200*time.Millisecond)
	loops := [...]func(steps int){arithmetic, walk}
	var steps [len(loops)]int
	for i, loop := range loops {
		steps[i] = calibrate(ctx, loop, length)
	}
	before, since, told := ownTicks(), time.Now(), 0
	var timings [len(loops)][]Timing
	for ctx.Err() == nil && told < times {
		for i, loop := range loops {
			timings[i] = append(timings[i], timed(loop, steps[i]))
		}
		told++
		if m.OnTimes != nil {
			m.OnTimes(told, times)
		}
	}
	result := Measurement{Arithmetic: SpreadOf(timings[0]), Memory: SpreadOf(timings[1]), Wall: !hasThreadTime}
	result.Others, result.Stolen = before.until(ownTicks(), time.Since(since))
	return result
}

// timed runs a loop on a thread of its own, which ends with it.
func timed(loop func(steps int), steps int) Timing {
	done := make(chan Timing)
	go func() {
		runtime.LockOSThread()
		wall, cpu := time.Now(), threadTime()
		loop(steps)
		t := Timing{CPU: threadTime() - cpu, Wall: time.Since(wall)}
		if !hasThreadTime {
			t.CPU = t.Wall
		}
		done <- t
	}()
	return <-done
}

// calibrate finds how many steps of a loop take about so long, with what the
// loop needs before its first step.
func calibrate(ctx context.Context, loop func(steps int), length time.Duration) int {
	before := timed(loop, 0).CPU
	for steps := 1 << 12; ; steps *= 2 {
		if t := timed(loop, steps).CPU - before; t >= length/4 || ctx.Err() != nil {
			return max(1, int(float64(steps)*float64(length-before)/float64(max(t, 1))))
		}
	}
}

// arithmetic is work that needs a core and nothing else.
func arithmetic(steps int) {
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x) // or the compiler leaves the loop out
}

// walkBytes is more than the caches of most processors hold for one core.
const walkBytes = 64 << 20

// walk is work that waits for memory: each step reads where the one before it
// says. The memory is new each time, as a program's is: where it lies decides
// which of it collide in the caches.
func walk(steps int) {
	memory, release := newMemory(walkBytes / 8)
	defer release()
	for i := 0; i < len(memory); i += 512 {
		memory[i] = 1 // a page that nobody wrote to is not there
	}
	x := uint64(88172645463325252)
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407 + memory[x>>41]
	}
	runtime.KeepAlive(x) // or the compiler leaves the loop out
}

// own is what the machine and this process have used so far.
type own struct {
	machine ticks
	known   bool
	process time.Duration
}

func ownTicks() own {
	t, ok := readTicks(os.DirFS("/"))
	return own{t, ok, processTime()}
}

// until says how many processors others kept busy between two moments, and
// what share of the machine's time the host took.
func (o own) until(later own, elapsed time.Duration) (others, stolen float64) {
	if !o.known || !later.known || elapsed <= 0 {
		return 0, 0
	}
	busy := time.Duration(later.machine.busy-o.machine.busy) * (time.Second / 100)
	others = max(0, (busy-(later.process-o.process)).Seconds()/elapsed.Seconds())
	return others, later.machine.minus(o.machine).stolenShare()
}

// A machine is called busy from here on. A system at rest keeps a few
// hundredths of a processor busy. A program that has a processor to itself
// waits for the clock's interrupts alone, a few thousandths of its time. A quiet
// host takes less than that.
const (
	busyOthers = 0.2
	busyWait   = 0.02
	busyStolen = 0.005
)

// Busy says what else the machine did while it was measured; "" if it was
// quiet.
func (m *Measurement) Busy() string {
	wait := max(m.Arithmetic.Wait, m.Memory.Wait)
	switch {
	case m.Stolen >= busyStolen:
		return fmt.Sprintf("the host took %.1f %% of the machine's time", 100*m.Stolen)
	case m.Others >= busyOthers:
		return fmt.Sprintf("other programs kept %.1f processors busy", m.Others)
	case wait >= busyWait:
		return fmt.Sprintf("the loops waited for a processor for %s of their time", percent(wait))
	}
	return ""
}

// Fewer times than this say nothing of percentiles.
const fewest = 3

// Verdict says in one line how far times can be trusted.
//
// Which of the two loops a program is more like, the judge does not know, so the
// worse of both counts. Two runs of a program differ by more than √2·h in one
// case of ten, if nine of ten times lie within h of the median: whoever sees a
// smaller difference has seen nothing. A limit is stricter, since a submission
// fails by its worst case of many: a time h above the median on one day and h
// below it on the next counts, and so does the widest range that was seen.
func (m *Measurement) Verdict() string {
	if m.Arithmetic.N < fewest || m.Memory.N < fewest {
		return "too few runs to say how far times can be trusted"
	}
	h := max(m.Arithmetic.Half, m.Memory.Half)
	what := "CPU times"
	if m.Wall {
		what = "real times"
	}
	text := fmt.Sprintf("%s repeat within %s (arithmetic) and %s (memory): differences below %s mean nothing; a time within %s of a limit may flip",
		what, percent(m.Arithmetic.Half), percent(m.Memory.Half), percent(math.Sqrt2*h),
		percent(max(2*h, m.Arithmetic.Range, m.Memory.Range)))
	if busy := m.Busy(); busy != "" {
		return text + "; but " + busy + " meanwhile: measure again when it is at rest"
	}
	return text
}

// percent rounds up, to a tenth below one percent: a doubt is not made smaller.
func percent(share float64) string {
	// A share that is a whole number but for its last bits stays that.
	p := 100*share - 1e-9
	if p > 0.9 {
		return fmt.Sprintf("%.0f %%", math.Ceil(p))
	}
	return fmt.Sprintf("%.1f %%", max(0.1, math.Ceil(10*p)/10))
}
