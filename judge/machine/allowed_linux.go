package machine

import "golang.org/x/sys/unix"

// Allowed lists the processors that this process may use, by number; nil where
// the system does not tell, and then programs cannot be pinned.
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
