package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"
	"time"
)

func init() {
	// count on reads numbers and writes the successor of each.
	programs["count on"] = func([]string) int {
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Println(number(in.Text()) + 1)
		}
		return 0
	}
	// count to writes 0, and then each number that it reads, until it reads its
	// argument.
	programs["count to"] = func(args []string) int {
		in := bufio.NewScanner(os.Stdin)
		for n := 0; ; {
			fmt.Println(n)
			if !in.Scan() {
				return 1
			}
			if n = number(in.Text()); n >= number(args[0]) {
				return 0
			}
		}
	}
	programs["reopen"] = func([]string) int {
		out, err := os.OpenFile("/dev/stdout", os.O_WRONLY, 0)
		if err != nil {
			return 1
		}
		_, err = out.WriteString("again\n")
		return status(err)
	}
	// child writes starts a child that writes the number of bytes in its argument.
	programs["child writes"] = func(args []string) int {
		self, err := os.Executable()
		if err != nil {
			return 1
		}
		child, err := os.StartProcess(self, []string{self, args[0]}, &os.ProcAttr{
			Env: []string{programKey + "=print"}, Files: []*os.File{nil, os.Stdout, nil},
		})
		if err != nil {
			return 1
		}
		state, err := child.Wait()
		if err != nil {
			return 1
		}
		return state.ExitCode()
	}
}

// onEveryLevel runs test as a subtest on each level that this machine supports.
func onEveryLevel(t *testing.T, test func(*testing.T, *Sandbox)) {
	for level := Plain; level <= RootBox; level++ {
		t.Run(level.String(), func(t *testing.T) {
			if runtime.GOOS == "linux" && level == Plain {
				t.Skip("on Linux there is a higher one")
			}
			p := &Sandbox{Most: level}
			t.Cleanup(func() { p.Close() })
			if have := p.Protection(); have.Level != level {
				t.Skipf("this machine has %v: %s", have.Level, have.Why)
			}
			test(t, p)
		})
	}
}

func newPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

func TestTwoProgramsAreJoinedByPipes(t *testing.T) {
	onEveryLevel(t, func(t *testing.T, p *Sandbox) {
		r1, w1 := newPipe(t)
		r2, w2 := newPipe(t)
		answers := program(t, "count on")
		answers.Stdin, answers.Stdout = r1, w2
		answers.Started = func() { w2.Close() }
		done := make(chan Outcome)
		go func() {
			o, err := p.Run(t.Context(), answers)
			if err != nil {
				t.Error(err)
			}
			done <- o
		}()
		asks := program(t, "count to", "1000")
		asks.Stdin, asks.Stdout = r2, w1
		asks.Started = func() { w1.Close() }
		if o, _ := run(t, p, asks); o.Exit != 0 || o.Signal != 0 {
			t.Errorf("asks: %+v", o)
		}
		if o := <-done; o.Exit != 0 || o.Signal != 0 {
			t.Errorf("answers: %+v", o)
		}
	})
}

// TestPipeOfTheCallerStaysHis checks that the reader of a pipe gets an end of file
// when the caller closes its end, not when the program ends, and that Run leaves
// the files of the caller open.
func TestPipeOfTheCallerStaysHis(t *testing.T) {
	onEveryLevel(t, func(t *testing.T, p *Sandbox) {
		r, w := newPipe(t)
		c := program(t, "echo", "hello")
		c.Stdout = w
		run(t, p, c)
		if _, err := w.WriteString("and goodbye\n"); err != nil {
			t.Fatal(err)
		}
		w.Close()
		got, err := io.ReadAll(r)
		if want := "hello\nand goodbye\n"; string(got) != want || err != nil {
			t.Errorf("read %q, %v; want %q", got, err, want)
		}
	})
}

func TestPipeCanBeOpenedAnew(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/stdout is no new description elsewhere")
	}
	onEveryLevel(t, func(t *testing.T, p *Sandbox) {
		r, w := newPipe(t)
		c := program(t, "reopen")
		c.Stdout = w
		if o, _ := run(t, p, c); o.Exit != 0 {
			t.Errorf("exit status %d", o.Exit)
		}
		w.Close()
		if got, err := io.ReadAll(r); string(got) != "again\n" || err != nil {
			t.Errorf("read %q, %v", got, err)
		}
	})
}

func TestWhatIsWrittenIntoAPipeIsCounted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it is counted on Linux only")
	}
	onEveryLevel(t, func(t *testing.T, p *Sandbox) {
		for _, test := range []struct {
			fact  string
			name  string
			arg   string
			limit int64
			least int64
			want  Resource
		}{
			{"without a limit it is not", "print", "100000", 0, 0, ""},
			{"below the limit", "print", "100000", 1 << 20, 100000, ""},
			{"of a child that was waited for", "child writes", "100000", 1 << 20, 100000, ""},
			{"above the limit", "print", "3000000", 1 << 20, 1 << 20, Written},
			{"of a child above the limit", "child writes", "3000000", 1 << 20, 1 << 20, Written},
			{"without end", "flood", "stdout", 1 << 20, 1 << 20, Written},
		} {
			t.Run(test.fact, func(t *testing.T) {
				r, w := newPipe(t)
				read := make(chan int64)
				go func() {
					n, _ := io.Copy(io.Discard, r)
					read <- n
				}()
				c := program(t, test.name, test.arg)
				c.Stdout, c.Limits.Written = w, test.limit
				begun := time.Now()
				o, _ := run(t, p, c)
				w.Close()
				n := <-read
				if os.Geteuid() != 0 && test.name != "flood" {
					// Only root can read the counters of processes that have ended, and these may
					// end before the first look.
					test.least, test.want = 0, o.Exceeded
				}
				if o.Exceeded != test.want || o.Written < test.least || test.limit == 0 && o.Written != 0 {
					t.Errorf("Written %d, Exceeded %q; want at least %d, %q; %d were read", o.Written, o.Exceeded, test.least, test.want, n)
				}
				if took := time.Since(begun); took > 20*time.Second {
					t.Errorf("stopped after %v", took)
				}
				if o.Output != 0 {
					t.Errorf("Output %d: want only what the judge sees", o.Output)
				}
			})
		}
	})
}

func TestNobodyWaitsForAPipeThatNobodyReads(t *testing.T) {
	onEveryLevel(t, func(t *testing.T, p *Sandbox) {
		_, w := newPipe(t)
		c := program(t, "flood", "stdout")
		c.Stdout, c.Limits.Wall = w, 200*time.Millisecond
		if o, _ := run(t, p, c); o.Exceeded != Wall {
			t.Errorf("Exceeded %q, want %q", o.Exceeded, Wall)
		}
	})
}
