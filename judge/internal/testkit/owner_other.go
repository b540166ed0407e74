//go:build !unix

package testkit

import (
	"io/fs"
	"os"
)

// Owner returns the effective user of this process, because this system does not
// report the owner of a file.
func Owner(fs.FileInfo) int { return os.Geteuid() }
