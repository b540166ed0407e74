//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A cgroup contains a launcher and all its descendants. With it, the kernel
// enforces the limits on memory and processes without a race, and counts memory and
// CPU time of every process.
//
// The launcher lives in the cgroup so that programs start in it: the kernel takes
// longer to move a process than to start one. The launcher's own usage is
// subtracted.
//
// Version 1 has a folder for each controller, version 2 has one for all. A
// controller may be missing in either; its files are then nil, and looks at
// processes replace it.
type cgroup struct {
	dirs  []string
	files []*os.File // all open files

	limit, swap, peak, usage, oom, stat control // files of the memory controller
	most, alive, refusals               control // files of the pids controller
	cpu                                 control
	swapOver                            bool // the swap file limits memory and swap together, as in version 1
	resets                              bool // the peak can be reset
	used                                bool // a run has used the cgroup

	cpu0      time.Duration // CPU time when a run with a limit on memory began
	first     int64         // bytes charged after the first run, mostly by the launcher
	base      int64         // bytes charged when the run began
	oldPeak   int64         // bytes, the peak when the run began, if it cannot be reset
	lastPeak  int64         // bytes, the peak in the last look of the run
	lastFiles int64         // bytes of cached files in the last look
	owned     int64         // bytes, the peak without cached files
	setMemory int64
	setMost   int64
	kills     int64 // OOM kills so far
	refused   int64 // forks refused so far
}

// A control is the descriptor of a file of a cgroup; 0 if there is none. The methods of
// os.File would make further system calls at each use.
type control int

const (
	cgroupPrefix = "crucible-launcher-"
	// judgeGroup is the cgroup into which the processes of a delegated cgroup are
	// moved: in version 2, a cgroup has either processes or children with
	// controllers.
	judgeGroup = "crucible-judge"

	// staleCharge is the memory, in bytes, that may stay charged to an idle cgroup
	// before it is replaced, in addition to the batches of each core.
	staleCharge = 1 << 20
	// leastBound is the memory, in bytes, that the kernel needs to start a program.
	// Under a lower bound, the kernel would kill the launcher, so a lower limit is
	// only compared with the final number.
	leastBound = 2 << 20
	// ownCharge is the memory, in bytes, that a launcher itself may need.
	ownCharge = 4 << 20
)

