//go:build unix

package testkit

import (
	"io/fs"
	"syscall"
)

// Owner returns the user that owns a file. Info must be from the operating
// system.
func Owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
