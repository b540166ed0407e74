//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"strconv"

	"golang.org/x/sys/unix"
)

// slim reduces the memory of this process and resets its peak. A program's ru_maxrss
// starts at the peak of the process that forked it, so the launcher's peak hides the
// memory of smaller programs.
func (l *server) slim() {
	t := &l.watch.tree
	freePages(t)
	l.floor = t.ownPeak()
	if l.lowest == 0 || l.floor < l.lowest {
		l.lowest = l.floor
	}
}

// freePages frees the pages of the executable file, which the kernel reads again if
// they are needed, and resets the peak of this process. The Go runtime reads most of
// these pages only once, when it starts.
func freePages(t *tree) {
	clear, err := t.openSelf("clear_refs")
	if err != nil {
		return // the only effect is a higher floor
	}
	defer unix.Close(clear)
	text, ok := t.load(t.file(t.root, "/smaps"))
	if !ok {
		return
	}
	var lo, hi uint64
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		field, rest, _ := bytes.Cut(line, []byte(" "))
		if from, to, ok := bytes.Cut(field, []byte("-")); ok {
			// A mapping begins: "lo-hi r-xp offset device inode path".
			lo, hi = 0, 0
			if len(rest) > 4 && rest[1] != 'w' && bytes.Contains(rest, []byte(" /")) {
				lo, _ = strconv.ParseUint(string(from), 16, 64)
				hi, _ = strconv.ParseUint(string(to), 16, 64)
			}
			continue
		}
		// A read-only mapping may differ from its file: the loader writes to some
		// pages before it protects them. Without anonymous pages, it is equal to
		// the file.
		if string(field) == "Anonymous:" && lo < hi && string(bytes.TrimSpace(rest)) == "0 kB" {
			unix.RawSyscall(unix.SYS_MADVISE, uintptr(lo), uintptr(hi-lo), unix.MADV_DONTNEED)
		}
	}
	const resetPeak = "5" // proc(5), clear_refs
	unix.Write(clear, []byte(resetPeak))
}

// openSelf opens a file in this process's /proc folder for writing.
func (t *tree) openSelf(name string) (int, error) {
	if t.proc != 0 {
		return unix.Openat(t.proc, "self/"+name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	}
	return unix.Open("/proc/self/"+name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
}

// ownPeak returns the peak memory of this process since slim, in bytes, or 0 if it
// is unknown.
func (t *tree) ownPeak() int64 { return t.number(t.root, "/status", "VmHWM:") << 10 }
