package machine

import "golang.org/x/sys/unix"

// Allowed returns the numbers of the processors that this process may use; nil if
// the system does not provide them, and then programs cannot be pinned.
func Allowed() []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	var all []int
	for id := range len(set) * 64 {
		if set.IsSet(id) {
			all = append(all, id)
		}
	}
	return all
}
