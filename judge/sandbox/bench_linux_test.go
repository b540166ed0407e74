//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// nothingSource is a program that does nothing. It is linked statically, which
// makes it start fastest.
const nothingSource = `int main(void) { return 0; }`

// loopSource is a program that forks and executes the program of its arguments
// for every byte that it reads, and writes the nanoseconds that this took.
const loopSource = `
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
	char c;
	while (read(0, &c, 1) == 1) {
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		pid_t pid = fork();
		if (pid == 0) {
			execv(argv[1], argv + 1);
			_exit(127);
		}
		waitpid(pid, 0, 0);
		clock_gettime(CLOCK_MONOTONIC, &b);
		int64_t ns = (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec;
		if (write(1, &ns, sizeof ns) != sizeof ns)
			return 1;
	}
	return 0;
}`

// compiled compiles C source and returns the path of the program. It skips the
// benchmark if there is no compiler.
func compiled(b *testing.B, name, source string, flags ...string) string {
	b.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		b.Skip("gcc is not on the PATH")
	}
	program := filepath.Join(b.TempDir(), name)
	cmd := exec.Command(gcc, append(flags, "-O2", "-x", "c", "-o", program, "-")...)
	cmd.Stdin = bytes.NewReader([]byte(source))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("gcc: %v\n%s", err, out)
	}
	return program
}

// BenchmarkRun runs a program that does nothing in several ways: on every
// supported level with limits and captured output, with cgroups and without;
// with os/exec and captured output; and with fork and exec in C without captured
// output. The ways alternate, so that changes of the machine's speed affect them
// alike. It reports the median of C in µs, medians and 95th percentiles of the
// other ways as multiples of it, and the median of the measured CPU time.
func BenchmarkRun(b *testing.B) {
	nothing := compiled(b, "nothing", nothingSource, "-static")
	bare, stop := loopOf(b, nothing)
	defer stop()
	ways := []contender{{"os/exec", func(b *testing.B) time.Duration {
		cmd := exec.Command(nothing)
		cmd.Stdout, cmd.Stderr = new(bytes.Buffer), new(bytes.Buffer)
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}}}
	for level := Process; level <= RootBox; level++ {
		for _, without := range []bool{false, true} {
			p := newSandbox(b)
			p.Least, p.Most, p.noCgroups = level, level, without
			if _, err := p.findLevel(); err != nil {
				continue
			}
			name := strings.ReplaceAll(level.String(), " ", "-")
			if without {
				name += "-without-cgroup"
			}
			ways = append(ways, contender{name, func(b *testing.B) time.Duration {
				var stdout, stderr bytes.Buffer
				o, err := p.Run(context.Background(), Cmd{
					Args: []string{nothing}, Dir: "/", Stdout: &stdout, Stderr: &stderr,
					Limits: Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 << 20, Output: 1 << 20, Processes: 64},
				})
				if err != nil {
					b.Fatal(err)
				}
				return o.CPU
			}})
		}
	}
	took, used := make([][]time.Duration, len(ways)), make([][]time.Duration, len(ways))
	var c []time.Duration
	for b.Loop() {
		for i, w := range ways {
			start := time.Now()
			used[i] = append(used[i], w.run(b))
			took[i] = append(took[i], time.Since(start))
		}
		c = append(c, bare(b))
	}
	unit := quantile(c, 0.5)
	b.ReportMetric(float64(unit)/1e3, "C-µs")
	for i, w := range ways {
		b.ReportMetric(float64(quantile(took[i], 0.5))/float64(unit), w.name+"-p50-x")
		b.ReportMetric(float64(quantile(took[i], 0.95))/float64(unit), w.name+"-p95-x")
		b.ReportMetric(float64(quantile(used[i], 0.5))/1e3, w.name+"-cpu-µs")
	}
}

// A contender is a way of running a program.
type contender struct {
	name string
	run  func(*testing.B) (cpu time.Duration)
}

// loopOf starts the program of loopSource. It returns a function that makes it
// execute program once and returns the duration, and a function that stops it.
func loopOf(b *testing.B, program string) (once func(*testing.B) time.Duration, stop func()) {
	loop := exec.Command(compiled(b, "loop", loopSource), program)
	in, err := loop.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := loop.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := loop.Start(); err != nil {
		b.Fatal(err)
	}
	once = func(b *testing.B) time.Duration {
		var ns [8]byte
		if _, err := in.Write(ns[:1]); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(out, ns[:]); err != nil {
			b.Fatal(err)
		}
		return time.Duration(binary.NativeEndian.Uint64(ns[:]))
	}
	return once, func() {
		in.Close()
		loop.Wait()
	}
}

