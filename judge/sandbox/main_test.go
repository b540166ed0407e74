package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// programKey is an environment variable. The test binary is also the program that
// most tests run: if the variable is set, it calls programs[value] and exits.
const programKey = "SANDBOX_TEST_PROGRAM"

var programs = map[string]func(args []string) int{
	"exit": func(args []string) int { return number(args[0]) },
	"echo": func(args []string) int {
		fmt.Println(strings.Join(args, "|"))
		return 0
	},
	"cat": func([]string) int {
		io.Copy(os.Stdout, os.Stdin)
		return 0
	},
	"both": func(args []string) int {
		fmt.Print(args[0])
		fmt.Fprint(os.Stderr, args[1])
		return 0
	},
	"env": func([]string) int {
		for _, pair := range os.Environ() {
			fmt.Println(pair)
		}
		return 0
	},
	"pwd": func([]string) int {
		dir, err := os.Getwd()
		fmt.Print(dir)
		return status(err)
	},
	"sleep": func([]string) int {
		time.Sleep(time.Hour)
		return 0
	},
	"burn": func([]string) int {
		for n := 0; ; n++ {
			if n < 0 {
				return 1
			}
		}
	},
	"flood": func(args []string) int {
		line := bytes.Repeat([]byte{'x'}, 1<<16)
		for {
			if args[0] == "stdout" {
				os.Stdout.Write(line)
			} else {
				os.Stderr.Write(line)
			}
		}
	},
	"print": func(args []string) int { // argument: number of bytes
		_, err := os.Stdout.Write(bytes.Repeat([]byte{'x'}, number(args[0])))
		return status(err)
	},
	"first byte": func([]string) int {
		var b [1]byte
		_, err := os.Stdin.Read(b[:])
		return status(err)
	},
	"hold": func(args []string) int { // argument: number of bytes of memory
		memory := make([]byte, number(args[0]))
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		time.Sleep(20 * time.Millisecond)
		return int(memory[0]) - 1
	},
}

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(programKey); ok {
		os.Exit(programs[name](os.Args[1:]))
	}
	os.Exit(m.Run())
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func status(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// program returns a Cmd with which the test binary calls programs[name].
func program(t testing.TB, name string, args ...string) Cmd {
	t.Helper()
	if programs[name] == nil {
		t.Fatalf("no test program %q", name)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Cmd{
		Args: append([]string{self}, args...),
		Dir:  t.TempDir(),
		// With the race detector a program sleeps for a second when it ends.
		Env: []string{programKey + "=" + name, "GORACE=atexit_sleep_ms=0", "PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot")},
		// The limit stops tests that hang. No program of these tests runs nearly as long.
		Limits: Limits{Wall: time.Minute},
	}
}

// run runs c, and returns its outcome and its standard output.
func run(t testing.TB, p *Sandbox, c Cmd) (Outcome, string) {
	t.Helper()
	var out strings.Builder
	if c.Stdout == nil {
		c.Stdout = &out
	}
	o, err := p.Run(context.Background(), c)
	if err != nil {
		t.Fatalf("Run(%q): %v", c.Args, err)
	}
	return o, out.String()
}

// exceeds runs a program under limits, and fails the test unless it exceeds the
// limit of want, or none if want is "".
func exceeds(t *testing.T, p *Sandbox, c Cmd, limits Limits, want Resource) {
	t.Helper()
	c.Limits = limits
	o, out := run(t, p, c)
	if o.Exceeded != want {
		t.Errorf("Exceeded %q, want %q: %+v %.200q", o.Exceeded, want, o, out)
	}
	if o.Limits != limits {
		t.Errorf("Limits %+v, want %+v", o.Limits, limits)
	}
}

// newSandbox returns a Sandbox that is closed when the test has ended.
func newSandbox(t testing.TB) *Sandbox {
	p := new(Sandbox)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}
