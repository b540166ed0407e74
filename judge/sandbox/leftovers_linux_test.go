//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	if os.Getenv(programKey) == "family" {
		// The kernel lists a child with the thread that started it, and a tree looks
		// only at the first thread of its root.
		runtime.LockOSThread()
	}
	// family starts a child in a session of its own, prints "ready", and sleeps.
	// Tests find the child by its arguments, which are those of family.
	programs["family"] = func(args []string) int {
		child := exec.Command("/proc/self/exe", args...)
		child.Env = []string{programKey + "=sleep"}
		child.SysProcAttr = &unix.SysProcAttr{Setsid: true}
		if child.Start() != nil {
			return 1
		}
		os.Stdout.WriteString("ready\n")
		time.Sleep(time.Hour)
		return 0
	}
	// judge runs family in a Sandbox.
	programs["judge"] = func(args []string) int {
		_, err := new(Sandbox).Run(context.Background(), Cmd{
			Args: append([]string{"/proc/self/exe"}, args...), Env: []string{programKey + "=family"}, Stdout: os.Stdout,
		})
		return status(err)
	}
	// overfill starts hold, which exceeds the memory limit, and then kills the launcher.
	programs["overfill"] = func(args []string) int {
		child := exec.Command("/proc/self/exe", args...)
		child.Env = []string{programKey + "=hold"}
		if child.Run() == nil {
			return 1
		}
		return signalLauncher(unix.SIGKILL)
	}
	programs["kill parent"] = func([]string) int { return signalLauncher(unix.SIGKILL) }
	programs["stop parent"] = func([]string) int { return signalLauncher(unix.SIGSTOP) }
}

// signalLauncher sends its parent a signal and sleeps. It sends nothing if the
// parent is no launcher, because after the death of the launcher the parent is
// another process of the machine.
func signalLauncher(signal unix.Signal) int {
	parent := os.Getppid()
	handle, err := unix.PidfdOpen(parent, 0)
	if err != nil {
		return 1
	}
	if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", parent)); string(name) != "judge-launcher\x00" {
		return 1
	}
	unix.PidfdSendSignal(handle, signal, nil, 0)
	time.Sleep(time.Hour)
	return 0
}

// withArgument returns the ids of the processes that have the argument.
func withArgument(t *testing.T, argument string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && slices.Contains(strings.Split(string(text), "\x00"), argument) {
			pids = append(pids, number(filepath.Base(filepath.Dir(file))))
		}
	}
	return pids
}

// eventually waits until is returns true, and fails the test after a minute.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to be that %s", what)
		}
	}
}

func TestNothingIsLeftWhenTheJudgeIsKilled(t *testing.T) {
	mark := t.TempDir()
	c := program(t, "judge", mark)
	judge := exec.Command(c.Args[0], c.Args[1:]...)
	judge.Env = c.Env
	out, err := judge.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := judge.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	eventually(t, "judge, family and child run", func() bool { return len(withArgument(t, mark)) == 3 })
	family := tree{root: judge.Process.Pid, all: true, most: mostProcesses, cursor: -1}
	launchers := slices.Clone(family.look())
	if len(launchers) != 3 {
		t.Fatalf("the judge has %d descendants, want launcher, family and child", len(launchers))
	}
	if err := judge.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	judge.Wait()
	eventually(t, "nothing of it runs", func() bool {
		return !slices.ContainsFunc(launchers, func(p proc) bool {
			now := proc{pid: p.pid}
			return family.read(&now) && now.begun == p.begun && now.state != 'Z'
		})
	})
}

func TestProgramThatTurnsOnItsLauncher(t *testing.T) {
	defer func(d time.Duration) { timeToAnswer = d }(timeToAnswer)
	timeToAnswer = 100 * time.Millisecond
	for _, name := range []string{"kill parent", "stop parent"} {
		t.Run(name, func(t *testing.T) {
			p := newSandbox(t)
			// In a box the program cannot see its launcher.
			p.Most = Process
			mark := t.TempDir()
			c := program(t, name, mark)
			c.Limits = Limits{Wall: 2 * time.Second}
			if o, err := p.Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "launcher") {
				t.Errorf("%+v, error %v, want one about the launcher", o, err)
			}
			eventually(t, "the program is gone", func() bool { return len(withArgument(t, mark)) == 0 })
			run(t, p, program(t, "exit", "0"))
		})
	}
}

