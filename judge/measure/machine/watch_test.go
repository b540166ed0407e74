package machine

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

// A proc is the content of /proc, with times in hundredths of seconds.
type proc struct {
	all  [3]int64         // busy, stolen, idle; zero means the sum over of
	of   map[int][3]int64 // the same for each processor
	used map[int]int64    // CPU time of each process
}

// parents maps processes to their parents. The processes 30 and 31 are the
// parents of each other.
var parents = map[int]int{10: 1, 11: 10, 12: 11, 20: 1, 30: 31, 31: 30}

func (p proc) files(siblings ...string) fstest.MapFS {
	stat := func(name string, t [3]int64) string {
		return fmt.Sprintf("cpu%s %d 0 0 %d 0 0 0 %d 0 0\n", name, t[0], t[2], t[1])
	}
	if p.all == [3]int64{} {
		for _, t := range p.of {
			p.all = [3]int64{p.all[0] + t[0], p.all[1] + t[1], p.all[2] + t[2]}
		}
	}
	text := stat(" ", p.all)
	for id := range 16 {
		if t, ok := p.of[id]; ok {
			text += stat(fmt.Sprint(id), t)
		}
	}
	files := fstest.MapFS{
		"proc/stat":     {Data: []byte(text + "intr 1 2 3\n")},
		"proc/self":     {Data: nil},
		"proc/666/stat": {Data: []byte("gone")},
	}
	for id, n := range p.used {
		files[fmt.Sprintf("proc/%d/stat", id)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "%d (a) b) S %d 0 0 0 0 0 0 0 0 0 %d 1 2 3 0 0\n", id, parents[id], n),
		}
	}
	for _, s := range siblings {
		for _, id := range list(s) {
			files[fmt.Sprintf(cpus+"cpu%d/topology/thread_siblings_list", id)] = &fstest.MapFile{Data: []byte(s + "\n")}
		}
	}
	return files
}

func TestWatch(t *testing.T) {
	began := time.Now()
	at := func(busy, stolen, idle int64, used map[int]int64) fs.FS {
		return proc{all: [3]int64{busy, stolen, idle}, used: used}.files()
	}
	before := observe(at(1000, 10, 5000, map[int]int64{10: 100, 11: 50, 12: 1, 20: 7, 30: 5, 31: 5}), 10, began, nil)
	for _, c := range []struct {
		name            string
		busy, stolen    int64
		used            map[int]int64
		others, stolen2 float64
	}{
		{"nobody else", 1300, 10, map[int]int64{10: 200, 11: 150, 12: 101, 20: 7}, 0, 0},
		{"a stranger", 1500, 10, map[int]int64{10: 200, 11: 150, 12: 101, 20: 207}, 0.2, 0},
		{"a child that was waited for", 1300, 10, map[int]int64{10: 200, 11: 253, 20: 7}, 0, 0},
		{"rounding down", 1290, 10, map[int]int64{10: 200, 11: 150, 12: 101, 20: 7}, 0, 0},
		{"the host", 1300, 30, map[int]int64{10: 200, 11: 150, 12: 101, 20: 7}, 0, 20.0 / 1320},
	} {
		later := observe(at(c.busy, c.stolen, 6000, c.used), 10, began.Add(10*time.Second), nil)
		got := before.until(later, 0)
		if math.Abs(got.Others-c.others) > 0.005 || math.Abs(got.Stolen-c.stolen2) > 1e-9 || got.Core != nil {
			t.Errorf("%s: %+v, expected others %v, stolen %v", c.name, got, c.others, c.stolen2)
		}
	}
}

