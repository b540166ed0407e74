//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An attack is a C program in testdata/attack that begins with comments:
//
//	// limits: cpu=500ms memory=64M      those that differ from attackLimits
//	// stdin: 100M                       so many zero bytes; by default "input\n"
//	// want: exceeded=cpu cpu>=500ms     the facts that its outcome must give
//
// Facts hold on any machine, however busy. The folder has innocent programs,
// too, that look like attacks.
type attack struct {
	name   string
	limits Limits
	stdin  int64 // zero bytes; -1: "input\n"
	want   []fact
}

type fact struct{ key, op, value string }

// attackLimits are generous with wall time, so that a busy machine changes no
// fact.
var attackLimits = Limits{CPU: 5 * time.Second, Wall: 60 * time.Second, Memory: 256 << 20, Output: 1 << 20, Processes: 64}

func TestAttacks(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("the attacks are in C, and gcc is not on the PATH")
	}
	sources, err := filepath.Glob("testdata/attack/*.c")
	if err != nil || len(sources) == 0 {
		t.Fatal("no attacks", err)
	}
	bin := t.TempDir()
	p := newSandbox(t)
	for _, source := range sources {
		a, err := readAttack(source)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(bin, a.name)
			if out, err := exec.Command(gcc, "-O0", "-Wall", "-pthread", "-o", program, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			a.run(t, p, program)
		})
	}
}

// run runs the attack and checks its facts.
func (a *attack) run(t *testing.T, p *Sandbox, program string) {
	input := []byte("input\n")
	if a.stdin >= 0 {
		input = make([]byte, a.stdin)
	}
	file := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(file, input, 0o644); err != nil {
		t.Fatal(err)
	}
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	o, err := p.Run(context.Background(), Cmd{
		Args: []string{program}, Dir: dir, Limits: a.limits,
		Stdin: stdin, Stdout: &stdout, Stderr: &stderr,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.want {
		if f.key == "memory" && f.op == "<=" && raceEnabled {
			continue // a launcher with the race detector is large, and so is what it starts
		}
		if !f.holds(o) {
			t.Errorf("%s%s%s does not hold: %+v", f.key, f.op, f.value, o)
		}
	}
	if t.Failed() {
		t.Logf("stdout %.500q\nstderr %.500q", &stdout, &stderr)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, input) {
		t.Errorf("the input file was changed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "escaped")); err == nil {
		// Without a fence it was killed in the end, but is not claimed to be outrun.
		if p.fenced() {
			t.Error("it was stopped by its own bound only")
		} else {
			t.Log("it multiplied up to its own bound: there can be no pids cgroup here")
		}
	}
	if left := processesOf(t, program); len(left) > 0 {
		t.Errorf("left running: %v", left)
	}
}

// fenced reports whether launchers have a fence here.
func (p *Sandbox) fenced() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle) > 0 && p.idle[0].group.pids()
}

// holds reports whether an outcome has the fact.
func (f fact) holds(o Outcome) bool {
	switch f.key {
	case "exceeded":
		return string(o.Exceeded) == strings.ReplaceAll(strings.TrimPrefix(f.value, "none"), "_", " ")
	case "signal":
		return o.Signal == unix.SignalNum(f.value)
	}
	var got, want int64
	switch f.key {
	case "exit":
		got, want = int64(o.Exit), int64(number(f.value))
	case "cpu":
		d, _ := time.ParseDuration(f.value)
		got, want = int64(o.CPU), int64(d)
	case "memory":
		got, want = o.Memory, size(f.value)
	case "output":
		got, want = o.Output, size(f.value)
	}
	switch f.op {
	case ">=":
		return got >= want
	case "<=":
		return got <= want
	}
	return got == want
}

// readAttack reads what the first lines of an attack say.
func readAttack(source string) (*attack, error) {
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	a := &attack{name: strings.TrimSuffix(filepath.Base(source), ".c"), limits: attackLimits, stdin: -1}
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		kind, rest, _ := strings.Cut(comment, ":")
		for _, word := range strings.Fields(rest) {
			f := parseFact(word)
			switch kind {
			case "want":
				a.want = append(a.want, f)
			case "stdin":
				a.stdin = size(word)
			case "limits":
				if err := f.set(&a.limits); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", source, word, err)
				}
			}
		}
	}
	if len(a.want) == 0 {
		return nil, fmt.Errorf("%s: no line with // want:", source)
	}
	for _, f := range a.want {
		if !strings.Contains(" exceeded signal exit cpu memory output ", " "+f.key+" ") {
			return nil, fmt.Errorf("%s: unknown fact %q", source, f.key)
		}
	}
	return a, nil
}

func parseFact(word string) fact {
	for _, op := range []string{">=", "<=", "="} {
		if key, value, ok := strings.Cut(word, op); ok {
			return fact{key, op, value}
		}
	}
	return fact{key: word}
}

// set sets the limit that f speaks of.
func (f fact) set(l *Limits) (err error) {
	switch f.key {
	case "cpu":
		l.CPU, err = time.ParseDuration(f.value)
	case "wall":
		l.Wall, err = time.ParseDuration(f.value)
	case "memory":
		l.Memory = size(f.value)
	case "output":
		l.Output = size(f.value)
	case "filesize":
		l.FileSize = size(f.value)
	case "processes":
		l.Processes, err = strconv.Atoi(f.value)
	default:
		err = fmt.Errorf("unknown limit %q", f.key)
	}
	return err
}

// size reads a number of bytes: 64M is 64 MiB.
func size(s string) int64 {
	shift := 0
	if text, ok := strings.CutSuffix(s, "M"); ok {
		s, shift = text, 20
	}
	return int64(number(s)) << shift
}

// processesOf returns the numbers of the processes that run a program.
func processesOf(t *testing.T, program string) (pids []int) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.TrimSuffix(target, " (deleted)") == program {
			pids = append(pids, number(filepath.Base(filepath.Dir(link))))
		}
	}
	return pids
}
