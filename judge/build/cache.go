package build

import (
	"crucible/judge/internal/osfile"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What a Builder built lies in a folder of the cache, named by its key:
// src/ and bin/ of the program, and compile.json, which tells how the build
// went. A refusal has compile.json alone.

// A record is what compile.json holds.
type record struct {
	Compile
	Sum string // of all that was built; what does not have it any more is built anew. It is no seal: see recall
}

// recall returns what an earlier build of this key came to. A program that is
// not as it was built does not count: outside of a box programs run with the
// rights of the judge, and may write over themselves and each other by accident
// or in a simple attack. The sum is a checksum without a key, since such a program
// could read a key as well: one that knows the cache can replace a program and its
// sum. Only a box keeps programs from the cache. It is hashed in a box, too,
// because an earlier run may have been outside of one; that costs a millisecond
// for a whole submission.
func recall(dir string) (Compile, bool) {
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

// remember keeps how a build went.
func remember(dir string, c Compile) error {
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

// sumOf hashes the files in src/ and bin/: names, rights and contents.
func sumOf(dir string) (string, error) {
	h := sha256.New()
	for _, sub := range []string{"bin", "src"} {
		top := filepath.Join(dir, sub)
		if _, err := os.Lstat(top); err != nil {
			continue
		}
		err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, name)
			if err != nil {
				return err
			}
			io.WriteString(h, rel+"\x00"+info.Mode().String()+"\x00")
			if e.Type()&fs.ModeSymlink != 0 {
				to, err := os.Readlink(name)
				io.WriteString(h, to)
				return err
			}
			if !e.Type().IsRegular() {
				return nil // not from here, so what it holds does not matter
			}
			f, err := os.OpenFile(name, os.O_RDONLY|osfile.NoFollow, 0)
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

// Prune removes programs that were not used for a month, and what a killed
// judge left half built. What cannot be removed stays: it does no harm.
func (w *Builder) Prune() {
	const month, abandoned = 30 * 24 * time.Hour, 24 * time.Hour
	entries, err := os.ReadDir(filepath.Join(w.Cache, "programs"))
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		if age := time.Since(info.ModTime()); age > month || strings.HasPrefix(e.Name(), ".building-") && age > abandoned {
			osfile.RemoveAll(filepath.Join(w.Cache, "programs", e.Name()))
		}
	}
}
