//go:build !linux

package machine

// Claim returns nil: programs cannot be pinned on this system.
func Claim(order []int, n int) (claimed []int, free func()) { return nil, func() {} }

// Stay does nothing on this system.
func Stay(ids []int) {}
