//go:build unix

package testkit

import (
	"io/fs"
	"syscall"
)

func Owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
