package language

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Language describes how the judge detects, builds and runs a programming
// language.
// In commands, {compiler} and {runtime} stand for the tools found on this
// machine, {home} for the folder above the compiler's own, {files} for the
// source files, {entry} for the file in the working folder that a program
// starts at, {stem} for the same without extension, {class} for the class that
// it starts at, {bin} for the program to be written, {dir} for the folder of
// the built program, {heap} for a heap size in MiB that leaves room for the
// runtime's own needs below the memory limit.
type Language struct {
	Code      string   // as in the format's languages table: "cpp"
	Name      string   // for people: "C++"
	Exts      []string // that mark a file as this language
	Shared    []string // further ones of its files, which mark them as another language's: submissions.yaml must name this one
	Elsewhere []string // extensions that other judges know it by; asked where none of the format's is there
	FirstLine string   // expression for the first line that makes files of Shared extensions this language's, too; "" is none
	Debian    string   // the packages of Debian that have its tools, separated by spaces; "" if none does
	Compilers []string // the first on the PATH is {compiler}
	Runtimes  []string // the first on the PATH is {runtime}
	Version   []string // arguments that make the compiler, or else the runtime, tell its version
	Library   []string // arguments at which a tool fails that lacks a library without which it is not this language's; nil: none is needed
	Real      []string // arguments that make a tool tell where it really lies, when that on the PATH is a front
	RealTail  string   // what to add to the answer of Real
	Prefix    []string // arguments that make a tool tell the folders it is installed in, a line each; nil: the folder above that of the tool
	Reads     []string // files and folders that the tools need besides programs and libraries, as far as they are there
	Compile   []string // builds in the folder of the sources, or checks their syntax; nil: nothing to do
	Beside    bool     // the compiler writes beside the sources
	Module    bool     // the compiler builds the folder as a package of a Go module: it needs a go.mod and a cache of its library, but no build script
	Run       []string
	Env       []string // for Compile, besides the usual
	OpenFiles int      // that each process of a program may have open; 0 is the sandbox's usual number
	Entry     []string // default entry points, for programs of several files; nil: all files together are the program
	Hello     string   // a program that prints "hello"; it must build before any refusal is believed
	Empty     string   // a program that does nothing, for the time that the language takes for itself; "" where Hello takes no longer to speak of

	// Called says by its text what a program's only file must be called, without
	// extension; "" or nil is any name.
	Called func(text []byte) string

	// Class says by name, without extension, and text which class a file is
	// started as. Nil: programs start at a file. An entry point is of this kind.
	Class func(name string, text []byte) string
}

// All returns the table of languages.
func All() []Language { return slices.Clone(Languages) }

// ByCode returns the language of that code, or nil.
func ByCode(code string) *Language {
	i := slices.IndexFunc(Languages, func(l Language) bool { return l.Code == code })
	if i < 0 {
		return nil
	}
	return &Languages[i]
}

// Of returns the one language of a program's files by their
// extensions, or why there is none. Files of no known language (headers, data)
// do not count.
func Of(files []string) (*Language, string) {
	for _, exts := range []func(*Language) []string{
		func(l *Language) []string { return l.Exts },
		func(l *Language) []string { return l.Elsewhere },
	} {
		var found *Language
		for _, name := range files {
			for i := range Languages {
				l := &Languages[i]
				if !slices.Contains(exts(l), path.Ext(name)) {
					continue
				}
				if found != nil && found != l {
					return nil, fmt.Sprintf("files of two languages, %s and %s; submissions.yaml can name one", found.Name, l.Name)
				}
				found = l
			}
		}
		if found != nil {
			return found, ""
		}
	}
	if len(files) == 1 {
		return nil, fmt.Sprintf("no language of this judge has the extension %q", path.Ext(files[0]))
	}
	return nil, "no file has the extension of a language of this judge"
}

// Extensions returns the codes of the languages of the files.
func Extensions(files []string) []string {
	var codes []string
	for _, l := range Languages {
		if slices.ContainsFunc(files, func(name string) bool { return slices.Contains(l.Exts, path.Ext(name)) }) {
			codes = append(codes, l.Code)
		}
	}
	return codes
}

