//go:build !unix

package osfile

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) {}
