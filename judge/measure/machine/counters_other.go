//go:build !linux

package machine

func counters() error { return errUnknown }
