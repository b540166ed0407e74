package build

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"crucible/judge/internal/osfile"
	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/sandbox"
)

// isStatic reports whether a built program names no dynamic linker.
func isStatic(t *testing.T, p *Program) bool {
	t.Helper()
	f, err := elf.Open(filepath.Join(p.Dir, "bin", programName()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}

// staticPrograms use what may differ in a program that is linked statically. Each prints ok.
var staticPrograms = []struct{ fact, code, source string }{
	{"threads and call_once", "cpp", `#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
std::once_flag once; int calls; std::mutex m; int sum;
int main() { std::vector<std::thread> all; for (int i = 0; i < 8; i++) all.emplace_back([] {
	std::call_once(once, [] { calls++; }); std::lock_guard<std::mutex> l(m); sum++; });
	for (auto& t : all) t.join(); puts(calls == 1 && sum == 8 ? "ok" : "wrong"); }`},
	{"condition_variable", "cpp", `#include <condition_variable>
#include <cstdio>
#include <thread>
std::mutex m; std::condition_variable c; bool ready;
int main() { std::thread t([] { { std::lock_guard<std::mutex> l(m); ready = true; } c.notify_one(); });
	{ std::unique_lock<std::mutex> l(m); c.wait(l, [] { return ready; }); } t.join(); puts("ok"); }`},
	{"std::async, and an exception from another thread", "cpp", `#include <cstdio>
#include <future>
#include <stdexcept>
int main() { auto f = std::async(std::launch::async, [] { return 41; });
	auto g = std::async(std::launch::async, []() -> int { throw std::runtime_error("ok"); });
	int n = f.get(); try { g.get(); } catch (std::exception& e) { if (n == 41) puts(e.what()); } }`},
	{"locales", "cpp", `#include <iostream>
#include <locale>
int main() { std::locale::global(std::locale("")); std::locale c("C"); std::cout.imbue(std::locale(""));
	bool unknown = false; try { std::locale l("xx_XX"); } catch (std::runtime_error&) { unknown = true; }
	std::cout << (c.name() == "C" && unknown ? "ok" : "wrong") << "\n"; }`},
	{"wide output and input", "cpp", `#include <clocale>
#include <iostream>
#include <string>
int main() { std::setlocale(LC_ALL, "C.UTF-8"); std::ios::sync_with_stdio(false); std::wcin.imbue(std::locale("C.UTF-8"));
	std::wstring w; std::wcin >> w; std::wcout << (w == L"z\u00fcrich" ? L"ok" : L"wrong") << std::endl; }`},
	{"iconv between UTF-8 and wide characters", "c", `#include <iconv.h>
#include <stdio.h>
#include <wchar.h>
int main(void) { iconv_t c = iconv_open("WCHAR_T", "UTF-8"); char in[] = "\xc3\xbc", *i = in; wchar_t out[4], *o = out;
	size_t n = 2, m = sizeof out; if (c == (iconv_t) -1 || iconv(c, &i, &n, (char**) &o, &m) != 0 || out[0] != 0xfc) return 1;
	puts("ok"); return 0; }`},
	{"a stack of 64 MiB", "c", `#include <stdio.h>
int down(int n) { volatile char a[1024]; a[0] = n; return n == 0 ? a[0] : down(n - 1) + a[0] - (char) n; }
int main(void) { puts(down(60000) == 0 ? "ok" : "wrong"); }`},
	{"names of hosts and users, without warnings", "c", `#include <dlfcn.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
int main(int n, char** a) { if (n > 1) { getaddrinfo(a[1], 0, 0, 0); dlopen(a[1], 1); getpwnam(a[1]); gethostbyname(a[1]); } puts("ok"); }`},
	{"GMP", "cgmp", `#include <gmp.h>
#include <stdio.h>
int main(void) { mpz_t n; mpz_init(n); mpz_ui_pow_ui(n, 2, 100); puts(mpz_sizeinbase(n, 2) == 101 ? "ok" : "wrong"); }`},
	{"GMP in C++", "cppgmp", `#include <gmpxx.h>
#include <iostream>
int main() { mpz_class n("1000000000000000000000"); std::cout << (n * n / n == n ? "ok" : "wrong") << std::endl; }`},
	{"Fortran", "fortran", `program a
real(8) :: x
x = 4
if (sqrt(x) == 2) print '(a)', 'ok'
end program`},
	{"Ada with tasks", "ada", `with Ada.Text_IO;
procedure Main is
   task Worker is entry Go; end Worker;
   task body Worker is begin accept Go; end Worker;
begin
   Worker.Go;
   Ada.Text_IO.Put_Line ("ok");
end Main;`},
	{"Haskell with text that is not ASCII", "haskell", `main :: IO ()
main = do { l <- getLine; putStrLn (if l == "z\252rich" then "ok" else show l) }`},
}

// TestStaticPrograms builds and runs programs at the highest level of the sandbox.
func TestStaticPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are linked statically on Linux only")
	}
	if testing.Short() || testkit.Raced {
		t.Skip("runs compilers, which the race detector does not see into")
	}
	b, _ := newBuilder(t, t.TempDir())
	for _, tt := range staticPrograms {
		t.Run(tt.fact, func(t *testing.T) {
			t.Parallel()
			l := language.Builtin.ByCode(tt.code)
			if _, err := b.Tools.Find(t.Context(), l); err != nil {
				t.Skip(err)
			}
			_, why, err := b.Linking(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			p, c, err := b.Build(t.Context(), Source{What: "main" + l.Ext(), Files: map[string][]byte{"main" + l.Ext(): []byte(tt.source)}, Language: l, Submission: true}, Usual)
			if err != nil || p == nil || strings.Contains(c.Message, "statically linked") {
				t.Fatalf("%+v, %v; expected it built without a linker's warning", c, err)
			}
			if got := isStatic(t, p); got != (why == "") {
				t.Errorf("static: %v; the hello program is not: %q", got, why)
			}
			var out, said bytes.Buffer
			o, err := b.Runner.Run(t.Context(), sandbox.Cmd{Args: p.Args, Dir: filepath.Join(p.Dir, "src"), Reads: p.Reads, Stdin: strings.NewReader("zürich\n"), Stdout: &out, Stderr: &said,
				Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: 512 << 20, Output: 1 << 16, Processes: 64}})
			if err != nil || o.Exit != 0 || out.String() != "ok\n" {
				t.Errorf("exit %d, %v: printed %q and %q; expected ok", o.Exit, err, out.String(), said.String())
			}
		})
	}
}

