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
)

// run plays the acts of an attack, and checks the facts.
func (a *attack) run(t *testing.T, p *Sandbox, rung Rung, aim *target, facts []fact) {
	command, reads, err := a.command()
	switch {
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") == "":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	protection := strings.Join(p.Protection().Enforced, "\n")
	if a.memory && !strings.Contains(protection, "memory of all processes, held") || a.pids && !p.fenced() {
		t.Skip("there is no cgroup for it here")
	}
	input := []byte("input\n")
	if a.stdin >= 0 {
		input = make([]byte, a.stdin)
	}
	dir := t.TempDir()
	// The folders above are for this user alone; the program's is another one.
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	var o Outcome
	var stdout, stderr bytes.Buffer
	for act := 1; act <= a.acts; act++ {
		file := filepath.Join(t.TempDir(), "input")
		if err := os.WriteFile(file, input, 0o644); err != nil {
			t.Fatal(err)
		}
		stdin, openErr := os.Open(file)
		if openErr != nil {
			t.Fatal(openErr)
		}
		defer stdin.Close()
		stdout.Reset()
		stderr.Reset()
		args := append(append(slices.Clone(command), strconv.Itoa(act)), aim.arguments()...)
		o, err = p.Run(context.Background(), Cmd{
			Args: args, Dir: dir, Reads: reads, Scratch: a.scratch, Limits: a.limits,
			Stdin: stdin, Stdout: &bounded{&stdout, 1 << 20}, Stderr: &bounded{&stderr, 1 << 20},
		})
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, input) {
			t.Errorf("the input file was changed: %v", err)
		}
		if act < a.acts {
			if err != nil {
				t.Fatalf("act %d: %v", act, err)
			}
			input = bytes.Clone(stdout.Bytes())
			if stderr.Len() > 0 || o.Exit != 0 {
				t.Logf("act %d: exit %d, stderr %.2000q", act, o.Exit, &stderr)
			}
		}
	}
	for _, f := range facts {
		if f.key == "memory" && f.op == "<=" && raceEnabled {
			continue // a launcher with the race detector is large, and so is what it starts
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
	if said := stdout.String() + stderr.String(); strings.Contains(said, strings.TrimSpace(aim.text)) && rung.Full() {
		t.Error("the answer came out")
	}
	if t.Failed() {
		t.Logf("stdout %.1000q\nstderr %.4000q", &stdout, &stderr)
	}
	if strings.Contains(stderr.String(), "escaped") {
		// Without a fence it was killed in the end, but is not claimed to be outrun.
		if p.fenced() {
			t.Error("it was stopped by its own bound only")
		} else {
			t.Log("it multiplied up to its own bound: there can be no pids cgroup here")
		}
	}
	if rung.Full() {
		if after := listing(t, dir); !slices.Equal(before, after) {
			t.Errorf("it changed the working folder: %q, was %q", after, before)
		}
	}
	if got, err := os.ReadFile(aim.answer); err != nil || string(got) != aim.text {
		t.Errorf("the answer was changed: %q, %v", got, err)
	}
	if left := processesOf(t, a.program); len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
}

// listing tells what lies in a folder, and its mode.
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

// bounded keeps so many of the bytes that it is given.
type bounded struct {
	to   io.Writer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	kept := p[:min(len(p), b.left)]
	b.left -= len(kept)
	if _, err := b.to.Write(kept); err != nil {
		return 0, err
	}
	return len(p), nil
}

// fenced reports whether launchers have a fence here.
func (p *Sandbox) fenced() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle) > 0 && p.idle[0].group.pids()
}

// processesOf returns the numbers of the processes that run a program, or were
// told of it.
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
