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

// A Cmd describes one execution of a program.
type Cmd struct {
	// Args is the program and its arguments. A program without a slash is looked up
	// in the PATH of Env, or in the judge's PATH if Env is nil. A relative path is
	// relative to Dir.
	Args []string

	// Dir is the working folder, which must exist; "" is the judge's working
	// folder. The program may read it.
	Dir string

	// Reads are files and folders that the program may read and execute, in
	// addition to its own file, Dir, and the programs and libraries of the machine.
	// Writes are files and folders that it may also write to; changes to them are
	// kept. In a box, a folder of Writes is a private copy that is copied back
	// after the program has ended, so Limits.Files bounds it. All paths must be
	// absolute and exist, and they mean the same to the program. Protection reports
	// whether Reads and Writes are enforced.
	Reads, Writes []string

	// Scratch lets the program write to Dir. In a box the program gets a private
	// copy of Dir, which is deleted after the run. On lower levels the program
	// writes to Dir itself, and the caller must clean up.
	Scratch bool

	// Cores are the numbers of the processors that the program may use; nil means
	// all. Cores is enforced on Linux only.
	Cores []int

	// OpenFiles is the number of files that each process may have open at once; 0
	// means 256. It is enforced on Linux only.
	OpenFiles int

	// FixedAddresses places the program's code, stack and heap at the same
	// addresses on every run, so that times vary less. It has an effect on Linux
	// only.
	FixedAddresses bool

	// Locks lets the program lock files, as compilers do. Without it, flock(2) and
	// fcntl(2) succeed but lock nothing: concurrent programs see the same files and
	// could use locks to signal each other. It is enforced on the level Guarded and
	// above.
	Locks bool

	// Env is the complete environment, as "key=value". Nil means a small
	// environment that is the same on every run: PATH, LANG=C.UTF-8, HOME and
	// TMPDIR. HOME and TMPDIR are folders that the program can write to, if there
	// are any. AddEnv is added to either.
	Env, AddEnv []string

	// Stdin is the program's standard input; nil means empty input. The program
	// cannot write to the file behind Stdin. Run may read more from Stdin than the
	// program reads. If a Read of Stdin blocks after the program has ended, Run
	// waits for it, except for two kinds of pipe: an os.Pipe is passed to the
	// program directly, and Run closes an io.Pipe when the program ends.
	Stdin io.Reader

	// Stdout and Stderr receive the program's output; nil discards it. Together
	// they receive at most Limits.Output bytes, never from two goroutines at once.
	//
	// An os.Pipe given as Stdout is passed to the program directly, so that two
	// programs can communicate without the judge copying the data. The judge does
	// not see this output; it counts only towards Limits.Written.
	Stdout, Stderr io.Writer

	// Started, if not nil, is called once the program has received its pipes. A
	// caller that then closes its own end leaves the program as the only holder of
	// that end.
	Started func()

	Limits Limits
}

// Limits bound one run. A zero field means no limit.
type Limits struct {
	CPU    time.Duration `json:"cpu_ns"`       // user and system time of all the program's processes together
	Wall   time.Duration `json:"wall_ns"`      // from the start of the program to its end, less Outcome.Waited
	Memory int64         `json:"memory_bytes"` // bytes, peak of all the program's processes together
	Output int64         `json:"output_bytes"` // bytes, stdout and stderr together
	// Bytes that its observed processes write to any file; checked every few milliseconds where
	// the kernel reports it (Linux).
	Written   int64 `json:"written_bytes"`
	Files     int64 `json:"files_bytes"`     // bytes, in each private folder of a box: scratch, Writes, /tmp, /dev/shm
	FileSize  int64 `json:"file_size_bytes"` // bytes, of each file that it writes
	Processes int   `json:"processes"`       // processes and threads that exist at once
}

// A Resource is something that Limits can bound. The values appear in reports and
// errors.
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

// An Outcome reports what happened to a program. It contains facts only.
type Outcome struct {
	CPU  time.Duration `json:"cpu_ns"`  // of all its processes, not less than User+Sys
	User time.Duration `json:"user_ns"` // part of CPU in user space
	Sys  time.Duration `json:"sys_ns"`  // part of CPU in the kernel
	Wall time.Duration `json:"wall_ns"` // from the start of the program to its end
	// Part of Wall: runnable, but other programs used the processors; measured under
	// Limits.Wall, where the kernel reports it (Linux).
	Waited time.Duration `json:"waited_ns"`
	Memory int64         `json:"memory_bytes"` // bytes, peak of all its processes together
	// Executed in user space by all its processes; 0 if the machine does not count them.
	Instructions int64 `json:"instructions"`
	// Bytes written to stdout and stderr; if above Limits.Output, not exact.
	Output int64 `json:"output_bytes"`
	Stderr int64 `json:"stderr_bytes"` // bytes of Output that were written to stderr
	// Bytes written to any file, counted only under Limits.Written; 0 where the kernel does not
	// report it.
	Written  int64          `json:"written_bytes"`
	Files    int64          `json:"files_bytes"` // bytes that it left in the private folders of a box
	Exit     int            `json:"exit"`        // exit status, 0 to 255; -1 if a signal ended the program
	Signal   syscall.Signal `json:"signal"`      // the signal that ended it; 0 if it exited
	Exceeded Resource       `json:"exceeded"`    // the limit that was exceeded first; "" if none was
	Limits   Limits         `json:"enforced"`    // the limits of the run

	// Beside is the largest number of other programs of the judge that ran at the same
	// time. A Sandbox leaves it 0; the judge sets it.
	Beside int `json:"beside,omitzero"`
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

// pipeOf returns stream if it is an os.Pipe or a named pipe, or else nil.
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

// check reports errors in a Cmd that can be found without starting anything.
func (c *Cmd) check() error {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return errors.New("no program to run: expected its path as the first argument")
	}
	for _, limit := range []struct {
		resource Resource
		n        int64
	}{
		{CPU, int64(c.Limits.CPU)}, {Wall, int64(c.Limits.Wall)}, {Memory, c.Limits.Memory},
		{Output, c.Limits.Output}, {Written, c.Limits.Written}, {Files, c.Limits.Files}, {FileSize, c.Limits.FileSize},
		{Processes, int64(c.Limits.Processes)},
	} {
		if limit.n < 0 {
			return fmt.Errorf("run %s: %s limit: expected 0 (no limit) or more, found %d", c.Args[0], limit.resource, limit.n)
		}
	}
	if c.OpenFiles < 0 {
		return fmt.Errorf("run %s: open files: expected 0 (the default) or more, found %d", c.Args[0], c.OpenFiles)
	}
	if c.Dir == "" {
		return nil
	}
	switch info, err := os.Stat(c.Dir); {
	case err != nil:
		return fmt.Errorf("run %s: working folder: %w", c.Args[0], err)
	case !info.IsDir():
		return fmt.Errorf("run %s: working folder %s: expected a folder, found a file", c.Args[0], c.Dir)
	}
	return nil
}
