//go:build !linux

package machine

// Allowed lists the processors that this process may use, by number; nil where
// the system does not tell, and then programs cannot be pinned.
func Allowed() []int { return nil }
