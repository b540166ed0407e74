package machine

import (
	"fmt"
	"math"
	"testing"
	"testing/fstest"
	"time"
)

// after is /proc once processes have used so many hundredths of seconds.
func after(busy, stolen, idle int64, used map[int]int64) fstest.MapFS {
	files := fstest.MapFS{
		"proc/stat":     {Data: fmt.Appendf(nil, "cpu %d 0 0 %d 0 0 0 %d 0 0\n", busy, idle, stolen)},
		"proc/self":     {Data: nil},
		"proc/666/stat": {Data: []byte("gone")},
	}
	parents := map[int]int{10: 1, 11: 10, 12: 11, 20: 1, 30: 31, 31: 30}
	for id, n := range used {
		files[fmt.Sprintf("proc/%d/stat", id)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "%d (a) b) S %d 0 0 0 0 0 0 0 0 0 %d 1 2 3 0 0\n", id, parents[id], n),
		}
	}
	return files
}

func TestWatch(t *testing.T) {
	began := time.Now()
	before := observe(after(1000, 10, 5000, map[int]int64{10: 100, 11: 50, 12: 1, 20: 7, 30: 5, 31: 5}), 10, began)
	for _, c := range []struct {
		name            string
		busy, stolen    int64
		used            map[int]int64
		others, stolen2 float64
	}{
		{"nobody else", 1300, 10, map[int]int64{10: 200, 11: 150, 12: 101, 20: 7}, 0, 0},
		{"a stranger", 1500, 10, map[int]int64{10: 200, 11: 150, 12: 101, 20: 207}, 0.2, 0},
		{"a child that was waited for", 1300, 10, map[int]int64{10: 200, 11: 253, 20: 7}, 0, 0},
		{"the host", 1300, 30, map[int]int64{10: 200, 11: 150, 12: 101, 20: 7}, 0, 20.0 / 1320},
	} {
		later := observe(after(c.busy, c.stolen, 6000, c.used), 10, began.Add(10*time.Second))
		got := before.until(later)
		if math.Abs(got.Others-c.others) > 0.005 || math.Abs(got.Stolen-c.stolen2) > 1e-9 {
			t.Errorf("%s: %+v, want others %v, stolen %v", c.name, got, c.others, c.stolen2)
		}
	}
	blind := observe(fstest.MapFS{}, 10, began)
	if got := blind.until(observe(after(9, 9, 9, nil), 10, began.Add(time.Second))); got != (Activity{}) {
		t.Errorf("where nothing is told: %+v", got)
	}
}
