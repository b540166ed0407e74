//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// These are what programs in boxes do.
func init() {
	say := func(err error) int {
		if err != nil {
			fmt.Print(err)
			return 1
		}
		return 0
	}
	programs["read"] = func(args []string) int {
		text, err := os.ReadFile(args[0])
		fmt.Printf("%s", text)
		return say(err)
	}
	programs["write"] = func(args []string) int { // so many bytes to each file
		var errs []error
		for _, name := range args[1:] {
			errs = append(errs, os.WriteFile(name, make([]byte, number(args[0])), 0o666))
		}
		return say(errors.Join(errs...))
	}
	programs["cores"] = func([]string) int {
		var set unix.CPUSet
		err := unix.SchedGetaffinity(0, &set)
		for core := range 1024 {
			if set.IsSet(core) {
				fmt.Print(core, " ")
			}
		}
		return say(err)
	}
	programs["stack address"] = func([]string) int {
		maps, err := os.ReadFile("/proc/self/maps")
		for line := range strings.Lines(string(maps)) {
			if strings.Contains(line, "[stack]") {
				fmt.Println(line[:strings.IndexByte(line, '-')])
			}
		}
		return say(err)
	}
	programs["read again"] = func(args []string) int { // from the disk: file, offset, bytes
		f, err := os.Open(args[0])
		if err != nil {
			return say(err)
		}
		at, part := int64(number(args[1])), make([]byte, number(args[2]))
		unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_RANDOM)
		unix.Fadvise(int(f.Fd()), at, int64(len(part)), unix.FADV_DONTNEED)
		_, err = f.ReadAt(part, at)
		return say(err)
	}
	// mount later judges a program in a folder that is mounted when there are
	// launchers already.
	programs["mount later"] = func(args []string) int {
		p := new(Sandbox)
		defer p.Close()
		list := func(dir string) error {
			_, err := p.Run(context.Background(), Cmd{Args: []string{"/proc/self/exe", "."}, Env: []string{programKey + "=list"}, Dir: dir, Stdout: os.Stdout})
			return err
		}
		// Shared with its launchers, but not with the machine.
		errs := []error{unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, "")}
		for i := range mostIdle + 1 {
			dir := filepath.Join(args[0], strconv.Itoa(i))
			errs = append(errs, os.Mkdir(dir, 0o755), list(dir))
		}
		return say(errors.Join(append(errs, unix.Mount("later", args[0], "tmpfs", 0, "mode=0755"), os.WriteFile(filepath.Join(args[0], "later"), nil, 0o644), list(args[0]))...))
	}
	programs["breed"] = func(args []string) int { // so many children
		for range number(args[0]) {
			child := exec.Command("/proc/self/exe")
			child.Env = []string{programKey + "=sleep"}
			if err := child.Start(); err != nil {
				return say(err)
			}
		}
		return 0
	}
	programs["list"] = func(args []string) int {
		entries, err := os.ReadDir(args[0])
		for _, e := range entries {
			fmt.Print(e.Name(), " ")
		}
		return say(err)
	}
}

// newBox is a Sandbox that makes boxes. The test is skipped where the machine
// allows no namespaces; where it does, a box that cannot be made is a failure.
func newBox(t testing.TB) *Sandbox {
	p := newSandbox(t)
	p.Least = UserBox
	if _, err := p.climb(); err != nil {
		if namespaces := namespaces(); namespaces == nil {
			t.Fatal("namespaces are allowed here, but no box can be made: ", err)
		}
		t.Skip("no namespaces are allowed here: ", err)
	}
	return p
}

// namespaces reports why no process can be started in new namespaces.
func namespaces() error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = worldsOf(RootBox)
	if os.Geteuid() != 0 {
		cmd.SysProcAttr = worldsOf(UserBox)
	}
	return cmd.Run()
}

// last returns the launcher that was used last. A cgroup may have to be replaced
// first.
func last(p *Sandbox) *launcher {
	p.renewing.Wait()
	return p.idle[len(p.idle)-1]
}

