// Overhead measures what the server adds to judging, on this machine and in one call:
//
//   - the time for many submissions of a small problem through the HTTP interface, as a
//     ratio to judge run of the same files, in turns; the ratio of the CPU times, which
//     other programs on the machine affect less; and the CPU time of each fifth of the
//     submissions, which shows whether anything grows with their number;
//   - the time from the request of one submission on one case to its record, above the wall
//     time of its run, one at a time.
//
// The programs are bash scripts, which need no compiler, so that nothing hides the rest.
// Usage: overhead [-n 1000] [-pairs 3] [-single 200] [-jobs 2]. With -growth 20000 it measures
// instead by how much the server's memory grows with each of so many judgements that it keeps,
// and, with -keep 5m, whether it falls when they end. It builds judge and judged first, and
// leaves nothing behind.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing/fstest"
	"time"

	"crucible/judge/serve/api"
	"crucible/judge/serve/client"
)

func main() {
	n := flag.Int("n", 1000, "submissions of each call")
	pairs := flag.Int("pairs", 3, "calls of each kind")
	single := flag.Int("single", 200, "submissions, one at a time")
	jobs := flag.Int("jobs", 2, "programs at once")
	growth := flag.Int("growth", 0, "measure the memory of `N` judgements instead")
	keep := flag.Duration("keep", 0, "with -growth: for which the server keeps judgements; 0 is as shipped")
	flag.Parse()
	gc := "100" // as Go does it
	if *growth > 0 {
		gc = "10" // so that there is little garbage in what is counted
	}
	if err := measure(func(s *exec.Cmd, c *client.Client, dir string) error {
		if *growth > 0 {
			return grow(c, s, *growth, *keep)
		}
		return compareAll(c, s, dir, *n, *pairs, *single, *jobs)
	}, *jobs, *keep, gc); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

// measure builds and starts what measures need.
func measure(what func(*exec.Cmd, *client.Client, string) error, jobs int, keep time.Duration,
	gc string) (err error) {
	dir, err := os.MkdirTemp("", "overhead-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if out, err := exec.Command("go", "build", "-o", dir+"/", "crucible/judge/cmd/judge",
		"crucible/judge/cmd/judgelab", "crucible/judge/cmd/judged").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := write(dir); err != nil {
		return err
	}
	s, c, err := serve(dir, jobs, keep, gc)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Process.Signal(syscall.SIGTERM), s.Wait()) }()
	// The first calls open the package and start the boxes.
	if _, _, err := through(c, s, 0, 20); err != nil {
		return err
	}
	return what(s, c, dir)
}

// compareAll measures the times.
func compareAll(c *client.Client, s *exec.Cmd, dir string, n, pairs, single, jobs int) error {
	if _, _, err := here(dir, 0, 20, jobs); err != nil {
		return err
	}
	if err := compare(c, s, dir, n, pairs, jobs); err != nil {
		return err
	}
	above, err := alone(c, single)
	if err != nil {
		return err
	}
	fmt.Printf("one submission above its runs: median %.1f ms (bar 25), p99 %.1f ms (bar 100)\n",
		milliseconds(above[len(above)/2]), milliseconds(above[len(above)*99/100]))
	return nil
}

// grow prints the memory of the server in the second half of each tenth of the judgements.
func grow(c *client.Client, s *exec.Cmd, n int, keep time.Duration) error {
	at := make([]float64, 10)
	for i := range at {
		if _, _, err := through(c, s, 20+i*n/10, n/20); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(context.Background())
		least := make(chan float64)
		go func() { least <- live(ctx, c) }()
		_, _, err := through(c, s, 20+i*n/10+n/20, n/20)
		cancel()
		at[i] = <-least
		if err != nil {
			return err
		}
		fmt.Printf("%d judgements: live heap %.1f MB, resident %.1f MB\n", (i+1)*n/10, at[i]/1e6, resident(s.Process.Pid)/1e6)
	}
	fmt.Printf("live heap for each judgement from the first tenth to the last: %.2f KB (bar 1)\n",
		(at[9]-at[0])/(float64(n)*0.9)/1e3)
	if keep == 0 {
		return nil
	}
	time.Sleep(keep)
	// Go collects what is garbage at least every two minutes.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	fmt.Printf("when none is kept: live heap %.1f MB, resident %.1f MB\n", live(ctx, c)/1e6, resident(s.Process.Pid)/1e6)
	return nil
}

