package build

import (
	"context"
	"crucible/judge/internal/osfile"
	"crucible/judge/internal/text"
	"crucible/judge/language"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Go keeps what it compiled in a cache of its own. All submissions share the
// library's part of it, or each would compile the library anew; but a source
// is hostile, so the compiler that works on it may only read. Who writes is
// the judge: before a submission is compiled, it compiles those packages of the
// library that the submission imports, and nothing else.

// goFresh is how long the library's packages count as compiled. Go removes from
// its cache what was not used for five days, and reading alone does not count.
const goFresh = 24 * time.Hour

// goTime bounds how long compiling packages of the library may take.
const goTime = 10 * time.Minute

// warmGo compiles the packages of Go's library that the files import.
func (w *Builder) warmGo(ctx context.Context, l *language.Language, tc Toolchain, files map[string][]byte) error {
	listed, err := w.Tools.ask(ctx, l, tc.Compiler, []string{"list", "std"})
	if err != nil {
		return fmt.Errorf("%s does not list its library: %w", tc.Compiler, err)
	}
	wanted := goImports(files, strings.Fields(listed))
	w.warming.Lock()
	defer w.warming.Unlock()
	dir := filepath.Join(w.Cache, "go-build")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	warm := w.readWarm(tc)
	if !slices.ContainsFunc(wanted, func(name string) bool { return time.Since(warm[name]) > goFresh }) {
		return nil
	}
	// Outside any module, whatever folder the cache lies in.
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := osfile.WriteAtomic(mod, []byte("module library\n")); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp(filepath.Join(w.Cache, "programs"), ".building-library-")
	if err != nil {
		return err
	}
	defer func() { osfile.RemoveAll(tmp) }()
	if err := os.Mkdir(filepath.Join(tmp, "tmp"), 0o755); err != nil {
		return err
	}
	run, cancel := context.WithTimeout(ctx, goTime)
	defer cancel()
	// Only the library is compiled, so this is a trusted program on trusted
	// sources, and needs no sandbox. The flags are those of Compile: others would
	// warm other entries.
	cmd := exec.CommandContext(run, tc.Compiler, append([]string{"build", "-trimpath"}, wanted...)...)
	cmd.Dir, cmd.Env = dir, environment(l, w.Cache, tmp)
	// At an interrupt go stops its compilers and removes its own temporary files.
	cmd.Cancel, cmd.WaitDelay = func() error { return cmd.Process.Signal(os.Interrupt) }, 5*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%s does not build its own library: %w: %s", tc.Compiler, err, text.FirstLine(string(out)))
	}
	for _, name := range wanted {
		warm[name] = time.Now()
	}
	if err := readable(dir); err != nil {
		return err
	}
	return w.writeWarm(tc, warm)
}

// goImports returns the packages of the library that the files import, and
// those that every program has. Only what is listed is named, so nothing in a
// source chooses what is compiled but by that list.
func goImports(files map[string][]byte, library []string) []string {
	wanted := []string{"runtime"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		// A file that does not parse is refused later, by the compiler.
		file, _ := parser.ParseFile(token.NewFileSet(), name, files[name], parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, spec := range file.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && slices.Contains(library, name) {
				wanted = append(wanted, name)
			}
		}
	}
	slices.Sort(wanted)
	return slices.Compact(wanted)
}

// A warmth is when which packages were compiled, by which compiler.
type warmth struct {
	Compiler, Version string
	Packages          map[string]time.Time
}

// It lies in Go's cache, to go away with it.
func (w *Builder) warmFile() string { return filepath.Join(w.Cache, "go-build", "warm.json") }

func (w *Builder) readWarm(tc Toolchain) map[string]time.Time {
	data, err := os.ReadFile(w.warmFile())
	var have warmth
	if err != nil || json.Unmarshal(data, &have) != nil || have.Packages == nil || have.Compiler != tc.Compiler || have.Version != tc.Version {
		return make(map[string]time.Time)
	}
	return have.Packages
}

func (w *Builder) writeWarm(tc Toolchain, packages map[string]time.Time) error {
	data, err := json.MarshalIndent(warmth{tc.Compiler, tc.Version, packages}, "", " ")
	if err != nil {
		return err
	}
	return osfile.WriteAtomic(w.warmFile(), data)
}

// readable lets others read a folder of the judge's own, whatever the umask.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		want := fs.FileMode(0o444)
		if e.IsDir() {
			want = 0o555
		}
		info, err := e.Info()
		if err != nil || !e.IsDir() && !e.Type().IsRegular() || info.Mode().Perm()&want == want {
			return err
		}
		return os.Chmod(name, info.Mode().Perm()|want)
	})
}