// Sources returns the files in the language, in order.
func (l *Language) Sources(files []string) []string {
	var of []string
	for _, name := range files {
		if l.Writes(path.Ext(name)) {
			of = append(of, name)
		}
	}
	slices.Sort(of)
	return of
}

// Writes reports whether files with the extension can be in the language.
func (l *Language) Writes(ext string) bool {
	return slices.Contains(l.Exts, ext) || slices.Contains(l.Shared, ext) || slices.Contains(l.Elsewhere, ext)
}

// Ext is what the name of a file of the language ends in.
func (l *Language) Ext() string { return append(slices.Clone(l.Exts), l.Shared...)[0] }

// Arrange returns a program's files under the names that the compiler wants them
// to have, and the entry point: a file, or a class where the language starts at
// those. A program of one file, or of one source beside other files, starts there; otherwise what is given decides,
// or the default of the languages table, or every file is compiled and the
// compiler finds the entry.
func (l *Language) Arrange(files map[string][]byte, given string) (laid map[string][]byte, entry string, err error) {
	of := l.Sources(slices.Sorted(maps.Keys(files)))
	only := "" // the file that the program is, whatever lies beside it
	switch {
	case len(files) == 1:
		only = slices.Sorted(maps.Keys(files))[0]
	case len(of) == 1:
		only = of[0]
	}
	if as := path.Join(path.Dir(only), l.FileName(path.Base(only), files[only])); only != "" && as != only {
		files = maps.Clone(files)
		files[as] = files[only]
		delete(files, only)
		of = []string{as}
		if given == only {
			given = as
		}
	}
	if given != "" {
		entry, err = l.given(files, given)
		return files, entry, err
	}
	if len(of) > 1 && l.Entry != nil {
		i := slices.IndexFunc(l.Entry, func(name string) bool { _, ok := files[name]; return ok })
		if i < 0 {
			return nil, "", fmt.Errorf("several files and no entry point: want %s, or entrypoint in submissions.yaml", strings.Join(l.Entry, " or "))
		}
		of = l.Entry[i:]
	}
	if len(of) == 0 {
		return nil, "", fmt.Errorf("no file has an extension of %s: want %s", l.Name, strings.Join(append(slices.Clone(l.Exts), l.Shared...), " or "))
	}
	return files, l.startOf(of[0], files[of[0]]), nil
}

// given checks the entry point that submissions.yaml names: a file, or a class,
// for which a file of it will do.
func (l *Language) given(files map[string][]byte, name string) (string, error) {
	if text, ok := files[name]; ok {
		return l.startOf(name, text), nil
	}
	if l.Class == nil {
		return "", fmt.Errorf("entry point %q is no file of it", name)
	}
	simple := name[strings.LastIndexByte(name, '.')+1:]
	declared, err := regexp.Compile(`\b(?:class|object|interface|enum|record|def)\s+` + regexp.QuoteMeta(simple) + `\b`)
	if err != nil {
		return "", err
	}
	for _, file := range l.Sources(slices.Sorted(maps.Keys(files))) {
		if l.startOf(file, files[file]) == name || declared.Match(files[file]) {
			return name, nil
		}
	}
	return "", fmt.Errorf("entry point %q is no class of it", name)
}

// startOf is what a program that starts at the file starts at.
func (l *Language) startOf(name string, text []byte) string {
	if l.Class == nil {
		return name
	}
	return l.Class(strings.TrimSuffix(path.Base(name), path.Ext(name)), text)
}

// FileName is the name that a program's only file gets: with an extension of the
// language, which submissions.yaml can overrule, and with the name that its
// text asks for.
func (l *Language) FileName(name string, text []byte) string {
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	if !l.Writes(ext) {
		ext = l.Ext()
	}
	if l.Called != nil {
		if as := l.Called(text); as != "" {
			stem = as
		}
	}
	return stem + ext
}
