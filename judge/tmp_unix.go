//go:build unix

package judge

import (
	"crucible/judge/internal/osfile"
	"os"
	"path/filepath"
	"time"
)

// A judge that was killed leaves its temporary folder behind. The next one
// removes it, and knows by a lock that nobody uses it: the lock ends with its
// process, also across containers that share the folder.
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

// removeAbandoned removes the temporary folders that no judge uses. Those of
// other users cannot be removed and stay.
func removeAbandoned() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), tmpPrefix+"*", lockFile))
	for _, name := range left {
		// A folder is locked a moment after it is made.
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