// fakeGCC puts a gcc on the PATH that does what the shell script refuse says before it
// calls the real one.
func fakeGCC(t *testing.T, real, refuse string) {
	t.Helper()
	bin := t.TempDir()
	script := "#!/bin/sh\n" + refuse + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "gcc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A compiler that cannot link statically links dynamically, and is asked once.
func TestStaticLinkRefused(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are linked statically on Linux only")
	}
	real, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip(err)
	}
	fakeGCC(t, real, `for a; do [ "$a" = -static ] && exit 1; done`)
	silent, _ := newBuilder(t, t.TempDir())
	if _, why, err := silent.Linking(t.Context(), language.Builtin.ByCode("c")); err != nil || why != "the compiler exits with status 1" {
		t.Errorf("a compiler that says nothing: %q, %v", why, err)
	}
	fakeGCC(t, real, `for a; do [ "$a" = -static ] && { echo cannot find -lc >&2; exit 1; }; done`)
	cache := t.TempDir()
	b, _ := newBuilder(t, cache)
	l := language.Builtin.ByCode("c")
	dynamic, why, err := b.Linking(t.Context(), l)
	if err != nil || dynamic.Static != nil || why != "cannot find -lc" {
		t.Fatalf("%v, %q, %v; expected no static flags, because -lc is missing", dynamic.Static, why, err)
	}
	p, c, err := b.Build(t.Context(), Source{What: "a.c", Files: map[string][]byte{"a.c": []byte("int main(void) { return 0; }\n")}, Language: l}, enough)
	if err != nil || p == nil || isStatic(t, p) || slices.Contains(c.Command, "-static") {
		t.Errorf("%+v, %v; expected a dynamic program", c, err)
	}
	if err := b.Tools.Save(); err != nil {
		t.Fatal(err)
	}
	b, n := newBuilder(t, cache)
	if n.n.Load() != 0 {
		t.Fatal("a builder ran programs at its start")
	}
	if _, again, err := b.Linking(t.Context(), l); err != nil || again != why || n.n.Load() != 0 {
		t.Errorf("another judge: %q, %v after %d programs; expected the stored answer", again, err, n.n.Load())
	}
}

