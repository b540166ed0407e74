//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// newBox returns a Sandbox that makes boxes. It skips the test if the machine
// allows no namespaces, and fails it if namespaces are allowed but no box can be
// made.
func newBox(t testing.TB) *Sandbox {
	p := newSandbox(t)
	p.Least = UserBox
	if _, err := p.findLevel(); err != nil {
		if namespaces := namespaces(); namespaces == nil {
			t.Fatal("namespaces are allowed here, but no box can be made: ", err)
		}
		t.Skip("no namespaces are allowed here: ", err)
	}
	return p
}

// namespaces returns the error of starting a process in new namespaces, or nil.
func namespaces() error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = namespacesOf(RootBox)
	if os.Geteuid() != 0 {
		cmd.SysProcAttr = namespacesOf(UserBox)
	}
	return cmd.Run()
}

// last returns the launcher that was used last, after waiting for the replacement
// of cgroups.
func last(p *Sandbox) *launcher {
	p.renewing.Wait()
	return p.idle[0]
}

// openFolder returns a temporary folder that every user may read and enter. Its
// parent folders may be closed to other users: a path in a Cmd does not need them.
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

func TestCoresAndAddresses(t *testing.T) {
	p := newSandbox(t)
	c := program(t, "cores")
	c.Cores = []int{0}
	if _, out := run(t, p, c); out != "0 " {
		t.Errorf("it may use the cores %q, want 0", out)
	}
	_, all := run(t, newSandbox(t), program(t, "cores"))
	for range 2 { // the launcher stays where its last program was
		if _, out := run(t, p, program(t, "cores")); out != all {
			t.Errorf("after one with cores, it may use the cores %q, want %q", out, all)
		}
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

// A program that has made an object in its IPC namespace is the last one there; so is one
// that may lock files, whose filter notifies nobody.
func TestNamespaceIsLeftWithWhatWasMadeInIt(t *testing.T) {
	p := newSandbox(t)
	if !p.Protection().Level.Full() || !last(p).group.memory() {
		t.Skip("no program may make such objects: ", p.Protection().Why)
	}
	queue := func(what string, locks bool) string {
		c := program(t, "queue", what)
		c.Dir, c.Locks = "/", locks
		o, space := run(t, p, c)
		if o.Exit != 0 || space == "" {
			t.Fatalf("exit status %d, printed %q", o.Exit, space)
		}
		return space
	}
	first := queue("look", false)
	notify := queue("look", false) == first // needs Linux 5.19
	made := queue("make", false)
	if notify && made != first {
		t.Error("a program that makes nothing changed the namespace")
	}
	after := queue("make", false)
	if after == made {
		t.Error("a program has the namespace of one that made a queue")
	}
	compiler := queue("make", true)
	for _, other := range []string{first, made, after} {
		if compiler == other {
			t.Error("a program that may lock files has the namespace of one that may not")
		}
	}
	if queue("look", true) == compiler {
		t.Error("a program has the namespace of one that may lock files")
	}
	if got := queue("look", false); got == after || got == compiler {
		t.Error("a program has the namespace of an earlier one that made a queue")
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
	for _, most := range []Level{Guarded, 0} {
		p := newSandbox(t)
		p.Most = most
		if level, err := p.findLevel(); level < Guarded || err != nil {
			t.Skip("no level of this machine creates rulesets:", level, err)
		}
		run(t, p, program(t, "exit", "0"))
		if l := last(p); l.chores == 0 {
			t.Errorf("%v: to show a folder was no work", l.level)
		} else {
			l.chores = mostChores + 1
		}
		old := last(p)
		run(t, p, program(t, "exit", "0"))
		for range mostIdle {
			run(t, p, program(t, "exit", "0"))
		}
		if slices.Contains(p.idle, old) {
			t.Errorf("%v: it is kept", old.level)
		}
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

func TestCgroupsOfAKilledJudgeAreRemoved(t *testing.T) {
	p := newBox(t)
	run(t, p, program(t, "exit", "0"))
	l := last(p)
	dirs := slices.Clone(l.groupDirs())
	if len(dirs) == 0 {
		t.Skip("no cgroup can be made here")
	}
	// A killed judge cleans up nothing, but its launchers end when their socket closes.
	unix.Close(l.socket)
	l.cmd.Wait()
	p.idle = nil
	defer l.group.remove()
	defer l.stderr.Close()
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err != nil {
			t.Fatal("it was gone before", err)
		}
	}
	findCgroups() // removes the cgroups of judges that have ended; the next judge calls it
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there, %v", dir, err)
		}
	}
}

func TestLeastLevelIsHeld(t *testing.T) {
	p := newSandbox(t)
	p.Least, p.Most = UserBox, Process
	if o, err := p.Run(context.Background(), program(t, "exit", "0")); err == nil || !strings.Contains(err.Error(), `expected at least the sandbox level "user box"`) {
		t.Errorf("%+v, %v", o, err)
	}
}

// groupDirs returns the folders of the launcher's cgroup, or nil if it has none.
func (l *launcher) groupDirs() []string {
	if l.group == nil {
		return nil
	}
	return l.group.dirs
}
