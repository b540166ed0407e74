package osfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Ages at which [Prune] removes folders.
const (
	MaxAge       = 30 * 24 * time.Hour // of any folder
	MinAge       = time.Hour           // a folder that was used more recently stays, whatever the size of the cache
	maxTemporary = 24 * time.Hour      // of a folder of a judge that was killed
)

// Pruned is the suffix of an empty file beside a folder. Its time is that of the last
// [Prune] of the folder.
const Pruned = ".pruned"

// pruneEvery is the time after which [Prune] looks at a folder again. A cache has
// thousands of folders, and a look at all of them takes longer than a short run.
const pruneEvery = time.Hour

// Prune removes folders of a cache. The time of a folder is that of its last use. Prune
// removes folders older than [MaxAge], folders whose name begins with temporary and that
// are older than a day, and, while the files in the folders have more than
// maxBytes, the oldest folders; 0 means no limit. It leaves folders that it cannot remove.
// It does nothing if the cache was pruned less than an hour ago.
func Prune(dir, temporary string, maxBytes int64) {
	if last, err := os.Lstat(dir + Pruned); err == nil && time.Since(last.ModTime()).Abs() < pruneEvery {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	WriteAtomic(dir+Pruned, nil) // a full disk needs pruning all the more
	type folder struct {
		dir  string
		used time.Time
		size int64
	}
	var folders []folder
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		f := folder{dir: filepath.Join(dir, e.Name()), used: info.ModTime()}
		age, incomplete := time.Since(f.used), strings.HasPrefix(e.Name(), temporary)
		if age > MaxAge || incomplete && age > maxTemporary {
			RemoveAll(f.dir)
			continue
		}
		if incomplete || maxBytes == 0 {
			continue
		}
		filepath.WalkDir(f.dir, func(_ string, file fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := file.Info(); err == nil && !file.IsDir() {
				f.size += info.Size()
			}
			return nil
		})
		total += f.size
		folders = append(folders, f)
	}
	slices.SortFunc(folders, func(a, b folder) int { return a.used.Compare(b.used) })
	for _, f := range folders {
		if total <= maxBytes || time.Since(f.used) < MinAge {
			break
		}
		if RemoveAll(f.dir) == nil {
			total -= f.size
		}
	}
}
