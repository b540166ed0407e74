//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPrivateFilesAreCountedAndBounded(t *testing.T) {
	p := newBox(t)
	for _, test := range []struct {
		fact     string
		bytes    int
		where    []string
		exceeded Resource
	}{
		{"within the limit", 1 << 19, []string{"/tmp/a", "b"}, ""},
		{"beyond it in one folder", 3 << 19, []string{"/tmp/a"}, Files},
		{"beyond it in all together", 3 << 18, []string{"/tmp/a", "b"}, Files},
		{"far beyond", 64 << 20, []string{"/dev/shm/a"}, Files},
	} {
		t.Run(test.fact, func(t *testing.T) {
			c := program(t, "write", append([]string{strconv.Itoa(test.bytes)}, test.where...)...)
			c.Scratch, c.Limits.Files = true, 1<<20
			if o, out := run(t, p, c); o.Exceeded != test.exceeded || o.Files < min(int64(test.bytes), c.Limits.Files) {
				t.Errorf("%+v %s", o, out)
			}
		})
	}
}

func TestMemoryAndProcessesAreHeld(t *testing.T) {
	p := newBox(t)
	for _, test := range []struct {
		fact   string
		cmd    Cmd
		limits Limits
		want   Resource
	}{
		{"memory within the limit", program(t, "hold", "67108864"), Limits{Memory: 512 << 20}, ""},
		{"memory beyond it", program(t, "hold", "268435456"), Limits{Memory: 128 << 20}, Memory},
		{"memory in files", program(t, "write", "268435456", "/tmp/x"), Limits{Memory: 128 << 20}, Memory},
		{"processes within the limit", program(t, "breed", "3"), Limits{Processes: 200}, ""},
		{"processes beyond it", program(t, "breed", "300"), Limits{Processes: 60}, Processes},
	} {
		t.Run(test.fact, func(t *testing.T) {
			if test.cmd.Args[1] == "268435456" && len(test.cmd.Args) == 3 && !last(p).group.memory() {
				t.Skip("without a cgroup, files in memory are bounded, but not counted")
			}
			test.limits.Wall = time.Minute
			exceeds(t, p, test.cmd, test.limits, test.want)
		})
	}
}

func TestDeadOrphansAreNoProcesses(t *testing.T) {
	p := newSandbox(t)
	o, _ := run(t, p, Cmd{
		Args: []string{"/bin/sh", "-c", "i=0; while [ $i -lt 1000 ]; do (: &); i=$((i+1)); done"}, Dir: "/",
		Limits: Limits{Processes: 900, Wall: time.Minute}, // on a busy machine many ended processes are not removed yet
	})
	if o.Exceeded != "" || o.Exit != 0 {
		t.Errorf("%+v", o)
	}
}

func TestMachineWithoutMemoryIsNotTheProgramsFault(t *testing.T) {
	places := *cgroupParents()
	parent := &places.memory
	if *parent == "" {
		parent = &places.unified
	}
	if *parent == "" {
		t.Skip("no cgroup can be made here: ", places.err)
	}
	// This cgroup stands for a machine with 128 MiB of memory.
	*parent = filepath.Join(*parent, fmt.Sprintf("%s%d-machine", cgroupPrefix, os.Getpid()))
	if err := os.Mkdir(*parent, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(*parent) })
	if places.memory != "" {
		writeFile(t, filepath.Join(*parent, "memory.limit_in_bytes"), "128M")
		os.WriteFile(filepath.Join(*parent, "memory.memsw.limit_in_bytes"), []byte("128M"), 0) // no swap either; the file may be missing
	} else if err := delegate(*parent); err != nil {
		t.Fatal(err)
	} else {
		writeFile(t, filepath.Join(*parent, "memory.max"), "128M")
	}
	defer func(f func() *parents) { cgroupParents = f }(cgroupParents)
	cgroupParents = func() *parents { return &places }
	p := newBox(t)
	for _, limit := range []int64{0, 512 << 20} {
		c := program(t, "hold", strconv.Itoa(256<<20))
		c.Limits.Memory = limit
		if o, err := p.Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "killed for memory") {
			t.Errorf("limit %d: %+v, %v", limit, o, err)
		}
	}
	c := program(t, "hold", strconv.Itoa(256<<20))
	c.Limits.Memory = 64 << 20
	if o, _ := run(t, p, c); o.Exceeded != Memory {
		t.Errorf("%+v", o)
	}
}