func quantile(d []time.Duration, q float64) time.Duration {
	slices.Sort(d)
	return d[min(int(q*float64(len(d))), len(d)-1)]
}

// burnSource is a program that uses about 20 ms of CPU time and almost no memory.
const burnSource = `int main(void) { for (volatile long i = 0; i < 20000000; i++) ; return 0; }`

// BenchmarkThroughput reports the throughput of concurrent boxes, one for each
// core, divided by the number of cores and by the throughput of a single box.
// The ideal is 1; less means that concurrent boxes slow each other down. The same
// program started by os/exec, in turns with it, shows the part of the machine and
// of its load.
func BenchmarkThroughput(b *testing.B) {
	burn := compiled(b, "burn", burnSource, "-static")
	p := newSandbox(b)
	cores := runtime.NumCPU()
	ways := []struct {
		unit string
		run  func() error
		took [2][]time.Duration // one at a time, and one for each core
	}{
		{unit: "x-of-each", run: func() error {
			_, err := p.Run(context.Background(), Cmd{
				Args: []string{burn}, Dir: "/", Limits: Limits{CPU: 10 * time.Second, Wall: time.Minute, Memory: 64 << 20, Output: 1 << 20, Processes: 64},
			})
			return err
		}},
		{unit: "exec-x-of-each", run: func() error { return exec.Command(burn).Run() }},
	}
	rounds := func(run func() error, n int) time.Duration {
		start := time.Now()
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				for range 10 {
					if err := run(); err != nil {
						b.Error(err)
					}
				}
			})
		}
		wg.Wait()
		return time.Since(start)
	}
	for b.Loop() {
		for i := range ways {
			w := &ways[i]
			for k, n := range []int{1, cores} {
				w.took[k] = append(w.took[k], rounds(w.run, n))
			}
		}
	}
	b.ReportMetric(float64(cores), "boxes")
	for _, w := range ways {
		b.ReportMetric(float64(quantile(w.took[0], 0.5))/float64(quantile(w.took[1], 0.5)), w.unit)
	}
}

// BenchmarkOverrun reports by how many ms of CPU time programs exceed a CPU limit
// before they are stopped.
func BenchmarkOverrun(b *testing.B) {
	for _, name := range []string{"cpu_loop", "cpu_threads", "cpu_system", "cpu_daemon"} {
		b.Run(name, func(b *testing.B) {
			source, err := os.ReadFile(filepath.Join("testdata", "attack", name+".c"))
			if err != nil {
				b.Fatal(err)
			}
			program := compiled(b, name, string(source), "-pthread")
			p := newSandbox(b)
			limits := attackLimits
			limits.CPU = 200 * time.Millisecond
			var over []time.Duration
			for b.Loop() {
				o, err := p.Run(context.Background(), Cmd{Args: []string{program}, Limits: limits})
				if err != nil || o.Exceeded != CPU {
					b.Fatalf("%+v, %v", o, err)
				}
				over = append(over, o.CPU-limits.CPU)
			}
			b.ReportMetric(quantile(over, 0.5).Seconds()*1e3, "p50-ms-over")
			b.ReportMetric(quantile(over, 1).Seconds()*1e3, "max-ms-over")
		})
	}
}

// BenchmarkOutput measures the throughput of a program's output, 64 MiB a run.
func BenchmarkOutput(b *testing.B) {
	p := newSandbox(b)
	const size = 64 << 20
	c := program(b, "print", "67108864")
	c.Stdout = io.Discard
	b.SetBytes(size)
	for b.Loop() {
		if o, err := p.Run(context.Background(), c); err != nil || o.Output != size {
			b.Fatalf("%+v, %v", o, err)
		}
	}
}

// BenchmarkWatch reports the CPU time in ms that the launcher uses in each second
// in which it watches a program.
func BenchmarkWatch(b *testing.B) {
	p := newSandbox(b)
	c := program(b, "sleep")
	c.Limits = Limits{CPU: time.Minute, Wall: time.Second, Memory: 256 << 20, Processes: 64}
	run(b, p, program(b, "exit", "0"))
	launcher := last(p).cmd.Process.Pid
	before, n := cpuClock(launcher), 0
	for b.Loop() {
		run(b, p, c)
		n++
	}
	b.ReportMetric((cpuClock(launcher)-before).Seconds()*1e3/float64(n), "cpu-ms/s")
}