// The kernel rarely chooses the launcher when a program reaches its memory limit. Here
// the program kills the launcher instead, which has the same effects.
func TestLauncherKilledAtTheMemoryLimit(t *testing.T) {
	p := newSandbox(t)
	p.Most = Process // in a box the program cannot see its launcher
	run(t, p, program(t, "exit", "0"))
	if !last(p).group.memory() {
		t.Skip("the launcher has no cgroup that limits memory")
	}
	const limit = 64 << 20
	c := program(t, "overfill", strconv.Itoa(4*limit))
	c.Limits = Limits{Memory: limit, Wall: time.Minute}
	o, err := p.Run(context.Background(), c)
	if err != nil || o.Exceeded != Memory || o.Memory < limit || o.Signal != unix.SIGKILL || o.CPU <= 0 || o.Wall <= 0 {
		t.Errorf("%+v, error %v, want the limit on memory exceeded, and CPU and wall time", o, err)
	}
	// Below the limit, the loss of a launcher is an error.
	c = program(t, "kill parent")
	c.Limits = Limits{Memory: limit, Wall: time.Minute}
	if o, err := p.Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "launcher") {
		t.Errorf("%+v, error %v, want one about the launcher", o, err)
	}
	run(t, p, program(t, "exit", "0"))
}

func TestStoppedLauncherIsGivenUpSoon(t *testing.T) {
	defer func(d time.Duration) { timeStopped = d }(timeStopped)
	timeStopped = 500 * time.Millisecond
	p := newSandbox(t)
	c := program(t, "exit", "0")
	c.Limits = Limits{Wall: time.Minute}
	run(t, p, c)
	stopped := last(p).cmd.Process
	if err := stopped.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	o, err := p.Run(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "launcher: it was stopped") {
		t.Errorf("%+v, error %v, want that the launcher was stopped", o, err)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it was given up after %v", d)
	}
	if err := stopped.Signal(unix.Signal(0)); err == nil {
		t.Error("the launcher is still there")
	}
	run(t, p, program(t, "exit", "0"))

	// A launcher that is stopped while idle does not delay Close.
	last(p).cmd.Process.Signal(unix.SIGSTOP)
	began = time.Now()
	p.Close()
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("Close took %v", d)
	}
}

func TestNothingIsLeftOpen(t *testing.T) {
	open := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	p := new(Sandbox)
	run(t, p, program(t, "exit", "0"))
	p.Close()
	files, goroutines := open(), runtime.NumGoroutine()
	p = new(Sandbox)
	for range 10 {
		run(t, p, program(t, "exit", "3"))
		c := program(t, "first byte")
		c.Stdin = struct{ io.Reader }{zeros{}}
		run(t, p, c)
		c = program(t, "cat")
		c.Stdin = strings.NewReader("text")
		run(t, p, c)
		p.Run(context.Background(), Cmd{Args: []string{"/missing"}})
		ctx, cancel := context.WithCancel(context.Background())
		c = program(t, "flood", "stdout")
		c.Stdout = writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
		p.Run(ctx, c)
	}
	launcher := last(p).cmd.Process.Pid
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := unix.Kill(launcher, 0); !errors.Is(err, unix.ESRCH) {
		t.Errorf("the launcher is still there: %v", err)
	}
	if got := open(); got != files {
		t.Errorf("%d files are open, %d were before", got, files)
	}
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= goroutines })
}

// TestNewCgroupFailsCleanly checks that newCgroup leaves no open file and no
// folder if it fails.
func TestNewCgroupFailsCleanly(t *testing.T) {
	const nobody = 1 << 30 // larger than any process id
	before := openFiles(t)
	g, err := newCgroup(nobody, 1)
	if err == nil && g == nil {
		t.Skip("no cgroup can be made here")
	}
	if err == nil {
		t.Fatalf("newCgroup(%d, 1) = %v, nil, want an error: no process has this id", nobody, g.dirs)
	}
	p := cgroupParents()
	for _, parent := range []string{p.unified, p.memory, p.pids, p.cpu} {
		if left, _ := filepath.Glob(filepath.Join(parent, fmt.Sprintf("%s%d-*", cgroupPrefix, nobody))); parent != "" && left != nil {
			t.Errorf("newCgroup failed with %q and left %q", err, left)
			for _, dir := range left {
				os.Remove(dir)
			}
		}
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open after newCgroup failed, %d before", after, before)
	}
}

// openFiles returns the number of open files of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
