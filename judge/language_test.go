package judge

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"crucible/judge/build"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// common are the languages that are tried outside the matrix: compiled and interpreted ones.
var common = []string{"c", "cpp", "python3"}

// TestLanguages checks each language that this machine has: it builds and runs
// the hello program, rejects a broken program, and reports a crash and an endless
// loop. With CRUCIBLE_REQUIRE_LANGUAGES, as in CI, a language that Debian has
// packages for must exist.
func TestLanguages(t *testing.T) {
	if testkit.Raced {
		t.Skip("runs every compiler, for a minute; the race detector sees nothing in that which other tests do not show it")
	}
	cache := testkit.Cache(t)
	archive, err := txtar.ParseFile("testdata/languages.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tried := make(map[string][]byte)
	for _, f := range archive.Files {
		tried[f.Name] = f.Data
	}
	for l := range language.Builtin.Each {
		t.Run(l.Code, func(t *testing.T) {
			if !slices.Contains(common, l.Code) {
				testkit.InMatrix(t)
			}
			t.Parallel()
			runner := &testkit.Witness{}
			t.Cleanup(func() { runner.Close() })
			w := &build.Builder{Runner: runner, Cache: cache, Tools: build.Toolchains{Cache: cache}}
			tc, err := w.Tools.Find(t.Context(), l)
			if err != nil {
				if os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "" && l.Debian != "" {
					t.Fatalf("%v; Debian has it in %s", err, l.Debian)
				}
				t.Skip(err)
			}
			if err := w.Prove(t.Context(), l); err != nil {
				t.Error("hello:", err)
			}
			allowed(t, l, tc, cache, slices.Concat(slices.Collect(maps.Values(runner.Seen))...))
			tryProgram(t, w, l, below(tried, l.Code+"/program"))
			tryBroken(t, w, l, below(tried, l.Code+"/broken"), tried["broken"])
			if several := below(tried, l.Code+"/several/"); len(several) > 0 {
				trySeveral(t, w, l, several)
			}
			tryDefined(t, w, l, below(tried, l.Code+"/defined"))
		})
	}
}

// allowed checks the folders that the compiler and the hello program can use. The
// built program and a runtime outside of the system's folders can be read when a
// program runs. Go's compiler reads its cache and does not write to it.
func allowed(t *testing.T, l *language.Language, tc build.Toolchain, cache string, ran []sandbox.Cmd) {
	home, _ := os.UserHomeDir()
	for _, f := range tc.Folders {
		if build.Within(home, f) || !filepath.IsAbs(f) {
			t.Errorf("it needs %s, which is no less than the home folder %s", f, home)
		}
	}
	for _, tool := range []string{tc.Compiler, tc.Runtime} {
		if tool != "" && !sandbox.OfMachine(build.Resolved(tool)) && !slices.ContainsFunc(tc.Folders, func(f string) bool { return build.Within(tool, f) }) {
			t.Errorf("%s lies in none of %v", tool, tc.Folders)
		}
	}
	for _, c := range ran {
		if slices.ContainsFunc(c.Writes, func(f string) bool { return filepath.Base(f) == "go-build" }) {
			t.Errorf("%v may write to %v", c.Args, c.Writes)
		}
		for _, f := range c.Reads {
			if build.Within(filepath.Join(cache, "programs"), f) || build.Within(home, f) {
				t.Errorf("%v may read %s", c.Args, f)
			}
		}
	}
	// Compilers may have prepared files for later sources, too.
	ran = slices.DeleteFunc(ran, func(c sandbox.Cmd) bool { return preparation.MatchString(strings.Join(c.Args, " ")) })
	want := 1 + min(len(l.Compile), 1)
	if l.Module {
		want++ // Go's linker
	}
	if len(ran) != want {
		t.Errorf("%d programs ran, want %d: compiler, linker and hello", len(ran), want)
	}
}

// preparation matches commands that make or check an archive of javac's classes or a
// precompiled header.
var preparation = regexp.MustCompile(`-J-XX:ArchiveClassesAtExit=|-J-Xshare:on|-x c\+\+-header`)

// below returns the files whose names begin with prefix, by the last part of the
// name.
func below(files map[string][]byte, prefix string) map[string][]byte {
	found := make(map[string][]byte)
	for name, data := range files {
		if strings.HasPrefix(name, prefix) {
			found[path.Base(name)] = data
		}
	}
	return found
}

// tryProgram checks how a program obeys each word.
func tryProgram(t *testing.T, w *build.Builder, l *language.Language, files map[string][]byte) {
	p := mustBuild(t, w, l, files, "")
	limit := 10 * time.Second // some interpreters take a second to start on a busy machine
	for _, c := range []struct {
		word string
		want problem.Verdict
	}{{"hello", ""}, {"crash", problem.RuntimeError}, {"loop", problem.TimeLimit}} {
		o, out := runBuilt(t, w, p, c.word, limit+limit/10)
		v, why, err := verdictOf(o, problem.Limits{Time: limit})
		if v != c.want || err != nil {
			t.Errorf("told to %s: %q, %q, %v, exit %d, printed %q; want %q", c.word, v, why, err, o.Exit, out, c.want)
		}
		if c.word == "hello" && out != "hello\n" {
			t.Errorf("told to hello: printed %q", out)
		}
		if c.word == "crash" {
			// Enough to start and loop. A larger limit would only take time,
			// because all programs loop until the limit.
			limit = 100*time.Millisecond + 2*o.CPU
		}
	}
}

// tryBroken checks that the compiler rejects a broken program: the language's own
// broken file, or the usual one, which is wrong in most languages.
func tryBroken(t *testing.T, w *build.Builder, l *language.Language, own map[string][]byte, usual []byte) {
	if l.Compile == nil {
		return
	}
	if len(own) == 0 {
		own = map[string][]byte{"broken" + l.Ext(): usual}
	}
	p, c, err := w.Build(t.Context(), build.Source{What: "broken", Files: own, Language: l, Memory: 1 << 30}, build.Usual)
	if err != nil || p != nil || c.Exit <= 0 || c.Message == "" {
		t.Errorf("no program: %+v, %v; want a refusal that says why", c, err)
	}
}

// trySeveral checks where a program of several files starts.
func trySeveral(t *testing.T, w *build.Builder, l *language.Language, files map[string][]byte) {
	starts := map[string]string{"": "hello\n"}
	for name := range files {
		if strings.TrimSuffix(name, path.Ext(name)) == "other" {
			starts[name], starts[mustBuild(t, w, l, files, name).Entry] = "other\n", "other\n"
		}
	}
	for entry, want := range starts {
		p := mustBuild(t, w, l, files, entry)
		if o, out := runBuilt(t, w, p, "", 10*time.Second); o.Exit != 0 || out != want {
			t.Errorf("entry point %q: exit %d, printed %q; want %q", entry, o.Exit, out, want)
		}
	}
	if l.Entry == nil {
		return
	}
	_, _, err := w.Build(t.Context(), build.Source{What: "several", Files: files, Language: l, Entry: "Nowhere", Memory: 1 << 30}, build.Usual)
	if err == nil || !strings.Contains(err.Error(), `entry point "Nowhere" is no `) {
		t.Errorf("an entry point that is not there: %v", err)
	}
}

// tryDefined checks that ONLINE_JUDGE is defined for submissions, and for nothing else.
func tryDefined(t *testing.T, w *build.Builder, l *language.Language, files map[string][]byte) {
	if len(files) == 0 {
		if l.Define != nil || l.DefineRun != nil {
			t.Errorf("it has no program that checks %q", slices.Concat(l.Define, l.DefineRun))
		}
		return
	}
	for submission, want := range map[bool]string{false: "local\n", true: "judged\n"} {
		p, c, err := w.Build(t.Context(), build.Source{What: "defined", Files: files, Language: l, Memory: 1 << 30, Submission: submission}, build.Usual)
		if err != nil || p == nil || c.Message != "" && l.Define != nil {
			t.Errorf("submission %v: %+v, %v; want it built without a message", submission, c, err)
		} else if o, out := runBuilt(t, w, p, "", 5*time.Second); o.Exit != 0 || out != want {
			t.Errorf("submission %v: exit %d, printed %q; want %q", submission, o.Exit, out, want)
		}
	}
}

// TestOnlineJudgeIsDefined compares the table with what large judges define: Codeforces
// and AtCoder by symbols of conditional compilation (also of Rust, D, Pascal and C#),
// DOMjudge as contests set it up, with Haskell and Swift in addition, and a property of
// the Java virtual machine or an environment variable for the rest.
func TestOnlineJudgeIsDefined(t *testing.T) {
	want := map[string]string{
		"c": "-DONLINE_JUDGE", "cgmp": "-DONLINE_JUDGE", "cpp": "-DONLINE_JUDGE", "cppgmp": "-DONLINE_JUDGE", "objectivec": "-DONLINE_JUDGE",
		"haskell": "-DONLINE_JUDGE", "swift": "-DONLINE_JUDGE", "pascal": "-dONLINE_JUDGE", "csharp": "-d:ONLINE_JUDGE", "d": "-version=ONLINE_JUDGE",
		"rust": "--cfg ONLINE_JUDGE", "java": "-DONLINE_JUDGE=true", "kotlin": "-DONLINE_JUDGE=true", "scala": "-DONLINE_JUDGE=true",
	}
	for l := range language.Builtin.Each {
		s := l.ForSubmissions()
		if got := strings.Join(slices.Concat(l.Define, l.DefineRun), " "); got != want[l.Code] {
			t.Errorf("%s: defined by %q, want %q", l.Code, got, want[l.Code])
		}
		if !slices.Equal(s.Flags, slices.Concat(l.Define, l.Flags)) || l.Define != nil && !slices.Contains(l.Compile, "{flags}") {
			t.Errorf("%s: submissions are compiled with %q by %q", l.Code, s.Flags, l.Compile)
		}
		if l.DefineRun != nil && s.Run[1] != l.DefineRun[0] || len(s.Run) != len(l.Run)+len(l.DefineRun) {
			t.Errorf("%s: submissions are run by %q", l.Code, s.Run)
		}
		if !slices.Contains(s.ProgramEnv, "ONLINE_JUDGE=1") || slices.Contains(l.ProgramEnv, "ONLINE_JUDGE=1") {
			t.Errorf("%s: environment of submissions %q, of others %q", l.Code, s.ProgramEnv, l.ProgramEnv)
		}
	}
}

func mustBuild(t *testing.T, w *build.Builder, l *language.Language, files map[string][]byte, entry string) *build.Program {
	t.Helper()
	p, c, err := w.Build(t.Context(), build.Source{What: strings.Join(slices.Sorted(maps.Keys(files)), " "), Files: files, Language: l, Entry: entry, Memory: 1 << 30}, build.Usual)
	if err != nil || p == nil {
		t.Fatalf("%v, entry point %q: %+v, %v; want it built", slices.Sorted(maps.Keys(files)), entry, c, err)
	}
	return p
}

// runBuilt runs a program like a submission, for at most the given CPU time.
func runBuilt(t *testing.T, w *build.Builder, p *build.Program, word string, most time.Duration) (sandbox.Outcome, string) {
	t.Helper()
	dir, err := p.Folder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	o, err := w.Runner.Run(context.WithoutCancel(t.Context()), sandbox.Cmd{
		Args: p.Args, Dir: dir, Reads: p.Reads, AddEnv: p.Env, Stdin: strings.NewReader(word + "\n"), Stdout: &out, Stderr: &said,
		Limits: sandbox.Limits{CPU: most, Wall: 20 * time.Second, Memory: 1 << 30, Output: 1 << 16, Processes: build.MaxProcesses},
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Exit != 0 && word == "" {
		t.Log(said.String())
	}
	return o, out.String()
}

// TestLanguagesAreTheFormats compares the table with the format's, for the
// languages that this judge has.
func TestLanguagesAreTheFormats(t *testing.T) {
	seen := make(map[string]string)
	for _, l := range language.Builtin.All() {
		if !slices.Contains(problem.FormatLanguages, l.Code) {
			t.Errorf("%s is no code of the format", l.Code)
		}
		for _, ext := range l.Exts {
			if seen[ext] != "" {
				t.Errorf("files in %s are %s and %s", ext, seen[ext], l.Code)
			}
			seen[ext] = l.Code
		}
	}
	for _, l := range language.Builtin.All() {
		for _, ext := range l.Shared {
			if slices.Contains(l.Exts, ext) {
				t.Errorf("%s has %s twice", l.Code, ext)
			}
		}
		for _, entry := range l.Entry {
			if !l.Writes(path.Ext(entry)) {
				t.Errorf("%s starts at %s, which is no file of it", l.Code, entry)
			}
		}
	}
}

func TestEntryPoints(t *testing.T) {
	for _, c := range []struct{ name, code, files, given, entry, err string }{
		{"one file is the entry", "python3", "x.py", "", "x.py", ""},
		{"main.py among several", "python3", "a.py main.py", "", "main.py", ""},
		{"a package of Python", "python3", "__init__.py __main__.py", "", "__main__.py", ""},
		{"no default among several", "python3", "a.py b.py", "", "", "no entry point"},
		{"submissions.yaml decides", "python3", "a.py b.py", "b.py", "b.py", ""},
		{"a file that is not there", "python3", "a.py b.py", "c.py", "", `entry point "c.py" is no file of it`},
		{"no file of the language", "python3", "a.txt b.txt", "", "", "no file has an extension of Python 3: expected .py or .py3"},
		{"all of C++ is one program", "cpp", "b.cpp a.cpp", "", "a.cpp", ""},
		{"the file of Java's main class", "java", "A.java Main.java", "", "Main.java", ""},
		{"a class is known after compilation", "java", "A.java B.java", "B", "B", ""},
		{"a file of Java", "java", "A.java B.java", "B.java", "B.java", ""},
		{"a crate", "rust", "main.rs util.rs", "", "main.rs", ""},
		{"headers do not count", "c", "a.c a.h", "", "a.c", ""},
		{"the file of Kotlin's MainKt", "kotlin", "Main.kt other.kt", "", "Main.kt", ""},
		{"so is main.kt", "kotlin", "main.kt other.kt", "", "main.kt", ""},
		{"Perl's files in .pl", "perl", "main.pl Dlx.pm", "", "main.pl", ""},
		{"Lisp's main.cl", "lisp", "main.cl dlx.lisp", "", "main.cl", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := make(map[string][]byte)
			for _, name := range strings.Fields(c.files) {
				files[name] = nil
			}
			_, got, err := language.Builtin.ByCode(c.code).Arrange(files, c.given)
			if got != c.entry || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("lay = %q, %v; want %q, …%s…", got, err, c.entry, c.err)
			}
		})
	}
}

// TestOneFile checks the name and the entry point of a single file: a compiler may
// require another name.
func TestOneFile(t *testing.T) {
	for _, c := range []struct{ code, name, text, file, entry string }{
		{"java", "dlx.java", "public class Foo {}", "Foo.java", "Foo.java"},
		{"java", "dlx.java", "class Foo {}", "dlx.java", "dlx.java"},
		{"kotlin", "dlx.kt", "fun main() {}", "dlx.kt", "dlx.kt"},
		{"scala", "dlx.scala", "object A", "dlx.scala", "dlx.scala"},
		{"ada", "dlx.adb", "with Ada;\nprocedure Exact_Cover is", "exact_cover.adb", "exact_cover.adb"},
		{"erlang", "dlx.erl", "-module(cover).", "cover.erl", "cover.erl"},
		{"nim", "exact-cover.nim", "", "main.nim", "main.nim"},
		{"cpp", "dlx.txt", "", "dlx.cc", "dlx.cc"},
		{"python3", "dlx.py", "", "dlx.py", "dlx.py"},
	} {
		for _, given := range []string{"", c.name} {
			for _, beside := range []string{"", "README"} {
				files := map[string][]byte{c.name: []byte(c.text)}
				if beside != "" && language.Builtin.ByCode(c.code).Writes(path.Ext(c.name)) {
					files[beside] = nil
				}
				files, entry, err := language.Builtin.ByCode(c.code).Arrange(files, given)
				if _, ok := files[c.file]; !ok || entry != c.entry || err != nil {
					t.Errorf("%s, given %q, beside %q: %v, entry %q, %v; want %s, %q", c.text, given, beside, slices.Collect(maps.Keys(files)), entry, err, c.file, c.entry)
				}
			}
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for files, want := range map[string]string{
		"a.cc": "cpp", "a.C": "cpp", "a.c": "c", "a.py3": "python3", "a.cpp a.h": "cpp", "a.go go.mod": "go",
		"a.kt": "kotlin", "a.pl": "prolog", "a.pm": "perl", "a.py": "python3", "a.cl": "lisp", "a.m": "objectivec",
		"a.bash": "bash", "a.f95": "fortran", "a.mjs": "javascript", "a.js b.mjs": "javascript", "a.cpp b.bash": "cpp", "a.mjs b.bash": "",
		"a.c b.cpp": "", "README": "", "a.txt": "", "a.vb": "",
	} {
		l, why := language.Builtin.Of(strings.Fields(files))
		if (l == nil) != (want == "") || l != nil && l.Code != want || (l == nil) != (why != "") {
			t.Errorf("languageOf(%s) = %v, %q; want %q", files, l, why, want)
		}
	}
}

func TestFirstLineOfAnotherPython(t *testing.T) {
	const two, three = "#!/usr/bin/env python2\nprint 1\n", "#!/usr/bin/env python3\nprint(1)\n"
	for _, c := range []struct {
		fact  string
		files fstest.MapFS
		want  string
	}{
		{"an extension of Python 3 is Python 3", fstest.MapFS{"s/a.py": {Data: []byte("print(1)\n")}}, "python3"},
		{"a first line of Python 3 says no more", fstest.MapFS{"s/a.py": {Data: []byte(three)}}, "python3"},
		{"#! with python2 is Python 2", fstest.MapFS{"s/a.py": {Data: []byte(two)}}, "python2"},
		{"so is its path and version", fstest.MapFS{"s/a.py": {Data: []byte("#!/usr/bin/python2.7 -O\n")}}, "python2"},
		{"python alone is either", fstest.MapFS{"s/a.py": {Data: []byte("#!/usr/bin/python\n")}}, "python3"},
		{"the second line says nothing", fstest.MapFS{"s/a.py": {Data: []byte("\n" + two)}}, "python3"},
		{"an extension of Python 3 alone is believed", fstest.MapFS{"s/a.py3": {Data: []byte(two)}}, "python3"},
		{"every file of a program must say so", fstest.MapFS{"s/main.py": {Data: []byte(two)}, "s/b.py": {Data: []byte("x = 1\n")}}, "python3"},
		{"and then it is so", fstest.MapFS{"s/main.py": {Data: []byte(two)}, "s/b.py": {Data: []byte(two)}, "s/data.txt": {}}, "python2"},
		{"other languages have no such lines", fstest.MapFS{"s/a.sh": {Data: []byte(two)}}, "bash"},
	} {
		t.Run(c.fact, func(t *testing.T) {
			var found problem.Defects
			program := problem.ReadProgram(c.files, "s", &found)
			if program == nil {
				t.Fatal(found.Errs)
			}
			s := &problem.Submission{Program: *program, Problem: &problem.Problem{}}
			if problem.Identify(s); s.Language == nil || s.Language.Code != c.want {
				t.Errorf("identify = %v, want %s", s.Language, c.want)
			}
		})
	}
}
