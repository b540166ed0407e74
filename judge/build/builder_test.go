package build

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
	"crucible/judge/problem"
	"crucible/judge/sandbox"
)

// counted counts the programs that a Runner runs.
type counted struct {
	sandbox.Runner
	n atomic.Int64
}

func (c *counted) Run(ctx context.Context, cmd sandbox.Cmd) (sandbox.Outcome, error) {
	c.n.Add(1)
	return c.Runner.Run(ctx, cmd)
}

func newBuilder(t *testing.T, cache string) (*Builder, *counted) {
	t.Helper()
	process := new(sandbox.Sandbox)
	t.Cleanup(func() { process.Close() })
	runner := &counted{Runner: process}
	return &Builder{Runner: runner, Cache: cache, Tools: Toolchains{Cache: cache}}, runner
}

var enough = problem.Guarantee{Time: problem.DefaultCompiling, Memory: problem.DefaultGuaranteed}

func bashSource(text string) Source {
	return Source{What: "a.sh", Files: map[string][]byte{"a.sh": []byte(text)}, Language: language.Builtin.ByCode("bash")}
}

func TestNothingIsCompiledTwice(t *testing.T) {
	testkit.Needs(t, "bash")
	cache := t.TempDir()
	first, n := newBuilder(t, cache)
	if _, c, err := first.Build(t.Context(), bashSource("echo 1\n"), enough); err != nil || c.Exit != 0 || c.Cached {
		t.Fatal(c, err)
	}
	if n.n.Load() != 1 {
		t.Fatalf("%d compilers ran, expected 1", n.n.Load())
	}
	for _, w := range []*Builder{first, func() *Builder { w, c := newBuilder(t, cache); n = c; return w }()} {
		before := n.n.Load()
		p, c, err := w.Build(t.Context(), bashSource("echo 1\n"), enough)
		if err != nil || !c.Cached || p == nil {
			t.Fatal(c, err)
		}
		if n.n.Load() != before {
			t.Error("compiled again")
		}
	}
	if _, c, err := first.Build(t.Context(), bashSource("echo 2\n"), enough); err != nil || c.Cached {
		t.Error("another source is not compiled:", c, err)
	}
}

func TestRefusalIsKept(t *testing.T) {
	testkit.Needs(t, "bash")
	w, n := newBuilder(t, t.TempDir())
	for i, cached := range []bool{false, true} {
		before := n.n.Load()
		p, c, err := w.Build(t.Context(), bashSource("if\n"), enough)
		if err != nil || p != nil || c.Exit == 0 || c.Cached != cached || !strings.Contains(c.Message, "syntax error") {
			t.Fatal(i, p, c, err)
		}
		if cached && n.n.Load() != before {
			t.Error("compiled again")
		}
	}
}

// Without a box, a program runs with the rights of the judge, so it can overwrite
// itself. A changed program is built again.
func TestChangedProgramIsBuiltAnew(t *testing.T) {
	testkit.Needs(t, "bash")
	w, _ := newBuilder(t, t.TempDir())
	p, _, err := w.Build(t.Context(), bashSource("echo 1\n"), enough)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(p.Dir, "src", "a.sh")
	if err := os.WriteFile(name, []byte("echo poisoned\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, c, err := w.Build(t.Context(), bashSource("echo 1\n"), enough); err != nil || c.Cached {
		t.Fatal(c, err)
	}
	if text, err := os.ReadFile(name); string(text) != "echo 1\n" {
		t.Errorf("the program is still %q (%v)", text, err)
	}
}

// A rejection because of a limit is not cached: the compiler may succeed with more time.
func TestRefusalByLimitIsNotKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU limits of compilers are enforced on Linux only")
	}
	testkit.Needs(t, "gcc")
	w, _ := newBuilder(t, t.TempDir())
	src := Source{What: "a.c", Files: map[string][]byte{"a.c": []byte("#include <stdio.h>\nint main(void) {}\n")}, Language: language.Builtin.ByCode("c")}
	_, c, err := w.Build(t.Context(), src, problem.Guarantee{Time: 1, Memory: problem.DefaultGuaranteed})
	if err != nil || c.Exit != -1 || !strings.Contains(c.Message, "exceeded its cpu limit") {
		t.Fatal(c, err)
	}
	if p, c, err := w.Build(t.Context(), src, enough); err != nil || p == nil || c.Cached {
		t.Errorf("with enough time: %+v, %v; expected it built", c, err)
	}
}

// If the compiler rejects every source, the rejection is an error of the judge.
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
	w, _ := newBuilder(t, t.TempDir())
	_, c, err := w.Build(t.Context(), Source{What: "a.c", Files: map[string][]byte{"a.c": []byte("int main(void) {}\n")}, Language: language.Builtin.ByCode("c")}, enough)
	if err == nil || !strings.Contains(err.Error(), "cannot build its test program") {
		t.Errorf("build = %v, %v; expected the judge's error", c, err)
	}
}

func TestMissingCompilerIsUnusable(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	w, _ := newBuilder(t, t.TempDir())
	_, _, err := w.Build(t.Context(), bashSource("true\n"), enough)
	if err == nil || !strings.Contains(err.Error(), "Bash is not usable here: bash is not on the PATH") {
		t.Errorf("build = %v", err)
	}
}
