//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// protection describes the rung, once it is known.
func (p *Sandbox) protection() Protection {
	t := Protection{Rung: p.rung}
	hold := func(s ...string) { t.Enforced = append(t.Enforced, s...) }
	lack := func(s ...string) { t.NotEnforced = append(t.NotEnforced, s...) }
	places := cgroupParents()
	memory, pids, cpu := places.unified != "" || places.memory != "", places.unified != "" || places.pids != "", places.unified != "" || places.cpu != ""

	if cpu && memory && pids {
		hold("CPU time of all processes, counted by the kernel")
	} else {
		hold("CPU time of all processes, to about 10 ms per core; also of those that nobody waited for")
		lack("CPU time of children that live shorter than a look, when their parent ignores SIGCHLD")
	}
	hold("wall time, output, size of each file, open files of each process")
	if memory {
		hold("memory of all processes, held and counted by the kernel, files in memory included")
	} else {
		hold("memory of all processes, looked at every 5 to 10 ms, page tables included, shared pages counted once; the peak of a single process is exact")
		lack("peaks of memory over several processes that last shorter than a look")
		if p.rung.Full() {
			hold("no shared memory, queues and semaphores of System V, as nobody would count them")
			lack("memory in memfds, pipes, sockets, POSIX queues, and what the kernel keeps of open files, mappings, timers and processes; that in files is bounded, but not counted")
		} else {
			lack("memory in files under /dev/shm and /tmp, in memfds, pipes and sockets, and what the kernel keeps of open files, mappings, timers and processes")
			if p.rung < Guarded {
				lack("memory in shared memory, queues and semaphores of System V and in POSIX queues")
			}
		}
	}
	switch {
	case pids:
		hold("number of processes and threads, held by the kernel")
	case p.rung.Full():
		hold("number of processes and threads, held by the kernel a little above the limit, looked at every 10 ms")
	default:
		hold("number of processes and threads, looked at every 10 ms")
		lack("who multiplies faster than he can be killed: he is stopped late, at some 2000 processes, or as root at none")
	}
	hold("nothing survives: all descendants are killed when the program or the judge ends",
		"input, open files, environment, signals and session are the program's own")
	switch p.rung {
	case RootBox, UserBox:
		hold("namespaces of its own: processes, mounts, network, IPC, host name, cgroups",
			"files: read-only programs and libraries of the machine, what it was given, and private folders that are emptied after each run",
			"no capabilities, no new privileges, no network, and no system calls that a submission has no need of")
		if p.rung == RootBox {
			hold("a user that has nothing else on the machine")
		}
		if landlockVersion() == 0 {
			lack("files once more by Landlock, which this kernel does not have")
		}
	case Guarded:
		hold("files: read-only programs and libraries of the machine, and what it was given, by Landlock",
			"no capabilities, no new privileges, and no system calls that a submission has no need of")
		if landlockVersion() < 6 {
			lack("signals to other processes of the same user")
		}
		lack("what it can see: names, sizes and times of files, processes of the machine, its host name and network interfaces",
			"what it leaves in Dir and in folders that it may write to")
	default:
		lack("what a program reads, writes, or sends: it has the rights of the judge, may signal or trace it, and may ask a service of the machine to work for it")
	}
	if !p.rung.Full() {
		lack("disk space: the size of one file is bounded, their number is not")
	}
	t.Why, t.Raise = p.lacks(memory && pids && cpu, places.err)
	return t
}

// lacks says why there is not all, and the one command that would change it.
func (p *Sandbox) lacks(counted bool, noCgroup error) (why, raise string) {
	if p.Most != 0 && p.rung == p.Most && !p.rung.Full() {
		return "no more was asked for", ""
	}
	if !p.rung.Full() {
		why := "none higher was tried"
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
	why = "memory and processes are not held by cgroups"
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
