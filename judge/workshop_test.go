package judge

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"crucible/judge/sandbox"
)

// counted counts the programs that a Runner runs.
type counted struct {
	Runner
	n atomic.Int64
}

func (c *counted) Run(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	c.n.Add(1)
	return c.Runner.Run(ctx, cmd)
}

func newWorkshop(t *testing.T, cache string) (*workshop, *counted) {
	t.Helper()
	process := new(sandbox.Sandbox)
	t.Cleanup(func() { process.Close() })
	runner := &counted{Runner: process}
	return &workshop{runner: runner, cache: cache, tools: toolchains{cache: cache}}, runner
}

var enough = Guarantee{Time: defaultCompiling, Memory: defaultGuaranteed}

func bashSource(text string) source {
	return source{what: "a.sh", files: map[string][]byte{"a.sh": []byte(text)}, language: languageByCode("bash")}
}

func TestNothingIsCompiledTwice(t *testing.T) {
	needs(t, "bash")
	cache := t.TempDir()
	first, n := newWorkshop(t, cache)
	if _, c, err := first.build(t.Context(), bashSource("echo 1\n"), enough); err != nil || c.Exit != 0 || c.Cached {
		t.Fatal(c, err)
	}
	if n.n.Load() != 1 {
		t.Fatalf("%d compilers ran, want 1", n.n.Load())
	}
	for _, w := range []*workshop{first, func() *workshop { w, c := newWorkshop(t, cache); n = c; return w }()} {
		before := n.n.Load()
		p, c, err := w.build(t.Context(), bashSource("echo 1\n"), enough)
		if err != nil || !c.Cached || p == nil {
			t.Fatal(c, err)
		}
		if n.n.Load() != before {
			t.Error("compiled again")
		}
	}
	if _, c, err := first.build(t.Context(), bashSource("echo 2\n"), enough); err != nil || c.Cached {
		t.Error("another source is not compiled:", c, err)
	}
}

func TestRefusalIsKept(t *testing.T) {
	needs(t, "bash")
	w, n := newWorkshop(t, t.TempDir())
	for i, cached := range []bool{false, true} {
		before := n.n.Load()
		p, c, err := w.build(t.Context(), bashSource("if\n"), enough)
		if err != nil || p != nil || c.Exit == 0 || c.Cached != cached || !strings.Contains(c.Message, "syntax error") {
			t.Fatal(i, p, c, err)
		}
		if cached && n.n.Load() != before {
			t.Error("compiled again")
		}
	}
}

// A program runs with the rights of the judge, for now, so it may write over
// itself. Then it is built anew.
func TestChangedProgramIsBuiltAnew(t *testing.T) {
	needs(t, "bash")
	w, _ := newWorkshop(t, t.TempDir())
	p, _, err := w.build(t.Context(), bashSource("echo 1\n"), enough)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(p.dir, "src", "a.sh")
	if err := os.WriteFile(name, []byte("echo poisoned\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, c, err := w.build(t.Context(), bashSource("echo 1\n"), enough); err != nil || c.Cached {
		t.Fatal(c, err)
	}
	if text, err := os.ReadFile(name); string(text) != "echo 1\n" {
		t.Errorf("the program is still %q (%v)", text, err)
	}
}

// A compiler that ran out of time may do better another time.
func TestRefusalByLimitIsNotKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU limits of compilers are enforced on Linux only")
	}
	needs(t, "gcc")
	w, _ := newWorkshop(t, t.TempDir())
	src := source{what: "a.c", files: map[string][]byte{"a.c": []byte("#include <stdio.h>\nint main(void) {}\n")}, language: languageByCode("c")}
	_, c, err := w.build(t.Context(), src, Guarantee{Time: 1, Memory: defaultGuaranteed})
	if err != nil || c.Exit != -1 || !strings.Contains(c.Message, "beyond its cpu limit") {
		t.Fatal(c, err)
	}
	if p, c, err := w.build(t.Context(), src, enough); err != nil || p == nil || c.Cached {
		t.Errorf("with enough time: %+v, %v; want it built", c, err)
	}
}

// A compiler that refuses everything proves nothing about a source.
func TestBrokenCompilerIsNoRefusal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the broken compiler is a shell script")
	}
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1\" = --version ] && { echo broken 1.0; exit; }\necho internal error >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "gcc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	w, _ := newWorkshop(t, t.TempDir())
	_, c, err := w.build(t.Context(), source{what: "a.c", files: map[string][]byte{"a.c": []byte("int main(void) {}\n")}, language: languageByCode("c")}, enough)
	if err == nil || !strings.Contains(err.Error(), "its refusal proves nothing") {
		t.Errorf("build = %v, %v; want the judge's error", c, err)
	}
}

func TestMissingCompilerIsUnusable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w, _ := newWorkshop(t, t.TempDir())
	_, _, err := w.build(t.Context(), bashSource("true\n"), enough)
	if err == nil || !strings.Contains(err.Error(), "Bash is not usable here: bash is not on the PATH") {
		t.Errorf("build = %v", err)
	}
}

