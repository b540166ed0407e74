package foreign

import (
	_ "embed" // for the wrapper
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"crucible/judge/internal/lazy"
	"crucible/judge/prepare/archive"
	"crucible/judge/problem"
)

// wrapper starts a program again with the arguments of another system, and judges by what
// it ends with. It is C and C++.
//
//go:embed program_package.h
var wrapper []byte

const (
	testlibSource = "https://github.com/MikeMirzayanov/testlib"
	maxSource     = 4 << 20 // bytes of one source
	maxSources    = 200     // files of one program
)

var (
	cExtensions      = []string{".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx"}
	headerExtensions = []string{".h", ".hh", ".hpp", ".hxx"}
	includeLine      = lazy.Regexp(`(?m)^([ \t]*#[ \t]*include[ \t]*)["<]([^">\n]+)[">]`)
)

// sources returns the files of a program of the other package, by their names in a
// folder of the new one: the file and, for C and C++, the headers that it includes. All
// of them are in one folder, so the names in #include lose their folders.
func (d *draft) sources(name string) (map[string]archive.File, error) {
	files := make(map[string]archive.File)
	origin := map[string]string{path.Base(name): d.where(name)}
	if !slices.Contains(cExtensions, path.Ext(name)) {
		if _, err := d.read(name, maxSource); err != nil {
			return nil, err
		}
		files[path.Base(name)] = archive.File{From: d.at(name)}
		return files, nil
	}
	type source struct {
		name string // in the other package; "" for a header of this machine
		base string
		text []byte
	}
	start, err := d.read(name, maxSource)
	if err != nil {
		return nil, err
	}
	queue := []source{{name, path.Base(name), start}}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		var failed error
		rewritten := includeLine().ReplaceAllFunc(s.text, func(line []byte) []byte {
			m := includeLine().FindSubmatch(line)
			header, at, text, err := d.header(s.name, string(m[2]))
			switch {
			case err != nil:
				failed = errors.Join(failed, err)
				return line
			case text == nil:
				return line // of the compiler
			}
			base := path.Base(string(m[2]))
			if old, ok := origin[base]; ok && old != at {
				failed = errors.Join(failed, problem.Defectf(d.where(name), "includes two files named %s: %s and %s", base, old,
					at))
			} else if !ok {
				origin[base] = at
				queue = append(queue, source{header, base, text})
			}
			return []byte(string(m[1]) + `"` + base + `"`)
		})
		if failed == nil && len(origin) > maxSources {
			failed = problem.Defectf(d.where(name), "includes more than 200 files")
		}
		if failed != nil {
			return nil, failed
		}
		files[s.base] = archive.File{Data: rewritten}
	}
	return files, nil
}

// header finds an included file: in the folder of the including file, in that of the
// package, or on this machine. The text is nil if it is none of them.
func (d *draft) header(from, include string) (name, at string, text []byte, err error) {
	isTestlib := path.Base(include) == TestlibHeader
	if isTestlib && d.Testlib != "" {
		return d.ownTestlib()
	}
	if text, ok := d.headers[path.Base(include)]; ok {
		return "", path.Base(include), text, nil
	}
	if from != "" {
		for _, name := range []string{path.Join(path.Dir(from), include), path.Join("files", include), include} {
			if fs.ValidPath(name) && d.has(name) {
				text, err = d.read(name, maxSource)
				return name, d.where(name), text, err
			}
		}
	}
	folders := slices.Clone(d.include)
	if isTestlib {
		folders = append(folders, "/usr/include", "/usr/local/include")
	}
	for _, dir := range folders {
		if base := path.Base(include); fs.ValidPath(base) && !problem.Absent(os.DirFS(dir), base) {
			text, err = problem.ReadBounded(os.DirFS(dir), base, maxSource)
			return "", filepath.Join(dir, base), text, err
		}
	}
	if isTestlib {
		err = problem.Defectf(d.where(from), "includes testlib.h, which is neither in the package nor in /usr/include: get "+
			"it from %s and give it with --testlib PATH", testlibSource)
	}
	return "", "", nil, err
}

