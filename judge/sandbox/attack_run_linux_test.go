//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// run runs all acts of an attack. It checks the facts, and that the attack
// changed no file and left no process.
func (a *attack) run(t *testing.T, p *Sandbox, level Level, aim *target, facts []fact) {
	command, reads, err := a.command()
	switch {
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	p.Protection() // starts a launcher
	held := p.counts((*cgroup).memory)
	if a.memory && !held || a.pids && !p.counts((*cgroup).pids) {
		t.Skip("there is no cgroup for it here")
	}
	dir := t.TempDir()
	// The program may run as another user than the owner of the folder.
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	c := Cmd{Args: command, Dir: dir, Reads: reads, Scratch: a.scratch, Locks: a.locks, Limits: a.limits}
	o, stdout, stderr, err := a.play(t, p, c, aim)
	// A launcher may have just loaded more of its binary: once more then, in a new one.
	for again := 0; again < 4 && err == nil && !held && !raceEnabled && !fits(facts, o); again++ {
		t.Logf("%d bytes of memory, again", o.Memory)
		other := &Sandbox{Least: level, Most: level, noCgroups: p.noCgroups}
		o, stdout, stderr, err = a.play(t, other, c, aim)
		other.Close()
	}
	checkFacts(t, facts, held, o, err)
	if said := stdout + stderr; strings.Contains(said, strings.TrimSpace(aim.text)) && level.Full() {
		t.Error("the answer came out")
	}
	if t.Failed() {
		t.Logf("stdout %.1000q\nstderr %.4000q", stdout, stderr)
	}
	if strings.Contains(stderr, "escaped") {
		// Without a pids cgroup the sandbox kills such a program only at the end, and
		// does not claim to stop it from multiplying.
		if p.counts((*cgroup).pids) {
			t.Error("it was stopped by its own bound only")
		} else {
			t.Log("it multiplied up to its own bound: there can be no pids cgroup here")
		}
	}
	if level.Full() {
		if after := listing(t, dir); !slices.Equal(before, after) {
			t.Errorf("it changed the working folder: %q, was %q", after, before)
		}
	}
	if got, err := os.ReadFile(aim.answer); err != nil || string(got) != aim.text {
		t.Errorf("the answer was changed: %q, %v", got, err)
	}
	left := processesOf(t, a.program)
	// If a launcher was killed, the kernel kills its programs, which takes a moment.
	for wait := time.Now(); err != nil && len(left) > 0 && time.Since(wait) < time.Second; left = processesOf(t, a.program) {
		time.Sleep(10 * time.Millisecond)
	}
	if len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
}

// play runs the acts of an attack, and returns the outcome and the output of the
// last one.
func (a *attack) play(t *testing.T, p *Sandbox, c Cmd, aim *target) (_ Outcome, stdout, stderr string, _ error) {
	t.Helper()
	input := []byte("input\n")
	if a.stdin >= 0 {
		input = make([]byte, a.stdin)
	}
	command := c.Args
	for act := 1; ; act++ {
		file := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(file, input, 0o644); err != nil {
			t.Fatal(err)
		}
		stdin, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var out, told bytes.Buffer
		c.Args = slices.Concat(command, []string{strconv.Itoa(act)}, aim.arguments())
		c.Stdin, c.Stdout, c.Stderr = stdin, &boundedWriter{&out, 1 << 20}, &boundedWriter{&told, 1 << 20}
		o, err := p.Run(context.Background(), c)
		stdin.Close()
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, input) {
			t.Errorf("the input file was changed: %v", err)
		}
		if act >= a.acts {
			return o, out.String(), told.String(), err
		}
		if err != nil {
			t.Fatalf("act %d: %v", act, err)
		}
		if told.Len() > 0 || o.Exit != 0 {
			t.Logf("act %d: exit %d, stderr %.2000q", act, o.Exit, &told)
		}
		input = out.Bytes()
	}
}

// largestLauncher is the maximum memory in bytes of a launcher that is this
// test's binary, as a rule. Without a cgroup, the reported memory of a program that ends
// before the first look is that of the launcher (see doc.go).
const largestLauncher = 8 << 20

// fits reports whether the memory of a run without a cgroup is at most what the facts
// allow.
func fits(facts []fact, o Outcome) bool {
	return !slices.ContainsFunc(facts, func(f fact) bool {
		return f.key == "memory" && f.op == "<=" && o.Memory > max(size(f.value), largestLauncher)
	})
}

// checkFacts compares the results of Run with the facts. Held reports whether a
// cgroup counts memory. The kernel charges memory in batches, so a peak may be too
// small by less than one batch.
func checkFacts(t *testing.T, facts []fact, held bool, o Outcome, err error) {
	t.Helper()
	for _, f := range facts {
		switch {
		case f.key != "memory":
		case f.op == "<=" && raceEnabled:
			continue // the race detector makes launchers, and so the programs they start, large
		case f.op == "<=" && err == nil && !held && fits(facts, o):
			continue
		case f.op == ">=" && err == nil && held && o.Memory >= size(f.value)-chargeBatch:
			continue
		}
		switch {
		case f.key == "error":
			if err == nil || !strings.Contains(err.Error(), f.value) {
				t.Errorf("Run: %+v, error %v, want one with %q", o, err, f.value)
			}
		case err != nil:
			t.Fatal(err)
		case !f.holds(o):
			t.Errorf("%s%s%s does not hold: %+v", f.key, f.op, f.value, o)
		}
	}
}

// listing returns the mode of a folder and the names of its entries.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names = []string{info.Mode().String()}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// boundedWriter is a writer that passes the next left bytes on and drops the others.
type boundedWriter struct {
	to   io.Writer
	left int
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	kept := p[:min(len(p), b.left)]
	b.left -= len(kept)
	if _, err := b.to.Write(kept); err != nil {
		return 0, err
	}
	return len(p), nil
}

// counts reports whether launchers on this machine have a cgroup that counts what
// controller names.
func (p *Sandbox) counts(controller func(*cgroup) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle) > 0 && controller(p.idle[0].group)
}

// processesOf returns the ids of the processes that run a program or have its
// path as an argument.
func processesOf(t *testing.T, program string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		said, _ := os.ReadFile(file)
		target, _ := os.Readlink(filepath.Join(filepath.Dir(file), "exe"))
		if strings.TrimSuffix(target, " (deleted)") == program || slices.Contains(strings.Split(string(said), "\x00"), program) {
			pids = append(pids, number(filepath.Base(filepath.Dir(file))))
		}
	}
	return pids
}
