package generate

import (
	"bytes"
	"crucible/judge/build"
	"crucible/judge/internal/osfile"
	"crucible/judge/problem"
	"crucible/judge/units"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Made is one file of a generated case. It may be large, so it is not held
// in memory.
type Made struct {
	Size int64             // bytes; -1 if it is not known
	Sum  [sha256.Size]byte // SHA-256

	// Where it is: in a real file, in a file of the package, or here.
	path    string
	passing bool // path is there for this call of Generate only
	Fsys    fs.FS
	Name    string
	data    []byte
}

func MadeOf(data []byte) *Made {
	return &Made{Size: int64(len(data)), Sum: sha256.Sum256(data), data: data}
}

// madeFrom returns a real file as it is now.
func madeFrom(name string) (*Made, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|osfile.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &Made{path: name}
	m.Sum, m.Size, err = sumOfReader(f)
	return m, err
}

func sumOfReader(r io.Reader) (sum [sha256.Size]byte, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, r)
	return [sha256.Size]byte(h.Sum(nil)), size, err
}

// madeBy returns a file of the package as it is now.
func madeBy(fsys fs.FS, name string) (*Made, error) {
	f, err := problem.OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := &Made{Fsys: fsys, Name: name}
	if m.Sum, m.Size, err = sumOfReader(f); err != nil {
		return nil, problem.Unreadable(fsys, name, err)
	}
	return m, nil
}

// Open opens the file. Who writes it where it stays looks whether it still has
// the sum: a program that is not in a box can write to what the judge keeps.
func (m *Made) Open() (io.ReadCloser, error) { return m.open() }

func (m *Made) open() (fs.File, error) {
	switch {
	case m.path != "":
		return os.OpenFile(m.path, os.O_RDONLY|osfile.NoFollow, 0)
	case m.Fsys != nil:
		return problem.OpenRegular(m.Fsys, m.Name)
	}
	return &heldFile{bytes.NewReader(m.data), madeInfo{caseFile(""), m}}, nil
}

// text returns all that is in it, which must not be much.
func (m *Made) text(most int64) ([]byte, error) {
	if m.Size > most {
		return nil, fmt.Errorf("larger than %s", units.Bytes(most))
	}
	f, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// is reports whether a file of the package is this one, byte for byte.
func (m *Made) is(fsys fs.FS, name string) bool {
	f, err := problem.OpenRegular(fsys, name)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || m.Size >= 0 && info.Size() != m.Size {
		return false
	}
	sum, _, err := sumOfReader(f)
	return err == nil && sum == m.Sum
}

// A store keeps what programs made, a folder to each run, named by a hash of
// all that decides what comes out: the program, its arguments, its input. A run
// that left no files is one that came to the good end that was asked about.
type store struct {
	dir     string
	recalls bool // what is in it serves again
	passing bool // it is there for one call of Generate only
}

// An inventory is what made.json in the folder of a run holds.
type inventory struct {
	Files map[string]string // SHA-256 by extension
	Sum   string            // of these and the key, so that no other will do
}

func (i *inventory) sum(of string) string {
	parts := []string{of}
	for _, ext := range slices.Sorted(maps.Keys(i.Files)) {
		parts = append(parts, ext, i.Files[ext])
	}
	return build.HashOf(parts...)
}

const (
	inventoryFile   = "made.json"
	makingPrefix    = ".making-"
	maxStoreAge     = 30 * 24 * time.Hour
	maxStoreBytes   = 4 << 30
	fresh           = time.Hour // what was used since then stays, however much there is
	maxInventory    = 64 << 10
	abandonedMaking = 24 * time.Hour
)

// begin makes a folder for a run to leave its files in.
func (s *store) begin() (string, error) {
	return os.MkdirTemp(s.dir, makingPrefix)
}

// caseFile is the name of a case's file in the folder of a run, and in the
// working folder of a generator.
func caseFile(ext string) string { return "testcase" + ext }

// keep takes over what a run left in its folder, under its key.
func (s *store) keep(dir, key string) (map[string]*Made, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := make(map[string]*Made)
	var list inventory
	list.Files = make(map[string]string)
	for _, e := range entries {
		m, err := madeFrom(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		ext := strings.TrimPrefix(e.Name(), caseFile(""))
		m.passing = s.passing
		files[ext] = m
		list.Files[ext] = hex.EncodeToString(m.Sum[:])
	}
	if s.passing {
		return files, nil
	}
	list.Sum = list.sum(key)
	data, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, inventoryFile), data, osfile.Perm); err != nil {
		return nil, err
	}
	final := filepath.Join(s.dir, key)
	if os.Rename(dir, final) != nil {
		// Another judge has made the same meanwhile, or what lies there is not as
		// it was made and makes way.
		if err := errors.Join(osfile.RemoveAll(final), os.Rename(dir, final)); err != nil {
			return nil, err
		}
	}
	for ext, m := range files {
		m.path = filepath.Join(final, caseFile(ext))
	}
	return files, nil
}

// recall returns what an earlier run of this key made, if it is still as it
// was made.
func (s *store) recall(key string) (map[string]*Made, bool) {
	if !s.recalls {
		return nil, false
	}
	dir := filepath.Join(s.dir, key)
	data, ok, err := osfile.ReadBack(dir, inventoryFile, maxInventory)
	if err != nil || !ok {
		return nil, false
	}
	var list inventory
	if json.Unmarshal(data, &list) != nil || list.Sum != list.sum(key) {
		return nil, false
	}
	files := make(map[string]*Made)
	for ext, sum := range list.Files {
		if !slices.Contains(madeExtensions, ext) {
			return nil, false
		}
		m, err := madeFrom(filepath.Join(dir, caseFile(ext)))
		if err != nil || hex.EncodeToString(m.Sum[:]) != sum {
			return nil, false
		}
		files[ext] = m
	}
	// The time of last use, for pruning.
	now := time.Now()
	os.Chtimes(dir, now, now)
	return files, true
}

// prune removes runs that were not used for a month, the oldest of too many,
// and what a killed judge left half made. What cannot be removed stays: it does
// no harm.
func (s *store) prune() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	type run struct {
		dir  string
		used time.Time
		size int64
	}
	var runs []run
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue
		}
		one := run{dir: filepath.Join(s.dir, e.Name()), used: info.ModTime()}
		age := time.Since(one.used)
		switch {
		case age > maxStoreAge, strings.HasPrefix(e.Name(), makingPrefix) && age > abandonedMaking:
			osfile.RemoveAll(one.dir)
			continue
		case strings.HasPrefix(e.Name(), makingPrefix):
			continue
		}
		files, err := os.ReadDir(one.dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				one.size += info.Size()
			}
		}
		total += one.size
		runs = append(runs, one)
	}
	slices.SortFunc(runs, func(a, b run) int { return a.used.Compare(b.used) })
	for _, one := range runs {
		if total <= maxStoreBytes || time.Since(one.used) < fresh {
			break
		}
		if osfile.RemoveAll(one.dir) == nil {
			total -= one.size
		}
	}
}
