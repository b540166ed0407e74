package judge

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	maxProgramFiles = 2000
	maxProgramBytes = 64 << 20
)

// readPrograms finds the package's validators and its grader.
func readPrograms(p *Problem, defects *defects) {
	foreignFolders(p, defects)
	p.InputValidators = readProgramsIn(p, p.folder(p.format.inputValidators, defects), defects)
	for _, v := range p.InputValidators {
		v.checks = ".in"
	}
	p.AnswerValidators = readProgramsIn(p, p.folder(answerValidators, defects), defects)
	for _, v := range p.AnswerValidators {
		v.checks = ".ans"
	}
	if dir := p.folder(p.format.outputValidator, defects); dir != "" {
		if p.format.severalOutput {
			p.OutputValidators = readProgramsIn(p, dir, defects)
		} else if program := readOne(p, dir, defects); program != nil {
			p.OutputValidators = []*Program{program}
		}
	}
	if !p.format.legacy {
		if dir := p.folder([]string{"static_validator"}, defects); dir != "" {
			p.StaticValidator = readOne(p, dir, defects)
		}
	}
	if p.format.grader != "" {
		graders := readProgramsIn(p, p.folder([]string{p.format.grader}, defects), defects)
		if len(graders) > 1 {
			defects.addf(p.Where(graders[1].Path), "a second grader; the first is %s", graders[0].Name)
		}
		if len(graders) > 0 {
			p.Grader = graders[0]
		}
	}
}

// foreignFolders tells of folders that other versions have, and this one does not
// read.
func foreignFolders(p *Problem, defects *defects) {
	f := p.format
	for _, other := range []struct{ name, here string }{
		{"problem_statement", f.statement[0]}, {"statement", f.statement[0]},
		{"input_format_validators", f.inputValidators[0]}, {"input_validator", f.inputValidators[0]},
		{"output_validators", f.outputValidator[0]}, {"output_validator", f.outputValidator[0]},
		{"graders", f.grader},
	} {
		known := slices.Concat(f.statement, f.inputValidators, f.outputValidator, []string{f.grader})
		if info, err := fs.Stat(p.fsys, other.name); slices.Contains(known, other.name) || err != nil || !info.IsDir() {
			continue
		}
		msg := "is not read: version " + p.Version + " has no such folder"
		if other.here != "" {
			msg = "is not read: version " + p.Version + " has " + other.here
		}
		defects.warn(&Defect{File: p.Where(other.name), Msg: msg})
	}
}

// folder returns the first of some folders that the package has, or "". Older
// names than the first are told of.
func (p *Problem) folder(names []string, defects *defects) string {
	for i, name := range names {
		info, err := fs.Stat(p.fsys, name)
		switch {
		case absent(p.fsys, name, err):
			continue
		case err != nil:
			defects.add(unreadable(p.fsys, name, err))
			return ""
		case !info.IsDir():
			defects.addf(p.Where(name), "want a folder")
			return ""
		}
		if i > 0 {
			defects.warn(&Defect{File: p.Where(name), Msg: fmt.Sprintf("version %s has %s", p.Version, names[0])})
		}
		return name
	}
	return ""
}

// readOne reads a folder that is one program, or holds a single one.
func readOne(p *Problem, dir string, defects *defects) *Program {
	entries, err := fs.ReadDir(p.fsys, dir)
	if err != nil {
		defects.add(unreadable(p.fsys, dir, err))
		return nil
	}
	var only fs.DirEntry
	for _, e := range entries {
		if ignoredName(e.Name()) {
			continue
		}
		if only != nil {
			return p.program(dir, defects)
		}
		only = e
	}
	if only != nil && isFolder(p.fsys, dir, only) {
		dir += "/" + only.Name()
		defects.warn(&Defect{File: p.Where(dir), Msg: "a program in a folder of its own; the format wants its files one folder higher"})
	}
	return p.program(dir, defects)
}

func (p *Problem) constants() constants {
	if !p.spec().constants {
		return nil
	}
	return p.Constants
}

// readProgramsIn lists the programs of a folder: each file or folder in it is
// one. Two of one name are refused (2025-09, "Programs").
func readProgramsIn(p *Problem, dir string, defects *defects) []*Program {
	if dir == "" {
		return nil
	}
	entries, err := fs.ReadDir(p.fsys, dir)
	if err != nil {
		defects.add(unreadable(p.fsys, dir, err))
		return nil
	}
	var programs []*Program
	for _, e := range entries {
		if ignoredName(e.Name()) {
			defects.ignore(p.fsys, dir, e.Name())
			continue
		}
		if program := p.program(dir+"/"+e.Name(), defects); program != nil {
			programs = append(programs, program)
		}
	}
	return programs
}