// TestLanguages walks the table: each language that this machine has builds
// and runs its hello, refuses what is no program, and shows a crash as one.
func TestLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every compiler")
	}
	cache := t.TempDir()
	if dir, err := os.UserCacheDir(); err == nil && os.MkdirAll(filepath.Join(dir, "crucible"), 0o755) == nil {
		cache = filepath.Join(dir, "crucible") // Go's library is compiled there already, perhaps
	}
	crashes := map[string]string{
		"c":          "int main(void) { volatile int *p = 0; return *p; }\n",
		"cpp":        "#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }\n",
		"go":         "package main\n\nfunc main() { panic(1) }\n",
		"python3":    "raise ValueError\n",
		"java":       "public class Main { public static void main(String[] a) { throw new RuntimeException(); } }\n",
		"rust":       "fn main() { panic!() }\n",
		"javascript": "throw new Error()\n",
		"bash":       "exit 3\n",
	}
	for i := range languages {
		l := &languages[i]
		t.Run(l.Code, func(t *testing.T) {
			w, _ := newWorkshop(t, cache)
			ctx := t.Context()
			if _, err := w.tools.find(ctx, l); err != nil {
				if os.Getenv("CRUCIBLE_REQUIRE_LANGUAGES") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			if err := w.prove(ctx, l); err != nil {
				t.Error("hello:", err)
			}
			build := func(text string) (*built, Compile) {
				t.Helper()
				name := "any" + l.Exts[0]
				p, c, err := w.build(ctx, source{what: name, files: map[string][]byte{name: []byte(text)}, language: l, memory: 1 << 30}, enough)
				if err != nil {
					t.Fatal(err)
				}
				return p, c
			}
			if p, c := build("( this is no program\n"); p != nil || c.Exit == 0 || c.Message == "" {
				t.Errorf("no program: %+v; want a refusal that says why", c)
			}
			p, c := build(crashes[l.Code])
			if p == nil {
				t.Fatalf("the crash does not compile: %+v", c)
			}
			dir := t.TempDir()
			if err := p.layOut(dir); err != nil {
				t.Fatal(err)
			}
			o, err := w.runner.Run(ctx, sandbox.Cmd{Args: p.args, Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if v, why, err := verdictOf(o, Limits{}); v != RuntimeError || err != nil {
				t.Errorf("the crash: %q, %q, %v; want RTE", v, why, err)
			}
		})
	}
}

func TestEntryPoints(t *testing.T) {
	for _, c := range []struct{ name, code, files, given, entry, err string }{
		{"one file is the entry", "python3", "x.py", "", "x.py", ""},
		{"main.py among several", "python3", "a.py main.py", "", "main.py", ""},
		{"a package of Python", "python3", "__init__.py __main__.py", "", "__main__.py", ""},
		{"no default among several", "python3", "a.py b.py", "", "", "no entry point"},
		{"submissions.yaml decides", "python3", "a.py b.py", "b.py", "b.py", ""},
		{"all of C++ is one program", "cpp", "b.cpp a.cpp", "", "a.cpp", ""},
		{"Java's main class", "java", "A.java Main.java", "", "Main.java", ""},
		{"Java's class by name", "java", "A.java B.java", "B", "B.java", ""},
		{"a crate", "rust", "main.rs util.rs", "", "main.rs", ""},
		{"headers do not count", "c", "a.c a.h", "", "a.c", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := make(map[string][]byte)
			for _, name := range strings.Fields(c.files) {
				files[name] = nil
			}
			got, err := languageByCode(c.code).entryPoint(files, c.given)
			if got != c.entry || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("entryPoint = %q, %v; want %q, …%s…", got, err, c.entry, c.err)
			}
		})
	}
}

func TestJavaFileIsNamedForItsClass(t *testing.T) {
	java := languageByCode("java")
	for text, want := range map[string]string{
		"public class Foo {}":               "Foo.java",
		"  public final class Foo {}":       "Foo.java",
		"class Main { }":                    "Main.java",
		"class dlx { }":                     "dlx.java",
		"class Node {}\npublic class Bar{}": "Bar.java",
	} {
		files, entry := java.rename(map[string][]byte{"dlx.java": []byte(text)}, "dlx.java")
		if entry != want || files[want] == nil {
			t.Errorf("%q: entry %s, want %s", text, entry, want)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for files, want := range map[string]string{
		"a.cc": "cpp", "a.C": "cpp", "a.c": "c", "a.py3": "python3", "a.cpp a.h": "cpp", "a.go go.mod": "go",
		"a.c b.cpp": "", "README": "", "a.kt": "",
	} {
		l, why := languageOf(strings.Fields(files))
		if (l == nil) != (want == "") || l != nil && l.Code != want || (l == nil) != (why != "") {
			t.Errorf("languageOf(%s) = %v, %q; want %q", files, l, why, want)
		}
	}
}

func needs(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip(err)
	}
}
