package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestExitStatusIsTold(t *testing.T) {
	p := newSandbox(t)
	for _, want := range []int{0, 1, 2, 42, 43, 127, 128, 137, 255} {
		o, _ := run(t, p, program(t, "exit", fmt.Sprint(want)))
		if o.Exit != want || o.Signal != 0 || o.Exceeded != "" {
			t.Errorf("exit %d: Exit %d, Signal %d, Exceeded %q", want, o.Exit, o.Signal, o.Exceeded)
		}
	}
}

func TestArguments(t *testing.T) {
	p := newSandbox(t)
	long := make([]string, 2000)
	for i := range long {
		long[i] = strings.Repeat("a", 20) + fmt.Sprint(i)
	}
	for _, test := range []struct {
		fact string
		args []string
	}{
		{"none", nil},
		{"empty ones count", []string{"", "a", ""}},
		{"they are not words of a shell", []string{"a b", "$HOME", "*", "'", "\n"}},
		{"they may be longer than one message", long},
	} {
		t.Run(test.fact, func(t *testing.T) {
			_, got := run(t, p, program(t, "echo", test.args...))
			if want := strings.Join(test.args, "|") + "\n"; got != want {
				t.Errorf("got %.200q, want %.200q", got, want)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THE_JUDGE", "1")
	p := newSandbox(t)
	t.Run("is the one given and no other", func(t *testing.T) {
		c := program(t, "env")
		c.Env = append(c.Env, "A=1")
		_, out := run(t, p, c)
		got := strings.Split(strings.TrimSpace(out), "\n")
		want := slices.Clone(c.Env)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
	t.Run("is small and fixed by default", func(t *testing.T) {
		c := Cmd{Dir: "/folder"}
		got := c.environment(c.Dir, Process)
		for _, want := range []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=/folder", "TMPDIR=/folder"} {
			if !slices.Contains(got, want) {
				t.Errorf("%q has no %q", got, want)
			}
		}
		for _, pair := range got {
			if strings.HasPrefix(pair, "SECRET") {
				t.Errorf("the judge's own %s is in it", pair)
			}
		}
	})
}

func TestWorkingFolder(t *testing.T) {
	p := newSandbox(t)
	c := program(t, "pwd")
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Dir = dir
	if _, got := run(t, p, c); got != dir {
		t.Errorf("got %s, want %s", got, dir)
	}
}

func TestOutputIsCountedOverBothStreams(t *testing.T) {
	p := newSandbox(t)
	var stdout, stderr bytes.Buffer
	c := program(t, "both", "abc", "de")
	c.Stdout, c.Stderr = &stdout, &stderr
	o, _ := run(t, p, c)
	if stdout.String() != "abc" || stderr.String() != "de" || o.Output != 5 || o.Stderr != 2 {
		t.Errorf("stdout %q, stderr %q, Output %d, Stderr %d", &stdout, &stderr, o.Output, o.Stderr)
	}
}

func TestOutputThatNobodyWantsIsCounted(t *testing.T) {
	o, err := newSandbox(t).Run(context.Background(), program(t, "print", "300000"))
	if err != nil || o.Output != 300000 {
		t.Errorf("Output %d, %v", o.Output, err)
	}
}

func TestOutputUpToTheLimitPasses(t *testing.T) {
	p := newSandbox(t)
	for _, test := range []struct {
		fact     string
		print    string
		passed   int
		exceeded Resource
	}{
		{"one less", "99999", 99999, ""},
		{"just as much", "100000", 100000, ""},
		{"one more", "100001", 100000, Output},
		{"much more", "9000000", 100000, Output},
	} {
		t.Run(test.fact, func(t *testing.T) {
			c := program(t, "print", test.print)
			c.Limits.Output = 100000
			o, out := run(t, p, c)
			if len(out) != test.passed || o.Exceeded != test.exceeded {
				t.Errorf("passed %d bytes, Exceeded %q; want %d, %q", len(out), o.Exceeded, test.passed, test.exceeded)
			}
			if (o.Exceeded != "") != (o.Output > c.Limits.Output) {
				t.Errorf("Exceeded %q, but Output %d of %d", o.Exceeded, o.Output, c.Limits.Output)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	p := newSandbox(t)
	for _, test := range []struct {
		fact   string
		cmd    Cmd
		limits Limits
		want   Resource
	}{
		{"wall", program(t, "sleep"), Limits{Wall: 100 * time.Millisecond}, Wall},
		{"stdout", program(t, "flood", "stdout"), Limits{Output: 1 << 20, Wall: time.Minute}, Output},
		{"stderr", program(t, "flood", "stderr"), Limits{Output: 1 << 20, Wall: time.Minute}, Output},
		{"none", program(t, "exit", "0"), Limits{}, ""},
	} {
		t.Run(test.fact, func(t *testing.T) { exceeds(t, p, test.cmd, test.limits, test.want) })
	}
}

func TestJudgesFailureIsAnError(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	foreign := filepath.Join(dir, "foreign")
	for name, mode := range map[string]os.FileMode{text: 0o644, foreign: 0o755} {
		if err := os.WriteFile(name, []byte("\x7fELF of no machine"), mode); err != nil {
			t.Fatal(err)
		}
	}
	ok := program(t, "exit", "0").Args
	p := newSandbox(t)
	for _, test := range []struct {
		fact string
		cmd  Cmd
		want string
	}{
		{"no arguments", Cmd{}, "no program"},
		{"empty program", Cmd{Args: []string{""}}, "no program"},
		{"missing program", Cmd{Args: []string{filepath.Join(dir, "missing")}}, "no such program"},
		{"program not on the PATH", Cmd{Args: []string{"no-such-program-anywhere"}}, "PATH"},
		{"not executable", Cmd{Args: []string{text}}, "not executable"},
		{"a folder", Cmd{Args: []string{dir}}, "expected a program, found a folder"},
		{"of another machine", Cmd{Args: []string{foreign}}, "exec format error"},
		{"missing folder", Cmd{Args: ok, Dir: filepath.Join(dir, "missing")}, "working folder"},
		{"a file as folder", Cmd{Args: ok, Dir: text}, "expected a folder, found a file"},
		{"negative limit", Cmd{Args: ok, Limits: Limits{Memory: -1}}, "memory limit: expected 0 (no limit) or more, found -1"},
		{"zero byte", Cmd{Args: append(ok[:1:1], "a\x00b")}, "run "},
	} {
		t.Run(test.fact, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(test.want, "not executable") {
				t.Skip("files have no such mode here")
			}
			o, err := p.Run(context.Background(), test.cmd)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v, error %v, want one with %q", o, err, test.want)
			}
		})
	}
	t.Run("and the next run works", func(t *testing.T) { run(t, p, program(t, "exit", "0")) })
	t.Run("missing can be asked for", func(t *testing.T) {
		if _, err := p.Run(context.Background(), Cmd{Args: []string{filepath.Join(dir, "missing")}}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("errors.Is(%v, fs.ErrNotExist) is false", err)
		}
	})
}

func TestProgramIsFoundOnThePath(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := newSandbox(t)
	for _, test := range []struct{ fact, name, path string }{
		{"of its environment", filepath.Base(self), filepath.Dir(self)},
		{"relative to its folder", "." + string(filepath.Separator) + filepath.Base(self), ""},
	} {
		t.Run(test.fact, func(t *testing.T) {
			c := program(t, "exit", "7")
			c.Args[0], c.Dir = test.name, filepath.Dir(self)
			c.Env = []string{programKey + "=exit", "PATH=" + test.path}
			if o, _ := run(t, p, c); o.Exit != 7 {
				t.Errorf("Exit %d, want 7", o.Exit)
			}
		})
	}
}

// failing is a reader and writer that always returns errFailing.
type failing struct{}

var errFailing = errors.New("no more room")

func (failing) Read([]byte) (int, error)  { return 0, errFailing }
func (failing) Write([]byte) (int, error) { return 0, errFailing }

func TestReaderAndWriterThatFailAreErrors(t *testing.T) {
	p := newSandbox(t)
	c := program(t, "print", "1000000")
	c.Stdout = failing{}
	if _, err := p.Run(context.Background(), c); !errors.Is(err, errFailing) {
		t.Errorf("Stdout fails: error %v, want %v", err, errFailing)
	}
	c = program(t, "cat")
	c.Stdin = failing{}
	if _, err := p.Run(context.Background(), c); !errors.Is(err, errFailing) {
		t.Errorf("Stdin fails: error %v, want %v", err, errFailing)
	}
}

func TestInputArrivesWhole(t *testing.T) {
	p := newSandbox(t)
	text := strings.Repeat("0123456789abcdef", 1<<16)
	file := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(file, []byte("skipped"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	opened := func(t *testing.T) io.Reader {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		f.Seek(int64(len("skipped")), io.SeekStart)
		return f
	}
	for _, test := range []struct {
		fact string
		from func(*testing.T) io.Reader
		want string
	}{
		{"nil is nothing", func(*testing.T) io.Reader { return nil }, ""},
		{"an empty reader", func(*testing.T) io.Reader { return strings.NewReader("") }, ""},
		{"bytes", func(*testing.T) io.Reader { return bytes.NewReader([]byte(text)) }, text},
		{"a file, from where it stands", opened, text},
		{"any reader", func(t *testing.T) io.Reader { return struct{ io.Reader }{opened(t)} }, text},
		{"io.Pipe", func(*testing.T) io.Reader {
			r, w := io.Pipe()
			go func() {
				io.WriteString(w, text)
				w.Close()
			}()
			return r
		}, text},
		{"os.Pipe", func(t *testing.T) io.Reader {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { r.Close() })
			go func() {
				io.WriteString(w, text)
				w.Close()
			}()
			return r
		}, text},
	} {
		t.Run(test.fact, func(t *testing.T) {
			c := program(t, "cat")
			c.Stdin = test.from(t)
			if _, got := run(t, p, c); got != test.want {
				t.Errorf("got %d bytes, want %d", len(got), len(test.want))
			}
		})
	}
}

func TestInputNeedNotBeRead(t *testing.T) {
	p := newSandbox(t)
	endless := func() io.Reader { return struct{ io.Reader }{zeros{}} }
	blocked, _ := io.Pipe()
	for _, test := range []struct {
		fact    string
		program Cmd
		from    io.Reader
	}{
		{"none of an endless one", program(t, "exit", "0"), endless()},
		{"a byte of an endless one", program(t, "first byte"), endless()},
		{"none of one that never comes", program(t, "exit", "0"), blocked},
	} {
		t.Run(test.fact, func(t *testing.T) {
			test.program.Stdin = test.from
			if o, _ := run(t, p, test.program); o.Exit != 0 || o.Signal != 0 {
				t.Errorf("%+v", o)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestCancelledRunReturnsTheContextsError(t *testing.T) {
	p := newSandbox(t)
	t.Run("before it starts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := p.Run(ctx, program(t, "exit", "0")); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("while it runs", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		c := program(t, "flood", "stdout")
		c.Stdout = writerFunc(func(b []byte) (int, error) { // called while the program runs
			cancel()
			return len(b), nil
		})
		if _, err := p.Run(ctx, c); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("and the next run works", func(t *testing.T) { run(t, p, program(t, "exit", "0")) })
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestRunsAtOnceKeepApart(t *testing.T) {
	p := newSandbox(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 5 {
				c := program(t, "cat")
				want := strings.Repeat(fmt.Sprintf("%d %d\n", i, j), 10000)
				c.Stdin = strings.NewReader(want)
				var got bytes.Buffer
				c.Stdout = &got
				if o, err := p.Run(context.Background(), c); err != nil || o.Exit != 0 || got.String() != want {
					t.Errorf("%+v, %v, output of %d bytes, want %d", o, err, got.Len(), len(want))
				}
			}
		})
	}
	wg.Wait()
}

func TestRunsAfterCloseWork(t *testing.T) {
	p := new(Sandbox)
	for range 2 {
		run(t, p, program(t, "exit", "0"))
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProtectionIsSaid(t *testing.T) {
	p := newSandbox(t)
	if got := p.Protection(); got.Level == 0 || len(got.Enforced) == 0 || !got.Level.Full() && got.Why == "" {
		t.Errorf("%+v", got)
	}
	least := newSandbox(t)
	least.Most = min(Process, p.Protection().Level)
	if got := least.Protection(); got.Level != least.Most || len(got.NotEnforced) == 0 {
		t.Errorf("%+v", got)
	}
}

func TestRanges(t *testing.T) {
	for word, want := range map[string]Level{"": 0, "auto": 0, "require": UserBox, "process": Process} {
		if l, err := RangeOf(word); err != nil || l.Least != want {
			t.Errorf("RangeOf(%q) = %+v, %v; want at least %v", word, l, err, want)
		}
	}
	if _, err := RangeOf("off"); err == nil || !strings.Contains(err.Error(), "expected auto, require, process, guarded or userbox") {
		t.Errorf("RangeOf(off): %v", err)
	}
}
