package judge

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Language says how one programming language is recognised, built and run.
// In commands, {compiler} and {runtime} stand for the tools found on this
// machine, {files} for the source files, {entry} for the entry point in the
// working folder, {class}
// for the same without extension, {bin} for the program to be written, {dir}
// for the folder of the built program, {heap} for a heap size in MiB that
// leaves room for the runtime's own needs below the memory limit.
type Language struct {
	Code      string   // as in the format's languages table: "cpp"
	Name      string   // for people: "C++"
	Exts      []string // that mark a file as this language
	Compilers []string // the first on the PATH is {compiler}
	Runtimes  []string // the first on the PATH is {runtime}
	Version   []string // arguments that make the compiler, or else the runtime, tell its version
	Real      []string // arguments that make a tool tell where it really lies, when that on the PATH is a front
	RealTail  string   // what to add to the answer of Real
	Prefix    []string // arguments that make a tool tell the folders it is installed in, a line each; nil: the folder above that of the tool
	Compile   []string // builds in the folder of the sources, or checks their syntax; nil: nothing to do
	Run       []string
	Env       []string // for Compile, besides the usual
	Entry     []string // default entry points, for programs of several files; nil: all files together are the program
	ClassFile bool     // a public class decides its file's name
	Hello     string   // a program that prints "hello"; it must build before any refusal is believed
}

