package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/problem"
)

// headOf returns the part of the head that describes a problem.
func headOf(c *Selection, args []string) ProblemHead {
	p := ProblemHead{
		ID: c.Problem.ID, Path: c.Problem.Path, Format: c.Problem.Version, Limits: c.Problem.Limits,
		Cases: make([]CaseHead, len(c.Cases)), Submissions: make([]SubmissionHead, len(c.Submissions)),
	}
	h := hasherOf(c.Source)
	all := sha256.New()
	for i, k := range c.Cases {
		p.Cases[i] = CaseHead{Name: k.Name, Data: h.ofCase(k)}
		fmt.Fprintf(all, "%q %s\n", k.Name, p.Cases[i].Data)
	}
	p.Data = digits(all)
	if slices.ContainsFunc(p.Cases, func(k CaseHead) bool { return k.Data == "" }) {
		p.Data = ""
	}
	for i, s := range c.Submissions {
		p.Submissions[i] = SubmissionHead{Name: s.Name, Source: h.ofSource(s, args)}
		if s.Language != nil {
			p.Submissions[i].Language = s.Language.Code
		}
	}
	return p
}

// digits returns the first 128 bits of a hash in hexadecimal.
func digits(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

// judged are the files and folders of a package on which results depend.
var judgedFiles = []string{
	"problem.yaml", "domjudge-problem.ini", ".timelimit", "data", "submissions", "include", "graders", "grader",
	"input_validators", "input_format_validators", "input_validator", "output_validators", "output_validator",
}

// PackageKey returns the hash of the files of a package on which results depend; "" if they
// cannot be read. Statements and generators are not among them.
func PackageKey(fsys fs.FS) string {
	h := hasherOf(fsys)
	all := sha256.New()
	for _, name := range judgedFiles {
		if _, err := fs.Stat(fsys, name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := h.add(all, name, name, fs.ModeIrregular); err != nil {
			return ""
		}
	}
	return digits(all)
}

// PackageDigest returns the hash of all files of a package, on which what judge verify finds
// depends; "" if one cannot be read. Names that the format ignores are not among them.
func PackageDigest(fsys fs.FS) string {
	h := hasherOf(fsys)
	all := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && problem.IgnoredName(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		return h.add(all, name, name, d.Type())
	})
	if err != nil {
		return ""
	}
	return digits(all)
}

// A hasher hashes files. It is fast for many small files.
type hasher struct {
	fsys   fs.FS
	listed map[string]map[string]fs.FileMode // types of files, by folder and name
	buffer []byte
	file   hash.Hash
}

func hasherOf(fsys fs.FS) hasher {
	return hasher{fsys: fsys, listed: make(map[string]map[string]fs.FileMode), buffer: make([]byte, 64<<10),
		file: sha256.New()}
}

// ofCase returns the hash of the files of a case that runs and checkers read; ""
// if they cannot be read.
func (h *hasher) ofCase(k *problem.Case) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q\n", k.Args, k.OutputValidatorArgs)
	dir, base := path.Split("data/" + k.Name)
	for _, ext := range []string{".in", ".ans", ".files"} {
		if kind, there := h.in(dir)[base+ext]; there && h.add(sum, dir+base+ext, ext, kind) != nil {
			return ""
		}
	}
	return digits(sum)
}

// in returns the types of the files in a folder, by name. It reads each folder
// once.
func (h *hasher) in(dir string) map[string]fs.FileMode {
	kinds, known := h.listed[dir]
	if !known {
		kinds = make(map[string]fs.FileMode)
		entries, _ := fs.ReadDir(h.fsys, path.Clean(dir))
		for _, e := range entries {
			kinds[e.Name()] = e.Type()
		}
		h.listed[dir] = kinds
	}
	return kinds
}

// ofSource returns the hash of the files of a submission; "" if they cannot be
// read. A submission outside of the package is one of the arguments.
func (h *hasher) ofSource(s *problem.Submission, args []string) string {
	of := *h
	if !strings.HasPrefix(s.Path, "submissions/") {
		i := slices.IndexFunc(args, func(arg string) bool { return filepath.Base(arg) == s.Name })
		if i < 0 {
			return ""
		}
		of.fsys = os.DirFS(filepath.Dir(args[i]))
	}
	sum := sha256.New()
	if of.add(sum, s.Path, path.Base(s.Path), fs.ModeIrregular) != nil {
		return ""
	}
	return digits(sum)
}

// maxDepth bounds the depth of folders, because symbolic links may form cycles.
const maxDepth = 32

// add adds a file, or a folder with everything below it, to a hash under a label.
// kind is the type in the list of the folder, or fs.ModeIrregular if it is unknown.
func (h *hasher) add(to hash.Hash, name, label string, kind fs.FileMode) error {
	if kind.IsRegular() {
		return h.addFile(to, name, label)
	}
	// Stat comes first, because opening a pipe would wait for its other end.
	info, err := fs.Stat(h.fsys, name)
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return h.addFile(to, name, label)
	case !info.IsDir() || strings.Count(label, "/") == maxDepth:
		return fmt.Errorf("%s: expected a file or folder", name)
	}
	entries, err := fs.ReadDir(h.fsys, name)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := h.add(to, name+"/"+e.Name(), label+"/"+e.Name(), e.Type()); err != nil {
			return err
		}
	}
	return nil
}

// maxHashed is the largest size in bytes of a file that is hashed completely. Of a
// larger file, only the size, the modification time and the first MiB are hashed,
// because hashing 3 GiB took 32 s before a program of 2 ms ran. So a copy with
// another modification time counts as different.
const maxHashed = 64 << 20

func (h *hasher) addFile(to hash.Hash, name, label string) error {
	f, err := h.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	h.file.Reset()
	var from io.Reader = f
	if info, err := f.Stat(); err != nil {
		return err
	} else if info.Size() > maxHashed {
		fmt.Fprintf(h.file, "%d %d\n", info.Size(), info.ModTime().UnixNano())
		from = io.LimitReader(f, 1<<20)
	}
	// The struct hides other methods of the file, so that the buffer is used.
	if _, err := io.CopyBuffer(h.file, struct{ io.Reader }{from}, h.buffer); err != nil {
		return err
	}
	fmt.Fprintf(to, "%q %x\n", label, h.file.Sum(nil))
	return nil
}
