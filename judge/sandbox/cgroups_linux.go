//go:build amd64 || arm64

package sandbox

import (
	"bufio"
	"bytes"
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

// cgroupParents are the folders to make cgroups in, found once.
var cgroupParents = sync.OnceValue(findCgroups)

type parents struct {
	unified           string // version 2
	memory, pids, cpu string // version 1
	err               error  // why there are none
}

// none reports whether there is no place for any cgroup.
func (p *parents) none() bool {
	return p.unified == "" && p.memory == "" && p.pids == "" && p.cpu == ""
}

// findCgroups looks for places where cgroups can be made. A machine may have
// version 1, version 2, or the controllers in version 1 and an empty version 2
// besides: so it looks for controllers, not for mounts.
func findCgroups() *parents {
	p := new(parents)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		p.err = err
		return p
	}
	own, _ := os.ReadFile("/proc/self/cgroup")
	var errs []error
	lines := bufio.NewScanner(bytes.NewReader(mounts))
	for lines.Scan() {
		// proc(5): id parent device root mount-point options... - type source options
		before, after, ok := strings.Cut(lines.Text(), " - ")
		fields, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(super) < 3 {
			continue
		}
		mount := fields[4]
		switch super[0] {
		case "cgroup":
			for controller, folder := range map[string]*string{"memory": &p.memory, "pids": &p.pids, "cpuacct": &p.cpu} {
				if *folder != "" || !slices.Contains(strings.Split(super[2], ","), controller) {
					continue
				}
				for _, dir := range candidates(mount, ownCgroup(own, controller), false) {
					if err := probeCgroup(dir); err != nil {
						errs = append(errs, err)
						continue
					}
					*folder = dir
					break
				}
			}
		case "cgroup2":
			for _, dir := range candidates(mount, ownCgroup(own, ""), true) {
				if err := delegate(dir); err != nil {
					errs = append(errs, err)
					continue
				}
				if err := probeCgroup(dir); err != nil {
					errs = append(errs, err)
					continue
				}
				p.unified = dir
				break
			}
		}
	}
	if p.memory != "" {
		p.unified = ""
	}
	if p.none() {
		if p.err = errors.Join(errs...); p.err == nil {
			p.err = errors.New("no cgroup file system is mounted")
		}
	}
	return p
}

// candidates lists the cgroups to make others in: the one that this process is
// in, or was before it went into judgeGroup, and the top. In version 2 root
// begins with the top, since its own is full of processes of its session.
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

// probeCgroup reports why no cgroup can be made in a folder, and removes what
// killed judges left there.
func probeCgroup(parent string) error {
	removeStale(parent)
	dir := filepath.Join(parent, cgroupPrefix+strconv.Itoa(os.Getpid())+"-probe")
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Remove(dir)
}

// delegate has a cgroup of version 2 pass on the controllers.
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
		// Whoever has ended meanwhile needs no place.
		if err := os.WriteFile(filepath.Join(aside, "cgroup.procs"), []byte(pid), 0); err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
	}
	return os.WriteFile(control, []byte(order[1:]), 0)
}

// ownCgroup finds this process's place in a hierarchy: "" is version 2.
func ownCgroup(text []byte, controller string) string {
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && (controller == "" && parts[1] == "" || controller != "" && slices.Contains(strings.Split(parts[1], ","), controller)) {
			return parts[2]
		}
	}
	return "/"
}

// removeStale takes away what a killed judge left: cgroups that are empty. The
// kernel refuses to remove any other.
func removeStale(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
	for _, dir := range left {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), cgroupPrefix), "-")
		// A launcher that lives may not have been put into its cgroup yet.
		if _, err := os.Stat("/proc/" + pid); err != nil {
			os.Remove(dir)
		}
	}
}