// languages is the table of languages; the order is that of judge lang. Flags
// follow the large judges: optimised, current standard, nothing machine
// specific, so that times on one machine speak for another.
var languages = []Language{
	{
		Code: "c", Name: "C", Exts: []string{".c"},
		Compilers: []string{"gcc", "clang", "cc"}, Version: []string{"--version"},
		Compile: []string{"{compiler}", "-O2", "-std=gnu17", "-o", "{bin}", "{files}", "-lm"},
		Run:     []string{"{bin}"},
		Hello:   "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n",
	},
	{
		Code: "cpp", Name: "C++", Exts: []string{".cc", ".cpp", ".cxx", ".c++", ".C"},
		Compilers: []string{"g++", "clang++", "c++"}, Version: []string{"--version"},
		Compile: []string{"{compiler}", "-O2", "-std=gnu++20", "-o", "{bin}", "{files}"},
		Run:     []string{"{bin}"},
		Hello:   "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }\n",
	},
	{
		Code: "go", Name: "Go", Exts: []string{".go"},
		Compilers: []string{"go"}, Version: []string{"version"}, Prefix: []string{"env", "GOROOT"},
		// One file is named, so that a build constraint does not hide it; a folder
		// is built as a package.
		Compile: []string{"{compiler}", "build", "-trimpath", "-o", "{bin}", "{package}"},
		Run:     []string{"{bin}"},
		Env: []string{
			"CGO_ENABLED=0", "GOPROXY=off", "GOENV=off", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on",
			"GOTOOLCHAIN=local", "GOCACHE={cache}/go-build", "GOPATH={cache}/gopath",
			// The index of the library lies in GOCACHE, which cannot be written to.
			"GODEBUG=goindex=0",
		},
		Hello: "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
	},
	{
		Code: "python3", Name: "Python 3", Exts: []string{".py", ".py3"}, Entry: []string{"main.py", "__main__.py"},
		Runtimes: []string{"python3"}, Version: []string{"--version"},
		Real:    []string{"-c", "import sys; print(sys.executable)"},
		Prefix:  []string{"-c", "import sys; print(sys.prefix); print(sys.base_prefix)"},
		Compile: []string{"{runtime}", "-B", "-c", pythonCheck, "{files}"},
		Run:     []string{"{runtime}", "-B", "{entry}"},
		Hello:   "print(\"hello\")\n",
	},
	{
		Code: "java", Name: "Java", Exts: []string{".java"}, Entry: []string{"Main.java"}, ClassFile: true,
		Compilers: []string{"javac"}, Runtimes: []string{"java"}, Version: []string{"-version"},
		// An annotation processor would be a program run by the compiler, and a file
		// of performance data nobody reads.
		Compile: []string{"{compiler}", "-encoding", "UTF-8", "-proc:none", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-d", "../bin", "{files}"},
		Run:     []string{"{runtime}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}m", "-Dfile.encoding=UTF-8", "-cp", "{dir}/bin", "{class}"},
		Hello:   "public class Main { public static void main(String[] a) { System.out.println(\"hello\"); } }\n",
	},
	{
		Code: "rust", Name: "Rust", Exts: []string{".rs"}, Entry: []string{"main.rs"},
		Compilers: []string{"rustc"}, Version: []string{"--version"},
		Real: []string{"--print", "sysroot"}, RealTail: "/bin/rustc", Prefix: []string{"--print", "sysroot"},
		Compile: []string{"{compiler}", "-O", "--edition", "2021", "--crate-name", "main", "-o", "{bin}", "{entry}"},
		Run:     []string{"{bin}"},
		Hello:   "fn main() { println!(\"hello\"); }\n",
	},
	{
		Code: "javascript", Name: "JavaScript", Exts: []string{".js"}, Entry: []string{"main.js"},
		Runtimes: []string{"node", "nodejs"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "--check", "{entry}"},
		Run:     []string{"{runtime}", "{entry}"},
		Hello:   "console.log(\"hello\");\n",
	},
	{
		Code: "bash", Name: "Bash", Exts: []string{".sh"}, Entry: []string{"main.sh"},
		Runtimes: []string{"bash"}, Version: []string{"--version"},
		Compile: []string{"{runtime}", "-n", "{entry}"},
		Run:     []string{"{runtime}", "{entry}"},
		Hello:   "echo hello\n",
	},
}

// pythonCheck refuses what does not parse, and writes nothing.
const pythonCheck = `import sys
for name in sys.argv[1:]:
    compile(open(name, "rb").read(), name, "exec")`

// Languages returns the table of languages.
func Languages() []Language { return slices.Clone(languages) }

// languageByCode returns the language of that code, or nil.
func languageByCode(code string) *Language {
	i := slices.IndexFunc(languages, func(l Language) bool { return l.Code == code })
	if i < 0 {
		return nil
	}
	return &languages[i]
}

// languageOf returns the one language of a program's files by their
// extensions, or why there is none. Files of no known language (headers, data)
// do not count.
func languageOf(files []string) (*Language, string) {
	var found *Language
	for _, name := range files {
		for i := range languages {
			l := &languages[i]
			if !slices.Contains(l.Exts, path.Ext(name)) {
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
	if len(files) == 1 {
		return nil, fmt.Sprintf("no language of this judge has the extension %q", path.Ext(files[0]))
	}
	return nil, "no file has the extension of a language of this judge"
}

// identify settles a submission's language, unless submissions.yaml did. A
// language that the problem does not allow, or files of two languages, are the
// package's mistake; a language that this judge does not have is nobody's.
func identify(s *Submission) {
	if s.Language == nil && s.Unusable == "" && s.unreadable == nil {
		var why string
		if s.Language, why = languageOf(s.Files); s.Language == nil {
			if len(extensions(s.Files)) > 1 {
				s.unreadable = &Defect{File: where(s.fsys, s.Path), Msg: why}
			} else {
				s.Unusable = why
			}
		}
	}
	if s.Language != nil && s.Problem.Languages != nil && !slices.Contains(s.Problem.Languages, s.Language.Code) {
		s.unreadable = &Defect{File: where(s.fsys, s.Path), Msg: fmt.Sprintf("the problem does not allow %s, only %s", s.Language.Name, strings.Join(s.Problem.Languages, ", "))}
	}
}

// extensions lists the languages, by code, that the files are of.
func extensions(files []string) []string {
	var codes []string
	for i := range languages {
		if len(languages[i].sources(files)) > 0 {
			codes = append(codes, languages[i].Code)
		}
	}
	return codes
}

// sources returns the files that are of the language, in order.
func (l *Language) sources(files []string) []string {
	var of []string
	for _, name := range files {
		if slices.Contains(l.Exts, path.Ext(name)) {
			of = append(of, name)
		}
	}
	slices.Sort(of)
	return of
}

var (
	publicClass = regexp.MustCompile(`(?m)^\s*public\s+(?:(?:final|abstract|strictfp|sealed)\s+)*class\s+(\w+)`)
	mainClass   = regexp.MustCompile(`(?m)\bclass\s+Main\b`)
)

// entryPoint returns the file that a program of the language starts at. A
// program of one file starts there; otherwise the default of the languages
// table does, or every file is compiled and the compiler finds the entry.
func (l *Language) entryPoint(files map[string][]byte, given string) (string, error) {
	if given != "" {
		if l.ClassFile && path.Ext(given) == "" {
			given += l.Exts[0]
		}
		return given, nil
	}
	of := l.sources(sortedKeys(files))
	if len(files) == 1 {
		of = sortedKeys(files)
	}
	if len(of) == 1 {
		return of[0], nil
	}
	for _, name := range l.Entry {
		if _, ok := files[name]; ok {
			return name, nil
		}
	}
	if l.Entry == nil && len(of) > 0 {
		return of[0], nil
	}
	return "", fmt.Errorf("several files and no entry point: want %s, or entrypoint in submissions.yaml", strings.Join(l.Entry, " or "))
}

// rename returns the files under the names the compiler wants them to have:
// javac insists that a public class lies in a file of its name, and all of them
// that a single file has an extension of the language, which submissions.yaml
// can overrule.
func (l *Language) rename(files map[string][]byte, entry string) (map[string][]byte, string) {
	if len(files) != 1 || files[entry] == nil {
		return files, entry
	}
	if !slices.Contains(l.Exts, path.Ext(entry)) {
		as := strings.TrimSuffix(entry, path.Ext(entry)) + l.Exts[0]
		files, entry = map[string][]byte{as: files[entry]}, as
	}
	if !l.ClassFile {
		return files, entry
	}
	name := strings.TrimSuffix(entry, path.Ext(entry))
	if m := publicClass.FindSubmatch(files[entry]); m != nil {
		name = string(m[1])
	} else if mainClass.Match(files[entry]) {
		name = "Main"
	}
	as := name + path.Ext(entry)
	return map[string][]byte{as: files[entry]}, as
}
