//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A fence is a pids cgroup around a launcher and all that descends from it. It
// is the kernel's own bound on how many processes and threads there are, and
// the only one that holds against a program that multiplies faster than it can
// be killed: RLIMIT_NPROC does not bind root, and looks come too late. Where no
// such cgroup may be made there is no fence, and looks must do.
type fence struct {
	dir     string
	most    int64    // as set; 0: not set
	events  *os.File // pids.events; nil where the kernel has none
	refused int64    // how often it had refused a birth when that was read last
}

// spareThreads is the room for the launcher's own threads, and for a limit to be
// seen to be passed: the fence stops growth, a look says what for.
const spareThreads = 32

const fencePrefix = "crucible-launcher-"

// newFence puts a process into a cgroup of its own, or returns nil.
func newFence(pid int) *fence {
	for _, parent := range pidsParents() {
		removeStale(parent)
		f := &fence{dir: filepath.Join(parent, fencePrefix+strconv.Itoa(pid))}
		if os.Mkdir(f.dir, 0o755) != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(f.dir, "pids.max")); err == nil && f.write("cgroup.procs", int64(pid)) == nil {
			f.events, _ = os.Open(filepath.Join(f.dir, "pids.events"))
			return f
		}
		os.Remove(f.dir)
	}
	return nil
}

func (f *fence) write(file string, n int64) error {
	return os.WriteFile(filepath.Join(f.dir, file), strconv.AppendInt(nil, n, 10), 0)
}

// hold bounds the next run. Without a limit of its own it gets one that no
// honest program needs, so that the machine stays usable.
func (f *fence) hold(limit int) error {
	if f == nil {
		return nil
	}
	most := int64(limit) + spareThreads
	if limit == 0 {
		most = mostProcesses
	}
	if most == f.most {
		return nil
	}
	if err := f.write("pids.max", most); err != nil {
		return fmt.Errorf("bound the number of processes: %w", err)
	}
	f.most = most
	return nil
}

// hit reports whether the fence has refused a birth since the last call. A
// program that gives up at once is gone before anyone has looked.
func (f *fence) hit() bool {
	if f == nil || f.events == nil {
		return false
	}
	text := make([]byte, 256)
	n, _ := f.events.ReadAt(text, 0)
	for line := range bytes.Lines(text[:n]) {
		if count, ok := bytes.CutPrefix(line, []byte("max ")); ok {
			refused, err := strconv.ParseInt(string(bytes.TrimSpace(count)), 10, 64)
			if err != nil || refused == f.refused {
				return false
			}
			f.refused = refused
			return true
		}
	}
	return false
}

// remove takes the cgroup away, once its launcher is gone.
func (f *fence) remove() {
	if f == nil {
		return
	}
	if f.events != nil {
		f.events.Close()
	}
	os.Remove(f.dir)
}

// removeStale takes away what a killed judge left: cgroups that are empty. The
// kernel refuses to remove any other.
func removeStale(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, fencePrefix+"*"))
	for _, dir := range left {
		pid := strings.TrimPrefix(filepath.Base(dir), fencePrefix)
		// A launcher that lives may not have been put into its cgroup yet.
		if _, err := os.Stat("/proc/" + pid); err != nil {
			os.Remove(dir)
		}
	}
}

// pidsParents lists folders in which a pids cgroup may perhaps be made: the
// cgroup that this process is in, and the top, in every hierarchy that has or
// may have the controller. Version 1 names it at the mount; in version 2 only
// a try tells.
func pidsParents() []string {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	own, _ := os.ReadFile("/proc/self/cgroup")
	var parents []string
	lines := bufio.NewScanner(bytes.NewReader(mounts))
	for lines.Scan() {
		// proc(5): id parent device root mount-point options... - type source options
		before, after, ok := strings.Cut(lines.Text(), " - ")
		fields, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(super) < 3 {
			continue
		}
		controller := ""
		switch {
		case super[0] == "cgroup" && strings.Contains(","+super[2]+",", ",pids,"):
			controller = "pids"
		case super[0] == "cgroup2":
		default:
			continue
		}
		if within := ownCgroup(own, controller); within != "/" && within != "" {
			parents = append(parents, filepath.Join(fields[4], within))
		}
		parents = append(parents, fields[4])
	}
	return parents
}

// ownCgroup finds this process's place in a hierarchy: "" is version 2.
func ownCgroup(text []byte, controller string) string {
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && (controller == "" && parts[1] == "" || controller != "" && strings.Contains(","+parts[1]+",", ","+controller+",")) {
			return parts[2]
		}
	}
	return ""
}
