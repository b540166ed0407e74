//go:build !linux

package osfile

// SyncAll does nothing on this system.
func SyncAll(string) error { return nil }

// SyncsAll reports that each file must be synced by itself.
const SyncsAll = false