// program reads a program into whose files the problem's constants are put.
func (p *Problem) program(name string, defects *defects) *Program {
	program := readProgram(p.fsys, name, defects)
	if program == nil {
		return nil
	}
	program.constants = p.constants()
	if runtime.GOOS != "windows" && !strings.HasPrefix(name, "submissions/") {
		for _, script := range []string{"build", "run"} {
			if slices.Contains(program.Files, script) && program.lostBit(script) {
				defects.warn(&Defect{File: p.Where(program.file(script)), Msg: "is not executable; it is run all the same"})
			}
		}
	}
	return program
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
	program.Files, err = filesBelow(fsys, name, maxProgramFiles)
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

// filesBelow lists the files in a folder and below it, relative to it, in order
// and at most so many. It follows links, which the format allows inside a
// package: one that leads around ends at the depth that folders may have.
func filesBelow(fsys fs.FS, dir string, most int) (files []string, err error) {
	var walk func(name string, depth int) error
	folders := 0
	walk = func(name string, depth int) error {
		// Several links that lead around multiply.
		if folders++; folders > maxFolders {
			return &fs.PathError{Op: "walk", Path: name, Err: fmt.Errorf("more than %d folders", maxFolders)}
		}
		if depth > maxDepth {
			return &fs.PathError{Op: "walk", Path: name, Err: fmt.Errorf("more than %d folders deep", maxDepth)}
		}
		entries, err := fs.ReadDir(fsys, path.Join(dir, name))
		if err != nil {
			return err
		}
		for _, e := range entries {
			switch at := path.Join(name, e.Name()); {
			case ignoredName(e.Name()):
			case len(files) >= most:
				return nil
			case isFolder(fsys, path.Join(dir, name), e):
				if err := walk(at, depth+1); err != nil {
					return err
				}
			default:
				files = append(files, at)
			}
		}
		return nil
	}
	return files, walk("", 0)
}

// file is the name in the package of one of the program's files.
func (p *Program) file(name string) string {
	if p.folder {
		return path.Join(p.Path, name)
	}
	return p.Path
}

// head reads the start of one of the program's files.
func (p *Program) head(name string, most int64) ([]byte, error) {
	f, err := openRegular(p.fsys, p.file(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// read returns the program's files by name. It is bounded: a program is
// source, not data.
func (p *Program) read() (map[string][]byte, error) {
	all := make(map[string][]byte, len(p.Files))
	left := int64(maxProgramBytes)
	for _, name := range p.Files {
		data, err := readBounded(p.fsys, p.file(name), left)
		if err != nil {
			return nil, err
		}
		data, ok := p.constants.in(data, left)
		if !ok {
			return nil, &Defect{File: where(p.fsys, p.file(name)), Msg: fmt.Sprintf("larger than %s with the problem's constants in it", Bytes(left))}
		}
		left -= int64(len(data))
		all[name] = data
	}
	return all, nil
}

// include adds the files that the package wants in every submission, the
// language's own over those for all, and both over the submission's (2025-09,
// "Included files"). It returns the entry point: what is given, or the only file
// of a submission that no included default entry point takes the lead from, or
// "", which is the default.
func (p *Problem) include(l *Language, files map[string][]byte, given string) (entry string, err error) {
	own := ""
	if len(files) == 1 {
		name := sortedKeys(files)[0]
		if own = l.called(name, files[name]); own != name {
			files[own] = files[name]
			delete(files, name)
		}
		if given == name {
			given = own
		}
	}
	for _, name := range append(slices.Clone(p.spec().include), l.Code) {
		dir := "include/" + name
		if entries, err := fs.ReadDir(p.fsys, dir); errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
			continue
		}
		var found defects
		included := p.program(dir, &found)
		if included == nil {
			return "", errors.Join(found.errs...)
		}
		more, err := included.read()
		if err != nil {
			return "", err
		}
		maps.Copy(files, more)
	}
	if given == "" && len(files) > 1 && l.Entry != nil &&
		!slices.ContainsFunc(l.Entry, func(name string) bool { _, ok := files[name]; return ok }) {
		return own, nil
	}
	return given, nil
}

// executable reports whether a file of the program may be run as it is, as
// build and run scripts must be.
func (p *Program) executable(name string) bool {
	info, err := fs.Stat(p.fsys, p.file(name))
	return err == nil && (info.Mode()&0o111 != 0 || p.lostBit(name))
}

// lostBit reports whether a build or run script is one by its first line and
// lacks the right to be executed: archives are made on systems that know none,
// and other judges give it back.
func (p *Program) lostBit(name string) bool {
	if name != "build" && name != "run" || !p.folder {
		return false
	}
	info, err := fs.Stat(p.fsys, p.file(name))
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 != 0 {
		return false
	}
	start, err := p.head(name, 2)
	return err == nil && string(start) == "#!"
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
