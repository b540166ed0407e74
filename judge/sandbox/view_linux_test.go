//go:build amd64 || arm64

package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

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
	for range mostIdle + 1 { // so that each launcher runs one
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
		if again, err := new(Cmd).view(program, at("work")); err != nil || again.text() == v.text() {
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

func TestReplacedFileIsReadAnew(t *testing.T) {
	p := newBox(t)
	file, other := filepath.Join(openFolder(t), "file"), filepath.Join(openFolder(t), "other")
	for i := range 2 * mostIdle { // enough to use launchers again
		want := strconv.Itoa(i)
		writeFile(t, other, want)
		if err := os.Rename(other, file); err != nil {
			t.Fatal(err)
		}
		if _, got := run(t, p, Cmd{Args: []string{"/bin/cat", file}, Dir: "/", Reads: []string{file}}); got != want {
			t.Errorf("got %q, want %q", got, want)
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