// openFolder is a folder that others than its owner can use, too, as the parents of
// what a Cmd names need not be.
func openFolder(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWhatIsNotNamedIsNotThere(t *testing.T) {
	p := newBox(t)
	secret := writeFile(t, filepath.Join(openFolder(t), "answer"), "42")
	o, out := run(t, p, program(t, "read", secret))
	if o.Exit != 1 || !strings.Contains(out, "no such file") {
		t.Errorf("%+v, %q", o, out)
	}
	for _, name := range []string{"/etc/shadow", "/etc/hostname", "/root", "/home", "/sys", "/proc/meminfo", "/proc/sys", "/proc/1"} {
		if o, out := run(t, p, program(t, "read", name)); o.Exit != 1 || !strings.Contains(out, "no such file") {
			t.Errorf("%s: %+v, %q", name, o, out)
		}
	}
}

func TestWhatIsNamedIsThere(t *testing.T) {
	p := newBox(t)
	folder := openFolder(t)
	file := writeFile(t, filepath.Join(folder, "file"), "text")
	for _, test := range []struct {
		fact   string
		reads  []string
		writes []string
		write  bool
	}{
		{"a file", []string{file}, nil, false},
		{"a folder", []string{folder}, nil, false},
		{"a folder to write to", nil, []string{folder}, true},
		{"a file in a folder to write to", []string{file}, []string{folder}, true},
	} {
		t.Run(test.fact, func(t *testing.T) {
			read := program(t, "read", file)
			read.Reads, read.Writes = test.reads, test.writes
			if o, out := run(t, p, read); o.Exit != 0 || out != "text" {
				t.Errorf("%+v, %q", o, out)
			}
			made := filepath.Join(folder, "made")
			write := program(t, "write", "3", made)
			write.Reads, write.Writes = test.reads, test.writes
			o, out := run(t, p, write)
			data, err := os.ReadFile(made)
			if wrote := o.Exit == 0 && err == nil && len(data) == 3; wrote != test.write {
				t.Errorf("it wrote: %v, want %v (%s)", wrote, test.write, out)
			}
			os.Remove(made)
			over := program(t, "write", "3", file)
			over.Reads, over.Writes = []string{file}, test.writes
			run(t, p, over)
			if text, err := os.ReadFile(file); string(text) != "text" {
				t.Errorf("what it may only read is %q now, %v", text, err)
			}
		})
	}
}

func TestWorkingFolderIsReadOnlyUnlessItIsScratch(t *testing.T) {
	p := newBox(t)
	for _, scratch := range []bool{false, true} {
		c := program(t, "write", "3", "new", "old")
		writeFile(t, filepath.Join(c.Dir, "old"), "kept")
		c.Scratch = scratch
		if o, out := run(t, p, c); (o.Exit == 0) != scratch {
			t.Errorf("scratch %v: %+v, %s", scratch, o, out)
		}
		if text, err := os.ReadFile(filepath.Join(c.Dir, "old")); string(text) != "kept" {
			t.Errorf("scratch %v: its file is %q now, %v", scratch, text, err)
		}
		again := c
		again.Args = program(t, "list", ".").Args
		again.Env = program(t, "list", ".").Env
		if _, out := run(t, p, again); out != "old " {
			t.Errorf("scratch %v: the next run finds %q", scratch, out)
		}
	}
}

func TestScratchMayBeLargerThanTheMemoryOfTheRunBefore(t *testing.T) {
	p := newBox(t)
	large := program(t, "list", ".")
	large.Scratch = true
	writeFile(t, filepath.Join(large.Dir, "large"), strings.Repeat("x", 48<<20))
	for range mostIdle + 1 { // each launcher
		small := program(t, "exit", "0")
		small.Limits.Memory = 24 << 20
		if raceEnabled {
			small.Limits.Memory = 40 << 20
		}
		run(t, p, small)
	}
	for range 2 {
		if _, out := run(t, p, large); out != "large " {
			t.Errorf("got %q", out)
		}
	}
}

func TestScratchIsThereAfterAProgramThatCannotBeStarted(t *testing.T) {
	p := newBox(t)
	dir := openFolder(t)
	c := Cmd{Args: []string{writeFile(t, filepath.Join(dir, "text"), "no program")}, Dir: dir, Scratch: true}
	if _, err := p.Run(context.Background(), c); err == nil {
		t.Fatal("a text was run")
	}
	c.Args = []string{"/bin/sh", "-c", "cat text"}
	if _, out := run(t, p, c); out != "no program" {
		t.Errorf("the next run reads %q", out)
	}
}

func TestNothingIsLeftInPrivateFolders(t *testing.T) {
	p := newBox(t)
	for range 2 {
		for _, folder := range []string{"/tmp", "/dev/shm", "/var/tmp"} {
			if o, out := run(t, p, program(t, "write", "3", folder+"/left")); o.Exit != 0 {
				t.Errorf("%s: %+v %s", folder, o, out)
			}
			if _, out := run(t, p, program(t, "list", folder)); strings.Contains(out, "left") {
				t.Errorf("%s has %s", folder, out)
			}
		}
	}
}

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
			test.cmd.Limits, test.cmd.Limits.Wall = test.limits, time.Minute
			if o, out := run(t, p, test.cmd); o.Exceeded != test.want {
				t.Errorf("Exceeded %q, want %q: %+v %s", o.Exceeded, test.want, o, out)
			}
		})
	}
}

