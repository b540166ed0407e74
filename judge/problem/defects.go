package problem

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"crucible/judge/terminal"
)

// A Defect is one departure of a package from the format, with its position.
type Defect struct {
	File         string // real path
	Line, Column int    // from 1; 0 if the defect is not at one position
	Msg          string // what was found and what is expected

	Harmless bool // does not affect judging or verification
}

// Error returns the position and the message.
func (d *Defect) Error() string {
	switch {
	case d.Line == 0:
		return d.File + ": " + d.Msg
	case d.Column == 0:
		return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Msg)
}

// Defectf returns a [Defect] of a file.
func Defectf(file, format string, args ...any) *Defect {
	return &Defect{File: file, Msg: fmt.Sprintf(format, args...)}
}

// Defects collects the errors, warnings and doubts about a package.
type Defects struct {
	Errs     []error // at most [MaxDefects]
	warnings []error
	doubts   []error
	others   []string // files and folders of data/ that are not part of the format
	strict   bool     // an unknown key is an error in this version
}

// MaxDefects is the maximum number of errors, of warnings and of doubts that are
// reported. Further ones are dropped.
const MaxDefects = 100

// Add adds an error. It ignores nil, and errors beyond [MaxDefects].
func (d *Defects) Add(err error) {
	if err != nil && len(d.Errs) < MaxDefects {
		d.Errs = append(d.Errs, err)
	}
}

// Addf adds a [Defect] of a file.
func (d *Defects) Addf(file, format string, args ...any) {
	d.Add(Defectf(file, format, args...))
}

// entries lists a folder of the package without the names that the format ignores. It
// warns of these unless they are hidden.
func (d *Defects) entries(fsys fs.FS, dir string) []fs.DirEntry {
	entries, _ := d.readDir(fsys, dir)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		ignored := IgnoredName(e.Name())
		if ignored {
			d.ignore(fsys, dir, e.Name())
		}
		return ignored
	})
}

// ignore warns of a file or folder that the format ignores, unless it is hidden.
func (d *Defects) ignore(fsys fs.FS, dir, name string) {
	if !strings.HasPrefix(name, ".") {
		d.warnIgnored(fsys, dir, name)
	}
}

func (d *Defects) warnIgnored(fsys fs.FS, dir, name string) {
	d.warnf(Where(fsys, dir)+"/"+terminal.QuoteName(name), "is ignored: expected a name of letters, digits and _.- "+
		"that does not start with - or .")
}

// warn adds a departure from the format that does not prevent judging.
func (d *Defects) warn(err error) {
	if len(d.warnings) < MaxDefects {
		d.warnings = append(d.warnings, err)
	}
}

func (d *Defects) warnf(file, format string, args ...any) { d.warn(Defectf(file, format, args...)) }

// doubt adds a probable mistake that the format allows.
func (d *Defects) doubt(err error) {
	if len(d.doubts) < MaxDefects {
		d.doubts = append(d.doubts, err)
	}
}

func (d *Defects) doubtf(file, format string, args ...any) { d.doubt(Defectf(file, format, args...)) }

// depart returns the error if the version is strict. Otherwise it adds a warning
// and returns nil, because other tools accept such packages in older versions.
func (d *Defects) depart(err error) error {
	if d.strict {
		return err
	}
	d.warn(err)
	return nil
}

// readDir lists a folder of the package. If the folder cannot be read, it adds a
// defect and returns false.
func (d *Defects) readDir(fsys fs.FS, dir string) ([]fs.DirEntry, bool) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		d.Add(Unreadable(fsys, dir, err))
	}
	return entries, err == nil
}

// OutOfResources reports whether an error means that a resource of the machine or
// process is exhausted: open files, memory, disk. Such an error is a failure of the
// judge, not a defect of a package.
func OutOfResources(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOSPC,
		syscall.EDQUOT, syscall.EIO},
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
		return Defectf(Where(fsys, name), "is missing")
	case errors.As(err, &pe):
		// The package os exports no value for this error of os.Root.
		if err = pe.Err; err.Error() == "path escapes from parent" {
			err = errors.New("leads outside the package")
		}
	}
	if OutOfResources(err) {
		return fmt.Errorf("%s: cannot be read: %w", Where(fsys, name), err)
	}
	return Defectf(Where(fsys, name), "cannot be read: %v", err)
}
