package language

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"crucible/judge/terminal"
)

// A Language describes how the judge detects, builds and runs a programming
// language. Commands may contain these names:
//
//   - {compiler} and {runtime}: the tools found on this machine
//   - {home}: the folder above that of the compiler
//   - {files}: the source files
//   - {flags}: the compiler flags of Flags and Static
//   - {entry}: the file in the working folder at which the program starts
//   - {stem}: the same without extension
//   - {class}: the class at which the program starts
//   - {bin}: the program to write
//   - {dir}: the folder of the built program
//   - {heap}: a heap size in MiB that leaves the runtime enough of the memory limit
//   - {package}: for a Go module, the only source file or the folder
//
// Env may contain {cache}, the cache of the compiler.
type Language struct {
	Code      string   // of the format's table of languages: "cpp"
	Name      string   // for messages: "C++"
	Exts      []string // file extensions that identify the language
	Shared    []string // further extensions, which identify another language: submissions.yaml must name this one
	Elsewhere []string // extensions that other judges use for it; tried if no file has one of Exts of any language
	// Regular expression for the first line that identifies files with Shared extensions as
	// this language; "" for none.
	FirstLine string
	Debian    string   // Debian packages of its tools, separated by spaces; "" if there are none
	Compilers []string // the first one on the PATH is {compiler}
	Runtimes  []string // the first one on the PATH is {runtime}; without Compilers, its newest version there
	Version   []string // arguments with which the compiler, or else the runtime, prints its version
	Library   []string // arguments with which a tool fails if it lacks a required library; nil if none is required
	Real      []string // arguments with which a tool prints its real path, if the one on the PATH is only a front end
	RealTail  string   // path to append to the output of Real
	// Arguments with which a tool prints its installation folders, one per line; nil means the
	// folder above that of the tool.
	Prefix  []string
	Reads   []string          // files and folders that the tools read, besides programs and libraries, if they exist
	Compile []string          // command that builds in the folder of the sources, or checks their syntax; nil for none
	Support map[string][]byte // files of Compile in {dir}/tmp, by name
	Flags   []string          // compiler flags that decide the meaning and the speed of programs
	// Compiler flags after Flags with which it links programs that need no shared libraries. They
	// are used on Linux, if the hello program builds and runs with them. nil if programs are
	// linked as the compiler does by default.
	Static    []string
	Define    []string // compiler flags before Flags with which only submissions are compiled: they define ONLINE_JUDGE
	DefineRun []string // arguments of {runtime} with which only submissions run: they define ONLINE_JUDGE
	// Compiler flags with which programs report undefined behaviour and wrong use of memory,
	// and end; nil if the compiler has none.
	Sanitizer  []string
	ProgramEnv []string // environment variables of programs, in addition to the usual ones; with the names of commands
	Headers    []string // headers that GCC precompiles for sources that start by including one of them
	// Source that needs most classes of a compiler that runs on a Java virtual machine, which
	// archives them; "" if there is no such compiler, or if the archive does not pay.
	Typical string
	NoMark  bool // the compiler refuses a byte-order mark before the text: it is left out
	Beside  bool // the compiler writes files beside the sources
	// The compiler builds the folder as a package of a Go module: it needs a go.mod and a cache
	// of its library, but no build script.
	Module    bool
	Run       []string // command that runs the program; nil means {bin}
	Env       []string // environment variables for Compile, in addition to the usual ones
	OpenFiles int      // number of files that each process of a program may open; 0 means the sandbox's default
	// Default entry points of programs of several files, the first one that exists counts; nil
	// means that all files together are the program.
	Entry []string
	// Program that prints "hello"; if it does not build and run, the rejection of a source is
	// an error of the judge.
	Hello string
	Empty string // program that does nothing, to measure the language's start-up time; "" if Hello takes no longer

	// Called returns the name without extension that the only file of a program must
	// have, given its name and its text, or "" if it need not be renamed. nil means any name.
	Called func(stem string, text []byte) string
}

// A Table is languages, in the order in which judge lang prints them. The zero Table is
// [Builtin]. A table does not change: what changes one returns another.
type Table struct {
	all []Language
}

// All returns the languages of the table, which must not be modified.
func (t Table) All() []Language {
	if t.all == nil {
		return builtin
	}
	return t.all
}

// Each is a sequence of the languages of the table.
func (t Table) Each(yield func(*Language) bool) {
	all := t.All()
	for i := range all {
		if !yield(&all[i]) {
			return
		}
	}
}

// Codes returns the codes of the languages of the table.
func (t Table) Codes() []string {
	return terminal.Texts(t.All(), func(l Language) string { return l.Code })
}

// ByCode returns the language with that code, which must not be modified, or nil.
func (t Table) ByCode(code string) *Language {
	for l := range t.Each {
		if l.Code == code {
			return l
		}
	}
	return nil
}

// Command returns the command that runs a program of the language.
func (l *Language) Command() []string {
	if l.Run == nil {
		return []string{"{bin}"}
	}
	return l.Run
}

// ForSubmissions returns the language with which submissions are compiled and run.
// Large judges define ONLINE_JUDGE for them: as a symbol of conditional compilation, a
// property of the Java virtual machine, or else an environment variable. Programs use
// their own files where it is not defined.
func (l *Language) ForSubmissions() *Language {
	s := *l
	s.Flags = slices.Concat(l.Define, l.Flags)
	if l.startsRuntime() {
		s.Run = slices.Insert(slices.Clone(l.Run), 1, l.DefineRun...)
	}
	s.ProgramEnv = slices.Concat(l.ProgramEnv, []string{"ONLINE_JUDGE=1"})
	return &s
}