// live returns the least bytes of the heap that were in use until ctx ended: what is garbage is
// there until it is collected. What cannot be read is not counted.
func live(ctx context.Context, c *client.Client) float64 {
	least := math.Inf(1)
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		answer, err := http.Get(c.Servers() + "/metrics")
		if err != nil {
			continue
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		_, rest, _ := strings.Cut(string(text), "\ngo_memstats_alloc_bytes ")
		number, _, _ := strings.Cut(rest, "\n")
		if bytes, parseErr := strconv.ParseFloat(number, 64); err == nil && parseErr == nil {
			least = min(least, bytes)
		}
	}
	return least
}

// resident returns the bytes of memory of a process; 0 on systems that have no /proc.
func resident(pid int) float64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kilobytes, _ := strconv.ParseFloat(number, 64)
	return kilobytes * 1024
}

// compare judges submissions in turns by judge run and by the server.
func compare(c *client.Client, s *exec.Cmd, dir string, n, pairs, jobs int) error {
	var walls, cpus []float64
	for i := range pairs {
		a, aCPU, err := here(dir, (2*i+1)*n, n, jobs)
		if err != nil {
			return err
		}
		b, bCPU, err := through(c, s, (2*i+2)*n, n)
		if err != nil {
			return err
		}
		all := time.Duration(0)
		for _, one := range bCPU {
			all += one
		}
		walls, cpus = append(walls, b.Seconds()/a.Seconds()), append(cpus, all.Seconds()/aCPU.Seconds())
		fmt.Printf("%d submissions: judge run %.2f s, server %.2f s, ratio %.2f; CPU %.2f s, %.2f s, ratio %.2f; of the "+
			"server, ms each by fifths:",
			n, a.Seconds(), b.Seconds(), walls[i], aCPU.Seconds(), all.Seconds(), cpus[i])
		for _, one := range bCPU {
			fmt.Printf(" %.2f", milliseconds(one)*float64(len(bCPU))/float64(n))
		}
		fmt.Println()
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	fmt.Printf("ratio: median %.2f, from %.2f to %.2f (bar 1.10); of CPU times: median %.2f, from %.2f to %.2f\n",
		walls[pairs/2], walls[0], walls[pairs-1], cpus[pairs/2], cpus[0], cpus[pairs-1])
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// source returns a program that differs from all others.
func source(i int) string { return fmt.Sprintf("# %d\ncat\n", i) }

// write writes the problem.
func write(dir string) error {
	files := fstest.MapFS{"problem.yaml": {Data: []byte("problem_format_version: 2025-09\nname: Echo\nuuid: " +
		"7e57d004-2b97-4e7a-b45f-5387367791cd\nlimits: {time_limit: 2}\n")}}
	for _, ext := range []string{".in", ".ans"} {
		files["data/sample/1"+ext] = &fstest.MapFile{Data: []byte("1\n")}
		for i := range 4 {
			files[fmt.Sprintf("data/secret/%d%s", i, ext)] = &fstest.MapFile{Data: fmt.Appendln(nil, i)}
		}
	}
	return os.CopyFS(filepath.Join(dir, "problems", "echo"), files)
}

// environment has no history and a cache of its own.
func environment(dir string) []string {
	return append(os.Environ(), "CRUCIBLE_HISTORY=off", "CRUCIBLE_SERVER=", "CRUCIBLE_CACHE="+filepath.Join(dir, "cache"))
}

// serve starts a server of the problem, whose memory is collected at that growth in percent.
func serve(dir string, jobs int, keep time.Duration, gc string) (s *exec.Cmd, c *client.Client, err error) {
	s = exec.Command(filepath.Join(dir, "judged"), "serve", filepath.Join(dir, "problems", "echo"), "--listen",
		"127.0.0.1:0", "--dir", filepath.Join(dir, "server"), "--jobs", strconv.Itoa(jobs), "--calibrate-every", "0",
		"--metrics-open")
	if keep > 0 {
		s.Args = append(s.Args, "--keep", keep.String())
	}
	s.Env, s.Stderr = append(environment(dir), "GOGC="+gc), os.Stderr
	if c, err = client.Start(s); err != nil {
		return nil, nil, errors.Join(err, s.Wait())
	}
	return s, c, nil
}

// here judges submissions by judge run. It returns the wall time and the CPU time.
func here(dir string, from, n, jobs int) (wall, cpu time.Duration, err error) {
	args := []string{"run", "--fresh", "--jobs", strconv.Itoa(jobs), "--problem", filepath.Join(dir, "problems", "echo")}
	at := filepath.Join(dir, "files")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return 0, 0, err
	}
	for i := range n {
		name := filepath.Join(at, fmt.Sprintf("f%d.sh", from+i))
		if err := os.WriteFile(name, []byte(source(from+i)), 0o644); err != nil {
			return 0, 0, err
		}
		args = append(args, name)
	}
	c := exec.Command(filepath.Join(dir, "judge"), args...)
	c.Env = environment(dir)
	began := time.Now()
	out, err := c.CombinedOutput()
	wall = time.Since(began)
	if err == nil && !bytes.Contains(out, fmt.Appendf(nil, "%d submissions as expected", n)) {
		err = errors.New("judge run: not all submissions are as expected")
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %s", err, out[max(0, len(out)-2000):])
	}
	return wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// request asks for the judgement of program i.
func request(i int) *api.Request {
	return &api.Request{ID: strconv.Itoa(i), Problem: "echo", Language: "bash",
		Sources: map[string]string{"a.sh": source(i)}}
}

// through judges submissions through the server, in one batch. It returns the wall time,
// and the CPU times of the server and its worker for each fifth of the submissions.
func through(c *client.Client, s *exec.Cmd, from, n int) (wall time.Duration, cpu []time.Duration, err error) {
	began, i, accepted := time.Now(), from, 0
	answered, before := 0, cpuOf(s.Process.Pid)
	err = c.Batch(context.Background(), func() *api.Request {
		if i == from+n {
			return nil
		}
		i++
		return request(i - 1)
	}, func(l *api.BatchLine) error {
		if l.Error != nil {
			return l.Error
		}
		if l.Judgement.Verdict == "AC" {
			accepted++
		}
		if answered++; answered*5/n > len(cpu) {
			now := cpuOf(s.Process.Pid)
			cpu, before = append(cpu, now-before), now
		}
		return nil
	})
	if err == nil && accepted != n {
		err = fmt.Errorf("the server: %d of %d accepted", accepted, n)
	}
	return time.Since(began), cpu, err
}

// cpuOf returns the CPU time of a process, of those that it started, and of theirs. It is
// 0 on systems that have no /proc.
func cpuOf(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if err != nil || !found || len(fields) < 15 {
		return 0
	}
	ticks := 0
	for _, f := range fields[11:15] { // utime, stime, and those of children that have ended
		n, _ := strconv.Atoi(f)
		ticks += n
	}
	all := time.Duration(ticks) * (time.Second / 100) // USER_HZ
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				all += cpuOf(n)
			}
		}
	}
	return all
}

// alone judges submissions one at a time, and returns the sorted times above those of
// their runs.
func alone(c *client.Client, n int) (above []time.Duration, err error) {
	for i := range n {
		r := request(-i - 1)
		r.Wait, r.Cases = 60, api.SampleCases // a single run: several would overlap
		began := time.Now()
		j, err := c.Judge(context.Background(), r, "")
		took := time.Since(began)
		if err != nil {
			return nil, err
		}
		var record struct {
			Submissions []struct {
				Runs []struct {
					Wall time.Duration `json:"wall_ns"`
				} `json:"runs"`
			} `json:"submissions"`
		}
		if err := json.Unmarshal(j.Record, &record); err != nil {
			return nil, err
		}
		if j.Verdict != "AC" || len(record.Submissions) != 1 {
			return nil, fmt.Errorf("verdict %q with %d submissions: expected AC with one", j.Verdict, len(record.Submissions))
		}
		for _, run := range record.Submissions[0].Runs {
			took -= run.Wall
		}
		above = append(above, took)
	}
	slices.Sort(above)
	return above, nil
}