// ownTestlib reads testlib.h from the path that the user gave.
func (d *draft) ownTestlib() (name, at string, text []byte, err error) {
	at = d.Testlib
	if info, err := os.Stat(at); err == nil && info.IsDir() {
		at = filepath.Join(at, TestlibHeader)
	}
	text, err = problem.ReadBounded(os.DirFS(filepath.Dir(at)), filepath.Base(at), maxSource)
	if err != nil {
		err = problem.Defectf(at, "cannot be read: expected testlib.h or its folder: %v", err)
	}
	return "", at, text, err
}

// adapt makes the files of a checker, interactor or validator follow the package format.
// It reports false if the program does not use testlib.
func (d *draft) adapt(files map[string]archive.File) bool {
	original, ok := files[TestlibHeader]
	if !ok {
		return false
	}
	files[TestlibOriginal] = original
	files[TestlibHeader] = archive.File{Data: AdapterOf(d.scoring())}
	return true
}

// judging adds a program that judges to a folder of the new package. The program must
// be made with testlib.
func (d *draft) judging(what, name, folder string) error {
	files, err := d.sources(name)
	if err != nil {
		return err
	}
	if !d.adapt(files) {
		return problem.Defectf(d.where(name), "the %s does not include testlib.h: expected one in C++ that does", what)
	}
	for file, f := range files {
		d.files[folder+"/"+file] = f
	}
	return nil
}

// validator adds a validator to a folder of the new package. The program is made with
// testlib, or [ValidatorAdapter] makes it follow the conventions of testlib.
func (d *draft) validator(what, name, folder string) error {
	if _, restored, err := d.restored(name, folder); restored || err != nil {
		return err
	}
	return d.judging(what, name, folder)
}

// outputValidator adds the output validator and its arguments, which may be those of the
// default one.
func (d *draft) outputValidator(what, name string) error {
	args, restored, err := d.restored(name, "output_validator")
	if restored {
		d.validatorArgs = args
	}
	if restored || err != nil {
		return err
	}
	return d.judging(what, name, "output_validator")
}

// restored adds the validator that an exported program is made of, and returns its
// arguments. It adds nothing for the default output validator. It returns false for other
// programs.
func (d *draft) restored(name, folder string) (args []string, ok bool, err error) {
	text, err := d.read(name, maxSource)
	if err != nil {
		return nil, false, err
	}
	if args, ok := defaultCheckerArgs(text); ok {
		return args, true, nil
	}
	source, args, ok := unadapted(text)
	if !ok {
		return nil, false, nil
	}
	files, err := d.sources(path.Join(path.Dir(name), source))
	for file, f := range files {
		if file == source {
			file = strings.TrimSuffix(file, sourceAsHeader)
		}
		d.files[folder+"/"+file] = f
	}
	return args, true, err
}

// A wrappedProgram is a program in C or C++ that the wrapper runs.
type wrappedProgram struct {
	what    string   // "checker" or "interactor"
	files   []string // of the other package; the first is the program
	folder  string   // of the new package
	defines string   // lines before the wrapper
	flags   string   // lines before each source
}

// wrapped adds a program that judges, with the wrapper.
func (d *draft) wrapped(w wrappedProgram) error {
	name := "program_package" + path.Ext(w.files[0])
	for _, from := range w.files {
		files, err := d.sources(from)
		if err != nil {
			return err
		}
		if _, ok := files[name]; ok {
			return problem.Defectf(d.where(from), "the %s has a file named %s: expected another name", w.what, name)
		}
		for file, f := range files {
			if w.flags != "" && !slices.Contains(headerExtensions, path.Ext(file)) {
				f = archive.File{Data: slices.Concat([]byte(w.flags), f.Data)}
			}
			d.files[w.folder+"/"+file] = f
		}
	}
	d.files[w.folder+"/"+name] = archive.File{Data: slices.Concat([]byte(w.defines), wrapper)}
	return nil
}

// generator adds a generator and returns its name.
func (d *draft) generator(name string) (string, error) {
	base := path.Base(name)
	id := strings.TrimSuffix(base, path.Ext(base))
	if d.programs[id] != nil {
		return id, nil
	}
	files, err := d.sources(name)
	if err != nil {
		return "", err
	}
	names := []string{base}
	for file, f := range files {
		if file != base {
			names = append(names, file)
		}
		d.files["generators/"+file] = f
	}
	slices.Sort(names[1:])
	d.programs[id] = names
	return id, nil
}
