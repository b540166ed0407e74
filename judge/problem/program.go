package problem

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

	"crucible/judge/internal/osfile"
	"crucible/judge/language"
	"crucible/judge/terminal"
)

const (
	MaxProgramFiles = 2000     // a program must have fewer files
	MaxProgramBytes = 64 << 20 // maximum size of all files of a program together
)

// readPrograms reads the validators and the grader of the package into p. p.Format
// must have been read.
func readPrograms(p *Problem, defects *Defects) {
	foreignFolders(p, defects)
	p.InputValidators = readProgramsIn(p, p.Format.inputValidators, ".in", defects)
	p.AnswerValidators = readProgramsIn(p, answerValidators, ".ans", defects)
	if p.Format.severalOutput {
		p.OutputValidators = readProgramsIn(p, p.Format.outputValidator, "", defects)
	} else if program := readOne(p, p.Format.outputValidator, defects); program != nil {
		p.OutputValidators = []*Program{program}
	}
	if !p.Format.Legacy {
		p.StaticValidator = readOne(p, []string{"static_validator"}, defects)
		p.InputVisualizer = readVisualizer(p, "input_visualizer")
		p.OutputVisualizer = readVisualizer(p, "output_visualizer")
	}
	if p.Format.grader != "" {
		graders := readProgramsIn(p, []string{p.Format.grader}, "", defects)
		if len(graders) > 1 {
			defects.Addf(p.Where(graders[1].Path), "a second grader; the first is %s", graders[0].Name)
		}
		if len(graders) > 0 {
			p.Grader = graders[0]
		}
	}
}

// readVisualizer reads a visualizer. Judging does not depend on it, so its defects are
// no defects of the package; and the folder of the input visualizer may have
// documentation alone (2025-09, "Input visualizer").
func readVisualizer(p *Problem, dir string) *Program {
	if Absent(p.FS, dir) {
		return nil
	}
	return p.Program(dir, &Defects{})
}

// foreignFolders warns of folders that only other versions of the format read.
func foreignFolders(p *Problem, defects *Defects) {
	f := p.Format
	for _, other := range []struct{ name, here string }{
		{"problem_statement", f.Statement[0]}, {"statement", f.Statement[0]},
		{"input_format_validators", f.inputValidators[0]}, {"input_validator", f.inputValidators[0]},
		{"output_validators", f.outputValidator[0]}, {"output_validator", f.outputValidator[0]},
		{"graders", f.grader},
	} {
		known := slices.Concat(f.Statement, f.inputValidators, f.outputValidator, []string{f.grader})
		if info, err := fs.Stat(p.FS, other.name); slices.Contains(known, other.name) || err != nil || !info.IsDir() {
			continue
		}
		msg := "is not read: version " + p.Version + " has no such folder"
		if other.here != "" {
			msg = "is not read: version " + p.Version + " expects " + other.here
		}
		defects.warnf(p.Where(other.name), "%s", msg)
	}
}

// Folder returns the first of the names that is a folder of the package, or "". It
// warns if that is not the first name, because the others are older.
func (p *Problem) Folder(names []string, defects *Defects) string {
	for i, name := range names {
		info, err := fs.Stat(p.FS, name)
		switch {
		case Absent(p.FS, name):
			continue
		case err != nil:
			defects.Add(Unreadable(p.FS, name, err))
			return ""
		case !info.IsDir():
			defects.Addf(p.Where(name), "expected a folder")
			return ""
		}
		if i > 0 {
			defects.warnf(p.Where(name), "version %s expects %s", p.Version, names[0])
		}
		return name
	}
	return ""
}

// readOne reads the program in the first folder of these names. The folder is the
// program or contains only the program.
func readOne(p *Problem, folders []string, defects *Defects) *Program {
	dir := p.Folder(folders, defects)
	if dir == "" {
		return nil
	}
	entries, ok := defects.readDir(p.FS, dir)
	if !ok {
		return nil
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return IgnoredName(e.Name()) })
	if len(entries) == 1 && IsFolder(p.FS, dir, entries[0]) {
		dir += "/" + entries[0].Name()
		defects.warnf(p.Where(dir), "the program is in a subfolder: expected its files one folder higher")
	}
	return p.Program(dir, defects)
}

// Inserted returns the constants to replace in files of the package, or nil if its
// version has none.
func (p *Problem) Inserted() constants {
	if !p.Spec().constants {
		return nil
	}
	return p.Constants
}