// LinksStatically reports whether the language has flags for it, and its other flags do not
// decide how programs are linked.
func (l *Language) LinksStatically() bool {
	return len(l.Static) > 0 && slices.Contains(l.Compile, "{flags}") && !slices.ContainsFunc(l.Flags, decidesLink)
}

// Dynamic returns the language without its flags of Static.
func (l *Language) Dynamic() *Language {
	d := *l
	d.Static = nil
	return &d
}

// decidesLink reports whether a compiler flag decides how programs are linked. No
// sanitizer can be linked statically.
func decidesLink(flag string) bool {
	return slices.ContainsFunc([]string{"-static", "-shared", "-pie", "-no-pie", "-rdynamic", "-fsanitize="},
		func(prefix string) bool { return strings.HasPrefix(flag, prefix) })
}

// startsRuntime reports whether programs of the language run by {runtime}.
func (l *Language) startsRuntime() bool { return len(l.Run) > 0 && l.Run[0] == "{runtime}" }

// Of returns the only language of a program's files by their extensions, or the
// reason why there is none. Files of no known language (headers, data) are ignored.
func (t Table) Of(files []string) (*Language, string) {
	found := t.having(files, func(l *Language) []string { return l.Exts })
	if found == nil {
		found = t.having(files, func(l *Language) []string { return l.Elsewhere })
	}
	switch {
	case len(found) > 1:
		return nil, fmt.Sprintf("files of two languages, %s and %s; submissions.yaml can name one", found[0].Name,
			found[1].Name)
	case found != nil:
		return found[0], ""
	case len(files) == 1:
		return nil, fmt.Sprintf("no language of this judge has the extension %q", path.Ext(files[0]))
	}
	return nil, "no file has the extension of a language of this judge"
}

// Ambiguous reports whether the files have extensions in Exts of several languages.
func (t Table) Ambiguous(files []string) bool {
	return len(t.having(files, func(l *Language) []string { return l.Exts })) > 1
}

// having returns the languages for which exts contains the extension of one of the
// files, in the order of the table.
func (t Table) having(files []string, exts func(*Language) []string) (all []*Language) {
	for l := range t.Each {
		if slices.ContainsFunc(files, func(name string) bool { return slices.Contains(exts(l), path.Ext(name)) }) {
			all = append(all, l)
		}
	}
	return all
}

// Sources returns the files with an extension of the language, sorted by name.
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

// Writes reports whether the extension is one of the language.
func (l *Language) Writes(ext string) bool {
	return slices.Contains(l.Exts, ext) || slices.Contains(l.Shared, ext) || slices.Contains(l.Elsewhere, ext)
}

// Ext returns the usual file extension of the language, with the dot.
func (l *Language) Ext() string { return append(slices.Clone(l.Exts), l.Shared...)[0] }

// StartsAtClass reports whether the language's programs start at a class, which is known
// only after compilation, and not at a file.
func (l *Language) StartsAtClass() bool { return slices.Contains(l.Run, "{class}") }

// Arrange returns a program's files under the names that the compiler requires, and
// the entry point: a file, or the given class if the language starts at classes. A program
// of one file, or of one source file among others, starts there. Otherwise the entry
// point is given, or else the default of the table of languages; if the language has
// none, all files are compiled together. The error is for files that form no program
// in the language. The map files is not modified.
func (l *Language) Arrange(files map[string][]byte, given string) (laid map[string][]byte, entry string, err error) {
	files = maps.Clone(files)
	of := l.Sources(slices.Sorted(maps.Keys(files)))
	only := "" // the only source file
	switch {
	case len(files) == 1:
		only = slices.Sorted(maps.Keys(files))[0]
	case len(of) == 1:
		only = of[0]
	}
	if only != "" {
		as := path.Join(path.Dir(only), l.FileName(path.Base(only), files[only]))
		if text := files[only]; as != only {
			delete(files, only)
			files[as] = text
		}
		of = []string{as}
		if given == only {
			given = as
		}
	}
	if l.NoMark {
		for _, name := range of {
			files[name] = bytes.TrimPrefix(files[name], []byte(byteOrderMark))
		}
	}
	if _, ok := files[given]; ok || given != "" && l.StartsAtClass() {
		return files, given, nil
	}
	if given != "" {
		return nil, "", fmt.Errorf("entry point %q is no file of it", given)
	}
	if len(of) == 0 {
		return nil, "", fmt.Errorf("no file has an extension of %s: expected %s", l.Name,
			strings.Join(append(slices.Clone(l.Exts), l.Shared...), " or "))
	}
	if len(of) > 1 && l.Entry != nil {
		i := slices.IndexFunc(l.Entry, func(name string) bool { _, ok := files[name]; return ok })
		if i >= 0 {
			return files, l.Entry[i], nil
		}
		if !l.StartsAtClass() {
			return nil, "", fmt.Errorf("several files and no entry point: expected %s, or entrypoint in submissions.yaml",
				strings.Join(l.Entry, " or "))
		}
	}
	return files, of[0], nil
}

// FileName returns the name that a program's only file must have: the name that its
// text requires, with an extension of the language. The extension changes if
// submissions.yaml names another language than the file's.
func (l *Language) FileName(name string, text []byte) string {
	stem, ext := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	if !l.Writes(ext) {
		ext = l.Ext()
	}
	if l.Called != nil {
		if as := l.Called(stem, text); as != "" {
			stem = as
		}
	}
	return stem + ext
}
