package build

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"crucible/judge/internal/testkit"
	"crucible/judge/language"
)

// TestPreparedFilesGoOutOfDate changes what a header was made from, and the compiler.
func TestPreparedFilesGoOutOfDate(t *testing.T) {
	b := boxBuilder(t)
	b.Eager = true
	cpp := language.Builtin.ByCode("cpp")
	tc, err := b.Tools.Find(t.Context(), cpp)
	if err != nil || !strings.Contains(tc.Version, "g++") {
		t.Skip("not GCC:", tc.Version, err)
	}
	files := map[string][]byte{"a.cpp": []byte("#include <iostream>\nint main() {}\n")}
	first := b.header(t.Context(), cpp, tc, files)
	if first == "" {
		t.Fatal("no header")
	}
	gch := filepath.Join(first, "iostream.gch")
	made, err := stateOf(gch)
	if err != nil {
		t.Fatal(err)
	}
	upgraded := tc
	upgraded.Version += " upgraded"
	if dir := b.header(t.Context(), cpp, upgraded, files); dir == "" || dir == first {
		t.Errorf("%q after an upgrade of the compiler, want a header of its own", dir)
	}
	// Another file of the same size.
	if err := os.Chtimes(gch, time.Time{}, made.Time.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrepared(first); err == nil {
		t.Error("a changed header is used")
	}
	again := b.header(t.Context(), cpp, tc, files)
	if now, err := stateOf(gch); again != first || err != nil || now.Time.Equal(made.Time.Add(time.Second)) {
		t.Errorf("%q with %+v, %v; want the header made again", again, now, err)
	}
}

// TestPreparedOnce has several judges that want the same header at once.
func TestPreparedOnce(t *testing.T) {
	b := boxBuilder(t)
	var mu sync.Mutex
	made := 0
	release := make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	for range 4 {
		judge := &Builder{Runner: b.Runner, Cache: b.Cache, Tools: Toolchains{Cache: b.Cache}, Eager: true}
		wg.Go(func() {
			dir := judge.prepared(filepath.Join("kind", "key"), func(tmp string) (*preparedFiles, error) {
				mu.Lock()
				made++
				mu.Unlock()
				<-release
				return new(preparedFiles), nil
			})
			if dir == "" {
				once.Do(func() { close(release) }) // another judge makes it, and this one works without
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("made %d times, want 1", made)
	}
	if left, err := filepath.Glob(filepath.Join(b.Cache, "programs", temporaryPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("%q are left, %v", left, err)
	}
}

// TestArchiveChangesNoProgram compiles with and without archived classes of the compiler.
func TestArchiveChangesNoProgram(t *testing.T) {
	testkit.InMatrix(t)
	testkit.Needs(t, "javac")
	plain, eager := boxBuilder(t), boxBuilder(t)
	eager.Eager = true
	java := language.Builtin.ByCode("java")
	compile := func(b *Builder, text string) (*Program, Compile) {
		t.Helper()
		p, c, err := b.Build(t.Context(), Source{What: "Main.java", Files: map[string][]byte{"Main.java": []byte(text)}, Language: java}, Usual)
		if err != nil {
			t.Fatal(err)
		}
		return p, c
	}
	const source = "import java.util.*;\npublic class Main { record P(int a) {}\n public static void main(String[] a) { List<P> l = new ArrayList(); l.add(new P(1)); System.out.println(l); } }\n"
	without, notes := compile(plain, source)
	with, c := compile(eager, source)
	if !strings.Contains(notes.Message, "unchecked") || c.Message != notes.Message {
		t.Errorf("%q with the archive, %q without", c.Message, notes.Message)
	}
	for _, name := range []string{"Main.class", "Main$P.class"} {
		one, err := os.ReadFile(filepath.Join(with.Dir, "bin", name))
		other, err2 := os.ReadFile(filepath.Join(without.Dir, "bin", name))
		if err := errors.Join(err, err2); err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s differs from that without the archive: %v", name, err)
		}
	}
	archives, err := filepath.Glob(filepath.Join(eager.Cache, "archives", "java", "*", "*"))
	if err != nil || len(archives) != 2 || filepath.Base(archives[0]) != archiveFile {
		t.Fatalf("%q, %v; want an archive and its description", archives, err)
	}
	if p, c := compile(eager, "public class Main { int x = undeclared; }\n"); p != nil || c.Exit != 1 || !strings.Contains(c.Message, "Main.java:1") {
		t.Errorf("a wrong source: %+v; want the compiler's message", c)
	}
	// A damaged archive of the same size and time stops no compilation.
	state, err := stateOf(archives[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(archives[0], 0o644), os.WriteFile(archives[0], bytes.Repeat([]byte("x"), int(state.Size)), 0o644), os.Chtimes(archives[0], state.Time, state.Time)); err != nil {
		t.Fatal(err)
	}
	if _, err := readPrepared(filepath.Dir(archives[0])); err != nil {
		t.Fatal(err)
	}
	if p, c := compile(eager, strings.Replace(source, "P(1)", "P(2)", 1)); p == nil {
		t.Errorf("a damaged archive: %+v; want a program", c)
	}
}

func TestOldPreparedFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	for i := range preparedKept + 2 {
		dir := filepath.Join(folder, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+".wanted", nil, 0o644); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-time.Duration(i) * time.Hour)
		if err := os.Chtimes(dir, used, used); err != nil {
			t.Fatal(err)
		}
	}
	if err := prunePrepared(folder); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	var want []string
	for i := range preparedKept {
		dir := filepath.Join(folder, fmt.Sprint(i))
		want = append(want, dir, dir+".wanted")
	}
	if err != nil || !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}
