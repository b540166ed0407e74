//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// cgroupParents returns the folders to create cgroups in. It searches only once.
var cgroupParents = sync.OnceValue(findCgroups)

type parents struct {
	unified           string // version 2; then the others are ""
	memory, pids, cpu string // version 1
	err               error  // why there is none
}

// none reports whether no cgroup can be created.
func (p *parents) none() bool {
	return p.unified == "" && p.memory == "" && p.pids == "" && p.cpu == ""
}

// findCgroups finds the folders in which cgroups can be created. A machine may have
// version 1, version 2, or version 1 with controllers beside an empty version 2, so
// the search looks for controllers, not for mounts.
func findCgroups() *parents {
	p := new(parents)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		p.err = err
		return p
	}
	own, _ := os.ReadFile("/proc/self/cgroup")
	var errs []error
	first := func(dirs []string, probes ...func(dir string) error) string {
	next:
		for _, dir := range dirs {
			for _, probe := range probes {
				if err := probe(dir); err != nil {
					errs = append(errs, err)
					continue next
				}
			}
			return dir
		}
		return ""
	}
	for line := range strings.Lines(string(mounts)) {
		// proc(5): id parent device root mount-point options... - type source options
		before, after, ok := strings.Cut(line, " - ")
		fields, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(super) < 3 {
			continue
		}
		mount := fields[4]
		switch super[0] {
		case "cgroup":
			for controller, folder := range map[string]*string{"memory": &p.memory, "pids": &p.pids, "cpuacct": &p.cpu} {
				if *folder == "" && slices.Contains(strings.Split(super[2], ","), controller) {
					*folder = first(candidates(mount, ownCgroup(own, controller), false), probeCgroup)
				}
			}
		case "cgroup2":
			if dir := first(candidates(mount, ownCgroup(own, ""), true), delegate, probeCgroup); dir != "" {
				p.unified = dir
			}
		}
	}
	if p.memory != "" {
		p.unified = ""
	} else if p.unified != "" {
		p.pids, p.cpu = "", ""
	}
	if p.none() {
		if p.err = errors.Join(errs...); p.err == nil {
			p.err = errors.New("no cgroup file system is mounted")
		}
	}
	return p
}

// candidates returns the cgroups in which others may be created: the process's own
// (or its former one, if it was moved into judgeGroup) and the root cgroup. In
// version 2, the user root tries the root cgroup first, because its own cgroup
// contains the processes of its session.
func candidates(mount, within string, unified bool) []string {
	own := filepath.Join(mount, within)
	if filepath.Base(own) == judgeGroup {
		own = filepath.Dir(own)
	}
	if unified && os.Geteuid() == 0 {
		return slices.Compact([]string{mount, own})
	}
	return slices.Compact([]string{own, mount})
}

// probeCgroup returns an error if no cgroup can be created in a folder. It also
// removes the empty cgroups of killed judges.
func probeCgroup(parent string) error {
	removeStale(parent)
	dir := filepath.Join(parent, cgroupPrefix+strconv.Itoa(os.Getpid())+"-probe")
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Remove(dir)
}

// delegate enables the memory and pids controllers for the children of a cgroup of
// version 2.
func delegate(dir string) error {
	have, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return err
	}
	passed, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
	if err != nil {
		return err
	}
	order := ""
	for _, controller := range []string{"memory", "pids"} {
		if !slices.Contains(strings.Fields(string(have)), controller) {
			return fmt.Errorf("%s has no %s controller", dir, controller)
		}
		if !slices.Contains(strings.Fields(string(passed)), controller) {
			order += " +" + controller
		}
	}
	if order == "" {
		return nil
	}
	control := filepath.Join(dir, "cgroup.subtree_control")
	if err = os.WriteFile(control, []byte(order[1:]), 0); !errors.Is(err, unix.EBUSY) {
		return err
	}
	aside := filepath.Join(dir, judgeGroup)
	if err := os.Mkdir(aside, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	pids, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return err
	}
	for _, pid := range strings.Fields(string(pids)) {
		// A process that has ended meanwhile need not be moved.
		if err := os.WriteFile(filepath.Join(aside, "cgroup.procs"), []byte(pid), 0); err != nil &&
			!errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return os.WriteFile(control, []byte(order[1:]), 0)
}

// ownCgroup returns this process's path in the hierarchy of a controller; "" means
// version 2.
func ownCgroup(text []byte, controller string) string {
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && (controller == "" && parts[1] == "" || controller != "" &&
			slices.Contains(strings.Split(parts[1], ","), controller)) {
			return parts[2]
		}
	}
	return "/"
}

// removeStale removes the empty cgroups of killed judges. The kernel refuses to
// remove a cgroup that is not empty.
func removeStale(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), cgroupPrefix), "-")
		// A running launcher may not have been moved into its cgroup yet.
		if _, err := os.Stat("/proc/" + pid); err != nil {
			os.Remove(dir)
		}
	}
}