// Flags of the user that decide how programs are linked win.
func TestDynamicByFlag(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs are linked statically on Linux only")
	}
	testkit.Needs(t, "gcc")
	b, n := newBuilder(t, t.TempDir())
	for _, tt := range []struct {
		flag   string
		static bool
	}{{"", true}, {"-no-pie", false}, {"-pie", false}, {"-static", true}, {"-fsanitize=undefined", false}} {
		table, err := language.Builtin.WithFlags("c", strings.Fields(tt.flag))
		if err != nil {
			t.Fatal(err)
		}
		l := table.ByCode("c")
		if _, why, err := b.Linking(t.Context(), l); err != nil || why != "" {
			t.Skip(why, err)
		}
		p, c, err := b.Build(t.Context(), Source{What: "a.c", Files: map[string][]byte{"a.c": []byte("int main(void) { return 0; }\n")}, Language: l}, enough)
		if err != nil || p == nil {
			t.Fatalf("%q: %+v, %v", tt.flag, c, err)
		}
		if got := isStatic(t, p); got != tt.static {
			t.Errorf("%q: static is %v, expected %v", tt.flag, got, tt.static)
		}
	}
	table, err := language.Builtin.WithFlags("c", []string{"-DSEED=1"})
	if err != nil {
		t.Fatal(err)
	}
	before := n.n.Load()
	if _, why, err := b.Linking(t.Context(), table.ByCode("c")); err != nil || why != "" || n.n.Load() != before {
		t.Errorf("with a macro: %q, %v, and %d programs ran, expected none", why, err, n.n.Load()-before)
	}
	l := language.Builtin.ByCode("c")
	if b.Key(l, Toolchain{}, nil, "") == b.Key(l.Dynamic(), Toolchain{}, nil, "") {
		t.Error("a static and a dynamic program have one key")
	}
}

// A static program runs within the memory limit, in MiB, into which the dynamic program just fits.
func TestStaticUsesNoMoreMemory(t *testing.T) {
	if runtime.GOOS != "linux" || testkit.Raced {
		t.Skip("programs are linked statically on Linux only")
	}
	testkit.NeedsBox(t)
	testkit.Needs(t, "g++")
	b, _ := newBuilder(t, t.TempDir())
	static := language.Builtin.ByCode("cpp")
	const source = "#include <iostream>\n#include <vector>\nint main() { std::vector<int> v((8 << 20) + 100000, 1); std::cout << v[1 << 20] << std::endl; }\n"
	run := func(l *language.Language, memory int64) sandbox.Outcome {
		t.Helper()
		p, c, err := b.Build(t.Context(), Source{What: "a.cpp", Files: map[string][]byte{"a.cpp": []byte(source)}, Language: l}, Usual)
		if err != nil || p == nil {
			t.Fatal(c, err)
		}
		o, err := b.Runner.Run(t.Context(), sandbox.Cmd{Args: p.Args, Dir: filepath.Join(p.Dir, "src"), Limits: sandbox.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: memory, Output: 1 << 16, Processes: 64}})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	used := run(static.Dynamic(), 256<<20).Memory
	limit := (used + 1<<20 - 1) >> 20 << 20
	for range 3 {
		if o := run(static, limit); o.Exit != 0 || o.Exceeded != "" {
			t.Errorf("with %d bytes, of which the dynamic program used %d: %+v", limit, used, o)
		}
	}
}

// The cache of programs has a bound: the programs not used for the longest time go first.
func TestProgramsPruned(t *testing.T) {
	b := &Builder{Cache: t.TempDir()}
	for name, age := range map[string]time.Duration{"old": 3 * osfile.MinAge, "older": 4 * osfile.MinAge, "new": 0} {
		dir := filepath.Join(b.Cache, "programs", name)
		if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(dir, "bin", "program")
		if err := os.WriteFile(program, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		// A sparse file counts with its full size.
		if err := os.Truncate(program, maxPrograms/2); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(dir, then, then); err != nil {
			t.Fatal(err)
		}
	}
	b.Prune()
	var left []string
	entries, err := os.ReadDir(filepath.Join(b.Cache, "programs"))
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"new", "old"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left: %q, %v; expected %q", left, err, want)
	}
}
