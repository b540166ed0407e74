package generate

import (
	"encoding/hex"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"crucible/judge/build"
	"crucible/judge/internal/osfile"
)

// caseExtensions are the extensions of the files that a generator may leave as
// testcase.in and so on, and of files that are copied.
var caseExtensions = []string{
	".in", ".ans", ".out", ".in.statement", ".ans.statement", ".in.download", ".ans.download", ".interaction",
	".yaml", ".args", ".hint", ".desc", ".png", ".jpg", ".jpeg", ".svg", ".pdf",
}

// ownerOf splits the name of a file below data/ into the name of its case and an
// extension. The extension is "" if the file belongs to no case.
func ownerOf(name string) (owner, ext string) {
	if owner, rest, ok := strings.Cut(name, ".files/"); ok {
		return owner, ".files/" + rest
	}
	// The longest extension counts: "1.in.statement" does not belong to a case "1.in".
	for _, e := range caseExtensions {
		base, ok := strings.CutSuffix(name, e)
		if ok && len(e) > len(ext) && !slices.Contains([]string{".", "test_group", "testdata"}, path.Base(base)) {
			owner, ext = base, e
		}
	}
	if ext == "" {
		owner = name
	}
	return owner, ext
}

// A store keeps the files that runs of programs made, in one folder for each run. The
// name of the folder is a hash of everything that decides the files: program,
// arguments, input. A folder without files means that a validator accepted its input.
type store struct {
	dir       string
	temporary bool // for one call of Generate, which reuses nothing
}

// sumOfRun returns a checksum of the files of a run and its key, so that it fits no other
// run.
func sumOfRun(key string, files map[string]*File) string {
	parts := []string{key}
	for _, ext := range slices.Sorted(maps.Keys(files)) {
		parts = append(parts, ext, hex.EncodeToString(files[ext].Sum[:]))
	}
	return build.HashOf(parts...)
}

const (
	sumFile       = "made.sum" // has the checksum of the run
	makingPrefix  = ".making-" // of the names of incomplete runs
	maxStoreBytes = 4 << 30
)

// begin creates a folder for the files of a run.
func (s *store) begin() (string, error) {
	return os.MkdirTemp(s.dir, makingPrefix)
}

// caseFile returns the name of a case's file in the folder of a run, and in the
// working folder of a generator.
func caseFile(ext string) string { return "testcase" + ext }

// filesIn returns the files in the folder of a run, by extension.
func filesIn(dir string) (map[string]*File, error) {
	entries, err := os.ReadDir(dir)
	files := make(map[string]*File)
	for _, e := range entries {
		if e.Name() == sumFile {
			continue
		}
		f, err := realFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(e.Name(), caseFile(""))] = f
	}
	return files, err
}

// keep stores the files of a run under its key.
func (s *store) keep(dir, key string) (map[string]*File, error) {
	files, err := filesIn(dir)
	if s.temporary || err != nil {
		return files, err
	}
	if err := os.WriteFile(filepath.Join(dir, sumFile), []byte(sumOfRun(key, files)), osfile.Perm); err != nil {
		return nil, err
	}
	final := filepath.Join(s.dir, key)
	if os.Rename(dir, final) != nil {
		// Another judge has stored the same run, or the stored files have changed.
		if err := errors.Join(osfile.RemoveAll(final), os.Rename(dir, final)); err != nil {
			return nil, err
		}
	}
	for ext, f := range files {
		f.path = filepath.Join(final, caseFile(ext))
	}
	return files, nil
}

// recall returns the files of an earlier run with this key, if they have not changed.
func (s *store) recall(key string) (map[string]*File, bool) {
	if s.temporary {
		return nil, false
	}
	dir := filepath.Join(s.dir, key)
	sum, ok, err := osfile.ReadBack(dir, sumFile, 1<<10)
	if err != nil || !ok {
		return nil, false
	}
	files, err := filesIn(dir)
	if err != nil || string(sum) != sumOfRun(key, files) {
		return nil, false
	}
	now := time.Now()
	os.Chtimes(dir, now, now) // the time of last use, for osfile.Prune
	return files, true
}
