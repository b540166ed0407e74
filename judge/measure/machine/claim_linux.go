package machine

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Claim claims n of the processors in order, so that other processes that call Claim do
// not get them. The claims end when the process ends, or when free is called. If fewer
// are free, or if this process may not choose its processors, Claim returns nil.
func Claim(order []int, n int) (claimed []int, free func()) {
	var sockets []int
	free = func() {
		for _, fd := range sockets {
			unix.Close(fd)
		}
		sockets = nil
	}
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil || unix.SchedSetaffinity(0, &set) != nil {
		return nil, free
	}
	for _, id := range order {
		if len(claimed) == n {
			break
		}
		// A name of a socket that is no file exists on the whole machine, for all users,
		// and never outlives its process.
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			continue
		}
		if unix.Bind(fd, &unix.SockaddrUnix{Name: "@crucible-processor-" + strconv.Itoa(id)}) != nil {
			unix.Close(fd)
			continue
		}
		claimed, sockets = append(claimed, id), append(sockets, fd)
	}
	if len(claimed) < n {
		free()
		return nil, free
	}
	return claimed, free
}

// Stay restricts this process, and the processes that it starts from now on, to some
// processors. Where that is not permitted, Stay does nothing.
func Stay(ids []int) {
	var set unix.CPUSet
	for _, id := range ids {
		set.Set(id)
	}
	// Threads that exist have an affinity of their own. A thread that an unrestricted
	// thread starts meanwhile is found in a later round.
	for done := map[int]bool{}; ; {
		before := len(done)
		threads, _ := os.ReadDir("/proc/self/task")
		for _, t := range threads {
			if id, err := strconv.Atoi(t.Name()); err == nil && !done[id] {
				done[id] = true
				unix.SchedSetaffinity(id, &set)
			}
		}
		if len(done) == before {
			return
		}
	}
}
