//go:build !linux

package machine

// Allowed returns the numbers of the processors that this process may use; nil if
// the system does not provide them, and then programs cannot be pinned.
func Allowed() []int { return nil }