// Insert returns the text of a file of the package with the uses of constants replaced.
// It returns false if the result exceeds most bytes.
func (p *Problem) Insert(text []byte, most int64) ([]byte, bool) { return p.Inserted().in(text, most) }

// readProgramsIn reads the programs in the first folder of these names: each file or
// folder in it is a program (2025-09, "Programs"), except notes and copies of editors.
func readProgramsIn(p *Problem, folders []string, checks string, defects *Defects) []*Program {
	dir := p.Folder(folders, defects)
	if dir == "" {
		return nil
	}
	var programs []*Program
	entries := defects.entries(p.FS, dir)
	for _, e := range entries {
		_, left := WithoutLeftover(e.Name())
		if left || notPrograms().MatchString(e.Name()) || isCompiled(p.FS, dir, e.Name(), entries) {
			defects.warnf(p.Where(dir+"/"+e.Name()), "is not a program, and is left out: expected programs only in %s", dir)
			continue
		}
		if IsFolder(p.FS, dir, e) && p.isEmpty(dir+"/"+e.Name()) {
			defects.warnf(p.Where(dir+"/"+e.Name()), "is an empty folder, and is left out: expected a program")
			continue
		}
		if program := p.Program(dir+"/"+e.Name(), defects); program != nil {
			program.Checks = checks
			programs = append(programs, program)
		}
	}
	return programs
}

// isEmpty reports whether a folder of the package has no file of a program.
func (p *Problem) isEmpty(dir string) bool {
	files, err := filesBelow(p.FS, dir, 1)
	return err == nil && len(files) == 0
}

// isCompiled reports whether a file is an executable beside the source in C or C++ of which
// it was made: v beside v.cpp, or a.out.
func isCompiled(fsys fs.FS, dir, name string, beside []fs.DirEntry) bool {
	stem, usual := strings.CutSuffix(name, "a.out")
	if !usual {
		stem += "."
	}
	isSource := func(e fs.DirEntry) bool {
		l, _ := language.Builtin.Of([]string{e.Name()})
		return l != nil && (l.Code == "c" || l.Code == "cpp") && strings.HasPrefix(e.Name(), stem)
	}
	if !slices.ContainsFunc(beside, isSource) {
		return false
	}
	binary, err := IsBinary(fsys, dir+"/"+name)
	return err == nil && binary
}

// IsBinary reports whether a file is a compiled program, such as a.out.
func IsBinary(fsys fs.FS, name string) (bool, error) {
	if ext := strings.ToLower(path.Ext(name)); ext != "" && ext != ".out" && ext != ".exe" {
		return false, nil
	}
	start, err := head(fsys, name, 4)
	return slices.ContainsFunc([]string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, func(magic string) bool {
		return strings.HasPrefix(string(start), magic)
	}), err
}

// Program lists the files of a program of the package, in which constants are
// replaced. It returns nil and adds a defect if the program cannot be read.
func (p *Problem) Program(name string, defects *Defects) *Program {
	program := ReadProgram(p.FS, name, defects)
	if program == nil {
		return nil
	}
	program.Constants = p.Inserted()
	if runtime.GOOS != "windows" && !strings.HasPrefix(name, "submissions/") {
		for _, script := range []string{"build", "run"} {
			if slices.Contains(program.Files, script) && program.lostBit(script) {
				defects.warnf(p.Where(program.file(script)), "is not executable, but the judge runs it")
			}
		}
	}
	return program
}

// ReadProgram lists the files of a program. It returns nil and adds a defect if
// the program cannot be read, is empty, or has [MaxProgramFiles] files or more.
func ReadProgram(fsys fs.FS, name string, defects *Defects) *Program {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		defects.Add(Unreadable(fsys, name, err))
		return nil
	}
	program := &Program{Name: path.Base(name), Path: name, FS: fsys}
	if !info.IsDir() {
		program.Files = []string{path.Base(name)}
		if !info.Mode().IsRegular() {
			defects.Addf(Where(fsys, name), "expected a regular file or a folder")
			return nil
		}
		return program
	}
	program.IsFolder = true
	program.Files, err = filesBelow(fsys, name, MaxProgramFiles)
	switch {
	case err != nil:
		defects.Add(Unreadable(fsys, name, err))
	case len(program.Files) == 0:
		defects.Addf(Where(fsys, name), "expected a program, found an empty folder")
	case len(program.Files) == MaxProgramFiles:
		defects.Addf(Where(fsys, name), "the program has too many files: at least %d", MaxProgramFiles)
	default:
		return program
	}
	return nil
}

