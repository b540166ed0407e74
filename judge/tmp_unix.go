//go:build unix

package judge

import (
	"os"
	"path/filepath"
	"time"

	"crucible/judge/internal/osfile"
)

// A judge that is killed leaves its temporary folder behind, and the next judge
// removes it. A lock shows that a folder is in use. It ends with the process, and
// works across containers that share the folder.
const (
	lockFile  = "lock"
	tmpPrefix = "crucible-"
)

// lockTmp marks a temporary folder as in use until the file is closed.
func lockTmp(dir string) (*os.File, error) {
	f, err := os.Create(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	return f, osfile.Lock(f)
}

// removeAbandoned removes the temporary folders that no judge uses. Folders of
// other users cannot be removed and stay.
func removeAbandoned() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), tmpPrefix+"*", lockFile))
	for _, name := range left {
		// A folder is locked shortly after it is made, so new folders stay.
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		f, err := os.OpenFile(name, os.O_RDONLY|osfile.NoFollow, 0)
		if err != nil {
			continue
		}
		if osfile.Lock(f) == nil {
			osfile.RemoveAll(filepath.Dir(name))
		}
		f.Close()
	}
}
