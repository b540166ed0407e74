package judge

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	maxProgramFiles = 2000
	maxProgramBytes = 64 << 20
)

// readPrograms finds the package's validators.
func readPrograms(p *Problem, defects *defects) {
	if _, err := fs.Stat(p.fsys, "input_validators"); err == nil {
		p.InputValidators = readProgramsIn(p, "input_validators", defects)
	}
	if _, err := fs.Stat(p.fsys, "static_validator"); err == nil {
		defects.addf(p.Where("static_validator"), "static validation is not done by this judge, so far")
	}
	if info, err := fs.Stat(p.fsys, "output_validator"); err == nil {
		if !info.IsDir() {
			defects.addf(p.Where("output_validator"), "want a folder")
			return
		}
		if program := readProgram(p.fsys, "output_validator", defects); program != nil {
			p.OutputValidators = []*Program{program}
		}
	}
}

// readProgramsIn lists the programs of a folder: each file or folder in it is
// one. Two of one name are refused (2025-09, "Programs").
func readProgramsIn(p *Problem, dir string, defects *defects) []*Program {
	entries, err := fs.ReadDir(p.fsys, dir)
	if err != nil {
		defects.add(unreadable(p.fsys, dir, err))
		return nil
	}
	var programs []*Program
	for _, e := range entries {
		if ignoredName(e.Name()) {
			continue
		}
		if program := readProgram(p.fsys, dir+"/"+e.Name(), defects); program != nil {
			programs = append(programs, program)
		}
	}
	return programs
}

// readProgram lists the files of one program, or tells why it cannot be read.
func readProgram(fsys fs.FS, name string, defects *defects) *Program {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		defects.add(unreadable(fsys, name, err))
		return nil
	}
	program := &Program{Name: path.Base(name), Path: name, fsys: fsys}
	if !info.IsDir() {
		program.Files = []string{path.Base(name)}
		if !info.Mode().IsRegular() {
			defects.addf(where(fsys, name), "want a regular file or a folder")
			return nil
		}
		return program
	}
	program.folder = true
	err = fs.WalkDir(fsys, name, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case file == name:
		case ignoredName(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
		case !e.IsDir():
			if len(program.Files) < maxProgramFiles {
				program.Files = append(program.Files, strings.TrimPrefix(file, name+"/"))
			}
		}
		return nil
	})
	switch {
	case err != nil:
		defects.add(unreadable(fsys, name, err))
	case len(program.Files) == 0:
		defects.addf(where(fsys, name), "an empty folder is no program")
	case len(program.Files) == maxProgramFiles:
		defects.addf(where(fsys, name), "a program of %d files or more", maxProgramFiles)
	default:
		return program
	}
	return nil
}

// read returns the program's files by name. It is bounded: a program is
// source, not data.
func (p *Program) read() (map[string][]byte, error) {
	all := make(map[string][]byte, len(p.Files))
	left := int64(maxProgramBytes)
	for _, name := range p.Files {
		full := p.Path
		if p.folder {
			full = path.Join(p.Path, name)
		}
		data, err := readBounded(p.fsys, full, left)
		if err != nil {
			return nil, err
		}
		left -= int64(len(data))
		all[name] = data
	}
	return all, nil
}

// include adds the files that the package wants in every submission, the
// language's own over those for all, and both over the submission's (2025-09,
// "Included files").
func (p *Problem) include(l *Language, files map[string][]byte) error {
	for _, dir := range []string{"include/default", "include/" + l.Code} {
		if _, err := fs.Stat(p.fsys, dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var found defects
		included := readProgram(p.fsys, dir, &found)
		if included == nil {
			return errors.Join(found.errs...)
		}
		more, err := included.read()
		if err != nil {
			return err
		}
		maps.Copy(files, more)
	}
	return nil
}

// executable reports whether a file of the program may be run as it is, as
// build and run scripts must be.
func (p *Program) executable(name string) bool {
	full := p.Path
	if p.folder {
		full = path.Join(p.Path, name)
	}
	info, err := fs.Stat(p.fsys, full)
	return err == nil && info.Mode()&0o111 != 0
}

// copyOut copies one file of a file system to a real folder, making the
// folders between. It follows no link out of the folder, where a program may
// have been.
func copyOut(fsys fs.FS, name, dir, as string) error {
	from, err := openRegular(fsys, name)
	if err != nil {
		return err
	}
	defer from.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	as = filepath.FromSlash(as)
	if err := mkdirs(dir, filepath.Dir(filepath.Join(dir, as))); err != nil {
		return err
	}
	f, err := root.OpenFile(as, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, filePerm)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if info, e := f.Stat(); e == nil && info.Mode().Perm()&filePerm != filePerm {
		err = errors.Join(err, f.Chmod(filePerm))
	}
	return errors.Join(err, f.Close())
}
