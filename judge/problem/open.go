package problem

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"crucible/judge/internal/text"
	"crucible/judge/internal/yaml"
	"crucible/judge/units"
)

// OpenDir opens the package at a path: a folder, problems/ID of a repository whose
// solutions/ID and testdata/ID hold the rest, or a zip. The result reads files of
// the package when they are needed, so the caller must close it. The error is that
// of [Locate] or of [Open].
func OpenDir(name string) (*Problem, error) {
	s, err := Locate(name)
	if err != nil {
		return nil, err
	}
	p, err := Open(s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return p, nil
}

// Close closes the files of the package: FS, if it can be closed.
func (p *Problem) Close() error {
	if c, ok := p.FS.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Open reads and checks a package in any version of the format that [Versions]
// lists. It runs no programs. fsys is a [*Source] or any other file system.
//
// If the package has defects, the problem is nil and the error joins all of them,
// each a *[Defect] or *yaml.Error with file and line: judging a package without
// its broken cases could accept wrong submissions. A defect of one submission only
// (an unknown language, an unreadable source) is not an error; it is in Unusable
// or Unreadable of that [Submission].
func Open(fsys fs.FS) (*Problem, error) {
	p := &Problem{FS: fsys}
	if s, ok := fsys.(*Source); ok {
		p.ID, p.Path = s.ID, s.Path
		if s.Zip != nil && s.Zip.Broken != nil {
			return nil, s.Zip.Broken
		}
	}
	var found Defects
	readMetadata(p, &found)
	readDOMjudge(p, &found)
	readPrograms(p, &found)
	checkValidation(p, &found)
	oldGroups(p, &found)
	readData(p, &found)
	readSubmissions(p, &found)
	scoreAsDOMjudge(p, &found)
	if found.Errs == nil {
		checkRules(p, &found)
	}
	readConstantUses(p, &found)
	if p.ID != "" && !PackageName.MatchString(p.ID) {
		found.warn(&Defect{File: p.Path, Msg: fmt.Sprintf("problem id %q: expected lowercase letters and digits only", p.ID)})
	}
	p.Warnings, p.Doubts = found.warnings, found.doubts
	if found.Errs != nil {
		return nil, errors.Join(found.Errs...)
	}
	return p, nil
}

// OpenWithoutData reads what a package has besides its cases, which are still to be
// made. It does not report defects of submissions.
func OpenWithoutData(fsys fs.FS) (*Problem, error) {
	p := &Problem{FS: fsys}
	var found Defects
	readMetadata(p, &found)
	readPrograms(p, &found)
	checkValidation(p, &found)
	err := errors.Join(found.Errs...)
	if err == nil {
		readSubmissions(p, &found)
	}
	return p, err
}

// WithData returns a copy of the problem with the cases that fsys has in data/. The
// error joins all defects of the cases.
func (p *Problem) WithData(fsys fs.FS) (*Problem, error) {
	with := *p
	with.FS = fsys
	var found Defects
	readData(&with, &found)
	return &with, errors.Join(found.Errs...)
}

var (
	// PackageName matches valid problem ids.
	PackageName = regexp.MustCompile(`^[a-z0-9]+$`)
	fileName    = regexp.MustCompile(`^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`)
)

// IgnoredName reports whether the format ignores files and folders of that name
// (2025-09, "General requirements").
func IgnoredName(name string) bool { return !fileName.MatchString(name) }

// Defects collects the errors, warnings and doubts about a package.
type Defects struct {
	Errs     []error // at most [MaxDefects]
	warnings []error
	doubts   []error
	others   []string // files and folders of data/ that are not part of the format
	strict   bool     // an unknown key is an error in this version
}

// MaxDefects limits how many errors, warnings and doubts are reported, each.
const MaxDefects = 100

// Add adds an error. It ignores nil and errors beyond [MaxDefects].
func (d *Defects) Add(err error) {
	if err != nil && len(d.Errs) < MaxDefects {
		d.Errs = append(d.Errs, err)
	}
}

// Addf adds a [Defect] of a file.
func (d *Defects) Addf(file, format string, args ...any) {
	d.Add(&Defect{File: file, Msg: fmt.Sprintf(format, args...)})
}

// ignore warns of a file or folder that the format ignores, unless it is hidden.
func (d *Defects) ignore(fsys fs.FS, dir, name string) {
	if !strings.HasPrefix(name, ".") {
		d.warnIgnored(fsys, dir, name)
	}
}

func (d *Defects) warnIgnored(fsys fs.FS, dir, name string) {
	d.warn(&Defect{File: Where(fsys, dir) + "/" + text.QuoteName(name), Msg: "is ignored: expected a name of letters, digits and _.- that does not start with - or ."})
}

// warn adds a departure from the format that does not prevent judging.
func (d *Defects) warn(err error) {
	if len(d.warnings) < MaxDefects {
		d.warnings = append(d.warnings, err)
	}
}

// doubt adds a probable mistake that the format allows.
func (d *Defects) doubt(err error) {
	if len(d.doubts) < MaxDefects {
		d.doubts = append(d.doubts, err)
	}
}

// depart returns the error if the version is strict. Otherwise it adds a warning
// and returns nil, because other tools accept such packages in older versions.
func (d *Defects) depart(err error) error {
	if d.strict {
		return err
	}
	d.warn(err)
	return nil
}

// fields reads a map with a table of its keys and reports all defects, not only
// the first. It returns whether n is a map.
func (d *Defects) fields(n *yaml.Node, what string, keys map[string]func(*yaml.Node) error) bool {
	if n.Kind() != yaml.Map {
		d.Add(n.Errorf("%s: expected a map, found %v", what, n.Kind()))
		return false
	}
	for _, f := range n.Fields() {
		read, ok := keys[f.Key.Text()]
		if !ok {
			d.Add(d.depart(f.Key.Errorf("unknown key %q in %s%s", f.Key.Text(), what, cmp.Or(successor(f.Key.Text(), keys), text.DidYouMean(f.Key.Text(), slices.Sorted(maps.Keys(keys)))))))
			continue
		}
		if f.Value.Kind() == yaml.Null && !d.strict {
			continue // an empty value, as in "rights_owner:"
		}
		d.Add(read(f.Value))
	}
	return true
}

// successors maps each key that 2025-09 dropped to its replacement. A hint is
// given only in maps that have the key in.
var successors = map[string]struct{ in, use string }{
	"source_url":             {"source", "source: {name: NAME, url: URL}"},
	"author":                 {"credits", "credits: {authors: NAME}"},
	"validation":             {"type", "type: [interactive] or the like; a folder output_validator/ makes it custom"},
	"validator_flags":        {"type", "output_validator_args in data/test_group.yaml"},
	"grading":                {"type", "test_group.yaml in the groups of data/"},
	"time_multiplier":        {"time_multipliers", "time_multipliers: {ac_to_time_limit: FACTOR}"},
	"time_safety_margin":     {"time_multipliers", "time_multipliers: {time_limit_to_tle: FACTOR}"},
	"output_validator_flags": {"output_validator_args", "output_validator_args: [FLAG, ...]"},
	"input_validator_flags":  {"input_validator_args", "input_validator_args: [FLAG, ...]"},
}

// successor returns a hint at the replacement of a dropped key, or "".
func successor(key string, keys map[string]func(*yaml.Node) error) string {
	if s := successors[key]; keys[s.in] != nil {
		return ": use " + s.use
	}
	return ""
}

// ReadBounded reads a regular file of the package. A file of more than most bytes
// is a [Defect].
func ReadBounded(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	if int64(len(data)) > most {
		return nil, &Defect{File: Where(fsys, name), Msg: fmt.Sprintf("larger than %s", units.Bytes(most))}
	}
	return data, nil
}

// OpenRegular opens a regular file of the package. Pipes, devices and sockets are
// a [Defect]; it does not open them, because opening a pipe waits for its other
// end.
func OpenRegular(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Defect{File: Where(fsys, name), Msg: "expected a regular file"}
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, Unreadable(fsys, name, err)
	}
	return f, nil
}

// Absent reports whether the package has no entry of that name. A broken link is an
// entry.
func Absent(fsys fs.FS, name string) bool {
	if _, err := fs.Stat(fsys, name); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	entries, err := fs.ReadDir(fsys, path.Dir(name))
	return err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == path.Base(name) })
}

// OutOfResources reports whether an error means that a resource of the machine or
// process is exhausted: open files, memory, disk. Such an error is a failure of the
// judge, not a defect of a package.
func OutOfResources(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO},
		func(errno syscall.Errno) bool { return errors.Is(err, errno) })
}

// Unreadable returns an error that says why the file cannot be read, with its real
// name. It is a [Defect] unless [OutOfResources] reports true for err.
func Unreadable(fsys fs.FS, name string, err error) error {
	var pe *fs.PathError
	var defect *Defect
	switch {
	case errors.As(err, &defect):
		return defect
	case errors.Is(err, fs.ErrNotExist):
		return &Defect{File: Where(fsys, name), Msg: "is missing"}
	case errors.As(err, &pe):
		// os.Root has no name for this error.
		if err = pe.Err; err.Error() == "path escapes from parent" {
			err = errors.New("leads outside the package")
		}
	}
	if OutOfResources(err) {
		return fmt.Errorf("%s: cannot be read: %w", Where(fsys, name), err)
	}
	return &Defect{File: Where(fsys, name), Msg: "cannot be read: " + err.Error()}
}
