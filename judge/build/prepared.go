package build

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	json "github.com/go-json-experiment/json/v1"

	"crucible/judge/internal/osfile"
)

// Prepared files let a compiler do less for each source: headers that are precompiled,
// classes that are archived. The judge makes them in a box, once for each version of the
// compiler and its flags. The cache has, for each kind of such files:
//
//	KIND/KEY/                the files
//	KIND/KEY/prepared.json   see prepared
//	KIND/KEY.wanted          one byte for each source that was compiled without them
//
// Compilers may only read these files, and only in a box: without one, a submission
// could change them.

// preparedFiles describes prepared files.
type preparedFiles struct {
	Unusable string      `json:"unusable"` // why this compiler cannot use them; "" if it can
	Files    []fileState `json:"files"`    // the files and all that they were made from; none may have changed
}

// A fileState identifies a version of a file.
type fileState struct {
	Name string    `json:"name"` // absolute, or below the folder of the prepared files
	Size int64     `json:"size"` // in bytes
	Time time.Time `json:"time"` // of the last change of its content
}

const (
	// Preparing files takes as long as they save in three to five sources. So it waits
	// until this many sources have wanted them.
	wantedBefore = 2
	// Prepared files of a kind have up to 120 MB, so only the last ones used are kept:
	// for submissions, for other programs, and for other flags.
	preparedKept = 3
)

// prepared returns a folder of prepared files, or "" if there is none. Its path in the
// cache is KIND/KEY. It calls make, which fills bin/ of a temporary folder, if that is
// worth the time. It ignores errors, because sources can be compiled without the files.
func (b *Builder) prepared(name string, make func(tmp string) (*preparedFiles, error)) string {
	if !b.boxed() {
		return ""
	}
	dir := filepath.Join(b.Cache, name)
	p, err := readPrepared(dir)
	if err != nil && (isWanted(dir+".wanted") || b.Eager) {
		p, err = b.prepare(dir, make)
	}
	if err != nil || p.Unusable != "" {
		return ""
	}
	return dir
}

// isWanted counts the sources that want files that do not exist, and reports whether
// there are enough of them.
func isWanted(name string) bool {
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return false
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND|osfile.NoFollow, 0o644)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() >= wantedBefore {
		return err == nil
	}
	f.Write([]byte("."))
	return false
}

// prepare makes files in dir. Only one caller does so at a time; the others get an error.
func (b *Builder) prepare(dir string, make func(tmp string) (*preparedFiles, error)) (p *preparedFiles, err error) {
	lock, err := os.OpenFile(dir+".wanted", os.O_RDWR|osfile.NoFollow, 0)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := osfile.Lock(lock); errors.Is(err, osfile.ErrLocked) {
		return nil, err
	}
	if p, err := readPrepared(dir); err == nil { // made since the caller looked
		return p, nil
	}
	tmp, err := b.temporaryFolder()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, osfile.RemoveAll(tmp)) }()
	made := filepath.Join(tmp, "bin")
	if err := errors.Join(osfile.Mkdir(made), osfile.Mkdir(filepath.Join(tmp, "tmp"))); err != nil {
		return nil, err
	}
	if p, err = make(tmp); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(osfile.WriteAtomic(filepath.Join(made, preparedFile), data), os.Chmod(made, 0o755),
		osfile.RemoveAll(dir)); err != nil {
		return nil, err
	}
	return p, errors.Join(os.Rename(made, dir), prunePrepared(filepath.Dir(dir)))
}

const preparedFile = "prepared.json"

func stateOf(name string) (fileState, error) {
	info, err := os.Stat(name)
	if err != nil {
		return fileState{}, err
	}
	return fileState{name, info.Size(), info.ModTime().UTC()}, nil
}

// readPrepared reads the description of the files in dir. It returns an error if there
// is none, or if a file has changed.
func readPrepared(dir string) (*preparedFiles, error) {
	data, err := os.ReadFile(filepath.Join(dir, preparedFile))
	if err != nil {
		return nil, err
	}
	p := new(preparedFiles)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, err
	}
	for _, f := range p.Files {
		name := f.Name
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, filepath.FromSlash(name))
		}
		if now, err := stateOf(name); err != nil || now.Size != f.Size || !now.Time.Equal(f.Time) {
			return nil, errors.Join(err, fmt.Errorf("%s has changed", name))
		}
	}
	now := time.Now() // of last use, for pruning
	os.Chtimes(dir, now, now)
	return p, nil
}

// prunePrepared removes the files of a kind that have not been used for the longest time.
func prunePrepared(kind string) error {
	entries, err := os.ReadDir(kind)
	if err != nil {
		return err
	}
	used := make(map[string]time.Time) // by folder
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() {
			used[filepath.Join(kind, e.Name())] = info.ModTime()
		}
	}
	dirs := slices.SortedFunc(maps.Keys(used), func(a, b string) int { return used[b].Compare(used[a]) })
	var errs []error
	for _, dir := range dirs[min(preparedKept, len(dirs)):] {
		errs = append(errs, osfile.RemoveAll(dir), osfile.RemoveAll(dir+".wanted"))
	}
	return errors.Join(errs...)
}
