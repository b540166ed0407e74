//go:build !linux

package machine

func counters() *Counters { return nil }
