package main

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		main()
		return
	}
	os.Exit(m.Run())
}

// All items have one verdict, whether they have one case or several.
func TestTrial(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU times and memory are those of /proc")
	}
	times, _, err := readTimes(200)
	if err != nil {
		t.Fatal(err)
	}
	for _, per := range []int{1, 12} {
		one := &trial{settings: &settings{per: per, seed: 1}, workers: 20, cases: 400, items: (400 + per - 1) / per, times: times}
		if err := one.run(t.Context()); err != nil || !one.right() {
			t.Errorf("%d cases an item: %+v, %v: expected a verdict of each of %d items", per, one.counts, err, one.items)
		}
		share, ideal := one.idle()
		if share <= 0 || share >= 1 || ideal <= 0 || ideal > one.ended || one.memory < one.memoryEmpty || one.serverCPU <= 0 {
			t.Errorf("%d cases an item: idle %v, ideal %v, ended %v, %d to %d bytes, %v of CPU", per, share, ideal, one.ended, one.memoryEmpty, one.memory, one.serverCPU)
		}
	}
}

// Of two workers one sleeps all the time and the other half of it, until the last item begins.
func TestIdle(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	one := &trial{workers: 2, slots: []*slot{
		{done: []execution{{at(0), at(4), 4 * time.Second}, {at(4), at(8), 4 * time.Second}}},
		{done: []execution{{at(0), at(2), 2 * time.Second}}},
	}}
	if share, ideal := one.idle(); share != 0.25 || ideal != 5*time.Second {
		t.Errorf("idle %v, ideal %v: expected 0.25, 5s", share, ideal)
	}
}
