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

	// Dir is the working folder, which must exist. "" is the judge's own. The
	// program can read it.
	Dir string

	// Reads are files and folders that the program may read and execute, besides
	// itself, Dir, and the programs and libraries of the machine. Writes are those
	// that it may also write to; what it writes there stays. In a box a folder of
	// Writes is a private copy, and is copied back when the program has ended, so
	// that Limits.Files bounds it. Both are absolute paths of what exists, and mean
	// the same to the program. They bind where Protection says so.
	Reads, Writes []string

	// Scratch lets the program write to Dir. In a box that is a private copy of
	// Dir, and is gone afterwards; on the lower rungs it is Dir itself, for the
	// caller to clean up.
	Scratch bool

	// Cores are the processors that the program may use; nil is all. They bind on
	// Linux.
	Cores []int

	// OpenFiles is how many files each process may have open at once; 0 is 256. It
	// binds on Linux.
	OpenFiles int

	// FixedAddresses places the program's code, stack and heap at the same
	// addresses on every run, so that times vary less. It binds on Linux.
	FixedAddresses bool

	// Locks lets the program lock files, as compilers do. Without it, flock(2) and
	// fcntl(2) succeed and lock nothing: programs that run at the same time see the
	// same files, and could signal each other by locks. It binds on the rung Guarded
	// and above.
	Locks bool

	// Env is the whole environment, as "key=value". Nil means a small one that is
	// the same on every run: PATH, LANG=C.UTF-8, and HOME and TMPDIR, which are
	// folders that the program can write to if there are any.
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
	//
	// A pipe (os.Pipe) given as Stdout is handed to the program as it is, so that
	// two programs can talk without anybody between them. What goes through it is
	// not seen, and counts for Limits.Written only.
	Stdout, Stderr io.Writer

	// Started, if not nil, is called once the program has been given its pipes: a
	// caller who closes his own end then leaves the program's as the only one.
	Started func()

	Limits Limits
}

// Limits bound one run. A zero field is no limit.
type Limits struct {
	CPU       time.Duration // user and system time of all the program's processes together
	Wall      time.Duration // from the start of the program to its end, less Outcome.Waited
	Memory    int64         // bytes, at the peak of all the program's processes together
	Output    int64         // bytes, stdout and stderr together
	Written   int64         // bytes, written to anything at all by those of its processes that are seen; looked at every few milliseconds, where the kernel tells (Linux)
	Files     int64         // bytes, in each of the private folders of a box: scratch, Writes, /tmp, /dev/shm
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
	Written   Resource = "written"
	Files     Resource = "files"
	FileSize  Resource = "file size"
	Processes Resource = "processes"
)

// An Outcome is what became of a program. It holds facts only.
type Outcome struct {
	Exit           int            // exit status, 0 to 255; -1 if a signal ended the program
	Signal         syscall.Signal // what ended it; 0 if it exited
	CPU, User, Sys time.Duration  // of all its processes; CPU is not less than User+Sys
	Wall           time.Duration  // from the start of the program to its end
	Waited         time.Duration  // of Wall: for a processor that others had, while it could have run; known under Limits.Wall, where the kernel tells (Linux)
	Memory         int64          // bytes, at the peak
	Output         int64          // bytes written to stdout and stderr; past Limits.Output, some number above it
	Stderr         int64          // bytes of Output that were written to stderr
	Written        int64          // bytes written to anything at all, counted only under Limits.Written; 0 where the kernel does not tell
	Files          int64          // bytes that it left in private files of a box
	Instructions   int64          // executed in user space by all its processes; 0 where the machine does not count them
	Exceeded       Resource       // the limit that was passed first; "" if none was
	Limits         Limits         // those that were enforced
}

// A Rung is a step of the ladder of protection. Which of them a machine has
// depends on its system, its kernel's settings, and the user's rights.
type Rung int

const (
	Plain   Rung = iota + 1 // a child process of the judge's: limits that the judge can see to by itself
	Process                 // limits on all descendants, nothing is left running; Linux
	Guarded                 // and the kernel refuses what a submission has no need of: Landlock, seccomp
	UserBox                 // and it lives in a world of its own, made of user and other namespaces
	RootBox                 // the same, made as root, with a user of its own
)

func (r Rung) String() string {
	return [...]string{"none", "plain", "process", "guarded", "user box", "box"}[r]
}

// Full reports whether hostile programs are held: whether it is a box.
func (r Rung) Full() bool { return r >= UserBox }

// A Protection says how far a way of running programs can be trusted.
type Protection struct {
	Rung        Rung
	Enforced    []string // each a short sentence without a stop
	NotEnforced []string
	Why         string // it is on no higher rung, or lacks cgroups; "" if it lacks nothing
	Raise       string // the one command that would change that; "" if none is known
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

// pipeOf returns a stream that is a pipe of the caller's, or nil.
func pipeOf(stream any) *os.File {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return nil
	}
	return f
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
		{Output, c.Limits.Output}, {Written, c.Limits.Written}, {Files, c.Limits.Files}, {FileSize, c.Limits.FileSize}, {Processes, int64(c.Limits.Processes)},
	} {
		if limit.n < 0 {
			return fmt.Errorf("run %s: %s limit %d: want 0 for none, or more", c.Args[0], limit.resource, limit.n)
		}
	}
	if c.OpenFiles < 0 {
		return fmt.Errorf("run %s: %d open files: want 0 for the usual number, or more", c.Args[0], c.OpenFiles)
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
