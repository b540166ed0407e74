package machine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
)

const ms = time.Millisecond

// of returns timings whose CPU time and wall-clock time are equal.
func of(times ...time.Duration) []timing {
	var all []timing
	for _, t := range times {
		all = append(all, timing{t, t})
	}
	return all
}

func upTo(n int) []timing {
	var all []timing
	for i := range n + 1 {
		t := time.Duration(100+i) * ms
		all = append(all, timing{t, t})
	}
	return all
}

func TestSpreadOf(t *testing.T) {
	for _, c := range []struct {
		fact    string
		timings []timing
		want    Spread
	}{
		{"no timings", nil, Spread{}},
		{"one", of(200 * ms), Spread{N: 1, Median: 200 * ms}},
		{"all the same", of(200*ms, 200*ms, 200*ms), Spread{N: 3, Median: 200 * ms}},
		{"order is nothing", of(120*ms, 100*ms, 110*ms), Spread{N: 3, Median: 110 * ms, Half: 9.0 / 110, Range: 0.2}},
		{"the median of two lies between", of(100*ms, 200*ms), Spread{N: 2, Median: 150 * ms, Half: 45.0 / 150, Range: 1}},
		{"100 to 200 ms, evenly", upTo(100), Spread{N: 101, Median: 150 * ms, Half: 45.0 / 150, Range: 1}},
		{"one far away does not widen many", append(of(time.Second), of(make41()...)...), Spread{N: 42, Median: 100 * ms, Half: 0, Range: 9}},
		{"waiting is not working", []timing{{100 * ms, 150 * ms}, {100 * ms, 110 * ms}, {100 * ms, 120 * ms}}, Spread{N: 3, Median: 100 * ms, Wait: 0.2}},
		{"a clock that stands still", of(0, 0), Spread{N: 2}},
	} {
		got := spreadOf(c.timings)
		for _, pair := range [][2]float64{{got.Half, c.want.Half}, {got.Range, c.want.Range}, {got.Wait, c.want.Wait}} {
			if math.IsNaN(pair[0]) || math.Abs(pair[0]-pair[1]) > 1e-9 {
				t.Errorf("%s: %+v, expected %+v", c.fact, got, c.want)
				break
			}
		}
		if got.N != c.want.N || got.Median != c.want.Median {
			t.Errorf("%s: %+v, expected %+v", c.fact, got, c.want)
		}
	}
}

func make41() []time.Duration {
	all := make([]time.Duration, 41)
	for i := range all {
		all[i] = 100 * ms
	}
	return all
}

func TestVerdict(t *testing.T) {
	quiet := func(arithmetic, memory, widest float64) Measurement {
		return Measurement{Arithmetic: Spread{N: 10, Half: arithmetic, Range: arithmetic}, Memory: Spread{N: 10, Half: memory, Range: widest}}
	}
	busy := func(m Measurement, others, stolen, wait float64) Measurement {
		m.Load, m.Arithmetic.Wait = Activity{Others: others, Stolen: stolen}, wait
		return m
	}
	wall := quiet(0.01, 0.01, 0.01)
	wall.Wall = true
	few := quiet(0, 0, 0)
	few.Memory.N = 2
	for _, c := range []struct {
		fact string
		m    Measurement
		want string
	}{
		{"the worse loop counts", quiet(0.0055, 0.04, 0.06), "CPU times repeat within 0.6 % (arithmetic) and 4 % (memory): differences below 6 % are not significant; a time within 8 % of a limit may get another verdict"},
		{"whichever it is", quiet(0.02, 0.001, 0.002), "CPU times repeat within 2 % (arithmetic) and 0.1 % (memory): differences below 3 % are not significant; a time within 4 % of a limit may get another verdict"},
		{"one run far away can break a limit", quiet(0.001, 0.01, 0.2), "CPU times repeat within 0.1 % (arithmetic) and 1 % (memory): differences below 2 % are not significant; a time within 20 % of a limit may get another verdict"},
		{"nothing repeats better than a tenth of a percent", quiet(0, 0, 0), "CPU times repeat within 0.1 % (arithmetic) and 0.1 % (memory): differences below 0.1 % are not significant; a time within 0.1 % of a limit may get another verdict"},
		{"no clock for CPU time", wall, "wall-clock times repeat within 1 % (arithmetic) and 1 % (memory): differences below 2 % are not significant; a time within 2 % of a limit may get another verdict"},
		{"too few", few, "too few runs to estimate how well times repeat"},
		{"other programs", busy(quiet(0.01, 0.01, 0.01), 1.04, 0, 0), "CPU times repeat within 1 % (arithmetic) and 1 % (memory): differences below 2 % are not significant; a time within 2 % of a limit may get another verdict; but other programs kept 1.0 processors busy during the measurement: measure again when the machine is idle"},
	} {
		if got := c.m.Verdict(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.fact, got, c.want)
		}
	}
	for _, c := range []struct {
		others, stolen, wait float64
		want                 string
	}{
		{0.1, 0.001, 0.005, ""},
		{0.2, 0, 0, "other programs kept 0.2 processors busy"},
		{1.5, 0.051, 0.3, "the host took 5.1 % of the machine's time"},
		{0.1, 0, 0.25, "the loops waited for a processor for 25 % of their time"},
	} {
		m := busy(quiet(0, 0, 0), c.others, c.stolen, c.wait)
		if got := m.Busy(); got != c.want {
			t.Errorf("%v others, %v stolen, %v waited: Busy = %q, expected %q", c.others, c.stolen, c.wait, got, c.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	var calls []int
	m := Measuring{Times: 3, Length: ms, OnTimes: func(n, of int) { calls = append(calls, n, of) }}.Measure(t.Context())
	if m.Arithmetic.N != 3 || m.Memory.N != 3 || m.Arithmetic.Median <= 0 || m.Memory.Median <= 0 {
		t.Errorf("%+v, expected 3 times of each loop", m)
	}
	if got := fmt.Sprint(calls); got != "[1 3 2 3 3 3]" {
		t.Errorf("calls %s", got)
	}
	if m.Wall != (runtime.GOOS != "linux") {
		t.Errorf("Wall = %v on %s", m.Wall, runtime.GOOS)
	}
}

func TestMeasureEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := Measuring{Times: 1000, Length: ms, OnTimes: func(n, _ int) {
		if n == 2 {
			cancel()
		}
	}}.Measure(ctx)
	if m.Arithmetic.N != 2 || m.Memory.N != 2 {
		t.Errorf("%d and %d times after the second ended it", m.Arithmetic.N, m.Memory.N)
	}
	if m := (Measuring{}).Measure(ctx); m.Arithmetic.N != 0 {
		t.Errorf("%d times after the end", m.Arithmetic.N)
	}
}
