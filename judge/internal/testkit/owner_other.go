//go:build !unix

package testkit

import (
	"io/fs"
	"os"
)

func Owner(fs.FileInfo) int { return os.Geteuid() }