// newCgroup moves the process into a new cgroup. It returns nil if none can be
// created on this machine. Generation distinguishes the cgroups of one process.
func newCgroup(pid, generation int) (_ *cgroup, err error) {
	p := cgroupParents()
	if p.none() {
		return nil, nil
	}
	g := new(cgroup)
	defer func() {
		if err != nil {
			g.remove()
		}
	}()
	name := fmt.Sprintf("%s%d-%d", cgroupPrefix, pid, generation)
	var dirs [4]string
	for i, parent := range []string{p.unified, p.memory, p.pids, p.cpu} {
		if parent == "" {
			continue
		}
		dirs[i] = filepath.Join(parent, name)
		if err := os.Mkdir(dirs[i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		if !slices.Contains(g.dirs, dirs[i]) {
			g.dirs = append(g.dirs, dirs[i])
		}
		if err := os.WriteFile(filepath.Join(dirs[i], "cgroup.procs"), strconv.AppendInt(nil, int64(pid), 10),
			0); err != nil {
			return nil, err
		}
	}
	unified, memory, pids, cpu := dirs[0], dirs[1], dirs[2], dirs[3]
	g.swapOver = memory != ""
	var exhausted error // a file that exists, but could not be opened now
	for _, f := range []struct {
		file      *control
		dir, name string
		mode      int
	}{
		{&g.limit, unified, "memory.max", os.O_RDWR},
		{&g.swap, unified, "memory.swap.max", os.O_RDWR},
		{&g.peak, unified, "memory.peak", os.O_RDWR}, // since Linux 6.12
		{&g.peak, unified, "memory.peak", os.O_RDONLY},
		{&g.usage, unified, "memory.current", os.O_RDONLY},
		{&g.oom, unified, "memory.events", os.O_RDONLY},
		{&g.limit, memory, "memory.limit_in_bytes", os.O_RDWR},
		{&g.swap, memory, "memory.memsw.limit_in_bytes", os.O_RDWR},
		{&g.peak, memory, "memory.max_usage_in_bytes", os.O_RDWR},
		{&g.usage, memory, "memory.usage_in_bytes", os.O_RDONLY},
		{&g.oom, memory, "memory.oom_control", os.O_RDONLY},
		{&g.stat, unified + memory, "memory.stat", os.O_RDONLY},
		{&g.most, unified + pids, "pids.max", os.O_RDWR},
		{&g.alive, unified + pids, "pids.current", os.O_RDONLY},
		{&g.refusals, unified + pids, "pids.events", os.O_RDONLY},
		{&g.cpu, unified, "cpu.stat", os.O_RDONLY},
		{&g.cpu, cpu, "cpuacct.usage", os.O_RDONLY},
	} {
		if f.dir == "" || *f.file != 0 {
			continue
		}
		file, err := os.OpenFile(filepath.Join(f.dir, f.name), f.mode, 0)
		switch {
		case err == nil:
			*f.file = control(file.Fd())
			g.files = append(g.files, file)
		case passing(err):
			exhausted = err
		}
	}
	g.resets = g.peak != 0 && writeNumber(g.peak, 0) == nil
	if unified != "" && g.swap != 0 {
		writeNumber(g.swap, 0)
	}
	return g, exhausted
}

// memory reports whether the cgroup limits and counts memory.
func (g *cgroup) memory() bool { return g != nil && g.limit != 0 && g.usage != 0 && g.oom != 0 }

// pids reports whether the cgroup limits the number of processes.
func (g *cgroup) pids() bool { return g != nil && g.most != 0 && g.refusals != 0 }

// begin sets the limits of the next run and records the start values of the
// counters. A run without a limit on processes gets one that no honest program
// reaches, so that the machine stays usable.
func (g *cgroup) begin(l Limits) error {
	if g == nil {
		return nil
	}
	g.used = true
	if g.pids() {
		most := int64(mostProcesses)
		if l.Processes > 0 {
			most = int64(l.Processes)
			if g.alive != 0 {
				most += readNumber(g.alive) // the launcher's own threads
			} else {
				most += spareThreads
			}
		}
		if most != g.setMost {
			if err := writeNumber(g.most, most); err != nil {
				return fmt.Errorf("limit the number of processes: %w", err)
			}
			g.setMost = most
		}
		g.refused = labelled(g.refusals, "max ")
	}
	if !g.memory() {
		return nil
	}
	g.kills = labelled(g.oom, "oom_kill ")
	if g.peak != 0 && g.resets {
		if err := writeNumber(g.peak, 0); err != nil {
			return fmt.Errorf("reset the memory peak: %w", err)
		}
	}
	g.base = readNumber(g.usage)
	if g.peak != 0 && !g.resets {
		g.oldPeak = readNumber(g.peak)
	}
	g.lastPeak, g.lastFiles, g.owned = max(g.base, g.oldPeak), 0, 0
	limit := int64(boundless)
	if l.Memory > 0 {
		g.cpu0 = g.total()
		limit = g.base + max(l.Memory, leastBound)
	}
	if d := limit - g.setMemory; -chargeBatch < d && d < chargeBatch {
		return nil
	}
	if err := g.bound(limit); err != nil {
		return fmt.Errorf("limit memory: %w", err)
	}
	g.setMemory = limit
	return nil
}

// boundless is a limit on memory, in bytes, that no program can reach.
const (
	boundless     = 1 << 60
	boundlessText = "1152921504606846976"
)

// unbind removes the limit on memory for the launcher's own work.
func (g *cgroup) unbind() error {
	if !g.memory() || g.setMemory == 0 || g.setMemory == boundless {
		return nil
	}
	err := g.bound(boundless)
	g.setMemory = boundless
	return err
}

// bound limits memory and prevents swapping.
func (g *cgroup) bound(limit int64) error {
	for _, f := range g.bounds(g.setMemory != 0 && limit > g.setMemory) {
		if err := writeNumber(f, limit); err != nil {
			return err
		}
	}
	return nil
}

// bounds returns the files that limit memory, in the order in which they must be
// written to raise or lower a limit: in version 1, the limit on memory and swap
// together may never be below the limit on memory.
func (g *cgroup) bounds(raise bool) []control {
	switch {
	case !g.memory():
		return nil
	case !g.swapOver || g.swap == 0:
		return []control{g.limit}
	case raise:
		return []control{g.swap, g.limit}
	}
	return []control{g.limit, g.swap}
}

// look estimates how much of the peak is cached files. The kernel reports only the
// current size of cached files, so look uses the smaller size of two looks: files
// read since the last look may have been read after the peak.
func (g *cgroup) look() {
	if !g.memory() || g.peak == 0 || g.stat == 0 {
		return
	}
	most, usage := readNumber(g.peak), readNumber(g.usage)
	files := max(labelled(g.stat, "inactive_file ")+labelled(g.stat, "active_file "), 0)
	if most > g.lastPeak {
		g.owned = max(g.owned, most-min(g.lastFiles, files))
	}
	g.owned = max(g.owned, usage-files)
	g.lastPeak, g.lastFiles = most, files
}

// The first look is after soonestLook; then the time between looks doubles up to
// seldomLook.
const (
	soonestLook = 4 * time.Millisecond
	seldomLook  = 32 * time.Millisecond
)

// end returns the peak of memory in bytes since begin, or -1 if it is unknown, and
// whether the kernel killed a process for memory or refused a fork.
//
// Files that a program has read stay in memory while there is room, and the kernel
// charges them to the program. They are not counted (see look). Resident is the
// peak of its largest process; cached files matter only if the cgroup's peak is
// well above it. Private is the number of bytes in private files, which are deleted
// after the run.
func (g *cgroup) end(resident, private int64) (peak int64, killed, refused bool) {
	if g == nil {
		return -1, false, false
	}
	refused = g.pids() && labelled(g.refusals, "max ") > g.refused
	if !g.memory() {
		return -1, false, refused
	}
	killed = g.killed()
	if g.first == 0 {
		g.first = max(min(readNumber(g.usage)-private, ownCharge), 0)
	}
	if g.peak == 0 {
		return -1, killed, refused
	}
	most := readNumber(g.peak)
	if !g.resets && most <= g.oldPeak && g.oldPeak > g.base+staleCharge {
		return -1, killed, refused // an earlier run needed more
	}
	peak = max(most-g.base, 0)
	if peak > resident+staleCharge && g.stat != 0 && !killed {
		g.look()
		peak = max(min(peak, g.owned-g.base), min(peak, resident))
	}
	// The kernel charges in batches, and the rest of an earlier batch is not
	// charged again. Every process needs at least one batch.
	return max(peak, chargeBatch), killed, refused
}

// killed reports whether the kernel has killed a process of the cgroup for memory
// since begin.
func (g *cgroup) killed() bool { return g.memory() && labelled(g.oom, "oom_kill ") > g.kills }

// spent returns the CPU time since begin, or -1 if it is unknown. It includes that of
// the launcher.
func (g *cgroup) spent() time.Duration {
	if g.cpu == 0 {
		return -1
	}
	return max(g.total()-g.cpu0, 0)
}

// total returns the CPU time since the creation of the cgroup.
func (g *cgroup) total() time.Duration {
	var text [1024]byte
	if g.cpu == 0 {
		return 0
	}
	n, err := unix.Pread(int(g.cpu), text[:], 0)
	if err != nil {
		return 0
	}
	return cpuTime(text[:n])
}

// stale reports whether the cgroup should be replaced before the next run. Private
// is the number of bytes in private files. Other memory that stays charged is added
// to the limit of the next run, and the kernel can reclaim the cached files in it:
// the run could then exceed its limit by their size.
func (g *cgroup) stale(private int64) bool {
	return g.memory() && g.used &&
		(!g.resets || readNumber(g.usage)-private > g.first+staleCharge+int64(runtime.NumCPU())*chargeBatch)
}

// remove deletes the cgroup, which must be empty.
func (g *cgroup) remove() {
	if g == nil {
		return
	}
	for _, f := range g.files {
		f.Close()
	}
	for _, dir := range g.dirs {
		os.Remove(dir)
	}
}

// chargeBatch is the number of bytes that the kernel charges at a time:
// MEMCG_CHARGE_BATCH in include/linux/memcontrol.h, which is in pages.
var chargeBatch = 64 * int64(pageSize)

// spareThreads is the number of threads reserved for the launcher where its threads
// are not counted.
const spareThreads = 32

// readNumber returns the number in a file, or -1.
func readNumber(f control) int64 {
	var text [32]byte
	n, err := unix.Pread(int(f), text[:], 0)
	if err != nil {
		return -1
	}
	x, err := strconv.ParseInt(string(bytes.TrimSpace(text[:n])), 10, 64)
	if err != nil {
		return -1
	}
	return x
}

func writeNumber(f control, x int64) error {
	var text [32]byte
	for {
		// The Go runtime sends signals to its threads, which interrupt this call.
		_, err := unix.Pwrite(int(f), strconv.AppendInt(text[:0], x, 10), 0)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// labelled returns the number after a label in a file, or 0.
func labelled(f control, label string) int64 {
	var text [4096]byte
	n, err := unix.Pread(int(f), text[:], 0)
	if err != nil {
		return 0
	}
	return numberAfter(text[:n], label)
}
