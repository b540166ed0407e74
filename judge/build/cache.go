package build

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/internal/osfile"
)

// The cache has a folder for each key, with src/ and bin/ of the program and
// compile.json, which describes the compilation. For a rejected source there is only
// compile.json.

// A record is the content of compile.json.
type record struct {
	Compile
	Sum string // checksum of the built files, see cached
}

// cached returns the result of an earlier build. It does not use a program whose
// files have changed: without a box, programs run with the rights of the judge, and
// may overwrite themselves and each other by accident or in a simple attack. The
// checksum has no key, since such a program could read a key as well: a program that
// knows the cache can replace a program and its checksum. Only a box protects the
// cache. The checksum is also verified with a box, because an earlier run may have
// been without one; that takes a millisecond for each submission.
func cached(dir string) (Compile, bool) {
	data, err := os.ReadFile(filepath.Join(dir, "compile.json"))
	if err != nil {
		return Compile{}, false
	}
	var r record
	if json.Unmarshal(data, &r) != nil {
		return Compile{}, false
	}
	if sum, err := sumOf(dir); err != nil || sum != r.Sum {
		return Compile{}, false
	}
	// The time of last use, for pruning.
	now := time.Now()
	os.Chtimes(dir, now, now)
	return r.Compile, true
}

// saveCompile writes compile.json.
func saveCompile(dir string, c Compile) error {
	sum, err := sumOf(dir)
	if err != nil {
		return err
	}
	data, err := json.Marshal(record{c, sum})
	if err != nil {
		return err
	}
	return osfile.WriteAtomic(filepath.Join(dir, "compile.json"), data)
}

// sumOf returns a checksum of the files in src/ and bin/: names, permissions and
// contents.
func sumOf(dir string) (string, error) {
	h, fsys := sha256.New(), os.DirFS(dir)
	for _, sub := range []string{"bin", "src"} {
		if _, err := fs.Lstat(fsys, sub); err != nil {
			continue
		}
		err := fs.WalkDir(fsys, sub, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			io.WriteString(h, name+"\x00"+info.Mode().String()+"\x00")
			if e.Type()&fs.ModeSymlink != 0 {
				to, err := fs.ReadLink(fsys, name)
				io.WriteString(h, to)
				return err
			}
			if !e.Type().IsRegular() {
				return nil // the judge makes no such files, so the checksum differs already
			}
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|osfile.NoFollow, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(h, f)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// maxPrograms is the size of the cache of programs in bytes above which the ones not used for the
// longest time are removed. A program that is linked statically has a megabyte or two.
const maxPrograms = 4 << 30

// Prune removes programs that were not used for a month, the oldest while all have more than
// maxPrograms, and temporary folders of judges that were killed. It ignores errors.
func (b *Builder) Prune() {
	osfile.Prune(filepath.Join(b.Cache, "programs"), temporaryPrefix, maxPrograms)
}
