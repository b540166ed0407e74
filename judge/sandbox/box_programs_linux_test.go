//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// init adds the programs that tests run in boxes.
func init() {
	say := func(err error) int {
		if err != nil {
			fmt.Print(err)
			return 1
		}
		return 0
	}
	programs["read"] = func(args []string) int {
		text, err := os.ReadFile(args[0])
		fmt.Printf("%s", text)
		return say(err)
	}
	programs["write"] = func(args []string) int { // arguments: number of bytes, files
		var errs []error
		for _, name := range args[1:] {
			errs = append(errs, os.WriteFile(name, make([]byte, number(args[0])), 0o666))
		}
		return say(errors.Join(errs...))
	}
	programs["work"] = func(args []string) int { // argument: CPU time to use, in milliseconds
		var used unix.Rusage
		for limit := int64(number(args[0])) * 1e6; used.Utime.Nano()+used.Stime.Nano() < limit; {
			if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
				return say(err)
			}
		}
		return 0
	}
	programs["cores"] = func([]string) int {
		var set unix.CPUSet
		err := unix.SchedGetaffinity(0, &set)
		for core := range 1024 {
			if set.IsSet(core) {
				fmt.Print(core, " ")
			}
		}
		return say(err)
	}
	programs["stack address"] = func([]string) int {
		maps, err := os.ReadFile("/proc/self/maps")
		for line := range strings.Lines(string(maps)) {
			if strings.Contains(line, "[stack]") {
				fmt.Println(line[:strings.IndexByte(line, '-')])
			}
		}
		return say(err)
	}
	programs["read again"] = func(args []string) int { // arguments: file, offset, number of bytes; reads from the disk, not from the page cache
		f, err := os.Open(args[0])
		if err != nil {
			return say(err)
		}
		at, part := int64(number(args[1])), make([]byte, number(args[2]))
		unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_RANDOM)
		unix.Fadvise(int(f.Fd()), at, int64(len(part)), unix.FADV_DONTNEED)
		_, err = f.ReadAt(part, at)
		return say(err)
	}
	programs["hold until told"] = func(args []string) int { // argument: number of bytes of memory, kept until standard input ends
		memory := bytes.Repeat([]byte{1}, number(args[0]))
		os.Stdout.WriteString("x")
		io.Copy(io.Discard, os.Stdin)
		return int(memory[0]) - 1
	}
	// hide memory runs four processes that have 24 MiB each at the same time. When
	// they have ended, it reads its argument, a file.
	programs["hide memory"] = func(args []string) int {
		var children []*exec.Cmd
		hold, release, err := os.Pipe()
		if err != nil {
			return say(err)
		}
		for range 4 {
			child := exec.Command("/proc/self/exe", strconv.Itoa(24<<20))
			child.Env = []string{programKey + "=hold until told"}
			child.Stdin = hold
			held, err := child.StdoutPipe()
			if err == nil {
				err = child.Start()
			}
			if err == nil {
				_, err = held.Read(make([]byte, 1))
			}
			if err != nil {
				return say(err)
			}
			children = append(children, child)
		}
		time.Sleep(50 * time.Millisecond) // the peak of most programs lasts this long
		release.Close()
		for _, child := range children {
			if child.Wait() != nil {
				return 2
			}
		}
		return programs["read through"](args)
	}
	programs["read through"] = func(args []string) int { // arguments: file; anything else, to read slowly; reads from the disk, not from the page cache
		f, err := os.Open(args[0])
		if err != nil {
			return say(err)
		}
		unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
		part := make([]byte, 1<<20)
		for err == nil {
			if _, err = io.ReadFull(f, part); len(args) > 1 {
				time.Sleep(4 * time.Millisecond)
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return say(err)
	}
	programs["share memory"] = func([]string) int { // makes System V shared memory and prints the error
		if _, _, e := unix.Syscall(unix.SYS_SHMGET, unix.IPC_PRIVATE, 1<<20, unix.IPC_CREAT|0o600); e != 0 {
			fmt.Print(unix.ErrnoName(e))
		}
		return 0
	}
	programs["queue"] = func(args []string) int { // argument: whether to make a message queue; prints the IPC namespace
		if args[0] == "make" {
			if _, _, e := unix.Syscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, unix.IPC_CREAT|0o600, 0); e != 0 {
				return say(e)
			}
		}
		space, err := os.Readlink("/proc/self/ns/ipc")
		fmt.Print(space)
		return say(err)
	}
	programs["page tables"] = func([]string) int { // makes 256 MiB of page tables by reading pages that are never written
		const size = 128 << 30
		memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
		if err != nil {
			return say(err)
		}
		unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
		sum := byte(0)
		for i := 0; i < size; i += 2 << 20 {
			sum += memory[i]
		}
		time.Sleep(100 * time.Millisecond)
		return int(sum)
	}
	// mount later runs a program in a folder on which a file system was mounted
	// after the launchers had started.
	programs["mount later"] = func(args []string) int {
		p := new(Sandbox)
		defer p.Close()
		list := func(dir string) error {
			_, err := p.Run(context.Background(), Cmd{Args: []string{"/proc/self/exe", "."}, Env: []string{programKey + "=list"}, Dir: dir, Stdout: os.Stdout})
			return err
		}
		// Mounts propagate to its launchers, but not to the machine.
		errs := []error{unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""), unix.Mount("", "/", "", unix.MS_REC|unix.MS_SHARED, "")}
		for i := range mostIdle + 1 {
			dir := filepath.Join(args[0], strconv.Itoa(i))
			errs = append(errs, os.Mkdir(dir, 0o755), list(dir))
		}
		return say(errors.Join(append(errs, unix.Mount("later", args[0], "tmpfs", 0, "mode=0755"), os.WriteFile(filepath.Join(args[0], "later"), nil, 0o644), list(args[0]))...))
	}
	programs["breed"] = func(args []string) int { // argument: number of children
		for range number(args[0]) {
			child := exec.Command("/proc/self/exe")
			child.Env = []string{programKey + "=sleep"}
			if err := child.Start(); err != nil {
				return say(err)
			}
		}
		return 0
	}
	programs["list"] = func(args []string) int {
		entries, err := os.ReadDir(args[0])
		for _, e := range entries {
			fmt.Print(e.Name(), " ")
		}
		return say(err)
	}
}