func TestDeadOrphansAreNoProcesses(t *testing.T) {
	p := newSandbox(t)
	o, _ := run(t, p, Cmd{
		Args: []string{"/bin/sh", "-c", "i=0; while [ $i -lt 600 ]; do (: &); i=$((i+1)); done"}, Dir: "/",
		Limits: Limits{Processes: 100, Wall: time.Minute},
	})
	if o.Exceeded != "" || o.Exit != 0 {
		t.Errorf("%+v", o)
	}
}

func TestCoresAndAddresses(t *testing.T) {
	p := newSandbox(t)
	c := program(t, "cores")
	c.Cores = []int{0}
	if _, out := run(t, p, c); out != "0 " {
		t.Errorf("it may use the cores %q, want 0", out)
	}
	seen := make(map[string]bool)
	for range 3 {
		c := program(t, "stack address")
		c.FixedAddresses = true
		_, out := run(t, p, c)
		seen[out] = true
	}
	if len(seen) != 1 {
		t.Errorf("the stack was at %v", seen)
	}
	_, out := run(t, p, program(t, "stack address"))
	if _, same := run(t, p, program(t, "stack address")); seen[out] && seen[same] {
		t.Error("addresses are fixed for those who did not ask for it")
	}
}

func TestView(t *testing.T) {
	dir := openFolder(t)
	for _, name := range []string{"work", "data/in", "out/feedback", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	program := writeFile(t, at("bin/program"), "")
	writeFile(t, at("work/run"), "")
	for _, test := range []struct {
		fact    string
		cmd     Cmd
		program string
		want    []string
	}{
		{"program and working folder", Cmd{}, program, []string{"r bin/program", "r work"}},
		{"a program of the machine is there anyway", Cmd{}, "/bin/sh", []string{"r work"}},
		{"a program in its folder", Cmd{}, at("work/run"), []string{"r work"}},
		{"scratch", Cmd{Scratch: true}, at("work/run"), []string{"s work"}},
		{"a folder has what is below it", Cmd{Reads: []string{at("data"), at("data/in")}}, "/bin/sh", []string{"r data", "r work"}},
		{"twice", Cmd{Reads: []string{at("data"), at("data")}}, "/bin/sh", []string{"r data", "r work"}},
		{"writing is more than reading", Cmd{Reads: []string{at("out")}, Writes: []string{at("out")}}, "/bin/sh", []string{"w out", "r work"}},
		{"less below more", Cmd{Writes: []string{at("out")}, Reads: []string{at("out/feedback")}}, "/bin/sh", []string{"w out", "r out/feedback", "r work"}},
		{"more below less", Cmd{Reads: []string{at("out")}, Writes: []string{at("out/feedback")}}, "/bin/sh", []string{"r out", "w out/feedback", "r work"}},
		{"a working folder to write to", Cmd{Writes: []string{at("work")}}, at("work/run"), []string{"w work"}},
	} {
		t.Run(test.fact, func(t *testing.T) {
			v, err := test.cmd.view(test.program, at("work"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range v {
				got = append(got, string(p.kind)+" "+strings.TrimPrefix(p.path, dir+"/"))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
	t.Run("what is missing is told", func(t *testing.T) {
		c := Cmd{Reads: []string{at("missing")}}
		if _, err := c.view("/bin/sh", at("work")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), at("missing")) {
			t.Error(err)
		}
	})
	t.Run("a file that was written anew is another", func(t *testing.T) {
		v, err := new(Cmd).view(program, at("work"))
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(program)
		writeFile(t, at("other"), "")
		writeFile(t, program, "")
		if again, err := new(Cmd).view(program, at("work")); err != nil || again.key() == v.key() {
			t.Error(err)
		}
	})
}

func TestProgramThatIsBuiltAnewIsRunAnew(t *testing.T) {
	p := newBox(t)
	dir := openFolder(t)
	for _, want := range []string{"one", "two", "three"} {
		script := filepath.Join(dir, "script")
		os.Remove(script)
		if err := os.WriteFile(script, []byte("#!/bin/sh\necho "+want+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, got := run(t, p, Cmd{Args: []string{script}, Dir: dir}); got != want+"\n" {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestBoxIsReplacedWhenItsLauncherHasDied(t *testing.T) {
	p := newBox(t)
	run(t, p, program(t, "exit", "0"))
	last(p)
	for _, l := range p.idle {
		l.cmd.Process.Kill()
	}
	eventually(t, "it is noticed", func() bool { return !slices.ContainsFunc(p.idle, func(l *launcher) bool { return !l.gone() }) })
	if o, _ := run(t, p, program(t, "exit", "7")); o.Exit != 7 {
		t.Errorf("%+v", o)
	}
	last(p)
	p.idle = slices.DeleteFunc(p.idle, func(l *launcher) bool { return l.gone() && l.lost(errors.New("killed")) != nil })
}

func TestLauncherThatGrowsIsReplacedInTheEnd(t *testing.T) {
	for _, most := range []Rung{Guarded, 0} {
		p := newSandbox(t)
		p.Most = most
		if rung, err := p.climb(); rung < Guarded || err != nil {
			t.Skip("no rung here makes rules for a program: ", rung, err)
		}
		run(t, p, program(t, "exit", "0"))
		if l := last(p); l.chores == 0 {
			t.Errorf("%v: to show a folder was no work", l.rung)
		} else {
			l.chores = mostChores + 1
		}
		old := last(p)
		run(t, p, program(t, "exit", "0"))
		for range mostIdle {
			run(t, p, program(t, "exit", "0"))
		}
		if slices.Contains(p.idle, old) {
			t.Errorf("%v: it is kept", old.rung)
		}
	}
}

func TestWhatIsMountedLaterIsThere(t *testing.T) {
	newBox(t)
	dir := openFolder(t)
	c := program(t, "mount later", dir)
	judge := exec.Command(c.Args[0], c.Args[1:]...)
	judge.Env = c.Env
	judge.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWNS}
	out, err := judge.Output()
	if errors.Is(err, unix.EPERM) {
		t.Skip("only root mounts: ", err)
	}
	if string(out) != "later " || err != nil {
		t.Errorf("it sees %q, %v", out, err)
	}
}

func TestNothingOfABoxIsLeft(t *testing.T) {
	before, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	p := newBox(t)
	run(t, p, program(t, "write", "3", "/tmp/x"))
	groups := slices.Clone(last(p).groupDirs())
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("mounts of the judge have changed, %v", err)
	}
	for _, dir := range groups {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there, %v", dir, err)
		}
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
	// A machine of 128 MiB.
	*parent = filepath.Join(*parent, fmt.Sprintf("%s%d-machine", cgroupPrefix, os.Getpid()))
	if err := os.Mkdir(*parent, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(*parent) })
	if places.memory != "" {
		writeFile(t, filepath.Join(*parent, "memory.limit_in_bytes"), "128M")
		os.WriteFile(filepath.Join(*parent, "memory.memsw.limit_in_bytes"), []byte("128M"), 0) // nor swap
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

// TestFilesReadByARunAreNoMemoryOfTheNext has many runs leave a little each, and
// one that would need it all.
func TestFilesReadByARunAreNoMemoryOfTheNext(t *testing.T) {
	p := newBox(t)
	file := filepath.Join(openFolder(t), "large")
	const part = 800 << 10
	f, err := os.Create(file)
	if err == nil {
		_, err = f.Write(make([]byte, 50*part))
		// What is not on the disk yet cannot be forgotten.
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

func TestCgroupsOfAKilledJudgeAreRemoved(t *testing.T) {
	p := newBox(t)
	run(t, p, program(t, "exit", "0"))
	l := last(p)
	dirs := slices.Clone(l.groupDirs())
	if len(dirs) == 0 {
		t.Skip("no cgroup can be made here")
	}
	// A judge that is killed closes nothing; its launchers end by themselves.
	unix.Close(l.socket)
	l.cmd.Wait()
	p.idle = nil
	defer l.group.remove()
	defer l.said.Close()
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			t.Fatal("it was gone before", err)
		}
	}
	findCgroups() // as the next judge does
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there, %v", dir, err)
		}
	}
}

func TestLeastRungIsHeld(t *testing.T) {
	p := newSandbox(t)
	p.Least, p.Most = UserBox, Process
	if o, err := p.Run(context.Background(), program(t, "exit", "0")); err == nil || !strings.Contains(err.Error(), "want a user box") {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestNothingIsChargedAsBare runs a program that does nothing in a cgroup of its
// own, without any sandbox, and compares what it is charged.
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