// TestFilesReadByARunAreNoMemoryOfTheNext runs a program 50 times; each run leaves a
// little memory in the page cache. The charge of the cgroup at the start of a run
// must stay small.
func TestFilesReadByARunAreNoMemoryOfTheNext(t *testing.T) {
	p := newBox(t)
	file := filepath.Join(openFolder(t), "large")
	const part = 800 << 10
	f, err := os.Create(file)
	if err == nil {
		_, err = f.Write(make([]byte, 50*part))
		// The kernel cannot drop pages that are not on the disk yet.
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := openFolder(t)
	for i := range 50 {
		c := program(t, "read again", file, strconv.Itoa(i*part), strconv.Itoa(part))
		c.Dir, c.Reads = dir, []string{file}
		run(t, p, c)
		if g := last(p).group; !g.memory() {
			t.Skip("no cgroup can be made here")
		} else if g.base > ownCharge+2*staleCharge {
			t.Fatalf("run %d began with %d bytes that were charged before", i, g.base)
		}
	}
}

// TestMemoryIsNotHiddenByReadingFiles runs a program that reads a file after its
// peak of memory. The page cache of that file must not be subtracted from the
// peak.
func TestMemoryIsNotHiddenByReadingFiles(t *testing.T) {
	p := newBox(t)
	file := filepath.Join(openFolder(t), "large")
	f, err := os.Create(file)
	if err == nil {
		_, err = f.Write(make([]byte, 96<<20))
		err = errors.Join(err, f.Sync(), f.Close()) // the kernel cannot drop pages that are not on the disk yet
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c := program(t, "hide memory", file)
		c.Dir, c.Reads, c.Limits.Memory = openFolder(t), []string{file}, 512<<20
		o, _ := run(t, p, c)
		if !last(p).group.memory() {
			t.Skip("no cgroup can be made here")
		}
		if o.Exit != 0 || o.Memory < 80<<20 {
			t.Errorf("%d MiB at the peak, want at least 80: %+v", o.Memory>>20, o)
		}
	}
	// Page cache of a file that is read slowly before the peak is not counted.
	c := program(t, "read through", file, "slowly")
	c.Dir, c.Reads = openFolder(t), []string{file}
	if o, _ := run(t, p, c); o.Exit != 0 || o.Memory > 64<<20 {
		t.Errorf("a program that only reads 96 MiB had %d MiB: %+v", o.Memory>>20, o)
	}
}

func TestMemoryThatNoProcessHasIsRefusedOrCounted(t *testing.T) {
	for _, without := range []bool{true, false} {
		newBox(t) // skips the test if there are no boxes
		p := newSandbox(t)
		p.Least, p.noCgroups = UserBox, without
		_, refusal := run(t, p, program(t, "share memory"))
		counted := last(p).group.memory()
		if want := map[bool]string{true: "", false: "EPERM"}[counted]; refusal != want {
			t.Errorf("counted by a cgroup %v: shared memory of System V: error %q, want %q", counted, refusal, want)
		}
		exceeds(t, p, program(t, "page tables"), Limits{Memory: 128 << 20, Wall: time.Minute}, Memory)
		exceeds(t, p, program(t, "hold", "33554432"), Limits{Memory: 128 << 20, Wall: time.Minute}, "")
	}
}

// TestNothingIsChargedAsBare compares the memory charged to a program that does
// nothing in a box with that in a cgroup without a sandbox.
func TestNothingIsChargedAsBare(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not on the PATH")
	}
	places := cgroupParents()
	if places.memory == "" && places.unified == "" {
		t.Skip("no cgroup can be made here: ", places.err)
	}
	nothing := filepath.Join(openFolder(t), "nothing")
	source := exec.Command(gcc, "-static", "-x", "c", "-o", nothing, "-")
	source.Stdin = strings.NewReader(nothingSource)
	if out, err := source.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := newBox(t)
	var ours, bare []time.Duration
	for range 30 {
		o, err := p.Run(context.Background(), Cmd{Args: []string{nothing}, Dir: "/", Limits: Limits{Memory: 64 << 20, Processes: 8}})
		if err != nil || o.Exit != 0 {
			t.Fatalf("%+v, %v", o, err)
		}
		ours = append(ours, time.Duration(o.Memory))

		dir := filepath.Join(places.memory+places.unified, fmt.Sprintf("%s%d-bare", cgroupPrefix, os.Getpid()))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("/bin/sh", "-c", `echo $$ > "$1/cgroup.procs" && exec "$2"`, "sh", dir, nothing).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(filepath.Join(dir, "memory.max_usage_in_bytes"))
		if err != nil {
			text, err = os.ReadFile(filepath.Join(dir, "memory.peak"))
		}
		if err != nil {
			t.Fatal(err)
		}
		bare = append(bare, time.Duration(number(strings.TrimSpace(string(text)))))
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
	}
	a, b := quantile(ours, 0.5), quantile(bare, 0.5)
	t.Logf("median of memory: %d bytes in a box, %d bare", a, b)
	if d := a - b; d > 1<<20 || d < -1<<20 {
		t.Errorf("it is charged %d bytes in a box, %d bare", a, b)
	}
}

// TestWaitForAProcessorIsNotTheProgramsTime runs programs on a processor that four
// other programs use as well, so that they reach the wall-clock limit before the CPU
// limit also where they get twice their share.
func TestWaitForAProcessorIsNotTheProgramsTime(t *testing.T) {
	if text, err := os.ReadFile("/proc/self/schedstat"); err != nil || strings.HasPrefix(string(text), "0 0 ") {
		t.Skip("the kernel does not tell how long threads wait for a processor")
	}
	for _, most := range []Level{Process, RootBox} {
		p := newSandbox(t)
		p.Most = most
		ctx, cancel := context.WithCancel(t.Context())
		var others sync.WaitGroup
		defer others.Wait()
		defer cancel()
		for range 4 {
			c := program(t, "burn")
			c.Cores = []int{0}
			others.Go(func() { p.Run(ctx, c) })
		}
		for _, test := range []struct {
			name     string
			args     []string
			exceeded Resource
		}{
			{"who works", []string{"work", "300"}, ""},
			{"who sleeps", []string{"sleep"}, Wall},
			{"who works too long", []string{"burn"}, CPU},
		} {
			t.Run(fmt.Sprint(most, " ", test.name), func(t *testing.T) {
				c := program(t, test.args[0], test.args[1:]...)
				c.Cores, c.Limits = []int{0}, Limits{CPU: 400 * time.Millisecond, Wall: 800 * time.Millisecond}
				for try := 1; ; try++ {
					o, out := run(t, p, c)
					if o.Exceeded != test.exceeded || o.Waited > o.Wall-o.CPU {
						t.Errorf("%+v %s", o, out)
					}
					if o.Exceeded == Wall || o.Wall > c.Limits.Wall {
						return
					}
					// The others got less of the processor than the machine's other programs.
					if try == 5 {
						t.Fatalf("it ended after %v, before it could be told from one that sleeps: %+v", o.Wall, o)
					}
				}
			})
		}
		cancel()
	}
}
