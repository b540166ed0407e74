//go:build !linux

package queue

// isStopped is not known here: a stopped worker keeps its items until Item.Stall.
func isStopped(int) bool { return false }