func TestWatchOfPinnedPrograms(t *testing.T) {
	const second = 100
	pairs := []string{"0-1", "2-3", "4-5", "6-7"}
	// usual returns the times of ten seconds, in which programs pinned to processor
	// 2 used 8 s and the judge used 1 s on processor 4.
	usual := func(changes map[int][3]int64) map[int][3]int64 {
		of := map[int][3]int64{2: {8 * second, 0, 2 * second}, 4: {1 * second, 0, 9 * second}}
		for _, id := range []int{0, 1, 3, 5, 6, 7} {
			of[id] = [3]int64{0, 0, 10 * second}
		}
		for id, t := range changes {
			of[id] = t
		}
		return of
	}
	busy := [3]int64{10 * second, 0, 0}
	for _, c := range []struct {
		fact       string
		of         map[int][3]int64
		siblings   []string
		ran, judge int64 // CPU time of submissions and of the judge, in seconds
		want       string
	}{
		{"nobody else", usual(nil), pairs, 8, 1, ""},
		{"the judge on the core", usual(map[int][3]int64{2: {9 * second, 0, second}, 4: {0, 0, 10 * second}}), pairs, 8, 1, ""},
		{"the judge on the other thread of the core", usual(map[int][3]int64{3: {second, 0, 9 * second}, 4: {0, 0, 10 * second}}), pairs, 8, 1, ""},
		{"two cores away", usual(map[int][3]int64{6: busy, 7: busy}), pairs, 8, 1, ""},
		{"the same processor", usual(map[int][3]int64{2: {9.8 * second, 0, 0.2 * second}}), pairs, 8, 1, "other programs used the core of the submissions for 8 % of the time"},
		{"a thread of its core", usual(map[int][3]int64{3: {3 * second, 0, 7 * second}}), pairs, 8, 1, "other programs used the core of the submissions for 29 % of the time"},
		{"the same, on a core without threads", usual(map[int][3]int64{3: {3 * second, 0, 7 * second}}), nil, 8, 1, ""},
		{"the host, of this core", usual(map[int][3]int64{2: {8 * second, 0.2 * second, 1.8 * second}}), pairs, 8, 1, "the host took 1.0 % of the core's time"},
		{"the host, once", map[int][3]int64{2: {0, 3, 97}}, nil, 0, 0, ""},
		{"the host, of another", usual(map[int][3]int64{6: {0, 8 * second, 2 * second}}), pairs, 8, 1, ""},
		{"all others", usual(map[int][3]int64{0: busy, 1: busy, 5: busy, 6: busy, 7: busy}), pairs, 8, 1, "other programs used the other processors, which share memory with the submissions, for 83 % of the time"},
		{"two threads are the machine, and all is known", map[int][3]int64{2: {8.5 * second, 0, 1.5 * second}, 3: {2.5 * second, 0, 7.5 * second}}, []string{"2-3"}, 8, 1, "other programs used the core of the submissions for 20 % of the time"},
		{"one processor is the machine", map[int][3]int64{2: {9.6 * second, 0, 0.4 * second}}, nil, 8, 1, "other programs used the core of the submissions for 6 % of the time"},
		{"less than can be counted", map[int][3]int64{2: {9, 0, 91}}, nil, 0, 0, ""},
		// The files of a container may be inconsistent. Then the sum over all processors counts.
		{"processors numbered anew", map[int][3]int64{0: {8 * second, 0, 2 * second}, 1: {4 * second, 0, 6 * second}}, nil, 8, 1, "other programs kept 0.3 processors busy"},
		{"another's line", usual(map[int][3]int64{2: {0, 0, 10 * second}, 6: {11 * second, 0, 0}}), pairs, 8, 1, "other programs kept 0.3 processors busy"},
		{"no lines", nil, pairs, 8, 1, ""},
	} {
		began, elapsed := time.Now(), 10*time.Second
		if t, ok := c.of[2]; ok {
			elapsed = time.Duration(t[0]+t[1]+t[2]) * (time.Second / second)
		}
		zero := make(map[int][3]int64)
		for id := range c.of {
			zero[id] = [3]int64{}
		}
		before := observe(proc{of: zero, used: map[int]int64{10: 0}}.files(c.siblings...), 10, began, []int{2})
		later := observe(proc{of: c.of, used: map[int]int64{10: (c.ran + c.judge) * second}}.files(c.siblings...), 10, began.Add(elapsed), []int{2})
		got := before.until(later, time.Duration(c.ran)*time.Second)
		if busy := got.Busy(); busy != c.want {
			t.Errorf("%s: %+v: %q, expected %q", c.fact, got, busy, c.want)
		}
	}
}

// TestWatchOfStrangeFiles checks files that a container hides or changes.
func TestWatchOfStrangeFiles(t *testing.T) {
	stats := []string{
		"", "cpu", "cpu ", "cpu 1 2 3\n", "cpu a b c d e\n", "cpu0 1 2 3 4\n", "intr 5\n", "cpu 9 9 9 9 9 9 9 0\ncpu2", "cpu 9 9 9 9 9 9 9 0\ncpu2 1 1 1 1 1 1 1 -1\n", "cpu 1 1 1 1\ncpu2 1 1 1 1\ncpu2 9 9 9 9\n",
		"cpu -5 0 0 -7 0\ncpu2 -5 0 0 -7 0\n", "cpu 0 0 0 0 0 0 0 0 0 0\ncpu2 0 0 0 0 0 0 0 0 0 0\n", "cpu 99999999999999999999 0 0 0\n", "cpu99999999999999999999 1 1 1 1\n",
	}
	began := time.Now()
	for _, first := range stats {
		for _, second := range stats {
			of := func(stat, siblings string, used int64) fs.FS {
				files := proc{used: map[int]int64{10: used}}.files()
				files["proc/stat"] = &fstest.MapFile{Data: []byte(stat)}
				files[cpus+"cpu2/topology/thread_siblings_list"] = &fstest.MapFile{Data: []byte(siblings)}
				return files
			}
			before := observe(of(first, "2-1,,x", 0), 10, began, []int{2})
			got := before.until(observe(of(second, "", 100), 10, began.Add(time.Second), []int{2}), time.Second)
			figures := []float64{got.Others, got.Stolen, got.Rest}
			if got.Core != nil {
				figures = append(figures, *got.Core)
			}
			if busy := got.Busy(); busy != "" || slices.ContainsFunc(figures, func(x float64) bool { return math.IsNaN(x) || x < 0 }) {
				t.Errorf("%q, then %q: %+v %q, expected nothing", first, second, got, busy)
			}
		}
	}
	cut := "cpu 10 0 0 10\ncpu7 1 0 0 1\ncpu2 1 0 0 1" // the last number may have had more digits
	if c, ok := readCounts(fstest.MapFS{"proc/stat": {Data: []byte(cut)}}); !ok || c.of[7].all != 2 || len(c.of) != 1 {
		t.Errorf("a last line that is cut: %v, %t", c, ok)
	}
	blind := observe(fstest.MapFS{}, 10, began, nil)
	if got := blind.until(observe(proc{all: [3]int64{9, 9, 9}}.files(), 10, began.Add(time.Second), nil), 0); got != (Activity{}) {
		t.Errorf("without the files: %+v", got)
	}
}
