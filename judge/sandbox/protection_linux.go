//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// protection describes the level. The level must be known.
func (p *Sandbox) protection() Protection {
	t := Protection{Level: p.level}
	places := cgroupParents()
	memory, pids, cpu := places.unified != "" || places.memory != "", places.unified != "" || places.pids != "",
		places.unified != "" || places.cpu != ""
	counted, box, guarded := cpu && memory && pids, p.level.Full(), p.level == Guarded
	landlock := landlockVersion()
	const yes, no = true, false
	for _, row := range []struct {
		applies, enforced bool
		text              string
	}{
		{counted, yes, "CPU time of all processes, counted by the kernel"},
		{!counted, yes, "CPU time of all processes, to about 10 ms per core, including processes that were never waited for"},
		{!counted, no, "CPU time of children that end between two looks, if their parent ignores SIGCHLD"},
		{true, yes, "wall time, output, size of each file, open files of each process"},
		{memory, yes, "memory of all processes, limited and counted by the kernel, including files in memory"},
		{!memory, yes, "memory of all processes, checked every 5 to 10 ms, including page tables, shared pages counted " +
			"once; the peak of a single process is exact"},
		{!memory, no, "memory peaks of several processes together that are shorter than the time between two looks"},
		{!memory && box, yes, "no shared memory, queues and semaphores of System V, because their memory would not be " +
			"counted"},
		{!memory && box, no, "memory in memfds, pipes, sockets, POSIX queues, and kernel memory for open files, mappings, " +
			"timers and processes; memory in files is bounded, but not counted"},
		{!memory && !box, no, "memory in files under /dev/shm and /tmp, in memfds, pipes and sockets, and kernel memory " +
			"for open files, mappings, timers and processes"},
		{!memory && p.level < Guarded, no, "memory in shared memory, queues and semaphores of System V and in POSIX queues"},
		{pids, yes, "number of processes and threads, limited by the kernel"},
		{!pids && box, yes, "number of processes and threads, limited by the kernel slightly above the limit, checked " +
			"every 10 ms"},
		{!pids && !box, yes, "number of processes and threads, checked every 10 ms"},
		{!pids && !box, no, "a program that forks faster than it can be killed: it is stopped late, at about 2000 " +
			"processes, or never if it runs as root"},
		{true, yes, "no process survives: all descendants are killed when the program or the judge ends"},
		{true, yes, "the program has its own input, open files, environment, signals and session"},
		{box, yes, "own namespaces: processes, mounts, network, IPC, host name, cgroups"},
		{box, yes, "files: read-only programs and libraries of the machine, the files given to the program, and private " +
			"folders that are emptied after each run"},
		{box, yes, "no capabilities, no new privileges, no network, and no system calls that no submission needs"},
		{p.level == RootBox, yes, "a user that owns nothing else on the machine"},
		{box && landlock == 0, no, "files by Landlock in addition, which this kernel does not have"},
		{guarded, yes, "files, by Landlock: read-only programs and libraries of the machine, and the files given to the " +
			"program"},
		{guarded, yes, "no capabilities, no new privileges, and no system calls that no submission needs"},
		{guarded && landlock < 6, no, "signals to other processes of the same user"},
		{guarded, no, "visibility: names, sizes and times of files, processes of the machine, host name and network " +
			"interfaces"},
		{guarded, no, "files that the program leaves in Dir and in folders that it may write to"},
		{p.level < Guarded, no, "files, network and processes: the program has the rights of the judge, may signal or " +
			"trace it, and may use services of the machine"},
		{!box, no, "disk space: the size of each file is bounded, the number of files is not"},
	} {
		switch {
		case !row.applies:
		case row.enforced:
			t.Enforced = append(t.Enforced, row.text)
		default:
			t.NotEnforced = append(t.NotEnforced, row.text)
		}
	}
	t.Why, t.Raise = p.lacks(counted, places.err)
	return t
}

// lacks returns why protection is incomplete, and one command that would improve
// it.
func (p *Sandbox) lacks(counted bool, noCgroup error) (why, raise string) {
	if p.Most != 0 && p.level == p.Most && !p.level.Full() {
		return "no higher level was requested", ""
	}
	if !p.level.Full() {
		why := "no higher level was tried"
		if p.why != nil {
			why = strings.ReplaceAll(p.why.Error(), "\n", "; ")
		}
		setting := func(file string) string {
			text, _ := os.ReadFile("/proc/sys/" + file)
			return strings.TrimSpace(string(text))
		}
		switch {
		case setting("user/max_user_namespaces") == "0":
			return why, "sudo sysctl -w user.max_user_namespaces=10000"
		case setting("kernel/unprivileged_userns_clone") == "0":
			return why, "sudo sysctl -w kernel.unprivileged_userns_clone=1"
		case setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
			return why, "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
		case os.Geteuid() != 0:
			return why, "sudo judge …"
		}
		return why, ""
	}
	if counted {
		return "", ""
	}
	why = "memory and processes are not limited by cgroups"
	if noCgroup != nil {
		why += ": " + strings.ReplaceAll(noCgroup.Error(), "\n", "; ")
	}
	if os.Geteuid() != 0 && !errors.Is(noCgroup, unix.ENOENT) {
		if _, err := os.Stat("/run/systemd/system"); err == nil {
			return why, "systemd-run --user --scope -p Delegate=yes judge …"
		}
	}
	return why, ""
}