// filesBelow lists the files in a folder and below it, relative to it, in the order
// of a walk. It stops at the given number of files. It follows links, which the
// format allows inside a package; a cycle of links is an error at maxDepth.
func filesBelow(fsys fs.FS, dir string, most int) (files []string, err error) {
	var walk func(name string, depth int) error
	folders := 0
	walk = func(name string, depth int) error {
		// Several cycles of links multiply the number of folders.
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
			case IgnoredName(e.Name()):
			case len(files) >= most:
				return nil
			case IsFolder(fsys, path.Join(dir, name), e):
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

// file returns the name in the package of one of the program's files.
func (p *Program) file(name string) string {
	if p.IsFolder {
		return path.Join(p.Path, name)
	}
	return p.Path
}

// head reads at most the given number of bytes from the start of one of the
// program's files.
func (p *Program) head(name string, most int64) ([]byte, error) {
	return head(p.FS, p.file(name), most)
}

// head reads at most the given number of bytes from the start of a file.
func head(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := OpenRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// Read returns the contents of the program's files by name, with constants
// replaced. More than [MaxProgramBytes] in total is a [Defect].
func (p *Program) Read() (map[string][]byte, error) {
	all := make(map[string][]byte, len(p.Files))
	left := int64(MaxProgramBytes)
	for _, name := range p.Files {
		data, err := ReadBounded(p.FS, p.file(name), left)
		if err != nil {
			return nil, err
		}
		data, ok := p.Constants.in(data, left)
		if !ok {
			return nil, Defectf(Where(p.FS, p.file(name)), "larger than %s after the problem's constants are inserted",
				terminal.Bytes(left))
		}
		left -= int64(len(data))
		all[name] = data
	}
	return all, nil
}

// Include adds the package's included files to the files of a submission (2025-09,
// "Included files"). Files for the language replace files for all languages, and
// both replace files of the submission. It returns the entry point: given, or the
// only file of the submission if no included file is a default entry point, or "",
// which means the default.
func (p *Problem) Include(l *language.Language, files map[string][]byte, given string) (entry string, err error) {
	own := ""
	if len(files) == 1 {
		name := slices.Sorted(maps.Keys(files))[0]
		if own = l.FileName(name, files[name]); own != name {
			files[own] = files[name]
			delete(files, name)
		}
		if given == name {
			given = own
		}
	}
	for _, name := range append(slices.Clone(p.Spec().Include), l.Code) {
		dir := "include/" + name
		if entries, err := fs.ReadDir(p.FS, dir); errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
			continue
		}
		var found Defects
		included := p.Program(dir, &found)
		if included == nil {
			return "", errors.Join(found.Errs...)
		}
		more, err := included.Read()
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

// Executable reports whether a file of the program can be run directly, as build
// and run scripts must be.
func (p *Program) Executable(name string) bool {
	info, err := fs.Stat(p.FS, p.file(name))
	return err == nil && (info.Mode()&0o111 != 0 || p.lostBit(name))
}

// lostBit reports whether a build or run script begins with #! but lacks execute
// permission. Archives from some systems lose the permission, and other judges
// restore it.
func (p *Program) lostBit(name string) bool {
	if name != "build" && name != "run" || !p.IsFolder {
		return false
	}
	info, err := fs.Stat(p.FS, p.file(name))
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 != 0 {
		return false
	}
	start, err := p.head(name, 2)
	return err == nil && string(start) == "#!"
}

// CopyOut copies the file name of fsys to the file as below the real folder dir,
// and creates its parent folders. It does not follow links out of dir, which an
// untrusted program may have created.
func CopyOut(fsys fs.FS, name, dir, as string) error {
	from, err := OpenRegular(fsys, name)
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
	if err := osfile.Mkdirs(dir, filepath.Dir(filepath.Join(dir, as))); err != nil {
		return err
	}
	f, err := root.OpenFile(as, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, osfile.Perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if info, e := f.Stat(); e == nil && info.Mode().Perm()&osfile.Perm != osfile.Perm {
		err = errors.Join(err, f.Chmod(osfile.Perm))
	}
	return errors.Join(err, f.Close())
}
