package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A Cmd is one program to be run once.
type Cmd struct {
	// Args is the program and its arguments. A program without a slash is looked
	// up on the PATH of Env, or of the judge if Env is nil; a relative path
	// starts at Dir.
	Args []string

	// Dir is the working folder, which must exist. "" is the judge's own.
	Dir string

	// Env is the whole environment, as "key=value". Nil means a small one that is
	// the same on every run: PATH as the judge has it, LANG=C.UTF-8, and HOME and
	// TMPDIR in Dir.
	Env []string

	// Stdin is what the program reads; nil is nothing. It is fed so that the
	// program cannot write to what lies behind it. What the program leaves unread
	// may have been read from Stdin. If Stdin blocks when the program has ended,
	// Run waits for it, except that a pipe of either kind (os.Pipe, io.Pipe) lets
	// go by itself: the former is handed to the program as it is, the latter is
	// closed when the program ends.
	Stdin io.Reader

	// Stdout and Stderr take what the program writes; nil drops it. They get no
	// more than Limits.Output bytes together, and are called from one goroutine.
	Stdout, Stderr io.Writer

	Limits Limits
}

// Limits bound one run. A zero field is no limit.
type Limits struct {
	CPU       time.Duration // user and system time of all the program's processes together
	Wall      time.Duration // from the start of the program to its end
	Memory    int64         // bytes, at the peak of all the program's processes together
	Output    int64         // bytes, stdout and stderr together
	FileSize  int64         // bytes, of any one file that it writes
	Processes int           // processes and threads, alive at once
}

// A Resource is something that a limit is on.
type Resource string

const (
	CPU       Resource = "cpu"
	Wall      Resource = "wall"
	Memory    Resource = "memory"
	Output    Resource = "output"
	FileSize  Resource = "file size"
	Processes Resource = "processes"
)

// An Outcome is what became of a program. It holds facts only.
type Outcome struct {
	Exit           int            // exit status, 0 to 255; -1 if a signal ended the program
	Signal         syscall.Signal // what ended it; 0 if it exited
	CPU, User, Sys time.Duration  // of all its processes; CPU is not less than User+Sys
	Wall           time.Duration
	Memory         int64    // bytes, at the peak
	Output         int64    // bytes written to stdout and stderr; past Limits.Output, some number above it
	Exceeded       Resource // the limit that was passed first; "" if none was
	Limits         Limits   // those that were enforced
}

// A Protection says how far a way of running programs can be trusted.
type Protection struct {
	Name        string   // of the way: "process", "plain"
	Enforced    []string // each a short sentence without a stop
	NotEnforced []string
}

// ready checks a Cmd and returns the absolute paths of its program and working
// folder.
func (c *Cmd) ready(ctx context.Context) (program, dir string, err error) {
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	if err := c.check(); err != nil {
		return "", "", err
	}
	if dir, err = filepath.Abs(c.Dir); err != nil {
		return "", "", err
	}
	program, err = c.program(dir)
	return program, dir, err
}

// check finds what is wrong with a Cmd before anything is started.
func (c *Cmd) check() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("no program to run: want its path as the first argument")
	}
	for _, limit := range []struct {
		resource Resource
		n        int64
	}{
		{CPU, int64(c.Limits.CPU)}, {Wall, int64(c.Limits.Wall)}, {Memory, c.Limits.Memory},
		{Output, c.Limits.Output}, {FileSize, c.Limits.FileSize}, {Processes, int64(c.Limits.Processes)},
	} {
		if limit.n < 0 {
			return fmt.Errorf("run %s: %s limit %d: want 0 for none, or more", c.Args[0], limit.resource, limit.n)
		}
	}
	if c.Dir == "" {
		return nil
	}
	switch info, err := os.Stat(c.Dir); {
	case err != nil:
		return fmt.Errorf("run %s: working folder: %w", c.Args[0], err)
	case !info.IsDir():
		return fmt.Errorf("run %s: working folder %s is no folder", c.Args[0], c.Dir)
	}
	return nil
}
